/* The traffic of L2 and DRAM, counted by owner: a number that the requester puts into its requests,
 * so that kernels which share the machine can be told apart.
 *
 * A request is counted for its owner when its bank decides it. DRAM is counted in whole columns
 * when the access is queued: a fetch for the request that asked first (requests that join it later
 * are misses, but ask for nothing), a write-back for the request that needed the way. */
#ifndef EVGPU_MEM_TRAFFIC_H
#define EVGPU_MEM_TRAFFIC_H

#include <stdint.h>

#define GPU_OWNERS     72u /* owner 0: nobody in particular */
#define CPU_OWNERS     64u /* behind them, one for each CPU core */
#define TRAFFIC_OWNERS (GPU_OWNERS + CPU_OWNERS)

struct traffic {
    uint64_t l2_hits, l2_misses;      /* requests, as in bank_stats */
    uint64_t dram_read, dram_written; /* bytes */
};

static inline void traffic_add(struct traffic *sum, const struct traffic *one)
{
    sum->l2_hits += one->l2_hits;
    sum->l2_misses += one->l2_misses;
    sum->dram_read += one->dram_read;
    sum->dram_written += one->dram_written;
}

#endif
