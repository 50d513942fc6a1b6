/* The statistics of a GPU (gpu.h). */
#ifndef EVGPU_GPU_GPU_STATS_H
#define EVGPU_GPU_GPU_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/gpu/event_rooms.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/mem/memsys_stats.h"
#include "sim/simt/core_env.h"

struct gpu_stats {
    uint64_t cycles;
    uint64_t doorbells, events, events_by_path[EVENT_PATHS];
    uint64_t events_aborted; /* of the events */
    uint32_t rejected_unregistered, rejected_misaligned, rejected_size, rejected_foreign;
    uint32_t rejected_overrun;  /* more events in flight than a row may have */
    uint32_t rejected_pointers; /* completion pointers: misaligned, outside of the row's window */
    /* Completions without a flag: no answer to the pointer's read, an end of their patience, or of
     * a row of which that had been so */
    uint32_t flags_unanswered, flags_timed_out, flags_silent;
    struct core_stats cores; /* summed */
    struct event_rooms_stats rooms;
    uint32_t n_cores;
    struct core_stats core[GPU_MAX_CORES];
    struct memsys_stats mem;
    bool processor_used; /* there has been a user-level queue or a wait for a word */
    struct pp_stats processor;
    uint64_t launches;     /* grids that have started, but for those of events */
    uint64_t timed;        /* of these */
    uint32_t timing_named; /* names of timing_choice that kernels have had, bit i for name[i] */
    uint64_t timed_anyway; /* of these, although they were not chosen (untimed_may) */
    uint32_t native;       /* kernels for which machine code was made; by the host's time */
    uint64_t tile_steps;   /* clock edges given to tiles; the rest were idle */
};

#endif
