/* Greedy, then oldest: the warp that the scheduler issued from last as long as it is ready, then
 * the one that started first (Rogers et al., MICRO 2012). */
#include "sim/simt/pipeline/scheduler.h"

static uint32_t pick(const struct scheduler *s, const struct warps *warps, uint64_t ready)
{
    return ready >> s->last & 1 ? s->last : warps_oldest(warps, ready);
}

const struct warp_scheduler warp_scheduler_gto = {.name = "gto", .pick = pick};
