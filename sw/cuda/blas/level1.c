/* Level 1: vectors. */
#include <string.h>

#include "sw/cuda/blas/blas.h"

#define VECTOR_THREADS 256u
#define VECTOR_BLOCKS  1024u /* at most; threads take further elements in turn */

static cublasStatus_t over(struct library_call *call, const char *kernel, int n)
{
    return blas_launch(call, kernel, (dim3){library_blocks(n, VECTOR_THREADS, VECTOR_BLOCKS), 1, 1},
                       (dim3){VECTOR_THREADS, 1, 1});
}

/* Kernels of (n[, alpha], x, incx[, y, incy]). */
static cublasStatus_t each(cublasHandle_t handle, enum library_precision precision,
                           const char *kernel, int n, const void *alpha, void *x, int incx, void *y,
                           int incy)
{
    struct library_call call = blas_call(handle, precision);
    library_add(&call, &n);
    if (alpha)
        library_add_scalar(&call, alpha);
    library_add(&call, &x);
    library_add(&call, &incx);
    if (y) {
        library_add(&call, &y);
        library_add(&call, &incy);
    }
    return over(&call, kernel, n);
}

static cublasStatus_t rot(cublasHandle_t handle, enum library_precision precision, int n, void *x,
                          int incx, void *y, int incy, const void *c, const void *s)
{
    struct library_call call = blas_call(handle, precision);
    library_add(&call, &n);
    library_add(&call, &x);
    library_add(&call, &incx);
    library_add(&call, &y);
    library_add(&call, &incy);
    library_add_scalar(&call, c);
    library_add_scalar(&call, s);
    return over(&call, "rot", n);
}

/* --- reductions ---------------------------------------------------------------------------------
 */

struct reduction {
    const char *kernel, *finish;
    size_t bytes; /* of the result */
};

/* The result of no elements. */
static cublasStatus_t nothing(cublasHandle_t handle, void *result, size_t bytes)
{
    if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE)
        return cudaMemsetAsync(result, 0, bytes, handle->stream) ? CUBLAS_STATUS_EXECUTION_FAILED
                                                                 : CUBLAS_STATUS_SUCCESS;
    memset(result, 0, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t reduce(cublasHandle_t handle, struct library_call *call,
                             const struct reduction *of, int n, void *result)
{
    bool to_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
    void *parts = handle->parts;
    void *out = to_host ? (char *)parts + REDUCE_BLOCKS * BLAS_PART_BYTES : result;
    int blocks = (int)library_blocks(n, REDUCE_THREADS, REDUCE_BLOCKS);
    library_add(call, &parts);
    cublasStatus_t status = blas_launch(call, of->kernel, (dim3){(unsigned int)blocks, 1, 1},
                                        (dim3){REDUCE_THREADS, 1, 1});
    if (status)
        return status;
    struct library_call last = blas_call(handle, call->precision);
    library_add(&last, &parts);
    library_add(&last, &blocks);
    library_add(&last, &out);
    status = blas_launch(&last, of->finish, (dim3){1, 1, 1}, (dim3){REDUCE_THREADS, 1, 1});
    if (status || !to_host)
        return status;
    bool failed = cudaMemcpyAsync(result, out, of->bytes, cudaMemcpyDeviceToHost, handle->stream) ||
                  cudaStreamSynchronize(handle->stream);
    return failed ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

/* Of one vector, or of two. */
static cublasStatus_t reduce_vectors(cublasHandle_t handle, enum library_precision precision,
                                     const struct reduction *of, int n, const void *x, int incx,
                                     const void *y, int incy, void *result)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    BLAS_VALID(result);
    if (n <= 0 || (!y && incx <= 0))
        return nothing(handle, result, of->bytes);
    library_add(&call, &n);
    library_add(&call, &x);
    library_add(&call, &incx);
    if (y) {
        library_add(&call, &y);
        library_add(&call, &incy);
    }
    return reduce(handle, &call, of, n, result);
}

/* --- by name -------------------------------------------------------------------------------------
 */

/* Two vectors of a call: n of 0 or less is no error and does nothing. */
#define TWO_VECTORS(handle, n, scalars)                                                            \
    BLAS_HANDLE(handle);                                                                           \
    BLAS_VALID(scalars);                                                                           \
    if ((n) <= 0)                                                                                  \
    return CUBLAS_STATUS_SUCCESS

#define LEVEL1(R, T, I)                                                                            \
    cublasStatus_t cublas##R##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,    \
                                      int incx, T *y, int incy)                                    \
    {                                                                                              \
        TWO_VECTORS(handle, n, alpha);                                                             \
        return each(handle, LIBRARY_##R, "axpy", n, alpha, (void *)(uintptr_t)x, incx, y, incy);   \
    }                                                                                              \
    cublasStatus_t cublas##R##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x,          \
                                      int incx)                                                    \
    {                                                                                              \
        TWO_VECTORS(handle, incx > 0 ? n : 0, alpha);                                              \
        return each(handle, LIBRARY_##R, "scal", n, alpha, x, incx, NULL, 0);                      \
    }                                                                                              \
    cublasStatus_t cublas##R##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,    \
                                      int incy)                                                    \
    {                                                                                              \
        TWO_VECTORS(handle, n, true);                                                              \
        return each(handle, LIBRARY_##R, "copy", n, NULL, (void *)(uintptr_t)x, incx, y, incy);    \
    }                                                                                              \
    cublasStatus_t cublas##R##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy)                                                    \
    {                                                                                              \
        TWO_VECTORS(handle, n, true);                                                              \
        return each(handle, LIBRARY_##R, "swap", n, NULL, x, incx, y, incy);                       \
    }                                                                                              \
    cublasStatus_t cublas##R##rot_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, \
                                     const T *c, const T *s)                                       \
    {                                                                                              \
        TWO_VECTORS(handle, n, c &&s);                                                             \
        return rot(handle, LIBRARY_##R, n, x, incx, y, incy, c, s);                                \
    }                                                                                              \
    cublasStatus_t cublas##R##dot_v2(cublasHandle_t handle, int n, const T *x, int incx,           \
                                     const T *y, int incy, T *result)                              \
    {                                                                                              \
        static const struct reduction of = {"dot", "finish_sum", sizeof(T)};                       \
        return reduce_vectors(handle, LIBRARY_##R, &of, n, x, incx, y, incy, result);              \
    }                                                                                              \
    cublasStatus_t cublas##R##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result)                                                   \
    {                                                                                              \
        static const struct reduction of = {"nrm2", "finish_norm", sizeof(T)};                     \
        return reduce_vectors(handle, LIBRARY_##R, &of, n, x, incx, NULL, 0, result);              \
    }                                                                                              \
    cublasStatus_t cublas##R##asum_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result)                                                   \
    {                                                                                              \
        static const struct reduction of = {"asum", "finish_sum", sizeof(T)};                      \
        return reduce_vectors(handle, LIBRARY_##R, &of, n, x, incx, NULL, 0, result);              \
    }                                                                                              \
    cublasStatus_t cublasI##I##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result)                                                \
    {                                                                                              \
        static const struct reduction of = {"amax", "finish_max", sizeof(int)};                    \
        return reduce_vectors(handle, LIBRARY_##R, &of, n, x, incx, NULL, 0, result);              \
    }                                                                                              \
    cublasStatus_t cublasI##I##amin_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result)                                                \
    {                                                                                              \
        static const struct reduction of = {"amin", "finish_min", sizeof(int)};                    \
        return reduce_vectors(handle, LIBRARY_##R, &of, n, x, incx, NULL, 0, result);              \
    }
LEVEL1(S, float, s)
LEVEL1(D, double, d)
