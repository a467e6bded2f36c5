#include "PeerFailure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("benchmark: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *checked(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}
