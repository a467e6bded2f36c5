// The server's side of TLS connections for tests, on OpenSSL and sockets that wait: it can do at any time what servers seldom do.
#ifndef HELIUM_TLS_PEER_H
#define HELIUM_TLS_PEER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tls_peer tls_peer;

// Listens on 127.0.0.1. Returns the socket, and its port; -1 if that is not possible.
int tls_peer_listen(int *port);
// Ends a call of tls_peer_accept on another thread, which then returns NULL.
void tls_peer_stop(int listener);
// Waits for a connection and its handshake, with TLS 1.2 or 1.3. Returns NULL if there is none. End it with tls_peer_release.
tls_peer *tls_peer_accept(int listener, const char *certificate, const char *key, bool is_old);
void tls_peer_release(tls_peer *peer);

// Waits for bytes. Returns their number; 0 at the end, and -1 after a failure.
long tls_peer_read(tls_peer *peer, void *bytes, size_t count);

// These add records to the output, which tls_peer_send sends. They return whether that was possible.
bool tls_peer_write(tls_peer *peer, const void *bytes, size_t count);
bool tls_peer_update_keys(tls_peer *peer, bool asks);
bool tls_peer_make_ticket(tls_peer *peer);
bool tls_peer_renegotiate(tls_peer *peer);
bool tls_peer_notify_close(tls_peer *peer);
// The fatal alert bad_record_mac (20).
bool tls_peer_alert(tls_peer *peer);
// Bytes that are no TLS.
bool tls_peer_write_plain(tls_peer *peer, const void *bytes, size_t count);
bool tls_peer_send(tls_peer *peer);

// Waits for the end of the other side. Returns whether it was close_notify; false for the end of TCP alone, and for a reset.
bool tls_peer_ends_orderly(tls_peer *peer);
// Makes tls_peer_release reset the connection.
void tls_peer_reset(tls_peer *peer);

#endif
