/* Macros of OpenSSL that do not reach Swift, as functions of the same meaning. No logic lives here. */
#ifndef PINPROOF_CSHIM_H
#define PINPROOF_CSHIM_H

#include "CertificateShim.h"
#include "SessionShim.h"
#include "p256.h"

#endif
