/* Factors of sparse matrices step by step, on the host or the device. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/solver/sparse.h"

void sp_steps_free(struct sp_steps *s)
{
    sp_host_free(&s->host);
    sp_device_free(&s->device);
    free(s->pattern);
    *s = (struct sp_steps){.on_host = s->on_host, .method = s->method};
}

/* A copy of the offsets and then the columns, which may be on the device. */
static cusolverStatus_t fetch(const struct sp_steps *s, const struct sp_rows *rows,
                              cudaStream_t stream, int **pattern)
{
    size_t offsets = (size_t)rows->n + 1, columns = (size_t)rows->nnz;
    *pattern = calloc(offsets + columns, sizeof(int));
    SOLVER_CHECK(*pattern, CUSOLVER_STATUS_ALLOC_FAILED);
    if (s->on_host) {
        memcpy(*pattern, rows->offsets, offsets * sizeof(int));
        if (columns)
            memcpy(*pattern + offsets, rows->columns, columns * sizeof(int));
    } else if (cudaMemcpyAsync(*pattern, rows->offsets, offsets * sizeof(int),
                               cudaMemcpyDeviceToHost, stream) ||
               cudaMemcpyAsync(*pattern + offsets, rows->columns, columns * sizeof(int),
                               cudaMemcpyDeviceToHost, stream) ||
               cudaStreamSynchronize(stream)) {
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sp_steps_analyse(struct sp_steps *s, cusolverSpHandle_t handle,
                                  const struct sp_rows *rows)
{
    sp_steps_free(s);
    SOLVER_TRY(fetch(s, rows, handle->dense->stream, &s->pattern));
    s->rows = *rows;
    s->rows.offsets = s->pattern;
    s->rows.columns = s->pattern + rows->n + 1;
    SOLVER_VALID(sp_valid(&s->rows));
    SOLVER_CHECK(!s->on_host || sp_host_make(&s->host, &s->rows, s->method),
                 CUSOLVER_STATUS_ALLOC_FAILED);
    s->made = s->on_host;
    s->d.handle = handle->dense;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sp_steps_check(const struct sp_steps *s, const struct sp_rows *rows)
{
    size_t numbers = (size_t)rows->n + 1 + (size_t)rows->nnz;
    SOLVER_VALID(s->d.handle && rows->n == s->rows.n && rows->nnz == s->rows.nnz);
    int *pattern = NULL;
    cusolverStatus_t status = fetch(s, rows, s->d.handle->stream, &pattern);
    const bool has_pattern_of_analysis = !status && rows->base == s->rows.base &&
                                         !memcmp(pattern, s->pattern, numbers * sizeof *pattern);
    free(pattern);
    SOLVER_TRY(status);
    SOLVER_VALID(has_pattern_of_analysis);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sp_steps_prepare(struct sp_steps *s, enum library_precision precision,
                                  size_t *bytes)
{
    SOLVER_VALID(s->d.handle);
    if (!s->on_host && (!s->made || s->d.precision != precision)) {
        sp_device_free(&s->device);
        s->d.precision = precision;
        s->made = true;
        s->factored = false;
        SOLVER_TRY(sp_device_make(&s->device, &s->rows, s->method, s->d));
    }
    *bytes = s->on_host ? (size_t)s->host.n * s->host.width * sizeof(double) : s->device.bytes;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sp_steps_factor(struct sp_steps *s, const struct sp_rows *rows,
                                 enum library_precision precision)
{
    size_t bytes;
    SOLVER_TRY(sp_steps_prepare(s, precision, &bytes));
    if (s->on_host)
        sp_host_factor(&s->host, rows, precision);
    else
        SOLVER_TRY(sp_device_factor(&s->device, rows));
    s->factored = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sp_steps_pivot(const struct sp_steps *s, double tolerance, int *position)
{
    SOLVER_VALID(s->factored);
    if (!s->on_host)
        return sp_device_pivot(&s->device, tolerance, position);
    *position = sp_host_pivot(&s->host, tolerance);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sp_steps_solve(const struct sp_steps *s, enum library_precision precision,
                                const void *b, void *x)
{
    SOLVER_VALID(s->factored && (s->on_host || s->d.precision == precision));
    if (!s->on_host)
        return sp_device_solve(&s->device, b, x);
    sp_host_solve(&s->host, precision, b, x);
    return CUSOLVER_STATUS_SUCCESS;
}
