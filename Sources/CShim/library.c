// A library context for handshakes, with one provider of which libssl asks less than of OpenSSL's own.
//
// OpenSSL 3 goes through every decoder, and through every algorithm of any kind, that a library context has whenever it reads
// a certificate's key: that is the dearest part of a client's handshake, dearer than the arithmetic. This provider has the
// algorithms of the default provider, by the very same functions, but for those that no handshake asks for: of the decoders
// it has those of a SubjectPublicKeyInfo in DER, of the ciphers those in modes that TLS has, and so on. Some of its algorithms
// are pinproof's own, each in a file of its own: each is used where this OpenSSL is as expected, and where both yield the same.
#include "CShim.h"
#include "library.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

// More than twice what OpenSSL 3.5 has of a kind.
enum { algorithms_limit = 256, functions_limit = 48, x25519_bytes = 32 };

// Written once, below `once`, before anybody is handed `library`.
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static OSSL_LIB_CTX *library;
static OSSL_PROVIDER *whole;
static OSSL_DISPATCH x25519_functions[functions_limit + 1];

// MARK: The keys of X25519

static OSSL_FUNC_keymgmt_new_fn *x25519_new;
static OSSL_FUNC_keymgmt_free_fn *x25519_free;
static OSSL_FUNC_keymgmt_import_fn *x25519_import;
static OSSL_FUNC_keymgmt_gen_init_fn *x25519_gen_init;
static OSSL_FUNC_keymgmt_gen_set_params_fn *x25519_gen_set_params;
static OSSL_FUNC_keymgmt_gen_settable_params_fn *x25519_gen_settable_params;
static OSSL_FUNC_keymgmt_gen_fn *x25519_gen;
static OSSL_FUNC_keymgmt_gen_cleanup_fn *x25519_gen_cleanup;

// One generation: the default provider's, and what was asked of it, which that one tells nobody.
struct generation {
    void *theirs;
    int selection;
};

static void *generation_init(void *context, int selection, const OSSL_PARAM params[]) {
    struct generation *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->selection = selection;
    made->theirs = x25519_gen_init(context, selection, params);
    if (made->theirs != NULL) return made;
    free(made);
    return NULL;
}

static int generation_set_params(void *generation, const OSSL_PARAM params[]) {
    return x25519_gen_set_params(((struct generation *)generation)->theirs, params);
}

static const OSSL_PARAM *generation_settable_params(void *generation, void *context) {
    return x25519_gen_settable_params(generation ? ((struct generation *)generation)->theirs : NULL, context);
}

static void generation_cleanup(void *generation) {
    if (generation == NULL) return;
    x25519_gen_cleanup(((struct generation *)generation)->theirs);
    free(generation);
}

static void *key_of(unsigned char *private_key, unsigned char *public_key) {
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, private_key, x25519_bytes),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, public_key, x25519_bytes),
        OSSL_PARAM_construct_end(),
    };
    void *key = x25519_new(OSSL_PROVIDER_get0_provider_ctx(whole));
    if (key == NULL || x25519_import(key, OSSL_KEYMGMT_SELECT_KEYPAIR, params)) return key;
    x25519_free(key);
    return NULL;
}

static void *generation_gen(void *generation, OSSL_CALLBACK *callback, void *argument) {
    struct generation *ours = generation;
    // Parameters alone: a key without a key, for a peer's public one.
    if ((ours->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return x25519_gen(ours->theirs, callback, argument);
    unsigned char private_key[x25519_bytes], public_key[x25519_bytes];
    void *key = NULL;
    if (RAND_priv_bytes_ex(library, private_key, sizeof private_key, 0) > 0) {
        // RFC 7748 §5.
        private_key[0] &= 248;
        private_key[x25519_bytes - 1] &= 127;
        private_key[x25519_bytes - 1] |= 64;
        if (pp_x25519_public(private_key, public_key)) key = key_of(private_key, public_key);
    }
    OPENSSL_cleanse(private_key, sizeof private_key);
    return key;
}

// Fills `x25519_functions`; 0: something of this OpenSSL's is not known here, and nothing of it is to be replaced.
static int replace_generation(const OSSL_DISPATCH *theirs) {
    int count = 0;
    for (; theirs[count].function_id != 0; count++) {
        if (count == functions_limit) return 0;
        OSSL_DISPATCH *ours = &x25519_functions[count];
        *ours = theirs[count];
        switch (ours->function_id) {
        case OSSL_FUNC_KEYMGMT_NEW: x25519_new = OSSL_FUNC_keymgmt_new(ours); break;
        case OSSL_FUNC_KEYMGMT_FREE: x25519_free = OSSL_FUNC_keymgmt_free(ours); break;
        case OSSL_FUNC_KEYMGMT_IMPORT: x25519_import = OSSL_FUNC_keymgmt_import(ours); break;
        case OSSL_FUNC_KEYMGMT_GEN_INIT:
            x25519_gen_init = OSSL_FUNC_keymgmt_gen_init(ours);
            ours->function = (void (*)(void))generation_init;
            break;
        case OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS:
            x25519_gen_set_params = OSSL_FUNC_keymgmt_gen_set_params(ours);
            ours->function = (void (*)(void))generation_set_params;
            break;
        case OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS:
            x25519_gen_settable_params = OSSL_FUNC_keymgmt_gen_settable_params(ours);
            ours->function = (void (*)(void))generation_settable_params;
            break;
        case OSSL_FUNC_KEYMGMT_GEN:
            x25519_gen = OSSL_FUNC_keymgmt_gen(ours);
            ours->function = (void (*)(void))generation_gen;
            break;
        case OSSL_FUNC_KEYMGMT_GEN_CLEANUP:
            x25519_gen_cleanup = OSSL_FUNC_keymgmt_gen_cleanup(ours);
            ours->function = (void (*)(void))generation_cleanup;
            break;
        // What takes a key, not a generation.
        case OSSL_FUNC_KEYMGMT_LOAD:
        case OSSL_FUNC_KEYMGMT_GET_PARAMS:
        case OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS:
        case OSSL_FUNC_KEYMGMT_SET_PARAMS:
        case OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS:
        case OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME:
        case OSSL_FUNC_KEYMGMT_HAS:
        case OSSL_FUNC_KEYMGMT_VALIDATE:
        case OSSL_FUNC_KEYMGMT_MATCH:
        case OSSL_FUNC_KEYMGMT_IMPORT_TYPES:
        case OSSL_FUNC_KEYMGMT_EXPORT:
        case OSSL_FUNC_KEYMGMT_EXPORT_TYPES:
        case OSSL_FUNC_KEYMGMT_DUP:
#ifdef OSSL_FUNC_KEYMGMT_IMPORT_TYPES_EX
        case OSSL_FUNC_KEYMGMT_IMPORT_TYPES_EX:
        case OSSL_FUNC_KEYMGMT_EXPORT_TYPES_EX:
#endif
            break;
        default: return 0;
        }
    }
    x25519_functions[count] = (OSSL_DISPATCH){0, NULL};
    return x25519_new && x25519_free && x25519_import && x25519_gen_init && x25519_gen_set_params
        && x25519_gen_settable_params && x25519_gen && x25519_gen_cleanup;
}

// MARK: The provider

// Whether one of an algorithm's names, which colons stand between, is `name`.
static int is_named(const OSSL_ALGORITHM *algorithm, const char *name) {
    size_t count = strlen(name);
    for (const char *at = algorithm->algorithm_names; at != NULL; at = strchr(at, ':')) {
        if (*at == ':') at++;
        if (strncmp(at, name, count) == 0 && (at[count] == ':' || at[count] == 0)) return 1;
    }
    return 0;
}

static const OSSL_ALGORITHM *algorithm(const OSSL_ALGORITHM *list, const char *name) {
    for (; list != NULL && list->algorithm_names != NULL; list++) {
        if (is_named(list, name)) return list;
    }
    return NULL;
}

// What no handshake and no certificate of a chain asks for, by a part of its names. What is not known here stays.
static const struct {
    int operation;
    const char *parts[16];
} left_out[] = {
    // Modes, and sizes of keys, that no suite of OpenSSL's has.
    {OSSL_OP_CIPHER,
     {"-192-", "-CFB", "-CTR", "-CTS", "-ECB", "-OCB", "-OFB", "-SIV", "-XTS", "WRAP", "SM4", "DES-EDE-", "ARIA-128-CBC",
      "ARIA-256-CBC"}},
    {OSSL_OP_DIGEST, {"BLAKE2", "KECCAK", "SHAKE", "SM3"}},
    {OSSL_OP_MAC, {"BLAKE2", "CMAC", "GMAC", "KMAC", "POLY1305", "SIPHASH"}},
    {OSSL_OP_KDF, {"ARGON2", "KBKDF", "KRB5KDF", "PBKDF", "PKCS12KDF", "PVKKDF", "SCRYPT", "SSHKDF", "SSKDF", "X942", "X963"}},
    {OSSL_OP_KEYMGMT, {"CMAC", "DHX", "HKDF", "POLY1305", "SCRYPT", "SIPHASH", "SM2", "TLS1-PRF"}},
    {OSSL_OP_KEYEXCH, {"HKDF", "SCRYPT", "TLS1-PRF"}},
    {OSSL_OP_SIGNATURE, {"CMAC", "POLY1305", "SIPHASH", "SM2"}},
    {OSSL_OP_ASYM_CIPHER, {"SM2"}},
    // Keys that sign no handshake, beside whatever is no SubjectPublicKeyInfo in DER.
    {OSSL_OP_DECODER, {"DH", "SM2", "X25519", "X448"}},
};
enum { left_out_count = sizeof left_out / sizeof *left_out };
static OSSL_ALGORITHM taken[left_out_count][algorithms_limit + 1];

static int is_left_out(const OSSL_ALGORITHM *algorithm, int row) {
    for (const char *const *part = left_out[row].parts; *part != NULL; part++) {
        if (strstr(algorithm->algorithm_names, *part) != NULL) return 1;
    }
    if (left_out[row].operation != OSSL_OP_DECODER) return 0;
    const char *properties = algorithm->property_definition;
    return properties == NULL || strstr(properties, "structure=SubjectPublicKeyInfo") == NULL
        || strstr(properties, "input=der") == NULL;
}

// The row of `taken` for an operation; -1: nothing of it is left out.
static int row(int operation) {
    for (int row = 0; row < left_out_count; row++) {
        if (left_out[row].operation == operation) return row;
    }
    return -1;
}

// 0: there are none of some kind, or too many.
static int take(void) {
    for (int row = 0; row < left_out_count; row++) {
        int ignored = 0, count = 0;
        const OSSL_ALGORITHM *theirs = OSSL_PROVIDER_query_operation(whole, left_out[row].operation, &ignored);
        for (; theirs != NULL && theirs->algorithm_names != NULL; theirs++) {
            if (is_left_out(theirs, row)) continue;
            if (count == algorithms_limit) return 0;
            taken[row][count++] = *theirs;
        }
        if (count == 0) return 0;
    }
    return 1;
}

// RFC 7748 §6.1, Alice's keys.
static int is_right(void) {
    unsigned char alice[x25519_bytes] = {0x77, 0x07, 0x6d, 0x0a, 0x73, 0x18, 0xa5, 0x7d, 0x3c, 0x16, 0xc1,
                                         0x72, 0x51, 0xb2, 0x66, 0x45, 0xdf, 0x4c, 0x2f, 0x87, 0xeb, 0xc0,
                                         0x99, 0x2a, 0xb1, 0x77, 0xfb, 0xa5, 0x1d, 0xb9, 0x2c, 0x2a};
    static const unsigned char right[x25519_bytes] = {0x85, 0x20, 0xf0, 0x09, 0x89, 0x30, 0xa7, 0x54, 0x74, 0x8b, 0x7d,
                                                      0xdc, 0xb4, 0x3e, 0xf7, 0x5a, 0x0d, 0xbf, 0x3a, 0x0d, 0x26, 0x38,
                                                      0x1a, 0xf4, 0xeb, 0xa4, 0xa9, 0x8e, 0xaa, 0x9b, 0x4e, 0x6a};
    unsigned char found[x25519_bytes];
    return pp_x25519_public(alice, found) && memcmp(found, right, sizeof right) == 0;
}

// The generation of X25519's keys, where this OpenSSL's is as expected; else everything stays as it was.
static void make_x25519(void) {
    OSSL_ALGORITHM *management = (OSSL_ALGORITHM *)algorithm(taken[row(OSSL_OP_KEYMGMT)], "X25519");
    if (management == NULL || !replace_generation(management->implementation) || !is_right()) return;
    management->implementation = x25519_functions;
}

// The key schedules of TLS 1.3 and 1.2, where this OpenSSL's are as expected.
static void make_schedules(void) {
    OSSL_ALGORITHM *schedule = (OSSL_ALGORITHM *)algorithm(taken[row(OSSL_OP_KDF)], OSSL_KDF_NAME_TLS1_3_KDF);
    const OSSL_DISPATCH *ours = schedule != NULL ? pp_key_schedule(whole, schedule->implementation) : NULL;
    if (ours != NULL) schedule->implementation = ours;
    OSSL_ALGORITHM *prf = (OSSL_ALGORITHM *)algorithm(taken[row(OSSL_OP_KDF)], OSSL_KDF_NAME_TLS1_PRF);
    ours = prf != NULL ? pp_pseudorandom_function(whole, prf->implementation) : NULL;
    if (ours != NULL) prf->implementation = ours;
}

// AES-GCM, where this processor does it faster, and this OpenSSL's is as expected.
static void make_cipher(const char *name, size_t key_bytes) {
    OSSL_ALGORITHM *cipher = (OSSL_ALGORITHM *)algorithm(taken[row(OSSL_OP_CIPHER)], name);
    const OSSL_DISPATCH *ours = cipher != NULL ? pp_gcm_cipher(whole, cipher->implementation, key_bytes) : NULL;
    if (ours != NULL) cipher->implementation = ours;
}

// The decoder of EC keys, where this OpenSSL's is as expected.
static void make_decoder(const OSSL_DISPATCH *from_core) {
    OSSL_ALGORITHM *decoder = (OSSL_ALGORITHM *)algorithm(taken[row(OSSL_OP_DECODER)], "EC");
    const OSSL_DISPATCH *ours = decoder != NULL ? pp_key_decoder(from_core, decoder->implementation) : NULL;
    if (ours != NULL) decoder->implementation = ours;
}

static const OSSL_ALGORITHM *query(void *context, int operation, int *no_cache) {
    const OSSL_ALGORITHM *theirs = OSSL_PROVIDER_query_operation(whole, operation, no_cache);
    int ours = row(operation);
    return ours < 0 ? theirs : taken[ours];
}

static int capabilities(void *context, const char *name, OSSL_CALLBACK *callback, void *argument) {
    return OSSL_PROVIDER_get_capabilities(whole, name, callback, argument);
}

static int initialise(
    const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *from_core, const OSSL_DISPATCH **functions, void **context) {
    static const OSSL_DISPATCH ours[] = {
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
        {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))capabilities},
        {0, NULL},
    };
    *functions = ours;
    make_decoder(from_core);
    // Its functions are the default provider's: so is what they are called with.
    *context = OSSL_PROVIDER_get0_provider_ctx(whole);
    return 1;
}

// Whether a provider is one of OpenSSL's own that changes nothing about TLS.
static int is_plain(OSSL_PROVIDER *provider, void *all_are) {
    const char *name = OSSL_PROVIDER_get0_name(provider);
    if (strcmp(name, "default") != 0 && strcmp(name, "base") != 0 && strcmp(name, "legacy") != 0) *(int *)all_are = 0;
    return 1;
}

static void make_library(void) {
    // Whoever has set up others (FIPS, post-quantum groups, a token's) means them.
    int all_are_plain = 1;
    if (!OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL) || EVP_default_properties_is_fips_enabled(NULL)) return;
    if (!OSSL_PROVIDER_do_all(NULL, is_plain, &all_are_plain) || !all_are_plain) return;
    whole = OSSL_PROVIDER_load(NULL, "default");
    if (whole == NULL) return;
    if (!take()) return;
    make_x25519();
    make_schedules();
    make_cipher("AES-128-GCM", 16);
    make_cipher("AES-256-GCM", 32);
    OSSL_LIB_CTX *made = OSSL_LIB_CTX_new();
    if (made == NULL) return;
    if (OSSL_PROVIDER_add_builtin(made, "handshake", initialise) && OSSL_PROVIDER_load(made, "handshake") != NULL) {
        pp_check_key_decoder(made);
        library = made;
    } else {
        OSSL_LIB_CTX_free(made);
    }
}

OSSL_LIB_CTX *pp_handshake_library(void) {
    return CRYPTO_THREAD_run_once(&once, make_library) ? library : NULL;
}
