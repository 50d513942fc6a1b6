/* A call's way to its kernel. */
#include <stdio.h>

#include "sw/cuda/blas/blas.h"

void blas_add_scalar(struct blas_call *call, const void *scalar)
{
    size_t i = call->n_scalars++;
    bool on_device = call->handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
    call->devices[i] = on_device ? scalar : NULL;
    if (!on_device && call->precision == BLAS_S)
        call->scalars[i].single = *(const float *)scalar;
    else if (!on_device)
        call->scalars[i].twice = *(const double *)scalar;
    blas_add(call, &call->devices[i]);
    blas_add(call, &call->scalars[i]);
}

cublasStatus_t blas_launch(struct blas_call *call, const char *kernel, dim3 grid, dim3 block)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%c", kernel, call->precision == BLAS_S ? 's' : 'd');
    cudaError_t error =
        library_launch(&call->handle->library, name, grid, block, call->handle->stream, call->at);
    return error ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

unsigned int blas_blocks(int n, unsigned int size, unsigned int most)
{
    unsigned int blocks = ((unsigned int)n + size - 1) / size;
    return blocks < most ? blocks : most;
}
