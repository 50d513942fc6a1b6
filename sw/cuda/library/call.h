/* A call's way to its kernel, for libraries whose kernels exist in several precisions. */
#ifndef EVGPU_CUDA_LIBRARY_CALL_H
#define EVGPU_CUDA_LIBRARY_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/library/library.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* LIBRARY_C and LIBRARY_Z: complex numbers; LIBRARY_H: halves; LIBRARY_B: bfloat16; LIBRARY_I: int.
 */
enum library_precision {
    LIBRARY_S,
    LIBRARY_D,
    LIBRARY_C,
    LIBRARY_Z,
    LIBRARY_H,
    LIBRARY_B,
    LIBRARY_I
};

/* A kernel's arguments, in the order of its parameters. */
#define LIBRARY_ARGUMENTS 20
#define LIBRARY_SCALARS   2
struct library_call {
    struct library *library;
    cudaStream_t stream;
    enum library_precision precision;
    bool scalars_on_device; /* the caller's scalars are there */
    size_t count;
    void *at[LIBRARY_ARGUMENTS];
    union {
        float single;
        double twice;
    } scalars[LIBRARY_SCALARS];
    const void *devices[LIBRARY_SCALARS]; /* where the scalars are, or NULL: here */
    size_t n_scalars;
};

#define library_add(call, value) ((call)->at[(call)->count++] = (void *)(value))
/* Two parameters: where the scalar, of precision S or D, is on the device, or its value. */
void library_add_scalar(struct library_call *call, const void *scalar);

/* Launches the kernel whose name is `kernel`, _, and the precision's letter. */
cudaError_t library_start(struct library_call *call, const char *kernel, dim3 grid, dim3 block);

/* Blocks of `size` threads for n elements, at most `most`. */
unsigned int library_blocks(long long n, unsigned int size, unsigned int most);

#pragma GCC visibility pop

#endif
