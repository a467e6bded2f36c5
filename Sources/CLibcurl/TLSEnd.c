#include "TLSEnd.h"

#if __has_include(<openssl/ssl.h>)

#include "OpenSSLMatch.h"
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct helium_tls_end {
    atomic_int references;
    atomic_bool isOrderly;
};

static int place = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void helium_tls_end_release(helium_tls_end *end) {
    if (end && atomic_fetch_sub(&end->references, 1) == 1) free(end);
}

static void context_freed(void *parent, void *end, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)parent, (void)data, (void)index, (void)number, (void)pointer;
    helium_tls_end_release(end);
}

static void find_place(void) {
    if (helium_is_same_openssl()) place = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, context_freed);
}

static void noted(const SSL *ssl, int where, int value) {
    if ((where & SSL_CB_READ_ALERT) != SSL_CB_READ_ALERT || (value & 0xff) != SSL_AD_CLOSE_NOTIFY) return;
    helium_tls_end *end = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), place);
    if (end) atomic_store(&end->isOrderly, true);
}

// libcurl makes a context for each connection.
static CURLcode context_made(CURL *easy, void *context, void *pointer) {
    (void)easy, (void)pointer;
    helium_tls_end *end = malloc(sizeof *end);
    if (!end) return CURLE_OUT_OF_MEMORY;
    atomic_init(&end->references, 1);
    atomic_init(&end->isOrderly, false);
    if (!SSL_CTX_set_ex_data(context, place, end)) {
        free(end);
        return CURLE_OUT_OF_MEMORY;
    }
    SSL_CTX_set_info_callback(context, noted);
    return CURLE_OK;
}

void helium_tls_end_watch(CURL *easy) {
    pthread_once(&once, find_place);
    if (place >= 0) curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, context_made);
}

helium_tls_end *helium_tls_end_retain(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (place < 0 || curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return NULL;
    if (!session || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return NULL;
    helium_tls_end *end = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session->internals), place);
    if (end) atomic_fetch_add(&end->references, 1);
    return end;
}

bool helium_tls_end_is_orderly(const helium_tls_end *end) { return atomic_load(&end->isOrderly); }

#else

void helium_tls_end_watch(CURL *easy) { (void)easy; }
helium_tls_end *helium_tls_end_retain(CURL *easy) { (void)easy; return NULL; }
void helium_tls_end_release(helium_tls_end *end) { (void)end; }
bool helium_tls_end_is_orderly(const helium_tls_end *end) { (void)end; return true; }

#endif
