// The public keys of X25519 (RFC 7748 §6.1), by way of Edwards25519.
//
// A public key is a multiple of one point that everybody has, u = 9, so that multiples of it can be worked out beforehand: on
// the Edwards curve that is birationally equivalent (RFC 7748 §4.1) it takes 64 additions, where the Montgomery ladder takes
// 255 steps. OpenSSL 3 does so as well, with fields of ten words that take four times as long; this one has five of 51 bits.
// No branch and no address depends on the private key.
#include "CShim.h"

#include <openssl/crypto.h>
#include <stdint.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

// MARK: The field of 2^255 - 19

enum { words = 5, word_bits = 51, field_bytes = 32, positions = 32, multiples = 8, digits = 64 };
static const uint64_t word_mask = ((uint64_t)1 << word_bits) - 1;

// The sum of its words times 2^(51 i). Words have at most 52 bits, but where it says so: two of those may be added up, or taken
// from each other, before they are multiplied.
typedef struct {
    uint64_t word[words];
} field;
typedef unsigned __int128 wide;

static const field zero = {{0}}, one = {{1}};

static field sum(field a, field b) {
    for (int at = 0; at < words; at++) a.word[at] += b.word[at];
    return a;
}

// What is over 51 bits goes to the next word; of the last one, 19 times to the first.
static field carried(field a) {
    uint64_t over = 0;
    for (int at = 0; at < words; at++) {
        a.word[at] += over;
        over = a.word[at] >> word_bits;
        a.word[at] &= word_mask;
    }
    a.word[0] += 19 * over;
    return a;
}

// 4 p is added, so that no word falls below zero: up to 53 bits may be taken away.
static field difference(field a, field b) {
    static const uint64_t first = 0x1fffffffffffb4, other = 0x1ffffffffffffc;
    for (int at = 0; at < words; at++) a.word[at] += (at == 0 ? first : other) - b.word[at];
    return carried(a);
}

static inline field folded(wide low[words]) {
    field made;
    uint64_t over = 0;
    for (int at = 0; at < words; at++) {
        low[at] += over;
        made.word[at] = (uint64_t)low[at] & word_mask;
        over = (uint64_t)(low[at] >> word_bits);
    }
    made.word[0] += 19 * over;
    made.word[1] += made.word[0] >> word_bits;
    made.word[0] &= word_mask;
    return made;
}

// Of words of up to 54 bits.
static inline field product(field a, field b) {
    const uint64_t *x = a.word, *y = b.word;
    uint64_t y1 = 19 * y[1], y2 = 19 * y[2], y3 = 19 * y[3], y4 = 19 * y[4];
    wide low[words] = {
        (wide)x[0] * y[0] + (wide)x[1] * y4 + (wide)x[2] * y3 + (wide)x[3] * y2 + (wide)x[4] * y1,
        (wide)x[0] * y[1] + (wide)x[1] * y[0] + (wide)x[2] * y4 + (wide)x[3] * y3 + (wide)x[4] * y2,
        (wide)x[0] * y[2] + (wide)x[1] * y[1] + (wide)x[2] * y[0] + (wide)x[3] * y4 + (wide)x[4] * y3,
        (wide)x[0] * y[3] + (wide)x[1] * y[2] + (wide)x[2] * y[1] + (wide)x[3] * y[0] + (wide)x[4] * y4,
        (wide)x[0] * y[4] + (wide)x[1] * y[3] + (wide)x[2] * y[2] + (wide)x[3] * y[1] + (wide)x[4] * y[0],
    };
    return folded(low);
}

static inline field square(field a) {
    const uint64_t *x = a.word;
    uint64_t x0 = 2 * x[0], x1 = 2 * x[1], x3 = 19 * x[3], x4 = 19 * x[4];
    wide low[words] = {
        (wide)x[0] * x[0] + (wide)x1 * x4 + (wide)(2 * x[2]) * x3,
        (wide)x0 * x[1] + (wide)(2 * x[2]) * x4 + (wide)x[3] * x3,
        (wide)x0 * x[2] + (wide)x[1] * x[1] + (wide)(2 * x[3]) * x4,
        (wide)x0 * x[3] + (wide)x1 * x[2] + (wide)x[4] * x4,
        (wide)x0 * x[4] + (wide)x1 * x[3] + (wide)x[2] * x[2],
    };
    return folded(low);
}

static field squared(field a, int times) {
    while (times-- > 0) a = square(a);
    return a;
}

// a^(p - 2), which is 1 / a (Fermat): the exponent is 250 ones, and 01011 in binary.
static field inverse(field a) {
    field a2 = square(a), a9 = product(squared(a2, 2), a), a11 = product(a9, a2), ones5 = product(square(a11), a9);
    field ones10 = product(squared(ones5, 5), ones5), ones20 = product(squared(ones10, 10), ones10);
    field ones40 = product(squared(ones20, 20), ones20), ones50 = product(squared(ones40, 10), ones10);
    field ones100 = product(squared(ones50, 50), ones50), ones200 = product(squared(ones100, 100), ones100);
    return product(squared(product(squared(ones200, 50), ones50), 5), a11);
}

static uint64_t little_endian(const unsigned char *bytes) {
    uint64_t value = 0;
    for (int at = 7; at >= 0; at--) value = value << 8 | bytes[at];
    return value;
}

static field field_of(const unsigned char bytes[field_bytes]) {
    return (field){{
        little_endian(bytes) & word_mask, little_endian(bytes + 6) >> 3 & word_mask, little_endian(bytes + 12) >> 6 & word_mask,
        little_endian(bytes + 19) >> 1 & word_mask, little_endian(bytes + 24) >> 12 & word_mask,
    }};
}

// The least value that is the same modulo p, little-endian.
static void put(field a, unsigned char bytes[field_bytes]) {
    a = carried(carried(carried(a)));
    // With 19 more, it is over 255 bits where it is p or more.
    uint64_t over = 19;
    for (int at = 0; at < words; at++) over = (a.word[at] + over) >> word_bits;
    a.word[0] += 19 * over;
    for (int at = 0; at + 1 < words; at++) {
        a.word[at + 1] += a.word[at] >> word_bits;
        a.word[at] &= word_mask;
    }
    a.word[words - 1] &= word_mask;
    uint64_t out[4] = {
        a.word[0] | a.word[1] << 51, a.word[1] >> 13 | a.word[2] << 38, a.word[2] >> 26 | a.word[3] << 25,
        a.word[3] >> 39 | a.word[4] << 12,
    };
    for (int at = 0; at < field_bytes; at++) bytes[at] = (unsigned char)(out[at / 8] >> (at % 8 * 8));
}

// MARK: The curve -x² + y² = 1 + d x² y²

// x = X / Z, y = Y / Z, x y = T / Z (Hisil, Wong, Carter, Dawson: Twisted Edwards Curves Revisited).
struct point {
    field x, y, z, t;
};
// A point to be added, by y + x, y - x and 2 d x y.
struct addend {
    field sum, difference, product;
};

static const unsigned char d_bytes[field_bytes] = {0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75, 0xab, 0xd8, 0x41,
                                                   0x41, 0x4d, 0x0a, 0x70, 0x00, 0x98, 0xe8, 0x79, 0x77, 0x79, 0x40,
                                                   0xc7, 0x8c, 0x73, 0xfe, 0x6f, 0x2b, 0xee, 0x6c, 0x03, 0x52};
// The base point (RFC 8032 §5.1), whose u is 9.
static const unsigned char base_x[field_bytes] = {0x1a, 0xd5, 0x25, 0x8f, 0x60, 0x2d, 0x56, 0xc9, 0xb2, 0xa7, 0x25,
                                                  0x95, 0x60, 0xc7, 0x2c, 0x69, 0x5c, 0xdc, 0xd6, 0xfd, 0x31, 0xe2,
                                                  0xa4, 0xc0, 0xfe, 0x53, 0x6e, 0xcd, 0xd3, 0x36, 0x69, 0x21};
static const unsigned char base_y[field_bytes] = {0x58, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                                                  0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                                                  0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66};

static inline struct point combined(field e, field f, field g, field h) {
    return (struct point){product(e, f), product(g, h), product(f, g), product(e, h)};
}

static struct point added(struct point p, struct addend q) {
    field a = product(difference(p.y, p.x), q.difference), b = product(sum(p.y, p.x), q.sum);
    field c = product(q.product, p.t), twice = sum(p.z, p.z);
    return combined(difference(b, a), difference(twice, c), sum(twice, c), sum(b, a));
}

static struct point doubled(struct point p) {
    field a = square(p.x), b = square(p.y), z = square(p.z), h = carried(sum(a, b));
    field e = difference(h, square(carried(sum(p.x, p.y)))), g = difference(a, b);
    return combined(e, carried(sum(sum(z, z), g)), g, h);
}

// MARK: The table

// The first eight multiples of 256^i times the base point, for each i. Written once, below `once`.
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static struct addend table[positions][multiples];

static struct addend addend_of(field x, field y, field twice_d) {
    return (struct addend){carried(sum(y, x)), difference(y, x), product(product(x, y), twice_d)};
}

static void make_table(void) {
    field twice_d = carried(sum(field_of(d_bytes), field_of(d_bytes))), x = field_of(base_x), y = field_of(base_y);
    for (int position = 0; position < positions; position++) {
        struct point all[multiples] = {{x, y, one, product(x, y)}};
        struct addend first = addend_of(x, y, twice_d);
        for (int at = 1; at < multiples; at++) all[at] = added(all[at - 1], first);
        struct point next = all[multiples - 1];
        for (int times = 0; times < 5; times++) next = doubled(next);
        // One inversion for all (Montgomery): `before` has the products of those in front.
        field before[multiples + 1], rest = one;
        for (int at = 0; at < multiples; at++) {
            before[at] = rest;
            rest = product(rest, all[at].z);
        }
        before[multiples] = rest;
        rest = inverse(product(rest, next.z));
        field over = product(rest, before[multiples]);
        x = product(next.x, over);
        y = product(next.y, over);
        rest = product(rest, next.z);
        for (int at = multiples - 1; at >= 0; at--) {
            over = product(rest, before[at]);
            rest = product(rest, all[at].z);
            table[position][at] = addend_of(product(all[at].x, over), product(all[at].y, over), twice_d);
        }
    }
}

// The same value, of which the compiler knows nothing: it could make a branch of what it knows to be 0 or 1.
static inline uint64_t hidden(uint64_t value) {
    __asm__("" : "+r"(value));
    return value;
}

// All ones where two small numbers are the same, else 0.
static inline uint64_t same(uint64_t a, uint64_t b) { return (uint64_t)0 - hidden((((a ^ b) - 1) & ~(a ^ b)) >> 63); }

static void take(field *to, field from, uint64_t mask) {
    for (int at = 0; at < words; at++) to->word[at] ^= mask & (to->word[at] ^ from.word[at]);
}

// `digit`, from -8 to 8, times 256^position times the base point: every entry is read.
static struct addend chosen(int position, int digit) {
    uint64_t is_negative = hidden((uint64_t)(int64_t)digit >> 63), mask = (uint64_t)0 - is_negative;
    uint64_t size = ((uint64_t)(int64_t)digit ^ mask) + is_negative;
    struct addend made = {one, one, zero};
    for (int at = 0; at < multiples; at++) {
        uint64_t is_this = same(size, (uint64_t)at + 1);
        take(&made.sum, table[position][at].sum, is_this);
        take(&made.difference, table[position][at].difference, is_this);
        take(&made.product, table[position][at].product, is_this);
    }
    struct addend negative = {made.difference, made.sum, difference(zero, made.product)};
    take(&made.sum, negative.sum, mask);
    take(&made.difference, negative.difference, mask);
    take(&made.product, negative.product, mask);
    return made;
}

int pp_x25519_public(const unsigned char *secret, unsigned char *open) {
    if (!CRYPTO_THREAD_run_once(&once, make_table)) return 0;
    // 64 digits from -8 to 7, the last one up to 8: the secret is clamped (RFC 7748 §5).
    signed char digit[digits];
    for (int at = 0; at < field_bytes; at++) {
        unsigned char byte = secret[at];
        if (at == 0) byte &= 248;
        if (at == field_bytes - 1) byte = (byte & 127) | 64;
        digit[2 * at] = byte & 15;
        digit[2 * at + 1] = byte >> 4;
    }
    int carry = 0;
    for (int at = 0; at + 1 < digits; at++) {
        int value = digit[at] + carry;
        carry = (value + 8) >> 4;
        digit[at] = (signed char)(value - 16 * carry);
    }
    digit[digits - 1] = (signed char)(digit[digits - 1] + carry);

    struct point made = {zero, one, one, zero};
    for (int at = 1; at < digits; at += 2) made = added(made, chosen(at / 2, digit[at]));
    for (int times = 0; times < 4; times++) made = doubled(made);
    struct addend last = {one, one, zero};
    for (int at = 0; at < digits; at += 2) made = added(made, last = chosen(at / 2, digit[at]));
    // u = (1 + y) / (1 - y).
    put(product(sum(made.z, made.y), inverse(difference(made.z, made.y))), open);
    OPENSSL_cleanse(digit, sizeof digit);
    OPENSSL_cleanse(&last, sizeof last);
    OPENSSL_cleanse(&made, sizeof made);
    return 1;
}
#else
int pp_x25519_public(const unsigned char *secret, unsigned char *open) { return 0; }
#endif
