#ifndef HELIUM_MEMORY_COUNT_H
#define HELIUM_MEMORY_COUNT_H

#include <stddef.h>

/// The bytes that are allocated now, by the allocator's own count: what Swift does not import of Glibc.
size_t allocated_bytes(void);

#endif
