/* Level 3: products of matrices. */
#include "sw/cuda/blas/blas.h"

/* op(a) has m rows and k columns, as stored it has the distance ld. */
static bool fits(cublasOperation_t trans, int ld, int m, int k)
{
    return blas_is_trans(trans) && blas_fits(ld, trans == CUBLAS_OP_N ? m : k);
}

cublasStatus_t blas_multiply(struct library_call *call, const char *kernel, unsigned int side,
                             const struct blas_gemm *g, const struct blas_operands *o)
{
    if (!g->m || !g->n || !g->batch)
        return CUBLAS_STATUS_SUCCESS;
    library_add(call, &g->m);
    library_add(call, &g->n);
    library_add(call, &g->k);
    library_add(call, &o->alpha);
    library_add(call, o->a);
    library_add(call, o->b);
    library_add(call, &o->beta);
    library_add(call, &g->c);
    library_add(call, &g->c_list);
    library_add(call, &g->ldc);
    library_add(call, &g->stride_c);
    library_add(call, &g->fill);
    library_add(call, &g->hermitian);
    return blas_launch(call, kernel,
                       (dim3){library_blocks(g->m, side, ~0u), library_blocks(g->n, side, ~0u),
                              (unsigned int)g->batch},
                       (dim3){GEMM_THREADS, 1, 1});
}

static cublasStatus_t multiply(cublasHandle_t handle, enum library_precision precision,
                               const struct blas_gemm *g, struct blas_factor alpha,
                               struct blas_factor beta)
{
    struct library_call call = blas_call(handle, precision);
    struct blas_operands o = {&g->a, &g->b, alpha, beta};
    unsigned int side = blas_tile(g, precision);
    return blas_multiply(&call, side == GEMM_SMALL ? "gemm_small" : "gemm_large", side, g, &o);
}

cublasStatus_t blas_gemm_check(cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                               struct blas_gemm *g)
{
    BLAS_VALID(g->m >= 0 && g->n >= 0 && g->k >= 0 && g->batch >= 0 && g->alpha && g->beta);
    BLAS_VALID(fits(transa, lda, g->m, g->k) && fits(transb, ldb, g->k, g->n) &&
               blas_fits(g->ldc, g->m));
    struct blas_matrix a = blas_turned(transa, g->a.data, lda),
                       b = blas_turned(transb, g->b.data, ldb);
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
    return status ? status
                  : multiply(handle, precision, &g, blas_factor(handle, precision, g.alpha, 0),
                             blas_factor(handle, precision, g.beta, 0));
}

#define SCALED(first, second)                                                                      \
    .alpha = alpha, .beta = beta, .a = {.data = (first)}, .b = {.data = (second)}, .c = c,         \
    .ldc = ldc
#define GEMM(R, T, name)                                                                           \
    cublasStatus_t cublas##R##name(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k, const T *alpha,  \
                                   const T *a, int lda, const T *b, int ldb, const T *beta, T *c,  \
                                   int ldc)                                                        \
    {                                                                                              \
        struct blas_gemm g = {.m = m, .n = n, .k = k, SCALED(a, b), .batch = 1};                   \
        return gemm(handle, LIBRARY_##R, transa, transb, lda, ldb, g);                             \
    }
#define GEMMS(R, T)                                                                                \
    GEMM(R, T, gemm_v2)                                                                            \
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
    }
GEMMS(S, float)
GEMMS(D, double)
GEMMS(C, cuComplex)
GEMMS(Z, cuDoubleComplex)
GEMM(C, cuComplex, gemm3m) /* with all four products */
GEMM(Z, cuDoubleComplex, gemm3m)

/* --- of a matrix and a transpose ----------------------------------------------------------------
 */

/* What is added to a half of c: alpha op(a) op(b)^H, and `twice` the same with a and b exchanged.
 */
struct update {
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    enum blas_mirror mirror; /* MIRROR_HERMITIAN: else op(b)^T */
    int lda, ldb;
    int form_alpha, form_beta;
    bool twice;
};

/* op(a) op(b)^H, of n columns and of n rows */
static void turn_both(struct blas_gemm *g, const struct update *u, const struct blas_matrix *a,
                      int lda, const struct blas_matrix *b, int ldb)
{
    cublasOperation_t back = u->mirror == MIRROR_HERMITIAN ? CUBLAS_OP_C : CUBLAS_OP_T;
    g->a = blas_turned(u->trans, a->data, lda);
    g->b = blas_turned(u->trans == CUBLAS_OP_N ? back : CUBLAS_OP_N, b->data, ldb);
}

static cublasStatus_t update(cublasHandle_t handle, enum library_precision precision,
                             const struct update *u, struct blas_gemm g)
{
    const struct blas_matrix a = g.a, b = g.b;
    bool hermitian = u->mirror == MIRROR_HERMITIAN;
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_fill(u->uplo) && g.n >= 0 && g.k >= 0 && g.alpha && g.beta);
    BLAS_VALID(fits(u->trans, u->lda, g.n, g.k) && fits(u->trans, u->ldb, g.n, g.k) &&
               blas_fits(g.ldc, g.n));
    /* Of complex matrices, the product has one kind of transpose. */
    BLAS_VALID(!blas_is_complex(precision) || u->trans != (hermitian ? CUBLAS_OP_T : CUBLAS_OP_C));
    g.m = g.n;
    g.batch = 1;
    g.fill = blas_fill(u->uplo);
    g.hermitian = hermitian;
    struct blas_factor alpha = blas_factor(handle, precision, g.alpha, u->form_alpha);
    struct blas_factor beta = blas_factor(handle, precision, g.beta, u->form_beta);
    turn_both(&g, u, &a, u->lda, &b, u->ldb);
    cublasStatus_t status = multiply(handle, precision, &g, alpha, beta);
    if (status || !u->twice)
        return status;
    alpha.form |= hermitian ? FACTOR_CONJUGATED : 0;
    turn_both(&g, u, &b, u->ldb, &a, u->lda);
    return multiply(handle, precision, &g, alpha, blas_one(precision));
}

/* A and B: the types of alpha and beta. */
#define RANK(R, T, name, mirror, A, form)                                                          \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, cublasFillMode_t uplo,              \
                                        cublasOperation_t trans, int n, int k, const A *alpha,     \
                                        const T *a, int lda, const A *beta, T *c, int ldc)         \
    {                                                                                              \
        struct blas_gemm g = {.n = n, .k = k, SCALED(a, a)};                                       \
        struct update u = {uplo, trans, mirror, lda, lda, form, form, false};                      \
        return update(handle, LIBRARY_##R, &u, g);                                                 \
    }
#define RANK_OF_TWO(R, T, name, mirror, B, form, twice)                                            \
    cublasStatus_t cublas##R##name(                                                                \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,       \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const B *beta, T *c, int ldc)    \
    {                                                                                              \
        struct blas_gemm g = {.n = n, .k = k, SCALED(a, b)};                                       \
        struct update u = {uplo, trans, mirror, lda, ldb, 0, form, twice};                         \
        return update(handle, LIBRARY_##R, &u, g);                                                 \
    }
#define RANKS(R, T)                                                                                \
    RANK(R, T, syrk, MIRROR_SYMMETRIC, T, 0)                                                       \
    RANK_OF_TWO(R, T, syr2k_v2, MIRROR_SYMMETRIC, T, 0, true)                                      \
    RANK_OF_TWO(R, T, syrkx, MIRROR_SYMMETRIC, T, 0, false)
#define HERMITIAN_RANKS(R, T, V)                                                                   \
    RANK(R, T, herk, MIRROR_HERMITIAN, V, FACTOR_REAL)                                             \
    RANK_OF_TWO(R, T, her2k_v2, MIRROR_HERMITIAN, V, FACTOR_REAL, true)                            \
    RANK_OF_TWO(R, T, herkx, MIRROR_HERMITIAN, V, FACTOR_REAL, false)
RANKS(S, float)
RANKS(D, double)
RANKS(C, cuComplex)
RANKS(Z, cuDoubleComplex)
HERMITIAN_RANKS(C, cuComplex, float)
HERMITIAN_RANKS(Z, cuDoubleComplex, double)

/* --- of complex matrices, by their types: only those of floats, with all products ---------------
 */

#define RANK_EX(name, rank, V)                                                                     \
    cublasStatus_t cublas##name(cublasHandle_t handle, cublasFillMode_t uplo,                      \
                                cublasOperation_t trans, int n, int k, const V *alpha,             \
                                const void *a, cudaDataType Atype, int lda, const V *beta,         \
                                void *c, cudaDataType Ctype, int ldc)                              \
    {                                                                                              \
        BLAS_HANDLE(handle);                                                                       \
        BLAS_CHECK(Atype == CUDA_C_32F && Ctype == CUDA_C_32F, CUBLAS_STATUS_NOT_SUPPORTED);       \
        return cublas##rank(handle, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);               \
    }
RANK_EX(CsyrkEx, Csyrk_v2, cuComplex)
RANK_EX(Csyrk3mEx, Csyrk_v2, cuComplex)
RANK_EX(CherkEx, Cherk_v2, float)
RANK_EX(Cherk3mEx, Cherk_v2, float)
