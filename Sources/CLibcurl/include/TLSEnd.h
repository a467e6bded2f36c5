// Whether a TLS connection was closed by its peer (close_notify, RFC 8446 section 6.1), or just ended. libcurl takes both for the
// end of a body that has no announced length, so OpenSSL is asked.
#ifndef HELIUM_TLS_END_H
#define HELIUM_TLS_END_H

#include <curl/curl.h>
#include <stdbool.h>

typedef struct helium_tls_end helium_tls_end;

// Makes the connections that an easy handle opens note their end. Does nothing where libcurl was built with another TLS library
// than this file.
void helium_tls_end_watch(CURL *easy);
// The end of the connection that a transfer runs on, from within one of its callbacks; NULL without TLS, and where nothing is
// noted. Give it back with helium_tls_end_release.
helium_tls_end *helium_tls_end_retain(CURL *easy);
void helium_tls_end_release(helium_tls_end *end);
// Whether the peer has sent close_notify.
bool helium_tls_end_is_orderly(const helium_tls_end *end);

#endif
