/* evgpu run --sample: a run without time finds the launches, a second one times some of them. */
#ifndef EVGPU_CLI_RUN_RUN_SAMPLE_H
#define EVGPU_CLI_RUN_RUN_SAMPLE_H

#include <jansson.h>
#include <stdio.h>

#include "sim/cli/run/run_plan.h"
#include "sim/system/sampling.h"

struct run_sample {
    bool on;
    struct launch_log plan, run; /* of the run without time, and of the one with the plan */
    struct sampling *sampling;
    double seconds; /* of the run without time */
};

/* The first run, silent; then plan->machine.timing is that of the second one. Not RUN_DONE: `err`
 * says why. */
enum run_end run_sample_first(struct run_sample *s, struct run_plan *plan,
                              const struct run_control *control, struct error *err);
void run_sample_free(struct run_sample *s);

/* After the second run. */
void run_sample_print(const struct run_sample *s, double core_khz, FILE *to);
json_t *run_sample_json(const struct run_sample *s);

#endif
