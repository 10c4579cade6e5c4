#include "CShim.h"

#include <openssl/crypto.h>

// memory.c.
void pp_keep_record_buffers(void);

// Before anything else can set OpenSSL up: its own cleanup at exit takes locks and tables away from threads that still use
// them, and a process that was done ends by SIGSEGV.
__attribute__((constructor)) static void pp_prepare_openssl(void) {
    pp_keep_record_buffers();
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
