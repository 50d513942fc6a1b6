/* Launches in device code: "k<<<grid, block>>>(x)" in a kernel. clang has no such thing and refuses
 * it where the brackets stand; it is shown a call of evgpu_cuda_launch.h there. */
#ifndef EVGPU_NVCC_LAUNCHES_H
#define EVGPU_NVCC_LAUNCHES_H

#include "sw/cuda/nvcc/overlay.h"

/* Compiles device code by the clang command `words`, to which what `overlay` shows is still to be
 * added. Reports errors as diagnose_run() does, and ends then. */
void launches_compile(const struct options *options, const struct list *words,
                      struct overlay *overlay);

#endif
