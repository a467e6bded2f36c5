// libcurl as Swift can call it: its setters and getters are variadic, and a value of the wrong width is undefined
// behaviour, so each kind of value gets a wrapper of its own.
#ifndef HELIUM_CLIBCURL_H
#define HELIUM_CLIBCURL_H

#include <curl/curl.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#include "ChannelTLS.h"

#if LIBCURL_VERSION_NUM < 0x075000
#error "Helium needs libcurl 7.80 or later"
#endif

// The version of libcurl at run time, a byte each for the major, minor and patch version.
static inline unsigned int helium_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

// Options of an easy handle.
static inline CURLcode helium_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode helium_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode helium_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

// Callbacks of an easy handle.
typedef size_t (*helium_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*helium_close_callback)(void *context, curl_socket_t socket);

static inline CURLcode helium_easy_set_data_callback(CURL *easy, CURLoption option, helium_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}
static inline CURLcode helium_easy_set_open_callback(CURL *easy, curl_opensocket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode helium_easy_set_close_callback(CURL *easy, helium_close_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

// A socket that no child process inherits.
static inline curl_socket_t helium_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    curl_socket_t fresh = socket(address->family, address->socktype, address->protocol);
    if (fresh != CURL_SOCKET_BAD) fcntl(fresh, F_SETFD, FD_CLOEXEC);
    return fresh;
#endif
}

static inline int helium_close_socket(curl_socket_t socket) { return close(socket); }

// Writes to a connected socket. A peer that has gone is an error and never the signal SIGPIPE; where there is no flag for that,
// libcurl has set the option of the socket.
static inline ssize_t helium_send(curl_socket_t socket, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(socket, bytes, count, MSG_NOSIGNAL);
#else
    return send(socket, bytes, count, 0);
#endif
}

// The same for two blocks of bytes, one after the other.
static inline ssize_t helium_send_both(curl_socket_t socket, const void *first, size_t first_count, const void *second,
                                       size_t second_count) {
    struct iovec parts[2] = {{(void *)first, first_count}, {(void *)second, second_count}};
    struct msghdr message = {0};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
#ifdef MSG_NOSIGNAL
    return sendmsg(socket, &message, MSG_NOSIGNAL);
#else
    return sendmsg(socket, &message, 0);
#endif
}

// The error of a connected socket, once; 0 if there is none.
static inline int helium_take_error(curl_socket_t socket) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : 0;
}

// Facts about a transfer.
static inline CURLcode helium_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode helium_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode helium_easy_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode helium_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

// What differs between versions of libcurl.
static inline CURLcode helium_easy_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}
// Lets go of a name look-up that is under way instead of waiting for it: getaddrinfo can't be interrupted.
static inline CURLcode helium_easy_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

// Options of a multi handle.
typedef int (*helium_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*helium_timer_callback)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode helium_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode helium_multi_set_socket_callback(CURLM *multi, helium_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}
static inline CURLMcode helium_multi_set_timer_callback(CURLM *multi, helium_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// A cache of connections for the transfers that get it as CURLOPT_SHARE, or NULL. Without locks: for one thread.
static inline CURLSH *helium_make_connection_cache(void) {
    CURLSH *share = curl_share_init();
    if (share && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) != CURLSHE_OK) {
        curl_share_cleanup(share);
        return NULL;
    }
    return share;
}

// The next transfer that has ended, or NULL.
static inline CURL *helium_multi_next_ended(CURLM *multi, CURLcode *code) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
        if (message->msg == CURLMSG_DONE) {
            *code = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

static inline CURLcode helium_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Tells the calling thread from all other living ones; never 0.
static inline uintptr_t helium_current_thread(void) { return (uintptr_t)pthread_self(); }

#endif
