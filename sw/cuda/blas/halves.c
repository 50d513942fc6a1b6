/* Level 3: a matrix of which a half is stored, and another one. */
#include "sw/cuda/blas/blas.h"

/* What the calls have in common: the half is m x m from the left, n x n from the right. */
struct sided {
    cublasSideMode_t side;
    int m, n, ldb;
    const void *alpha;
};

static bool valid(const struct sided *s, const struct blas_half *half)
{
    return blas_is_side(s->side) && s->m >= 0 && s->n >= 0 && s->alpha && blas_half_valid(half) &&
           blas_fits(s->ldb, s->m);
}

#define HALF     (&(struct blas_half){HALF_FULL, uplo, side == CUBLAS_SIDE_LEFT ? m : n, 0, lda, a})
#define SIDED(b) (&(struct sided){side, m, n, b, alpha})

/* c = alpha a b + beta c, or from the right alpha b a + beta c. */
static cublasStatus_t multiply(cublasHandle_t handle, enum library_precision precision,
                               const struct sided *s, const struct blas_view *a, const void *from,
                               struct blas_gemm *g)
{
    struct library_call call = blas_call(handle, precision);
    bool left = s->side == CUBLAS_SIDE_LEFT;
    struct blas_view b = {.all = blas_turned(CUBLAS_OP_N, from, s->ldb),
                          .below = s->m,
                          .above = s->n,
                          .half = FILL_FULL};
    struct blas_operands o = {.a = left ? a : &b,
                              .b = left ? &b : a,
                              .alpha = blas_factor(handle, precision, s->alpha, 0)};
    if (g->beta) /* else 0 */
        o.beta = blas_factor(handle, precision, g->beta, 0);
    g->m = s->m;
    g->n = s->n;
    g->k = left ? s->m : s->n;
    g->fill = FILL_FULL;
    g->batch = 1;
    return blas_multiply(&call, "gemm_view", GEMM_MIDDLE, g, &o);
}

static cublasStatus_t symm(cublasHandle_t handle, enum library_precision precision,
                           const struct sided *s, const struct blas_half *half,
                           enum blas_mirror mirror, struct blas_gemm g)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(valid(s, half) && g.beta && blas_fits(g.ldc, s->m));
    struct blas_view a = blas_view(precision, half, mirror);
    return multiply(handle, precision, s, &a, g.b.data, &g);
}

#define SYMM(R, T, name, mirror)                                                                   \
    cublasStatus_t cublas##R##name##_v2(                                                           \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,         \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc)    \
    {                                                                                              \
        struct blas_gemm g = {.beta = beta, .b = {.data = b}, .c = c, .ldc = ldc};                 \
        return symm(handle, LIBRARY_##R, SIDED(ldb), HALF, mirror, g);                             \
    }
SYMM(S, float, symm, MIRROR_SYMMETRIC)
SYMM(D, double, symm, MIRROR_SYMMETRIC)
SYMM(C, cuComplex, symm, MIRROR_SYMMETRIC)
SYMM(Z, cuDoubleComplex, symm, MIRROR_SYMMETRIC)
SYMM(C, cuComplex, hemm, MIRROR_HERMITIAN)
SYMM(Z, cuDoubleComplex, hemm, MIRROR_HERMITIAN)

/* --- triangles ----------------------------------------------------------------------------------
 */

struct operation {
    cublasOperation_t trans;
    cublasDiagType_t diag;
};

static bool operation_valid(const struct operation *o)
{
    return blas_is_trans(o->trans) && blas_is_diag(o->diag);
}

static struct blas_view triangle(enum library_precision precision, const struct blas_half *half,
                                 const struct operation *o)
{
    struct blas_view a = blas_view(precision, half, MIRROR_NONE);
    a.unit = o->diag == CUBLAS_DIAG_UNIT;
    blas_turn(&a, o->trans);
    return a;
}

/* Of t->b or its lists. From the right: rows are right-hand sides of the transposed system. */
static cublasStatus_t in_place(cublasHandle_t handle, enum library_precision precision,
                               const struct sided *s, struct blas_triangle t)
{
    bool left = s->side == CUBLAS_SIDE_LEFT;
    if (!s->m || !s->n || !t.batch)
        return CUBLAS_STATUS_SUCCESS;
    if (!left)
        blas_turn(&t.a, CUBLAS_OP_T);
    t.alpha = blas_factor(handle, precision, s->alpha, 0);
    t.n = left ? s->m : s->n;
    t.count = left ? s->n : s->m;
    t.next = left ? s->ldb : 1;
    t.step = left ? 1 : s->ldb;
    return blas_triangle(handle, precision, &t);
}

static cublasStatus_t trsm(cublasHandle_t handle, enum library_precision precision,
                           const struct sided *s, const struct blas_half *half,
                           const struct operation *o, struct blas_triangle t)
{
    const void *list = t.a.all.list;
    BLAS_HANDLE(handle);
    BLAS_VALID(valid(s, half) && operation_valid(o) && t.batch >= 0);
    t.solve = true;
    t.a = triangle(precision, half, o);
    t.a.all.list = list;
    return in_place(handle, precision, s, t);
}

/* In place if c is b. */
static cublasStatus_t trmm(cublasHandle_t handle, enum library_precision precision,
                           const struct sided *s, const struct blas_half *half,
                           const struct operation *o, struct blas_gemm g)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(valid(s, half) && operation_valid(o) && blas_fits(g.ldc, s->m));
    BLAS_VALID(g.c != g.b.data || g.ldc == s->ldb);
    struct blas_view a = triangle(precision, half, o);
    return g.c == g.b.data ? in_place(handle, precision, s,
                                      (struct blas_triangle){.a = a, .b = g.c, .batch = 1})
                           : multiply(handle, precision, s, &a, g.b.data, &g);
}

#define TRIANGLES(R, T)                                                                            \
    cublasStatus_t cublas##R##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *a, int lda, T *b, int ldb)                          \
    {                                                                                              \
        struct operation o = {trans, diag};                                                        \
        struct blas_triangle t = {.b = b, .batch = 1};                                             \
        return trsm(handle, LIBRARY_##R, SIDED(ldb), HALF, &o, t);                                 \
    }                                                                                              \
    cublasStatus_t cublas##R##trsmBatched(                                                         \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,              \
        const T *const list[], int lda, T *const b[], int ldb, int batch)                          \
    {                                                                                              \
        const void *a = NULL;                                                                      \
        struct operation o = {trans, diag};                                                        \
        struct blas_triangle t = {.a = {.all = {.list = list}}, .list = b, .batch = batch};        \
        return trsm(handle, LIBRARY_##R, SIDED(ldb), HALF, &o, t);                                 \
    }                                                                                              \
    cublasStatus_t cublas##R##trmm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *a, int lda, const T *b, int ldb, T *c, int ldc)     \
    {                                                                                              \
        struct operation o = {trans, diag};                                                        \
        struct blas_gemm g = {.b = {.data = b}, .c = c, .ldc = ldc};                               \
        return trmm(handle, LIBRARY_##R, SIDED(ldb), HALF, &o, g);                                 \
    }
TRIANGLES(S, float)
TRIANGLES(D, double)
TRIANGLES(C, cuComplex)
TRIANGLES(Z, cuDoubleComplex)
