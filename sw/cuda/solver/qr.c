/* A = Q R by reflections, products by Q, and Q itself. */
#include "sw/cuda/solver/solver.h"

/* The kernels' struct lines. */
struct lines {
    void *c;
    long long step, next;
    int length, count, rows;
};

cusolverStatus_t solver_apply_q(const struct dense *d, const struct solver_q *q)
{
    struct library_call call = solver_call(d);
    struct lines l = {q->c.data,
                      q->rows ? q->c.ld : 1,
                      q->rows ? 1 : q->c.ld,
                      q->rows ? q->n : q->m,
                      q->rows ? q->m : q->n,
                      q->rows};
    int k = q->k, adjoint = q->adjoint, backward = q->rows == q->adjoint;
    if (!k || !l.count)
        return CUSOLVER_STATUS_SUCCESS;
    library_add(&call, &l);
    library_add(&call, &k);
    library_add(&call, &q->a.data);
    library_add(&call, &q->a.ld);
    library_add(&call, &q->tau);
    library_add(&call, &backward);
    library_add(&call, &adjoint);
    return solver_launch(&call, "apply_q", library_blocks(l.count, LU_THREADS / 32, ~0u),
                         LU_THREADS);
}

cusolverStatus_t solver_panel_qr(const struct dense *d, int m, int n, struct solver_matrix a,
                                 void *tau)
{
    struct library_call call = solver_call(d);
    library_add(&call, &m);
    library_add(&call, &n);
    library_add(&call, &a.data);
    library_add(&call, &a.ld);
    library_add(&call, &tau);
    return solver_launch(&call, "geqr2", 1, LU_THREADS);
}

cusolverStatus_t solver_factor_qr(const struct dense *d, int m, int n, struct solver_matrix a,
                                  void *tau)
{
    int least = m < n ? m : n;
    for (int k = 0; k < least; k += PANEL) {
        int size = least - k < PANEL ? least - k : PANEL, rows = m - k;
        struct solver_matrix on = solver_at(d, a, k, k);
        void *factors = solver_behind(d, tau, (size_t)k);
        SOLVER_TRY(solver_panel_qr(d, rows, size, on, factors));
        struct solver_q q = {.adjoint = true,
                             .m = rows,
                             .n = n - k - size,
                             .k = size,
                             .a = on,
                             .c = solver_at(d, a, k, k + size),
                             .tau = factors};
        SOLVER_TRY(solver_apply_q(d, &q));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t geqrf(const struct dense *d, int m, int n, struct solver_matrix a,
                              void *tau, int *info)
{
    SOLVER_HANDLE(d->handle);
    SOLVER_VALID(m >= 0 && n >= 0 && blas_fits(a.ld, m) && info);
    SOLVER_TRY(solver_clear(d, info, 1));
    return solver_factor_qr(d, m, n, a, tau);
}

static bool q_valid(const struct dense *d, cublasSideMode_t side, cublasOperation_t trans,
                    const struct solver_q *q)
{
    int length = q->rows ? q->n : q->m;
    bool complex = blas_is_complex(d->precision);
    return blas_is_side(side) &&
           (trans == CUBLAS_OP_N || trans == CUBLAS_OP_C || (trans == CUBLAS_OP_T && !complex)) &&
           q->m >= 0 && q->n >= 0 && q->k >= 0 && q->k <= length && blas_fits(q->a.ld, length) &&
           blas_fits(q->c.ld, q->m);
}

/* The reflections move to the workspace, where Q does not overwrite them. */
static cusolverStatus_t orgqr(const struct dense *d, const struct solver_q *q, void *work)
{
    struct solver_q of = *q;
    const int size[2] = {q->m, q->k};
    if (!q->n)
        return CUSOLVER_STATUS_SUCCESS;
    of.a = (struct solver_matrix){work, q->m};
    if (q->k)
        SOLVER_TRY(solver_copy(d, size, FILL_FULL, q->a, of.a));
    SOLVER_TRY(solver_identity(d, q->m, q->n, q->c));
    return solver_apply_q(d, &of);
}

#define QR(R, T, mqr, gqr)                                                                         \
    cusolverStatus_t cusolverDn##R##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *a, int lda, int *lwork)                    \
    {                                                                                              \
        (void)a;                                                                                   \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(m >= 0 && n >= 0 && blas_fits(lda, m) && lwork);                              \
        *lwork = 1; /* none is needed */                                                           \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *tau, T *work, int lwork, int *info)                   \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        (void)work, (void)lwork;                                                                   \
        return geqrf(&d, m, n, (struct solver_matrix){a, lda}, tau, info);                         \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##mqr##_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *a, int lda, const T *tau, const T *c, int ldc, int *lwork)                 \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_q q = {.rows = side == CUBLAS_SIDE_RIGHT,                                    \
                             .m = m,                                                               \
                             .n = n,                                                               \
                             .k = k,                                                               \
                             .a = {(void *)a, lda},                                                \
                             .c = {(void *)c, ldc},                                                \
                             .tau = tau};                                                          \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(q_valid(&d, side, trans, &q) && lwork);                                       \
        *lwork = 1;                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##mqr(                                                           \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *a, int lda, const T *tau, T *c, int ldc, T *work, int lwork, int *info)    \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_q q = {.rows = side == CUBLAS_SIDE_RIGHT,                                    \
                             .adjoint = trans != CUBLAS_OP_N,                                      \
                             .m = m,                                                               \
                             .n = n,                                                               \
                             .k = k,                                                               \
                             .a = {(void *)a, lda},                                                \
                             .c = {c, ldc},                                                        \
                             .tau = tau};                                                          \
        (void)work, (void)lwork;                                                                   \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(q_valid(&d, side, trans, &q) && info);                                        \
        SOLVER_TRY(solver_clear(&d, info, 1));                                                     \
        return solver_apply_q(&d, &q);                                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gqr##_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int k, const T *a, int lda, const T *tau,     \
                                                     int *lwork)                                   \
    {                                                                                              \
        (void)a, (void)tau;                                                                        \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(k >= 0 && n >= k && m >= n && blas_fits(lda, m) && lwork);                    \
        *lwork = m * k + 1;                                                                        \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gqr(cusolverDnHandle_t handle, int m, int n, int k, T *a,      \
                                        int lda, const T *tau, T *work, int lwork, int *info)      \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_q q = {.m = m, .n = n, .k = k, .a = {a, lda}, .c = {a, lda}, .tau = tau};    \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(k >= 0 && n >= k && m >= n && blas_fits(lda, m) && lwork >= m * k && info);   \
        SOLVER_TRY(solver_clear(&d, info, 1));                                                     \
        return orgqr(&d, &q, work);                                                                \
    }
QR(S, float, ormqr, orgqr)
QR(D, double, ormqr, orgqr)
QR(C, cuComplex, unmqr, ungqr)
QR(Z, cuDoubleComplex, unmqr, ungqr)
