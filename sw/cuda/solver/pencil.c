/* Eigenvalues of two matrices: A x = w B x, A B x = w x or B A x = w x, with a positive definite B.
 * By B's Cholesky factor they are those of one Hermitian matrix, whose vectors turn into x. */
#include "sw/cuda/solver/solver.h"

/* Those of the eigenvalues, the one matrix, and the factor's info. */
size_t solver_pencil_numbers(int n)
{
    return solver_eigen_numbers(n) + (size_t)n * (size_t)n + 1;
}

/* op(L) c or op(L)^-1 c, from the left, or from the right; first: as the factor stands in L L*. */
struct step {
    bool times, right, first;
};

static cusolverStatus_t take(const struct dense *d, const struct solver_pencil *p,
                             struct solver_matrix c, struct step step)
{
    bool lower = p->e.uplo == CUBLAS_FILL_MODE_LOWER;
    struct solver_triangle t = {.side = step.right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT,
                                .uplo = p->e.uplo,
                                .trans = lower == step.first ? CUBLAS_OP_N : CUBLAS_OP_C,
                                .diag = CUBLAS_DIAG_NON_UNIT,
                                .m = p->e.n,
                                .n = p->e.n,
                                .a = p->b,
                                .b = c};
    return step.times ? solver_triangle_times(d, &t) : solver_triangle(d, &t);
}

/* L^-1 A L^-*, or L* A L. */
static cusolverStatus_t one_matrix(const struct dense *d, const struct solver_pencil *p,
                                   struct solver_matrix c)
{
    bool times = p->type != CUSOLVER_EIG_TYPE_1;
    SOLVER_TRY(solver_whole(d, &p->e, NULL, c.data));
    SOLVER_TRY(take(d, p, c, (struct step){times, false, !times}));
    return take(d, p, c, (struct step){times, true, times});
}

/* L^-* y, or L y. */
static cusolverStatus_t vectors_back(const struct dense *d, const struct solver_pencil *p,
                                     struct solver_matrix c)
{
    const int size[2] = {p->e.n, p->e.n};
    bool times = p->type == CUSOLVER_EIG_TYPE_3;
    SOLVER_TRY(take(d, p, c, (struct step){times, false, times}));
    return solver_copy(d, size, FILL_FULL, c, p->e.vectors);
}

cusolverStatus_t solver_pencil(const struct dense *d, const struct solver_pencil *p)
{
    size_t n = (size_t)p->e.n, at = solver_eigen_numbers(p->e.n);
    struct solver_eigen e = p->e;
    struct solver_matrix c = {solver_behind(d, e.work, at), e.n};
    int *factor = solver_behind(d, e.work, at + n * n);
    SOLVER_TRY(solver_clear(d, e.info, 1));
    if (!n)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(solver_factor_cholesky(d, e.uplo, e.n, e.n, p->b, factor));
    SOLVER_TRY(one_matrix(d, p, c));
    e.a = c;
    e.vectors = (struct solver_matrix){e.vectors.data ? c.data : NULL, e.n};
    SOLVER_TRY(solver_eigenvalues(d, &e));
    if (e.vectors.data)
        SOLVER_TRY(vectors_back(d, p, c));
    return solver_settle(d, e.n, factor, e.limits ? e.n + 1 : 1, e.info);
}

bool solver_is_pencil(const struct solver_pencil *p)
{
    return p->type >= CUSOLVER_EIG_TYPE_1 && p->type <= CUSOLVER_EIG_TYPE_3 &&
           solver_is_eigen(p->job, p->e.uplo, p->e.n, p->e.a.ld) && blas_fits(p->b.ld, p->e.n) &&
           solver_pencil_numbers(p->e.n) <= INT32_MAX;
}

#define PENCIL(R, T, V, gvd)                                                                       \
    cusolverStatus_t cusolverDn##R##gvd##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t job,                  \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb, const V *values,   \
        int *lwork)                                                                                \
    {                                                                                              \
        struct solver_pencil p = {                                                                 \
            .type = type, .job = job, .e = {.uplo = uplo, .n = n, .a = {NULL, lda}}, .b.ld = ldb}; \
        (void)a, (void)b, (void)values;                                                            \
        return solver_tell_size(handle, solver_is_pencil(&p), solver_pencil_numbers(n), lwork);    \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gvd(cusolverDnHandle_t handle, cusolverEigType_t type,         \
                                        cusolverEigMode_t job, cublasFillMode_t uplo, int n, T *a, \
                                        int lda, T *b, int ldb, V *values, T *work, int lwork,     \
                                        int *info)                                                 \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_matrix vectors = {job == CUSOLVER_EIG_MODE_VECTOR ? a : NULL, lda};          \
        struct solver_pencil p = {                                                                 \
            type, job, {uplo, n, {a, lda}, vectors, values, info, work, NULL}, {b, ldb}};          \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(solver_is_pencil(&p) && info && lwork >= 0 &&                                 \
                     (size_t)lwork >= solver_pencil_numbers(n));                                   \
        return solver_pencil(&d, &p);                                                              \
    }
PENCIL(S, float, float, sygvd)
PENCIL(D, double, double, sygvd)
PENCIL(C, cuComplex, float, hegvd)
PENCIL(Z, cuDoubleComplex, double, hegvd)
