// How an origin's public key of P-256 verifies, once it has done so often: by a table of its own (p256.c).
//
// OpenSSL lets a key have functions of its own. Here it has those of OpenSSL's keys but for one, which asks OpenSSL whenever
// there is no table yet, and whenever a signature does not hold: what is wrong with it is for OpenSSL to say.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "CShim.h"
#include "library.h"
#include "p256.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if OPENSSL_VERSION_MAJOR < 4

// A table takes as long as some 15 verifications save; a key that has verified 64 times will do so again. Eight tables (0.7 MB) are
// more than an app has servers that it makes hundreds of connections to.
enum { verifications_before = 64, tables_limit = 8, number_bytes = 32 };

// What a key has beside it, for any number of threads. The one whose count comes to the limit makes the table.
struct use {
    atomic_int count;
    _Atomic(struct pp_p256_table *) made;
    unsigned char point[2 * number_bytes];
};

// Written once, below `once`.
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static EC_KEY_METHOD *method;
static int place = -1;
static int (*their_verify)(const unsigned char *digest, int count, const ECDSA_SIG *signature, EC_KEY *key);

static atomic_int tables;

int pp_key_tables(void) { return atomic_load(&tables); }

static void free_use(void *key, void *found, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    struct use *use = found;
    if (use == NULL) return;
    struct pp_p256_table *made = atomic_load(&use->made);
    if (made != NULL) atomic_fetch_sub(&tables, 1);
    pp_p256_table_free(made);
    free(use);
}

// A copy of a key starts anew, without one.
static int copy_use(CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **found, int index, long number, void *pointer) {
    *found = NULL;
    return 1;
}

// RFC 6979 A.2.5: the key, SHA-256 of "sample", and its signature.
static int is_right(void) {
    static const unsigned char point[2 * number_bytes] = {
        0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb, 0x74, 0xc6, 0x35, 0x6d, 0x68,
        0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61, 0xfa, 0x6c, 0xe6, 0x69, 0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6,
        0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8, 0xbc, 0x99, 0xa4, 0x1a, 0xe9, 0xe9, 0x56, 0x28, 0xbc, 0x64,
        0xf2, 0xf1, 0xb2, 0x0c, 0x2d, 0x7e, 0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99};
    static const unsigned char digest[number_bytes] = {
        0xaf, 0x2b, 0xdb, 0xe1, 0xaa, 0x9b, 0x6e, 0xc1, 0xe2, 0xad, 0xe1, 0xd6, 0x94, 0xf4, 0x1f, 0xc7,
        0x1a, 0x83, 0x1d, 0x02, 0x68, 0xe9, 0x89, 0x15, 0x62, 0x11, 0x3d, 0x8a, 0x62, 0xad, 0xd1, 0xbf};
    static const unsigned char r[number_bytes] = {
        0xef, 0xd4, 0x8b, 0x2a, 0xac, 0xb6, 0xa8, 0xfd, 0x11, 0x40, 0xdd, 0x9c, 0xd4, 0x5e, 0x81, 0xd6,
        0x9d, 0x2c, 0x87, 0x7b, 0x56, 0xaa, 0xf9, 0x91, 0xc3, 0x4d, 0x0e, 0xa8, 0x4e, 0xaf, 0x37, 0x16};
    static const unsigned char s[number_bytes] = {
        0xf7, 0xcb, 0x1c, 0x94, 0x2d, 0x65, 0x7c, 0x41, 0xd4, 0x36, 0xc7, 0xa1, 0xb6, 0xe2, 0x9f, 0x65,
        0xf3, 0xe9, 0x00, 0xdb, 0xb9, 0xaf, 0xf4, 0x06, 0x4d, 0xc4, 0xab, 0x2f, 0x84, 0x3a, 0xcd, 0xa8};
    struct pp_p256_table *table = pp_p256_table(point);
    int is_right = table != NULL && pp_p256_verify(table, digest, r, s) && !pp_p256_verify(table, digest, s, r);
    pp_p256_table_free(table);
    return is_right;
}

// Written once, below `checked`: the first table that is wanted.
static CRYPTO_ONCE checked = CRYPTO_ONCE_STATIC_INIT;
static int is_off;

static void check(void) { is_off = !is_right(); }

// Whether there is room for one more, which is taken then.
static int takes_place(void) {
    int count = atomic_load(&tables);
    while (count < tables_limit) {
        if (atomic_compare_exchange_weak(&tables, &count, count + 1)) return 1;
    }
    return 0;
}

static struct pp_p256_table *made_table(struct use *use) {
    if (!CRYPTO_THREAD_run_once(&checked, check) || is_off) return NULL;
    if (takes_place()) {
        struct pp_p256_table *made = pp_p256_table(use->point);
        if (made != NULL) {
            atomic_store(&use->made, made);
            return made;
        }
        atomic_fetch_sub(&tables, 1);
    }
    // Another key's may go meanwhile.
    atomic_store(&use->count, 0);
    return NULL;
}

// NULL: there is none, or not yet.
static const struct pp_p256_table *table_of(struct use *use) {
    const struct pp_p256_table *made = atomic_load(&use->made);
    if (made != NULL) return made;
    // Counts no further than it has to: a key may be used for months.
    int count = atomic_load(&use->count);
    if (count >= verifications_before || atomic_fetch_add(&use->count, 1) + 1 != verifications_before) return NULL;
    return made_table(use);
}

static int is_signature(struct use *use, const unsigned char *digest, int count, const ECDSA_SIG *signature) {
    const struct pp_p256_table *table = table_of(use);
    const BIGNUM *r = NULL, *s = NULL;
    unsigned char r_bytes[number_bytes], s_bytes[number_bytes];
    if (table == NULL || count < number_bytes) return 0;
    ECDSA_SIG_get0(signature, &r, &s);
    if (r == NULL || s == NULL || BN_is_negative(r) || BN_is_negative(s)) return 0;
    if (BN_bn2binpad(r, r_bytes, number_bytes) < 0 || BN_bn2binpad(s, s_bytes, number_bytes) < 0) return 0;
    return pp_p256_verify(table, digest, r_bytes, s_bytes);
}

static int verify(const unsigned char *digest, int count, const ECDSA_SIG *signature, EC_KEY *key) {
    struct use *use = EC_KEY_get_ex_data(key, place);
    if (use != NULL && is_signature(use, digest, count, signature)) return 1;
    return their_verify(digest, count, signature, key);
}

static void prepare(void) {
    int (*whole)(int, const unsigned char *, int, const unsigned char *, int, EC_KEY *) = NULL;
    EC_KEY_METHOD *made = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    if (made == NULL) return;
    EC_KEY_METHOD_get_verify(made, &whole, &their_verify);
    place = EC_KEY_get_ex_new_index(0, NULL, NULL, copy_use, free_use);
    if (whole == NULL || their_verify == NULL || place < 0) {
        EC_KEY_METHOD_free(made);
        return;
    }
    EC_KEY_METHOD_set_verify(made, whole, verify);
    method = made;
}

void pp_verify_often(EC_KEY *key, const unsigned char *point) {
    if (!CRYPTO_THREAD_run_once(&once, prepare) || method == NULL) return;
    struct use *use = calloc(1, sizeof *use);
    if (use == NULL) return;
    memcpy(use->point, point, sizeof use->point);
    if (!EC_KEY_set_ex_data(key, place, use)) {
        free(use);
        return;
    }
    EC_KEY_set_method(key, method);
}
#else
int pp_key_tables(void) { return 0; }
void pp_verify_often(EC_KEY *key, const unsigned char *point) {}
#endif
