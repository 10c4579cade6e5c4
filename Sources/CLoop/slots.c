// libevent's smallest blocks, in a place of their own.
//
// For each descriptor that a loop has ever had libevent keeps 20 bytes until the loop ends (evmap.c). They are made among the
// blocks of the descriptor's first connection, and what those leave when they go cannot be given back to the system: of 9,000
// connections 50 MB of empty pages stayed, with one such block in every sixth.
//
// Only what is made while an event is added lies there. Elsewhere libevent 2.1 hands memory of its own to free()
// (evutil_inet_pton_scope, for a name server such as fe80::1%eth0), which must be malloc's.
#include "include/CLoop.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PP_PLAIN_MEMORY
#endif
#endif
#if !defined(__linux__)
#define PP_PLAIN_MEMORY
#endif

#ifndef PP_PLAIN_MEMORY
#include <sys/mman.h>

// 20,000 descriptors on two loops, and more; 2 MB of addresses, of which a page is there once something lies in it.
enum { size = 32, limit = 65536 };
union slot {
    union slot *next;
    unsigned char bytes[size];
};
static union slot *slots, *unused;
static size_t fresh, in_use;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int is_adding;

static int is_slot(const void *block) {
    return (const unsigned char *)block >= slots[0].bytes && (const unsigned char *)block < slots[limit].bytes;
}

static void *allocate(size_t count) {
    if (!is_adding || count > size) return malloc(count);
    pthread_mutex_lock(&lock);
    union slot *slot = unused;
    if (slot != NULL) {
        unused = slot->next;
    } else if (fresh < limit) {
        slot = slots + fresh++;
    }
    in_use += slot != NULL;
    pthread_mutex_unlock(&lock);
    return slot != NULL ? slot : malloc(count);
}

static void release(void *block) {
    if (block == NULL || !is_slot(block)) {
        free(block);
        return;
    }
    union slot *slot = block;
    pthread_mutex_lock(&lock);
    slot->next = unused;
    unused = slot;
    in_use--;
    pthread_mutex_unlock(&lock);
}

static void *reallocate(void *block, size_t count) {
    if (block == NULL) return allocate(count);
    if (!is_slot(block)) return realloc(block, count);
    if (count > 0 && count <= size) return block;
    void *larger = count > 0 ? malloc(count) : NULL;
    if (larger != NULL) memcpy(larger, block, size);
    if (larger != NULL || count == 0) release(block);
    return larger;
}

static void begin(void) {
    void *place = mmap(NULL, sizeof(union slot) * limit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return;
    slots = place;
    // What libevent has already is malloc's, and goes back to it.
    event_set_mem_functions(allocate, reallocate, release);
}

void pp_keep_event_slots(void) { pthread_once(&once, begin); }

int pp_event_add(struct event *event, const struct timeval *timeout) {
    is_adding = 1;
    int result = event_add(event, timeout);
    is_adding = 0;
    return result;
}

long pp_event_slots_in_use(void) {
    pthread_mutex_lock(&lock);
    long count = slots != NULL ? (long)in_use : -1;
    pthread_mutex_unlock(&lock);
    return count;
}
#else
void pp_keep_event_slots(void) {}
int pp_event_add(struct event *event, const struct timeval *timeout) { return event_add(event, timeout); }
long pp_event_slots_in_use(void) { return -1; }
#endif
