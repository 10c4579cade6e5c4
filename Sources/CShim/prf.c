// The pseudorandom function of TLS 1.2 (RFC 5246 §5), as a provider's "TLS1-PRF".
//
// Each side of a handshake asks for it four times (the master secret, the keys, both Finished), and OpenSSL 3 sets up three MACs
// for each: that takes three times as long as the hashing. This one hashes at once. What it is asked in another way than libssl
// asks (in several calls, with another digest, with a longer secret) it hands on to the default provider's.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "derivation.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <string.h>

#if OPENSSL_VERSION_MAJOR < 4

// Libssl's seeds are a label and two randoms, or a label and a hash: 77 bytes at most. It gives them in five pieces.
enum { seed_limit = 256 };

struct request {
    const struct digest *digest;
    struct bytes secret;
    unsigned char seed[seed_limit];
    size_t seed_count;
};

static int take_seed(struct request *request, const OSSL_PARAM *param) {
    if (param->data_type != OSSL_PARAM_OCTET_STRING) return 0;
    // A piece that is not needed is there as well, and empty.
    if (param->data == NULL || param->data_size == 0) return 1;
    if (param->data_size > seed_limit - request->seed_count) return 0;
    memcpy(request->seed + request->seed_count, param->data, param->data_size);
    request->seed_count += param->data_size;
    return 1;
}

// 0: not in the way that libssl asks.
static int read_request(struct request *request, const OSSL_PARAM params[]) {
    request->digest = NULL;
    request->secret = (struct bytes){NULL, 0};
    request->seed_count = 0;
    for (const OSSL_PARAM *param = params; param != NULL && param->key != NULL; param++) {
        int is_taken = 0;
        if (strcmp(param->key, OSSL_KDF_PARAM_SEED) == 0) {
            is_taken = take_seed(request, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_SECRET) == 0) {
            is_taken = pp_take_bytes(&request->secret, param);
        } else if (strcmp(param->key, OSSL_KDF_PARAM_DIGEST) == 0) {
            is_taken = request->digest == NULL && pp_take_digest(&request->digest, param);
        }
        if (!is_taken) return 0;
    }
    return request->digest != NULL && request->secret.start != NULL && request->seed_count > 0;
}

// P_hash: HMAC(secret, A(1) + seed) + HMAC(secret, A(2) + seed) + …, where A(0) is the seed and A(i) = HMAC(secret, A(i-1)).
static int expand(
    const struct hmac_key *key, struct bytes seed, unsigned char *link, unsigned char *block, unsigned char *out, size_t count) {
    const size_t size = key->digest->size;
    if (!pp_hmac(key, seed, (struct bytes){NULL, 0}, link)) return 0;
    for (;;) {
        if (!pp_hmac(key, (struct bytes){link, size}, seed, block)) return 0;
        const size_t taken = count < size ? count : size;
        memcpy(out, block, taken);
        out += taken;
        count -= taken;
        if (count == 0) return 1;
        if (!pp_hmac(key, (struct bytes){link, size}, (struct bytes){NULL, 0}, link)) return 0;
    }
}

// 0: it cannot be done here.
static int derive_here(const OSSL_PARAM params[], unsigned char *out, size_t count) {
    struct request request;
    struct hmac_key key;
    unsigned char link[longest_digest], block[longest_digest];
    if (count == 0 || !read_request(&request, params)) return 0;
    const struct bytes seed = {request.seed, request.seed_count};
    int is_done = pp_hmac_begin(&key, request.digest, request.secret) && expand(&key, seed, link, block, out, count);
    OPENSSL_cleanse(&key, sizeof key);
    OPENSSL_cleanse(link, sizeof link);
    OPENSSL_cleanse(block, sizeof block);
    return is_done;
}

// MARK: The provider's functions

static void *new_derivation(void *context);
static const OSSL_PARAM *settable(void *derivation, void *context);
static const OSSL_PARAM *gettable(void *derivation, void *context);

static struct kind prf = {
    .derive_here = derive_here, .new_ours = new_derivation, .settable_ours = settable, .gettable_ours = gettable};

static void *new_derivation(void *context) { return pp_new_derivation(&prf); }

// Which parameters there are depends on no derivation.
static const OSSL_PARAM *settable(void *derivation, void *context) { return prf.their_settable(NULL, context); }

static const OSSL_PARAM *gettable(void *derivation, void *context) { return prf.their_gettable(NULL, context); }

// MARK: Whether it is right

static int is_right_for(const char *name, size_t count) {
    unsigned char secret[longest_digest], seed[64], out[128];
    for (size_t at = 0; at < sizeof secret; at++) secret[at] = (unsigned char)(7 * at + 1);
    for (size_t at = 0; at < sizeof seed; at++) seed[at] = (unsigned char)(200 - at);
    OSSL_PARAM params[8];
    int at = 0;
    params[at++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)name, 0);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, secret, sizeof secret);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, "key expansion", 13);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, seed, 32);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, NULL, 0);
    params[at++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, seed + 32, 32);
    params[at] = OSSL_PARAM_construct_end();
    return derive_here(params, out, count) && pp_derives_same(&prf, params, out, count);
}

// A Finished, a master secret, the keys of AES-128-GCM and of AES-256-CBC with SHA-384.
static int is_right(void) {
    static const size_t counts[] = {12, 48, 40, 128};
    for (size_t at = 0; at < sizeof counts / sizeof *counts; at++) {
        if (!is_right_for("SHA256", counts[at]) || !is_right_for("SHA384", counts[at])) return 0;
    }
    return 1;
}

const OSSL_DISPATCH *pp_pseudorandom_function(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) {
    return pp_replace_derivation(&prf, whole, theirs) && is_right() ? prf.functions : NULL;
}
#else
const OSSL_DISPATCH *pp_pseudorandom_function(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) { return NULL; }
#endif
