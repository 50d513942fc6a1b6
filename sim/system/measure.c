#include "sim/system/measure.h"

#include <string.h>

static const struct {
    const char *name;
    struct measure_quotas quotas;
} scales[] = {
    {"small", {.cpu_warmup = 20000, .cpu_quota = 50000, .gpu_quota = 20000000}},
    {"paper", {.cpu_warmup = 500000, .cpu_quota = 5000000, .gpu_quota = 100000000}},
};

bool measure_scale(const char *name, struct measure_quotas *quotas, struct error *err)
{
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (!strcmp(name, scales[i].name)) {
            *quotas = scales[i].quotas;
            return true;
        }
    }
    return error_set(err, "--scale %s: must be small or paper", name);
}
