// A certificate's EC key (RFC 5480 §2), as a provider's decoder of a SubjectPublicKeyInfo in DER.
//
// OpenSSL 3 makes a group for each key that it reads, with all constants of its arithmetic: a third of what the reading takes.
// Here the groups are made once, and copied. And each connection to an origin would hold the same key, of a kilobyte: one that
// was read lately is handed out again, and so one of P-256 comes to verify often, which verify.c makes faster. All but a whole
// point of P-256 or P-384 is left to the default provider's decoder, from its first byte on.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "library.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <string.h>

#if OPENSSL_VERSION_MAJOR < 4

struct curve {
    int nid;
    // Up to the point, SEQUENCE { SEQUENCE { id-ecPublicKey, namedCurve }, BIT STRING, and the point: 04, x, y.
    size_t head_count, point_count;
    unsigned char head[26];
    EC_GROUP *group;
};
// Written once, before the library context is made.
static struct curve curves[] = {
    {NID_X9_62_prime256v1, 26, 65,
     {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
      0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00}},
    {NID_secp384r1, 23, 97,
     {0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
      0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00}},
};
enum { curve_count = sizeof curves / sizeof *curves, longest = 23 + 97, functions_limit = 16 };

static OSSL_FUNC_decoder_decode_fn *their_decode;
static OSSL_FUNC_BIO_read_ex_fn *read_bytes;
static OSSL_FUNC_BIO_ctrl_fn *control;
static OSSL_DISPATCH functions[functions_limit + 1];
// Not right: everything is left to theirs.
static int is_off;

// Keys that were read lately, each at the place that its last byte says: more of them than a client has connections open to
// servers, and 80 KB at most. Nobody changes a key that a certificate was read with, so any number may have it.
enum { kept_limit = 64 };
static struct {
    EC_KEY *key;
    size_t count;
    unsigned char whole[longest];
} kept[kept_limit];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static EC_KEY *kept_key(const unsigned char *start, size_t count) {
    EC_KEY *key = NULL;
    if (count < 2 || count > longest) return NULL;
    int place = start[count - 1] % kept_limit;
    pthread_mutex_lock(&kept_lock);
    if (kept[place].count == count && memcmp(kept[place].whole, start, count) == 0 && EC_KEY_up_ref(kept[place].key)) {
        key = kept[place].key;
    }
    pthread_mutex_unlock(&kept_lock);
    return key;
}

static void keep(EC_KEY *key, const unsigned char *start, size_t count) {
    if (count < 2 || count > longest || !EC_KEY_up_ref(key)) return;
    int place = start[count - 1] % kept_limit;
    pthread_mutex_lock(&kept_lock);
    EC_KEY *former = kept[place].key;
    kept[place].key = key;
    kept[place].count = count;
    memcpy(kept[place].whole, start, count);
    pthread_mutex_unlock(&kept_lock);
    EC_KEY_free(former);
}

static EC_KEY *read_key(const unsigned char *start, size_t count) {
    for (struct curve *curve = curves; curve < curves + curve_count; curve++) {
        if (count != curve->head_count + curve->point_count || memcmp(start, curve->head, curve->head_count) != 0) continue;
        EC_KEY *key = EC_KEY_new();
        if (key != NULL && start[curve->head_count] == POINT_CONVERSION_UNCOMPRESSED && EC_KEY_set_group(key, curve->group)
            && EC_KEY_oct2key(key, start + curve->head_count, curve->point_count, NULL)) {
            if (curve->nid == NID_X9_62_prime256v1) pp_verify_often(key, start + curve->head_count + 1);
            return key;
        }
        EC_KEY_free(key);
        return NULL;
    }
    return NULL;
}

static EC_KEY *key_of(const unsigned char *start, size_t count) {
    EC_KEY *key = kept_key(start, count);
    if (key != NULL) return key;
    key = read_key(start, count);
    if (key != NULL) keep(key, start, count);
    return key;
}

// As the default provider's decoder tells of a key: by its address, which the key's manager takes over and sets to nothing.
static int tell(EC_KEY *key, OSSL_CALLBACK *found, void *argument) {
    int type = OSSL_OBJECT_PKEY;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_construct_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, "EC", 0),
        OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof key),
        OSSL_PARAM_construct_end(),
    };
    int is_taken = found(params, argument);
    EC_KEY_free(key);
    return is_taken;
}

static int decode(
    void *context, OSSL_CORE_BIO *source, int selection, OSSL_CALLBACK *found, void *argument, OSSL_PASSPHRASE_CALLBACK *ask,
    void *asked) {
    unsigned char start[longest + 1];
    size_t count = 0;
    int place = control(source, BIO_C_FILE_TELL, 0, NULL);
    EC_KEY *key = NULL;
    if (!is_off && place >= 0 && (selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0)
        && read_bytes(source, start, sizeof start, &count)) {
        ERR_set_mark();
        key = key_of(start, count);
        // What is wrong with it is for theirs to say.
        ERR_pop_to_mark();
    }
    if (key != NULL) return tell(key, found, argument);
    // A source that cannot go back has not been read.
    if (count > 0 && control(source, BIO_C_FILE_SEEK, place, NULL) != 0) return 0;
    return their_decode(context, source, selection, found, argument, ask, asked);
}

static int prepare(const OSSL_DISPATCH *from_core) {
    for (; from_core->function_id != 0; from_core++) {
        switch (from_core->function_id) {
        case OSSL_FUNC_BIO_READ_EX: read_bytes = OSSL_FUNC_BIO_read_ex(from_core); break;
        case OSSL_FUNC_BIO_CTRL: control = OSSL_FUNC_BIO_ctrl(from_core); break;
        default: break;
        }
    }
    for (struct curve *curve = curves; curve < curves + curve_count; curve++) {
        if (curve->group == NULL) curve->group = EC_GROUP_new_by_curve_name(curve->nid);
        if (curve->group == NULL) return 0;
    }
    return read_bytes != NULL && control != NULL;
}

const OSSL_DISPATCH *pp_key_decoder(const OSSL_DISPATCH *from_core, const OSSL_DISPATCH *theirs) {
    int count = 0;
    for (; theirs->function_id != 0; theirs++) {
        if (count == functions_limit) return NULL;
        functions[count] = *theirs;
        if (theirs->function_id == OSSL_FUNC_DECODER_DECODE) {
            their_decode = OSSL_FUNC_decoder_decode(theirs);
            functions[count].function = (void (*)(void))decode;
        }
        count++;
    }
    functions[count] = (OSSL_DISPATCH){0, NULL};
    return their_decode != NULL && prepare(from_core) ? functions : NULL;
}

// Whether `key` is the point of `curve` that it was read from.
static int is_same(EVP_PKEY *key, const struct curve *curve, const unsigned char *point) {
    char name[32];
    unsigned char found[longest];
    size_t count = 0;
    return key != NULL && EVP_PKEY_get_group_name(key, name, sizeof name, NULL) && OBJ_sn2nid(name) == curve->nid
        && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, found, sizeof found, &count)
        && count == curve->point_count && memcmp(found, point, count) == 0;
}

void pp_check_key_decoder(OSSL_LIB_CTX *library) {
    for (struct curve *curve = curves; curve < curves + curve_count; curve++) {
        unsigned char whole[longest], *point = whole + curve->head_count;
        const unsigned char *next = whole;
        memcpy(whole, curve->head, curve->head_count);
        // Any point does.
        size_t count = EC_POINT_point2oct(
            curve->group, EC_GROUP_get0_generator(curve->group), POINT_CONVERSION_UNCOMPRESSED, point, curve->point_count, NULL);
        EVP_PKEY *key = d2i_PUBKEY_ex(NULL, &next, (long)(curve->head_count + curve->point_count), library, NULL);
        if (count != curve->point_count || !is_same(key, curve, point)) is_off = 1;
        EVP_PKEY_free(key);
    }
}
#else
const OSSL_DISPATCH *pp_key_decoder(const OSSL_DISPATCH *from_core, const OSSL_DISPATCH *theirs) { return NULL; }
void pp_check_key_decoder(OSSL_LIB_CTX *library) {}
#endif
