/* The instruction mix of a trace, and its hits in private caches of true LRU in program order: no
 * time, no window, so a fraction of a percent from what a core measures. */
#ifndef EVGPU_CPU_TRACE_TRACE_PROFILE_H
#define EVGPU_CPU_TRACE_TRACE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/cpu/trace/trace.h"

/* Lines of 128 bytes. */
struct cpu_profile_caches {
    uint32_t l1i_bytes, l1i_ways, l1d_bytes, l1d_ways, l2_bytes, l2_ways;
};

struct cpu_profile {
    uint64_t instructions;
    uint64_t with_load, with_store, branches, taken; /* instructions */
    uint64_t loads, stores;                          /* accesses */
    uint64_t waiting_loads; /* instructions whose address needs what an earlier load brought,
                             * directly or computed from it */
    uint64_t l1i_misses, l1d_misses, l2_misses, l2_writebacks;
    uint64_t rounds; /* times the file began again */
};

/* Counts `n` instructions behind `skip` others, which fill the caches. False with the trace's
 * error. */
bool cpu_profile_trace(struct cpu_trace *t, const struct cpu_profile_caches *caches, uint64_t skip,
                       uint64_t n, struct cpu_profile *p, struct error *err);

#endif
