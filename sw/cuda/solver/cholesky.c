/* A = L L*, or U* U; what solves by it. */
#include "sw/cuda/solver/solver.h"

static bool valid(cublasFillMode_t uplo, int n, int lda)
{
    return blas_is_fill(uplo) && n >= 0 && blas_fits(lda, n);
}

static cusolverStatus_t diagonal_block(const struct dense *d, bool upper, int size, int first,
                                       struct solver_matrix a, int *info)
{
    struct library_call call = solver_call(d);
    int by_rows = upper;
    library_add(&call, &by_rows);
    library_add(&call, &size);
    library_add(&call, &a.data);
    library_add(&call, &a.ld);
    library_add(&call, &first);
    library_add(&call, &info);
    return solver_launch(&call, "potf2", 1, LU_THREADS);
}

cusolverStatus_t solver_factor_cholesky(const struct dense *d, cublasFillMode_t uplo, int n,
                                        int reach, struct solver_matrix a, int *info)
{
    bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    SOLVER_TRY(solver_clear(d, info, 1));
    for (int k = 0; k < n; k += PANEL) {
        int size = n - k < PANEL ? n - k : PANEL, next = k + size,
            rest = n - next < reach ? n - next : reach;
        struct solver_matrix on = solver_at(d, a, k, k),
                             beside = upper ? solver_at(d, a, k, next) : solver_at(d, a, next, k);
        SOLVER_TRY(diagonal_block(d, upper, size, k, on, info));
        if (!rest)
            continue;
        struct solver_triangle t = {.side = upper ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                                    .uplo = uplo,
                                    .trans = CUBLAS_OP_C,
                                    .diag = CUBLAS_DIAG_NON_UNIT,
                                    .m = upper ? size : rest,
                                    .n = upper ? rest : size,
                                    .a = on,
                                    .b = beside};
        SOLVER_TRY(solver_triangle(d, &t));
        struct solver_rank r = {.uplo = uplo,
                                .adjoint = upper,
                                .n = rest,
                                .k = size,
                                .a = beside,
                                .c = solver_at(d, a, next, next)};
        SOLVER_TRY(solver_rank(d, &r));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t potrf(const struct dense *d, cublasFillMode_t uplo, int n,
                              struct solver_matrix a, int *info)
{
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(valid(uplo, n, a.ld) && info && (a.data || !n));
    return solver_factor_cholesky(d, uplo, n, n, a, info);
}

/* Both triangles of b's solution; in lists, `batch` times, or alone, with 0. */
static cusolverStatus_t solve(const struct dense *d, struct solver_triangle t, int batch)
{
    bool upper = t.uplo == CUBLAS_FILL_MODE_UPPER;
    for (int second = 0; second < 2; second++) {
        t.trans = upper != second ? CUBLAS_OP_C : CUBLAS_OP_N;
        SOLVER_TRY(batch ? solver_triangles(d, &t, batch) : solver_triangle(d, &t));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static struct solver_triangle system_of(cublasFillMode_t uplo, int n, int count,
                                        struct solver_matrix a, struct solver_matrix b)
{
    return (struct solver_triangle){.side = CUBLAS_SIDE_LEFT,
                                    .uplo = uplo,
                                    .diag = CUBLAS_DIAG_NON_UNIT,
                                    .m = n,
                                    .n = count,
                                    .a = a,
                                    .b = b};
}

static cusolverStatus_t potrs(const struct dense *d, const struct solver_triangle *t, int *info)
{
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(valid(t->uplo, t->m, t->a.ld) && t->n >= 0 && blas_fits(t->b.ld, t->m) && info);
    SOLVER_TRY(solver_clear(d, info, 1));
    return t->m && t->n ? solve(d, *t, 0) : CUSOLVER_STATUS_SUCCESS;
}

/* The inverse: the solutions for the columns of the identity. */
static cusolverStatus_t potri(const struct dense *d, cublasFillMode_t uplo, int n,
                              struct solver_matrix a, struct solver_matrix work, int *info)
{
    struct library_call call = solver_call(d);
    int fill = blas_fill(uplo);
    SOLVER_TRY(solver_clear(d, info, 1));
    if (!n)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(solver_identity(d, n, n, work));
    SOLVER_TRY(solve(d, system_of(uplo, n, n, a, work), 0));
    library_add(&call, &n);
    library_add(&call, &fill);
    library_add(&call, &work.data);
    library_add(&call, &work.ld);
    library_add(&call, &a.data);
    library_add(&call, &a.ld);
    return solver_launch(&call, "copy_triangle",
                         library_blocks((long long)n * n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

static cusolverStatus_t potrf_list(const struct dense *d, cublasFillMode_t uplo, int n,
                                   struct solver_matrix list, int *info, int batch)
{
    int upper = uplo == CUBLAS_FILL_MODE_UPPER;
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(valid(uplo, n, list.ld) && batch >= 0);
    if (!n || !batch)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_VALID(list.data && info);
    struct library_call call = solver_call(d);
    library_add(&call, &upper);
    library_add(&call, &n);
    library_add(&call, &list.data);
    library_add(&call, &list.ld);
    library_add(&call, &info);
    return solver_launch(&call, "potrf_list", (unsigned int)batch, LU_THREADS);
}

static cusolverStatus_t potrs_list(const struct dense *d, const struct solver_triangle *t,
                                   int *info, int batch)
{
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(valid(t->uplo, t->m, t->a.ld) && t->n >= 0 && blas_fits(t->b.ld, t->m) && info &&
                 batch >= 0);
    SOLVER_TRY(solver_clear(d, info, 1));
    return t->m && t->n && batch ? solve(d, *t, batch) : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t size_of(cusolverDnHandle_t handle, bool ok, int numbers, int *lwork)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(ok && lwork);
    *lwork = numbers;
    return CUSOLVER_STATUS_SUCCESS;
}

#define CHOLESKY(R, T)                                                                             \
    cusolverStatus_t cusolverDn##R##potrf_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork)        \
    {                                                                                              \
        (void)a;                                                                                   \
        return size_of(handle, valid(uplo, n, lda), 1, lwork);                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *a, int lda, T *work, int lwork, int *info)            \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        (void)work, (void)lwork; /* none is needed */                                              \
        return potrf(&d, uplo, n, (struct solver_matrix){a, lda}, info);                           \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          int count, const T *a, int lda, T *b, int ldb,           \
                                          int *info)                                               \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_triangle t =                                                                 \
            system_of(uplo, n, count, (struct solver_matrix){(void *)a, lda},                      \
                      (struct solver_matrix){b, ldb});                                             \
        return potrs(&d, &t, info);                                                                \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##potri_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork)        \
    {                                                                                              \
        (void)a;                                                                                   \
        return size_of(handle, valid(uplo, n, lda), n * n, lwork);                                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *a, int lda, T *work, int lwork, int *info)            \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(valid(uplo, n, lda) && lwork >= n * n && info);                               \
        return potri(&d, uplo, n, (struct solver_matrix){a, lda}, (struct solver_matrix){work, n}, \
                     info);                                                                        \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, T *a[], int lda, int *info, int batch)     \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        return potrf_list(&d, uplo, n, (struct solver_matrix){a, lda}, info, batch);               \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, int count, T *a[], int lda, T *b[],        \
                                                 int ldb, int *info, int batch)                    \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_triangle t = system_of(uplo, n, count, (struct solver_matrix){a, lda},       \
                                             (struct solver_matrix){b, ldb});                      \
        return potrs_list(&d, &t, info, batch);                                                    \
    }
CHOLESKY(S, float)
CHOLESKY(D, double)
CHOLESKY(C, cuComplex)
CHOLESKY(Z, cuDoubleComplex)
