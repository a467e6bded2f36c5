// Hosts in other scripts, as libcurl's IDN library turns them into ASCII.
#ifndef HELIUM_HOST_NAME_H
#define HELIUM_HOST_NAME_H

#include <stddef.h>

// Writes the A-label form (RFC 5890) of a host in UTF-8 to `buffer`, with a zero byte at its end.
//
// Returns 0, or another number where libcurl has no IDN library or is older than 7.88, where the system has no locale
// C.UTF-8, where the host has no such form, or where it does not fit.
int helium_host_to_ascii(const char *host, char *buffer, size_t capacity);

#endif
