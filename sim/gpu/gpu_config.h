/* What a GPU (gpu.h) is made with. */
#ifndef EVGPU_GPU_GPU_CONFIG_H
#define EVGPU_GPU_GPU_CONFIG_H

#include <stdint.h>

#include "sim/gpu/concurrency/concurrency.h"
#include "sim/mem/memsys_config.h"
#include "sim/simt/core.h"
#include "tb/tile.h"

struct gpu_config {
    uint32_t cores, core_khz;
    uint32_t cpu_cores; /* requesters of the memory system beside the GPU, behind all others */
    uint64_t memory_bytes;
    uint64_t shared_at;    /* 0: memory is the simulator's own; else shared, its first address */
    uint64_t shared_extra; /* shared: bytes beside memory_bytes, for what hosts pin */
    struct core_config core;
    struct memsys_config mem; /* requesters, core clock and callbacks are filled in */
    uint32_t kernels_running, kernels_pending, dispatch_latency;
    uint32_t mode;            /* enum sched_mode */
    uint32_t policy;          /* number in tb/model/victim/policy.h */
    uint32_t spare_registers; /* 1: with registers of its own, an event may borrow any warp */
    uint32_t options;         /* OPT_... */
    uint32_t flush_limit;     /* cycles a victim may take to be flushed, 0: any number */
    uint32_t reserved_cores;
    struct {
        uint32_t most;         /* cores kept for events at most, less than cores; the last ones */
        uint32_t shift;        /* one for every 2^N events under way */
        uint32_t patience;     /* cycles, 0..65535 */
    } keep;                    /* of SCHED_MODE_DYNAMIC; rtl/edge/event_reserve.v */
    uint32_t fe_region_kib;    /* synchronised region, of each partition; 0: none */
    uint32_t fe_timeout_us;    /* of requests that wait for its words, 0: for ever */
    uint32_t fe_host_requests; /* line requests of the host and of devices that may wait */
    uint32_t fe_grain_bytes;   /* that share a full/empty bit */
    uint32_t fe_look_ahead;    /* waiting GPU requests of a partition that are looked at */
    uint32_t checks;           /* CHECK_... of check.h, 0: none */
    uint32_t packet_decode, wait_poll, wait_reads; /* of packet_processor.h */
    struct concurrency_config concurrency;
    enum tile_backend backend;
    const char *serial_port; /* of a board: PATH or PATH@BAUD */
};

#endif
