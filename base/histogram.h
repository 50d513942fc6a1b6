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

/* How many samples are in each of HISTOGRAM_BINS: of the first four 0, 1, 2 and 3, of the others a
 * quarter of what lies between two powers of two, so that a value is at most 1.25 times its bin's
 * begin. The last bin has all above. */
#define HISTOGRAM_BINS 160u
uint64_t histogram_bin_begin(uint32_t bin);
void histogram_bins(const struct histogram *h, uint64_t bins[HISTOGRAM_BINS]);

#endif
