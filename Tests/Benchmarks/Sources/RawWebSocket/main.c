/* The floor of a WebSocket message: a client on epoll in C, one thread, one connection, in clear text or on OpenSSL.
 *
 * It does per message what any client must do (a masking key that cannot be predicted, a masked frame, one write, one
 * wait, one read, the frame's header checked) and nothing else: no fragments, no pings, no queue, no time-outs. It
 * compares every echo byte for byte. Takes the arguments of WebSocketEcho and prints the same lines. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#ifndef __linux__
int main(void) {
    fputs("benchmark: epoll exists on Linux only\n", stderr);
    return 69;
}
#else

#include "PeerFailure.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { text_frame = 0x81, close_frame = 0x88, masked = 0x80, longest_header = 14, rounds = 5 };

struct client {
    int socket;
    int epoll;
    int waits_to_write;
    /* NULL in clear text. */
    SSL *tls;
    /* Whether OpenSSL has no whole record: epoll must wait for the socket. */
    int tls_is_dry;
    /* The message, and what an unmasked frame with it looks like: the server's echo. */
    const uint8_t *message;
    size_t message_bytes;
    uint8_t *echo;
    size_t echo_bytes;
    /* Frames that are not written yet: never more than a window. */
    uint8_t *out;
    size_t out_end;
    /* Bytes that were read and are not part of a whole frame yet. */
    uint8_t *in;
    size_t in_end, in_capacity;
    /* Masking keys are drawn in bulk, as in our client: a system call for each would cost more than the message. */
    uint32_t keys[64];
    size_t used_keys;
};

static void draw(void *bytes, size_t count) {
    if (getrandom(bytes, count, 0) != (ssize_t)count) fail("getrandom: %s", strerror(errno));
}

/* MARK: Frames (RFC 6455 section 5.2) */

/* Writes the header of a frame and returns its length. */
static size_t put_header(uint8_t *out, uint8_t first, uint8_t mask, size_t length) {
    out[0] = first;
    if (length <= 125) {
        out[1] = mask | (uint8_t)length;
        return 2;
    }
    size_t size = length <= 0xFFFF ? 2 : 8;
    out[1] = mask | (size == 2 ? 126 : 127);
    for (size_t i = 0; i < size; i++) out[2 + i] = (uint8_t)((uint64_t)length >> 8 * (size - 1 - i));
    return 2 + size;
}

/* Appends a masked frame; the mask is applied eight bytes at a time. */
static void put_frame(struct client *client, uint8_t first, const uint8_t *payload, size_t length) {
    if (client->used_keys == sizeof client->keys / sizeof *client->keys) {
        draw(client->keys, sizeof client->keys);
        client->used_keys = 0;
    }
    uint32_t key = client->keys[client->used_keys++];
    uint8_t *out = client->out + client->out_end;
    out += put_header(out, first, masked, length);
    memcpy(out, &key, sizeof key);
    out += sizeof key;
    uint64_t wide;
    memcpy(&wide, (uint32_t[]){key, key}, sizeof wide);
    size_t index = 0;
    for (; index + 8 <= length; index += 8) {
        uint64_t word;
        memcpy(&word, payload + index, sizeof word);
        word ^= wide;
        memcpy(out + index, &word, sizeof word);
    }
    for (; index < length; index++) out[index] = payload[index] ^ ((const uint8_t *)&key)[index % 4];
    client->out_end = (size_t)(out + length - client->out);
}

/* MARK: Waiting, writing, reading */

static void watch(struct client *client, int operation, uint32_t events) {
    struct epoll_event event = {.events = events};
    if (epoll_ctl(client->epoll, operation, client->socket, &event)) fail("epoll_ctl: %s", strerror(errno));
}

static __attribute__((noreturn)) void fail_tls(const char *what) {
    unsigned long error = ERR_peek_error();
    fail("%s: %s", what, error ? ERR_error_string(error, NULL) : strerror(errno));
}

/* Writes some bytes of the frames that wait, from `start`. Returns 0 if the system takes no more now. */
static size_t put(struct client *client, size_t start) {
    if (client->tls) {
        size_t written = 0;
        if (SSL_write_ex(client->tls, client->out + start, client->out_end - start, &written)) return written;
        if (SSL_get_error(client->tls, 0) != SSL_ERROR_WANT_WRITE) fail_tls("SSL_write");
        return 0;
    }
    while (1) {
        ssize_t count = send(client->socket, client->out + start, client->out_end - start, MSG_NOSIGNAL);
        if (count >= 0) return (size_t)count;
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) fail("send: %s", strerror(errno));
    }
}

/* Writes what the system takes. For the rest, epoll waits until it takes more. */
static void flush(struct client *client) {
    size_t start = 0, count = 1;
    while (start < client->out_end && count) start += count = put(client, start);
    int is_full = start < client->out_end;
    if (is_full) memmove(client->out, client->out + start, client->out_end - start);
    client->out_end -= start;
    if (is_full != client->waits_to_write) watch(client, EPOLL_CTL_MOD, is_full ? EPOLLIN | EPOLLOUT : EPOLLIN);
    client->waits_to_write = is_full;
}

/* Waits until there is something to read, writing meanwhile what waited to be written. */
static void wait_for_bytes(struct client *client) {
    if (client->tls && !client->tls_is_dry && SSL_has_pending(client->tls)) return;
    while (1) {
        struct epoll_event event;
        int count = epoll_wait(client->epoll, &event, 1, 30000);
        if (count == 0) fail("no echo within 30 seconds");
        if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
        if (count <= 0) continue;
        if (event.events & EPOLLOUT) flush(client);
        if (event.events & ~(uint32_t)EPOLLOUT) return;
    }
}

/* Reads once. Returns 0 at the end of the connection. */
static int receive(struct client *client) {
    if (client->tls) {
        size_t read = 0;
        client->tls_is_dry = 0;
        if (SSL_read_ex(client->tls, client->in + client->in_end, client->in_capacity - client->in_end, &read)) {
            client->in_end += read;
            return 1;
        }
        int error = SSL_get_error(client->tls, 0);
        if (error == SSL_ERROR_ZERO_RETURN) return 0;
        if (error != SSL_ERROR_WANT_READ) fail_tls("SSL_read");
        client->tls_is_dry = 1;
        return 1;
    }
    ssize_t count = recv(client->socket, client->in + client->in_end, client->in_capacity - client->in_end, 0);
    if (count < 0) {
        if (errno == EAGAIN || errno == EINTR) return 1;
        fail("recv: %s", strerror(errno));
    }
    client->in_end += (size_t)count;
    return count > 0;
}

/* Takes all whole echoes from what was read and returns their number. */
static long take_echoes(struct client *client) {
    size_t start = 0;
    long echoes = 0;
    for (; client->in_end - start >= client->echo_bytes; start += client->echo_bytes, echoes++)
        if (memcmp(client->in + start, client->echo, client->echo_bytes)) fail("the echo is another");
    if (start > 0) memmove(client->in, client->in + start, client->in_end - start);
    client->in_end -= start;
    return echoes;
}

/* MARK: The connection */

static int dial(const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found, *address;
    int error = getaddrinfo(host, port, &hints, &found);
    if (error) fail("%s:%s: %s", host, port, gai_strerror(error));
    int connection = -1;
    for (address = found; address && connection < 0; address = address->ai_next) {
        connection = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
        if (connection >= 0 && connect(connection, address->ai_addr, address->ai_addrlen)) {
            close(connection);
            connection = -1;
        }
    }
    freeaddrinfo(found);
    if (connection < 0) fail("%s:%s: %s", host, port, strerror(errno));
    int one = 1;
    if (setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) fail("TCP_NODELAY: %s", strerror(errno));
    return connection;
}

/* Makes the connection's TLS, with one trusted authority and the peer's name checked. The socket still blocks. */
static SSL *secure(int connection, const char *host, const char *authority) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context || !SSL_CTX_load_verify_locations(context, authority, NULL)) fail_tls(authority);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    /* A record is read by one call, in place of one for its header and one for the rest. */
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL *tls = SSL_new(context);
    SSL_CTX_free(context);
    if (!tls || !SSL_set_fd(tls, connection)) fail_tls("SSL_new");
    X509_VERIFY_PARAM *parameters = SSL_get0_param(tls);
    int is_address = X509_VERIFY_PARAM_set1_ip_asc(parameters, host);
    if (!is_address && (!SSL_set1_host(tls, host) || !SSL_set_tlsext_host_name(tls, host))) fail_tls(host);
    ERR_clear_error();
    if (SSL_connect(tls) != 1) fail_tls("SSL_connect");
    return tls;
}

/* Asks for the upgrade and checks the answer (RFC 6455 section 4.1). The server sends nothing more before it is asked. */
static void upgrade(const struct client *client, const char *host, const char *port, const char *path) {
    uint8_t nonce[16], digest[SHA_DIGEST_LENGTH];
    char key[32], proof[80], accepted[40], text[8192];
    draw(nonce, sizeof nonce);
    EVP_EncodeBlock((uint8_t *)key, nonce, sizeof nonce);
    snprintf(proof, sizeof proof, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    SHA1((const uint8_t *)proof, strlen(proof), digest);
    EVP_EncodeBlock((uint8_t *)accepted, digest, sizeof digest);

    int length = snprintf(text, sizeof text,
                          "GET /%s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                          path, host, port, key);
    if (length < 0 || (size_t)length >= sizeof text) fail("the URL is too long");
    if ((client->tls ? SSL_write(client->tls, text, length)
                     : send(client->socket, text, (size_t)length, MSG_NOSIGNAL)) != length)
        fail("the request cannot be sent");

    size_t end = 0;
    text[0] = 0;
    while (!strstr(text, "\r\n\r\n")) {
        size_t room = sizeof text - 1 - end;
        ssize_t count = client->tls ? SSL_read(client->tls, text + end, (int)room) : recv(client->socket, text + end, room, 0);
        if (count <= 0) fail("the server answers no upgrade");
        end += (size_t)count;
        text[end] = 0;
    }
    const char *field = strcasestr(text, "\r\nsec-websocket-accept:");
    if (strncmp(text, "HTTP/1.1 101", 12) || !field) fail("the server refuses the upgrade");
    field += strlen("\r\nsec-websocket-accept:");
    field += strspn(field, " \t");
    if (strncmp(field, accepted, strlen(accepted)) || strcspn(field, " \t\r") != strlen(accepted))
        fail("the server proves another key");
    if (strcmp(strstr(text, "\r\n\r\n"), "\r\n\r\n")) fail("the server sends more than was asked");
}

/* MARK: The loop */

static void echo(struct client *client, long count, long window) {
    long sent = 0, received = 0;
    while (received < count) {
        for (; sent < count && sent - received < window; sent++)
            put_frame(client, text_frame, client->message, client->message_bytes);
        if (!client->waits_to_write) flush(client);
        wait_for_bytes(client);
        if (!receive(client)) fail("the server ends the connection");
        received += take_echoes(client);
    }
    if (received > count || client->in_end > 0) fail("more echoes than messages");
}

static double cpu_microseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Closes from our side, and waits for the server's close frame or the end. */
static void say_goodbye(struct client *client) {
    put_frame(client, close_frame, (const uint8_t[]){1000 >> 8, 1000 & 0xFF}, 2);
    flush(client);
    wait_for_bytes(client);
    if (receive(client) && (client->in_end == 0 || client->in[0] != close_frame)) fail("no close frame");
    if (client->tls) {
        SSL_shutdown(client->tls);
        SSL_free(client->tls);
    }
    close(client->socket);
}

static long number(const char *text, long least, long most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) fail("%s is not between %ld and %ld", text, least, most);
    return value;
}

int main(int argument_count, char **arguments) {
    char host[256], port[6] = "80";
    int scanned = 0;
    if (argument_count != 5 && argument_count != 6) {
        fputs("usage: RawWebSocket ws://HOST:PORT/PATH COUNT BYTES WINDOW\n"
              "       RawWebSocket wss://HOST:PORT/PATH COUNT BYTES WINDOW AUTHORITY\n", stderr);
        return 64;
    }
    const char *authority = argument_count == 6 ? arguments[5] : NULL;
    if (sscanf(arguments[1], authority ? "wss://%255[^:/]:%5[0-9]/%n" : "ws://%255[^:/]:%5[0-9]/%n", host, port, &scanned) != 2
        || !scanned)
        fail("%s is not %s://HOST:PORT/PATH", arguments[1], authority ? "wss" : "ws");
    long count = number(arguments[2], 1, 100000000);
    size_t bytes = (size_t)number(arguments[3], 0, 1 << 20);
    long window = number(arguments[4], 1, 1024);

    struct client client = {.socket = dial(host, port), .epoll = epoll_create1(EPOLL_CLOEXEC), .message_bytes = bytes};
    if (client.epoll < 0) fail("epoll_create1: %s", strerror(errno));
    if (authority) client.tls = secure(client.socket, host, authority);
    upgrade(&client, host, port, arguments[1] + scanned);
    if (fcntl(client.socket, F_SETFL, O_NONBLOCK)) fail("fcntl: %s", strerror(errno));
    watch(&client, EPOLL_CTL_ADD, EPOLLIN);

    uint8_t *message = checked(malloc(bytes + 1));
    memset(message, 'x', bytes);
    client.message = message;
    client.echo = checked(malloc(longest_header + bytes));
    size_t header = put_header(client.echo, text_frame, 0, bytes);
    memcpy(client.echo + header, message, bytes);
    client.echo_bytes = header + bytes;
    /* One frame more than the window, for the close frame. */
    client.out = checked(malloc((size_t)(window + 1) * (longest_header + bytes + 2)));
    client.in_capacity = client.echo_bytes + (64 << 10);
    client.in = checked(malloc(client.in_capacity));
    client.used_keys = sizeof client.keys / sizeof *client.keys;

    echo(&client, count / 10, window);
    for (int round = 0; round < rounds; round++) {
        double before = cpu_microseconds();
        echo(&client, count, window);
        printf("%.4f\n", (cpu_microseconds() - before) / (double)count);
    }
    say_goodbye(&client);
    return 0;
}
#endif
