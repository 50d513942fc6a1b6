/* How much is measured: scales by name, and the options of `evgpu run` that change their quotas. */
#ifndef EVGPU_CLI_RUN_RUN_QUOTAS_H
#define EVGPU_CLI_RUN_RUN_QUOTAS_H

#include <stdbool.h>

#include "base/error.h"
#include "sim/system/measure.h"

/* The quotas of a scale by its name: "paper" for those of section 5 of the CM-BAL paper, "small"
 * for runs of seconds. False with `err`. */
bool quota_scale(const char *name, struct measure_quotas *quotas, struct error *err);

enum quota_kind { QUOTA_SCALE, QUOTA_CPU_WARMUP, QUOTA_CPU_QUOTA, QUOTA_GPU_QUOTA, QUOTA_KINDS };

struct quota_request {
    bool given; /* any of them */
    const char *scale;
    bool set[QUOTA_KINDS];
    uint64_t value[QUOTA_KINDS];
};

/* `kind`: enum quota_kind. */
bool quota_option(struct quota_request *r, int kind, const char *text, struct error *err);

/* The scale's quotas, but for those that have been given. */
bool quota_resolve(const struct quota_request *r, struct measure_quotas *quotas, struct error *err);

#endif
