#ifndef HELIUM_CFILES_H
#define HELIUM_CFILES_H

#include <sys/types.h>

// Reads from the position of a file only what is in memory already, for a thread that must not wait for a disk. Fails with
// EAGAIN if nothing is, and with another error where the file or the system can't say so.
ssize_t helium_read_cached(int descriptor, void *bytes, size_t count);

#endif
