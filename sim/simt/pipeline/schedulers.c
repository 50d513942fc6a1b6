/* The policies of the warp schedulers. */
#include <stddef.h>

#include "sim/simt/pipeline/scheduler.h"

#define WARP_SCHEDULERS(X)                                                                         \
    X(gto)                                                                                         \
    X(two_level)

#define DECLARE(name) extern const struct warp_scheduler warp_scheduler_##name;
WARP_SCHEDULERS(DECLARE)

#define ENTRY(name) &warp_scheduler_##name,
static const struct warp_scheduler *const table[] = {WARP_SCHEDULERS(ENTRY)};

const struct warp_scheduler *warp_scheduler_at(uint32_t index)
{
    return index < sizeof table / sizeof *table ? table[index] : NULL;
}

const char *core_scheduler_name(uint32_t index)
{
    const struct warp_scheduler *policy = warp_scheduler_at(index);
    return policy ? policy->name : NULL;
}
