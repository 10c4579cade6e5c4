#include "CShim.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdint.h>

// memory.c.
void pp_keep_record_buffers(void);

// Before anything else can set OpenSSL up: its own cleanup at exit takes locks and tables away from threads that still use
// them, and a process that was done ends by SIGSEGV.
__attribute__((constructor)) static void pp_prepare_openssl(void) {
    pp_keep_record_buffers();
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

// OpenSSL's own, which it has set in every context.
static int (*theirs)(const SSL *, const SSL_CTX *, int, int, int, void *, void *);

static int is_allowed(const SSL *ssl, const SSL_CTX *ctx, int what, int bits, int nid, void *other, void *most) {
    if (what == SSL_SECOP_TMP_DH && other != NULL && EVP_PKEY_get_bits(other) > (int)(intptr_t)most) return 0;
    return theirs(ssl, ctx, what, bits, nid, other, NULL);
}

void pp_SSL_CTX_bound_dh(SSL_CTX *ctx, int bits) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (theirs == NULL) theirs = SSL_CTX_get_security_callback(ctx);
    pthread_mutex_unlock(&lock);
    SSL_CTX_set0_security_ex_data(ctx, (void *)(intptr_t)bits);
    SSL_CTX_set_security_callback(ctx, is_allowed);
}

// A key of a type, and nothing in it.
static void empty(EVP_PKEY *key) {
    EVP_PKEY_set_type(key, EVP_PKEY_X25519);
    EVP_PKEY_free(key);
}

void pp_SSL_forget_ephemeral_keys(SSL *ssl) {
    EVP_PKEY *key = NULL;
    if (SSL_get_tmp_key(ssl, &key)) empty(key);
    if (SSL_get_peer_tmp_key(ssl, &key)) empty(key);
}
