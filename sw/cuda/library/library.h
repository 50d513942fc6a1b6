/* What libraries with kernels of their own (cuBLAS, cuFFT) share: the PTX inside the library,
 * loaded at the first launch of a handle. */
#ifndef EVGPU_CUDA_LIBRARY_LIBRARY_H
#define EVGPU_CUDA_LIBRARY_LIBRARY_H

#include "sw/cuda/client/core.h"
#include "sw/cuda/include/cuda_runtime_api.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* A handle's own copy of the library's module; zeroes: not loaded. */
struct library {
    CUmodule module;
};

/* Launches a kernel of the library in a stream; `arguments` point to the values of its parameters
 * in their order. A cudaError_t: also that of loading the module. */
cudaError_t library_launch(struct library *library, const char *kernel, dim3 grid, dim3 block,
                           cudaStream_t stream, void *const *arguments);

/* Unloads the module, if a launch has loaded it. */
void library_close(struct library *library);

#pragma GCC visibility pop

#endif
