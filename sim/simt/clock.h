/* Time of a core, and what it counts cycle by cycle. Owner: core.c. */
#ifndef EVGPU_SIMT_CLOCK_H
#define EVGPU_SIMT_CLOCK_H

#include <stdint.h>

struct clock {
    uint64_t cycle;       /* of the last core_tick */
    uint64_t nanoseconds; /* %globaltimer */
    uint32_t ns_rest;
    uint64_t last_resident; /* after the last core_tick, and how many that were */
    uint32_t last_warps;
    uint64_t cycles_active, warp_cycles;
};

static inline uint64_t clock_now(const struct clock *clock)
{
    return clock->cycle;
}

static inline uint64_t clock_nanoseconds(const struct clock *clock)
{
    return clock->nanoseconds;
}

#endif
