/* Connections by libcurl, with CURLOPT_CONNECT_ONLY. */

#ifdef __linux__
#include "PeerFailure.h"
#include "engine.h"

#include <openssl/ssl.h>
#include <string.h>

/* The protocol that the last handshake agreed on. Connections are made one after the other. CURLINFO_TLS_SSL_PTR would
 * be simpler, but is empty after connecting (libcurl 7.88.1). */
static char agreed[sizeof((struct connection *)0)->protocol];

static void on_handshake(const SSL *session, int event, int value) {
    const unsigned char *name = NULL;
    unsigned length = 0;
    (void)value;
    if (!(event & SSL_CB_HANDSHAKE_DONE)) return;
    SSL_get0_alpn_selected(session, &name, &length);
    if (length >= sizeof agreed) length = 0;
    if (length) memcpy(agreed, name, length);
    agreed[length] = 0;
}

/* libcurl itself must not agree on h2: it would put its own HTTP/2 between us and TLS. */
static CURLcode on_context(CURL *handle, void *context, void *options) {
    static const unsigned char protocols[] = "\x02h2\x08http/1.1";
    (void)handle;
    (void)options;
    SSL_CTX_set_info_callback(context, on_handshake);
    return SSL_CTX_set_alpn_protos(context, protocols, sizeof protocols - 1) ? CURLE_SSL_CONNECT_ERROR : CURLE_OK;
}

static void wait_for(CURLM *multi) {
    int running = 1, queued = 0;
    for (;;) {
        CURLMsg *message;
        curl_multi_perform(multi, &running);
        while ((message = curl_multi_info_read(multi, &queued)))
            if (message->msg == CURLMSG_DONE) {
                if (message->data.result) fail("%s", curl_easy_strerror(message->data.result));
                return;
            }
        curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

struct connection connect_to(const char *url, const struct run_options *options) {
    static CURLM *multi;
    struct connection connection = {.handle = checked(curl_easy_init())};
    curl_socket_t socket = CURL_SOCKET_BAD;
    if (!multi) multi = checked(curl_multi_init());
    curl_easy_setopt(connection.handle, CURLOPT_URL, url);
    curl_easy_setopt(connection.handle, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(connection.handle, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(connection.handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(connection.handle, CURLOPT_TIMEOUT_MS, 30000L);
    curl_easy_setopt(connection.handle, CURLOPT_SSL_ENABLE_ALPN, 0L);
    if (options->ca) curl_easy_setopt(connection.handle, CURLOPT_CAINFO, options->ca);
    if (options->http2) curl_easy_setopt(connection.handle, CURLOPT_SSL_CTX_FUNCTION, on_context);
    agreed[0] = 0;
    if (curl_multi_add_handle(multi, connection.handle)) fail("curl_multi_add_handle");
    wait_for(multi);
    if (curl_easy_getinfo(connection.handle, CURLINFO_ACTIVESOCKET, &socket) || socket == CURL_SOCKET_BAD)
        fail("libcurl gives no socket");
    connection.socket = socket;
    memcpy(connection.protocol, agreed, sizeof agreed);
    return connection;
}
#endif
