/* The calls of cuSOLVER's sparse part. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/solver/sparse.h"

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle)
{
    SOLVER_VALID(handle);
    struct cusolverSpContext *made = calloc(1, sizeof *made);
    SOLVER_CHECK(made, CUSOLVER_STATUS_ALLOC_FAILED);
    cusolverStatus_t status = cusolverDnCreate(&made->dense);
    if (!status && !library_keep(made)) {
        cusolverDnDestroy(made->dense);
        status = CUSOLVER_STATUS_ALLOC_FAILED;
    }
    if (status)
        free(made);
    else
        *handle = made;
    return status;
}

cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle)
{
    SOLVER_HANDLE(handle);
    library_forget(handle);
    cusolverStatus_t status = cusolverDnDestroy(handle->dense);
    free(handle);
    return status;
}

cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream)
{
    SOLVER_HANDLE(handle);
    return cusolverDnSetStream(handle->dense, stream);
}

cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream)
{
    SOLVER_HANDLE(handle);
    return cusolverDnGetStream(handle->dense, stream);
}

/* A square matrix on the host. */
static cusolverStatus_t rows_of(const cusparseMatDescr_t descr, int n, int nnz, const int *offsets,
                                const int *columns, struct sp_rows *rows)
{
    *rows = (struct sp_rows){.n = n, .nnz = nnz, .offsets = offsets, .columns = columns};
    SOLVER_VALID(descr && n >= 0 && nnz >= 0 && offsets && (columns || !nnz));
    SOLVER_CHECK(sp_base(descr, &rows->base), CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    SOLVER_VALID(sp_valid(rows));
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- patterns ------------------------------------------------------------------------------- */

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz,
                                         const cusparseMatDescr_t descr, const int *offsets,
                                         const int *ends, const int *columns, int *issym)
{
    int base;
    SOLVER_HANDLE(handle);
    SOLVER_VALID(m >= 0 && nnz >= 0 && descr && offsets && ends && (columns || !nnz) && issym);
    SOLVER_CHECK(sp_base(descr, &base), CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    const struct sp_rows rows = {m, nnz, base, offsets, columns, NULL};
    SOLVER_VALID(sp_inside(&rows, ends, m));
    *issym = 1;
    for (int i = 0; i < m && *issym; i++)
        for (int k = offsets[i] - base; k < ends[i] - base && *issym; k++) {
            int j = columns[k] - base;
            bool found = false;
            for (int other = offsets[j] - base; other < ends[j] - base && !found; other++)
                found = columns[other] - base == i;
            *issym = found;
        }
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t order(cusolverSpHandle_t handle, const struct sp_rows *rows,
                              bool (*by)(const struct sp_graph *, int *), int *p)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(p);
    struct sp_graph *graph = sp_graph_make(rows);
    bool ok = graph && by(graph, p);
    sp_graph_free(graph);
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

#define ORDER(name, by)                                                                            \
    cusolverStatus_t cusolverSpXcsr##name##Host(cusolverSpHandle_t handle, int n, int nnz,         \
                                                const cusparseMatDescr_t descr,                    \
                                                const int *offsets, const int *columns, int *p)    \
    {                                                                                              \
        struct sp_rows rows;                                                                       \
        SOLVER_TRY(rows_of(descr, n, nnz, offsets, columns, &rows));                               \
        return order(handle, &rows, by, p);                                                        \
    }
ORDER(symrcm, sp_order_band)
ORDER(symmdq, sp_order_degree)
ORDER(symamd, sp_order_degree)

cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnz,
                                           const cusparseMatDescr_t descr, const int *offsets,
                                           const int *columns, const int64_t *options, int *p)
{
    struct sp_rows rows;
    SOLVER_CHECK(!options, CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_TRY(rows_of(descr, n, nnz, offsets, columns, &rows));
    return order(handle, &rows, sp_order_dissect, p);
}

/* --- permutations --------------------------------------------------------------------------- */

static bool is_permutation(const int *p, int n, int *places)
{
    memset(places, 0xFF, (size_t)n * sizeof *places);
    for (int i = 0; i < n; i++) {
        if (p[i] < 0 || p[i] >= n || places[p[i]] >= 0)
            return false;
        places[p[i]] = i;
    }
    return true;
}

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                   const cusparseMatDescr_t descr, int *offsets,
                                                   int *columns, const int *p, const int *q,
                                                   size_t *bytes)
{
    (void)offsets, (void)columns, (void)p, (void)q;
    SOLVER_HANDLE(handle);
    SOLVER_VALID(m >= 0 && n >= 0 && nnz >= 0 && descr && bytes);
    /* Of the old matrix offsets, columns and map; the places of columns. */
    *bytes = ((size_t)m + 1 + 2 * (size_t)nnz + (size_t)n) * sizeof(int);
    return CUSOLVER_STATUS_SUCCESS;
}

/* An entry to its place in a row whose columns ascend, from `begin` on. */
static void insert(int *columns, int *map, int begin, int end, const int entry[2])
{
    int at = end;
    for (; at > begin && columns[at - 1] > entry[0]; at--) {
        columns[at] = columns[at - 1];
        map[at] = map[at - 1];
    }
    columns[at] = entry[0];
    map[at] = entry[1];
}

cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                        const cusparseMatDescr_t descr, int *offsets, int *columns,
                                        const int *p, const int *q, int *map, void *buffer)
{
    int base, next = 0;
    SOLVER_HANDLE(handle);
    SOLVER_VALID(m >= 0 && n >= 0 && nnz >= 0 && descr && offsets && buffer && p && q &&
                 ((columns && map) || !nnz));
    SOLVER_CHECK(sp_base(descr, &base), CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    int *from = buffer, *old = from + m + 1, *numbers = old + nnz, *places = numbers + nnz;
    size_t count = (size_t)nnz;
    const struct sp_rows rows = {m, nnz, base, offsets, columns, NULL};
    SOLVER_VALID(sp_whole(&rows, n) && is_permutation(p, m, from) && is_permutation(q, n, places));
    memcpy(from, offsets, ((size_t)m + 1) * sizeof(int));
    if (count) {
        memcpy(old, columns, count * sizeof(int));
        memcpy(numbers, map, count * sizeof(int));
    }
    for (int i = 0; i < m; i++) {
        offsets[i] = next + base;
        for (int k = from[p[i]] - base; k < from[p[i] + 1] - base; k++, next++)
            insert(columns, map, offsets[i] - base, next,
                   (const int[]){places[old[k] - base] + base, numbers[k]});
    }
    offsets[m] = next + base;
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- solutions ------------------------------------------------------------------------------ */

struct system {
    struct sp_rows rows;
    enum library_precision precision;
    const void *b;
    void *x;
    double tolerance;
    int *singularity;
};

static cusolverStatus_t run(cusolverSpHandle_t handle, const struct system *s,
                            struct sp_steps *steps)
{
    SOLVER_TRY(sp_steps_analyse(steps, handle, &s->rows));
    SOLVER_TRY(sp_steps_factor(steps, &s->rows, s->precision));
    SOLVER_TRY(sp_steps_pivot(steps, s->tolerance, s->singularity));
    return *s->singularity < 0 ? sp_steps_solve(steps, s->precision, s->b, s->x)
                               : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve(cusolverSpHandle_t handle, const cusparseMatDescr_t descr,
                              struct system *s, struct sp_steps steps)
{
    struct sp_rows *r = &s->rows;
    SOLVER_HANDLE(handle);
    SOLVER_VALID(descr && r->n >= 0 && r->nnz >= 0 && s->singularity);
    SOLVER_CHECK(sp_base(descr, &r->base), CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    *s->singularity = -1;
    if (!r->n)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_VALID(r->offsets && s->b && s->x && ((r->columns && r->values) || !r->nnz));
    cusolverStatus_t status = run(handle, s, &steps);
    sp_steps_free(&steps);
    return status;
}

#define SOLVE(R, T, name, host, how)                                                               \
    cusolverStatus_t cusolverSp##R##csrlsv##name(                                                  \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,                 \
        const T *values, const int *offsets, const int *columns, const T *b, T tol, int reorder,   \
        T *x, int *singularity)                                                                    \
    {                                                                                              \
        (void)reorder; /* the narrower band */                                                     \
        struct system s = {.rows = {n, nnz, 0, offsets, columns, values},                          \
                           .precision = LIBRARY_##R,                                               \
                           .b = b,                                                                 \
                           .x = x,                                                                 \
                           .tolerance = (double)tol,                                               \
                           .singularity = singularity};                                            \
        return solve(handle, descr, &s, (struct sp_steps){.on_host = host, .method = how});        \
    }
#define SOLVES(R, T)                                                                               \
    SOLVE(R, T, luHost, true, SP_LU)                                                               \
    SOLVE(R, T, qrHost, true, SP_QR)                                                               \
    SOLVE(R, T, cholHost, true, SP_CHOLESKY)                                                       \
    SOLVE(R, T, qr, false, SP_QR)                                                                  \
    SOLVE(R, T, chol, false, SP_CHOLESKY)
SOLVES(S, float)
SOLVES(D, double)
