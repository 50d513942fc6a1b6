/* Runs of products of tiles, in versions for several processors (mma_products.h); lanes_mma.c
 * chooses one. Not a public header. */
#ifndef EVGPU_PTX_EXECUTE_MMA_H
#define EVGPU_PTX_EXECUTE_MMA_H

#include "base/clones.h"
#include "sim/ptx/execute/lanes.h"

/* Executes the product at `inst` and those that follow it, `most` at most, while they are of the
 * same kind and guard, for the lanes of `mask`: as each by itself, but that a tile which several
 * have is widened once. Returns how many. */
typedef uint32_t (*mma_run)(const struct inst *inst, uint32_t most, struct lane_ctx *ctx,
                            uint32_t mask);

struct mma_runs {
    mma_run f16, bf16, tf32, f64;
};

extern const struct mma_runs mma_plain;
#ifdef CPU_VERSIONS
extern const struct mma_runs mma_v3, mma_v4;
#endif

#endif
