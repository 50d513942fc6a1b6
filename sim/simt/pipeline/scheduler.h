/* Warp schedulers: a policy picks one of the ready warps of a scheduler. issue.c states what all of
 * them share.
 *
 * A policy is a file that defines `const struct warp_scheduler warp_scheduler_NAME`, and a line in
 * the list of schedulers.c. The configuration key core.scheduler knows it then. */
#ifndef EVGPU_SIMT_PIPELINE_SCHEDULER_H
#define EVGPU_SIMT_PIPELINE_SCHEDULER_H

#include "sim/simt/warp/slots.h"

#define MAX_SCHEDULERS 4

struct scheduler {
    uint64_t slots;  /* its warps, ... */
    uint32_t stride; /* every so many-th slot of the core */
    uint8_t last;    /* warp that it issued from last */
};

struct warp_scheduler {
    const char *name; /* in the configuration */

    /* A warp of `ready`, which is not 0 and within s->slots. Asked again in the same cycle, without
     * this warp, when its instruction cannot issue. */
    uint32_t (*pick)(const struct scheduler *s, const struct warps *warps, uint64_t ready);
};

/* Policy number `index`, NULL from their number on. */
const struct warp_scheduler *warp_scheduler_at(uint32_t index);

#endif
