#include "sim/guest/figures.h"

void figures_print_histogram(FILE *to, const char *name, const struct histogram *h, uint32_t khz)
{
    if (!h->count)
        return;
    struct histogram_summary s = histogram_summarise(h);
    fprintf(to, "  %-20s %8llu %10.1f %8llu %8llu %8llu %9llu %9.3f\n", name,
            (unsigned long long)s.min, s.mean, (unsigned long long)s.p50, (unsigned long long)s.p95,
            (unsigned long long)s.p99, (unsigned long long)s.max, s.mean * 1000.0 / (double)khz);
}

static void put(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

json_t *figures_json_histogram(const struct histogram *h)
{
    struct histogram_summary s = histogram_summarise(h);
    json_t *j = json_object();
    put(j, "count", s.count);
    put(j, "min", s.min);
    json_object_set_new(j, "mean", json_real(s.mean));
    put(j, "p50", s.p50);
    put(j, "p95", s.p95);
    put(j, "p99", s.p99);
    put(j, "max", s.max);
    return j;
}

json_t *figures_json_bins(const struct histogram *h)
{
    uint64_t bins[HISTOGRAM_BINS];
    uint32_t first = 0, end = HISTOGRAM_BINS;
    json_t *from = json_array(), *count = json_array(), *j = json_object();
    histogram_bins(h, bins);
    while (first < end && !bins[first])
        first++;
    while (end > first && !bins[end - 1])
        end--;
    for (uint32_t i = first; i < end; i++) {
        json_array_append_new(from, json_integer((json_int_t)histogram_bin_begin(i)));
        json_array_append_new(count, json_integer((json_int_t)bins[i]));
    }
    json_object_set_new(j, "from", from);
    put(j, "to", first < end ? histogram_bin_begin(end) : 0);
    json_object_set_new(j, "count", count);
    return j;
}
