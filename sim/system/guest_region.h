/* The guests' share of the synchronised region (sim/gpu/region_port.h): memory, and commands to its
 * schedulers. Programs share it; what one of them releases holds for all. */
#ifndef EVGPU_SYSTEM_GUEST_REGION_H
#define EVGPU_SYSTEM_GUEST_REGION_H

#include "sim/system/guest.h"

#define REGION_ALIGN 256u /* of an allocation: no two share a line */

/* Bytes that are free, and all; false: the machine has no region. */
bool guest_region(struct guest *g, uint64_t *available, uint64_t *total);

/* A block of the region; 0 with `err` when there is no room, or when the region's tiles cannot be
 * started. Given back by guest_release. `used`: its words may be empty; otherwise all are full. */
uint64_t guest_region_alloc(struct guest *g, uint64_t bytes, bool *used, struct error *err);

enum region_job_kind { REGION_MARK, REGION_RELEASE, REGION_TIMEOUT };

struct region_job {
    enum region_job_kind kind;
    bool full;               /* REGION_MARK: full or empty */
    uint64_t address, bytes; /* same: multiples of 4, bytes > 0, in the region */
    uint64_t nanoseconds;    /* REGION_TIMEOUT */
    /* When it is over, from within the GPU's cycle. */
    void (*done)(void *user, uint64_t cycle);
    void *user;
};

/* The job is copied; the machine has a region. */
void guest_region_job(struct guest *g, const struct region_job *job);

#endif
