/* OpenSSL's certificate macros, as functions of the same meaning; and what only C can ask of it. */
#ifndef PINPROOF_CERTIFICATE_SHIM_H
#define PINPROOF_CERTIFICATE_SHIM_H

#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Constants made of other macros, which Swift does not see. */
unsigned long pp_XN_FLAG_RFC2253(void);
int pp_EVP_PKEY_KEYPAIR(void);

/* Typed stacks: their functions are macros since OpenSSL 3. */
int pp_sk_GENERAL_NAME_num(const GENERAL_NAMES *names);
GENERAL_NAME *pp_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index);
int pp_sk_GENERAL_SUBTREE_num(const STACK_OF(GENERAL_SUBTREE) *subtrees);
GENERAL_SUBTREE *pp_sk_GENERAL_SUBTREE_value(const STACK_OF(GENERAL_SUBTREE) *subtrees, int index);
STACK_OF(PKCS12_SAFEBAG) *pp_sk_PKCS12_SAFEBAG_new_null(void);
int pp_sk_PKCS12_SAFEBAG_push(STACK_OF(PKCS12_SAFEBAG) *bags, PKCS12_SAFEBAG *bag);
void pp_sk_PKCS12_SAFEBAG_pop_free(STACK_OF(PKCS12_SAFEBAG) *bags);
STACK_OF(PKCS7) *pp_sk_PKCS7_new_null(void);
int pp_sk_PKCS7_push(STACK_OF(PKCS7) *safes, PKCS7 *safe);
void pp_sk_PKCS7_pop_free(STACK_OF(PKCS7) *safes);
void pp_sk_X509_pop_free(STACK_OF(X509) *certificates);
void pp_sk_X509_EXTENSION_pop_free(STACK_OF(X509_EXTENSION) *extensions);

/* An EC key with another one's public part that signs by r = s = 0. NULL where that one is no EC key, or OpenSSL can not. */
EVP_PKEY *pp_EVP_PKEY_signing_zeros(EVP_PKEY *like);

#endif
