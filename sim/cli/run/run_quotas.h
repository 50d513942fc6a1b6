/* The options of `evgpu run` that say how much is measured. */
#ifndef EVGPU_CLI_RUN_RUN_QUOTAS_H
#define EVGPU_CLI_RUN_RUN_QUOTAS_H

#include "sim/system/measure.h"

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
