#include "BareTriangles.h"

#include <math.h>

void bare_largest_triangles(const int64_t *times, const double *values, size_t total, size_t count, size_t *indices) {
    const double every = (double)(total - 2) / (double)(count - 2);
    size_t chosen = 0, position = 0;
    indices[position++] = 0;
    for (size_t bucket = 0; bucket < count - 2; bucket++) {
        const size_t start = (size_t)(bucket * every) + 1;
        const size_t end = bucket + 1 < count - 2 ? (size_t)((bucket + 1) * every) + 1 : total - 1;
        const size_t next = bucket + 1 < count - 2
            ? (bucket + 2 < count - 2 ? (size_t)((bucket + 2) * every) + 1 : total - 1)
            : total;
        double mean_time = 0, mean_value = 0;
        for (size_t index = end; index < next; index++) {
            mean_time += (double)(times[index] - times[chosen]);
            mean_value += values[index];
        }
        mean_time /= (double)(next - end);
        mean_value /= (double)(next - end);
        const int64_t time = times[chosen];
        const double value = values[chosen], rise = mean_value - value;
        double largest = -1;
        size_t best = start;
        for (size_t index = start; index < end; index++) {
            const double area = fabs((double)(times[index] - time) * rise - mean_time * (values[index] - value));
            if (area > largest) {
                largest = area;
                best = index;
            }
        }
        indices[position++] = chosen = best;
    }
    indices[position] = total - 1;
}
