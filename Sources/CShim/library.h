// What the files of the handshakes' library context know of each other.
#ifndef PINPROOF_LIBRARY_H
#define PINPROOF_LIBRARY_H

#include <openssl/core.h>
#include <openssl/ec.h>
#include <openssl/provider.h>

// The key schedule of TLS 1.3 in place of the default provider's, `theirs`; NULL: theirs is not as expected, or this one does
// not yield what it does, and it is to stay.
const OSSL_DISPATCH *pp_key_schedule(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs);

// The pseudorandom function of TLS 1.2 in place of the default provider's, `theirs`; NULL: as above.
const OSSL_DISPATCH *pp_pseudorandom_function(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs);

// The decoder of EC keys in place of the default provider's, `theirs`; NULL: theirs is not as expected.
const OSSL_DISPATCH *pp_key_decoder(const OSSL_DISPATCH *from_core, const OSSL_DISPATCH *theirs);

// AES-GCM with keys of 16 or 32 bytes in place of the default provider's, `theirs`; NULL: this processor does it as well in
// theirs, or theirs is not as expected.
const OSSL_DISPATCH *pp_gcm_cipher(OSSL_PROVIDER *whole, const OSSL_DISPATCH *theirs, size_t key_bytes);

// Lets a key of P-256, which nobody else has yet, verify by a table of its own once it has verified often. Its point has x and
// y of 32 bytes each, big-endian.
void pp_verify_often(EC_KEY *key, const unsigned char *point);

// Lets that decoder hand on everything, where a library context that has it does not read what it is given.
void pp_check_key_decoder(OSSL_LIB_CTX *library);

#endif
