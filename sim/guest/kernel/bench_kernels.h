/* Kernels of sw/apps as whole jobs: input made from a seed, run, result checked against the
 * host reference. */
#ifndef EVGPU_GUEST_KERNEL_BENCH_KERNELS_H
#define EVGPU_GUEST_KERNEL_BENCH_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/system/config.h"
#include "sim/system/run_loop.h"
#include "tb/tile.h"

enum workload { WORKLOAD_VECTOR_ADD, WORKLOAD_MATMUL, WORKLOAD_BFS };

struct workload_request {
    enum workload workload;
    uint32_t size; /* elements, rows, nodes */
    const struct machine_config *config;
    enum tile_backend backend;
    const char *ptx_path;
    uint64_t seed;
};

struct workload_result {
    uint64_t cycles, warp_instructions;
};

/* False with `err` when the run fails or a result differs from the reference. */
bool workload_run(const struct workload_request *request, const struct run_control *control,
                  struct workload_result *result, struct error *err);

/* The PTX file and kernel of a workload. */
const char *workload_ptx(enum workload workload);
const char *workload_kernel(enum workload workload);

#endif
