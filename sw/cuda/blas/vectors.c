/* Kernels of vectors. */
#include "sw/cuda/blas/blas.h"

#include <string.h>

#define VECTOR_THREADS 256u
#define VECTOR_BLOCKS  1024u /* at most; threads take further elements in turn */

static void add(struct library_call *call, const struct blas_vectors *v)
{
    library_add(call, &v->n);
    library_add(call, &v->x);
    library_add(call, &v->incx);
    if (v->y) {
        library_add(call, &v->y);
        library_add(call, &v->incy);
    }
}

cublasStatus_t blas_over(cublasHandle_t handle, enum library_precision precision,
                         const char *kernel, const struct blas_vectors *v, const void *first,
                         const void *second)
{
    struct library_call call = blas_call(handle, precision);
    add(&call, v);
    if (first)
        library_add(&call, (uintptr_t)first);
    if (second)
        library_add(&call, (uintptr_t)second);
    return blas_launch(&call, kernel,
                       (dim3){library_blocks(v->n, VECTOR_THREADS, VECTOR_BLOCKS), 1, 1},
                       (dim3){VECTOR_THREADS, 1, 1});
}

/* The result of no elements. */
static cublasStatus_t nothing(cublasHandle_t handle, void *result, size_t bytes)
{
    if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE)
        return cudaMemsetAsync(result, 0, bytes, handle->stream) ? CUBLAS_STATUS_EXECUTION_FAILED
                                                                 : CUBLAS_STATUS_SUCCESS;
    memset(result, 0, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_reduce(cublasHandle_t handle, enum library_precision precision,
                           const struct blas_reduction *of, const struct blas_vectors *v,
                           void *result)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(result);
    if (v->n <= 0 || (!v->y && v->incx <= 0))
        return nothing(handle, result, of->bytes);
    bool to_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
    void *parts = handle->parts;
    void *out = to_host ? (char *)parts + REDUCE_BLOCKS * BLAS_PART_BYTES : result;
    int blocks = (int)library_blocks(v->n, REDUCE_THREADS, REDUCE_BLOCKS);
    struct library_call call = blas_call(handle, precision);
    add(&call, v);
    library_add(&call, &parts);
    cublasStatus_t status = blas_launch(&call, of->kernel, (dim3){(unsigned int)blocks, 1, 1},
                                        (dim3){REDUCE_THREADS, 1, 1});
    if (status)
        return status;
    struct library_call last = blas_call(handle, of->precision);
    library_add(&last, &parts);
    library_add(&last, &blocks);
    library_add(&last, &out);
    status = blas_launch(&last, of->finish, (dim3){1, 1, 1}, (dim3){REDUCE_THREADS, 1, 1});
    return status || !to_host ? status : blas_fetch(handle, result, out, of->bytes);
}
