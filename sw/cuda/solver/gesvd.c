/* A = U S V*: A = Q1 R; rotations V of R's columns leave lengths, the singular values; in their
 * order, the columns are Q2 times a diagonal, also where some are 0. U = Q1 Q2. */
#include "sw/cuda/solver/solver.h"

/* What the workspace holds, in this order. */
struct parts {
    struct solver_matrix turned, v, ordered, other; /* n x n */
    struct solver_matrix copy;                      /* m x n: the reflections of Q1 */
    void *tau1, *tau2, *keys;                       /* n */
};

size_t solver_svd_numbers(int m, int n)
{
    return 4 * (size_t)n * (size_t)n + (size_t)m * (size_t)n + 3 * (size_t)n + 1;
}

static struct parts parts_of(const struct dense *d, const struct solver_svd *s)
{
    struct parts p;
    struct solver_matrix *const squares[] = {&p.turned, &p.v, &p.ordered, &p.other};
    void **const vectors[] = {&p.tau1, &p.tau2, &p.keys};
    size_t n = (size_t)s->n, at = 0;
    for (int i = 0; i < 4; i++, at += n * n)
        *squares[i] = (struct solver_matrix){solver_behind(d, s->work, at), s->n};
    p.copy = (struct solver_matrix){solver_behind(d, s->work, at), s->m};
    at += n * (size_t)s->m;
    for (int i = 0; i < 3; i++, at += n)
        *vectors[i] = solver_behind(d, s->work, at);
    return p;
}

/* The columns of w in the order of their lengths, and those of v with them. */
static cusolverStatus_t order(const struct dense *d, const struct solver_svd *s,
                              const struct parts *p, bool wants_v)
{
    struct solver_columns c = {p->turned.data, NULL, s->n, s->n, NULL};
    SOLVER_TRY(solver_lengths(d, &c, NULL, p->keys));
    struct solver_order o = {.m = s->n,
                             .n = s->n,
                             .up = s->limits && s->limits->unsorted ? -1 : 0,
                             .key = p->keys,
                             .from = p->turned.data,
                             .sorted = s->values,
                             .to = p->ordered};
    SOLVER_TRY(solver_arrange(d, &o));
    if (!wants_v)
        return CUSOLVER_STATUS_SUCCESS;
    o.from = p->v.data;
    o.sorted = NULL;
    o.to = p->other;
    return solver_arrange(d, &o);
}

/* `columns` columns of U: those of the identity by Q2, then by Q1. */
static cusolverStatus_t make_u(const struct dense *d, const struct solver_svd *s,
                               const struct parts *p, int columns, struct solver_matrix u)
{
    SOLVER_TRY(solver_identity(d, s->m, columns, u));
    struct solver_q q = {.m = s->n, .n = s->n, .k = s->n, .a = p->ordered, .c = u, .tau = p->tau2};
    SOLVER_TRY(solver_apply_q(d, &q));
    q = (struct solver_q){.m = s->m, .n = columns, .k = s->n, .a = p->copy, .c = u, .tau = p->tau1};
    return solver_apply_q(d, &q);
}

static cusolverStatus_t make_vt(const struct dense *d, const struct solver_svd *s,
                                const struct parts *p, struct solver_matrix vt)
{
    struct library_call call = solver_call(d);
    library_add(&call, &s->n);
    library_add(&call, &p->other.data);
    library_add(&call, &p->ordered.data);
    library_add(&call, &vt.data);
    library_add(&call, &vt.ld);
    return solver_launch(&call, "adjoint",
                         library_blocks((long long)s->n * s->n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

cusolverStatus_t solver_singular(const struct dense *d, const struct solver_svd *s)
{
    const int whole[2] = {s->m, s->n}, square[2] = {s->n, s->n};
    struct parts p = parts_of(d, s);
    bool wants_u = s->jobu != 'N', wants_v = s->jobvt != 'N';
    SOLVER_TRY(solver_clear(d, s->info, 1));
    if (!s->n)
        return s->jobu == 'A' && s->m ? solver_identity(d, s->m, s->m, s->u)
                                      : CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(solver_copy(d, whole, FILL_FULL, s->a, p.copy));
    SOLVER_TRY(solver_factor_qr(d, s->m, s->n, p.copy, p.tau1));
    SOLVER_TRY(solver_copy(d, square, FILL_UPPER, p.copy, p.turned));
    if (wants_v)
        SOLVER_TRY(solver_identity(d, s->n, s->n, p.v));
    struct solver_columns c = {p.turned.data, wants_v ? p.v.data : NULL, s->n, s->n, s->limits};
    SOLVER_TRY(solver_orthogonal(d, &c, s->info));
    SOLVER_TRY(solver_residual(d, &c, p.keys));
    SOLVER_TRY(order(d, s, &p, wants_v));
    if (wants_u || wants_v)
        SOLVER_TRY(solver_factor_qr(d, s->n, s->n, p.ordered, p.tau2));
    if (wants_u)
        SOLVER_TRY(make_u(d, s, &p, s->jobu == 'A' ? s->m : s->n, s->jobu == 'O' ? s->a : s->u));
    return wants_v ? make_vt(d, s, &p, s->jobvt == 'O' ? s->a : s->vt) : CUSOLVER_STATUS_SUCCESS;
}

static bool is_job(signed char job)
{
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

static bool valid(const struct solver_svd *s)
{
    bool u = s->jobu == 'A' || s->jobu == 'S', vt = s->jobvt == 'A' || s->jobvt == 'S';
    return is_job(s->jobu) && is_job(s->jobvt) && !(s->jobu == 'O' && s->jobvt == 'O') &&
           s->n >= 0 && s->m >= s->n && blas_fits(s->a.ld, s->m) &&
           (!u || blas_fits(s->u.ld, s->m)) && (!vt || blas_fits(s->vt.ld, s->n)) && s->info;
}

static cusolverStatus_t size_of(cusolverDnHandle_t handle, int m, int n, int *lwork)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(n >= 0 && m >= n && lwork && solver_svd_numbers(m, n) <= INT32_MAX);
    *lwork = (int)solver_svd_numbers(m, n);
    return CUSOLVER_STATUS_SUCCESS;
}

#define GESVD(R, T, V)                                                                             \
    cusolverStatus_t cusolverDn##R##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork)                                   \
    {                                                                                              \
        return size_of(handle, m, n, lwork);                                                       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gesvd(cusolverDnHandle_t handle, signed char jobu,             \
                                          signed char jobvt, int m, int n, T *a, int lda,          \
                                          V *values, T *u, int ldu, T *vt, int ldvt, T *work,      \
                                          int lwork, V *rwork, int *info)                          \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_svd s = {jobu,       jobvt,  m,    n,    {a, lda}, {u, ldu},                 \
                               {vt, ldvt}, values, info, work, NULL};                              \
        (void)rwork; /* of the superdiagonals of another algorithm */                              \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(valid(&s) && lwork >= 0 && (size_t)lwork >= solver_svd_numbers(m, n));        \
        return solver_singular(&d, &s);                                                            \
    }
GESVD(S, float, float)
GESVD(D, double, double)
GESVD(C, cuComplex, float)
GESVD(Z, cuDoubleComplex, double)
