/* A = U S V* with V itself, of matrices that may be wider than high: of one matrix, of a batch, and
 * the largest values of a batch (gesvda), one matrix after the other. */
#include "sw/cuda/solver/solver.h"

struct triplets {
    bool vectors, thin;
    int m, n, rank; /* rank: as many columns of u and v; 0: all */
    struct solver_matrix a, u, v;
    void *values;
    int *info;
    void *work;
    const struct solver_limits *limits;
};

static size_t numbers(int m, int n)
{
    size_t high = (size_t)(m > n ? m : n), wide = (size_t)(m > n ? n : m);
    /* Those of the tall matrix, V*, U, V, A and its adjoint, and the values. */
    return solver_svd_numbers((int)high, (int)wide) + 2 * wide * wide + 3 * high * wide + wide;
}

/* The tall matrix, or the adjoint of the wide one, takes gesvd's way; what comes as an adjoint is
 * turned around: V, or U of a wide one. */
static cusolverStatus_t decompose(const struct dense *d, const struct triplets *t)
{
    bool tall = t->m >= t->n;
    int high = tall ? t->m : t->n, wide = tall ? t->n : t->m;
    size_t at = solver_svd_numbers(high, wide);
    struct solver_matrix vt = {solver_behind(d, t->work, at), wide},
                         turned = {solver_behind(d, vt.data, (size_t)wide * (size_t)wide), high};
    struct solver_svd s = {.jobu = t->vectors ? (t->thin ? 'S' : 'A') : 'N',
                           .jobvt = t->vectors ? 'S' : 'N',
                           .m = high,
                           .n = wide,
                           .a = tall ? t->a : turned,
                           .u = tall ? t->u : t->v,
                           .vt = vt,
                           .values = t->values,
                           .info = t->info,
                           .work = t->work,
                           .limits = t->limits};
    if (!tall && wide)
        SOLVER_TRY(solver_adjoint(d, t->m, t->n, t->a, turned));
    SOLVER_TRY(solver_singular(d, &s));
    if (t->vectors && wide)
        SOLVER_TRY(solver_adjoint(d, wide, wide, vt, tall ? t->v : t->u));
    return solver_settle(d, wide, NULL, wide + 1, t->info);
}

static bool valid(const struct triplets *t)
{
    int wide = t->m > t->n ? t->n : t->m;
    return t->m >= 0 && t->n >= 0 && blas_fits(t->a.ld, t->m) && t->rank >= 0 && t->rank <= wide &&
           (!t->vectors || (blas_fits(t->u.ld, t->m) && blas_fits(t->v.ld, t->n))) &&
           numbers(t->m, t->n) <= INT32_MAX;
}

static bool is_job(cusolverEigMode_t job)
{
    return job == CUSOLVER_EIG_MODE_VECTOR || job == CUSOLVER_EIG_MODE_NOVECTOR;
}

static cusolverStatus_t size_of(cusolverDnHandle_t handle, cusolverEigMode_t job,
                                const struct triplets *t, int batch, int *lwork)
{
    return solver_tell_size(handle, is_job(job) && valid(t) && batch >= 0, numbers(t->m, t->n),
                            lwork);
}

/* Matrices and values lie one behind the other. */
static cusolverStatus_t rotate(const struct dense *d, const struct triplets *t,
                               struct gesvdjInfo *info, int batch)
{
    struct triplets each = *t;
    struct solver_limits limits;
    size_t wide = (size_t)(t->m > t->n ? t->n : t->m), m = (size_t)t->m, n = (size_t)t->n;
    SOLVER_VALID(info);
    SOLVER_TRY(solver_limits_of(&info->rotations, batch != 1, &limits));
    each.limits = &limits;
    for (int i = 0; i < batch; i++) {
        SOLVER_TRY(decompose(d, &each));
        each.a.data = solver_behind(d, each.a.data, (size_t)t->a.ld * n);
        if (t->vectors) {
            each.u.data = solver_behind(d, each.u.data, (size_t)t->u.ld * m);
            each.v.data = solver_behind(d, each.v.data, (size_t)t->v.ld * n);
        }
        each.values = (char *)each.values + wide * solver_real_bytes(d);
        each.info++;
    }
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- the largest values ----------------------------------------------------------------------- */

struct strides {
    long long a, s, u, v;
};

/* The kernels' struct triplets. */
struct kernel_triplets {
    const void *u, *v, *s;
    int ld_u, ld_v, columns;
};

/* The length of what A has beside its triplets; `parts`: of n numbers. */
static cusolverStatus_t misfit(const struct dense *d, const struct triplets *t, void *parts,
                               double *norm)
{
    struct kernel_triplets k = {t->u.data, t->v.data, t->values, t->u.ld, t->v.ld, t->rank};
    double *sum = t->work, *const to = sum;
    struct library_call call = solver_call(d);
    library_add(&call, &t->m);
    library_add(&call, &t->n);
    library_add(&call, &t->a.data);
    library_add(&call, &t->a.ld);
    library_add(&call, &k);
    library_add(&call, &parts);
    SOLVER_TRY(
        solver_launch(&call, "misfits", library_blocks(t->n, LU_THREADS / 32, ~0u), LU_THREADS));
    call = solver_call(d);
    library_add(&call, &t->n);
    library_add(&call, &parts);
    library_add(&call, &to);
    SOLVER_TRY(solver_launch(&call, "residual", 1, 32));
    return cudaMemcpyAsync(norm, sum, sizeof *norm, cudaMemcpyDeviceToHost, d->handle->stream) ||
                   cudaStreamSynchronize(d->handle->stream)
               ? CUSOLVER_STATUS_EXECUTION_FAILED
               : CUSOLVER_STATUS_SUCCESS;
}

/* All triplets of a copy of A, then the first ones; all of U, V and S lie behind decompose's room.
 */
static cusolverStatus_t largest(const struct dense *d, const struct triplets *t, double *norm)
{
    size_t high = (size_t)(t->m > t->n ? t->m : t->n), wide = (size_t)(t->m > t->n ? t->n : t->m);
    size_t at = solver_svd_numbers((int)high, (int)wide) + wide * wide + high * wide;
    const int whole[2] = {t->m, t->n}, u_size[2] = {t->m, t->rank}, v_size[2] = {t->n, t->rank};
    struct triplets all = *t;
    all.u = (struct solver_matrix){solver_behind(d, t->work, at), t->m};
    all.v = (struct solver_matrix){solver_behind(d, all.u.data, (size_t)t->m * wide), t->n};
    all.a = (struct solver_matrix){solver_behind(d, all.v.data, (size_t)t->n * wide), t->m};
    all.values = solver_behind(d, all.a.data, high * wide);
    SOLVER_TRY(solver_copy(d, whole, FILL_FULL, t->a, all.a));
    SOLVER_TRY(decompose(d, &all));
    SOLVER_CHECK(!cudaMemcpyAsync(t->values, all.values, (size_t)t->rank * solver_real_bytes(d),
                                  cudaMemcpyDeviceToDevice, d->handle->stream),
                 CUSOLVER_STATUS_EXECUTION_FAILED);
    if (!t->vectors)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(solver_copy(d, u_size, FILL_FULL, all.u, t->u));
    SOLVER_TRY(solver_copy(d, v_size, FILL_FULL, all.v, t->v));
    return norm ? misfit(d, t, all.a.data, norm) : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t largest_batch(const struct dense *d, const struct triplets *t,
                                      const struct strides *step, double *norms, int batch)
{
    struct triplets each = *t;
    for (int i = 0; i < batch && t->rank; i++) {
        SOLVER_TRY(largest(d, &each, norms ? norms + i : NULL));
        each.a.data = solver_behind(d, each.a.data, (size_t)step->a);
        if (t->vectors) {
            each.u.data = solver_behind(d, each.u.data, (size_t)step->u);
            each.v.data = solver_behind(d, each.v.data, (size_t)step->v);
        }
        each.values = (char *)each.values + (size_t)step->s * solver_real_bytes(d);
        each.info++;
    }
    return CUSOLVER_STATUS_SUCCESS;
}

#define TRIPLETS(rank, thin)                                                                       \
    {                                                                                              \
        job == CUSOLVER_EIG_MODE_VECTOR, thin, m, n, rank, {(void *)(uintptr_t)a, lda},            \
            {(void *)(uintptr_t)u, ldu}, {(void *)(uintptr_t)v, ldv}, (void *)(uintptr_t)values,   \
            NULL, NULL, NULL                                                                       \
    }
#define HAS_ROOM (info && lwork >= 0 && (size_t)lwork >= numbers(m, n))

#define GESVDJ(R, T, V)                                                                            \
    cusolverStatus_t cusolverDn##R##gesvdj_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int econ, int m, int n, const T *a,      \
        int lda, const V *values, const T *u, int ldu, const T *v, int ldv, int *lwork,            \
        gesvdjInfo_t params)                                                                       \
    {                                                                                              \
        struct triplets t = TRIPLETS(0, econ != 0);                                                \
        (void)params;                                                                              \
        return size_of(handle, job, &t, 1, lwork);                                                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t job,       \
                                           int econ, int m, int n, T *a, int lda, V *values, T *u, \
                                           int ldu, T *v, int ldv, T *work, int lwork, int *info,  \
                                           gesvdjInfo_t params)                                    \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct triplets t = TRIPLETS(0, econ != 0);                                                \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(is_job(job) && valid(&t) && HAS_ROOM);                                        \
        t.work = work;                                                                             \
        t.info = info;                                                                             \
        return rotate(&d, &t, params, 1);                                                          \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gesvdjBatched_bufferSize(                                      \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int m, int n, const T *a, int lda,       \
        const V *values, const T *u, int ldu, const T *v, int ldv, int *lwork,                     \
        gesvdjInfo_t params, int batch)                                                            \
    {                                                                                              \
        struct triplets t = TRIPLETS(0, false);                                                    \
        (void)params;                                                                              \
        return size_of(handle, job, &t, batch, lwork);                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gesvdjBatched(                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int m, int n, T *a, int lda, V *values,  \
        T *u, int ldu, T *v, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params,          \
        int batch)                                                                                 \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct triplets t = TRIPLETS(0, false);                                                    \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(is_job(job) && valid(&t) && batch >= 0 && HAS_ROOM);                          \
        t.work = work;                                                                             \
        t.info = info;                                                                             \
        return rotate(&d, &t, params, batch);                                                      \
    }

#define GESVDA(R, T, V)                                                                            \
    cusolverStatus_t cusolverDn##R##gesvdaStridedBatched_bufferSize(                               \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int rank, int m, int n, const T *a,      \
        int lda, long long stride_a, const V *values, long long stride_s, const T *u, int ldu,     \
        long long stride_u, const T *v, int ldv, long long stride_v, int *lwork, int batch)        \
    {                                                                                              \
        struct triplets t = TRIPLETS(rank, true);                                                  \
        (void)stride_a, (void)stride_s, (void)stride_u, (void)stride_v;                            \
        return size_of(handle, job, &t, batch, lwork);                                             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##gesvdaStridedBatched(                                          \
        cusolverDnHandle_t handle, cusolverEigMode_t job, int rank, int m, int n, const T *a,      \
        int lda, long long stride_a, V *values, long long stride_s, T *u, int ldu,                 \
        long long stride_u, T *v, int ldv, long long stride_v, T *work, int lwork, int *info,      \
        double *norms, int batch)                                                                  \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct strides step = {stride_a, stride_s, stride_u, stride_v};                            \
        struct triplets t = TRIPLETS(rank, true);                                                  \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(is_job(job) && valid(&t) && batch >= 0 && HAS_ROOM);                          \
        t.work = work;                                                                             \
        t.info = info;                                                                             \
        return largest_batch(&d, &t, &step, norms, batch);                                         \
    }
GESVDJ(S, float, float)
GESVDJ(D, double, double)
GESVDJ(C, cuComplex, float)
GESVDJ(Z, cuDoubleComplex, double)
GESVDA(S, float, float)
GESVDA(D, double, double)
GESVDA(C, cuComplex, float)
GESVDA(Z, cuDoubleComplex, double)
