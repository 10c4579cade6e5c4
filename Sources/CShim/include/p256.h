// Signatures of ECDSA over P-256, for public keys that verify many of them (p256.c).
#ifndef PINPROOF_P256_H
#define PINPROOF_P256_H

#include <stdint.h>

// A public key's multiples: 88 KB.
struct pp_p256_table;

// The table of a point of the curve, x and y of 32 bytes each, big-endian; NULL: there is no memory, or this processor has no
// numbers of 128 bits. The point has to be one of the curve.
struct pp_p256_table *pp_p256_table(const unsigned char *point);

void pp_p256_table_free(struct pp_p256_table *table);

// 1: r and s, of 32 bytes each, are the key's signature of a digest's first 32 bytes (FIPS 186-5 §6.4.2).
int pp_p256_verify(
    const struct pp_p256_table *table, const unsigned char *digest, const unsigned char *r, const unsigned char *s);

#endif
