/* A = V W V* of a Hermitian matrix: with a number on the diagonal that makes it positive, the
 * lengths of its columns, once they are orthogonal, are its eigenvalues, and the rotations its
 * vectors. */
#include "sw/cuda/solver/solver.h"

struct eigen {
    cusolverEigMode_t job;
    cublasFillMode_t uplo;
    int n;
    struct solver_matrix a;
    void *values;
    int *info;
    void *work; /* two matrices of n x n, n lengths, and the number */
};

static size_t numbers(int n)
{
    return 2 * (size_t)n * (size_t)n + (size_t)n + 1;
}

static struct library_call of_triangle(const struct dense *d, const struct eigen *e,
                                       const int *upper, void *const *shift)
{
    struct library_call call = solver_call(d);
    library_add(&call, upper);
    library_add(&call, &e->n);
    library_add(&call, &e->a.data);
    library_add(&call, &e->a.ld);
    library_add(&call, shift);
    return call;
}

/* The whole matrix with `shift` on its diagonal. */
static cusolverStatus_t shift_up(const struct dense *d, const struct eigen *e, void *shift,
                                 void *to)
{
    int upper = e->uplo == CUBLAS_FILL_MODE_UPPER;
    struct library_call call = of_triangle(d, e, &upper, &shift);
    SOLVER_TRY(solver_launch(&call, "bound", 1, LU_THREADS));
    call = of_triangle(d, e, &upper, &shift);
    library_add(&call, &to);
    return solver_launch(&call, "shifted",
                         library_blocks((long long)e->n * e->n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

static cusolverStatus_t syevd(const struct dense *d, const struct eigen *e)
{
    size_t n = (size_t)e->n;
    bool vectors = e->job == CUSOLVER_EIG_MODE_VECTOR;
    struct solver_matrix v = {solver_behind(d, e->work, n * n), e->n};
    void *lengths = solver_behind(d, e->work, 2 * n * n),
         *shift = solver_behind(d, e->work, 2 * n * n + n);
    SOLVER_TRY(solver_clear(d, e->info, 1));
    if (!n)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(shift_up(d, e, shift, e->work));
    if (vectors)
        SOLVER_TRY(solver_identity(d, e->n, e->n, v));
    struct solver_columns c = {e->work, vectors ? v.data : NULL, e->n, e->n};
    SOLVER_TRY(solver_orthogonal(d, &c, e->info));
    SOLVER_TRY(solver_lengths(d, &c, shift, lengths));
    struct solver_order o = {.m = e->n,
                             .n = e->n,
                             .up = 1,
                             .key = lengths,
                             .from = v.data,
                             .sorted = e->values,
                             .to = {vectors ? e->a.data : NULL, e->a.ld}};
    return solver_arrange(d, &o);
}

static bool valid(cusolverEigMode_t job, cublasFillMode_t uplo, int n, int lda)
{
    return (job == CUSOLVER_EIG_MODE_VECTOR || job == CUSOLVER_EIG_MODE_NOVECTOR) &&
           blas_is_fill(uplo) && n >= 0 && blas_fits(lda, n) && numbers(n) <= INT32_MAX;
}

#define EIGEN(R, T, V, evd)                                                                        \
    cusolverStatus_t cusolverDn##R##evd##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigMode_t job, cublasFillMode_t uplo, int n,            \
        const T *a, int lda, const V *values, int *lwork)                                          \
    {                                                                                              \
        (void)a, (void)values;                                                                     \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(valid(job, uplo, n, lda) && lwork);                                           \
        *lwork = (int)numbers(n);                                                                  \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##evd(cusolverDnHandle_t handle, cusolverEigMode_t job,          \
                                        cublasFillMode_t uplo, int n, T *a, int lda, V *values,    \
                                        T *work, int lwork, int *info)                             \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct eigen e = {job, uplo, n, {a, lda}, values, info, work};                             \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(valid(job, uplo, n, lda) && info && lwork >= 0 &&                             \
                     (size_t)lwork >= numbers(n));                                                 \
        return syevd(&d, &e);                                                                      \
    }
EIGEN(S, float, float, syevd)
EIGEN(D, double, double, syevd)
EIGEN(C, cuComplex, float, heevd)
EIGEN(Z, cuDoubleComplex, double, heevd)
