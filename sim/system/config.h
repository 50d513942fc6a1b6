/* A machine's configuration: an INI file that gives every key once, itself or through the file that
 * it includes (config_include.h), each value overridable by "section.key=value". network.placement
 * alone may go over several lines, one to a row of the map, all but the first indented; in an
 * override its rows are separated by a slash. Unknown keys, missing keys, text that is no number
 * and values out of range are errors that name file and line (or the override). */
#ifndef EVGPU_SYSTEM_CONFIG_H
#define EVGPU_SYSTEM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/cpu/cpu_core.h"
#include "sim/gpu/gpu_config.h"
#include "sim/mem/memsys_config.h"
#include "sim/simt/core_config.h"

struct machine_config {
    char name[64];                     /* file name without directory and ending */
    uint32_t threads;                  /* of the simulator, no key: the command chooses; 0: 1 */
    struct thread_model *thread_model; /* no key either: to be measured, or NULL */
    uint32_t cores;                    /* SIMT cores, 1..63 */
    uint32_t core_khz;
    struct core_config core;
    uint32_t memory_mib;
    uint32_t capability;      /* that programs are told: 60 is CUDA's 6.0 */
    uint32_t lookahead;       /* cycles that a core may run before the others */
    uint32_t protection;      /* kernels may access their guest's memory only */
    char placement_at[128];   /* file and line that give mem.placement, "": it is overridden */
    struct memsys_config mem; /* ports, core clock and callbacks are filled in by gpu_create */
    struct kernel_config kernels;
    struct packet_config packets;
    struct event_config events;
    uint32_t lane_queue; /* of dynamic scheduling: memory instructions of events in a queue of their
                          * own, with lanes to memory; 0: neither */
    /* CPU cores beside the GPU */
    uint32_t cpu_cores; /* 0: none */
    uint32_t cpu_khz;
    struct cpu_core_config cpu_core;
    /* PCIe */
    uint32_t pcie_latency_ns; /* one way */
    uint32_t pcie_mb_per_s;   /* per direction, 10^6 bytes per second */
    uint32_t pcie_header_bytes, pcie_payload_bytes;
    uint32_t copy_engines;
    uint32_t bulk_memory_ns; /* memory's part of a larger one */
    uint32_t line_copy_kib;  /* copies up to this are requests of a line to the memory system */
    /* CPU-launched baseline */
    uint32_t cpu_threads;
    uint32_t copy_enqueue_ns; /* calls of the CUDA driver: copies, synchronisation, all others */
    uint32_t copy_prepare_ns;
    uint32_t copy_wait_ns;    /* the same for a call that waits for its copy */
    uint32_t copy_alone;      /* 1: a copy is prepared only when the engine has no other */
    uint32_t prepare_in_turn; /* 1: when the earlier calls of the stream are complete */
    uint32_t one_driver;      /* 1: prepares one call at a time, whichever thread made it */
    uint32_t sync_call_ns, sync_return_ns;
    uint32_t call_ns;
    uint32_t launch_enqueue_ns; /* the launch call returns to the CPU thread */
    uint32_t launch_prepare_ns; /* driver work after that */
    uint32_t launch_execute_ns; /* front end, before the first block can be dispatched */
    uint32_t poll_ns;           /* CPU polling interval */
    uint32_t packet_ns;         /* a packet for a user-level queue, with its doorbell */
    uint32_t stream_op_ns;      /* call for a memory operation of a stream */
    uint32_t streams;
    struct region_config fe;
    struct concurrency_config concurrency; /* its choice is filled in by the machine */
    /* NIC */
    uint32_t nic_gbit_per_s;
    uint32_t nic_buffer_kib;
    uint32_t nic_batch;      /* packets per event */
    uint32_t nic_timeout_ns; /* a partial batch waits no longer */
    uint32_t nic_in_flight;  /* entries of the submission queue */
};

/* Reads `path`. False with `err` set; `config` is then undefined. */
bool config_load(struct machine_config *config, const char *path, struct error *err);

/* Applies one "section.key=value", as the option --set gives it; or of another option, which the
 * messages name. */
bool config_override(struct machine_config *config, const char *text, struct error *err);
bool config_override_by(struct machine_config *config, const char *option, const char *text,
                        struct error *err);

/* Whether it is a section or a SECTION.KEY of the lines below; false with an error that names a
 * near one. */
bool config_known(const char *name, struct error *err);

/* Checks that hold between keys, e.g. threads against warps; call after the overrides. */
bool config_check(const struct machine_config *config, struct error *err);

/* One line per key for `evgpu config`: "section.key min..max unit: meaning". */
void config_describe(void (*line)(void *user, const char *text), void *user);

/* One line per key with its value: "section.key=value", as an override has it. */
void config_print(const struct machine_config *config, void (*line)(void *user, const char *text),
                  void *user);

#endif
