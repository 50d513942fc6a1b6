/* A call's way to its kernel, and its scalars. */
#include "sw/cuda/blas/blas.h"

#include <string.h>

static const struct {
    cudaDataType type;
    size_t bytes;
} numbers[] = {[LIBRARY_S] = {CUDA_R_32F, sizeof(float)},
               [LIBRARY_D] = {CUDA_R_64F, sizeof(double)},
               [LIBRARY_C] = {CUDA_C_32F, sizeof(cuComplex)},
               [LIBRARY_Z] = {CUDA_C_64F, sizeof(cuDoubleComplex)},
               [LIBRARY_H] = {CUDA_R_16F, 2},
               [LIBRARY_B] = {CUDA_R_16BF, 2},
               [LIBRARY_I] = {CUDA_R_32I, sizeof(int)}};

size_t blas_bytes(enum library_precision precision)
{
    return numbers[precision].bytes;
}

bool blas_precision(cudaDataType type, enum library_precision *precision)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].type == type) {
            *precision = (enum library_precision)i;
            return true;
        }
    return false;
}

struct library_call blas_call(cublasHandle_t handle, enum library_precision precision)
{
    return (struct library_call){
        .library = &handle->library, .stream = handle->stream, .precision = precision};
}

cublasStatus_t blas_launch(struct library_call *call, const char *kernel, dim3 grid, dim3 block)
{
    return library_start(call, kernel, grid, block) ? CUBLAS_STATUS_EXECUTION_FAILED
                                                    : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_fetch(cublasHandle_t handle, void *to_host, const void *from, size_t bytes)
{
    bool failed = cudaMemcpyAsync(to_host, from, bytes, cudaMemcpyDeviceToHost, handle->stream) ||
                  cudaStreamSynchronize(handle->stream);
    return failed ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

struct blas_factor blas_factor(cublasHandle_t handle, enum library_precision precision,
                               const void *scalar, int form)
{
    struct blas_factor f = {.form = form};
    if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE)
        f.device = scalar;
    else /* an imaginary part that is not there stays 0 */
        memcpy(&f.value, scalar, blas_bytes(precision) / (form & FACTOR_REAL ? 2 : 1));
    return f;
}

struct blas_factor blas_one(enum library_precision precision)
{
    struct blas_factor f = {.device = NULL};
    if (precision == LIBRARY_D || precision == LIBRARY_Z)
        f.value.twice = 1;
    else
        f.value.single = 1;
    return f;
}
