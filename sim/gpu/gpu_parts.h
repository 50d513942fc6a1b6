/* What parts of a GPU are made with. A machine's configuration (sim/system/config.h) holds the same
 * structs, so that a key of them is named once there and read here. */
#ifndef EVGPU_GPU_GPU_PARTS_H
#define EVGPU_GPU_GPU_PARTS_H

#include <stdint.h>

/* Kernel management, EDGE II-A. */
struct kernel_config {
    uint32_t running;          /* grids that the dispatch unit holds */
    uint32_t pending;          /* grids that the management unit holds */
    uint32_t dispatch_latency; /* management unit to first block, core cycles */
};

/* Packets of user-level queues: sim/gpu/queue/packet_processor.h. Core cycles. */
struct packet_config {
    uint32_t decode;
    uint32_t poll;       /* from an answer to the next read of a word that a stream waits for */
    uint32_t poll_reads; /* such reads under way */
};

struct event_config {
    uint32_t policy;          /* number in tb/model/victim/policy.h */
    uint32_t spare_registers; /* 1: an event has registers of its own and may borrow any warp */
    uint32_t options;         /* OPT_... bits */
    uint32_t flush_limit;     /* core cycles a victim may take to be flushed, 0: any number */
    uint32_t reserved_cores;  /* kept for events when scheduling by reservation */
    struct {
        uint32_t most;     /* cores kept for events at most, less than cores; the last ones */
        uint32_t shift;    /* one for every 2^N events under way */
        uint32_t patience; /* core cycles, 0..65535 */
    } keep;                /* of dynamic scheduling; rtl/edge/event_reserve.v */
};

/* The synchronised region: sim/gpu/region_port.h. */
struct region_config {
    uint32_t kib;           /* of each partition; 0: none */
    uint32_t timeout_us;    /* of requests that wait for its words, 0: for ever */
    uint32_t host_requests; /* line requests of the host and of devices that may wait */
    uint32_t grain_bytes;   /* that share a full/empty bit */
    uint32_t look_ahead;    /* waiting GPU requests of a partition that are looked at */
};

#endif
