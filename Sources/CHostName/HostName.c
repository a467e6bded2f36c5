#include "HostName.h"

#include <curl/curl.h>
#include <locale.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#if LIBCURL_VERSION_NUM >= 0x075800

static int convert(const char *host, char *buffer, size_t capacity) {
    CURLU *url = curl_url();
    if (!url) return 1;
    char *ascii = NULL;
    int isConverted = curl_url_set(url, CURLUPART_SCHEME, "http", 0) == CURLUE_OK
        && curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK
        && curl_url_get(url, CURLUPART_HOST, &ascii, CURLU_PUNYCODE) == CURLUE_OK && ascii && strlen(ascii) < capacity;
    if (isConverted) strcpy(buffer, ascii);
    curl_free(ascii);
    curl_url_cleanup(url);
    return !isConverted;
}

int helium_host_to_ascii(const char *host, char *buffer, size_t capacity) {
    curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    if (!version || version->version_num < 0x075800 || !(version->features & CURL_VERSION_IDN)) return 1;
    // libidn2 takes its input to be in the locale's encoding, which is ASCII where nobody has called setlocale. Only this
    // thread's locale is set, and only meanwhile.
    locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    if (!locale) return 1;
    locale_t before = uselocale(locale);
    int result = convert(host, buffer, capacity);
    uselocale(before);
    freelocale(locale);
    return result;
}

#else

int helium_host_to_ascii(const char *host, char *buffer, size_t capacity) {
    (void)host, (void)buffer, (void)capacity;
    return 1;
}

#endif
