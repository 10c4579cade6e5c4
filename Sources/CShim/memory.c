// OpenSSL's memory, with its record buffers kept for the next record.
//
// With SSL_MODE_RELEASE_BUFFERS a session that waits holds no buffers, which an idle proxy of 9,000 sessions lives by; but each
// record that a busy one reads or writes takes 16 KiB from malloc and gives them back, too many for its quick lists. So a
// few blocks of that size stay with each thread.
#include <openssl/crypto.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PP_PLAIN_MEMORY
#endif
#endif
#if !defined(__linux__)
#define PP_PLAIN_MEMORY
#endif

#ifndef PP_PLAIN_MEMORY
#include <malloc.h>
#include <pthread.h>

// A record's buffer takes some 16.7 KB, a handshake's first message 21.8 KB (BUF_MEM_grow of 16 KiB).
enum { class_count = 2, block_limit = 8 };
static const size_t least[class_count] = {16 * 1024, 20 * 1024};
static const size_t most[class_count] = {17 * 1024, 22 * 1024};
// malloc rounds up, by less than this.
enum { slack = 64 };

// 8 blocks of each: some 312 KB a thread at most.
struct kept {
    int counts[class_count];
    void *blocks[class_count][block_limit];
};
static _Thread_local struct kept *own;
static pthread_key_t key;
static int has_key;

static void give_back(void *all) {
    struct kept *kept = all;
    for (int class = 0; class < class_count; class++) {
        while (kept->counts[class] > 0) free(kept->blocks[class][--kept->counts[class]]);
    }
    free(kept);
    // Whatever is freed after this, by other threads' ends, goes to malloc.
    own = NULL;
}

static int class_of(size_t count, size_t above) {
    for (int class = 0; class < class_count; class++) {
        if (count >= least[class] && count <= most[class] + above) return class;
    }
    return -1;
}

static void *allocate(size_t count, const char *file, int line) {
    int class = class_of(count, 0);
    if (class < 0) return malloc(count);
    if (own != NULL && own->counts[class] > 0) return own->blocks[class][--own->counts[class]];
    return malloc(most[class]);
}

static void *reallocate(void *block, size_t count, const char *file, int line) { return realloc(block, count); }

static void release(void *block, const char *file, int line) {
    size_t count = block == NULL ? 0 : malloc_usable_size(block);
    int class = count >= least[0] ? class_of(count, slack) : -1;
    // Of a class is what has room for the largest of it.
    if (class < 0 || count < most[class]) {
        free(block);
        return;
    }
    if (own == NULL && has_key) {
        own = calloc(1, sizeof *own);
        if (own != NULL && pthread_setspecific(key, own) != 0) {
            free(own);
            own = NULL;
        }
    }
    if (own == NULL || own->counts[class] == block_limit) {
        free(block);
        return;
    }
    own->blocks[class][own->counts[class]++] = block;
}

void pp_keep_record_buffers(void) {
    // OpenSSL refuses where it has allocated something already; then all is as it was.
    has_key = pthread_key_create(&key, give_back) == 0;
    CRYPTO_set_mem_functions(allocate, reallocate, release);
}
#else
void pp_keep_record_buffers(void) {}
#endif
