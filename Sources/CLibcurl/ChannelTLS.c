#include "ChannelTLS.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<openssl/ssl.h>)

#include "OpenSSLMatch.h"
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

// OpenSSL 3 makes 3 reports of a session ticket, and 3 to 5 of an update of keys, so this is 25 to 42 messages. BoringSSL accepts 32
// updates of keys in a row, and Go 16 messages.
enum { report_limit = 128 };
// Over the whole connection, the reports that need no data, and those that each read with data allows besides. A peer that sends a byte
// of data after each forty updates of keys costs half a millisecond for each.
enum { first_credit = 1024, data_credit = 8 };

struct helium_channel_tls {
    atomic_int references;
    // The connection's, from the end of the handshake until libcurl frees it.
    SSL *ssl;
    // The reports of messages of TLS itself in this read.
    int reports;
    int credit;
    bool isOrderly;
    int alert;
    unsigned char chosen[255];
    unsigned char chosenLength;
    size_t offeredLength;
    unsigned char offered[];
};

static int place = -1;
static int ssl_place = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

helium_channel_tls *helium_channel_tls_make(const unsigned char *protocols, size_t length) {
    helium_channel_tls *tls = calloc(1, sizeof *tls + length);
    if (!tls) return NULL;
    atomic_init(&tls->references, 1);
    tls->alert = -1;
    tls->credit = first_credit;
    tls->offeredLength = length;
    if (length > 0) memcpy(tls->offered, protocols, length);
    return tls;
}

void helium_channel_tls_release(helium_channel_tls *tls) {
    if (tls && atomic_fetch_sub(&tls->references, 1) == 1) free(tls);
}

static void context_freed(void *parent, void *tls, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)parent, (void)data, (void)index, (void)number, (void)pointer;
    helium_channel_tls_release(tls);
}

// The context, which outlives its connection, holds a reference.
static void ssl_freed(void *parent, void *tls, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)parent, (void)data, (void)index, (void)number, (void)pointer;
    if (tls) ((helium_channel_tls *)tls)->ssl = NULL;
}

static void find_place(void) {
    if (!helium_is_same_openssl()) return;
    ssl_place = SSL_get_ex_new_index(0, NULL, NULL, NULL, ssl_freed);
    if (ssl_place >= 0) place = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, context_freed);
}

static void noted(const SSL *ssl, int where, int value) {
    helium_channel_tls *tls = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), place);
    if (!tls) return;
    if (where & SSL_CB_HANDSHAKE_DONE) {
        // OpenSSL passes the connection as a constant, but its callbacks may change it.
        if (!tls->ssl && SSL_set_ex_data((SSL *)ssl, ssl_place, tls)) tls->ssl = (SSL *)ssl;
        const unsigned char *name = NULL;
        unsigned int length = 0;
        SSL_get0_alpn_selected(ssl, &name, &length);
        if (length > 0 && length <= sizeof tls->chosen) {
            memcpy(tls->chosen, name, length);
            tls->chosenLength = (unsigned char)length;
        }
    }
    // Each message that is read. OpenSSL would go on in the same call for as long as there are messages without data.
    if (tls->ssl && (where & SSL_CB_CONNECT_LOOP) == SSL_CB_CONNECT_LOOP && ++tls->reports > report_limit) {
        SSL_clear_mode(tls->ssl, SSL_MODE_AUTO_RETRY);
        // libcurl 8.15 and later let OpenSSL read ahead. It would go on for as long as a part of the next record has been read.
        SSL_set_read_ahead(tls->ssl, 0);
    }
    if ((where & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT) {
        int description = value & 0xff;
        if (description == SSL_AD_CLOSE_NOTIFY) tls->isOrderly = true;
        else if (value >> 8 == SSL3_AL_FATAL) tls->alert = description;
    }
}

// libcurl makes a context for each connection.
static CURLcode context_made(CURL *easy, void *context, void *pointer) {
    (void)easy;
    helium_channel_tls *tls = pointer;
    if (!SSL_CTX_set_ex_data(context, place, tls)) return CURLE_OUT_OF_MEMORY;
    atomic_fetch_add(&tls->references, 1);
    SSL_CTX_set_info_callback(context, noted);
    // A peer could demand handshake after handshake, each of which costs the loop milliseconds.
#ifdef SSL_OP_NO_RENEGOTIATION
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
#endif
    // Output grows while it waits, so a write that is repeated may have moved. A write reports each record that was accepted.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // 0 is success.
    if (tls->offeredLength > 0 && SSL_CTX_set_alpn_protos(context, tls->offered, (unsigned int)tls->offeredLength) != 0) {
        return CURLE_OUT_OF_MEMORY;
    }
    return CURLE_OK;
}

bool helium_channel_tls_watch(helium_channel_tls *tls, CURL *easy) {
    pthread_once(&once, find_place);
    if (place < 0) {
        // Nothing is known about the end, which is then taken for an orderly one.
        tls->isOrderly = true;
        return false;
    }
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, context_made) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, tls) == CURLE_OK;
}

bool helium_channel_tls_is_orderly(const helium_channel_tls *tls) { return tls->isOrderly; }
int helium_channel_tls_alert(const helium_channel_tls *tls) { return tls->alert; }
void helium_channel_tls_will_read(helium_channel_tls *tls) { tls->reports = 0; }
bool helium_channel_tls_did_read(helium_channel_tls *tls, bool has_data) {
    if (!has_data && tls->reports > report_limit) return false;
    tls->credit -= tls->reports;
    if (tls->credit < 0) return false;
    if (has_data && tls->credit < first_credit) tls->credit += data_credit;
    return true;
}

// A peer that has gone must not cause the signal SIGPIPE. libcurl has made the socket one that does not wait.
static void send_at_once(curl_socket_t socket, const void *bytes, size_t length) {
#ifdef MSG_NOSIGNAL
    (void)!send(socket, bytes, length, MSG_NOSIGNAL);
#else
    (void)!send(socket, bytes, length, 0);
#endif
}

void helium_channel_tls_end(helium_channel_tls *tls, curl_socket_t socket) {
    SSL *ssl = tls->ssl;
    if (!ssl || (SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN)) return;
    // libcurl's own output works in calls of libcurl only. The connection is not written any more.
    BIO *output = BIO_new(BIO_s_mem());
    if (!output) return;
    SSL_set0_wbio(ssl, output);
    // Without effect while a record is incomplete: then the peer shall know that the end is none.
    SSL_shutdown(ssl);
    char *bytes = NULL;
    long length = BIO_get_mem_data(output, &bytes);
    if (length > 0) send_at_once(socket, bytes, (size_t)length);
    ERR_clear_error();
}

size_t helium_channel_tls_protocol(const helium_channel_tls *tls, const unsigned char **name) {
    *name = tls->chosen;
    return tls->chosenLength;
}

#else

struct helium_channel_tls {
    char unused;
};

helium_channel_tls *helium_channel_tls_make(const unsigned char *protocols, size_t length) {
    (void)protocols, (void)length;
    return calloc(1, sizeof(helium_channel_tls));
}
void helium_channel_tls_release(helium_channel_tls *tls) { free(tls); }
bool helium_channel_tls_watch(helium_channel_tls *tls, CURL *easy) { (void)tls, (void)easy; return false; }
bool helium_channel_tls_is_orderly(const helium_channel_tls *tls) { (void)tls; return true; }
int helium_channel_tls_alert(const helium_channel_tls *tls) { (void)tls; return -1; }
void helium_channel_tls_will_read(helium_channel_tls *tls) { (void)tls; }
bool helium_channel_tls_did_read(helium_channel_tls *tls, bool has_data) { (void)tls, (void)has_data; return true; }
void helium_channel_tls_end(helium_channel_tls *tls, curl_socket_t socket) { (void)tls, (void)socket; }
size_t helium_channel_tls_protocol(const helium_channel_tls *tls, const unsigned char **name) {
    (void)tls;
    *name = NULL;
    return 0;
}

#endif
