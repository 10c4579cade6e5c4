#ifndef PINPROOF_CLOOP_H
#define PINPROOF_CLOOP_H

#include <stddef.h>

/* Gives libevent's smallest blocks a place of their own, once; anything else comes from malloc, as before. */
void pp_keep_event_slots(void);

/* How many blocks lie there now; -1 where there is no such place. For tests. */
long pp_event_slots_in_use(void);

#endif
