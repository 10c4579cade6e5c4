#ifndef PINPROOF_CEVENT_H
#define PINPROOF_CEVENT_H
/* First: libevent's headers define _GNU_SOURCE, after which fd_set would differ from Glibc's module. */
#include <sys/select.h>
#include <event2/event.h>
#include <event2/dns.h>
#include <event2/util.h>
#endif
