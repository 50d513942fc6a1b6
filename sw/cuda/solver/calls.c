/* Handles, and a call's way to its kernel. */
#include <stdlib.h>

#include "sw/cuda/solver/solver.h"

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    SOLVER_VALID(handle);
    struct cusolverDnContext *made = calloc(1, sizeof *made);
    SOLVER_CHECK(made, CUSOLVER_STATUS_ALLOC_FAILED);
    if (cublasCreate_v2(&made->blas)) {
        free(made);
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    if (!library_keep(made)) {
        cublasDestroy_v2(made->blas);
        free(made);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *handle = made;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    SOLVER_HANDLE(handle);
    library_forget(handle);
    cublasDestroy_v2(handle->blas); /* waits for kernels */
    library_close(&handle->library);
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    SOLVER_HANDLE(handle);
    handle->stream = stream;
    cublasSetStream_v2(handle->blas, stream);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(stream);
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version)
{
    SOLVER_VALID(version);
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {[MAJOR_VERSION] = CUSOLVER_VER_MAJOR,
                                [MINOR_VERSION] = CUSOLVER_VER_MINOR,
                                [PATCH_LEVEL] = CUSOLVER_VER_PATCH};
    SOLVER_VALID(value && (unsigned int)type < sizeof parts / sizeof *parts);
    *value = parts[type];
    return CUSOLVER_STATUS_SUCCESS;
}

struct library_call solver_call(const struct dense *d)
{
    return (struct library_call){
        .library = &d->handle->library, .stream = d->handle->stream, .precision = d->precision};
}

cusolverStatus_t solver_launch(struct library_call *call, const char *kernel, unsigned int blocks,
                               unsigned int threads)
{
    return library_start(call, kernel, (dim3){blocks, 1, 1}, (dim3){threads, 1, 1})
               ? CUSOLVER_STATUS_EXECUTION_FAILED
               : CUSOLVER_STATUS_SUCCESS;
}

void *solver_behind(const struct dense *d, void *data, size_t count)
{
    return (char *)data + count * blas_bytes(d->precision);
}

size_t solver_real_bytes(const struct dense *d)
{
    return d->precision == LIBRARY_S || d->precision == LIBRARY_C ? sizeof(float) : sizeof(double);
}

cusolverStatus_t solver_tell_size(cusolverDnHandle_t handle, bool valid, size_t numbers, int *lwork)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(valid && lwork);
    *lwork = (int)numbers;
    return CUSOLVER_STATUS_SUCCESS;
}

struct solver_matrix solver_at(const struct dense *d, struct solver_matrix a, int i, int j)
{
    size_t count = (size_t)i + (size_t)j * (size_t)a.ld;
    return (struct solver_matrix){solver_behind(d, a.data, count), a.ld};
}

cusolverStatus_t solver_clear(const struct dense *d, int *info, int count)
{
    return cudaMemsetAsync(info, 0, (size_t)count * sizeof *info, d->handle->stream)
               ? CUSOLVER_STATUS_EXECUTION_FAILED
               : CUSOLVER_STATUS_SUCCESS;
}

/* A thread for each number. */
static unsigned int blocks_over(int m, int n)
{
    return library_blocks((long long)m * n, WIDE_THREADS, ~0u);
}

cusolverStatus_t solver_copy(const struct dense *d, const int size[2], enum blas_fill fill,
                             struct solver_matrix from, struct solver_matrix to)
{
    struct library_call call = solver_call(d);
    int part = fill;
    library_add(&call, &size[0]);
    library_add(&call, &size[1]);
    library_add(&call, &part);
    library_add(&call, &from.data);
    library_add(&call, &from.ld);
    library_add(&call, &to.data);
    library_add(&call, &to.ld);
    return solver_launch(&call, "copy_part", blocks_over(size[0], size[1]), WIDE_THREADS);
}

cusolverStatus_t solver_identity(const struct dense *d, int m, int n, struct solver_matrix a)
{
    struct library_call call = solver_call(d);
    library_add(&call, &m);
    library_add(&call, &n);
    library_add(&call, &a.data);
    library_add(&call, &a.ld);
    return solver_launch(&call, "set_identity", blocks_over(m, n), WIDE_THREADS);
}
