// AES-GCM of whole messages, where the processor has vector instructions for it that OpenSSL 3.0 does not use.
#ifndef PINPROOF_GCM_H
#define PINPROOF_GCM_H

#include <stddef.h>

#if defined(__x86_64__) && defined(__clang__)
#define PP_HAS_GCM
#endif

enum {
    PP_GCM_BLOCK = 16,
    PP_GCM_IV = 12,
    PP_GCM_TAG = 16,
    // Blocks that are hashed at once.
    PP_GCM_POWERS = 8,
};

// A key: H^8 … H^1, each times x, as GHASH multiplies by them, and AES's round keys, 11 of them for 128 bits and 15 for 256.
// `folded` has the sum of each power's halves, for Karatsuba's way: of four powers those of the first, third, second, fourth.
struct pp_gcm_key {
    int rounds;
    unsigned char powers[PP_GCM_POWERS][PP_GCM_BLOCK];
    unsigned char folded[PP_GCM_POWERS / 4][2 * PP_GCM_BLOCK];
    unsigned char round_keys[][PP_GCM_BLOCK];
};

struct pp_gcm_bytes {
    const unsigned char *start;
    size_t count;
};

// Whether this processor has the instructions. Without them nothing of the rest may be called.
int pp_gcm_is_possible(void);

// `count` is 16 or 32.
void pp_gcm_set_key(struct pp_gcm_key *key, const unsigned char *bytes, size_t count);

// `count` bytes from `in` to `out`, which may be the same place; and the tag of `aad`, at most 128 bytes, and of the ciphertext.
void pp_gcm_transform(
    const struct pp_gcm_key *key, int encrypts, const unsigned char *iv, struct pp_gcm_bytes aad, const unsigned char *in,
    unsigned char *out, size_t count, unsigned char *tag);

#endif
