/* The calls for single steps, and for batches: an info is a factor. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/include/cusolverSp_LOWLEVEL_PREVIEW.h"
#include "sw/cuda/solver/sparse.h"

/* What every info is. */
struct info {
    struct sp_steps steps;
    struct sp_rows setup; /* QR: the matrix to be factored */
};
struct csrluInfoHost {
    struct info is;
};
struct csrqrInfoHost {
    struct info is;
};
struct csrqrInfo {
    struct info is;
};
struct csrcholInfoHost {
    struct info is;
};
struct csrcholInfo {
    struct info is;
};

/* A matrix as the calls have it, square. */
struct given {
    int m, n, nnz;
    cusparseMatDescr_t descr;
    const int *offsets, *columns;
    const void *values;
};

struct batch_vectors {
    const void *b;
    void *x;
};

/* An info that a program hands in, if there is one. What was analysed goes on with this handle,
 * since the one of the analysis may be gone. */
static struct info *find(cusolverSpHandle_t handle, void *given)
{
    struct info *info = library_knows(given) ? given : NULL;
    if (info && info->steps.d.handle && library_knows(handle))
        info->steps.d.handle = info->steps.device.d.handle = handle->dense;
    return info;
}

static cusolverStatus_t rows_of(cusolverSpHandle_t handle, const struct given *g,
                                struct sp_rows *rows)
{
    *rows = (struct sp_rows){g->n, g->nnz, 0, g->offsets, g->columns, g->values};
    SOLVER_HANDLE(handle);
    SOLVER_VALID(g->descr && g->n > 0 && g->nnz >= 0 && g->offsets && (g->columns || !g->nnz));
    SOLVER_CHECK(g->m == g->n, CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_CHECK(sp_base(g->descr, &rows->base), CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t analyse(cusolverSpHandle_t handle, const struct given *g, struct info *info)
{
    struct sp_rows rows;
    SOLVER_TRY(rows_of(handle, g, &rows));
    SOLVER_VALID(info);
    info->setup = (struct sp_rows){.values = NULL};
    return sp_steps_analyse(&info->steps, handle, &rows);
}

static cusolverStatus_t buffers(cusolverSpHandle_t handle, enum library_precision precision,
                                struct info *info, size_t *internal, size_t *workspace)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(info && internal && workspace);
    *workspace = sizeof(double); /* programs refuse a buffer that is null */
    return sp_steps_prepare(&info->steps, precision, internal);
}

static cusolverStatus_t factor(cusolverSpHandle_t handle, enum library_precision precision,
                               const struct given *g, struct info *info)
{
    struct sp_rows rows;
    SOLVER_TRY(rows_of(handle, g, &rows));
    SOLVER_VALID(info && (g->values || !g->nnz));
    SOLVER_TRY(sp_steps_check(&info->steps, &rows));
    return sp_steps_factor(&info->steps, &rows, precision);
}

static cusolverStatus_t set_up(cusolverSpHandle_t handle, const struct given *g, double mu,
                               struct info *info)
{
    SOLVER_VALID(info && g->values);
    SOLVER_CHECK(mu == 0, CUSOLVER_STATUS_NOT_SUPPORTED);
    return rows_of(handle, g, &info->setup);
}

static cusolverStatus_t pivot(cusolverSpHandle_t handle, const struct info *info, double tolerance,
                              int *position)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(info && position);
    return sp_steps_pivot(&info->steps, tolerance, position);
}

static cusolverStatus_t solve(cusolverSpHandle_t handle, enum library_precision precision, int n,
                              const struct info *info, const void *b, void *x)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(info && b && x && n == info->steps.rows.n);
    return sp_steps_solve(&info->steps, precision, b, x);
}

static cusolverStatus_t factor_set_up(cusolverSpHandle_t handle, enum library_precision precision,
                                      struct info *info, const void *b, void *x)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(info && info->setup.values);
    SOLVER_TRY(sp_steps_check(&info->steps, &info->setup));
    SOLVER_TRY(sp_steps_factor(&info->steps, &info->setup, precision));
    return b && x ? sp_steps_solve(&info->steps, precision, b, x) : CUSOLVER_STATUS_SUCCESS;
}

/* Matrices of the info's pattern, with values, b and x one behind the other. */
static cusolverStatus_t solve_batch(cusolverSpHandle_t handle, enum library_precision precision,
                                    const struct given *g, struct info *info, int batch,
                                    const struct batch_vectors *of)
{
    size_t bytes = blas_bytes(precision), n = (size_t)g->n, nnz = (size_t)g->nnz;
    SOLVER_VALID(batch > 0 && of->b && of->x);
    for (size_t i = 0; i < (size_t)batch; i++) {
        struct given one = *g;
        one.values = g->values ? (const char *)g->values + i * nnz * bytes : NULL;
        SOLVER_TRY(factor(handle, precision, &one, info));
        SOLVER_TRY(solve(handle, precision, g->n, info, (const char *)of->b + i * n * bytes,
                         (char *)of->x + i * n * bytes));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- L and U as matrices ---------------------------------------------------------------------- */

static cusolverStatus_t find_factors(cusolverSpHandle_t handle, const struct info *info,
                                     struct sp_factors *factors)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(info && info->steps.factored);
    if (sp_factors_find(factors, &info->steps.host, &info->steps.rows))
        return CUSOLVER_STATUS_SUCCESS;
    sp_factors_free(factors);
    return CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int *nnzL, int *nnzU,
                                         csrluInfoHost_t info)
{
    struct info *of = find(handle, info);
    struct sp_factors factors;
    SOLVER_VALID(nnzL && nnzU);
    SOLVER_TRY(find_factors(handle, of, &factors));
    *nnzL = factors.l.offsets[of->steps.host.n];
    *nnzU = factors.u.offsets[of->steps.host.n];
    sp_factors_free(&factors);
    return CUSOLVER_STATUS_SUCCESS;
}

/* Where a factor goes. */
struct taken {
    cusparseMatDescr_t descr;
    void *values;
    int *offsets, *columns;
};

static bool is_taken(const struct taken *to, int *base)
{
    return to->descr && to->values && to->offsets && to->columns && sp_base(to->descr, base);
}

static void take(const struct sp_entries *from, int n, int base, const struct taken *to)
{
    for (int i = 0; i <= n; i++)
        to->offsets[i] = from->offsets[i] + base;
    for (int k = 0; k < from->offsets[n]; k++)
        to->columns[k] = from->columns[k] + base;
}

static cusolverStatus_t extract(cusolverSpHandle_t handle, enum library_precision precision,
                                const struct info *info, int *orders[2], const struct taken to[2])
{
    int base[2];
    struct sp_factors factors;
    SOLVER_VALID(orders[0] && orders[1] && is_taken(&to[0], &base[0]) &&
                 is_taken(&to[1], &base[1]));
    SOLVER_TRY(find_factors(handle, info, &factors));
    const struct sp_host *host = &info->steps.host;
    bool ok = sp_factors_values(&factors, host, precision, to[0].values, to[1].values);
    if (ok) {
        memcpy(orders[0], factors.p, (size_t)host->n * sizeof(int));
        memcpy(orders[1], factors.q, (size_t)host->n * sizeof(int));
        take(&factors.l, host->n, base[0], &to[0]);
        take(&factors.u, host->n, base[1], &to[1]);
    }
    sp_factors_free(&factors);
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

/* --- the calls -------------------------------------------------------------------------------- */

static cusolverStatus_t keep(void *info)
{
    bool kept = info && library_keep(info);
    if (!kept)
        free(info);
    return kept ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

#define SIZE        int n
#define SIZES       int m, int n
#define UNUSED_ROWS __attribute__((unused)) int m
#define NO_USE      (void)buffer

/* size: parameters of the matrix' size; rows: how many it has. */
#define INFO(name, Name, Where, how, host, rows, ...)                                              \
    cusolverStatus_t cusolverSpCreateCsr##name##Info##Where(Name *info)                            \
    {                                                                                              \
        SOLVER_VALID(info);                                                                        \
        *info = calloc(1, sizeof **info);                                                          \
        if (*info)                                                                                 \
            (*info)->is.steps = (struct sp_steps){.on_host = host, .method = how};                 \
        return keep(*info);                                                                        \
    }                                                                                              \
    cusolverStatus_t cusolverSpDestroyCsr##name##Info##Where(Name info)                            \
    {                                                                                              \
        SOLVER_VALID(library_knows(info));                                                         \
        library_forget(info);                                                                      \
        sp_steps_free(&info->is.steps);                                                            \
        free(info);                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverSpXcsr##name##Analysis##Where(                                        \
        cusolverSpHandle_t handle, __VA_ARGS__, int nnz, const cusparseMatDescr_t descr,           \
        const int *offsets, const int *columns, Name info)                                         \
    {                                                                                              \
        struct given g = {rows, n, nnz, descr, offsets, columns, NULL};                            \
        return analyse(handle, &g, find(handle, info));                                            \
    }
#define STEPS(R, T, name, Name, Where, ...)                                                        \
    cusolverStatus_t cusolverSp##R##csr##name##BufferInfo##Where(                                  \
        cusolverSpHandle_t handle, __VA_ARGS__, int nnz, const cusparseMatDescr_t descr,           \
        const T *values, const int *offsets, const int *columns, Name info, size_t *internal,      \
        size_t *workspace)                                                                         \
    {                                                                                              \
        (void)n, (void)nnz, (void)descr, (void)values, (void)offsets, (void)columns;               \
        return buffers(handle, LIBRARY_##R, find(handle, info), internal, workspace);              \
    }                                                                                              \
    cusolverStatus_t cusolverSp##R##csr##name##ZeroPivot##Where(cusolverSpHandle_t handle,         \
                                                                Name info, T tol, int *position)   \
    {                                                                                              \
        return pivot(handle, find(handle, info), (double)tol, position);                           \
    }                                                                                              \
    cusolverStatus_t cusolverSp##R##csr##name##Solve##Where(                                       \
        cusolverSpHandle_t handle, __VA_ARGS__, const T *b, T *x, Name info, void *buffer)         \
    {                                                                                              \
        NO_USE;                                                                                    \
        return solve(handle, LIBRARY_##R, n, find(handle, info), b, x);                            \
    }
#define CHOL(R, T, Name, Where)                                                                    \
    cusolverStatus_t cusolverSp##R##csrcholFactor##Where(                                          \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,                 \
        const T *values, const int *offsets, const int *columns, Name info, void *buffer)          \
    {                                                                                              \
        struct given g = {n, n, nnz, descr, offsets, columns, values};                             \
        NO_USE;                                                                                    \
        return factor(handle, LIBRARY_##R, &g, find(handle, info));                                \
    }
#define QR(R, T, Name, Where)                                                                      \
    cusolverStatus_t cusolverSp##R##csrqrSetup##Where(                                             \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, T mu, Name info)                  \
    {                                                                                              \
        struct given g = {m, n, nnz, descr, offsets, columns, values};                             \
        return set_up(handle, &g, (double)mu, find(handle, info));                                 \
    }                                                                                              \
    cusolverStatus_t cusolverSp##R##csrqrFactor##Where(                                            \
        cusolverSpHandle_t handle, int m, int n, int nnz, T *b, T *x, Name info, void *buffer)     \
    {                                                                                              \
        (void)m, (void)n, (void)nnz, NO_USE;                                                       \
        return factor_set_up(handle, LIBRARY_##R, find(handle, info), b, x);                       \
    }
#define LU(R, T)                                                                                   \
    cusolverStatus_t cusolverSp##R##csrluFactorHost(                                               \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,                 \
        const T *values, const int *offsets, const int *columns, csrluInfoHost_t info,             \
        T pivot_threshold, void *buffer)                                                           \
    {                                                                                              \
        struct given g = {n, n, nnz, descr, offsets, columns, values};                             \
        (void)pivot_threshold, NO_USE;                                                             \
        return factor(handle, LIBRARY_##R, &g, find(handle, info));                                \
    }                                                                                              \
    cusolverStatus_t cusolverSp##R##csrluExtractHost(                                              \
        cusolverSpHandle_t handle, int *P, int *Q, const cusparseMatDescr_t descrL, T *valuesL,    \
        int *offsetsL, int *columnsL, const cusparseMatDescr_t descrU, T *valuesU, int *offsetsU,  \
        int *columnsU, csrluInfoHost_t info, void *buffer)                                         \
    {                                                                                              \
        struct taken to[2] = {{descrL, valuesL, offsetsL, columnsL},                               \
                              {descrU, valuesU, offsetsU, columnsU}};                              \
        int *orders[2] = {P, Q};                                                                   \
        NO_USE;                                                                                    \
        return extract(handle, LIBRARY_##R, find(handle, info), orders, to);                       \
    }
#define ALL(R, T)                                                                                  \
    STEPS(R, T, lu, csrluInfoHost_t, Host, SIZE)                                                   \
    STEPS(R, T, qr, csrqrInfoHost_t, Host, UNUSED_ROWS, SIZE)                                      \
    STEPS(R, T, qr, csrqrInfo_t, , UNUSED_ROWS, SIZE)                                              \
    STEPS(R, T, chol, csrcholInfoHost_t, Host, SIZE)                                               \
    STEPS(R, T, chol, csrcholInfo_t, , SIZE)                                                       \
    CHOL(R, T, csrcholInfoHost_t, Host)                                                            \
    CHOL(R, T, csrcholInfo_t, )                                                                    \
    QR(R, T, csrqrInfoHost_t, Host)                                                                \
    QR(R, T, csrqrInfo_t, )                                                                        \
    LU(R, T)
INFO(lu, csrluInfoHost_t, Host, SP_LU, true, n, SIZE)
INFO(qr, csrqrInfoHost_t, Host, SP_QR, true, m, SIZES)
INFO(qr, csrqrInfo_t, , SP_QR, false, m, SIZES)
INFO(chol, csrcholInfoHost_t, Host, SP_CHOLESKY, true, n, SIZE)
INFO(chol, csrcholInfo_t, , SP_CHOLESKY, false, n, SIZE)
ALL(S, float)
ALL(D, double)

cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                 const cusparseMatDescr_t descr, const int *offsets,
                                                 const int *columns, csrqrInfo_t info)
{
    return cusolverSpXcsrqrAnalysis(handle, m, n, nnz, descr, offsets, columns, info);
}

#define BATCH(R, T)                                                                                \
    cusolverStatus_t cusolverSp##R##csrqrBufferInfoBatched(                                        \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, int batch, csrqrInfo_t info,      \
        size_t *internal, size_t *workspace)                                                       \
    {                                                                                              \
        SOLVER_VALID(batch > 0);                                                                   \
        return cusolverSp##R##csrqrBufferInfo(handle, m, n, nnz, descr, values, offsets, columns,  \
                                              info, internal, workspace);                          \
    }                                                                                              \
    cusolverStatus_t cusolverSp##R##csrqrsvBatched(                                                \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, const T *b, T *x, int batch,      \
        csrqrInfo_t info, void *buffer)                                                            \
    {                                                                                              \
        struct given g = {m, n, nnz, descr, offsets, columns, values};                             \
        NO_USE;                                                                                    \
        return solve_batch(handle, LIBRARY_##R, &g, find(handle, info), batch,                     \
                           &(struct batch_vectors){b, x});                                         \
    }
BATCH(S, float)
BATCH(D, double)
