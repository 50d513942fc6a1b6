/* The counters of a core for each owner of warps: a grid, or an event kernel. All members are
 * 64-bit counters, so that counts add up as arrays. */
#ifndef EVGPU_SIMT_COUNTERS_H
#define EVGPU_SIMT_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/mem/traffic.h"

/* The state of a resident warp in a cycle: it issued, or why not. The first that holds, in the
 * order below of what a warp passes on its way to issue: finished, taken, waiting, without
 * instruction, without operands, without unit. */
enum warp_state {
    WARP_ISSUED,       /* issued an instruction */
    WARP_NOT_SELECTED, /* could have; its scheduler took another warp */
    WARP_UNIT,         /* the execution unit is taken */
    WARP_LOAD_STORE,   /* the load-store unit is taken by lines of its queue */
    WARP_DEPENDENCE,   /* an operand is a result still in a pipeline */
    WARP_MEMORY,       /* device or local memory: data on the way, or the queue to it is held */
    WARP_SHARED,       /* shared memory: data on the way */
    WARP_BANKS,        /* the same, with conflicts of its banks */
    WARP_CONSTANT,     /* constants or parameters on the way */
    WARP_BARRIER,      /* waits for other warps of the block */
    WARP_FENCE,        /* waits until its own accesses are performed */
    WARP_FETCH,        /* no instruction in the i-buffer */
    WARP_SLEEP,        /* nanosleep */
    WARP_LIMIT,        /* beyond the limit of warps that may issue */
    WARP_EVENT,        /* an event has its place, or is taking or giving it back */
    WARP_ENDING,       /* has exited; its stores are on the way */
    WARP_STATES
};

struct core_counters {
    uint64_t warp_instructions, thread_instructions;
    uint64_t core_cycles; /* of cores with at least one of its warps */
    uint64_t warp_cycles; /* resident warps, summed over these */
    uint64_t l1_hits, l1_misses;
    uint64_t shared_conflicts; /* cycles beyond what conflict-free accesses take */
    /* From samples, each of which stands for the cycles since the one before: */
    uint64_t state[WARP_STATES];           /* warps in each state, summed over cycles */
    uint64_t schedulers, schedulers_empty; /* the same, on cores with its warps; without any */
};

/* A grid's, over all cores. */
struct grid_counters {
    struct core_counters core;
    struct traffic memory;
};

static inline void core_counters_add(struct core_counters *sum, const struct core_counters *one)
{
    uint64_t *to = (uint64_t *)(void *)sum;
    const uint64_t *from = (const uint64_t *)(const void *)one;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

static inline void grid_counters_add(struct grid_counters *sum, const struct grid_counters *one)
{
    core_counters_add(&sum->core, &one->core);
    traffic_add(&sum->memory, &one->memory);
}

#endif
