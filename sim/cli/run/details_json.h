/* The key "details" of a run's statistics: series over time and the hottest source lines, from
 * which `evgpu report` draws. */
#ifndef EVGPU_CLI_RUN_DETAILS_JSON_H
#define EVGPU_CLI_RUN_DETAILS_JSON_H

#include <jansson.h>

struct machine;

/* Only with machine_options.details. */
json_t *details_json(struct machine *m);

#endif
