/* Device code that nvcc's own front end takes and clang refuses: launches in kernels (launches.h),
 * shared variables with constructors (shared.h), attributes behind __device__ (attributes.h),
 * loops unrolled less than once (pragmas.h), copies of threadIdx (indices.h), constants by "this"
 * (constants.h), missing words, and names that templates lack (missing.h). And in host code, bodies
 * of kernels (bodies.h). */
#ifndef EVGPU_NVCC_REFUSED_H
#define EVGPU_NVCC_REFUSED_H

#include "sw/cuda/nvcc/overlay.h"

/* Compiles device code by the clang command `words`, to which what `overlay` shows is still to be
 * added. Where clang refuses such code, the overlay shows other code in its place, and clang runs
 * again. Reports errors as diagnose_run() does, and ends then. `output`: a file for the standard
 * output. */
void refused_compile(const struct options *options, const struct list *words, const char *output,
                     struct overlay *overlay);

/* The same for host code; `words` have what `overlay` shows so far. */
void refused_compile_host(const struct options *options, struct list *words,
                          struct overlay *overlay);

#endif
