#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <sys/uio.h>

ssize_t helium_read_cached(int descriptor, void *bytes, size_t count) {
#ifdef RWF_NOWAIT
    struct iovec part = {bytes, count};
    return preadv2(descriptor, &part, 1, -1, RWF_NOWAIT);
#else
    (void)descriptor, (void)bytes, (void)count;
    errno = ENOTSUP;
    return -1;
#endif
}
