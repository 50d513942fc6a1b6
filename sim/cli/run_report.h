/* Result table and statistics file of `evgpu run`. */
#ifndef EVGPU_CLI_RUN_REPORT_H
#define EVGPU_CLI_RUN_REPORT_H

#include <jansson.h>

#include "sim/system/forwarding.h"

void run_report_print(const struct forwarding_options *options,
                      const struct forwarding_result *result, double wall);

/* Simulated quantities only: equal runs give equal files, whatever the tile back end. */
json_t *run_report_json(const struct forwarding_options *options,
                        const struct forwarding_result *result, const char *end);

#endif
