/* Exact samples of a latency, for min/mean/percentiles. Adding may allocate (amortised); it is
 * meant for one sample per event, not per cycle. */
#ifndef EVGPU_BASE_HISTOGRAM_H
#define EVGPU_BASE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

struct histogram {
    uint64_t *samples;
    size_t count, capacity;
    uint64_t sum;
};

struct histogram_summary {
    uint64_t count, min, p50, p95, p99, max;
    double mean;
};

void histogram_add(struct histogram *h, uint64_t value);
void histogram_free(struct histogram *h);

/* Percentiles are nearest-rank; all zero when there is no sample. */
struct histogram_summary histogram_summarise(const struct histogram *h);

#endif
