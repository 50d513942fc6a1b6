/* Solvers with refinement, which compute in the precision of the matrix (solver_refinement.h). */
#include <stdlib.h>

#include "sw/cuda/solver/solver.h"

/* The count of iterations, LAPACK's and NVIDIA's, where a lower precision is not used. */
#define NOT_WORTH_WHILE (-1)

struct refined {
    bool own; /* the lower precision is the matrix's */
    int n, count;
    struct solver_matrix a, b, x;
    int *pivots; /* NULL: in the workspace */
    void *work;
    size_t bytes;
};

static size_t align(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* A copy of A that may be factored, pivots, and the result of the second step. */
static size_t room(const struct dense *d, int n)
{
    return align((size_t)n * (size_t)n * blas_bytes(d->precision)) +
           align(((size_t)n + 1) * sizeof(int));
}

static cusolverStatus_t size_of(const struct dense *d, int n, int count, size_t *bytes)
{
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(n >= 0 && count >= 0 && bytes);
    *bytes = room(d, n);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t gesv(const struct dense *d, const struct refined *r, int *niter, int *info)
{
    const int square[2] = {r->n, r->n}, sides[2] = {r->n, r->count};
    size_t needed = 0;
    SOLVER_TRY(size_of(d, r->n, r->count, &needed));
    SOLVER_VALID(blas_fits(r->a.ld, r->n) && blas_fits(r->b.ld, r->n) && blas_fits(r->x.ld, r->n) &&
                 niter && info && r->bytes >= needed);
    struct solver_matrix copy = {r->work, r->n > 1 ? r->n : 1};
    int *own_pivots =
        (void *)((char *)r->work + align((size_t)r->n * (size_t)r->n * blas_bytes(d->precision)));
    struct solver_matrix factors = r->own ? copy : r->a;
    struct solver_lu lu = {r->n, r->n, factors, r->pivots ? r->pivots : own_pivots, info};
    struct solver_system s = {CUBLAS_OP_N, r->n, r->count, factors, r->x, lu.pivots, 1};
    *niter = r->own ? 0 : NOT_WORTH_WHILE;
    if (r->own && r->n)
        SOLVER_TRY(solver_copy(d, square, FILL_FULL, r->a, copy));
    if (r->n && r->count)
        SOLVER_TRY(solver_copy(d, sides, FILL_FULL, r->b, r->x));
    SOLVER_TRY(solver_getrf(d, &lu));
    return solver_getrs(d, &s, own_pivots + r->n); /* the factors' word stands */
}

#define GESV(R, lower, T, own)                                                                     \
    cusolverStatus_t cusolverDn##R##lower##gesv_bufferSize(                                        \
        cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t count, T *a,                   \
        cusolver_int_t lda, cusolver_int_t *pivots, T *b, cusolver_int_t ldb, T *x,                \
        cusolver_int_t ldx, void *work, size_t *bytes)                                             \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        (void)a, (void)lda, (void)pivots, (void)b, (void)ldb, (void)x, (void)ldx, (void)work;      \
        return size_of(&d, n, count, bytes);                                                       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##lower##gesv(                                                   \
        cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t count, T *a,                   \
        cusolver_int_t lda, cusolver_int_t *pivots, T *b, cusolver_int_t ldb, T *x,                \
        cusolver_int_t ldx, void *work, size_t bytes, cusolver_int_t *niter, cusolver_int_t *info) \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct refined r = {own, n, count, {a, lda}, {b, ldb}, {x, ldx}, pivots, work, bytes};     \
        return gesv(&d, &r, niter, info);                                                          \
    }
#define GESVS(R, T, second, third, fourth)                                                         \
    GESV(R, R, T, true)                                                                            \
    GESV(R, second, T, false)                                                                      \
    GESV(R, third, T, false)                                                                       \
    GESV(R, fourth, T, false)
GESVS(S, float, H, B, X)
GESVS(D, double, H, B, X)
GESVS(C, cuComplex, K, E, Y)
GESVS(Z, cuDoubleComplex, K, E, Y)
GESV(D, S, double, false)
GESV(Z, C, cuDoubleComplex, false)

/* --- with parameters -------------------------------------------------------------------------- */

struct cusolverDnIRSParams {
    cusolverPrecType_t main, lowest; /* 0: not set */
};
struct cusolverDnIRSInfos {
    int niters;
};

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params)
{
    SOLVER_VALID(params);
    *params = calloc(1, sizeof **params);
    return *params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params)
{
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t solver)
{
    (void)solver;
    SOLVER_VALID(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params,
                                                        cusolverPrecType_t main,
                                                        cusolverPrecType_t lowest)
{
    SOLVER_TRY(cusolverDnIRSParamsSetSolverMainPrecision(params, main));
    return cusolverDnIRSParamsSetSolverLowestPrecision(params, lowest);
}

cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params,
                                                           cusolverPrecType_t main)
{
    SOLVER_VALID(params);
    params->main = main;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params,
                                                             cusolverPrecType_t lowest)
{
    SOLVER_VALID(params);
    params->lowest = lowest;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double tolerance)
{
    (void)tolerance;
    SOLVER_VALID(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t iterations)
{
    SOLVER_VALID(params && iterations >= 0);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params)
{
    SOLVER_VALID(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params)
{
    SOLVER_VALID(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos)
{
    SOLVER_VALID(infos);
    *infos = calloc(1, sizeof **infos);
    return *infos ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos)
{
    free(infos);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t *niters)
{
    SOLVER_VALID(infos && niters);
    *niters = infos->niters;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t take_precision(const struct cusolverDnIRSParams *params, struct dense *d)
{
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(params);
    switch (params->main) {
    case CUSOLVER_R_32F:
        d->precision = LIBRARY_S;
        return CUSOLVER_STATUS_SUCCESS;
    case CUSOLVER_R_64F:
        d->precision = LIBRARY_D;
        return CUSOLVER_STATUS_SUCCESS;
    case CUSOLVER_C_32F:
        d->precision = LIBRARY_C;
        return CUSOLVER_STATUS_SUCCESS;
    case CUSOLVER_C_64F:
        d->precision = LIBRARY_Z;
        return CUSOLVER_STATUS_SUCCESS;
    default:
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t count, size_t *bytes)
{
    struct dense d = {.handle = handle};
    SOLVER_TRY(take_precision(params, &d));
    return size_of(&d, n, count, bytes);
}

cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, cusolver_int_t n,
                                    cusolver_int_t count, void *a, cusolver_int_t lda, void *b,
                                    cusolver_int_t ldb, void *x, cusolver_int_t ldx, void *work,
                                    size_t bytes, cusolver_int_t *niters, cusolver_int_t *info)
{
    struct dense d = {.handle = handle};
    SOLVER_TRY(take_precision(params, &d));
    SOLVER_VALID(infos && niters);
    struct refined r = {
        params->lowest == params->main, n, count, {a, lda}, {b, ldb}, {x, ldx}, NULL, work, bytes};
    SOLVER_TRY(gesv(&d, &r, niters, info));
    infos->niters = *niters;
    return CUSOLVER_STATUS_SUCCESS;
}
