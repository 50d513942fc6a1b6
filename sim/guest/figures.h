/* How guests show distributions. */
#ifndef EVGPU_GUEST_FIGURES_H
#define EVGPU_GUEST_FIGURES_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "base/histogram.h"

/* One line: min, mean, p50, p95, p99 and max in core cycles, mean in microseconds; nothing when
 * there is no sample. */
void figures_print_histogram(FILE *to, const char *name, const struct histogram *h, uint32_t khz);

json_t *figures_json_histogram(const struct histogram *h);

/* {"from": [begin of each bin], "to": end of the last, "count": [samples]} from the first bin with
 * a sample to the last (histogram_bins). */
json_t *figures_json_bins(const struct histogram *h);

#endif
