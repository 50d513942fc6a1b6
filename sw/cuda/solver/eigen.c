/* A = V W V* of a Hermitian matrix: with a number on the diagonal that makes it positive, the
 * lengths of its columns, once they are orthogonal, are its eigenvalues, and the rotations its
 * vectors. */
#include "sw/cuda/solver/solver.h"

/* Two matrices of n x n, n lengths, and the number. */
size_t solver_eigen_numbers(int n)
{
    return 2 * (size_t)n * (size_t)n + (size_t)n + 1;
}

static struct library_call of_triangle(const struct dense *d, const struct solver_eigen *e,
                                       const int *upper, const void *const *shift)
{
    struct library_call call = solver_call(d);
    library_add(&call, upper);
    library_add(&call, &e->n);
    library_add(&call, &e->a.data);
    library_add(&call, &e->a.ld);
    library_add(&call, shift);
    return call;
}

cusolverStatus_t solver_whole(const struct dense *d, const struct solver_eigen *e,
                              const void *shift, void *to)
{
    int upper = e->uplo == CUBLAS_FILL_MODE_UPPER;
    struct library_call call = of_triangle(d, e, &upper, &shift);
    library_add(&call, &to);
    return solver_launch(&call, "shifted",
                         library_blocks((long long)e->n * e->n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

/* The whole matrix with `shift` on its diagonal. */
static cusolverStatus_t shift_up(const struct dense *d, const struct solver_eigen *e,
                                 const void *shift, void *to)
{
    int upper = e->uplo == CUBLAS_FILL_MODE_UPPER;
    struct library_call call = of_triangle(d, e, &upper, &shift);
    SOLVER_TRY(solver_launch(&call, "bound", 1, LU_THREADS));
    return solver_whole(d, e, shift, to);
}

cusolverStatus_t solver_eigenvalues(const struct dense *d, const struct solver_eigen *e)
{
    size_t n = (size_t)e->n;
    bool vectors = e->vectors.data != NULL;
    struct solver_matrix v = {solver_behind(d, e->work, n * n), e->n};
    void *lengths = solver_behind(d, e->work, 2 * n * n),
         *shift = solver_behind(d, e->work, 2 * n * n + n);
    SOLVER_TRY(solver_clear(d, e->info, 1));
    if (!n)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(shift_up(d, e, shift, e->work));
    if (vectors)
        SOLVER_TRY(solver_identity(d, e->n, e->n, v));
    struct solver_columns c = {e->work, vectors ? v.data : NULL, e->n, e->n, e->limits};
    SOLVER_TRY(solver_orthogonal(d, &c, e->info));
    SOLVER_TRY(solver_residual(d, &c, lengths));
    SOLVER_TRY(solver_lengths(d, &c, shift, lengths));
    struct solver_order o = {.m = e->n,
                             .n = e->n,
                             .up = e->limits && e->limits->unsorted ? -1 : 1,
                             .key = lengths,
                             .from = v.data,
                             .sorted = e->values,
                             .to = e->vectors};
    return solver_arrange(d, &o);
}

bool solver_is_eigen(cusolverEigMode_t job, cublasFillMode_t uplo, int n, int lda)
{
    return (job == CUSOLVER_EIG_MODE_VECTOR || job == CUSOLVER_EIG_MODE_NOVECTOR) &&
           blas_is_fill(uplo) && n >= 0 && blas_fits(lda, n) &&
           solver_eigen_numbers(n) <= INT32_MAX;
}
