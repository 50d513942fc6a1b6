/* GPU statistics as JSON; only simulated quantities, so that equal runs give equal files. */
#ifndef EVGPU_CLI_RUN_STATS_JSON_H
#define EVGPU_CLI_RUN_STATS_JSON_H

#include <jansson.h>

#include "sim/gpu/gpu.h"

json_t *json_of_gpu(const struct gpu_stats *stats);

#endif
