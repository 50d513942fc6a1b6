/* Result table and statistics file of `evgpu run`. */
#ifndef EVGPU_CLI_RUN_REPORT_H
#define EVGPU_CLI_RUN_REPORT_H

#include <jansson.h>

#include "sim/system/machine.h"

void run_report_print(struct machine *m, double wall);

/* Simulated quantities only: equal runs give equal files, whatever the tile back end. */
json_t *run_report_json(struct machine *m, const char *end);

#endif
