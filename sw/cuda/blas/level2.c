/* Level 2: a matrix and vectors. */
#include "sw/cuda/blas/blas.h"

#define GER_THREADS   128u
#define GER_COLUMNS   1024 /* blocks at most; they take further columns in turn */
#define SOLVE_THREADS 256u

struct gemv {
    int m, n; /* of the matrix */
    const void *alpha, *a, *x, *beta;
    int lda, incx, incy;
    void *y;
};

/* `fill`: what is stored, FILL_FULL if all is. */
static cublasStatus_t by_rows(cublasHandle_t handle, enum library_precision precision,
                              struct gemv g, int fill)
{
    struct library_call call = blas_call(handle, precision);
    library_add(&call, &g.m);
    library_add(&call, &g.n);
    library_add_scalar(&call, g.alpha);
    library_add(&call, &g.a);
    library_add(&call, &g.lda);
    library_add(&call, &fill);
    library_add(&call, &g.x);
    library_add(&call, &g.incx);
    library_add_scalar(&call, g.beta);
    library_add(&call, &g.y);
    library_add(&call, &g.incy);
    return blas_launch(&call, "gemv_n", (dim3){library_blocks(g.m, GEMV_ROWS, ~0u), 1, 1},
                       (dim3){GEMV_ROWS, GEMV_SLICES, 1});
}

static cublasStatus_t by_columns(cublasHandle_t handle, enum library_precision precision,
                                 struct gemv g)
{
    struct library_call call = blas_call(handle, precision);
    library_add(&call, &g.m);
    library_add(&call, &g.n);
    library_add_scalar(&call, g.alpha);
    library_add(&call, &g.a);
    library_add(&call, &g.lda);
    library_add(&call, &g.x);
    library_add(&call, &g.incx);
    library_add_scalar(&call, g.beta);
    library_add(&call, &g.y);
    library_add(&call, &g.incy);
    return blas_launch(&call, "gemv_t", (dim3){library_blocks(g.n, GEMV_SLICES, ~0u), 1, 1},
                       (dim3){32, GEMV_SLICES, 1});
}

static cublasStatus_t gemv(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t trans, struct gemv g)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_trans(trans) && g.m >= 0 && g.n >= 0 && blas_fits(g.lda, g.m) && g.incx &&
               g.incy && g.alpha && g.beta);
    if (!g.m || !g.n)
        return CUBLAS_STATUS_SUCCESS;
    return trans == CUBLAS_OP_N ? by_rows(handle, precision, g, FILL_FULL)
                                : by_columns(handle, precision, g);
}

static cublasStatus_t symv(cublasHandle_t handle, enum library_precision precision,
                           cublasFillMode_t uplo, struct gemv g)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_fill(uplo) && g.n >= 0 && blas_fits(g.lda, g.n) && g.incx && g.incy &&
               g.alpha && g.beta);
    if (!g.n)
        return CUBLAS_STATUS_SUCCESS;
    return by_rows(handle, precision, g, uplo == CUBLAS_FILL_MODE_LOWER ? FILL_LOWER : FILL_UPPER);
}

static cublasStatus_t ger(cublasHandle_t handle, enum library_precision precision, int m, int n,
                          const void *alpha, const void *x, int incx, const void *y, int incy,
                          void *a, int lda)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    BLAS_VALID(m >= 0 && n >= 0 && incx && incy && blas_fits(lda, m) && alpha);
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    library_add(&call, &m);
    library_add(&call, &n);
    library_add_scalar(&call, alpha);
    library_add(&call, &x);
    library_add(&call, &incx);
    library_add(&call, &y);
    library_add(&call, &incy);
    library_add(&call, &a);
    library_add(&call, &lda);
    return blas_launch(
        &call, "ger",
        (dim3){library_blocks(m, GER_THREADS, ~0u), library_blocks(n, 1, GER_COLUMNS), 1},
        (dim3){GER_THREADS, 1, 1});
}

cublasStatus_t blas_solve(cublasHandle_t handle, enum library_precision precision,
                          const struct blas_triangle *t)
{
    struct library_call call = blas_call(handle, precision);
    int n = t->n, unit = t->unit;
    int lower = (t->uplo == CUBLAS_FILL_MODE_LOWER) == (t->trans == CUBLAS_OP_N);
    long long row = t->trans == CUBLAS_OP_N ? 1 : t->lda,
              column = t->trans == CUBLAS_OP_N ? t->lda : 1;
    long long next = t->next, step = t->step;
    const void *none = NULL;
    static const union {
        float single;
        double twice;
    } ones[] = {[LIBRARY_S] = {.single = 1}, [LIBRARY_D] = {.twice = 1}};
    void *b = t->b;
    library_add(&call, &n);
    library_add(&call, &t->a);
    library_add(&call, &row);
    library_add(&call, &column);
    library_add(&call, &lower);
    library_add(&call, &unit);
    if (t->alpha)
        library_add_scalar(&call, t->alpha);
    else {
        library_add(&call, &none);
        library_add(&call, (uintptr_t)&ones[precision]);
    }
    library_add(&call, &b);
    library_add(&call, &next);
    library_add(&call, &step);
    return blas_launch(&call, "triangle", (dim3){(unsigned int)t->count, 1, 1},
                       (dim3){SOLVE_THREADS, 1, 1});
}

static cublasStatus_t trsv(cublasHandle_t handle, enum library_precision precision,
                           struct blas_triangle t, cublasDiagType_t diag, void *x, int incx)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_fill(t.uplo) && blas_is_trans(t.trans) && t.n >= 0 &&
               blas_fits(t.lda, t.n) && incx &&
               (diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT));
    if (!t.n)
        return CUBLAS_STATUS_SUCCESS;
    t.unit = diag == CUBLAS_DIAG_UNIT;
    t.count = 1;
    t.step = incx;
    t.b = incx < 0 ? (char *)x + (long long)(1 - t.n) * incx * (long long)blas_bytes(precision) : x;
    return blas_solve(handle, precision, &t);
}

#define LEVEL2(R, T)                                                                               \
    cublasStatus_t cublas##R##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,       \
                                      int n, const T *alpha, const T *a, int lda, const T *x,      \
                                      int incx, const T *beta, T *y, int incy)                     \
    {                                                                                              \
        return gemv(handle, LIBRARY_##R, trans,                                                    \
                    (struct gemv){m, n, alpha, a, x, beta, lda, incx, incy, y});                   \
    }                                                                                              \
    cublasStatus_t cublas##R##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,         \
                                      const T *alpha, const T *a, int lda, const T *x, int incx,   \
                                      const T *beta, T *y, int incy)                               \
    {                                                                                              \
        return symv(handle, LIBRARY_##R, uplo,                                                     \
                    (struct gemv){n, n, alpha, a, x, beta, lda, incx, incy, y});                   \
    }                                                                                              \
    cublasStatus_t cublas##R##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha,          \
                                     const T *x, int incx, const T *y, int incy, T *a, int lda)    \
    {                                                                                              \
        return ger(handle, LIBRARY_##R, m, n, alpha, x, incx, y, incy, a, lda);                    \
    }                                                                                              \
    cublasStatus_t cublas##R##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                      cublasOperation_t trans, cublasDiagType_t diag, int n,       \
                                      const T *a, int lda, T *x, int incx)                         \
    {                                                                                              \
        struct blas_triangle t = {.uplo = uplo, .trans = trans, .n = n, .a = a, .lda = lda};       \
        return trsv(handle, LIBRARY_##R, t, diag, x, incx);                                        \
    }
LEVEL2(S, float)
LEVEL2(D, double)
