/* What idle connections cost with libcurl alone: handles with CURLOPT_CONNECT_ONLY in a multi handle, whose sockets are
 * watched by epoll, edge-triggered. Nothing is sent.
 *
 * RawIdle URL COUNT SECONDS AUTHORITY CACHES. AUTHORITY is a file, or "-" for clear text. With CACHES 1, each connection has a
 * connection cache of its own, a share object. Prints what WebSocketIdle does. */

#define _GNU_SOURCE
#include <stdio.h>

#ifndef __linux__
int main(void) {
    fputs("benchmark: epoll exists on Linux only\n", stderr);
    return 69;
}
#else

#include "PeerFailure.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu_microseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* A number of /proc/self/status, in kibibytes. */
static long kibibytes(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) fail("/proc/self/status: %s", strerror(errno));
    char line[256];
    long value = -1;
    while (value < 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name))) value = strtol(line + strlen(name), NULL, 10);
    fclose(file);
    if (value < 0) fail("%s is unknown", name);
    return value;
}

static void set(CURLcode code) {
    if (code != CURLE_OK) fail("%s", curl_easy_strerror(code));
}

/* Makes one connection, and watches its socket. */
static void open_one(CURLM *multi, int epoll, const char *url, const char *authority, int has_cache) {
    CURL *easy = checked(curl_easy_init());
    set(curl_easy_setopt(easy, CURLOPT_URL, url));
    set(curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L));
    set(curl_easy_setopt(easy, CURLOPT_PROXY, ""));
    set(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
    if (authority) set(curl_easy_setopt(easy, CURLOPT_CAINFO, authority));
    if (has_cache) {
        CURLSH *share = checked(curl_share_init());
        if (curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) != CURLSHE_OK) fail("no share object");
        set(curl_easy_setopt(easy, CURLOPT_SHARE, share));
    }
    if (curl_multi_add_handle(multi, easy) != CURLM_OK) fail("curl_multi_add_handle fails");
    double limit = now() + 30;
    CURLMsg *message = NULL;
    while (!message) {
        int running, left;
        if (now() > limit) fail("no connection within 30 seconds");
        if (curl_multi_perform(multi, &running) != CURLM_OK) fail("curl_multi_perform fails");
        message = curl_multi_info_read(multi, &left);
        if (!message && curl_multi_poll(multi, NULL, 0, 100, NULL) != CURLM_OK) fail("curl_multi_poll fails");
    }
    set(message->data.result);
    curl_socket_t socket;
    set(curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket));
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = easy};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event)) fail("epoll_ctl: %s", strerror(errno));
}

/* Waits for events of the sockets, and reads what arrives: no bytes, but TLS 1.3 has tickets. */
static int take_events(int epoll, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, milliseconds);
    if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        if (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) fail("the server ends a connection");
        char byte;
        size_t read;
        if (events[i].events & EPOLLIN && curl_easy_recv(events[i].data.ptr, &byte, 1, &read) != CURLE_AGAIN)
            fail("the server sends or ends");
    }
    return count;
}

static void idle(int epoll, double seconds) {
    double end = now() + seconds;
    for (double left = seconds; left > 0; left = end - now()) take_events(epoll, (int)(left * 1000) + 1);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 6) {
        fputs("usage: RawIdle URL COUNT SECONDS AUTHORITY CACHES\n", stderr);
        return 64;
    }
    long count = strtol(arguments[2], NULL, 10), seconds = strtol(arguments[3], NULL, 10);
    const char *authority = strcmp(arguments[4], "-") ? arguments[4] : NULL;
    int has_cache = !strcmp(arguments[5], "1");
    if (count < 1 || seconds < 1) fail("COUNT and SECONDS are at least 1");

    if (curl_global_init(CURL_GLOBAL_DEFAULT)) fail("curl_global_init fails");
    CURLM *multi = checked(curl_multi_init());
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) fail("epoll_create1: %s", strerror(errno));
    /* The first loads what all share: libraries, the authorities, the system's names. */
    open_one(multi, epoll, arguments[1], authority, has_cache);
    long peak = kibibytes("VmHWM:"), before = kibibytes("VmRSS:");
    for (long number = 0; number < count; number++) {
        open_one(multi, epoll, arguments[1], authority, has_cache);
        while (take_events(epoll, 0) > 0) continue;
    }
    long after = kibibytes("VmRSS:");
    /* What the last connection still has to tell, such as that it may be written to. */
    idle(epoll, 0.5);
    double start = cpu_microseconds();
    idle(epoll, (double)seconds);
    printf("{\"bytes\":%.0f,\"microseconds\":%.0f,\"peakResidentKibibytes\":%ld}\n", (double)(after - before) * 1024 / (double)count,
           (cpu_microseconds() - start) / (double)seconds, peak);
    return 0;
}
#endif
