// Signatures of ECDSA over P-256 (FIPS 186-5 §6.4.2), verified by keys that verify again and again.
//
// A signature holds where a multiple of the base point and one of the public key add up to the right point. OpenSSL has the
// former in a table, and works the latter out anew each time, by 256 doublings: two thirds of what it takes. Here both are
// in tables, so that nothing is doubled. A key's table is made of some 1,400 points at once, which takes as long as fifteen
// verifications save. Everything here is public, so branches and addresses depend on it as they like.
#include "p256.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

// MARK: Numbers of 256 bits

enum { words = 4, bytes = 32, window = 6, positions = 43, multiples = 1 << (window - 1) };
// The least significant word first.
typedef struct {
    uint64_t word[words];
} number;
typedef unsigned __int128 wide;

// The field's prime, and the base point's order (SEC 2 §2.4.2).
static const number prime = {{0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001}};
static const number order = {{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}};
// -1 / order modulo 2^64.
static const uint64_t order_inverse = 0xccd1c8aaee00bc4f;
// 2^256 and 2^512 modulo the prime, and 2^512 modulo the order.
static const number one = {{1, 0xffffffff00000000, 0xffffffffffffffff, 0x00000000fffffffe}};
static const number prime_square = {{3, 0xfffffffbffffffff, 0xfffffffffffffffe, 0x00000004fffffffd}};
static const number order_square = {{0x83244c95be79eea2, 0x4699799c49bd6fa6, 0x2845b2392b6bec59, 0x66e12d94f3d95620}};

static number number_of(const unsigned char *big_endian) {
    number made = {{0}};
    for (int at = 0; at < bytes; at++) {
        made.word[words - 1 - at / 8] = made.word[words - 1 - at / 8] << 8 | big_endian[at];
    }
    return made;
}

static int is_zero(number a) { return (a.word[0] | a.word[1] | a.word[2] | a.word[3]) == 0; }

static int is_same(number a, number b) {
    return a.word[0] == b.word[0] && a.word[1] == b.word[1] && a.word[2] == b.word[2] && a.word[3] == b.word[3];
}

// a += b; what is over 256 bits.
static inline uint64_t add(number *a, number b) {
    wide over = 0;
    for (int at = 0; at < words; at++) {
        over += (wide)a->word[at] + b.word[at];
        a->word[at] = (uint64_t)over;
        over >>= 64;
    }
    return (uint64_t)over;
}

// a -= b; 1 where that is below zero.
static inline uint64_t subtract(number *a, number b) {
    uint64_t below = 0;
    for (int at = 0; at < words; at++) {
        wide left = (wide)a->word[at] - b.word[at] - below;
        a->word[at] = (uint64_t)left;
        below = (uint64_t)(left >> 64) & 1;
    }
    return below;
}

static int is_less(number a, number b) { return (int)subtract(&a, b); }

// `a`, which is less than twice the modulus, with a bit `over` it.
static inline number reduced(number a, uint64_t over, number modulus) {
    number less = a;
    uint64_t below = subtract(&less, modulus);
    return over >= below ? less : a;
}

static void halve(number *a, uint64_t over) {
    for (int at = 0; at + 1 < words; at++) a->word[at] = a->word[at] >> 1 | a->word[at + 1] << 63;
    a->word[words - 1] = a->word[words - 1] >> 1 | over << 63;
}

// MARK: Modulo the order

// a b / 2^256 (Montgomery).
static number order_product(number a, number b) {
    number made = {{0}};
    uint64_t top = 0;
    for (int at = 0; at < words; at++) {
        wide over = 0, cut = 0;
        for (int i = 0; i < words; i++) {
            over += (wide)a.word[i] * b.word[at] + made.word[i];
            made.word[i] = (uint64_t)over;
            over >>= 64;
        }
        over += top;
        uint64_t times = made.word[0] * order_inverse;
        for (int i = 0; i < words; i++) {
            cut += (wide)order.word[i] * times + made.word[i];
            if (i > 0) made.word[i - 1] = (uint64_t)cut;
            cut >>= 64;
        }
        cut += over;
        made.word[words - 1] = (uint64_t)cut;
        top = (uint64_t)(cut >> 64);
    }
    return reduced(made, top, order);
}

// Takes what is even of `a` away, and as much of `b`, so that b / a stays the same.
static void strip(number *a, number *b) {
    while ((a->word[0] & 1) == 0) {
        halve(a, 0);
        halve(b, (b->word[0] & 1) != 0 ? add(b, order) : 0);
    }
}

// 1 / a, for an `a` from 1 to the order less 1 (Knuth 4.5.2, exercise 39).
static number order_inverse_of(number a) {
    number u = a, v = order, x = {{1}}, y = {{0}};
    const number unit = {{1}};
    while (!is_same(u, unit) && !is_same(v, unit)) {
        strip(&u, &x);
        strip(&v, &y);
        if (is_less(u, v)) {
            subtract(&v, u);
            if (subtract(&y, x)) add(&y, order);
        } else {
            subtract(&u, v);
            if (subtract(&x, y)) add(&x, order);
        }
    }
    return is_same(u, unit) ? x : y;
}

// MARK: Modulo the prime, each number a as a 2^256

static inline number sum(number a, number b) {
    uint64_t over = add(&a, b);
    return reduced(a, over, prime);
}

static inline number difference(number a, number b) {
    if (subtract(&a, b)) add(&a, prime);
    return a;
}

// a b / 2^256. The prime is -1 modulo 2^64, and most of its words are nearly powers of two.
static inline number product(number a, number b) {
    uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0;
    for (int at = 0; at < words; at++) {
        wide over = (wide)a.word[0] * b.word[at] + t0;
        uint64_t times = (uint64_t)over;
        over = (over >> 64) + (wide)a.word[1] * b.word[at] + t1;
        t1 = (uint64_t)over;
        over = (over >> 64) + (wide)a.word[2] * b.word[at] + t2;
        t2 = (uint64_t)over;
        over = (over >> 64) + (wide)a.word[3] * b.word[at] + t3;
        t3 = (uint64_t)over;
        over = (over >> 64) + t4;

        wide cut = (wide)t1 + (times << 32);
        t0 = (uint64_t)cut;
        cut = (cut >> 64) + (wide)t2 + (times >> 32);
        t1 = (uint64_t)cut;
        cut = (cut >> 64) + (wide)t3 + (wide)times * prime.word[3];
        t2 = (uint64_t)cut;
        over += cut >> 64;
        t3 = (uint64_t)over;
        t4 = (uint64_t)(over >> 64);
    }
    return reduced((number){{t0, t1, t2, t3}}, t4, prime);
}

static inline number square(number a) { return product(a, a); }

// a^(p - 2), which is 1 / a (Fermat).
static number inverse(number a) {
    number made = one, exponent = prime;
    subtract(&exponent, (number){{2}});
    for (int bit = 255; bit >= 0; bit--) {
        made = square(made);
        if (exponent.word[bit / 64] >> (bit % 64) & 1) made = product(made, a);
    }
    return made;
}

// MARK: The curve y² = x³ - 3 x + b

// x = X / Z², y = Y / Z³; z is zero at infinity.
struct point {
    number x, y, z;
};
struct affine {
    number x, y;
};
struct pp_p256_table {
    struct affine entry[positions][multiples];
};

static struct point doubled(struct point p) {
    number delta = square(p.z), gamma = square(p.y), beta = product(p.x, gamma);
    number alpha = product(difference(p.x, delta), sum(p.x, delta));
    alpha = sum(sum(alpha, alpha), alpha);
    number beta4 = sum(sum(beta, beta), sum(beta, beta)), gamma2 = sum(gamma, gamma), eight = square(gamma2);
    struct point made;
    made.z = product(sum(p.y, p.y), p.z);
    made.x = difference(square(alpha), sum(beta4, beta4));
    made.y = difference(product(alpha, difference(beta4, made.x)), sum(eight, eight));
    return made;
}

static struct point added(struct point p, struct affine q) {
    if (is_zero(p.z)) return (struct point){q.x, q.y, one};
    number z2 = square(p.z), h = difference(product(q.x, z2), p.x), r = difference(product(q.y, product(z2, p.z)), p.y);
    if (is_zero(h)) return is_zero(r) ? doubled(p) : (struct point){one, one, {{0}}};
    number h2 = square(h), h3 = product(h, h2), v = product(p.x, h2);
    struct point made;
    made.x = difference(difference(square(r), h3), sum(v, v));
    made.y = difference(product(r, difference(v, made.x)), product(p.y, h3));
    made.z = product(p.z, h);
    return made;
}

// None of `points` is at infinity. One inversion for all (Montgomery): `before` has the products of those in front.
static void make_affine(struct affine *made, const struct point *points, number *before, int count) {
    number rest = one;
    for (int at = 0; at < count; at++) {
        before[at] = rest;
        rest = product(rest, points[at].z);
    }
    rest = inverse(rest);
    for (int at = count - 1; at >= 0; at--) {
        number over = product(rest, before[at]), over2 = square(over);
        rest = product(rest, points[at].z);
        made[at] = (struct affine){product(points[at].x, over2), product(points[at].y, product(over, over2))};
    }
}

// The first 32 multiples of 64^i times a point, for each i.
static struct pp_p256_table *table_of(struct affine first) {
    struct room {
        struct point points[positions * multiples];
        number before[positions * multiples];
        struct affine firsts[positions];
    } *room = malloc(sizeof *room);
    struct pp_p256_table *made = malloc(sizeof *made);
    if (room != NULL && made != NULL) {
        struct point next = {first.x, first.y, one};
        for (int position = 0; position < positions; position++) {
            room->points[position] = next;
            for (int times = 0; times < window; times++) next = doubled(next);
        }
        make_affine(room->firsts, room->points, room->before, positions);
        for (int position = 0; position < positions; position++) {
            struct point *row = room->points + position * multiples;
            row[0] = (struct point){room->firsts[position].x, room->firsts[position].y, one};
            for (int at = 1; at < multiples; at++) row[at] = added(row[at - 1], room->firsts[position]);
        }
        make_affine(made->entry[0], room->points, room->before, positions * multiples);
    } else {
        free(made);
        made = NULL;
    }
    free(room);
    return made;
}

// `times` the point of a table, and another point.
static struct point added_multiple(struct point made, const struct pp_p256_table *table, number times) {
    uint64_t carry = 0;
    for (int position = 0; position < positions; position++) {
        int at = position * window, word = at / 64, shift = at % 64;
        uint64_t bits = times.word[word] >> shift;
        if (shift > 64 - window && word + 1 < words) bits |= times.word[word + 1] << (64 - shift);
        // From 0 to 64: what is over 32 is a negative digit, and 64 more.
        uint64_t digit = (bits & ((1 << window) - 1)) + carry;
        carry = digit > multiples;
        uint64_t size = carry ? (1 << window) - digit : digit;
        if (size == 0) continue;
        struct affine next = table->entry[position][size - 1];
        if (carry) next.y = difference((number){{0}}, next.y);
        made = added(made, next);
    }
    return made;
}

// MARK: Signatures

static const unsigned char base_bytes[2 * bytes] = {
    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
    0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
    0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5};

// Written once, below `once`.
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static struct pp_p256_table *base;

static void make_base(void) { base = pp_p256_table(base_bytes); }

struct pp_p256_table *pp_p256_table(const unsigned char *point) {
    return table_of((struct affine){
        product(number_of(point), prime_square), product(number_of(point + bytes), prime_square)});
}

void pp_p256_table_free(struct pp_p256_table *table) { free(table); }

int pp_p256_verify(
    const struct pp_p256_table *table, const unsigned char *digest, const unsigned char *r_bytes, const unsigned char *s_bytes) {
    number e = number_of(digest), r = number_of(r_bytes), s = number_of(s_bytes);
    if (is_zero(r) || is_zero(s) || !is_less(r, order) || !is_less(s, order)) return 0;
    if (!CRYPTO_THREAD_run_once(&once, make_base) || base == NULL) return 0;
    // 2^256 / s: a product with it takes the 2^256 away again.
    number over = order_product(order_inverse_of(s), order_square);
    struct point sum_of_both = {one, one, {{0}}};
    sum_of_both = added_multiple(sum_of_both, base, order_product(reduced(e, 0, order), over));
    sum_of_both = added_multiple(sum_of_both, table, order_product(r, over));
    if (is_zero(sum_of_both.z)) return 0;
    // Its x is below the prime, and r what is left of it modulo the order: x is r, or r and the order.
    number z2 = square(sum_of_both.z);
    if (is_same(product(product(r, prime_square), z2), sum_of_both.x)) return 1;
    if (add(&r, order) || !is_less(r, prime)) return 0;
    return is_same(product(product(r, prime_square), z2), sum_of_both.x);
}
#else
struct pp_p256_table *pp_p256_table(const unsigned char *point) { return NULL; }
void pp_p256_table_free(struct pp_p256_table *table) {}
int pp_p256_verify(
    const struct pp_p256_table *table, const unsigned char *digest, const unsigned char *r_bytes, const unsigned char *s_bytes) {
    return 0;
}
#endif
