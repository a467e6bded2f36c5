/* HTTP/1.1 on the sockets themselves. The server is trusted to be correct: what the parser does not know ends the run. */

#ifdef __linux__
#define _GNU_SOURCE
#include "PeerFailure.h"
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { head_bytes = 16384, chunk_bytes = 128 * 1024 };

/* A connection and the request on it. */
struct exchange {
    struct connection connection;
    uint64_t started;
    char in[head_bytes];
    size_t in_length;
    /* The length of the body, or -1 before the head is whole. */
    long long length;
    long long received;
    char *body;
    /* Of an upload: the file, or -1; the part of `chunk` that is not sent yet; and whether epoll reports space. */
    int file;
    size_t chunk_start, chunk_end;
    int awaits_space;
};

struct http1 {
    struct loop *loop;
    struct exchange *exchanges;
    /* What is read from the file of the upload, or of a body that is only counted. Large bodies go one at a time. */
    char chunk[chunk_bytes];
};

static void watch(struct http1 *client, struct exchange *exchange, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = exchange};
    if (epoll_ctl(client->loop->epoll, operation, exchange->connection.socket, &event)) fail("epoll_ctl");
}

struct http1 *http1_open(struct loop *loop) {
    struct http1 *client = checked(calloc(1, sizeof *client));
    client->loop = loop;
    client->exchanges = checked(calloc((size_t)loop->options->concurrency, sizeof *client->exchanges));
    for (long i = 0; i < loop->options->concurrency; i++) {
        struct exchange *exchange = &client->exchanges[i];
        exchange->connection = connect_to(loop->options->url, loop->options);
        exchange->file = -1;
        watch(client, exchange, EPOLL_CTL_ADD, EPOLLIN);
    }
    return client;
}

static size_t send_some(struct exchange *exchange, const char *bytes, size_t length, int flags) {
    ssize_t count = send(exchange->connection.socket, bytes, length, MSG_NOSIGNAL | flags);
    if (count < 0 && errno != EAGAIN) fail("send: %s", strerror(errno));
    return count < 0 ? 0 : (size_t)count;
}

static void send_file(struct http1 *client, struct exchange *exchange) {
    for (;;) {
        if (exchange->chunk_start == exchange->chunk_end) {
            ssize_t count = read(exchange->file, client->chunk, sizeof client->chunk);
            if (count < 0) fail("read: %s", strerror(errno));
            if (count == 0) break;
            exchange->chunk_start = 0;
            exchange->chunk_end = (size_t)count;
        }
        size_t left = exchange->chunk_end - exchange->chunk_start;
        size_t sent = send_some(exchange, client->chunk + exchange->chunk_start, left, 0);
        exchange->chunk_start += sent;
        if (sent < left) {
            if (!exchange->awaits_space) watch(client, exchange, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
            exchange->awaits_space = 1;
            return;
        }
    }
    close(exchange->file);
    exchange->file = -1;
    if (exchange->awaits_space) watch(client, exchange, EPOLL_CTL_MOD, EPOLLIN);
    exchange->awaits_space = 0;
}

static void start(struct http1 *client, struct exchange *exchange) {
    struct loop *loop = client->loop;
    char head[2048], length[48] = "";
    struct stat file;
    exchange->in_length = 0;
    exchange->length = -1;
    exchange->received = 0;
    exchange->started = monotonic_nanoseconds();
    if (loop->file) {
        exchange->file = open(loop->file, O_RDONLY | O_CLOEXEC);
        if (exchange->file < 0 || fstat(exchange->file, &file)) fail("%s cannot be read", loop->file);
        exchange->chunk_start = exchange->chunk_end = 0;
        snprintf(length, sizeof length, "content-length: %lld\r\n", (long long)file.st_size);
    }
    int count = snprintf(head, sizeof head,
                         "%s %s HTTP/1.1\r\nhost: %s\r\n%s\r\naccept: application/json\r\nuser-agent: benchmark/1\r\n%s\r\n",
                         loop->file ? "PUT" : "GET", loop->address.path, loop->address.authority, run_authorization,
                         length);
    if (count < 0 || (size_t)count >= sizeof head) fail("the URL is too long");
    /* Nothing else is under way on the connection, so its buffer has room for a head. */
    if (send_some(exchange, head, (size_t)count, loop->file ? MSG_MORE : 0) != (size_t)count) fail("send: no space");
    loop->started++;
    if (loop->file) send_file(client, exchange);
}

/* Reads the head between `exchange->in` and `end`, which is the empty line. */
static void read_head(struct http1 *client, struct exchange *exchange, const char *end) {
    int is_protocol = client->loop->options->transfer != transfer_none;
    const char *line = memchr(exchange->in, '\n', (size_t)(end + 2 - exchange->in));
    if (strncmp(exchange->in, "HTTP/1.1 200 ", 13)) fail("the status is not 200");
    for (line++; line < end; ) {
        const char *next = memchr(line, '\r', (size_t)(end + 1 - line));
        const char *colon = next ? memchr(line, ':', (size_t)(next - line)) : NULL;
        if (!colon || colon == line || next[1] != '\n') fail("a header is malformed");
        const char *value = colon + 1, *last = next;
        while (value < last && (*value == ' ' || *value == '\t')) value++;
        while (last > value && (last[-1] == ' ' || last[-1] == '\t')) last--;
        size_t name_length = (size_t)(colon - line), value_length = (size_t)(last - value);
        if (name_length == 14 && !strncasecmp(line, "content-length", 14))
            exchange->length = parse_length(value, value_length);
        else if (name_length == 17 && !strncasecmp(line, "transfer-encoding", 17))
            fail("transfer codings are not supported");
        else if (name_length == 10 && !strncasecmp(line, "connection", 10) && value_length == 5 &&
                 !strncasecmp(value, "close", 5))
            fail("the server ends the connection");
        else if (!is_protocol)
            is_protocol = names_protocol(client->loop->options, line, name_length, value, value_length);
        line = next + 2;
    }
    if (exchange->length < 0) fail("the response has no length");
    if (!is_protocol) fail("the server spoke another protocol");
}

/* Whether bodies are counted and not kept. */
static int counts_only(const struct http1 *client) { return client->loop->options->transfer == transfer_download; }

static void begin_body(struct http1 *client, struct exchange *exchange, const char *bytes, size_t length) {
    if ((long long)length > exchange->length) fail("the response is longer than its length");
    exchange->received = (long long)length;
    if (counts_only(client)) return;
    exchange->body = checked(malloc((size_t)exchange->length + 1));
    memcpy(exchange->body, bytes, length);
}

static void check_answer(struct http1 *client, struct exchange *exchange) {
    long long length = exchange->length;
    if (client->loop->options->transfer == transfer_upload)
        length = parse_length(exchange->body, (size_t)exchange->length);
    if (length != client->loop->body_bytes) fail("the body has %lld bytes", length);
    if (exchange->file >= 0) fail("the response came before the request was sent");
    free(exchange->body);
    exchange->body = NULL;
}

static ssize_t receive(struct exchange *exchange, char *bytes, size_t length) {
    ssize_t count = recv(exchange->connection.socket, bytes, length, 0);
    if (count < 0 && errno != EAGAIN) fail("recv: %s", strerror(errno));
    if (count == 0) fail("the server ended the connection");
    return count < 0 ? 0 : count;
}

/* Reads what is there; returns whether the response is whole. */
static int receive_response(struct http1 *client, struct exchange *exchange) {
    if (exchange->length < 0) {
        if (exchange->in_length == sizeof exchange->in) fail("the head is too long");
        ssize_t count = receive(exchange, exchange->in + exchange->in_length, sizeof exchange->in - exchange->in_length);
        /* The empty line may have begun with the bytes before. */
        size_t from = exchange->in_length < 3 ? 0 : exchange->in_length - 3;
        exchange->in_length += (size_t)count;
        char *end = memmem(exchange->in + from, exchange->in_length - from, "\r\n\r\n", 4);
        if (!end) return 0;
        read_head(client, exchange, end);
        begin_body(client, exchange, end + 4, exchange->in_length - (size_t)(end + 4 - exchange->in));
    } else {
        long long left = exchange->length - exchange->received;
        char *target = counts_only(client) ? client->chunk : exchange->body + exchange->received;
        size_t room = counts_only(client) && left > chunk_bytes ? chunk_bytes : (size_t)left;
        exchange->received += receive(exchange, target, room);
    }
    return exchange->received == exchange->length;
}

void http1_run(struct http1 *client, long total) {
    struct loop *loop = client->loop;
    struct epoll_event events[64];
    loop->total = total;
    loop->started = loop->answered = 0;
    for (long i = 0; i < loop->options->concurrency && loop->started < total; i++) start(client, &client->exchanges[i]);
    while (loop->answered < total) {
        int count = epoll_wait(loop->epoll, events, 64, 30000);
        if (count <= 0) fail("nothing came within 30 seconds");
        for (int i = 0; i < count; i++) {
            struct exchange *exchange = events[i].data.ptr;
            if (events[i].events & EPOLLOUT) send_file(client, exchange);
            if (!(events[i].events & ~(uint32_t)EPOLLOUT) || !receive_response(client, exchange)) continue;
            check_answer(client, exchange);
            loop->latencies[loop->answered++] = latency_since(exchange->started);
            if (loop->started < total) start(client, exchange);
        }
    }
}
#endif
