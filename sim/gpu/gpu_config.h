/* The configuration of a GPU (gpu.h). A machine's configuration (sim/system/config.h) holds the
 * same structs of its parts, so that each of their keys is one field. */
#ifndef EVGPU_GPU_GPU_CONFIG_H
#define EVGPU_GPU_GPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/gpu/concurrency/concurrency.h"
#include "sim/gpu/timing.h"
#include "sim/mem/memsys_config.h"
#include "sim/ptx/native/native.h"
#include "sim/simt/core_config.h"
#include "tb/tile.h"

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

/* Flush optimisations: the sum of EVG_OPT_... bits, or all with the rule of EDGE's artifact, by
 * which loads are dropped whatever of their warp has completed since (core_config.drop_unsafe). */
#define EVENT_OPTIONS_ALL                                                                          \
    (EVG_OPT_PRIORITY | EVG_OPT_FLUSH_IBUF | EVG_OPT_SKIP_BARRIER | EVG_OPT_DROP_LOADS)
#define EVENT_DROP_UNSAFE (EVENT_OPTIONS_ALL + 1)

/* Where an event of one warp waits for a context. */
enum event_drain {
    EVENT_DRAIN_CORE,    /* in the table of the core that was chosen for it */
    EVENT_DRAIN_BLOCKS,  /* without preemption in kernel management, as a thread block for the first
                          * core with room (EDGE IV-B); with it as EVENT_DRAIN_CORE */
    EVENT_DRAIN_FALLBACK /* as EVENT_DRAIN_BLOCKS, and with preemption so does an event for which no
                          * core has a warp with enough registers when it comes (VI-C); not with
                          * spare registers */
};

struct event_config {
    uint32_t policy;          /* number in tb/model/victim/policy.h */
    uint32_t spare_registers; /* 1: an event has registers of its own and may borrow any warp */
    uint32_t drain;           /* enum event_drain */
    uint32_t options;         /* EVG_OPT_... bits, or EVENT_DROP_UNSAFE */
    uint32_t flush_limit;     /* core cycles a victim may take to be flushed, 0: any number */
    uint32_t flag_limit;      /* core cycles a completion may hold the others up, 0: any number */
    uint32_t reserved_cores;  /* kept for events when scheduling by reservation */
    struct {
        uint32_t most;     /* cores kept for events at most, less than cores; the last ones */
        uint32_t shift;    /* one for every 2^N events under way */
        uint32_t patience; /* core cycles, 0..65535 */
    } keep;                /* of dynamic scheduling; rtl/edge/event_reserve.v */
    struct {
        uint32_t on;       /* 1: each core keeps contexts and registers free for events */
        uint32_t interval; /* log2 of core cycles, 8 to 16 */
        uint32_t margin;   /* contexts beside those that events need */
    } room;                /* sim/gpu/event_rooms.h */
};

/* The synchronised region: sim/gpu/region_port.h. */
struct region_config {
    uint32_t kib;           /* of each partition; 0: none */
    uint32_t timeout_us;    /* of requests that wait for its words, 0: for ever */
    uint32_t host_requests; /* line requests of the host and of devices that may wait */
    uint32_t grain_bytes;   /* that share a full/empty bit */
    uint32_t look_ahead;    /* waiting GPU requests of a partition that are looked at */
};

struct gpu_config {
    uint32_t cores, core_khz;
    uint32_t cpu_cores; /* requesters of the memory system beside the GPU, behind all others */
    uint64_t memory_bytes;
    bool unguarded;        /* kernels may access memory of other owners (image.h) */
    uint64_t shared_at;    /* 0: memory is the simulator's own; else shared, its first address */
    uint64_t shared_extra; /* shared: bytes beside memory_bytes, for what hosts pin */
    struct core_config core;
    struct memsys_config mem; /* requesters, core clock and callbacks are filled in */
    uint32_t mode;            /* enum sched_mode */
    struct kernel_config kernels;
    struct packet_config packets;
    struct event_config events;
    struct region_config fe;
    struct timing_choice timing;
    enum native_when native; /* machine code for kernels that are not timed */
    uint32_t checks;         /* CHECK_... of check.h, 0: none */
    struct concurrency_config concurrency;
    uint32_t threads; /* that share out the cores, 1 to TEAM_THREADS (base/threads/team.h); 0: 1 */
    /* Cycles in which a core may run before the others, as far as that changes nothing for it; no
     * more than the reply network tells in advance (memsys_ahead). 0: 1, they meet in each cycle.
     */
    uint32_t lookahead;
    struct thread_model *thread_model; /* measured, on one thread, if not NULL */
    enum tile_backend backend;
    const char *serial_port;   /* of a board: board_line_open */
    struct port_record *ports; /* tiles' steps are recorded there (tb/port_record.h); or NULL */
};

#endif
