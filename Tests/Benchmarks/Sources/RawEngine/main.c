/* The floor below libcurl's: HTTP that is spoken on connections which libcurl only makes.
 *
 * One thread and epoll, a closed loop. HTTP/1.1 has a small parser here, HTTP/2 is libnghttp2's. Every request is
 * written anew, every response is checked, and every collected body has memory of its own. It has no time limits,
 * no cancellation and no reuse by origin. */

#ifndef __linux__
#include <stdio.h>
int main(void) {
    fputs("benchmark: the engine in C needs epoll\n", stderr);
    return 1;
}
#else
#include "PeerFailure.h"
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/stat.h>

struct address parse_address(const char *url) {
    struct address address;
    char *host = NULL, *port = NULL, *path = NULL, *query = NULL;
    CURLU *parts = checked(curl_url());
    if (curl_url_set(parts, CURLUPART_URL, url, 0) || curl_url_get(parts, CURLUPART_HOST, &host, 0) ||
        curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) ||
        curl_url_get(parts, CURLUPART_PATH, &path, 0))
        fail("%s is no URL", url);
    if (!curl_url_get(parts, CURLUPART_QUERY, &query, 0)) fail("a query is not supported");
    size_t length = strlen(host) + strlen(port) + 2;
    address.authority = checked(malloc(length));
    strcpy(address.authority, host);
    strcat(strcat(address.authority, ":"), port);
    address.path = checked(strdup(path));
    curl_free(host);
    curl_free(port);
    curl_free(path);
    curl_url_cleanup(parts);
    return address;
}

int names_protocol(const struct run_options *options, const char *name, size_t name_length, const char *value,
                   size_t value_length) {
    const char *expected = run_protocol(options);
    return name_length == strlen(run_looked_up_header) && !strncasecmp(name, run_looked_up_header, name_length) &&
           value_length == strlen(expected) && !memcmp(value, expected, value_length);
}

long long parse_length(const char *text, size_t length) {
    long long number = 0;
    if (length == 0 || length > 15) return -1;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

/* A small body first, then the measured ones. */
static void run_transfers(struct loop *loop) {
    const struct run_options *options = loop->options;
    int is_upload = options->transfer == transfer_upload;
    struct stat small;
    if (!options->warm_up_file || stat(options->warm_up_file, &small)) fail("--warm-up-file cannot be read");
    struct http1 *client = http1_open(loop);
    loop->address = parse_address(options->warm_up_url);
    loop->file = is_upload ? options->warm_up_file : NULL;
    loop->body_bytes = small.st_size;
    http1_run(client, 1);
    long resident = resident_kibibytes();
    loop->address = parse_address(options->url);
    loop->file = is_upload ? options->file : NULL;
    loop->body_bytes = options->body_bytes;
    struct usage before = current_usage();
    http1_run(client, options->requests);
    print_transfers(options, resident, before, current_usage());
}

static void run_requests(struct loop *loop) {
    const struct run_options *options = loop->options;
    struct http1 *http1 = options->http2 ? NULL : http1_open(loop);
    struct http2 *http2 = options->http2 ? http2_open(loop) : NULL;
    struct usage before;
    for (int measured = 0; measured <= 1; measured++) {
        long total = measured ? options->requests : options->warm_up;
        before = current_usage();
        if (http2) http2_run(http2, total);
        else http1_run(http1, total);
    }
    print_requests(options->requests, loop->latencies, before, current_usage());
}

int main(int count, char **arguments) {
    struct run_options options = parse_run_options(count, arguments);
    if (options.idle_streams > 0) fail("idle streams are not supported");
    if (options.transfer != transfer_none && options.concurrency != 1) fail("large bodies go one at a time");
    if (options.http2 != !strncmp(options.url, "https:", 6)) fail("TLS means HTTP/2, and HTTP/2 means TLS");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    long most = options.requests > options.warm_up ? options.requests : options.warm_up;
    struct loop loop = {
        .options = &options,
        .epoll = epoll_create1(EPOLL_CLOEXEC),
        .address = parse_address(options.url),
        .body_bytes = options.body_bytes,
        .latencies = checked(malloc(sizeof *loop.latencies * (size_t)most)),
    };
    if (loop.epoll < 0) fail("epoll_create1");
    if (options.transfer == transfer_none) run_requests(&loop);
    else run_transfers(&loop);
    return 0;
}
#endif
