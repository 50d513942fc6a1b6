/* A call's way to its kernel. */
#include "sw/cuda/blas/blas.h"

struct library_call blas_call(cublasHandle_t handle, enum library_precision precision)
{
    return (struct library_call){
        .library = &handle->library,
        .stream = handle->stream,
        .precision = precision,
        .scalars_on_device = handle->pointers == CUBLAS_POINTER_MODE_DEVICE,
    };
}

cublasStatus_t blas_launch(struct library_call *call, const char *kernel, dim3 grid, dim3 block)
{
    return library_start(call, kernel, grid, block) ? CUBLAS_STATUS_EXECUTION_FAILED
                                                    : CUBLAS_STATUS_SUCCESS;
}
