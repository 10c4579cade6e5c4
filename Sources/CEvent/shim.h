#ifndef PINPROOF_CEVENT_H
#define PINPROOF_CEVENT_H
/* First: libevent's headers define _GNU_SOURCE, after which fd_set would differ from Glibc's module. */
#include <sys/select.h>
#include <arpa/inet.h>
#include <errno.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/util.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#if defined(__linux__)
#include <features.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <net/if.h>
#include <sys/eventfd.h>

/* Of no protocol: nothing is kept before it is bound. */
static inline int pp_packet_socket(void) { return socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

/* Binds a packet socket to every interface there is and will be. */
static inline int pp_bind_packets(int fd) {
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
    return bind(fd, (struct sockaddr *)&address, sizeof address);
}

static inline int pp_attach_filter(int fd, const struct sock_filter *instructions, unsigned short count) {
    struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}
#endif

/* Bytes of the send queue that the peer has not acknowledged; -1 where the system cannot tell.
   Linux: SIOCOUTQ is write_seq - snd_una, which survives an RST (TCP_INFO's unacked count does not). */
static inline int pp_unacknowledged(int fd) {
    int count = -1;
#if defined(__linux__)
    if (ioctl(fd, SIOCOUTQ, &count) != 0) return -1;
#elif defined(SO_NWRITE)
    socklen_t length = sizeof count;
    if (getsockopt(fd, SOL_SOCKET, SO_NWRITE, &count, &length) != 0) return -1;
#endif
    return count;
}

/* A descriptor pair that wakes a loop: written to at [1], read at [0]; both the same eventfd on Linux. */
static inline int pp_wakeup_open(int fds[2]) {
#if defined(__linux__)
    fds[0] = fds[1] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fds[0] < 0 ? -1 : 0;
#else
    if (pipe(fds) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
#endif
}

static inline int pp_accept(int fd, struct sockaddr *address, socklen_t *length) {
#if defined(__linux__)
    return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    int client = accept(fd, address, length);
    if (client >= 0) {
        fcntl(client, F_SETFL, O_NONBLOCK);
        fcntl(client, F_SETFD, FD_CLOEXEC);
    }
    return client;
#endif
}

/* Names the calling thread, for debuggers and top. */
static inline void pp_name_thread(const char *name) {
#if defined(__linux__)
    pthread_setname_np(pthread_self(), name);
#else
    pthread_setname_np(name);
#endif
}

static inline int pp_socket(int family) {
#if defined(__linux__)
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    int fd = socket(family, SOCK_STREAM, 0);
    if (fd >= 0) {
        int on = 1;
        fcntl(fd, F_SETFL, O_NONBLOCK);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
    return fd;
#endif
}

/* A connection to the Unix socket at `path`: its descriptor, or -1. It is there at once or not at all. */
static inline int pp_connect_local(const char *path) {
    struct sockaddr_un address = {0};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, path);
    int fd = pp_socket(AF_UNIX);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}
/* The version of the C library that is loaded; NULL where it tells none. */
static inline const char *pp_c_library(void) {
#if defined(__GLIBC__)
    return gnu_get_libc_version();
#else
    return NULL;
#endif
}

/* Pages of the heap that hold nothing go back to the system; where the C library has no such call, nothing happens. */
static inline void pp_give_back_heap(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

#endif
