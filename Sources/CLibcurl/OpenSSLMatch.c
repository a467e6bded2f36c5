#include "OpenSSLMatch.h"

#if __has_include(<openssl/ssl.h>)

#include <curl/curl.h>
#include <openssl/crypto.h>
#include <string.h>

bool helium_is_same_openssl(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    const char *ours = OpenSSL_version(OPENSSL_VERSION);
    if (!info->ssl_version || strncmp(info->ssl_version, "OpenSSL/", 8) != 0 || strncmp(ours, "OpenSSL ", 8) != 0) return false;
    const char *left = info->ssl_version + 8, *right = ours + 8;
    size_t length = strcspn(left, ".");
    return length > 0 && strncmp(left, right, length + 1) == 0;
}

#else

bool helium_is_same_openssl(void) { return false; }

#endif
