/* The main job: a NIC replays a packet capture, every batch rings a doorbell, the forwarding kernel
 * is launched as an event (or by a polling CPU) beside a background matrix product; all packets and
 * the matrix are checked against host references. EDGE sections III to VI. */
#ifndef EVGPU_SYSTEM_FORWARDING_H
#define EVGPU_SYSTEM_FORWARDING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/base/histogram.h"
#include "sim/dev/nic.h"
#include "sim/gpu/gpu.h"
#include "sim/host/cpu_launcher.h"
#include "sim/system/config.h"
#include "sim/system/run_loop.h"
#include "sw/services/ipv4/capture.h"
#include "sw/services/ipv4/routes.h"

struct trace_window; /* sim/system/trace_window.h */

struct forwarding_options {
    const struct machine_config *config;
    enum tile_backend backend;
    const char *serial_port; /* of a board: PATH or PATH@BAUD */
    uint32_t mode;           /* enum sched_mode */
    bool cpu_launch;         /* the baseline of EDGE VI-A */
    bool thread_blocks;      /* events of several blocks instead of one warp */
    uint32_t batch;          /* packets per event; at most 32 for one warp */
    uint32_t background;     /* rows of the matrices, 0: no background kernel */
    uint32_t products;       /* the background is repeated beside packets up to so many times */
    enum nic_pace pace;
    uint64_t rate; /* by pace */
    bool drop;     /* NIC drops when its buffer is full, instead of holding the wire */
    uint64_t seed; /* matrices, next hops */
    const char *forward_ptx, *matmul_ptx;
    const struct capture *capture;
    const struct route_list *routes;
    const char *forwarded_path; /* capture of what the NIC sent, or NULL */
    struct trace_window *trace; /* may be NULL */
};

/* Parts of the way from the NIC's doorbell write to the first instruction, in core cycles. */
enum launch_part {
    PART_PCIE,     /* doorbell on the link */
    PART_DECODER,  /* doorbell decoder */
    PART_TABLE,    /* event kernel table, waiting for it included */
    PART_DISPATCH, /* choice of a core, waiting for one included */
    PART_PREEMPT,  /* in the core: until the event owns a warp */
    PART_FETCH,    /* until its first instruction issues */
    LAUNCH_PARTS
};

struct forwarding_result {
    uint64_t cycles;
    bool packets_verified, matrix_verified;
    uint64_t packets_checked;
    uint64_t events;
    struct histogram part[LAUNCH_PARTS];
    struct histogram launch;     /* all parts together */
    struct histogram preemption; /* PART_PREEMPT of events that took a victim */
    struct histogram runtime;    /* first to last instruction of an event */
    struct histogram notice;     /* last instruction to the NIC's done flag */
    struct histogram cpu_launch; /* with cpu_launch: call to start on the GPU */
    struct histogram end_to_end; /* forwarded packets, on the wire to on the wire */
    struct histogram background; /* cycles of each matrix product that overlapped packets */
    uint64_t alone_first; /* the first product without packets, caches cold; 0: not measured */
    uint64_t alone_next;  /* the second, caches warm */
    struct gpu_stats gpu;
    struct nic_stats nic; /* its histogram pointer is not kept */
    uint64_t cpu_busy_cycles;
};

/* Runs to the end of capture and background. Ends other than RUN_DONE leave the figures so far. A
 * wrong packet or matrix is RUN_FAILED with `err` naming the first difference. */
enum run_end forwarding_run(const struct forwarding_options *options,
                            const struct run_control *control, struct forwarding_result *result,
                            struct error *err);

/* The background kernel on the same machine without packets; fills alone_first and alone_next.
 */
enum run_end forwarding_alone(const struct forwarding_options *options,
                              const struct run_control *control, struct forwarding_result *result,
                              struct error *err);

void forwarding_free(struct forwarding_result *result);

#endif
