/* Two levels (Narasiman et al., MICRO 2011): the slots of a scheduler form groups. The warps of one
 * group take turns; when none of them is ready, the next group with a ready warp takes over. So
 * groups reach their long loads at different times, and one computes while the others wait. */
#include "sim/simt/pipeline/scheduler.h"

#define GROUP_WARPS 8u

/* The first warp of `ready`, which is not 0, at or after slot `from`, else from slot 0 on. */
static uint32_t round_robin(uint64_t ready, uint32_t from)
{
    uint64_t later = from < SLOTS ? ready & (UINT64_MAX << from) : 0;
    return lowest(later ? later : ready);
}

/* The slots that lie in the group of slot w: neighbours, of all schedulers. */
static uint64_t group_of(const struct scheduler *s, uint32_t w)
{
    uint32_t slots = GROUP_WARPS * s->stride;
    uint64_t first = slots < SLOTS ? BIT(slots) - 1 : UINT64_MAX;
    return first << w / slots * slots;
}

static uint32_t pick(const struct scheduler *s, const struct warps *warps, uint64_t ready)
{
    (void)warps;
    uint64_t group = group_of(s, s->last);
    if (ready & group)
        return round_robin(ready & group, s->last + 1u);
    uint64_t later = ready & ~(group | (group - 1));
    return lowest(later ? later : ready);
}

const struct warp_scheduler warp_scheduler_two_level = {.name = "two-level", .pick = pick};
