/* P A = L U, and what solves by it. */
#include "sw/cuda/solver/solver.h"

/* Rows first..first + count - 1 of a change places as the pivots say, or back. */
struct exchange {
    int columns, first, count, step, back;
    struct solver_matrix a;
    const int *pivots; /* `step` ints for each */
};

static cusolverStatus_t exchange(const struct dense *d, const struct exchange *e)
{
    if (!e->pivots || !e->columns)
        return CUSOLVER_STATUS_SUCCESS;
    struct library_call call = solver_call(d);
    library_add(&call, &e->columns);
    library_add(&call, &e->a.data);
    library_add(&call, &e->a.ld);
    library_add(&call, &e->first);
    library_add(&call, &e->count);
    library_add(&call, &e->pivots);
    library_add(&call, &e->step);
    library_add(&call, &e->back);
    return solver_launch(&call, "exchange_rows", library_blocks(e->columns, LU_THREADS, ~0u),
                         LU_THREADS);
}

static cusolverStatus_t panel(const struct dense *d, const struct solver_lu *lu, int k, int size)
{
    struct library_call call = solver_call(d);
    int rows = lu->m - k;
    int *pivots = lu->pivots ? lu->pivots + k : NULL;
    struct solver_matrix on = solver_at(d, lu->a, k, k);
    library_add(&call, &rows);
    library_add(&call, &size);
    library_add(&call, &on.data);
    library_add(&call, &on.ld);
    library_add(&call, &k);
    library_add(&call, &pivots);
    library_add(&call, &lu->info);
    return solver_launch(&call, "getf2", 1, LU_THREADS);
}

/* What is right of a panel: its rows by L, and what is below them less the product. */
static cusolverStatus_t behind(const struct dense *d, const struct solver_lu *lu, int k, int size)
{
    int next = k + size, right = lu->n - next, below = lu->m - next;
    struct solver_matrix rows = solver_at(d, lu->a, k, next);
    struct solver_triangle t = {.side = CUBLAS_SIDE_LEFT,
                                .uplo = CUBLAS_FILL_MODE_LOWER,
                                .trans = CUBLAS_OP_N,
                                .diag = CUBLAS_DIAG_UNIT,
                                .m = size,
                                .n = right,
                                .a = solver_at(d, lu->a, k, k),
                                .b = rows};
    SOLVER_TRY(solver_triangle(d, &t));
    if (!below)
        return CUSOLVER_STATUS_SUCCESS;
    struct solver_product p = {.m = below,
                               .n = right,
                               .k = size,
                               .a = solver_at(d, lu->a, next, k),
                               .b = rows,
                               .c = solver_at(d, lu->a, next, next)};
    return solver_product(d, &p);
}

cusolverStatus_t solver_getrf(const struct dense *d, const struct solver_lu *lu)
{
    int least = lu->m < lu->n ? lu->m : lu->n;
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(lu->m >= 0 && lu->n >= 0 && blas_fits(lu->a.ld, lu->m) && lu->info);
    SOLVER_TRY(solver_clear(d, lu->info, 1));
    for (int k = 0; k < least; k += PANEL) {
        int size = least - k < PANEL ? least - k : PANEL, next = k + size;
        SOLVER_TRY(panel(d, lu, k, size));
        struct exchange e = {
            .columns = k, .first = k, .count = size, .step = 1, .a = lu->a, .pivots = lu->pivots};
        SOLVER_TRY(exchange(d, &e));
        e.columns = lu->n - next;
        e.a = solver_at(d, lu->a, 0, next);
        SOLVER_TRY(exchange(d, &e));
        if (e.columns)
            SOLVER_TRY(behind(d, lu, k, size));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_getrs(const struct dense *d, const struct solver_system *s, int *info)
{
    bool turned = s->trans != CUBLAS_OP_N;
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(blas_is_trans(s->trans) && s->n >= 0 && s->count >= 0 &&
                 blas_fits(s->a.ld, s->n) && blas_fits(s->b.ld, s->n) && info);
    SOLVER_TRY(solver_clear(d, info, 1));
    if (!s->n || !s->count)
        return CUSOLVER_STATUS_SUCCESS;
    struct exchange e = {.columns = s->count,
                         .count = s->n,
                         .step = s->step,
                         .back = turned,
                         .a = s->b,
                         .pivots = s->pivots};
    if (!turned)
        SOLVER_TRY(exchange(d, &e));
    for (int second = 0; second < 2; second++) {
        bool lower = turned == second;
        struct solver_triangle t = {.side = CUBLAS_SIDE_LEFT,
                                    .uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                                    .trans = s->trans,
                                    .diag = lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT,
                                    .m = s->n,
                                    .n = s->count,
                                    .a = s->a,
                                    .b = s->b};
        SOLVER_TRY(solver_triangle(d, &t));
    }
    return turned ? exchange(d, &e) : CUSOLVER_STATUS_SUCCESS;
}

#define LU(R, T)                                                                                   \
    cusolverStatus_t cusolverDn##R##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *a, int lda, int *lwork)                    \
    {                                                                                              \
        (void)a;                                                                                   \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(m >= 0 && n >= 0 && blas_fits(lda, m) && lwork);                              \
        *lwork = 1; /* none is needed */                                                           \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *work, int *pivots, int *info)                         \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_lu lu = {m, n, {a, lda}, pivots, info};                                      \
        (void)work;                                                                                \
        return solver_getrf(&d, &lu);                                                              \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##getrs(cusolverDnHandle_t handle, cublasOperation_t trans,      \
                                          int n, int count, const T *a, int lda,                   \
                                          const int *pivots, T *b, int ldb, int *info)             \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_system s = {trans, n, count, {(void *)a, lda}, {b, ldb}, pivots, 1};         \
        return solver_getrs(&d, &s, info);                                                         \
    }
LU(S, float)
LU(D, double)
LU(C, cuComplex)
LU(Z, cuDoubleComplex)
