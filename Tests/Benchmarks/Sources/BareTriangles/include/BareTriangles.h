#ifndef HELIUM_BARE_TRIANGLES_H
#define HELIUM_BARE_TRIANGLES_H

#include <stddef.h>
#include <stdint.h>

/// Largest triangle, three buckets, as plain C: writes the indices of `count` of `total` points.
void bare_largest_triangles(const int64_t *times, const double *values, size_t total, size_t count, size_t *indices);

#endif
