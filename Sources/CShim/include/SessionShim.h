/* Constants of <openssl/ssl.h> that are casts or shifts and so do not reach Swift. */
#ifndef PINPROOF_CSHIM_SESSION_H
#define PINPROOF_CSHIM_SESSION_H

#include <openssl/ssl.h>

/* Where handshakes find their algorithms: a library context that is as good as the default one, and quicker (library.c).
   NULL, which OpenSSL takes for the default one, where that has other providers than OpenSSL's plain ones. */
OSSL_LIB_CTX *pp_handshake_library(void);

/* The public key of X25519 that belongs to a private one, 32 bytes each (edwards.c). 0: this machine has no such code. */
int pp_x25519_public(const unsigned char *secret, unsigned char *open);

/* How many public keys of P-256 verify by a table of their own at the moment, at most 8 (verify.c). */
int pp_key_tables(void);

/* A peer's Diffie-Hellman group of more bits fails the handshake (shim.c); once for a context. */
void pp_SSL_CTX_bound_dh(SSL_CTX *ctx, int bits);

/* Frees the keys of the handshake's key exchange, ours and the peer's: OpenSSL would hold them until the session ends. Their
   handshake has to be done (shim.c). */
void pp_SSL_forget_ephemeral_keys(SSL *ssl);

static inline uint64_t pp_SSL_OP_NO_TICKET(void) { return SSL_OP_NO_TICKET; }
static inline uint64_t pp_SSL_OP_NO_ANTI_REPLAY(void) { return SSL_OP_NO_ANTI_REPLAY; }
static inline uint64_t pp_SSL_OP_NO_COMPRESSION(void) { return SSL_OP_NO_COMPRESSION; }
static inline uint64_t pp_SSL_OP_NO_RENEGOTIATION(void) { return SSL_OP_NO_RENEGOTIATION; }
static inline uint64_t pp_SSL_OP_CIPHER_SERVER_PREFERENCE(void) { return SSL_OP_CIPHER_SERVER_PREFERENCE; }
static inline int pp_SSL_set1_groups(SSL *ssl, const int *nids, int count) {
    return (int)SSL_set1_groups(ssl, (int *)nids, count);
}

static inline int pp_SSL_set_version_range(SSL *ssl, int lowest, int highest) {
    return SSL_set_min_proto_version(ssl, lowest) == 1 && SSL_set_max_proto_version(ssl, highest) == 1;
}
static inline int pp_SSL_CTX_set_min_proto_version(SSL_CTX *ctx, int lowest) {
    return (int)SSL_CTX_set_min_proto_version(ctx, lowest);
}
static inline int pp_SSL_CTX_set1_groups_list(SSL_CTX *ctx, const char *list) {
    return (int)SSL_CTX_set1_groups_list(ctx, list);
}
static inline int pp_SSL_CTX_set1_sigalgs_list(SSL_CTX *ctx, const char *list) {
    return (int)SSL_CTX_set1_sigalgs_list(ctx, list);
}
static inline int pp_SSL_add1_chain_cert(SSL *ssl, X509 *certificate) {
    return (int)SSL_add1_chain_cert(ssl, certificate);
}
static inline int pp_SSL_set_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline void pp_SSL_set_msg_callback_arg(SSL *ssl, void *argument) {
    SSL_set_msg_callback_arg(ssl, argument);
}
static inline long pp_SSL_CTX_set_mode(SSL_CTX *ctx, long mode) { return SSL_CTX_set_mode(ctx, mode); }
static inline long pp_SSL_CTX_disable_session_cache(SSL_CTX *ctx) {
    return SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
}
static inline void pp_SSL_CTX_keep_sessions(SSL_CTX *ctx, long limit) {
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_SERVER);
    SSL_CTX_sess_set_cache_size(ctx, limit);
}
/* The names of CAs that `from` was sent by its server are sent to the clients of `to`. */
static inline void pp_SSL_copy_CA_names(SSL *to, const SSL *from) {
    const STACK_OF(X509_NAME) *names = SSL_get0_peer_CA_list(from);
    if (names != NULL) SSL_set0_CA_list(to, SSL_dup_CA_list(names));
}
static inline long pp_SSL_ask_for_status(SSL *ssl) {
    return SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
}
/* The length of the stapled answer, which `ssl` keeps; -1: there is none. */
static inline long pp_SSL_get_status(SSL *ssl, const unsigned char **answer) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, answer);
}
static inline long pp_SSL_CTX_set_status_callback(SSL_CTX *ctx, int (*callback)(SSL *, void *)) {
    return SSL_CTX_set_tlsext_status_cb(ctx, callback);
}
/* `answer` was allocated by OpenSSL, and is the session's from here on. */
static inline long pp_SSL_set_status(SSL *ssl, unsigned char *answer, long count) {
    return SSL_set_tlsext_status_ocsp_resp(ssl, answer, count);
}
/* Sessions get ids, and nothing is kept here: who asks for one is told that it is unknown. */
static inline void pp_SSL_CTX_forget_sessions(SSL_CTX *ctx) {
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL);
}
/* A client keeps nothing, and tells its callback of each session that it was given. */
static inline void pp_SSL_CTX_tell_of_sessions(SSL_CTX *ctx) {
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}
static inline long pp_SSL_CTX_choose_dh_parameters(SSL_CTX *ctx) { return SSL_CTX_set_dh_auto(ctx, 1); }

#endif
