#include "sim/gpu/concurrency/dyncta.h"

void dyncta_begin(struct dyncta *d, uint32_t most, uint32_t warps)
{
    d->most = most ? most : 1;
    d->warps = warps;
    d->blocks = d->most / 2 ? d->most / 2 : 1;
}

void dyncta_decide(struct dyncta *d, const struct dyncta_settings *settings)
{
    if (d->idle >= settings->idle || d->memory < settings->memory_low)
        d->blocks += d->blocks < d->most;
    else if (d->memory >= settings->memory_high)
        d->blocks -= d->blocks > 1;
    d->idle = d->memory = 0;
}

uint32_t dyncta_limit(const struct dyncta *d)
{
    uint32_t warps = d->blocks * d->warps;
    return warps && warps < EVG_CM_LEVEL_8 ? warps : EVG_CM_LEVEL_8;
}
