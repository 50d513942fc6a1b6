/* cuBLAS's calls by precision: all factors are 1 or -1. */
#include "sw/cuda/solver/solver.h"

static const union {
    float single;
    cuComplex pair;
} one32 = {.pair = {1, 0}}, less32 = {.pair = {-1, 0}};
static const union {
    double single;
    cuDoubleComplex pair;
} one64 = {.pair = {1, 0}}, less64 = {.pair = {-1, 0}};

/* call(letter, type, the names of its products of rank k, factors 1 and -1, their real parts). */
#define BY_PRECISION(d, call)                                                                      \
    switch ((d)->precision) {                                                                      \
    case LIBRARY_S:                                                                                \
        return ended(call(S, float, Ssyrk_v2, &one32.single, &less32.single, single));             \
    case LIBRARY_D:                                                                                \
        return ended(call(D, double, Dsyrk_v2, &one64.single, &less64.single, single));            \
    case LIBRARY_C:                                                                                \
        return ended(call(C, cuComplex, Cherk_v2, &one32.pair, &less32.pair, pair));               \
    default:                                                                                       \
        return ended(call(Z, cuDoubleComplex, Zherk_v2, &one64.pair, &less64.pair, pair));         \
    }

static cusolverStatus_t ended(cublasStatus_t status)
{
    return status ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

/* syrk has no CUBLAS_OP_C. */
static cublasOperation_t adjoint_if(const struct dense *d, bool adjoint)
{
    return !adjoint ? CUBLAS_OP_N : blas_is_complex(d->precision) ? CUBLAS_OP_C : CUBLAS_OP_T;
}

cusolverStatus_t solver_triangle(const struct dense *d, const struct solver_triangle *t){
#define CALL(R, T, rank, one, less, part)                                                          \
    cublas##R##trsm_v2(d->handle->blas, t->side, t->uplo, t->trans, t->diag, t->m, t->n, one,      \
                       (const T *)t->a.data, t->a.ld, (T *)t->b.data, t->b.ld)
    BY_PRECISION(d, CALL)
#undef CALL
}

cusolverStatus_t solver_triangle_times(const struct dense *d, const struct solver_triangle *t){
#define CALL(R, T, rank, one, less, part)                                                          \
    cublas##R##trmm_v2(d->handle->blas, t->side, t->uplo, t->trans, t->diag, t->m, t->n, one,      \
                       (const T *)t->a.data, t->a.ld, (const T *)t->b.data, t->b.ld,               \
                       (T *)t->b.data, t->b.ld)
    BY_PRECISION(d, CALL)
#undef CALL
}

cusolverStatus_t
    solver_triangles(const struct dense *d, const struct solver_triangle *t, int batch){
#define CALL(R, T, rank, one, less, part)                                                          \
    cublas##R##trsmBatched(d->handle->blas, t->side, t->uplo, t->trans, t->diag, t->m, t->n, one,  \
                           (const T *const *)t->a.data, t->a.ld, (T *const *)t->b.data, t->b.ld,   \
                           batch)
        BY_PRECISION(d, CALL)
#undef CALL
    }

cusolverStatus_t solver_product(const struct dense *d, const struct solver_product *p)
{
    cublasOperation_t trans = adjoint_if(d, p->adjoint);
#define CALL(R, T, rank, one, less, part)                                                          \
    cublas##R##gemm_v2(d->handle->blas, trans, CUBLAS_OP_N, p->m, p->n, p->k, less,                \
                       (const T *)p->a.data, p->a.ld, (const T *)p->b.data, p->b.ld, one,          \
                       (T *)p->c.data, p->c.ld)
    BY_PRECISION(d, CALL)
#undef CALL
}

cusolverStatus_t solver_rank(const struct dense *d, const struct solver_rank *r)
{
    cublasOperation_t trans = adjoint_if(d, r->adjoint);
#define CALL(R, T, rank, one, less, part)                                                          \
    cublas##rank(d->handle->blas, r->uplo, trans, r->n, r->k, (const void *)less,                  \
                 (const T *)r->a.data, r->a.ld, (const void *)one, (T *)r->c.data, r->c.ld)
    BY_PRECISION(d, CALL)
#undef CALL
}
