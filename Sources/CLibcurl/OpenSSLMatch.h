// Whether the OpenSSL that this module is linked with is libcurl's.
#ifndef HELIUM_OPENSSL_MATCH_H
#define HELIUM_OPENSSL_MATCH_H

#include <stdbool.h>

// libcurl's handles are OpenSSL's only if it was built with OpenSSL, and ours only if both are of one major version.
bool helium_is_same_openssl(void);

#endif
