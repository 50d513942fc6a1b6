/* DYNCTA (Kayiran et al., "Neither more nor less: optimizing thread-level parallelism for GPGPUs",
 * PACT 2013): how many blocks of a core may run, from what its latency tolerance was in a sampling
 * period. Rules as in the paper's algorithm; per core, at the end of a period, at most one step:
 *
 *   C_idle >= t_idle         one more block: the core had nothing to run and did not wait for
 * memory else C_mem <  t_mem_l    one more: memory is not what holds the core up else C_mem >=
 * t_mem_h    one less: contention else                     as it was
 *
 * n lies between 1 and N, the blocks that fit on a core; a kernel begins with N / 2, at least 1. A
 * block above n is paused, the youngest first, and goes on when n rises or an older one ends. */
#ifndef EVGPU_GPU_CONCURRENCY_DYNCTA_H
#define EVGPU_GPU_CONCURRENCY_DYNCTA_H

#include <stdint.h>

#include "sim/gpu/concurrency/concurrency.h"

struct dyncta {
    uint32_t blocks, most; /* n, N */
    uint32_t warps;        /* of a block */
    uint64_t idle, memory; /* cycles of this period */
};

/* A kernel begins: `most` blocks of `warps` warps fit. */
void dyncta_begin(struct dyncta *d, uint32_t most, uint32_t warps);

/* A period ends: decides, and counts from 0. */
void dyncta_decide(struct dyncta *d, const struct dyncta_settings *settings);

/* Warps of n blocks, at most EVG_CM_LEVEL_8. */
uint32_t dyncta_limit(const struct dyncta *d);

#endif
