// AES-GCM (NIST SP 800-38D) by the vector instructions that take two blocks at once.
//
// OpenSSL 3.0 takes one block at a time, which is half as fast. Since 3.1 it has such code, for processors with AVX-512 alone:
// AMD's Zen 3 and Intel's hybrid processors have VAES and VPCLMULQDQ without it. No table and no branch here depends on a secret:
// AES and the multiplication are the processor's own.
#include "gcm.h"

#include <openssl/crypto.h>
#include <stdint.h>
#include <string.h>

#ifdef PP_HAS_GCM
#include <cpuid.h>
#include <immintrin.h>

#define VECTORS __attribute__((target("aes,vaes,pclmul,vpclmulqdq,avx2")))
#define INLINE VECTORS __attribute__((always_inline)) static inline

enum { block_bytes = PP_GCM_BLOCK, group_blocks = PP_GCM_POWERS, group_bytes = group_blocks * block_bytes };

// MARK: GHASH

INLINE __m128i load(const void *from) { return _mm_loadu_si128(from); }
INLINE __m256i load2(const void *from) { return _mm256_loadu_si256(from); }

// SP 800-38D numbers a block's bits from its first byte's highest: reversed bytes make a number of it.
INLINE __m128i reversal(void) { return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
INLINE __m128i reversed(__m128i block) { return _mm_shuffle_epi8(block, reversal()); }
INLINE __m256i reversed2(__m256i blocks) { return _mm256_shuffle_epi8(blocks, _mm256_broadcastsi128_si256(reversal())); }

// A sum of products of 128 by 128 bits, not yet reduced: low, crossed and high parts.
struct sum {
    __m128i low, middle, high;
};
struct sum2 {
    __m256i low, middle, high;
};

INLINE struct sum multiplied(__m128i a, __m128i b) {
    return (struct sum){
        _mm_clmulepi64_si128(a, b, 0x00),
        _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01), _mm_clmulepi64_si128(a, b, 0x10)),
        _mm_clmulepi64_si128(a, b, 0x11),
    };
}

INLINE void add(struct sum *sum, struct sum other) {
    sum->low = _mm_xor_si128(sum->low, other.low);
    sum->middle = _mm_xor_si128(sum->middle, other.middle);
    sum->high = _mm_xor_si128(sum->high, other.high);
}

INLINE __m128i halves(__m256i both) { return _mm_xor_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1)); }

// The sum modulo x^128 + x^7 + x^2 + x + 1, reflected: x^64 + x^63 + x^62 + x^57 takes away 64 bits, twice.
INLINE __m128i reduced(struct sum sum) {
    const __m128i polynomial = _mm_set_epi64x((long long)0xc200000000000000, 1);
    __m128i once = _mm_xor_si128(_mm_xor_si128(sum.middle, _mm_shuffle_epi32(sum.low, 0x4e)),
                                 _mm_clmulepi64_si128(sum.low, polynomial, 0x10));
    return _mm_xor_si128(_mm_xor_si128(sum.high, _mm_shuffle_epi32(once, 0x4e)),
                         _mm_clmulepi64_si128(once, polynomial, 0x10));
}

INLINE __m128i product(__m128i a, __m128i b) { return reduced(multiplied(a, b)); }

// A power of H times x: the reflected multiplication comes out one bit short.
INLINE __m128i times_x(__m128i value) {
    // The highest bit, as a mask of all bits.
    __m128i carry = _mm_shuffle_epi32(_mm_srai_epi32(value, 31), 0xff);
    __m128i shifted = _mm_or_si128(_mm_slli_epi64(value, 1), _mm_slli_si128(_mm_srli_epi64(value, 63), 8));
    return _mm_xor_si128(shifted, _mm_and_si128(carry, _mm_set_epi64x((long long)0xc200000000000000, 1)));
}

// MARK: AES

INLINE __m128i encrypted(const struct pp_gcm_key *key, __m128i block) {
    block = _mm_xor_si128(block, load(key->round_keys[0]));
    for (int round = 1; round < key->rounds; round++) block = _mm_aesenc_si128(block, load(key->round_keys[round]));
    return _mm_aesenclast_si128(block, load(key->round_keys[key->rounds]));
}

INLINE __m128i expanded(__m128i last, __m128i word) {
    last = _mm_xor_si128(last, _mm_slli_si128(last, 4));
    last = _mm_xor_si128(last, _mm_slli_si128(last, 8));
    return _mm_xor_si128(last, word);
}

// FIPS 197 §5.2. The round constant has to be one at compile time.
#define NEXT(at, before, last, constant, word) \
    _mm_storeu_si128( \
        (__m128i *)key->round_keys[at], \
        expanded(load(key->round_keys[before]), \
                 _mm_shuffle_epi32(_mm_aeskeygenassist_si128(load(key->round_keys[last]), constant), word)))

VECTORS void pp_gcm_set_key(struct pp_gcm_key *key, const unsigned char *bytes, size_t count) {
    memcpy(key->round_keys, bytes, count);
    if (count == 16) {
        key->rounds = 10;
        NEXT(1, 0, 0, 0x01, 0xff); NEXT(2, 1, 1, 0x02, 0xff); NEXT(3, 2, 2, 0x04, 0xff); NEXT(4, 3, 3, 0x08, 0xff);
        NEXT(5, 4, 4, 0x10, 0xff); NEXT(6, 5, 5, 0x20, 0xff); NEXT(7, 6, 6, 0x40, 0xff); NEXT(8, 7, 7, 0x80, 0xff);
        NEXT(9, 8, 8, 0x1b, 0xff); NEXT(10, 9, 9, 0x36, 0xff);
    } else {
        key->rounds = 14;
        NEXT(2, 0, 1, 0x01, 0xff); NEXT(3, 1, 2, 0x00, 0xaa); NEXT(4, 2, 3, 0x02, 0xff); NEXT(5, 3, 4, 0x00, 0xaa);
        NEXT(6, 4, 5, 0x04, 0xff); NEXT(7, 5, 6, 0x00, 0xaa); NEXT(8, 6, 7, 0x08, 0xff); NEXT(9, 7, 8, 0x00, 0xaa);
        NEXT(10, 8, 9, 0x10, 0xff); NEXT(11, 9, 10, 0x00, 0xaa); NEXT(12, 10, 11, 0x20, 0xff); NEXT(13, 11, 12, 0x00, 0xaa);
        NEXT(14, 12, 13, 0x40, 0xff);
    }
    __m128i first = times_x(reversed(encrypted(key, _mm_setzero_si128()))), power = first;
    for (int at = group_blocks - 1; at >= 0; at--) {
        _mm_storeu_si128((__m128i *)key->powers[at], power);
        __m128i folded = _mm_xor_si128(power, _mm_shuffle_epi32(power, 0x4e));
        _mm_storel_epi64((__m128i *)(key->folded[at / 4] + 8 * (2 * (at % 2) + at % 4 / 2)), folded);
        power = product(power, first);
    }
}

// MARK: A message

// Up to eight blocks, the last one filled up with zeros, into `hash`.
INLINE __m128i hash_few(const struct pp_gcm_key *key, __m128i hash, const unsigned char *start, size_t count) {
    size_t blocks = (count + block_bytes - 1) / block_bytes;
    struct sum sum = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (size_t at = 0; at < blocks; at++) {
        unsigned char last[block_bytes] = {0};
        const unsigned char *from = start + at * block_bytes;
        if (count - at * block_bytes < block_bytes) from = memcpy(last, from, count - at * block_bytes);
        __m128i block = reversed(load(from));
        if (at == 0) block = _mm_xor_si128(block, hash);
        add(&sum, multiplied(block, load(key->powers[group_blocks - blocks + at])));
    }
    return blocks == 0 ? hash : reduced(sum);
}

// Two counters more: they are the low words of reversed blocks.
INLINE __m256i next_counters(__m256i *counters) {
    __m256i blocks = reversed2(*counters);
    *counters = _mm256_add_epi32(*counters, _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2));
    return blocks;
}

// Adds the products of a pair of blocks, the `pair`th of four, and of their powers.
INLINE void add_pair(struct sum2 *sum, const struct pp_gcm_key *key, int pair, __m256i blocks) {
    __m256i powers = load2(key->powers[2 * pair]), folded = load2(key->folded[pair / 2]);
    __m256i both = _mm256_xor_si256(blocks, _mm256_shuffle_epi32(blocks, 0x4e));
    sum->low = _mm256_xor_si256(sum->low, _mm256_clmulepi64_epi128(blocks, powers, 0x00));
    sum->high = _mm256_xor_si256(sum->high, _mm256_clmulepi64_epi128(blocks, powers, 0x11));
    __m256i middle = pair % 2 == 0 ? _mm256_clmulepi64_epi128(both, folded, 0x00) : _mm256_clmulepi64_epi128(both, folded, 0x10);
    sum->middle = _mm256_xor_si256(sum->middle, middle);
}

INLINE __m128i reduced2(struct sum2 sum) {
    __m128i low = halves(sum.low), high = halves(sum.high);
    return reduced((struct sum){low, _mm_xor_si128(halves(sum.middle), _mm_xor_si128(low, high)), high});
}

// Eight blocks of the key stream; and, where `hash` is not NULL, eight blocks of ciphertext into it between AES's rounds: either
// waits for itself otherwise.
INLINE void turn(
    const struct pp_gcm_key *key, int rounds, __m256i *counters, __m256i stream[4], __m128i *hash, const unsigned char *hashed) {
    struct sum2 sum = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    __m256i round_key = _mm256_broadcastsi128_si256(load(key->round_keys[0]));
    for (int at = 0; at < 4; at++) stream[at] = _mm256_xor_si256(next_counters(counters), round_key);
#pragma clang loop unroll(full)
    for (int round = 1; round < rounds; round++) {
        round_key = _mm256_broadcastsi128_si256(load(key->round_keys[round]));
        for (int at = 0; at < 4; at++) stream[at] = _mm256_aesenc_epi128(stream[at], round_key);
        int pair = round / 2;
        if (hash == NULL || round % 2 == 0 || pair > 3) continue;
        __m256i blocks = reversed2(load2(hashed + 32 * pair));
        if (pair == 0) blocks = _mm256_xor_si256(blocks, _mm256_zextsi128_si256(*hash));
        add_pair(&sum, key, pair, blocks);
    }
    if (hash != NULL) *hash = reduced2(sum);
    round_key = _mm256_broadcastsi128_si256(load(key->round_keys[rounds]));
    for (int at = 0; at < 4; at++) stream[at] = _mm256_aesenclast_epi128(stream[at], round_key);
}

INLINE __m128i hash_group(const struct pp_gcm_key *key, __m128i hash, const unsigned char *hashed) {
    struct sum2 sum = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int pair = 0; pair < 4; pair++) {
        __m256i blocks = reversed2(load2(hashed + 32 * pair));
        if (pair == 0) blocks = _mm256_xor_si256(blocks, _mm256_zextsi128_si256(hash));
        add_pair(&sum, key, pair, blocks);
    }
    return reduced2(sum);
}

INLINE void transform_rounds(
    const struct pp_gcm_key *key, int rounds, int encrypts, const unsigned char *iv, struct pp_gcm_bytes aad, const unsigned char *in,
    unsigned char *out, size_t count, unsigned char *tag) {
    unsigned char first[block_bytes];
    memcpy(first, iv, PP_GCM_IV);
    memset(first + PP_GCM_IV, 0, block_bytes - PP_GCM_IV);
    // Counter 1 is the tag's.
    __m128i start = reversed(load(first));
    __m256i counters = _mm256_add_epi32(_mm256_broadcastsi128_si256(start), _mm256_set_epi32(0, 0, 0, 3, 0, 0, 0, 2));
    __m128i hash = hash_few(key, _mm_setzero_si128(), aad.start, aad.count);
    __m256i stream[4];
    size_t left = count;
    if (encrypts && left >= group_bytes) turn(key, rounds, &counters, stream, NULL, NULL);
    while (left >= group_bytes) {
        if (!encrypts) turn(key, rounds, &counters, stream, &hash, in);
        for (int at = 0; at < 4; at++) {
            _mm256_storeu_si256((__m256i *)(out + 32 * at), _mm256_xor_si256(load2(in + 32 * at), stream[at]));
        }
        left -= group_bytes, in += group_bytes, out += group_bytes;
        // What was encrypted is hashed beside the next turn's AES.
        if (encrypts) {
            if (left >= group_bytes) turn(key, rounds, &counters, stream, &hash, out - group_bytes);
            else hash = hash_group(key, hash, out - group_bytes);
        }
    }
    if (left > 0) {
        unsigned char rest[group_bytes];
        turn(key, rounds, &counters, stream, NULL, NULL);
        memcpy(rest, in, left);
        if (!encrypts) hash = hash_few(key, hash, rest, left);
        for (int at = 0; at < 4 && (size_t)at * 32 < left; at++) {
            _mm256_storeu_si256((__m256i *)(rest + 32 * at), _mm256_xor_si256(load2(rest + 32 * at), stream[at]));
        }
        memcpy(out, rest, left);
        if (encrypts) hash = hash_few(key, hash, rest, left);
        OPENSSL_cleanse(rest, sizeof rest);
    }
    __m128i lengths = _mm_set_epi64x((long long)(8 * aad.count), (long long)(8 * count));
    hash = product(_mm_xor_si128(hash, lengths), load(key->powers[group_blocks - 1]));
    __m128i mask = encrypted(key, reversed(_mm_add_epi32(start, _mm_set_epi32(0, 0, 0, 1))));
    _mm_storeu_si128((__m128i *)tag, _mm_xor_si128(reversed(hash), mask));
}

VECTORS void pp_gcm_transform(
    const struct pp_gcm_key *key, int encrypts, const unsigned char *iv, struct pp_gcm_bytes aad, const unsigned char *in,
    unsigned char *out, size_t count, unsigned char *tag) {
    if (key->rounds == 10) {
        if (encrypts) transform_rounds(key, 10, 1, iv, aad, in, out, count, tag);
        else transform_rounds(key, 10, 0, iv, aad, in, out, count, tag);
    } else {
        if (encrypts) transform_rounds(key, 14, 1, iv, aad, in, out, count, tag);
        else transform_rounds(key, 14, 0, iv, aad, in, out, count, tag);
    }
}

int pp_gcm_is_possible(void) {
    // Names of VAES and VPCLMULQDQ are unknown to older compilers: they are bits 9 and 10 of ECX (Intel's manual, CPUID, leaf 7).
    const unsigned int both = 1u << 9 | 1u << 10;
    unsigned int a = 0, b = 0, c = 0, d = 0;
    // AVX-512: OpenSSL's own, of four blocks at once, where it has one.
    const unsigned long first_with_avx512 = 0x30100000ul;
    if (OpenSSL_version_num() >= first_with_avx512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return 0;
    // AVX2 is not told of where the system does not save its registers.
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("aes") || !__builtin_cpu_supports("pclmul")) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & both) == both;
}
#endif
