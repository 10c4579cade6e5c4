// Keys with a method of their own are out of fashion, and there is no other way to sign by numbers of one's choice.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "CertificateShim.h"

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <string.h>

unsigned long pp_XN_FLAG_RFC2253(void) {
    return XN_FLAG_RFC2253;
}

int pp_EVP_PKEY_KEYPAIR(void) {
    return EVP_PKEY_KEYPAIR;
}

int pp_sk_GENERAL_NAME_num(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}

GENERAL_NAME *pp_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

int pp_sk_GENERAL_SUBTREE_num(const STACK_OF(GENERAL_SUBTREE) *subtrees) {
    return sk_GENERAL_SUBTREE_num(subtrees);
}

GENERAL_SUBTREE *pp_sk_GENERAL_SUBTREE_value(const STACK_OF(GENERAL_SUBTREE) *subtrees, int index) {
    return sk_GENERAL_SUBTREE_value(subtrees, index);
}

STACK_OF(PKCS12_SAFEBAG) *pp_sk_PKCS12_SAFEBAG_new_null(void) {
    return sk_PKCS12_SAFEBAG_new_null();
}

int pp_sk_PKCS12_SAFEBAG_push(STACK_OF(PKCS12_SAFEBAG) *bags, PKCS12_SAFEBAG *bag) {
    return sk_PKCS12_SAFEBAG_push(bags, bag);
}

void pp_sk_PKCS12_SAFEBAG_pop_free(STACK_OF(PKCS12_SAFEBAG) *bags) {
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}

STACK_OF(PKCS7) *pp_sk_PKCS7_new_null(void) {
    return sk_PKCS7_new_null();
}

int pp_sk_PKCS7_push(STACK_OF(PKCS7) *safes, PKCS7 *safe) {
    return sk_PKCS7_push(safes, safe);
}

void pp_sk_PKCS7_pop_free(STACK_OF(PKCS7) *safes) {
    sk_PKCS7_pop_free(safes, PKCS7_free);
}

void pp_sk_X509_pop_free(STACK_OF(X509) *certificates) {
    sk_X509_pop_free(certificates, X509_free);
}

void pp_sk_X509_EXTENSION_pop_free(STACK_OF(X509_EXTENSION) *extensions) {
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
}

#if OPENSSL_VERSION_MAJOR < 4
static int sign_with_zeros(
    int type, const unsigned char *digest, int count, unsigned char *signature, unsigned int *length, const BIGNUM *kinv,
    const BIGNUM *r, EC_KEY *key) {
    // SEQUENCE { INTEGER 0, INTEGER 0 }; every curve's ECDSA_size has room for it.
    static const unsigned char zeros[] = {0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00};
    memcpy(signature, zeros, sizeof zeros);
    *length = sizeof zeros;
    return 1;
}

static CRYPTO_ONCE zeros_once = CRYPTO_ONCE_STATIC_INIT;
// Never freed: keys point at it as long as they live.
static EC_KEY_METHOD *zeros_method;

static void make_zeros_method(void) {
    zeros_method = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    if (zeros_method) EC_KEY_METHOD_set_sign(zeros_method, sign_with_zeros, NULL, NULL);
}

EVP_PKEY *pp_EVP_PKEY_signing_zeros(EVP_PKEY *like) {
    if (!CRYPTO_THREAD_run_once(&zeros_once, make_zeros_method) || !zeros_method) return NULL;
    EC_KEY *key = EC_KEY_dup(EVP_PKEY_get0_EC_KEY(like));
    EVP_PKEY *made = EVP_PKEY_new();
    int isMade = key && made && EC_KEY_set_method(key, zeros_method) && EVP_PKEY_set1_EC_KEY(made, key);
    EC_KEY_free(key);
    if (isMade) return made;
    EVP_PKEY_free(made);
    return NULL;
}
#else
EVP_PKEY *pp_EVP_PKEY_signing_zeros(EVP_PKEY *like) {
    return NULL;
}
#endif
