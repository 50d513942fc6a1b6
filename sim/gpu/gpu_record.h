/* What a GPU counts in places, for series over time: the states of each core's warps, each DRAM
 * channel, each link of the network; and the states by instruction. */
#ifndef EVGPU_GPU_GPU_RECORD_H
#define EVGPU_GPU_GPU_RECORD_H

#include <stdint.h>

#include "sim/gpu/gpu.h"
#include "sim/simt/counters.h"

/* Counts of one moment, one after the other: of each core RECORD_CORE (states are from samples;
 * RECORD_WARPS, its resident warps summed over cycles, is not), of each channel
 * RECORD_CHANNEL, flits of each link of the request network, then of the reply network. */
enum { RECORD_STATES, RECORD_INSTRUCTIONS = WARP_STATES, RECORD_WARPS, RECORD_CORE };
enum { RECORD_DRAM_CYCLES, RECORD_DRAM_BUSY, RECORD_ROW_HITS, RECORD_ROW_MISSES, RECORD_CHANNEL };

struct gpu_record_shape {
    uint32_t cores, channels, requests, replies; /* requests, replies: links */
    uint32_t counts;                             /* of a moment */
};

/* Before the first tick. */
void gpu_record_start(struct gpu *gpu);
struct gpu_record_shape gpu_record_shape(const struct gpu *gpu);

/* The counts up to now. */
void gpu_record_read(const struct gpu *gpu, uint64_t *counts);

/* Warp cycles of one instruction, over all cores; only those that have any. */
struct gpu_record_place {
    const struct kernel *kernel;
    uint32_t instruction;
    uint64_t state[WARP_STATES];
};
void gpu_record_places(const struct gpu *gpu,
                       void (*see)(void *user, const struct gpu_record_place *place), void *user);

#endif
