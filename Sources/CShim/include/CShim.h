/* Macros of OpenSSL that do not reach Swift, as functions of the same meaning. No logic lives here. */
#ifndef PINPROOF_CSHIM_H
#define PINPROOF_CSHIM_H

#include <openssl/ssl.h>
#include <openssl/x509.h>

long pp_SSL_set_tlsext_host_name(SSL *ssl, const char *name);

#endif
