/* HTTP/2 by libnghttp2, over the TLS of libcurl's connection. */

#ifdef __linux__
#include "PeerFailure.h"
#include "engine.h"

#include <nghttp2/nghttp2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

/* Four records of TLS, so that the frames of all requests at a time leave with one call. */
enum { buffer_bytes = 65536 };

struct http2 {
    struct loop *loop;
    struct connection connection;
    nghttp2_session *session;
    uint32_t watched;
    size_t out_start, out_end;
    uint8_t out[buffer_bytes];
    uint8_t in[buffer_bytes];
};

/* One request and the body of its response. */
struct stream {
    uint64_t started;
    char *body;
    long long length;
    long long received;
    int is_success;
    int is_protocol;
};

static void submit(struct http2 *client) {
    struct loop *loop = client->loop;
    struct stream *stream = checked(calloc(1, sizeof *stream));
    /* "authorization: Bearer …" is one line. */
    static const size_t name_length = sizeof "authorization" - 1;
    const char *authorization = run_authorization + name_length + 2;
#define FIELD(name, value) \
    { (uint8_t *)name, (uint8_t *)(value), sizeof name - 1, strlen(value), NGHTTP2_NV_FLAG_NO_COPY_NAME }
    const nghttp2_nv fields[] = {
        FIELD(":method", "GET"), FIELD(":scheme", "https"), FIELD(":authority", loop->address.authority),
        FIELD(":path", loop->address.path), FIELD("authorization", authorization),
        FIELD("accept", "application/json"), FIELD("user-agent", "benchmark/1"),
    };
#undef FIELD
    stream->length = -1;
    stream->started = monotonic_nanoseconds();
    if (nghttp2_submit_request(client->session, NULL, fields, sizeof fields / sizeof *fields, NULL, stream) < 0)
        fail("nghttp2_submit_request");
    loop->started++;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
                     const uint8_t *value, size_t value_length, uint8_t flags, void *context) {
    struct http2 *client = context;
    struct stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    (void)flags;
    if (!stream) return 0;
    if (name_length == 7 && !memcmp(name, ":status", 7))
        stream->is_success = value_length == 3 && !memcmp(value, "200", 3);
    else if (name_length == 14 && !memcmp(name, "content-length", 14)) {
        if (stream->body) fail("the response has two lengths");
        stream->length = parse_length((const char *)value, value_length);
        if (stream->length != client->loop->body_bytes) fail("the body has %lld bytes", stream->length);
        stream->body = checked(malloc((size_t)stream->length + 1));
    } else if (!stream->is_protocol)
        stream->is_protocol = names_protocol(client->loop->options, (const char *)name, name_length,
                                             (const char *)value, value_length);
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length,
                   void *context) {
    struct stream *stream = nghttp2_session_get_stream_user_data(session, id);
    (void)flags;
    (void)context;
    if (!stream || (long long)length > stream->length - stream->received) fail("the response is longer than its length");
    memcpy(stream->body + stream->received, bytes, length);
    stream->received += (long long)length;
    return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t code, void *context) {
    struct http2 *client = context;
    struct loop *loop = client->loop;
    struct stream *stream = nghttp2_session_get_stream_user_data(session, id);
    if (!stream) return 0;
    if (code || !stream->is_success || !stream->is_protocol || stream->received != loop->body_bytes)
        fail("error %u, another status, length or protocol", code);
    loop->latencies[loop->answered++] = latency_since(stream->started);
    free(stream->body);
    free(stream);
    if (loop->started < loop->total) submit(client);
    return 0;
}

/* Returns whether everything in the buffer was sent. */
static int send_buffer(struct http2 *client) {
    while (client->out_start < client->out_end) {
        size_t sent = 0;
        CURLcode result = curl_easy_send(client->connection.handle, client->out + client->out_start,
                                         client->out_end - client->out_start, &sent);
        if (result == CURLE_AGAIN) return 0;
        if (result) fail("curl_easy_send: %s", curl_easy_strerror(result));
        client->out_start += sent;
    }
    client->out_start = client->out_end = 0;
    return 1;
}

/* Sends the frames of the session, many with one call. */
static void send_frames(struct http2 *client) {
    int is_sent = send_buffer(client);
    while (is_sent) {
        const uint8_t *bytes = NULL;
        ssize_t length = nghttp2_session_mem_send(client->session, &bytes);
        if (length < 0) fail("nghttp2_session_mem_send: %s", nghttp2_strerror((int)length));
        if (length == 0) {
            is_sent = send_buffer(client);
            break;
        }
        if ((size_t)length > sizeof client->out) fail("a frame is too long");
        if (client->out_end + (size_t)length > sizeof client->out && !send_buffer(client)) fail("the server does not read");
        memcpy(client->out + client->out_end, bytes, (size_t)length);
        client->out_end += (size_t)length;
    }
    struct epoll_event event = {.events = EPOLLIN | (is_sent ? 0 : EPOLLOUT)};
    if (event.events == client->watched) return;
    if (epoll_ctl(client->loop->epoll, client->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, client->connection.socket, &event))
        fail("epoll_ctl");
    client->watched = event.events;
}

static void receive_frames(struct http2 *client) {
    for (;;) {
        size_t length = 0;
        CURLcode result = curl_easy_recv(client->connection.handle, client->in, sizeof client->in, &length);
        if (result == CURLE_AGAIN) return;
        if (result || length == 0) fail("the server ended the connection");
        ssize_t used = nghttp2_session_mem_recv(client->session, client->in, length);
        if (used < 0) fail("nghttp2_session_mem_recv: %s", nghttp2_strerror((int)used));
    }
}

struct http2 *http2_open(struct loop *loop) {
    static const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20},
    };
    struct http2 *client = checked(calloc(1, sizeof *client));
    nghttp2_session_callbacks *callbacks = NULL;
    client->loop = loop;
    client->connection = connect_to(loop->options->url, loop->options);
    if (strcmp(client->connection.protocol, "h2")) fail("the server does not choose HTTP/2");
    if (nghttp2_session_callbacks_new(&callbacks)) fail("out of memory");
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    if (nghttp2_session_client_new(&client->session, callbacks, client)) fail("out of memory");
    nghttp2_session_callbacks_del(callbacks);
    if (nghttp2_submit_settings(client->session, NGHTTP2_FLAG_NONE, settings, sizeof settings / sizeof *settings) ||
        nghttp2_session_set_local_window_size(client->session, NGHTTP2_FLAG_NONE, 0, 1 << 24))
        fail("the session cannot be set up");
    return client;
}

void http2_run(struct http2 *client, long total) {
    struct loop *loop = client->loop;
    struct epoll_event event;
    loop->total = total;
    loop->started = loop->answered = 0;
    for (long i = 0; i < loop->options->concurrency && loop->started < total; i++) submit(client);
    send_frames(client);
    while (loop->answered < total) {
        if (epoll_wait(loop->epoll, &event, 1, 30000) <= 0) fail("nothing came within 30 seconds");
        receive_frames(client);
        send_frames(client);
    }
}
#endif
