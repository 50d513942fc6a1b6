/* Anybody's kernel alone on a machine: arguments by type, buffers from files or zeroed, results
 * back, figures. */
#ifndef EVGPU_GUEST_KERNEL_KERNEL_JOB_H
#define EVGPU_GUEST_KERNEL_KERNEL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/system/config.h"
#include "sim/system/run_loop.h"

struct kernel_job; /* one machine, one module; kernels run one after the other */

struct kernel_figures {
    uint64_t cycles;
    uint64_t warp_instructions, thread_instructions;
    uint64_t grid_cycles; /* from its first block to its last */
    struct grid_counters counts;
    struct gpu_stats stats;           /* of the whole job so far */
    uint32_t blocks_per_core;         /* occupancy limit */
    const char *limiter;              /* what limits it */
    uint32_t registers, shared_bytes; /* per thread, per block with dynamic */
};

struct kernel_call {
    const char *name;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    bool cooperative; /* all blocks at once, or not at all */
};

struct kernel_source {
    const char *path; /* PTX */
    /* Threads of the blocks to come, 0 when not known: kernels that need more registers than leave
     * room for such a block on a core keep the rest in local memory. */
    uint64_t block_threads;
};

struct kernel_job *kernel_job_create(const struct machine_config *config, enum tile_backend backend,
                                     const struct kernel_source *source, struct error *err);
void kernel_job_destroy(struct kernel_job *job);

/* A device buffer; `data` may be NULL for zeroes. 0 with `err` when memory is full. */
uint64_t kernel_job_buffer(struct kernel_job *job, const void *data, uint64_t bytes,
                           struct error *err);
uint8_t *kernel_job_memory(struct kernel_job *job, uint64_t address);

/* Arguments of the next call, by position; `bytes` must be the parameter's size. */
bool kernel_job_argument(struct kernel_job *job, const char *kernel, uint32_t index,
                         const void *value, uint32_t bytes, struct error *err);

/* Device address and size of a __device__ or __constant__ variable; false with `err` set when there
 * is none of this name. */
bool kernel_job_symbol(const struct kernel_job *job, const char *name, uint64_t *address,
                       uint64_t *bytes, struct error *err);

/* A kernel that can run, or NULL with `err` set. */
const struct kernel *kernel_job_kernel(const struct kernel_job *job, const char *name,
                                       struct error *err);

/* Runs to completion. */
enum run_end kernel_job_run(struct kernel_job *job, const struct kernel_call *call,
                            const struct run_control *control, struct kernel_figures *figures,
                            struct error *err);

/* The output of the kernels since the last call (gpu_take_output). */
void kernel_job_output(struct kernel_job *job,
                       void (*print)(void *user, bool is_error, const char *text, size_t bytes),
                       void *user);

#endif
