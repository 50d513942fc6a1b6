/* Eigenvalues by rotations of which the program chooses tolerance and number: of one matrix, of a
 * batch, one after the other, and of two matrices. */
#include "sw/cuda/solver/solver.h"

static cusolverStatus_t rotate(const struct dense *d, const struct solver_pencil *p,
                               struct syevjInfo *info)
{
    struct solver_limits limits;
    struct solver_pencil all = *p;
    SOLVER_VALID(info);
    SOLVER_TRY(solver_limits_of(&info->rotations, false, &limits));
    all.e.limits = &limits;
    if (p->type)
        return solver_pencil(d, &all);
    SOLVER_TRY(solver_eigenvalues(d, &all.e));
    return solver_settle(d, p->e.n, NULL, p->e.n + 1, p->e.info);
}

/* Matrices, values and infos lie one behind the other. */
static cusolverStatus_t rotate_batch(const struct dense *d, const struct solver_eigen *first,
                                     struct syevjInfo *info, int batch)
{
    struct solver_limits limits;
    SOLVER_VALID(info);
    SOLVER_TRY(solver_limits_of(&info->rotations, true, &limits));
    struct solver_eigen e = *first;
    e.limits = &limits;
    for (int i = 0; i < batch; i++) {
        SOLVER_TRY(solver_eigenvalues(d, &e));
        SOLVER_TRY(solver_settle(d, e.n, NULL, e.n + 1, e.info));
        e.a.data = solver_behind(d, e.a.data, (size_t)e.a.ld * (size_t)e.n);
        if (e.vectors.data)
            e.vectors.data = e.a.data;
        e.values = (char *)e.values + (size_t)e.n * solver_real_bytes(d);
        e.info++;
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static bool has_room(int lwork, size_t numbers)
{
    return lwork >= 0 && (size_t)lwork >= numbers;
}

#define EIGEN_OF(a, lda)                                                                           \
    {                                                                                              \
        uplo, n, {a, lda}, {job == CUSOLVER_EIG_MODE_VECTOR ? a : NULL, lda}, values, info, work,  \
            NULL                                                                                   \
    }

#define ROTATED(R, T, V, evj)                                                                      \
    cusolverStatus_t cusolverDn##R##evj##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigMode_t job, cublasFillMode_t uplo, int n,            \
        const T *a, int lda, const V *values, int *lwork, syevjInfo_t params)                      \
    {                                                                                              \
        (void)a, (void)values, (void)params;                                                       \
        return solver_tell_size(handle, solver_is_eigen(job, uplo, n, lda),                        \
                                solver_eigen_numbers(n), lwork);                                   \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##evj(cusolverDnHandle_t handle, cusolverEigMode_t job,          \
                                        cublasFillMode_t uplo, int n, T *a, int lda, V *values,    \
                                        T *work, int lwork, int *info, syevjInfo_t params)         \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_pencil p = {.job = job, .e = EIGEN_OF(a, lda)};                              \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(solver_is_eigen(job, uplo, n, lda) && info &&                                 \
                     has_room(lwork, solver_eigen_numbers(n)));                                    \
        return rotate(&d, &p, params);                                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##evj##Batched_bufferSize(                                       \
        cusolverDnHandle_t handle, cusolverEigMode_t job, cublasFillMode_t uplo, int n,            \
        const T *a, int lda, const V *values, int *lwork, syevjInfo_t params, int batch)           \
    {                                                                                              \
        (void)a, (void)values, (void)params;                                                       \
        return solver_tell_size(handle, solver_is_eigen(job, uplo, n, lda) && batch >= 0,          \
                                solver_eigen_numbers(n), lwork);                                   \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##evj##Batched(                                                  \
        cusolverDnHandle_t handle, cusolverEigMode_t job, cublasFillMode_t uplo, int n, T *a,      \
        int lda, V *values, T *work, int lwork, int *info, syevjInfo_t params, int batch)          \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_eigen e = EIGEN_OF(a, lda);                                                  \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(solver_is_eigen(job, uplo, n, lda) && batch >= 0 && info &&                   \
                     has_room(lwork, solver_eigen_numbers(n)));                                    \
        return rotate_batch(&d, &e, params, batch);                                                \
    }

#define ROTATED_PENCIL(R, T, V, gvj)                                                               \
    cusolverStatus_t cusolverDn##R##gvj##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t job,                  \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb, const V *values,   \
        int *lwork, syevjInfo_t params)                                                            \
    {                                                                                              \
        struct solver_pencil p = {                                                                 \
            .type = type, .job = job, .e = {.uplo = uplo, .n = n, .a = {NULL, lda}}, .b.ld = ldb}; \
        (void)a, (void)b, (void)values, (void)params;                                              \
        return solver_tell_size(handle, solver_is_pencil(&p), solver_pencil_numbers(n), lwork);    \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gvj(cusolverDnHandle_t handle, cusolverEigType_t type,         \
                                        cusolverEigMode_t job, cublasFillMode_t uplo, int n, T *a, \
                                        int lda, T *b, int ldb, V *values, T *work, int lwork,     \
                                        int *info, syevjInfo_t params)                             \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_pencil p = {type, job, EIGEN_OF(a, lda), {b, ldb}};                          \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(solver_is_pencil(&p) && info && has_room(lwork, solver_pencil_numbers(n)));   \
        return rotate(&d, &p, params);                                                             \
    }

ROTATED(S, float, float, syevj)
ROTATED(D, double, double, syevj)
ROTATED(C, cuComplex, float, heevj)
ROTATED(Z, cuDoubleComplex, double, heevj)
ROTATED_PENCIL(S, float, float, sygvj)
ROTATED_PENCIL(D, double, double, sygvj)
ROTATED_PENCIL(C, cuComplex, float, hegvj)
ROTATED_PENCIL(Z, cuDoubleComplex, double, hegvj)
