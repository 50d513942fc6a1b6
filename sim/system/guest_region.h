/* The guests' share of the synchronised region (sim/gpu/region_port.h): memory, and commands to its
 * schedulers. Programs share it. A release and a time-out hold for the requests of all, so they are
 * for a guest that is alone (guest_region_alone). */
#ifndef EVGPU_SYSTEM_GUEST_REGION_H
#define EVGPU_SYSTEM_GUEST_REGION_H

#include "sim/system/guest.h"

#define REGION_ALIGN 256u /* of an allocation: no two share a line */

/* Bytes that are free, and all; false: the machine has no region. */
bool guest_region(struct guest *g, uint64_t *available, uint64_t *total);

/* A block of the region; 0 with `err` when there is no room, or when the region's tiles cannot be
 * started. Given back by guest_release. `used`: its words may be empty; otherwise all are full. */
uint64_t guest_region_alloc(struct guest *g, uint64_t bytes, bool *used, struct error *err);

/* No other guest has memory in the region. */
bool guest_region_alone(const struct guest *g);

/* The guest's context has ended: a time-out that it has set ends. */
void guest_region_ended(struct guest *g);

/* REGION_TIMEOUT holds until the guest's context ends or another guest allocates memory in the
 * region; then fe.timeout_us holds again. */
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

/* The job is copied; the machine has a region. REGION_RELEASE, REGION_TIMEOUT: the guest is alone.
 */
void guest_region_job(struct guest *g, const struct region_job *job);

#endif
