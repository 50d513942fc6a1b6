/* Level 3: matrices. */
#include "sw/cuda/blas/blas.h"

#define GEAM_THREADS 128u
#define GEAM_COLUMNS 1024

static struct blas_matrix turned(cublasOperation_t trans, const void *data, int ld)
{
    bool plain = trans == CUBLAS_OP_N;
    return (struct blas_matrix){.data = data, .row = plain ? 1 : ld, .column = plain ? ld : 1};
}

/* op(a) has m rows and k columns, as stored it has the distance ld. */
static bool fits(cublasOperation_t trans, int ld, int m, int k)
{
    return blas_is_trans(trans) && blas_fits(ld, trans == CUBLAS_OP_N ? m : k);
}

unsigned int blas_tile_side(const struct blas_gemm *g)
{
    long long large =
        ((g->m + GEMM_LARGE - 1LL) / GEMM_LARGE) * ((g->n + GEMM_LARGE - 1LL) / GEMM_LARGE);
    bool small = g->m <= GEMM_LARGE / 2 || g->n <= GEMM_LARGE / 2 || large * g->batch < 8;
    return small ? GEMM_SMALL : GEMM_LARGE;
}

static cublasStatus_t multiply(cublasHandle_t handle, enum library_precision precision,
                               struct blas_gemm *g)
{
    struct library_call call = blas_call(handle, precision);
    unsigned int side = blas_tile_side(g);
    if (!g->m || !g->n || !g->batch)
        return CUBLAS_STATUS_SUCCESS;
    library_add(&call, &g->m);
    library_add(&call, &g->n);
    library_add(&call, &g->k);
    library_add_scalar(&call, g->alpha);
    library_add(&call, &g->a);
    library_add(&call, &g->b);
    library_add_scalar(&call, g->beta);
    library_add(&call, &g->c);
    library_add(&call, &g->c_list);
    library_add(&call, &g->ldc);
    library_add(&call, &g->stride_c);
    library_add(&call, &g->fill);
    return blas_launch(&call, side == GEMM_SMALL ? "gemm_small" : "gemm_large",
                       (dim3){library_blocks(g->m, side, ~0u), library_blocks(g->n, side, ~0u),
                              (unsigned int)g->batch},
                       (dim3){GEMM_THREADS, 1, 1});
}

cublasStatus_t blas_gemm_check(cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                               struct blas_gemm *g)
{
    BLAS_VALID(g->m >= 0 && g->n >= 0 && g->k >= 0 && g->batch >= 0 && g->alpha && g->beta);
    BLAS_VALID(fits(transa, lda, g->m, g->k) && fits(transb, ldb, g->k, g->n) &&
               blas_fits(g->ldc, g->m));
    struct blas_matrix a = turned(transa, g->a.data, lda), b = turned(transb, g->b.data, ldb);
    a.list = g->a.list, a.stride = g->a.stride;
    b.list = g->b.list, b.stride = g->b.stride;
    g->a = a;
    g->b = b;
    g->fill = FILL_FULL;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t gemm(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                           struct blas_gemm g)
{
    BLAS_HANDLE(handle);
    cublasStatus_t status = blas_gemm_check(transa, transb, lda, ldb, &g);
    return status ? status : multiply(handle, precision, &g);
}

/* op(a) has n rows and k columns. */
static cublasStatus_t syrk(cublasHandle_t handle, enum library_precision precision,
                           cublasFillMode_t uplo, cublasOperation_t trans, int lda,
                           struct blas_gemm g)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_fill(uplo) && g.n >= 0 && g.k >= 0 && g.alpha && g.beta);
    BLAS_VALID(fits(trans, lda, g.n, g.k) && blas_fits(g.ldc, g.n));
    g.b = turned(trans == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N, g.a.data, lda);
    g.a = turned(trans, g.a.data, lda);
    g.fill = uplo == CUBLAS_FILL_MODE_LOWER ? FILL_LOWER : FILL_UPPER;
    return multiply(handle, precision, &g);
}

/* From the right: rows are right-hand sides of the transposed system. */
static cublasStatus_t trsm(cublasHandle_t handle, enum library_precision precision,
                           cublasSideMode_t side, cublasDiagType_t diag, int m, int n, int ldb,
                           struct blas_triangle t)
{
    bool left = side == CUBLAS_SIDE_LEFT;
    BLAS_HANDLE(handle);
    BLAS_VALID((left || side == CUBLAS_SIDE_RIGHT) && blas_is_fill(t.uplo) &&
               blas_is_trans(t.trans) && m >= 0 && n >= 0 && t.alpha);
    BLAS_VALID((diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT) &&
               blas_fits(t.lda, left ? m : n) && blas_fits(ldb, m));
    if (!m || !n)
        return CUBLAS_STATUS_SUCCESS;
    if (!left)
        t.trans = t.trans == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
    t.unit = diag == CUBLAS_DIAG_UNIT;
    t.n = left ? m : n;
    t.count = left ? n : m;
    t.next = left ? ldb : 1;
    t.step = left ? 1 : ldb;
    return blas_solve(handle, precision, &t);
}

static cublasStatus_t geam(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                           struct blas_gemm g)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    BLAS_VALID(g.m >= 0 && g.n >= 0 && g.alpha && g.beta && fits(transa, lda, g.m, g.n) &&
               fits(transb, ldb, g.m, g.n) && blas_fits(g.ldc, g.m));
    /* In place only element by element. */
    BLAS_VALID(!(g.c == g.a.data && transa != CUBLAS_OP_N) &&
               !(g.c == g.b.data && transb != CUBLAS_OP_N));
    if (!g.m || !g.n)
        return CUBLAS_STATUS_SUCCESS;
    g.a = turned(transa, g.a.data, lda);
    g.b = turned(transb, g.b.data, ldb);
    library_add(&call, &g.m);
    library_add(&call, &g.n);
    library_add_scalar(&call, g.alpha);
    library_add(&call, &g.a);
    library_add_scalar(&call, g.beta);
    library_add(&call, &g.b);
    library_add(&call, &g.c);
    library_add(&call, &g.ldc);
    return blas_launch(
        &call, "geam",
        (dim3){library_blocks(g.m, GEAM_THREADS, ~0u), library_blocks(g.n, 1, GEAM_COLUMNS), 1},
        (dim3){GEAM_THREADS, 1, 1});
}

#define SCALED(first, second)                                                                      \
    .alpha = alpha, .beta = beta, .a = {.data = (first)}, .b = {.data = (second)}, .c = c,         \
    .ldc = ldc
#define LEVEL3(R, T)                                                                               \
    cublasStatus_t cublas##R##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,             \
                                      cublasOperation_t transb, int m, int n, int k,               \
                                      const T *alpha, const T *a, int lda, const T *b, int ldb,    \
                                      const T *beta, T *c, int ldc)                                \
    {                                                                                              \
        struct blas_gemm g = {.m = m, .n = n, .k = k, SCALED(a, b), .batch = 1};                   \
        return gemm(handle, LIBRARY_##R, transa, transb, lda, ldb, g);                             \
    }                                                                                              \
    cublasStatus_t cublas##R##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *const a[], int lda, const T *const b[], int ldb,           \
        const T *beta, T *const c[], int ldc, int batch)                                           \
    {                                                                                              \
        struct blas_gemm g = {.m = m,                                                              \
                              .n = n,                                                              \
                              .k = k,                                                              \
                              .alpha = alpha,                                                      \
                              .beta = beta,                                                        \
                              .a = {.list = a},                                                    \
                              .b = {.list = b},                                                    \
                              .c_list = c,                                                         \
                              .ldc = ldc,                                                          \
                              .batch = batch};                                                     \
        return gemm(handle, LIBRARY_##R, transa, transb, lda, ldb, g);                             \
    }                                                                                              \
    cublasStatus_t cublas##R##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,       \
        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int batch)           \
    {                                                                                              \
        struct blas_gemm g = {.m = m, .n = n, .k = k, SCALED(a, b), .batch = batch};               \
        g.a.stride = stride_a;                                                                     \
        g.b.stride = stride_b;                                                                     \
        g.stride_c = stride_c;                                                                     \
        return gemm(handle, LIBRARY_##R, transa, transb, lda, ldb, g);                             \
    }                                                                                              \
    cublasStatus_t cublas##R##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                      cublasOperation_t trans, int n, int k, const T *alpha,       \
                                      const T *a, int lda, const T *beta, T *c, int ldc)           \
    {                                                                                              \
        struct blas_gemm g = {.m = n, .n = n, .k = k, SCALED(a, a), .batch = 1};                   \
        return syrk(handle, LIBRARY_##R, uplo, trans, lda, g);                                     \
    }                                                                                              \
    cublasStatus_t cublas##R##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *a, int lda, T *b, int ldb)                          \
    {                                                                                              \
        struct blas_triangle t = {                                                                 \
            .uplo = uplo, .trans = trans, .a = a, .lda = lda, .alpha = alpha, .b = b};             \
        return trsm(handle, LIBRARY_##R, side, diag, m, n, ldb, t);                                \
    }                                                                                              \
    cublasStatus_t cublas##R##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc)    \
    {                                                                                              \
        struct blas_gemm g = {.m = m, .n = n, SCALED(a, b)};                                       \
        return geam(handle, LIBRARY_##R, transa, transb, lda, ldb, g);                             \
    }
LEVEL3(S, float)
LEVEL3(D, double)
