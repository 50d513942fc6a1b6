/* Level 2: a matrix and vectors. */
#include "sw/cuda/blas/blas.h"

#define RANK_THREADS  128u
#define RANK_COLUMNS  1024 /* blocks at most; they take further columns in turn */
#define SOLVE_THREADS 256u

/* y = alpha a x + beta y */
struct product {
    int m, n; /* of the matrix as stored */
    const void *alpha, *x, *beta;
    int incx, incy;
    void *y;
};
#define PRODUCT(m, n) (&(struct product){m, n, alpha, x, beta, incx, incy, y})

static bool product_valid(const struct product *p)
{
    return p->m >= 0 && p->n >= 0 && p->incx && p->incy && p->alpha && p->beta;
}

static void add_vectors(struct library_call *call, const struct product *p,
                        const struct blas_factor *beta)
{
    library_add(call, &p->x);
    library_add(call, &p->incx);
    library_add(call, beta);
    library_add(call, &p->y);
    library_add(call, &p->incy);
}

/* --- general matrices ---------------------------------------------------------------------------
 */

static cublasStatus_t gemv(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t trans, const void *a, int lda, const struct product *p)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_trans(trans) && product_valid(p) && blas_fits(lda, p->m));
    if (!p->m || !p->n)
        return CUBLAS_STATUS_SUCCESS;
    bool plain = trans == CUBLAS_OP_N;
    int conjugated = trans == CUBLAS_OP_C;
    struct library_call call = blas_call(handle, precision);
    struct blas_factor alpha = blas_factor(handle, precision, p->alpha, 0);
    struct blas_factor beta = blas_factor(handle, precision, p->beta, 0);
    library_add(&call, &p->m);
    library_add(&call, &p->n);
    if (!plain)
        library_add(&call, &conjugated);
    library_add(&call, &alpha);
    library_add(&call, &a);
    library_add(&call, &lda);
    add_vectors(&call, p, &beta);
    return plain
               ? blas_launch(&call, "gemv_n", (dim3){library_blocks(p->m, GEMV_ROWS, ~0u), 1, 1},
                             (dim3){GEMV_ROWS, GEMV_SLICES, 1})
               : blas_launch(&call, "gemv_t", (dim3){library_blocks(p->n, GEMV_SLICES, ~0u), 1, 1},
                             (dim3){32, GEMV_SLICES, 1});
}

/* `turned`: a is a transpose of m columns. */
static cublasStatus_t multiply(cublasHandle_t handle, enum library_precision precision,
                               const struct blas_view *a, bool turned, const struct product *p)
{
    struct library_call call = blas_call(handle, precision);
    struct blas_factor alpha = blas_factor(handle, precision, p->alpha, 0);
    struct blas_factor beta = blas_factor(handle, precision, p->beta, 0);
    library_add(&call, turned ? &p->n : &p->m);
    library_add(&call, turned ? &p->m : &p->n);
    library_add(&call, &alpha);
    library_add(&call, a);
    add_vectors(&call, p, &beta);
    return blas_launch(&call, "product",
                       (dim3){library_blocks(turned ? p->n : p->m, GEMV_ROWS, ~0u), 1, 1},
                       (dim3){GEMV_ROWS, GEMV_SLICES, 1});
}

/* A band of `below` and `above` elements beside the diagonal. */
struct band {
    const void *a;
    int below, above, ld;
};

static cublasStatus_t gbmv(cublasHandle_t handle, enum library_precision precision,
                           cublasOperation_t trans, const struct band *b, const struct product *p)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_trans(trans) && product_valid(p) && b->below >= 0 && b->above >= 0 &&
               b->ld > (long long)b->below + b->above);
    if (!p->m || !p->n)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_view a = {.below = b->below < p->m ? b->below : p->m,
                          .above = b->above < p->n ? b->above : p->n,
                          .half = FILL_FULL};
    a.all = blas_turned(CUBLAS_OP_N, b->a, b->ld - 1); /* diagonals are rows */
    a.all.data = (const char *)b->a + (size_t)b->above * blas_bytes(precision);
    blas_turn(&a, trans);
    return multiply(handle, precision, &a, trans != CUBLAS_OP_N, p);
}

#define GENERAL(R, T)                                                                              \
    cublasStatus_t cublas##R##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,       \
                                      int n, const T *alpha, const T *a, int lda, const T *x,      \
                                      int incx, const T *beta, T *y, int incy)                     \
    {                                                                                              \
        return gemv(handle, LIBRARY_##R, trans, a, lda, PRODUCT(m, n));                            \
    }                                                                                              \
    cublasStatus_t cublas##R##gbmv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,       \
                                      int n, int kl, int ku, const T *alpha, const T *a, int lda,  \
                                      const T *x, int incx, const T *beta, T *y, int incy)         \
    {                                                                                              \
        return gbmv(handle, LIBRARY_##R, trans, &(struct band){a, kl, ku, lda}, PRODUCT(m, n));    \
    }
GENERAL(S, float)
GENERAL(D, double)
GENERAL(C, cuComplex)
GENERAL(Z, cuDoubleComplex)

/* --- symmetric and Hermitian matrices -----------------------------------------------------------
 */

#define FULL(n, a, lda)    (&(struct blas_half){HALF_FULL, uplo, n, 0, lda, a})
#define BAND(n, k, a, lda) (&(struct blas_half){HALF_BAND, uplo, n, k, lda, a})
#define PACKED(n, a)       (&(struct blas_half){HALF_PACKED, uplo, n, 0, 0, a})

static cublasStatus_t mirrored(cublasHandle_t handle, enum library_precision precision,
                               const struct blas_half *half, enum blas_mirror mirror,
                               const struct product *p)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_half_valid(half) && product_valid(p));
    if (!half->n)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_view a = blas_view(precision, half, mirror);
    return multiply(handle, precision, &a, false, p);
}

#define MIRRORED_FULL(R, T, name, mirror)                                                          \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,       \
                                        const T *alpha, const T *a, int lda, const T *x, int incx, \
                                        const T *beta, T *y, int incy)                             \
    {                                                                                              \
        return mirrored(handle, LIBRARY_##R, FULL(n, a, lda), mirror, PRODUCT(n, n));              \
    }
#define MIRRORED_OTHER(R, T, band, packed, mirror)                                                 \
    cublasStatus_t cublas##R##band##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,       \
                                        int k, const T *alpha, const T *a, int lda, const T *x,    \
                                        int incx, const T *beta, T *y, int incy)                   \
    {                                                                                              \
        return mirrored(handle, LIBRARY_##R, BAND(n, k, a, lda), mirror, PRODUCT(n, n));           \
    }                                                                                              \
    cublasStatus_t cublas##R##packed##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,     \
                                          const T *alpha, const T *a, const T *x, int incx,        \
                                          const T *beta, T *y, int incy)                           \
    {                                                                                              \
        return mirrored(handle, LIBRARY_##R, PACKED(n, a), mirror, PRODUCT(n, n));                 \
    }
MIRRORED_FULL(S, float, symv, MIRROR_SYMMETRIC)
MIRRORED_FULL(D, double, symv, MIRROR_SYMMETRIC)
MIRRORED_FULL(C, cuComplex, symv, MIRROR_SYMMETRIC)
MIRRORED_FULL(Z, cuDoubleComplex, symv, MIRROR_SYMMETRIC)
MIRRORED_FULL(C, cuComplex, hemv, MIRROR_HERMITIAN)
MIRRORED_FULL(Z, cuDoubleComplex, hemv, MIRROR_HERMITIAN)
MIRRORED_OTHER(S, float, sbmv, spmv, MIRROR_SYMMETRIC)
MIRRORED_OTHER(D, double, sbmv, spmv, MIRROR_SYMMETRIC)
MIRRORED_OTHER(C, cuComplex, hbmv, hpmv, MIRROR_HERMITIAN)
MIRRORED_OTHER(Z, cuDoubleComplex, hbmv, hpmv, MIRROR_HERMITIAN)

/* --- outer products -----------------------------------------------------------------------------
 */

/* a += alpha x op(y), and `twice` the same with x and y exchanged. */
struct outer {
    int m, n;
    const void *alpha, *x, *y;
    int incx, incy;
    int form; /* of alpha */
    int twice;
};

static void add_factors(struct library_call *call, const struct outer *o,
                        const struct blas_factor *alpha)
{
    library_add(call, &o->n);
    library_add(call, alpha);
    library_add(call, &o->x);
    library_add(call, &o->incx);
    library_add(call, &o->y);
    library_add(call, &o->incy);
}

static cublasStatus_t launch_outer(struct library_call *call, const char *kernel,
                                   const struct outer *o)
{
    return blas_launch(
        call, kernel,
        (dim3){library_blocks(o->m, RANK_THREADS, ~0u), library_blocks(o->n, 1, RANK_COLUMNS), 1},
        (dim3){RANK_THREADS, 1, 1});
}

static cublasStatus_t ger(cublasHandle_t handle, enum library_precision precision,
                          const struct outer *o, int conjugated, void *a, int lda)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(o->m >= 0 && o->n >= 0 && o->incx && o->incy && blas_fits(lda, o->m) && o->alpha);
    if (!o->m || !o->n)
        return CUBLAS_STATUS_SUCCESS;
    struct library_call call = blas_call(handle, precision);
    struct blas_factor alpha = blas_factor(handle, precision, o->alpha, o->form);
    library_add(&call, &o->m);
    add_factors(&call, o, &alpha);
    library_add(&call, &conjugated);
    library_add(&call, &a);
    library_add(&call, &lda);
    return launch_outer(&call, "ger", o);
}

static cublasStatus_t half_outer(cublasHandle_t handle, enum library_precision precision,
                                 const struct outer *o, const struct blas_half *half,
                                 enum blas_mirror mirror)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_half_valid(half) && o->incx && o->incy && o->alpha);
    if (!half->n)
        return CUBLAS_STATUS_SUCCESS;
    struct library_call call = blas_call(handle, precision);
    struct blas_factor alpha = blas_factor(handle, precision, o->alpha, o->form);
    struct blas_view to = blas_view(precision, half, mirror);
    add_factors(&call, o, &alpha);
    library_add(&call, &o->twice);
    library_add(&call, &to);
    return launch_outer(&call, "rank", o);
}

#define GER(R, T, name, conjugated)                                                                \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int m, int n, const T *alpha,       \
                                        const T *x, int incx, const T *y, int incy, T *a, int lda) \
    {                                                                                              \
        struct outer o = {m, n, alpha, x, y, incx, incy, 0, false};                                \
        return ger(handle, LIBRARY_##R, &o, conjugated, a, lda);                                   \
    }
GER(S, float, ger, false)
GER(D, double, ger, false)
GER(C, cuComplex, geru, false)
GER(Z, cuDoubleComplex, geru, false)
GER(C, cuComplex, gerc, true)
GER(Z, cuDoubleComplex, gerc, true)

#define SQUARE(form) (&(struct outer){n, n, alpha, x, x, incx, incx, form, false})
#define BOTH         (&(struct outer){n, n, alpha, x, y, incx, incy, 0, true})
#define OUTER_FULL(R, T, A, name, form, mirror)                                                    \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,       \
                                        const A *alpha, const T *x, int incx, T *a, int lda)       \
    {                                                                                              \
        return half_outer(handle, LIBRARY_##R, SQUARE(form), FULL(n, a, lda), mirror);             \
    }                                                                                              \
    cublasStatus_t cublas##R##name##2_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,      \
                                         const T *alpha, const T *x, int incx, const T *y,         \
                                         int incy, T *a, int lda)                                  \
    {                                                                                              \
        return half_outer(handle, LIBRARY_##R, BOTH, FULL(n, a, lda), mirror);                     \
    }
#define OUTER_PACKED(R, T, A, name, form, mirror)                                                  \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,       \
                                        const A *alpha, const T *x, int incx, T *a)                \
    {                                                                                              \
        return half_outer(handle, LIBRARY_##R, SQUARE(form), PACKED(n, a), mirror);                \
    }                                                                                              \
    cublasStatus_t cublas##R##name##2_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,      \
                                         const T *alpha, const T *x, int incx, const T *y,         \
                                         int incy, T *a)                                           \
    {                                                                                              \
        return half_outer(handle, LIBRARY_##R, BOTH, PACKED(n, a), mirror);                        \
    }
OUTER_FULL(S, float, float, syr, 0, MIRROR_SYMMETRIC)
OUTER_FULL(D, double, double, syr, 0, MIRROR_SYMMETRIC)
OUTER_FULL(C, cuComplex, cuComplex, syr, 0, MIRROR_SYMMETRIC)
OUTER_FULL(Z, cuDoubleComplex, cuDoubleComplex, syr, 0, MIRROR_SYMMETRIC)
OUTER_FULL(C, cuComplex, float, her, FACTOR_REAL, MIRROR_HERMITIAN)
OUTER_FULL(Z, cuDoubleComplex, double, her, FACTOR_REAL, MIRROR_HERMITIAN)
OUTER_PACKED(S, float, float, spr, 0, MIRROR_SYMMETRIC)
OUTER_PACKED(D, double, double, spr, 0, MIRROR_SYMMETRIC)
OUTER_PACKED(C, cuComplex, float, hpr, FACTOR_REAL, MIRROR_HERMITIAN)
OUTER_PACKED(Z, cuDoubleComplex, double, hpr, FACTOR_REAL, MIRROR_HERMITIAN)

/* --- triangles ----------------------------------------------------------------------------------
 */

cublasStatus_t blas_triangle(cublasHandle_t handle, enum library_precision precision,
                             const struct blas_triangle *t)
{
    struct library_call call = blas_call(handle, precision);
    int solve = t->solve;
    library_add(&call, &t->n);
    library_add(&call, &t->a);
    library_add(&call, &solve);
    library_add(&call, &t->alpha);
    library_add(&call, &t->b);
    library_add(&call, &t->list);
    library_add(&call, &t->next);
    library_add(&call, &t->step);
    return blas_launch(&call, "triangle", (dim3){(unsigned int)t->count, (unsigned int)t->batch, 1},
                       (dim3){SOLVE_THREADS, 1, 1});
}

/* What a call says of a triangle beside its place. */
struct operation {
    cublasOperation_t trans;
    cublasDiagType_t diag;
    bool solve;
};

static cublasStatus_t triangle(cublasHandle_t handle, enum library_precision precision,
                               const struct blas_half *half, const struct operation *o, void *x,
                               int incx)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_half_valid(half) && blas_is_trans(o->trans) && blas_is_diag(o->diag) && incx);
    if (!half->n)
        return CUBLAS_STATUS_SUCCESS;
    long long first = incx < 0 ? (long long)(1 - half->n) * incx : 0;
    struct blas_triangle t = {.a = blas_view(precision, half, MIRROR_NONE),
                              .solve = o->solve,
                              .n = half->n,
                              .alpha = blas_one(precision),
                              .b = (char *)x + first * (long long)blas_bytes(precision),
                              .count = 1,
                              .batch = 1,
                              .step = incx};
    t.a.unit = o->diag == CUBLAS_DIAG_UNIT;
    blas_turn(&t.a, o->trans);
    return blas_triangle(handle, precision, &t);
}

#define TRIANGLE(R, T, mark, solve)                                                                \
    cublasStatus_t cublas##R##tr##mark##_v2(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            const T *a, int lda, T *x, int incx)                   \
    {                                                                                              \
        struct operation o = {trans, diag, solve};                                                 \
        return triangle(handle, LIBRARY_##R, FULL(n, a, lda), &o, x, incx);                        \
    }                                                                                              \
    cublasStatus_t cublas##R##tb##mark##_v2(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            int k, const T *a, int lda, T *x, int incx)            \
    {                                                                                              \
        struct operation o = {trans, diag, solve};                                                 \
        return triangle(handle, LIBRARY_##R, BAND(n, k, a, lda), &o, x, incx);                     \
    }                                                                                              \
    cublasStatus_t cublas##R##tp##mark##_v2(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            const T *a, T *x, int incx)                            \
    {                                                                                              \
        struct operation o = {trans, diag, solve};                                                 \
        return triangle(handle, LIBRARY_##R, PACKED(n, a), &o, x, incx);                           \
    }
#define TRIANGLES(R, T) TRIANGLE(R, T, mv, false) TRIANGLE(R, T, sv, true)
TRIANGLES(S, float)
TRIANGLES(D, double)
TRIANGLES(C, cuComplex)
TRIANGLES(Z, cuDoubleComplex)
