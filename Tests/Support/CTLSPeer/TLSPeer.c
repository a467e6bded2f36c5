#include "TLSPeer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct tls_peer {
    int socket;
    SSL *ssl;
    // What has arrived, and what is to be sent.
    BIO *input, *output;
};

int tls_peer_listen(int *port) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    if (listener >= 0 && bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 16) == 0
        && getsockname(listener, (struct sockaddr *)&address, &length) == 0) {
        *port = ntohs(address.sin_port);
        return listener;
    }
    if (listener >= 0) close(listener);
    return -1;
}

void tls_peer_stop(int listener) { shutdown(listener, SHUT_RDWR); }

static void send_all(tls_peer *peer, const char *bytes, long count) {
    while (count > 0) {
        ssize_t sent = send(peer->socket, bytes, (size_t)count, MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes += sent;
        count -= sent;
    }
}

bool tls_peer_send(tls_peer *peer) {
    char *bytes = NULL;
    long count = BIO_get_mem_data(peer->output, &bytes);
    if (count > 0) send_all(peer, bytes, count);
    (void)BIO_reset(peer->output);
    return true;
}

// Waits for more input. Returns false at the end.
static bool receive(tls_peer *peer) {
    char bytes[16384];
    ssize_t count = recv(peer->socket, bytes, sizeof bytes, 0);
    return count > 0 && BIO_write(peer->input, bytes, (int)count) == count;
}

static SSL_CTX *make_context(const char *certificate, const char *key, bool is_old) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (!context) return NULL;
    SSL_CTX_set_min_proto_version(context, is_old ? TLS1_2_VERSION : TLS1_3_VERSION);
    SSL_CTX_set_max_proto_version(context, is_old ? TLS1_2_VERSION : TLS1_3_VERSION);
    if (SSL_CTX_use_certificate_chain_file(context, certificate) == 1
        && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1) {
        return context;
    }
    SSL_CTX_free(context);
    return NULL;
}

static bool shake_hands(tls_peer *peer) {
    while (true) {
        int result = SSL_do_handshake(peer->ssl);
        tls_peer_send(peer);
        if (result == 1) return true;
        if (SSL_get_error(peer->ssl, result) != SSL_ERROR_WANT_READ || !receive(peer)) return false;
    }
}

tls_peer *tls_peer_accept(int listener, const char *certificate, const char *key, bool is_old) {
    int socket = accept(listener, NULL, NULL);
    if (socket < 0) return NULL;
    int one = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    tls_peer *peer = calloc(1, sizeof *peer);
    SSL_CTX *context = make_context(certificate, key, is_old);
    if (!peer || !context) abort();
    peer->socket = socket;
    peer->ssl = SSL_new(context);
    SSL_CTX_free(context);
    peer->input = BIO_new(BIO_s_mem());
    peer->output = BIO_new(BIO_s_mem());
    if (!peer->ssl || !peer->input || !peer->output) abort();
    // An empty input is not its end.
    BIO_set_mem_eof_return(peer->input, -1);
    SSL_set_bio(peer->ssl, peer->input, peer->output);
    SSL_set_accept_state(peer->ssl);
    if (shake_hands(peer)) return peer;
    tls_peer_release(peer);
    return NULL;
}

void tls_peer_release(tls_peer *peer) {
    ERR_clear_error();
    SSL_free(peer->ssl);
    close(peer->socket);
    free(peer);
}

long tls_peer_read(tls_peer *peer, void *bytes, size_t count) {
    while (true) {
        ERR_clear_error();
        int result = SSL_read(peer->ssl, bytes, (int)count);
        tls_peer_send(peer);
        if (result > 0) return result;
        switch (SSL_get_error(peer->ssl, result)) {
        case SSL_ERROR_ZERO_RETURN: return 0;
        case SSL_ERROR_WANT_READ: break;
        default: return -1;
        }
        if (!receive(peer)) return -1;
    }
}

bool tls_peer_write(tls_peer *peer, const void *bytes, size_t count) {
    return SSL_write(peer->ssl, bytes, (int)count) == (int)count;
}

bool tls_peer_update_keys(tls_peer *peer, bool asks) {
    return SSL_key_update(peer->ssl, asks ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED) == 1
        && SSL_do_handshake(peer->ssl) == 1;
}

bool tls_peer_make_ticket(tls_peer *peer) {
    return SSL_new_session_ticket(peer->ssl) == 1 && SSL_do_handshake(peer->ssl) == 1;
}

bool tls_peer_renegotiate(tls_peer *peer) {
    return SSL_renegotiate(peer->ssl) == 1 && SSL_do_handshake(peer->ssl) == 1;
}

bool tls_peer_notify_close(tls_peer *peer) { return SSL_shutdown(peer->ssl) >= 0; }

bool tls_peer_alert(tls_peer *peer) {
    // OpenSSL sends the alert when it reads a record that does not decrypt.
    char record[5 + 64] = { 23, 3, 3, 0, 64 };
    char bytes[16];
    if (BIO_write(peer->input, record, sizeof record) != sizeof record) return false;
    int result = SSL_read(peer->ssl, bytes, sizeof bytes);
    return SSL_get_error(peer->ssl, result) == SSL_ERROR_SSL;
}

bool tls_peer_write_plain(tls_peer *peer, const void *bytes, size_t count) {
    return BIO_write(peer->output, bytes, (int)count) == (int)count;
}

bool tls_peer_ends_orderly(tls_peer *peer) {
    char bytes[16384];
    while (true) {
        long count = tls_peer_read(peer, bytes, sizeof bytes);
        if (count <= 0) return count == 0;
    }
}

void tls_peer_reset(tls_peer *peer) {
    struct linger linger = { .l_onoff = 1, .l_linger = 0 };
    setsockopt(peer->socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}
