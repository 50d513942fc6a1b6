/* Matrices element by element: sums, scaled rows and columns, packed and unpacked triangles. */
#include "sw/cuda/blas/blas.h"

#define ELEMENT_THREADS 128u
#define ELEMENT_COLUMNS 1024 /* blocks at most; they take further columns in turn */

static cublasStatus_t launch(struct library_call *call, const char *kernel, int m, int n)
{
    return blas_launch(
        call, kernel,
        (dim3){library_blocks(m, ELEMENT_THREADS, ~0u), library_blocks(n, 1, ELEMENT_COLUMNS), 1},
        (dim3){ELEMENT_THREADS, 1, 1});
}

static cublasStatus_t geam(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                           struct blas_gemm g)
{
    BLAS_HANDLE(handle);
    bool a_fits = blas_fits(lda, transa == CUBLAS_OP_N ? g.m : g.n),
         b_fits = blas_fits(ldb, transb == CUBLAS_OP_N ? g.m : g.n);
    BLAS_VALID(g.m >= 0 && g.n >= 0 && g.alpha && g.beta && blas_is_trans(transa) &&
               blas_is_trans(transb) && a_fits && b_fits && blas_fits(g.ldc, g.m));
    /* In place only element by element. */
    BLAS_VALID(!(g.c == g.a.data && transa != CUBLAS_OP_N) &&
               !(g.c == g.b.data && transb != CUBLAS_OP_N));
    if (!g.m || !g.n)
        return CUBLAS_STATUS_SUCCESS;
    struct library_call call = blas_call(handle, precision);
    struct blas_factor alpha = blas_factor(handle, precision, g.alpha, 0);
    struct blas_factor beta = blas_factor(handle, precision, g.beta, 0);
    g.a = blas_turned(transa, g.a.data, lda);
    g.b = blas_turned(transb, g.b.data, ldb);
    library_add(&call, &g.m);
    library_add(&call, &g.n);
    library_add(&call, &alpha);
    library_add(&call, &g.a);
    library_add(&call, &beta);
    library_add(&call, &g.b);
    library_add(&call, &g.c);
    library_add(&call, &g.ldc);
    return launch(&call, "geam", g.m, g.n);
}

/* c = diag(x) a from the left, a diag(x) from the right. */
struct scaling {
    int m, n, lda, incx, ldc;
    const void *a, *x;
    void *c;
};

static cublasStatus_t dgmm(cublasHandle_t handle, enum library_precision precision,
                           cublasSideMode_t side, const struct scaling *s)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_side(side) && s->m >= 0 && s->n >= 0 && blas_fits(s->lda, s->m) &&
               blas_fits(s->ldc, s->m));
    if (!s->m || !s->n)
        return CUBLAS_STATUS_SUCCESS;
    struct library_call call = blas_call(handle, precision);
    int rows = side == CUBLAS_SIDE_LEFT;
    library_add(&call, &s->m);
    library_add(&call, &s->n);
    library_add(&call, &rows);
    library_add(&call, &s->a);
    library_add(&call, &s->lda);
    library_add(&call, &s->x);
    library_add(&call, &s->incx);
    library_add(&call, &s->c);
    library_add(&call, &s->ldc);
    return launch(&call, "dgmm", s->m, s->n);
}

static cublasStatus_t repack(cublasHandle_t handle, enum library_precision precision,
                             const struct blas_half *from, const struct blas_half *to)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_half_valid(from) && blas_half_valid(to));
    if (!from->n)
        return CUBLAS_STATUS_SUCCESS;
    struct library_call call = blas_call(handle, precision);
    struct blas_view source = blas_view(precision, from, MIRROR_SYMMETRIC);
    struct blas_view target = blas_view(precision, to, MIRROR_SYMMETRIC);
    library_add(&call, &from->n);
    library_add(&call, &source);
    library_add(&call, &target);
    return launch(&call, "repack", from->n, from->n);
}

#define FULL(n, a, lda) (&(struct blas_half){HALF_FULL, uplo, n, 0, lda, a})
#define PACKED(n, a)    (&(struct blas_half){HALF_PACKED, uplo, n, 0, 0, a})
#define ELEMENTS(R, T)                                                                             \
    cublasStatus_t cublas##R##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc)    \
    {                                                                                              \
        struct blas_gemm g = {.m = m,                                                              \
                              .n = n,                                                              \
                              .alpha = alpha,                                                      \
                              .beta = beta,                                                        \
                              .a = {.data = a},                                                    \
                              .b = {.data = b},                                                    \
                              .c = c,                                                              \
                              .ldc = ldc};                                                         \
        return geam(handle, LIBRARY_##R, transa, transb, lda, ldb, g);                             \
    }                                                                                              \
    cublasStatus_t cublas##R##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,     \
                                   const T *a, int lda, const T *x, int incx, T *c, int ldc)       \
    {                                                                                              \
        struct scaling s = {m, n, lda, incx, ldc, a, x, c};                                        \
        return dgmm(handle, LIBRARY_##R, mode, &s);                                                \
    }                                                                                              \
    cublasStatus_t cublas##R##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *packed, T *a, int lda)                                \
    {                                                                                              \
        return repack(handle, LIBRARY_##R, PACKED(n, packed), FULL(n, a, lda));                    \
    }                                                                                              \
    cublasStatus_t cublas##R##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *a, int lda, T *packed)                                \
    {                                                                                              \
        return repack(handle, LIBRARY_##R, FULL(n, a, lda), PACKED(n, packed));                    \
    }
ELEMENTS(S, float)
ELEMENTS(D, double)
ELEMENTS(C, cuComplex)
ELEMENTS(Z, cuDoubleComplex)
