/* Some of the eigenvalues, of one matrix or of two: all are computed, and those wanted come first
 * in the result. */
#include <stdlib.h>

#include "sw/cuda/solver/solver.h"

/* Those of a pencil, all vectors, and all values. */
size_t solver_range_numbers(int n)
{
    return solver_pencil_numbers(n) + (size_t)n * (size_t)n + (size_t)n;
}

bool solver_is_range(const struct solver_range *r, int n)
{
    if (solver_range_numbers(n) > INT32_MAX)
        return false;
    switch (r->range) {
    case CUSOLVER_EIG_RANGE_ALL:
        return true;
    case CUSOLVER_EIG_RANGE_I:
        return !n || (r->first >= 1 && r->first <= r->last && r->last <= n);
    case CUSOLVER_EIG_RANGE_V:
        return r->above < r->upto;
    default:
        return false;
    }
}

/* Numbers, from 0, of the first value wanted and of the one behind the last. */
static void interval(const struct solver_range *r, const void *values, bool single, const int n,
                     int ends[2])
{
    ends[0] = ends[1] = 0;
    for (int i = 0; i < n; i++) {
        double x = single ? (double)((const float *)values)[i] : ((const double *)values)[i];
        ends[0] += x <= r->above;
        ends[1] += x <= r->upto;
    }
}

static cusolverStatus_t find(const struct dense *d, const struct solver_range *r,
                             const void *values, int n, int ends[2])
{
    size_t real = solver_real_bytes(d), bytes = (size_t)n * real;
    ends[0] = 0;
    ends[1] = n;
    if (r->range == CUSOLVER_EIG_RANGE_I && n) {
        ends[0] = (int)r->first - 1;
        ends[1] = (int)r->last;
    }
    if (r->range != CUSOLVER_EIG_RANGE_V)
        return CUSOLVER_STATUS_SUCCESS;
    void *here = malloc(bytes + 1);
    SOLVER_CHECK(here, CUSOLVER_STATUS_ALLOC_FAILED);
    bool done = !cudaMemcpyAsync(here, values, bytes, cudaMemcpyDeviceToHost, d->handle->stream) &&
                !cudaStreamSynchronize(d->handle->stream);
    if (done)
        interval(r, here, real == sizeof(float), n, ends);
    free(here);
    return done ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

cusolverStatus_t solver_some(const struct dense *d, const struct solver_pencil *p,
                             const struct solver_range *r, int *count)
{
    struct solver_pencil all = *p;
    size_t n = (size_t)p->e.n, at = solver_pencil_numbers(p->e.n), real = solver_real_bytes(d);
    struct solver_matrix vectors = {solver_behind(d, p->e.work, at), p->e.n};
    all.e.values = solver_behind(d, p->e.work, at + n * n);
    if (p->e.vectors.data)
        all.e.vectors = vectors;
    SOLVER_TRY(p->type ? solver_pencil(d, &all) : solver_eigenvalues(d, &all.e));
    int ends[2] = {0, 0};
    SOLVER_TRY(find(d, r, all.e.values, p->e.n, ends));
    const int size[2] = {p->e.n, ends[1] - ends[0]};
    *count = size[1];
    if (!size[1])
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_CHECK(!cudaMemcpyAsync(p->e.values, (char *)all.e.values + (size_t)ends[0] * real,
                                  (size_t)size[1] * real, cudaMemcpyDeviceToDevice,
                                  d->handle->stream),
                 CUSOLVER_STATUS_EXECUTION_FAILED);
    return p->e.vectors.data
               ? solver_copy(d, size, FILL_FULL, solver_at(d, vectors, 0, ends[0]), p->e.vectors)
               : CUSOLVER_STATUS_SUCCESS;
}

/* What the calls' sizes say; p->type 0: one matrix. */
static cusolverStatus_t size_of(cusolverDnHandle_t handle, const struct solver_pencil *p,
                                const struct solver_range *r, int *lwork)
{
    bool valid =
        p->type ? solver_is_pencil(p) : solver_is_eigen(p->job, p->e.uplo, p->e.n, p->e.a.ld);
    return solver_tell_size(handle, valid && solver_is_range(r, p->e.n),
                            solver_range_numbers(p->e.n), lwork);
}

static cusolverStatus_t some(const struct dense *d, const struct solver_pencil *p,
                             const struct solver_range *r, int *count, int lwork)
{
    int wanted = 0;
    SOLVER_TRY(size_of(d->handle, p, r, &wanted));
    SOLVER_VALID(p->e.info && count && lwork >= wanted);
    return solver_some(d, p, r, count);
}

/* No type is 0: one matrix. */
#define ONE_MATRIX ((cusolverEigType_t)0)
#define PART(T, R, type, b, ldb)                                                                   \
    struct solver_range r = {range, above, upto, first, last};                                     \
    struct solver_matrix vectors = {job == CUSOLVER_EIG_MODE_VECTOR ? (void *)(uintptr_t)a : NULL, \
                                    lda};                                                          \
    struct solver_pencil p = {type,                                                                \
                              job,                                                                 \
                              {uplo,                                                               \
                               n,                                                                  \
                               {(void *)(uintptr_t)a, lda},                                        \
                               vectors,                                                            \
                               (void *)(uintptr_t)values,                                          \
                               NULL,                                                               \
                               NULL,                                                               \
                               NULL},                                                              \
                              {(void *)(uintptr_t)(b), ldb}}

#define SOME(R, T, V, evdx, gvdx)                                                                  \
    cusolverStatus_t cusolverDn##R##evdx##_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t job, cusolverEigRange_t range,                \
        cublasFillMode_t uplo, int n, const T *a, int lda, V above, V upto, int first, int last,   \
        int *count, const V *values, int *lwork)                                                   \
    {                                                                                              \
        PART(T, R, ONE_MATRIX, NULL, 0);                                                           \
        (void)count;                                                                               \
        return size_of(handle, &p, &r, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##evdx(cusolverDnHandle_t handle, cusolverEigMode_t job,         \
                                         cusolverEigRange_t range, cublasFillMode_t uplo, int n,   \
                                         T *a, int lda, V above, V upto, int first, int last,      \
                                         int *count, V *values, T *work, int lwork, int *info)     \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        PART(T, R, ONE_MATRIX, NULL, 0);                                                           \
        p.e.work = work;                                                                           \
        p.e.info = info;                                                                           \
        return some(&d, &p, &r, count, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gvdx##_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t job,                  \
        cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *a, int lda, const T *b,   \
        int ldb, V above, V upto, int first, int last, int *count, const V *values, int *lwork)    \
    {                                                                                              \
        PART(T, R, type, b, ldb);                                                                  \
        (void)count;                                                                               \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(type);                                                                        \
        return size_of(handle, &p, &r, lwork);                                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gvdx(cusolverDnHandle_t handle, cusolverEigType_t type,        \
                                         cusolverEigMode_t job, cusolverEigRange_t range,          \
                                         cublasFillMode_t uplo, int n, T *a, int lda, T *b,        \
                                         int ldb, V above, V upto, int first, int last,            \
                                         int *count, V *values, T *work, int lwork, int *info)     \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        PART(T, R, type, b, ldb);                                                                  \
        p.e.work = work;                                                                           \
        p.e.info = info;                                                                           \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(type);                                                                        \
        return some(&d, &p, &r, count, lwork);                                                     \
    }
SOME(S, float, float, syevdx, sygvdx)
SOME(D, double, double, syevdx, sygvdx)
SOME(C, cuComplex, float, heevdx, hegvdx)
SOME(Z, cuDoubleComplex, double, heevdx, hegvdx)
