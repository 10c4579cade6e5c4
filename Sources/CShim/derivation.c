// See derivation.h.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "derivation.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#if OPENSSL_VERSION_MAJOR < 4

// MARK: Hashes

const struct digest pp_sha256 = {32, 64, 0}, pp_sha384 = {48, 128, 1};

int pp_hash_begin(union hash *hash, const struct digest *digest) {
    return digest->is_long ? SHA384_Init(&hash->wide) : SHA256_Init(&hash->narrow);
}

int pp_hash_more(union hash *hash, const struct digest *digest, struct bytes more) {
    if (more.count == 0) return 1;
    return digest->is_long ? SHA384_Update(&hash->wide, more.start, more.count)
                           : SHA256_Update(&hash->narrow, more.start, more.count);
}

int pp_hash_end(union hash *hash, const struct digest *digest, unsigned char *out) {
    return digest->is_long ? SHA384_Final(out, &hash->wide) : SHA256_Final(out, &hash->narrow);
}

static int begin_with(union hash *hash, const struct digest *digest, struct bytes secret, unsigned char filling) {
    unsigned char pad[longest_block];
    memset(pad, filling, digest->block);
    for (size_t at = 0; at < secret.count; at++) pad[at] ^= secret.start[at];
    int is_done = pp_hash_begin(hash, digest) && pp_hash_more(hash, digest, (struct bytes){pad, digest->block});
    OPENSSL_cleanse(pad, sizeof pad);
    return is_done;
}

int pp_hmac_begin(struct hmac_key *key, const struct digest *digest, struct bytes secret) {
    key->digest = digest;
    return secret.count <= digest->block && begin_with(&key->inner, digest, secret, 0x36)
        && begin_with(&key->outer, digest, secret, 0x5c);
}

int pp_hmac(const struct hmac_key *key, struct bytes message, struct bytes last, unsigned char *out) {
    const struct digest *digest = key->digest;
    unsigned char inner[longest_digest];
    union hash hash = key->inner;
    int is_done = pp_hash_more(&hash, digest, message) && pp_hash_more(&hash, digest, last) && pp_hash_end(&hash, digest, inner);
    hash = key->outer;
    is_done = is_done && pp_hash_more(&hash, digest, (struct bytes){inner, digest->size}) && pp_hash_end(&hash, digest, out);
    OPENSSL_cleanse(inner, sizeof inner);
    OPENSSL_cleanse(&hash, sizeof hash);
    return is_done;
}

// MARK: Parameters

int pp_take_bytes(struct bytes *bytes, const OSSL_PARAM *param) {
    if (bytes->start != NULL || param->data_type != OSSL_PARAM_OCTET_STRING) return 0;
    *bytes = (struct bytes){param->data, param->data_size};
    return param->data != NULL && param->data_size > 0;
}

int pp_take_digest(const struct digest **digest, const OSSL_PARAM *param) {
    if (param->data_type != OSSL_PARAM_UTF8_STRING || param->data == NULL) return 0;
    if (OPENSSL_strcasecmp(param->data, "SHA2-256") == 0 || OPENSSL_strcasecmp(param->data, "SHA256") == 0) {
        *digest = &pp_sha256;
    } else if (OPENSSL_strcasecmp(param->data, "SHA2-384") == 0 || OPENSSL_strcasecmp(param->data, "SHA384") == 0) {
        *digest = &pp_sha384;
    } else {
        return 0;
    }
    return 1;
}

// MARK: The provider's functions

// One derivation. The default provider's context is made when it is needed.
struct derivation {
    const struct kind *kind;
    void *theirs;
};

void *pp_new_derivation(const struct kind *kind) {
    struct derivation *made = calloc(1, sizeof *made);
    if (made != NULL) made->kind = kind;
    return made;
}

static void free_derivation(void *derivation) {
    struct derivation *ours = derivation;
    if (ours == NULL) return;
    if (ours->theirs != NULL) ours->kind->their_free(ours->theirs);
    free(ours);
}

static void *theirs_of(struct derivation *ours) {
    if (ours->theirs == NULL) ours->theirs = ours->kind->their_new(ours->kind->their_context);
    return ours->theirs;
}

static void reset(void *derivation) {
    struct derivation *ours = derivation;
    if (ours->theirs != NULL) ours->kind->their_reset(ours->theirs);
}

static int set(void *derivation, const OSSL_PARAM params[]) {
    struct derivation *ours = derivation;
    if (params == NULL) return 1;
    void *theirs = theirs_of(ours);
    return theirs != NULL && ours->kind->their_set(theirs, params);
}

static int get(void *derivation, OSSL_PARAM params[]) {
    struct derivation *ours = derivation;
    void *theirs = theirs_of(ours);
    return theirs != NULL && ours->kind->their_get(theirs, params);
}

static int derive(void *derivation, unsigned char *out, size_t count, const OSSL_PARAM params[]) {
    struct derivation *ours = derivation;
    // What was set before counts as well, and theirs alone knows it.
    if (ours->theirs == NULL && ours->kind->derive_here(params, out, count)) return 1;
    void *theirs = theirs_of(ours);
    return theirs != NULL && ours->kind->their_derive(theirs, out, count, params);
}

int pp_derives_same(const struct kind *kind, const OSSL_PARAM params[], const unsigned char *out, size_t count) {
    unsigned char *found = calloc(1, count);
    void *theirs = found != NULL ? kind->their_new(kind->their_context) : NULL;
    int is_same = theirs != NULL && kind->their_derive(theirs, found, count, params) && memcmp(found, out, count) == 0;
    if (theirs != NULL) kind->their_free(theirs);
    free(found);
    return is_same;
}

// The function that stands for one of theirs; NULL: copies, which nobody in a handshake makes, and what is not known here.
static void (*ours_for(struct kind *kind, const OSSL_DISPATCH *theirs))(void) {
    switch (theirs->function_id) {
    case OSSL_FUNC_KDF_NEWCTX: kind->their_new = OSSL_FUNC_kdf_newctx(theirs); return (void (*)(void))kind->new_ours;
    case OSSL_FUNC_KDF_FREECTX: kind->their_free = OSSL_FUNC_kdf_freectx(theirs); return (void (*)(void))free_derivation;
    case OSSL_FUNC_KDF_RESET: kind->their_reset = OSSL_FUNC_kdf_reset(theirs); return (void (*)(void))reset;
    case OSSL_FUNC_KDF_DERIVE: kind->their_derive = OSSL_FUNC_kdf_derive(theirs); return (void (*)(void))derive;
    case OSSL_FUNC_KDF_SET_CTX_PARAMS: kind->their_set = OSSL_FUNC_kdf_set_ctx_params(theirs); return (void (*)(void))set;
    case OSSL_FUNC_KDF_GET_CTX_PARAMS: kind->their_get = OSSL_FUNC_kdf_get_ctx_params(theirs); return (void (*)(void))get;
    case OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS:
        kind->their_settable = OSSL_FUNC_kdf_settable_ctx_params(theirs);
        return (void (*)(void))kind->settable_ours;
    case OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS:
        kind->their_gettable = OSSL_FUNC_kdf_gettable_ctx_params(theirs);
        return (void (*)(void))kind->gettable_ours;
    default: return NULL;
    }
}

int pp_replace_derivation(struct kind *kind, OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs) {
    int count = 0, limit = sizeof kind->functions / sizeof *kind->functions - 1;
    kind->their_context = OSSL_PROVIDER_get0_provider_ctx(whole);
    for (; theirs->function_id != 0; theirs++) {
        void (*ours)(void) = ours_for(kind, theirs);
        if (ours == NULL) continue;
        if (count == limit) return 0;
        kind->functions[count++] = (OSSL_DISPATCH){theirs->function_id, ours};
    }
    kind->functions[count] = (OSSL_DISPATCH){0, NULL};
    return count == limit;
}
#endif
