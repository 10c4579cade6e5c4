// The key schedule of TLS 1.3 (RFC 8446 §7.1), as a provider's "TLS13-KDF".
//
// A handshake derives some twenty secrets, and OpenSSL 3 looks up and sets up a MAC and a digest for each step of each: that
// takes five times as long as the hashing. This one hashes at once. What it is asked in another way than libssl asks (in
// several calls, with another digest, with longer keys) it hands on to the default provider's.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "library.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if OPENSSL_VERSION_MAJOR < 4

// RFC 8446 §7.1: a label has at most 255 bytes with its prefix, a context as many.
enum { longest_digest = 48, longest_block = 128, label_limit = 255, info_limit = 2 + 1 + 255 + 1 + 255 };

// Written once, before the library context is made.
static void *their_context;
static OSSL_FUNC_kdf_newctx_fn *their_new;
static OSSL_FUNC_kdf_freectx_fn *their_free;
static OSSL_FUNC_kdf_reset_fn *their_reset;
static OSSL_FUNC_kdf_derive_fn *their_derive;
static OSSL_FUNC_kdf_set_ctx_params_fn *their_set;
static OSSL_FUNC_kdf_get_ctx_params_fn *their_get;
static OSSL_FUNC_kdf_settable_ctx_params_fn *their_settable;
static OSSL_FUNC_kdf_gettable_ctx_params_fn *their_gettable;
// As many as are known below, and the end.
static OSSL_DISPATCH functions[9];

struct bytes {
    const unsigned char *start;
    size_t count;
};

// MARK: HMAC and HKDF (RFC 2104, RFC 5869)

struct digest {
    size_t size, block;
    int is_long;
};
static const struct digest sha256 = {32, 64, 0}, sha384 = {48, 128, 1};

union hash {
    SHA256_CTX narrow;
    SHA512_CTX wide;
};

static int hash_begin(union hash *hash, const struct digest *digest) {
    return digest->is_long ? SHA384_Init(&hash->wide) : SHA256_Init(&hash->narrow);
}

static int hash_more(union hash *hash, const struct digest *digest, const void *start, size_t count) {
    return digest->is_long ? SHA384_Update(&hash->wide, start, count) : SHA256_Update(&hash->narrow, start, count);
}

static int hash_end(union hash *hash, const struct digest *digest, unsigned char *out) {
    return digest->is_long ? SHA384_Final(out, &hash->wide) : SHA256_Final(out, &hash->narrow);
}

// A key of at most one block, as all are in the key schedule.
static int hmac(const struct digest *digest, struct bytes key, struct bytes message, struct bytes last, unsigned char *out) {
    unsigned char pad[longest_block];
    union hash hash;
    if (key.count > digest->block) return 0;
    memset(pad, 0x36, digest->block);
    for (size_t at = 0; at < key.count; at++) pad[at] ^= key.start[at];
    int is_done = hash_begin(&hash, digest) && hash_more(&hash, digest, pad, digest->block)
        && hash_more(&hash, digest, message.start, message.count) && hash_more(&hash, digest, last.start, last.count)
        && hash_end(&hash, digest, out);
    for (size_t at = 0; at < digest->block; at++) pad[at] ^= 0x36 ^ 0x5c;
    is_done = is_done && hash_begin(&hash, digest) && hash_more(&hash, digest, pad, digest->block)
        && hash_more(&hash, digest, out, digest->size) && hash_end(&hash, digest, out);
    OPENSSL_cleanse(pad, sizeof pad);
    OPENSSL_cleanse(&hash, sizeof hash);
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
        if (!hash_begin(&hash, digest) || !hash_end(&hash, digest, empty)
            || !expand_label(request, request->salt, (struct bytes){empty, digest->size}, derived, digest->size)) return 0;
        salt = (struct bytes){derived, digest->size};
    }
    int is_done = hmac(digest, salt, key, (struct bytes){zeros, 0}, out);
    OPENSSL_cleanse(derived, sizeof derived);
    return is_done;
}

static int take_bytes(struct bytes *bytes, const OSSL_PARAM *param) {
    if (bytes->start != NULL || param->data_type != OSSL_PARAM_OCTET_STRING) return 0;
    *bytes = (struct bytes){param->data, param->data_size};
    // Theirs decides whether what is empty is there.
    return param->data != NULL && param->data_size > 0;
}

static int take_digest(struct request *request, const OSSL_PARAM *param) {
    if (param->data_type != OSSL_PARAM_UTF8_STRING || param->data == NULL) return 0;
    if (OPENSSL_strcasecmp(param->data, "SHA2-256") == 0 || OPENSSL_strcasecmp(param->data, "SHA256") == 0) {
        request->digest = &sha256;
    } else if (OPENSSL_strcasecmp(param->data, "SHA2-384") == 0 || OPENSSL_strcasecmp(param->data, "SHA384") == 0) {
        request->digest = &sha384;
    }
    return request->digest != NULL;
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
            is_taken = take_digest(request, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_KEY) == 0) {
            is_taken = take_bytes(&request->key, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_SALT) == 0) {
            is_taken = take_bytes(&request->salt, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_PREFIX) == 0) {
            is_taken = take_bytes(&request->prefix, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_LABEL) == 0) {
            is_taken = take_bytes(&request->label, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_DATA) == 0) {
            is_taken = take_bytes(&request->data, param);
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

// One derivation. The default provider's context is made when it is needed.
struct derivation {
    void *theirs;
};

static void *new_derivation(void *context) { return calloc(1, sizeof(struct derivation)); }

static void free_derivation(void *derivation) {
    if (derivation == NULL) return;
    void *theirs = ((struct derivation *)derivation)->theirs;
    if (theirs != NULL) their_free(theirs);
    free(derivation);
}

static void *theirs_of(void *derivation) {
    struct derivation *ours = derivation;
    if (ours->theirs == NULL) ours->theirs = their_new(their_context);
    return ours->theirs;
}

static void reset(void *derivation) {
    void *theirs = ((struct derivation *)derivation)->theirs;
    if (theirs != NULL) their_reset(theirs);
}

static int set(void *derivation, const OSSL_PARAM params[]) {
    if (params == NULL) return 1;
    void *theirs = theirs_of(derivation);
    return theirs != NULL && their_set(theirs, params);
}

static int get(void *derivation, OSSL_PARAM params[]) {
    void *theirs = theirs_of(derivation);
    return theirs != NULL && their_get(theirs, params);
}

// Which parameters there are depends on no derivation.
static const OSSL_PARAM *settable(void *derivation, void *context) { return their_settable(NULL, context); }

static const OSSL_PARAM *gettable(void *derivation, void *context) { return their_gettable(NULL, context); }

static int derive(void *derivation, unsigned char *out, size_t count, const OSSL_PARAM params[]) {
    // What was set before counts as well, and theirs alone knows it.
    if (((struct derivation *)derivation)->theirs == NULL && derive_here(params, out, count)) return 1;
    void *theirs = theirs_of(derivation);
    return theirs != NULL && their_derive(theirs, out, count, params);
}

// MARK: Whether it is right

static int theirs_is(const OSSL_PARAM params[], const unsigned char *out, size_t count) {
    unsigned char found[longest_digest];
    void *theirs = their_new(their_context);
    int is_same = theirs != NULL && their_derive(theirs, found, count, params) && memcmp(found, out, count) == 0;
    if (theirs != NULL) their_free(theirs);
    return is_same;
}

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
    return derive_here(params, out, count) && theirs_is(params, out, count);
}

static int is_right(void) {
    static const int modes[] = {EVP_KDF_HKDF_MODE_EXTRACT_ONLY, EVP_KDF_HKDF_MODE_EXPAND_ONLY};
    for (int mode = 0; mode < 2; mode++) {
        for (int has_salt = 0; has_salt < 2; has_salt++) {
            if (!is_right_for("SHA256", &sha256, modes[mode], has_salt)) return 0;
            if (!is_right_for("SHA384", &sha384, modes[mode], has_salt)) return 0;
        }
    }
    return 1;
}

// The function that stands for one of theirs; NULL: copies, which nobody in a handshake makes, and what is not known here.
static void (*ours_for(const OSSL_DISPATCH *theirs))(void) {
    switch (theirs->function_id) {
    case OSSL_FUNC_KDF_NEWCTX: their_new = OSSL_FUNC_kdf_newctx(theirs); return (void (*)(void))new_derivation;
    case OSSL_FUNC_KDF_FREECTX: their_free = OSSL_FUNC_kdf_freectx(theirs); return (void (*)(void))free_derivation;
    case OSSL_FUNC_KDF_RESET: their_reset = OSSL_FUNC_kdf_reset(theirs); return (void (*)(void))reset;
    case OSSL_FUNC_KDF_DERIVE: their_derive = OSSL_FUNC_kdf_derive(theirs); return (void (*)(void))derive;
    case OSSL_FUNC_KDF_SET_CTX_PARAMS: their_set = OSSL_FUNC_kdf_set_ctx_params(theirs); return (void (*)(void))set;
    case OSSL_FUNC_KDF_GET_CTX_PARAMS: their_get = OSSL_FUNC_kdf_get_ctx_params(theirs); return (void (*)(void))get;
    case OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS:
        their_settable = OSSL_FUNC_kdf_settable_ctx_params(theirs);
        return (void (*)(void))settable;
    case OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS:
        their_gettable = OSSL_FUNC_kdf_gettable_ctx_params(theirs);
        return (void (*)(void))gettable;
    default: return NULL;
    }
}

const OSSL_DISPATCH *pp_key_schedule(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) {
    int count = 0, limit = sizeof functions / sizeof *functions - 1;
    their_context = OSSL_PROVIDER_get0_provider_ctx(whole);
    for (; theirs->function_id != 0; theirs++) {
        void (*ours)(void) = ours_for(theirs);
        if (ours == NULL) continue;
        if (count == limit) return NULL;
        functions[count++] = (OSSL_DISPATCH){theirs->function_id, ours};
    }
    functions[count] = (OSSL_DISPATCH){0, NULL};
    return count == limit && is_right() ? functions : NULL;
}
#else
const OSSL_DISPATCH *pp_key_schedule(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) { return NULL; }
#endif
