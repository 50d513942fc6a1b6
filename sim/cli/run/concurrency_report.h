/* Concurrency management in the result table and the statistics file of `evgpu run`. */
#ifndef EVGPU_CLI_RUN_CONCURRENCY_REPORT_H
#define EVGPU_CLI_RUN_CONCURRENCY_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "sim/system/machine.h"

/* Means, shares and a timeline of the limits; nothing with policy off. */
void concurrency_print(struct machine *m, FILE *out);

/* The same and the series behind it: per interval the mean limit of the cores, stalls, decision;
 * of the watched core limit, stalls and what they differ by between its levels (CM-BAL, Figure 14).
 */
json_t *concurrency_json(struct machine *m);

#endif
