#include "CertificateShim.h"

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
