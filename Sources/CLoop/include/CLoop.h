#ifndef PINPROOF_CLOOP_H
#define PINPROOF_CLOOP_H

struct event;
struct timeval;

/* Prepares a place for what libevent keeps of descriptors, once; anything else comes from malloc, as before. */
void pp_keep_event_slots(void);

/* event_add; what libevent keeps of the event's descriptor lies in that place. */
int pp_event_add(struct event *event, const struct timeval *timeout);

/* How many blocks lie there now; -1 where there is no such place. For tests. */
long pp_event_slots_in_use(void);

#endif
