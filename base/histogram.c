#include "base/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void histogram_add(struct histogram *h, uint64_t value)
{
    ARRAY_RESERVE(h->samples, h->count, h->capacity);
    h->samples[h->count++] = value;
    h->sum += value;
}

void histogram_free(struct histogram *h)
{
    free(h->samples);
    memset(h, 0, sizeof *h);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t nearest_rank(const uint64_t *sorted, size_t n, unsigned percent)
{
    size_t rank = (n * percent + 99) / 100;
    return sorted[rank ? rank - 1 : 0];
}

struct histogram_summary histogram_summarise(const struct histogram *h)
{
    struct histogram_summary s = {0};
    if (!h->count)
        return s;
    uint64_t *sorted = ALLOC_ARRAY(uint64_t, h->count);
    memcpy(sorted, h->samples, h->count * sizeof *sorted);
    qsort(sorted, h->count, sizeof *sorted, by_value);
    s.count = h->count;
    s.min = sorted[0];
    s.p50 = nearest_rank(sorted, h->count, 50);
    s.p95 = nearest_rank(sorted, h->count, 95);
    s.p99 = nearest_rank(sorted, h->count, 99);
    s.max = sorted[h->count - 1];
    s.mean = (double)h->sum / (double)h->count;
    free(sorted);
    return s;
}

uint64_t histogram_bin_begin(uint32_t bin)
{
    return bin < 8 ? bin : (uint64_t)(4 + bin % 4) << (bin / 4 - 1);
}

/* Below 8 each value has its own bin; above, the three leading bits of the value name it. */
static uint32_t bin_of(uint64_t value)
{
    if (value < 8)
        return (uint32_t)value;
    uint32_t power = 63 - (uint32_t)__builtin_clzll(value);
    uint32_t bin = 4 * (power - 1) + (uint32_t)(value >> (power - 2) & 3);
    return bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1;
}

void histogram_bins(const struct histogram *h, uint64_t bins[HISTOGRAM_BINS])
{
    memset(bins, 0, HISTOGRAM_BINS * sizeof *bins);
    for (size_t i = 0; i < h->count; i++)
        bins[bin_of(h->samples[i])]++;
}
