/* Warp schedulers: a policy picks one of the ready warps of a scheduler. A new policy is a file of
 * its own that defines scheduler_NAME, and its NAME in the list below. */
#ifndef EVGPU_SIMT_PIPELINE_SCHEDULER_H
#define EVGPU_SIMT_PIPELINE_SCHEDULER_H

#include "sim/simt/warp/slots.h"

#define WARP_SCHEDULERS(X) X(gto) X(two_level)

#define MAX_SCHEDULERS 4

struct scheduler {
    uint64_t slots;  /* its warps, ... */
    uint32_t stride; /* every so many-th slot of the core */
    uint8_t last;    /* warp that it issued from last */
};

struct warp_scheduler {
    /* A warp of `ready`, which is not 0 and within s->slots. Called again in the same cycle without
     * this warp when its instruction cannot issue. */
    uint32_t (*pick)(const struct scheduler *s, const struct warps *warps, uint64_t ready);
};

#define DECLARE_SCHEDULER(policy) extern const struct warp_scheduler scheduler_##policy;
WARP_SCHEDULERS(DECLARE_SCHEDULER)
#undef DECLARE_SCHEDULER

/* By place in core_schedulers (core_config.h). */
const struct warp_scheduler *warp_scheduler(uint32_t policy);

#endif
