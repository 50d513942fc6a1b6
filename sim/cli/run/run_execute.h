/* A run as the command line of `evgpu run` asks for it: programs alone, then all guests together,
 * and what is said of it. */
#ifndef EVGPU_CLI_RUN_RUN_EXECUTE_H
#define EVGPU_CLI_RUN_RUN_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/cli/cli.h"
#include "sim/cli/run/option_needs.h"
#include "sim/cli/run/run_plan.h"
#include "sim/cli/run/run_quotas.h"
#include "sim/cli/run/run_sample.h"
#include "sim/cli/run/run_trace.h"

struct run_request {
    struct machine_choice machine;
    struct run_plan plan;
    struct setting common[MAX_SETTINGS]; /* options that are settings of every service */
    uint32_t n_common;
    const char *json, *timeline_path, *ports_path;
    uint64_t max_cycles, watchdog;
    struct quota_request quotas;
    struct run_sample sample;
    struct trace_request trace;
    struct options_given options;
    const char *policy, *flush;
    char policy_override[64], flush_override[64];
    bool alone, alone_given;
    bool profile, profile_given;
    bool composed; /* composed: --service, --program, --cpus say what runs */
    bool background_given;
    struct error err;
};

/* Files that the run writes: false, with an error, if one cannot be, or its name promises another
 * format. Nothing is written. The plan is prepared. */
bool run_outputs_check(struct run_request *r); /* run_outputs.c */

/* The plan is prepared. Returns the exit status; why it is not 0 has been said. */
int run_execute(struct run_request *r);

#endif
