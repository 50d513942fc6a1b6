/* What the samples of a core (sample.h) say beyond the sums of each owner: the states of all its
 * warps together, and at which instruction they were. Only on request (core_record): it looks at
 * each warp of a sample on its own. */
#ifndef EVGPU_SIMT_RECORDER_H
#define EVGPU_SIMT_RECORDER_H

#include <stdint.h>

#include "sim/simt/counters.h"

struct kernel;

/* Warp cycles in each state, by the warp's next instruction. */
struct recorded_kernel {
    const struct kernel *kernel;
    uint64_t (*inst)[WARP_STATES]; /* kernel->n_inst */
};

struct recorder {
    uint64_t state[WARP_STATES]; /* warp cycles of the core */
    struct recorded_kernel *kernels;
    uint32_t n_kernels, capacity;
};

struct recorder *recorder_create(void);
void recorder_free(struct recorder *r); /* `r` may be NULL */

/* A warp was in this state for so many cycles; `kernel` NULL: at no instruction. */
void recorder_add(struct recorder *r, enum warp_state state, uint64_t cycles,
                  const struct kernel *kernel, uint32_t instruction);

#endif
