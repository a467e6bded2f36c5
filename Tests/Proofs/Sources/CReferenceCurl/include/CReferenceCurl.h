#ifndef C_REFERENCE_CURL_H
#define C_REFERENCE_CURL_H

#include <stddef.h>
#include <stdint.h>

// The result of reading one response with libcurl's own HTTP.
struct reference_result {
    // 0 if libcurl accepted the response; its error otherwise.
    int code;
    long status;
    // The body, which the caller passes to `reference_free`.
    uint8_t *body;
    size_t count;
};

// Reads bytes as the response to a GET, or to a HEAD, after which the peer ends. Not for several threads.
struct reference_result reference_read(const uint8_t *bytes, size_t count, int is_head);
void reference_free(struct reference_result result);
const char *reference_version(void);

#endif
