// The key schedule of TLS 1.3 (RFC 8446 §7.1), as a provider's "TLS13-KDF".
//
// A handshake derives some twenty secrets, and OpenSSL 3 looks up and sets up a MAC and a digest for each step of each: that
// takes five times as long as the hashing. This one hashes at once. What it is asked in another way than libssl asks (in
// several calls, with another digest, with longer keys) it hands on to the default provider's.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "derivation.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <string.h>

#if OPENSSL_VERSION_MAJOR < 4

// RFC 8446 §7.1: a label has at most 255 bytes with its prefix, a context as many.
enum { label_limit = 255, info_limit = 2 + 1 + 255 + 1 + 255 };

// MARK: HKDF (RFC 5869)

static int hmac(const struct digest *digest, struct bytes secret, struct bytes message, struct bytes last, unsigned char *out) {
    struct hmac_key key;
    int is_done = pp_hmac_begin(&key, digest, secret) && pp_hmac(&key, message, last, out);
    OPENSSL_cleanse(&key, sizeof key);
    return is_done;
}

// One round of HKDF-Expand is enough: nothing in TLS 1.3 is longer than its digest.
static int expand(const struct digest *digest, struct bytes secret, struct bytes info, unsigned char *out, size_t count) {
    static const unsigned char one = 1;
    unsigned char whole[longest_digest];
    if (count > digest->size || !hmac(digest, secret, info, (struct bytes){&one, 1}, whole)) return 0;
    memcpy(out, whole, count);
    OPENSSL_cleanse(whole, sizeof whole);
    return 1;
}

// MARK: What is asked

struct request {
    int is_extraction, is_expansion;
    const struct digest *digest;
    struct bytes key, salt, prefix, label, data;
};

// HKDF-Expand-Label.
static int expand_label(
    const struct request *request, struct bytes secret, struct bytes context, unsigned char *out, size_t count) {
    unsigned char info[info_limit];
    size_t at = 0, labelled = request->prefix.count + request->label.count;
    if (labelled > label_limit || context.count > 255) return 0;
    info[at++] = (unsigned char)(count >> 8);
    info[at++] = (unsigned char)count;
    info[at++] = (unsigned char)labelled;
    memcpy(info + at, request->prefix.start, request->prefix.count);
    at += request->prefix.count;
    memcpy(info + at, request->label.start, request->label.count);
    at += request->label.count;
    info[at++] = (unsigned char)context.count;
    if (context.count > 0) memcpy(info + at, context.start, context.count);
    at += context.count;
    return expand(request->digest, secret, (struct bytes){info, at}, out, count);
}

// The next of the three secrets that RFC 8446's diagram has on its left side: out of the last one, `salt`, and what is new.
static int extract(const struct request *request, unsigned char *out) {
    static const unsigned char zeros[longest_digest];
    const struct digest *digest = request->digest;
    struct bytes none = {zeros, digest->size};
    struct bytes key = request->key.start != NULL ? request->key : none, salt = none;
    unsigned char derived[longest_digest], empty[longest_digest];
    if (request->salt.start != NULL) {
        union hash hash;
        if (!pp_hash_begin(&hash, digest) || !pp_hash_end(&hash, digest, empty)
            || !expand_label(request, request->salt, (struct bytes){empty, digest->size}, derived, digest->size)) return 0;
        salt = (struct bytes){derived, digest->size};
    }
    int is_done = hmac(digest, salt, key, (struct bytes){zeros, 0}, out);
    OPENSSL_cleanse(derived, sizeof derived);
    return is_done;
}

// 0: not in the way that libssl asks.
static int read_request(struct request *request, const OSSL_PARAM params[]) {
    memset(request, 0, sizeof *request);
    for (const OSSL_PARAM *param = params; param != NULL && param->key != NULL; param++) {
        int mode = -1, is_taken = 1;
        if (strcmp(param->key, OSSL_KDF_PARAM_MODE) == 0) {
            is_taken = param->data_type != OSSL_PARAM_UTF8_STRING && OSSL_PARAM_get_int(param, &mode);
            request->is_extraction = mode == EVP_KDF_HKDF_MODE_EXTRACT_ONLY;
            request->is_expansion = mode == EVP_KDF_HKDF_MODE_EXPAND_ONLY;
        } else if (strcmp(param->key, OSSL_KDF_PARAM_DIGEST) == 0) {
            is_taken = pp_take_digest(&request->digest, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_KEY) == 0) {
            is_taken = pp_take_bytes(&request->key, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_SALT) == 0) {
            is_taken = pp_take_bytes(&request->salt, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_PREFIX) == 0) {
            is_taken = pp_take_bytes(&request->prefix, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_LABEL) == 0) {
            is_taken = pp_take_bytes(&request->label, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_DATA) == 0) {
            is_taken = pp_take_bytes(&request->data, param);
        } else {
            is_taken = 0;
        }
        if (!is_taken) return 0;
    }
    if (request->digest == NULL || request->is_extraction == request->is_expansion) return 0;
    if (request->key.count > request->digest->block || request->salt.count > request->digest->block) return 0;
    // The first extraction has no salt, and asks for no label.
    int is_labelled = request->is_expansion || request->salt.start != NULL;
    if (is_labelled && (request->prefix.start == NULL || request->label.start == NULL)) return 0;
    return request->is_extraction || request->key.start != NULL;
}

// 0: it cannot be done here.
static int derive_here(const OSSL_PARAM params[], unsigned char *out, size_t count) {
    struct request request;
    if (!read_request(&request, params)) return 0;
    if (request.is_expansion) return expand_label(&request, request.key, request.data, out, count);
    return count == request.digest->size && extract(&request, out);
}

// MARK: The provider's functions

static void *new_derivation(void *context);
static const OSSL_PARAM *settable(void *derivation, void *context);
static const OSSL_PARAM *gettable(void *derivation, void *context);

static struct kind schedule = {
    .derive_here = derive_here, .new_ours = new_derivation, .settable_ours = settable, .gettable_ours = gettable};

static void *new_derivation(void *context) { return pp_new_derivation(&schedule); }

// Which parameters there are depends on no derivation.
static const OSSL_PARAM *settable(void *derivation, void *context) { return schedule.their_settable(NULL, context); }

static const OSSL_PARAM *gettable(void *derivation, void *context) { return schedule.their_gettable(NULL, context); }

// MARK: Whether it is right

static int is_right_for(const char *name, const struct digest *digest, int mode, int has_salt) {
    unsigned char secret[longest_digest], salt[longest_digest], out[longest_digest];
    for (size_t at = 0; at < sizeof secret; at++) {
        secret[at] = (unsigned char)(7 * at + 1);
        salt[at] = (unsigned char)(200 - at);
    }
    size_t count = digest->size;
    OSSL_PARAM params[8];
    int at = 0;
    params[at++] = OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode);
    params[at++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)name, 0);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, secret, count);
    if (has_salt) {
        const char *key = mode == EVP_KDF_HKDF_MODE_EXTRACT_ONLY ? OSSL_KDF_PARAM_SALT : OSSL_KDF_PARAM_DATA;
        params[at++] = OSSL_PARAM_construct_octet_string(key, salt, count);
    }
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PREFIX, "tls13 ", 6);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_LABEL, "derived", 7);
    params[at] = OSSL_PARAM_construct_end();
    return derive_here(params, out, count) && pp_derives_same(&schedule, params, out, count);
}

static int is_right(void) {
    static const int modes[] = {EVP_KDF_HKDF_MODE_EXTRACT_ONLY, EVP_KDF_HKDF_MODE_EXPAND_ONLY};
    for (int mode = 0; mode < 2; mode++) {
        for (int has_salt = 0; has_salt < 2; has_salt++) {
            if (!is_right_for("SHA256", &pp_sha256, modes[mode], has_salt)) return 0;
            if (!is_right_for("SHA384", &pp_sha384, modes[mode], has_salt)) return 0;
        }
    }
    return 1;
}

const OSSL_DISPATCH *pp_key_schedule(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) {
    return pp_replace_derivation(&schedule, whole, theirs) && is_right() ? schedule.functions : NULL;
}
#else
const OSSL_DISPATCH *pp_key_schedule(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) { return NULL; }
#endif
