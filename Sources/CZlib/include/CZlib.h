#ifndef HELIUM_CZLIB_H
#define HELIUM_CZLIB_H

#include <string.h>
#include <zlib.h>

// zlib's initialisers are macros that pass the header's version and the struct's size: Swift cannot call them.

static inline int helium_inflate_begin(z_stream *stream, int window_bits) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, window_bits);
}

static inline int helium_deflate_begin(z_stream *stream, int level, int window_bits) {
    memset(stream, 0, sizeof *stream);
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
