/* The changes of ptxas options, made to the PTX text that takes the place of its output. */
#ifndef EVGPU_NVCC_PTX_EDIT_H
#define EVGPU_NVCC_PTX_EDIT_H

#include <stdbool.h>

/* Takes out labels that nothing refers to, and applies two options.
 * `max_registers`: the .maxnreg of every kernel that does not state its own; 0: none.
 * `cache_global`: loads from global memory skip L1 (-dlcm=cg), except those that name a cache. */
void ptx_edit_file(const char *path, long max_registers, bool cache_global);

#endif
