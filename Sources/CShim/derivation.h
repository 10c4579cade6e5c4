// What the derivations of secrets that stand for the default provider's have in common: hashing, and how a provider does them.
#ifndef PINPROOF_DERIVATION_H
#define PINPROOF_DERIVATION_H

#include "library.h"

#include <openssl/core_dispatch.h>
#include <openssl/sha.h>
#include <stddef.h>

#if OPENSSL_VERSION_MAJOR < 4

// Of SHA-384, in bytes.
enum { longest_digest = 48, longest_block = 128 };

struct bytes {
    const unsigned char *start;
    size_t count;
};

struct digest {
    size_t size, block;
    int is_long;
};
extern const struct digest pp_sha256, pp_sha384;

union hash {
    SHA256_CTX narrow;
    SHA512_CTX wide;
};

int pp_hash_begin(union hash *hash, const struct digest *digest);
int pp_hash_more(union hash *hash, const struct digest *digest, struct bytes more);
int pp_hash_end(union hash *hash, const struct digest *digest, unsigned char *out);

// HMAC (RFC 2104) under one key: what both of its hashes are once they have had it.
struct hmac_key {
    const struct digest *digest;
    union hash inner, outer;
};

// 0: the key is longer than a block of its digest.
int pp_hmac_begin(struct hmac_key *key, const struct digest *digest, struct bytes secret);
// Of a message in two pieces. `out` may be one of them.
int pp_hmac(const struct hmac_key *key, struct bytes message, struct bytes last, unsigned char *out);

// A parameter of text, once. 0: it is no text, is there twice, or is empty: theirs decides whether that is there.
int pp_take_bytes(struct bytes *bytes, const OSSL_PARAM *param);
// SHA-256 or SHA-384 by a name of OpenSSL's. 0: another one.
int pp_take_digest(const struct digest **digest, const OSSL_PARAM *param);

// A kind of derivation that is done here, and the default provider's, for what is asked of it in another way than libssl
// does. Written once, before the library context is made.
struct kind {
    // 0: it cannot be done here.
    int (*derive_here)(const OSSL_PARAM params[], unsigned char *out, size_t count);
    // OpenSSL names no kind where it asks for these.
    OSSL_FUNC_kdf_newctx_fn *new_ours;
    OSSL_FUNC_kdf_settable_ctx_params_fn *settable_ours;
    OSSL_FUNC_kdf_gettable_ctx_params_fn *gettable_ours;
    void *their_context;
    OSSL_FUNC_kdf_newctx_fn *their_new;
    OSSL_FUNC_kdf_freectx_fn *their_free;
    OSSL_FUNC_kdf_reset_fn *their_reset;
    OSSL_FUNC_kdf_derive_fn *their_derive;
    OSSL_FUNC_kdf_set_ctx_params_fn *their_set;
    OSSL_FUNC_kdf_get_ctx_params_fn *their_get;
    OSSL_FUNC_kdf_settable_ctx_params_fn *their_settable;
    OSSL_FUNC_kdf_gettable_ctx_params_fn *their_gettable;
    // As many as are known, and the end.
    OSSL_DISPATCH functions[9];
};

// A derivation of a kind, for its `new_ours`; NULL: no memory.
void *pp_new_derivation(const struct kind *kind);
// Takes the place of `theirs`, of the provider `whole`; 0: theirs is not as expected.
int pp_replace_derivation(struct kind *kind, OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs);
// Whether theirs yields `out` as well.
int pp_derives_same(const struct kind *kind, const OSSL_PARAM params[], const unsigned char *out, size_t count);

#endif
#endif
