/* Factors, solutions and inverses of many small matrices. */
#include "sw/cuda/blas/blas.h"

/* The kernels' struct shape: a matrix of n columns, and what is computed beside it. */
struct shape {
    int n, lda, ldb, count;
};

/* What the calls have in common; what a call does not have is 0. */
struct batch {
    int m; /* rows, where they are not n */
    struct shape shape;
    const void *list, *other; /* matrices; what is computed, or its factors */
    const int *pivots;
    int *info;
    int count;
};

static cublasStatus_t run(struct library_call *call, const char *kernel, const struct batch *b)
{
    return blas_launch(call, kernel, (dim3){(unsigned int)b->count, 1, 1},
                       (dim3){LU_THREADS, 1, 1});
}

static cublasStatus_t getrf(cublasHandle_t handle, enum library_precision precision,
                            const struct batch *b)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    const struct shape *s = &b->shape;
    BLAS_VALID(s->n >= 0 && b->count >= 0 && blas_fits(s->lda, s->n));
    if (!s->n || !b->count)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_VALID(b->list && b->info);
    library_add(&call, &s->n);
    library_add(&call, &b->list);
    library_add(&call, &s->lda);
    library_add(&call, &b->pivots);
    library_add(&call, &b->info);
    return run(&call, "getrf", b);
}

/* matinv has no pivots. */
static cublasStatus_t invert(cublasHandle_t handle, enum library_precision precision,
                             const char *kernel, bool factored, struct batch b)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    const struct shape *s = &b.shape;
    BLAS_VALID(s->n >= 0 && b.count >= 0 && blas_fits(s->lda, s->n) && blas_fits(s->ldb, s->n));
    BLAS_VALID(factored || s->n <= MATINV_SIDE);
    if (!s->n || !b.count)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_VALID(b.list && b.other && b.info);
    b.shape.count = s->n;
    library_add(&call, &b.shape);
    library_add(&call, &b.list);
    if (factored)
        library_add(&call, &b.pivots);
    library_add(&call, &b.other);
    library_add(&call, &b.info);
    return run(&call, kernel, &b);
}

/* Of a parameter that is not valid: its number behind the handle. */
#define PARAMETER(condition, number)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            *info = -(number);                                                                     \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        }                                                                                          \
    } while (0)

static cublasStatus_t getrs(cublasHandle_t handle, enum library_precision precision,
                            cublasOperation_t trans, const struct batch *b, int *info)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    const struct shape *s = &b->shape;
    int turned = trans != CUBLAS_OP_N, conjugated = trans == CUBLAS_OP_C;
    BLAS_VALID(info);
    *info = 0;
    PARAMETER(blas_is_trans(trans), 1);
    PARAMETER(s->n >= 0, 2);
    PARAMETER(s->count >= 0, 3);
    PARAMETER(blas_fits(s->lda, s->n), 5);
    PARAMETER(blas_fits(s->ldb, s->n), 8);
    PARAMETER(b->count >= 0, 10);
    if (!s->n || !s->count || !b->count)
        return CUBLAS_STATUS_SUCCESS;
    PARAMETER(b->list, 4);
    PARAMETER(b->other, 7);
    library_add(&call, &turned);
    library_add(&call, &conjugated);
    library_add(&call, s);
    library_add(&call, &b->list);
    library_add(&call, &b->pivots);
    library_add(&call, &b->other);
    return run(&call, "getrs", b);
}

static cublasStatus_t geqrf(cublasHandle_t handle, enum library_precision precision,
                            const struct batch *b, int *info)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    BLAS_VALID(info);
    *info = 0;
    PARAMETER(b->m >= 0, 1);
    PARAMETER(b->shape.n >= 0, 2);
    PARAMETER(blas_fits(b->shape.lda, b->m), 4);
    PARAMETER(b->count >= 0, 7);
    if (!b->m || !b->shape.n || !b->count)
        return CUBLAS_STATUS_SUCCESS;
    PARAMETER(b->list, 3);
    PARAMETER(b->other, 5);
    library_add(&call, &b->m);
    library_add(&call, &b->shape);
    library_add(&call, &b->list);
    library_add(&call, &b->other);
    return run(&call, "geqrf", b);
}

static cublasStatus_t gels(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t trans, const struct batch *b, int *info)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    const struct shape *s = &b->shape;
    BLAS_VALID(info);
    *info = 0;
    PARAMETER(blas_is_trans(trans), 1);
    PARAMETER(b->m >= 0, 2);
    PARAMETER(s->n >= 0, 3);
    PARAMETER(s->count >= 0, 4);
    PARAMETER(blas_fits(s->lda, b->m), 6);
    PARAMETER(blas_fits(s->ldb, b->m), 8);
    PARAMETER(b->count >= 0, 11);
    BLAS_CHECK(trans == CUBLAS_OP_N && b->m >= s->n, CUBLAS_STATUS_NOT_SUPPORTED);
    if (!s->n || !s->count || !b->count)
        return CUBLAS_STATUS_SUCCESS;
    PARAMETER(b->list, 5);
    PARAMETER(b->other, 7);
    library_add(&call, &b->m);
    library_add(&call, s);
    library_add(&call, &b->list);
    library_add(&call, &b->other);
    library_add(&call, &b->info);
    return run(&call, "gels", b);
}

#define FACTORS(R, T)                                                                              \
    cublasStatus_t cublas##R##getrfBatched(cublasHandle_t handle, int n, T *const a[], int lda,    \
                                           int *pivots, int *info, int batch)                      \
    {                                                                                              \
        struct batch b = {                                                                         \
            .shape = {n, lda, 0, 0}, .list = a, .pivots = pivots, .info = info, .count = batch};   \
        return getrf(handle, LIBRARY_##R, &b);                                                     \
    }                                                                                              \
    cublasStatus_t cublas##R##getrsBatched(                                                        \
        cublasHandle_t handle, cublasOperation_t trans, int n, int count, const T *const a[],      \
        int lda, const int *pivots, T *const b[], int ldb, int *info, int batch)                   \
    {                                                                                              \
        struct batch all = {.shape = {n, lda, ldb, count},                                         \
                            .list = a,                                                             \
                            .other = b,                                                            \
                            .pivots = pivots,                                                      \
                            .count = batch};                                                       \
        return getrs(handle, LIBRARY_##R, trans, &all, info);                                      \
    }                                                                                              \
    cublasStatus_t cublas##R##getriBatched(cublasHandle_t handle, int n, const T *const a[],       \
                                           int lda, const int *pivots, T *const c[], int ldc,      \
                                           int *info, int batch)                                   \
    {                                                                                              \
        struct batch b = {.shape = {n, lda, ldc, 0},                                               \
                          .list = a,                                                               \
                          .other = c,                                                              \
                          .pivots = pivots,                                                        \
                          .info = info,                                                            \
                          .count = batch};                                                         \
        return invert(handle, LIBRARY_##R, "getri", true, b);                                      \
    }                                                                                              \
    cublasStatus_t cublas##R##matinvBatched(cublasHandle_t handle, int n, const T *const a[],      \
                                            int lda, T *const c[], int ldc, int *info, int batch)  \
    {                                                                                              \
        struct batch b = {                                                                         \
            .shape = {n, lda, ldc, 0}, .list = a, .other = c, .info = info, .count = batch};       \
        return invert(handle, LIBRARY_##R, "matinv", false, b);                                    \
    }                                                                                              \
    cublasStatus_t cublas##R##geqrfBatched(cublasHandle_t handle, int m, int n, T *const a[],      \
                                           int lda, T *const tau[], int *info, int batch)          \
    {                                                                                              \
        struct batch b = {                                                                         \
            .m = m, .shape = {n, lda, 0, 0}, .list = a, .other = tau, .count = batch};             \
        return geqrf(handle, LIBRARY_##R, &b, info);                                               \
    }                                                                                              \
    cublasStatus_t cublas##R##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m,   \
                                          int n, int count, T *const a[], int lda, T *const c[],   \
                                          int ldc, int *info, int *infos, int batch)               \
    {                                                                                              \
        struct batch b = {.m = m,                                                                  \
                          .shape = {n, lda, ldc, count},                                           \
                          .list = a,                                                               \
                          .other = c,                                                              \
                          .info = infos,                                                           \
                          .count = batch};                                                         \
        return gels(handle, LIBRARY_##R, trans, &b, info);                                         \
    }
FACTORS(S, float)
FACTORS(D, double)
FACTORS(C, cuComplex)
FACTORS(Z, cuDoubleComplex)
