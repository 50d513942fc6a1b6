/* Measured runs: CPU cores and GPU programs beside each other, as section 5 of the CM-BAL paper
 * measures them. A run that has CPU cores goes through these steps:
 *
 * 1. Loads begin: processes, copies into device memory. Their first kernels are held in front of
 * the GPU, so that set-up takes no time from what is measured.
 * 2. When each load has a kernel there (or has finished), the CPU cores start; the GPU is empty.
 * 3. When the slowest core has executed `cpu_warmup` instructions, the kernels are let onto the
 * GPU.
 * 4. When every load's kernels execute, measurement begins for all guests; services start.
 * 5. A core is measured until it has executed `cpu_quota` instructions from then on, a program
 * until its process has ended, or until its kernels have executed `gpu_quota` instructions of
 * threads. A core goes on after that, and so does a program; one whose process has ended starts
 * again as a fresh process, as long as anything is still to be measured.
 * 6. The run ends when all has been measured; what is still under way is given up.
 *
 * Without CPU cores, steps 2 and 3 take no time. */
#ifndef EVGPU_SYSTEM_MEASURE_H
#define EVGPU_SYSTEM_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Instructions. */
struct measure_quotas {
    uint64_t cpu_warmup; /* of each core, before the GPU starts */
    uint64_t cpu_quota;  /* of each core, measured; at least 1 */
    uint64_t gpu_quota;  /* of the threads of a program's kernels, measured; 0: all of them */
};

/* The quotas of a scale by its name: "paper" for section 5's, "small" for runs of seconds. False
 * with `err`. */
bool measure_scale(const char *name, struct measure_quotas *quotas, struct error *err);

#endif
