#include "sim/simt/pipeline/scheduler.h"

#include <stddef.h>

#include "sim/simt/core_config.h"

#define ENTRY(policy) &scheduler_##policy,
#define NAME(policy)  #policy,

static const struct warp_scheduler *const table[] = {WARP_SCHEDULERS(ENTRY)};

const char *const core_schedulers[] = {WARP_SCHEDULERS(NAME) NULL};

const struct warp_scheduler *warp_scheduler(uint32_t policy)
{
    return table[policy];
}
