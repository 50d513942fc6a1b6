#include "sim/cli/run/run_quotas.h"

#include "base/number.h"

bool quota_option(struct quota_request *r, int kind, const char *text, struct error *err)
{
    static const char *const names[QUOTA_KINDS] = {"--scale", "--cpu-warmup", "--cpu-quota",
                                                   "--gpu-quota"};
    r->given = true;
    if (kind == QUOTA_SCALE) {
        struct measure_quotas nothing;
        r->scale = text;
        return measure_scale(text, &nothing, err);
    }
    if (!parse_whole(names[kind], text, UINT64_MAX / 2, &r->value[kind], err))
        return false;
    r->set[kind] = true;
    return kind != QUOTA_CPU_QUOTA || r->value[kind] ||
           error_set(err, "--cpu-quota: must be 1 or more");
}

bool quota_resolve(const struct quota_request *r, struct measure_quotas *quotas, struct error *err)
{
    if (!measure_scale(r->scale ? r->scale : "small", quotas, err))
        return false;
    if (r->set[QUOTA_CPU_WARMUP])
        quotas->cpu_warmup = r->value[QUOTA_CPU_WARMUP];
    if (r->set[QUOTA_CPU_QUOTA])
        quotas->cpu_quota = r->value[QUOTA_CPU_QUOTA];
    if (r->set[QUOTA_GPU_QUOTA])
        quotas->gpu_quota = r->value[QUOTA_GPU_QUOTA];
    return true;
}
