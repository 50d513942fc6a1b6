/* Calls whose sizes have 64 bits (names that end in _64): by those of 32 bits. */
#include <limits.h>

#include "sw/cuda/blas/blas.h"
#include "sw/cuda/client/core.h"

bool blas_narrow(const char *call, const struct blas_size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sizes[i].value < INT_MIN || sizes[i].value > INT_MAX) {
            evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                        "%s: %s is %lld; evgpu's cuBLAS has sizes of 32 bits", call, sizes[i].name,
                        (long long)sizes[i].value);
            return false;
        }
    return true;
}

/* Where a call that finds a place writes 32 bits of the 64: a place is at most INT_MAX, so the
 * other half is 0. */
static int *low_half(cublasHandle_t handle, int64_t *place)
{
    if (!handle || !place)
        return NULL;
    if (handle->pointers == CUBLAS_POINTER_MODE_HOST)
        *place = 0;
    else if (cudaMemsetAsync(place, 0, sizeof *place, handle->stream))
        return NULL;
    return (int *)place;
}

#include "sizes.inc"
