// The TLS of a connection that libcurl makes and others use (CURLOPT_CONNECT_ONLY): the protocols that ALPN offers, the one that
// the peer chose, and the alerts of the peer. libcurl reports none of these for such a connection, so OpenSSL is asked.
#ifndef HELIUM_CHANNEL_TLS_H
#define HELIUM_CHANNEL_TLS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

// The connection and its owner each hold a reference. All functions but release are for one thread.
typedef struct helium_channel_tls helium_channel_tls;

// Makes a record that is ended with helium_channel_tls_release. `protocols` is the list of ALPN (RFC 7301 section 3.1), or NULL to
// offer none. Returns NULL if there is no memory.
helium_channel_tls *helium_channel_tls_make(const unsigned char *protocols, size_t length);
void helium_channel_tls_release(helium_channel_tls *tls);
// Makes the connection of an easy handle note its facts. Returns false where libcurl was built with another TLS library than this
// file: then nothing is offered and noted, and each end is taken for an orderly one.
bool helium_channel_tls_watch(helium_channel_tls *tls, CURL *easy);
// Whether the peer has ended the connection with close_notify (RFC 8446 section 6.1).
bool helium_channel_tls_is_orderly(const helium_channel_tls *tls);
// The fatal alert of the peer (RFC 8446 section 6.2), or -1.
int helium_channel_tls_alert(const helium_channel_tls *tls);
// Call this before each read, so that the messages of TLS itself are counted in it.
void helium_channel_tls_will_read(helium_channel_tls *tls);
// Call this after each read. Returns false if the peer sends too many messages of TLS itself (updates of keys, session tickets,
// requests to negotiate again). OpenSSL 3 makes 3 to 5 reports of each. More than 128 in one read are too many, because they hold the
// thread, and more than 8 for each read with data, and 1,024 besides.
bool helium_channel_tls_did_read(helium_channel_tls *tls, bool has_data);
// Sends close_notify (RFC 8446 section 6.1), unless it was sent, or a record that was begun is not accepted by the system. libcurl
// 8.10 and later ends such connections without it. Nothing may be written afterwards.
void helium_channel_tls_end(helium_channel_tls *tls, curl_socket_t socket);
// The protocol that the peer chose, and its length; 0 if there is none.
size_t helium_channel_tls_protocol(const helium_channel_tls *tls, const unsigned char **name);

#endif
