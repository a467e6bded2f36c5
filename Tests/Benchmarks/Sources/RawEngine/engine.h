#ifndef HELIUM_RAW_ENGINE_H
#define HELIUM_RAW_ENGINE_H

#include "PeerRun.h"

#include <curl/curl.h>

/// The origin and the path of a URL.
struct address {
    char *authority;
    char *path;
};

/// A connection that libcurl made. The handle keeps it open.
struct connection {
    CURL *handle;
    int socket;
    /// The protocol that the server chose by ALPN, or an empty text.
    char protocol[16];
};

/// The requests of one run, or of its warm-up.
struct loop {
    const struct run_options *options;
    int epoll;
    struct address address;
    /// The file that is sent, or NULL.
    const char *file;
    long long body_bytes;
    uint32_t *latencies;
    long total;
    long started;
    long answered;
};

/// Splits a URL, or fails.
struct address parse_address(const char *url);

/// Connects to the origin of `url`, or fails. Offers HTTP/2 by ALPN if the run is one over HTTP/2.
struct connection connect_to(const char *url, const struct run_options *options);

/// Whether a response header is the one in which the server names the run's protocol. Names are compared without case.
int names_protocol(const struct run_options *options, const char *name, size_t name_length, const char *value,
                   size_t value_length);

/// Reads a decimal number, or returns -1 for anything else.
long long parse_length(const char *text, size_t length);

struct http1;
/// Opens a connection for each request at a time.
struct http1 *http1_open(struct loop *loop);
/// Makes `total` requests.
void http1_run(struct http1 *client, long total);

struct http2;
/// Opens the one connection.
struct http2 *http2_open(struct loop *loop);
/// Makes `total` requests.
void http2_run(struct http2 *client, long total);

#endif
