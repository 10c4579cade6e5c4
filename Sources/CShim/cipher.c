// AES-GCM as a provider's "AES-128-GCM" and "AES-256-GCM", for records of TLS 1.2 and 1.3.
//
// OpenSSL's own takes a message in any number of pieces, and looks for each of seven parameters by name whenever one is asked
// for, four times a record: with 1 KB in it, that takes as long as its AES. This one takes a whole record at once, with the
// nonce and the tag of TLS, which is all that libssl asks for. It refuses everything else.
#include "gcm.h"
#include "library.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(PP_HAS_GCM) && OPENSSL_VERSION_MAJOR < 4

// RFC 5288 §3: four bytes of a nonce are the connection's, eight are sent with each record. RFC 5246 §6.2.3.3: what is
// authenticated beside a record is its number, type, version and length. In RFC 8446 §5.2 that is the record's head.
enum { fixed_bytes = 4, explicit_bytes = 8, overhead = explicit_bytes + PP_GCM_TAG, tls_aad_bytes = 13, aad_limit = 16 };

// A key, and the record that it is used for.
struct cipher {
    size_t key_bytes;
    // The tag that a record came with, and the one that it should have.
    unsigned char iv[PP_GCM_IV], given[PP_GCM_TAG], tag[PP_GCM_TAG], aad[aad_limit];
    unsigned char aad_count, encrypts, has_key, has_iv, has_given, has_fixed, is_tls, is_done;
    struct pp_gcm_key key;
};

static size_t size_of(size_t key_bytes) {
    return sizeof(struct cipher) + (key_bytes == 16 ? 11 : 15) * PP_GCM_BLOCK;
}

static void *new_cipher(size_t key_bytes) {
    struct cipher *cipher = calloc(1, size_of(key_bytes));
    if (cipher != NULL) cipher->key_bytes = key_bytes;
    return cipher;
}

static void *new_128(void *context) { return new_cipher(16); }
static void *new_256(void *context) { return new_cipher(32); }

static void free_cipher(void *context) {
    struct cipher *cipher = context;
    if (cipher == NULL) return;
    OPENSSL_cleanse(cipher, size_of(cipher->key_bytes));
    free(cipher);
}

// MARK: Parameters

static int is_named(const OSSL_PARAM *param, const char *name) { return strcmp(param->key, name) == 0; }

// The head of a record of TLS 1.2, with the length that libssl knows: of the whole fragment.
static int take_tls_aad(struct cipher *cipher, const OSSL_PARAM *param) {
    if (param->data_type != OSSL_PARAM_OCTET_STRING || param->data_size != tls_aad_bytes || param->data == NULL) return 0;
    memcpy(cipher->aad, param->data, tls_aad_bytes);
    size_t length = (size_t)cipher->aad[tls_aad_bytes - 2] << 8 | cipher->aad[tls_aad_bytes - 1];
    size_t more = explicit_bytes + (cipher->encrypts ? 0 : PP_GCM_TAG);
    if (length < more) return 0;
    length -= more;
    cipher->aad[tls_aad_bytes - 2] = (unsigned char)(length >> 8);
    cipher->aad[tls_aad_bytes - 1] = (unsigned char)length;
    cipher->aad_count = tls_aad_bytes;
    cipher->is_tls = 1;
    return 1;
}

// Whoever encrypts counts from a number of chance upwards, which is as good as any other (RFC 5288 §3).
static int take_fixed(struct cipher *cipher, const OSSL_PARAM *param) {
    if (param->data_type != OSSL_PARAM_OCTET_STRING || param->data_size != fixed_bytes || param->data == NULL) return 0;
    memcpy(cipher->iv, param->data, fixed_bytes);
    if (cipher->encrypts && RAND_bytes(cipher->iv + fixed_bytes, explicit_bytes) <= 0) return 0;
    cipher->has_fixed = 1;
    return 1;
}

static int take_tag(struct cipher *cipher, const OSSL_PARAM *param) {
    if (param->data_type != OSSL_PARAM_OCTET_STRING || param->data_size != PP_GCM_TAG || cipher->encrypts) return 0;
    if (param->data == NULL) return 1;
    memcpy(cipher->given, param->data, PP_GCM_TAG);
    cipher->has_given = 1;
    return 1;
}

static int is_size(const OSSL_PARAM *param, size_t expected) {
    size_t size;
    return OSSL_PARAM_get_size_t(param, &size) && size == expected;
}

static int set(void *context, const OSSL_PARAM params[]) {
    struct cipher *cipher = context;
    for (const OSSL_PARAM *param = params; param != NULL && param->key != NULL; param++) {
        int is_right = 1;
        if (is_named(param, OSSL_CIPHER_PARAM_AEAD_TAG)) is_right = take_tag(cipher, param);
        else if (is_named(param, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)) is_right = take_tls_aad(cipher, param);
        else if (is_named(param, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)) is_right = take_fixed(cipher, param);
        else if (is_named(param, OSSL_CIPHER_PARAM_AEAD_IVLEN)) is_right = is_size(param, PP_GCM_IV);
        else if (is_named(param, OSSL_CIPHER_PARAM_KEYLEN)) is_right = is_size(param, cipher->key_bytes);
        else if (is_named(param, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV)) is_right = 0;
        if (!is_right) return 0;
    }
    return 1;
}

static int get(void *context, OSSL_PARAM params[]) {
    const struct cipher *cipher = context;
    for (OSSL_PARAM *param = params; param != NULL && param->key != NULL; param++) {
        int is_right = 1;
        if (is_named(param, OSSL_CIPHER_PARAM_IVLEN)) {
            is_right = OSSL_PARAM_set_size_t(param, PP_GCM_IV);
        } else if (is_named(param, OSSL_CIPHER_PARAM_AEAD_TAG)) {
            is_right = cipher->encrypts && cipher->is_done && param->data_size == PP_GCM_TAG
                && OSSL_PARAM_set_octet_string(param, cipher->tag, PP_GCM_TAG);
        } else if (is_named(param, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD) || is_named(param, OSSL_CIPHER_PARAM_AEAD_TAGLEN)) {
            is_right = OSSL_PARAM_set_size_t(param, PP_GCM_TAG);
        } else if (is_named(param, OSSL_CIPHER_PARAM_KEYLEN)) {
            is_right = OSSL_PARAM_set_size_t(param, cipher->key_bytes);
        } else if (is_named(param, OSSL_CIPHER_PARAM_IV) || is_named(param, OSSL_CIPHER_PARAM_UPDATED_IV)
                   || is_named(param, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) {
            is_right = 0;
        }
        if (!is_right) return 0;
    }
    return 1;
}

// MARK: Records

static int begin(
    struct cipher *cipher, int encrypts, const unsigned char *key, size_t key_count, const unsigned char *iv, size_t iv_count,
    const OSSL_PARAM params[]) {
    // A connection's part of a nonce is for one direction, and for records of TLS 1.2 alone.
    if (iv != NULL || cipher->encrypts != encrypts) cipher->has_fixed = 0;
    cipher->encrypts = (unsigned char)encrypts;
    if (iv != NULL) {
        if (iv_count != PP_GCM_IV) return 0;
        memcpy(cipher->iv, iv, PP_GCM_IV);
        cipher->has_iv = 1;
        cipher->aad_count = cipher->has_given = cipher->is_tls = cipher->is_done = 0;
    }
    if (key != NULL) {
        if (key_count != cipher->key_bytes) return 0;
        pp_gcm_set_key(&cipher->key, key, key_count);
        cipher->has_key = 1;
    }
    return set(cipher, params);
}

static int encrypt_begin(
    void *cipher, const unsigned char *key, size_t key_count, const unsigned char *iv, size_t iv_count,
    const OSSL_PARAM params[]) {
    return begin(cipher, 1, key, key_count, iv, iv_count, params);
}

static int decrypt_begin(
    void *cipher, const unsigned char *key, size_t key_count, const unsigned char *iv, size_t iv_count,
    const OSSL_PARAM params[]) {
    return begin(cipher, 0, key, key_count, iv, iv_count, params);
}

static struct pp_gcm_bytes aad_of(const struct cipher *cipher) {
    return (struct pp_gcm_bytes){cipher->aad, cipher->aad_count};
}

// A record of TLS 1.2, in its place: eight bytes of its nonce, the content, the tag.
static int tls_record(struct cipher *cipher, unsigned char *out, size_t *out_count, const unsigned char *in, size_t count) {
    cipher->is_tls = cipher->has_iv = 0;
    if (out != in || count < overhead || !cipher->has_fixed || !cipher->has_key) return 0;
    unsigned char *nonce = cipher->iv + fixed_bytes, *content = out + explicit_bytes;
    count -= overhead;
    if (cipher->encrypts) memcpy(out, nonce, explicit_bytes);
    else memcpy(nonce, out, explicit_bytes);
    pp_gcm_transform(&cipher->key, cipher->encrypts, cipher->iv, aad_of(cipher), content, content, count, cipher->tag);
    cipher->aad_count = 0;
    if (cipher->encrypts) {
        for (int at = explicit_bytes - 1; at >= 0 && ++nonce[at] == 0; at--) {}
        memcpy(content + count, cipher->tag, PP_GCM_TAG);
        *out_count = count + overhead;
        return 1;
    }
    *out_count = count;
    if (CRYPTO_memcmp(cipher->tag, content + count, PP_GCM_TAG) == 0) return 1;
    OPENSSL_cleanse(content, count);
    return 0;
}

static int update(
    void *context, unsigned char *out, size_t *out_count, size_t room, const unsigned char *in, size_t count) {
    struct cipher *cipher = context;
    *out_count = 0;
    if (count == 0) return 1;
    if (room < count) return 0;
    if (out != NULL && cipher->is_tls) return tls_record(cipher, out, out_count, in, count);
    if (!cipher->has_key || !cipher->has_iv || cipher->is_done) return 0;
    if (out == NULL) {
        if (cipher->aad_count + count > aad_limit) return 0;
        memcpy(cipher->aad + cipher->aad_count, in, count);
        cipher->aad_count += (unsigned char)count;
    } else {
        pp_gcm_transform(&cipher->key, cipher->encrypts, cipher->iv, aad_of(cipher), in, out, count, cipher->tag);
        cipher->is_done = 1;
    }
    *out_count = count;
    return 1;
}

static int finish(void *context, unsigned char *out, size_t *out_count, size_t room) {
    struct cipher *cipher = context;
    *out_count = 0;
    if (!cipher->has_key || !cipher->has_iv || (!cipher->encrypts && !cipher->has_given)) return 0;
    if (!cipher->is_done) {
        pp_gcm_transform(&cipher->key, cipher->encrypts, cipher->iv, aad_of(cipher), NULL, NULL, 0, cipher->tag);
        cipher->is_done = 1;
    }
    // No nonce twice.
    cipher->has_iv = 0;
    return cipher->encrypts || CRYPTO_memcmp(cipher->tag, cipher->given, PP_GCM_TAG) == 0;
}

static int whole(void *context, unsigned char *out, size_t *out_count, size_t room, const unsigned char *in, size_t count) {
    return in != NULL ? update(context, out, out_count, room, in, count) : finish(context, out, out_count, room);
}

// MARK: Whether it is right

static const unsigned char sample_head[5] = {23, 3, 3, 1, 44};

static void take_sample(unsigned char key[32], unsigned char iv[PP_GCM_IV], unsigned char *content, size_t count) {
    for (size_t at = 0; at < 32; at++) key[at] = (unsigned char)(31 * at + 7);
    for (size_t at = 0; at < PP_GCM_IV; at++) iv[at] = (unsigned char)(17 * at + 3);
    for (size_t at = 0; at < count; at++) content[at] = (unsigned char)(13 * at + 1);
}

// A record of TLS 1.3 with these functions; 0: they did not do as they were told.
static int sealed(const OSSL_DISPATCH *functions, void *context, size_t key_bytes, unsigned char *out, size_t count) {
    OSSL_FUNC_cipher_newctx_fn *make = NULL;
    OSSL_FUNC_cipher_freectx_fn *give_back = NULL;
    OSSL_FUNC_cipher_encrypt_init_fn *start = NULL;
    OSSL_FUNC_cipher_update_fn *more = NULL;
    OSSL_FUNC_cipher_final_fn *end = NULL;
    OSSL_FUNC_cipher_get_ctx_params_fn *ask = NULL;
    for (; functions->function_id != 0; functions++) {
        switch (functions->function_id) {
        case OSSL_FUNC_CIPHER_NEWCTX: make = OSSL_FUNC_cipher_newctx(functions); break;
        case OSSL_FUNC_CIPHER_FREECTX: give_back = OSSL_FUNC_cipher_freectx(functions); break;
        case OSSL_FUNC_CIPHER_ENCRYPT_INIT: start = OSSL_FUNC_cipher_encrypt_init(functions); break;
        case OSSL_FUNC_CIPHER_UPDATE: more = OSSL_FUNC_cipher_update(functions); break;
        case OSSL_FUNC_CIPHER_FINAL: end = OSSL_FUNC_cipher_final(functions); break;
        case OSSL_FUNC_CIPHER_GET_CTX_PARAMS: ask = OSSL_FUNC_cipher_get_ctx_params(functions); break;
        default: break;
        }
    }
    if (!make || !give_back || !start || !more || !end || !ask) return 0;
    unsigned char key[32], iv[PP_GCM_IV];
    take_sample(key, iv, out, count);
    OSSL_PARAM tag[2] = {OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, out + count, PP_GCM_TAG),
                         OSSL_PARAM_construct_end()};
    size_t done = 0;
    void *cipher = make(context);
    int is_done = cipher != NULL && start(cipher, key, key_bytes, iv, sizeof iv, NULL)
        && more(cipher, NULL, &done, sizeof sample_head, sample_head, sizeof sample_head) && more(cipher, out, &done, count, out, count)
        && done == count && end(cipher, out + count, &done, PP_GCM_TAG) && done == 0 && ask(cipher, tag);
    if (cipher != NULL) give_back(cipher);
    return is_done;
}

// Whether such a record yields what was sealed, and none of which a bit is another.
static int is_opened(size_t key_bytes, const unsigned char *record, size_t count) {
    enum { limit = 512 };
    unsigned char key[32], iv[PP_GCM_IV], content[limit], out[limit];
    size_t done = 0;
    int results[2] = {0, 0};
    struct cipher *cipher = count <= limit ? new_cipher(key_bytes) : NULL;
    if (cipher == NULL) return 0;
    take_sample(key, iv, content, count);
    for (int change = 0; change < 2; change++) {
        memcpy(out, record, count);
        out[count / 2] ^= (unsigned char)change;
        int is_ready = begin(cipher, 0, key, key_bytes, iv, sizeof iv, NULL);
        memcpy(cipher->given, record + count, PP_GCM_TAG);
        cipher->has_given = 1;
        results[change] = is_ready && update(cipher, NULL, &done, sizeof sample_head, sample_head, sizeof sample_head)
            && update(cipher, out, &done, count, out, count) && finish(cipher, out, &done, 0);
        if (change == 0 && memcmp(out, content, count) != 0) results[0] = 0;
    }
    free_cipher(cipher);
    return results[0] && !results[1];
}

static int is_right(const OSSL_DISPATCH *ours, const OSSL_DISPATCH *theirs, void *context, size_t key_bytes) {
    enum { count = 317 };
    unsigned char found[count + PP_GCM_TAG], expected[count + PP_GCM_TAG];
    return sealed(ours, context, key_bytes, found, count) && sealed(theirs, context, key_bytes, expected, count)
        && memcmp(found, expected, sizeof found) == 0 && is_opened(key_bytes, expected, count);
}

// MARK: The provider's functions

// What a key size says of itself is theirs; copies, which nobody makes of a connection's keys, are left out.
static int replace(OSSL_DISPATCH *ours, size_t room, const OSSL_DISPATCH *theirs, void *(*make)(void *)) {
    size_t count = 0;
    for (; theirs->function_id != 0; theirs++) {
        void (*function)(void) = NULL;
        switch (theirs->function_id) {
        case OSSL_FUNC_CIPHER_NEWCTX: function = (void (*)(void))make; break;
        case OSSL_FUNC_CIPHER_FREECTX: function = (void (*)(void))free_cipher; break;
        case OSSL_FUNC_CIPHER_ENCRYPT_INIT: function = (void (*)(void))encrypt_begin; break;
        case OSSL_FUNC_CIPHER_DECRYPT_INIT: function = (void (*)(void))decrypt_begin; break;
        case OSSL_FUNC_CIPHER_UPDATE: function = (void (*)(void))update; break;
        case OSSL_FUNC_CIPHER_FINAL: function = (void (*)(void))finish; break;
        case OSSL_FUNC_CIPHER_CIPHER: function = (void (*)(void))whole; break;
        case OSSL_FUNC_CIPHER_GET_CTX_PARAMS: function = (void (*)(void))get; break;
        case OSSL_FUNC_CIPHER_SET_CTX_PARAMS: function = (void (*)(void))set; break;
        case OSSL_FUNC_CIPHER_GET_PARAMS:
        case OSSL_FUNC_CIPHER_GETTABLE_PARAMS:
        case OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS:
        case OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS: function = theirs->function; break;
        default: break;
        }
        if (function == NULL) continue;
        if (count + 1 == room) return 0;
        ours[count++] = (OSSL_DISPATCH){theirs->function_id, function};
    }
    ours[count] = (OSSL_DISPATCH){0, NULL};
    return 1;
}

// Written once, before the library context is made: as many as are known above, and the end.
enum { functions_limit = 13 };
static OSSL_DISPATCH functions_128[functions_limit + 1], functions_256[functions_limit + 1];

const OSSL_DISPATCH *pp_gcm_cipher(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs, size_t key_bytes) {
    OSSL_DISPATCH *ours = key_bytes == 16 ? functions_128 : functions_256;
    if (!pp_gcm_is_possible() || !replace(ours, functions_limit + 1, theirs, key_bytes == 16 ? new_128 : new_256)) return NULL;
    return is_right(ours, theirs, OSSL_PROVIDER_get0_provider_ctx(whole), key_bytes) ? ours : NULL;
}
#else
const OSSL_DISPATCH *pp_gcm_cipher(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs, size_t key_bytes) { return NULL; }
#endif
