/* Refactorization step by step, of one matrix or of several with one pattern. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/solver/rf.h"

void rf_clear(cusolverRfHandle_t rf)
{
    void *const device[] = {rf->offsets, rf->columns, rf->places, rf->values};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        cudaFree(device[i]);
    free(rf->pivots);
    rf_pattern_free(&rf->pattern);
    rf->offsets = rf->columns = rf->places = rf->pivots = NULL;
    rf->values = NULL;
    rf->batch = 0;
    rf->analysed = rf->fresh = rf->factored = false;
}

static cusolverStatus_t status_of(cusparseStatus_t status)
{
    return !status                                     ? CUSOLVER_STATUS_SUCCESS
           : status == CUSPARSE_STATUS_ALLOC_FAILED    ? CUSOLVER_STATUS_ALLOC_FAILED
           : status == CUSPARSE_STATUS_NOT_INITIALIZED ? CUSOLVER_STATUS_NOT_INITIALIZED
                                                       : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/* --- setup ------------------------------------------------------------------------------------ */

static bool put(void *device, const void *from, size_t bytes)
{
    void *to = NULL;
    if (cudaMalloc(&to, bytes + 1))
        return false;
    memcpy(device, &to, sizeof to);
    return !from || !cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}

static bool make_room(cusolverRfHandle_t rf)
{
    const struct rf_pattern *p = &rf->pattern;
    size_t n = (size_t)p->n, nnz = (size_t)p->nnz, batch = (size_t)rf->batch;
    rf->pivots = calloc(batch, sizeof *rf->pivots);
    return rf->pivots && put(&rf->offsets, p->offsets, (n + 1) * sizeof(int)) &&
           put(&rf->columns, p->columns, nnz * sizeof(int)) &&
           put(&rf->places, p->places, (size_t)p->nnz_a * sizeof(int)) &&
           put(&rf->values, NULL, batch * nnz * sizeof(double));
}

/* A's values, of the host, in their places. */
static bool set_values(cusolverRfHandle_t rf, const double *const *values)
{
    const struct rf_pattern *p = &rf->pattern;
    size_t bytes = (size_t)p->nnz * sizeof(double);
    double *whole = malloc(bytes + 1);
    bool ok = whole != NULL;
    for (int i = 0; i < rf->batch && ok; i++) {
        memset(whole, 0, bytes);
        for (int k = 0; k < p->nnz_a; k++)
            whole[p->places[k]] = values[i][k];
        ok = !cudaMemcpy(rf_values(rf, i), whole, bytes, cudaMemcpyHostToDevice);
    }
    free(whole);
    return ok;
}

static cusolverStatus_t set_up(cusolverRfHandle_t rf, int batch, const struct rf_given *given,
                               const double *const *values)
{
    rf_clear(rf);
    SOLVER_TRY(rf_pattern_make(&rf->pattern, given));
    rf->batch = batch;
    rf->fresh = make_room(rf) && set_values(rf, values);
    if (!rf->fresh)
        rf_clear(rf);
    SOLVER_CHECK(rf->batch, CUSOLVER_STATUS_ALLOC_FAILED);
    return CUSOLVER_STATUS_SUCCESS;
}

static bool has_rows(const struct sp_rows *rows)
{
    return rows->nnz > 0 ? rows->offsets && rows->columns : !rows->nnz && rows->offsets;
}

static cusolverStatus_t check(cusolverRfHandle_t handle, int batch, const struct rf_given *g)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(batch > 0 && g->n > 0 && g->p && g->q);
    SOLVER_VALID(has_rows(&g->a) && has_rows(&g->l) && has_rows(&g->u));
    return CUSOLVER_STATUS_SUCCESS;
}

/* The arguments of the calls for a setup. Nobody reads the factors' values. */
#define GIVEN                                                                                      \
    {                                                                                              \
        .n = n, .a = {n, nnzA, 0, offsetsA, columnsA, NULL},                                       \
        .l = {n, nnzL, 0, offsetsL, columnsL, valuesL},                                            \
        .u = {n, nnzU, 0, offsetsU, columnsU, valuesU}, .p = P, .q = Q                             \
    }

static cusolverStatus_t set_up_host(cusolverRfHandle_t handle, int batch, struct rf_given *g,
                                    const double *const *values)
{
    SOLVER_TRY(check(handle, batch, g));
    SOLVER_VALID(values || !g->a.nnz);
    for (int i = 0; i < batch; i++)
        SOLVER_VALID(values[i] || !g->a.nnz);
    g->stored = handle->diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
    return set_up(handle, batch, g, values);
}

cusolverStatus_t cusolverRfBatchSetupHost(int batch, int n, int nnzA, int *offsetsA, int *columnsA,
                                          double *valuesA[], int nnzL, int *offsetsL, int *columnsL,
                                          double *valuesL, int nnzU, int *offsetsU, int *columnsU,
                                          double *valuesU, int *P, int *Q,
                                          cusolverRfHandle_t handle)
{
    struct rf_given given = GIVEN;
    return set_up_host(handle, batch, &given, (const double *const *)valuesA);
}

cusolverStatus_t cusolverRfSetupHost(int n, int nnzA, int *offsetsA, int *columnsA, double *valuesA,
                                     int nnzL, int *offsetsL, int *columnsL, double *valuesL,
                                     int nnzU, int *offsetsU, int *columnsU, double *valuesU,
                                     int *P, int *Q, cusolverRfHandle_t handle)
{
    struct rf_given given = GIVEN;
    const double *values[] = {valuesA};
    return set_up_host(handle, 1, &given, values);
}

/* Copies of arrays of the device; freed together. */
struct copies {
    void *at[9];
    size_t count;
    bool ok;
};

static void *copy(struct copies *c, const void *device, size_t bytes)
{
    void *host = c->at[c->count++] = malloc(bytes + 1);
    c->ok &= host && !cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    return host;
}

static void copy_rows(struct copies *c, int n, struct sp_rows *rows)
{
    rows->offsets = copy(c, rows->offsets, ((size_t)n + 1) * sizeof(int));
    rows->columns = copy(c, rows->columns, (size_t)rows->nnz * sizeof(int));
}

cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int *offsetsA, int *columnsA,
                                       double *valuesA, int nnzL, int *offsetsL, int *columnsL,
                                       double *valuesL, int nnzU, int *offsetsU, int *columnsU,
                                       double *valuesU, int *P, int *Q, cusolverRfHandle_t handle)
{
    struct rf_given given = GIVEN;
    struct copies c = {.ok = true};
    SOLVER_TRY(check(handle, 1, &given));
    SOLVER_VALID(valuesA || !nnzA);
    size_t order = (size_t)n * sizeof(int);
    copy_rows(&c, n, &given.a);
    copy_rows(&c, n, &given.l);
    copy_rows(&c, n, &given.u);
    given.p = copy(&c, P, order);
    given.q = copy(&c, Q, order);
    const double *values[] = {copy(&c, valuesA, (size_t)nnzA * sizeof(double))};
    cusolverStatus_t status =
        c.ok ? set_up_host(handle, 1, &given, values) : CUSOLVER_STATUS_EXECUTION_FAILED;
    for (size_t i = 0; i < c.count; i++)
        free(c.at[i]);
    return status;
}

/* --- the steps after it ----------------------------------------------------------------------- */

/* The handle has had a setup of several matrices, or of one. */
static cusolverStatus_t known(cusolverRfHandle_t handle)
{
    SOLVER_HANDLE(handle);
    const bool set_up = handle->batch > 0;
    SOLVER_VALID(set_up);
    return CUSOLVER_STATUS_SUCCESS;
}

#define MATRIX(rf, matrix)                                                                         \
    (rf)->pattern.n, (rf)->pattern.nnz, (rf)->whole, rf_values(rf, matrix), (rf)->offsets,         \
        (rf)->columns

static cusparseStatus_t analyse_triangle(cusolverRfHandle_t rf, cusparseMatDescr_t type,
                                         csrsv2Info_t info)
{
    return cusparseDcsrsv2_analysis(rf->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, rf->pattern.n,
                                    rf->pattern.nnz, type, rf->values, rf->offsets, rf->columns,
                                    info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL);
}

cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle)
{
    SOLVER_TRY(known(handle));
    SOLVER_TRY(status_of(cusparseDcsrilu02_analysis(
        handle->sparse, MATRIX(handle, 0), handle->factor, CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL)));
    SOLVER_TRY(status_of(analyse_triangle(handle, handle->lower, handle->forward)));
    SOLVER_TRY(status_of(analyse_triangle(handle, handle->upper, handle->backward)));
    handle->analysed = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle)
{
    return cusolverRfBatchAnalyze(handle);
}

static cusolverStatus_t reset(cusolverRfHandle_t rf, const double *const *values)
{
    const struct rf_pattern *p = &rf->pattern;
    rf->factored = rf->fresh = false;
    if (cudaMemsetAsync(rf->values, 0, (size_t)rf->batch * (size_t)p->nnz * sizeof(double), NULL))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    for (int i = 0; i < rf->batch; i++)
        SOLVER_TRY(status_of(cusparseDsctr(rf->sparse, p->nnz_a, values[i], rf->places,
                                           rf_values(rf, i), CUSPARSE_INDEX_BASE_ZERO)));
    rf->fresh = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfBatchResetValues(int batch, int n, int nnzA, int *offsetsA,
                                            int *columnsA, double *valuesA[], int *P, int *Q,
                                            cusolverRfHandle_t handle)
{
    (void)offsetsA, (void)columnsA, (void)P, (void)Q; /* those of the setup */
    SOLVER_TRY(known(handle));
    SOLVER_VALID(batch == handle->batch && n == handle->pattern.n &&
                 nnzA == handle->pattern.nnz_a && valuesA);
    for (int i = 0; i < batch; i++)
        SOLVER_VALID(valuesA[i]);
    return reset(handle, (const double *const *)valuesA);
}

cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int *offsetsA, int *columnsA,
                                       double *valuesA, int *P, int *Q, cusolverRfHandle_t handle)
{
    return cusolverRfBatchResetValues(1, n, nnzA, offsetsA, columnsA, &valuesA, P, Q, handle);
}

cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle)
{
    SOLVER_TRY(known(handle));
    SOLVER_VALID(handle->analysed && handle->fresh);
    handle->fresh = false;
    for (int i = 0; i < handle->batch; i++) {
        SOLVER_TRY(status_of(cusparseDcsrilu02(handle->sparse, MATRIX(handle, i), handle->factor,
                                               CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL)));
        cusparseStatus_t found =
            cusparseXcsrilu02_zeroPivot(handle->sparse, handle->factor, &handle->pivots[i]);
        SOLVER_TRY(
            status_of(found == CUSPARSE_STATUS_ZERO_PIVOT ? CUSPARSE_STATUS_SUCCESS : found));
    }
    handle->factored = true;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle)
{
    SOLVER_TRY(cusolverRfBatchRefactor(handle));
    const bool has_pivots = handle->pivots[0] < 0;
    handle->factored = has_pivots;
    SOLVER_CHECK(has_pivots, CUSOLVER_STATUS_ZERO_PIVOT);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int *position)
{
    SOLVER_TRY(known(handle));
    SOLVER_VALID(handle->factored && position);
    bool none = true;
    for (int i = 0; i < handle->batch; i++) {
        position[i] = handle->pivots[i];
        none &= position[i] < 0;
    }
    return none ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ZERO_PIVOT;
}

/* --- solutions -------------------------------------------------------------------------------- */

/* A right-hand side, which becomes the solution, and room for another. */
struct side {
    const int *p, *q;
    double *x, *room;
};

static cusparseStatus_t triangle(cusolverRfHandle_t rf, int matrix, cusparseMatDescr_t type,
                                 csrsv2Info_t info, const double *b, double *x)
{
    static const double one = 1;
    return cusparseDcsrsv2_solve(rf->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, rf->pattern.n,
                                 rf->pattern.nnz, &one, type, rf_values(rf, matrix), rf->offsets,
                                 rf->columns, info, b, x, CUSPARSE_SOLVE_POLICY_USE_LEVEL, NULL);
}

static cusolverStatus_t solve(cusolverRfHandle_t rf, int matrix, const struct side *s)
{
    const int n = rf->pattern.n;
    SOLVER_TRY(
        status_of(cusparseDgthr(rf->sparse, n, s->x, s->room, s->p, CUSPARSE_INDEX_BASE_ZERO)));
    SOLVER_TRY(status_of(triangle(rf, matrix, rf->lower, rf->forward, s->room, s->x)));
    SOLVER_TRY(status_of(triangle(rf, matrix, rf->upper, rf->backward, s->x, s->room)));
    return status_of(cusparseDsctr(rf->sparse, n, s->room, s->q, s->x, CUSPARSE_INDEX_BASE_ZERO));
}

cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int *P, int *Q, int nrhs,
                                      double *Temp, int ldt, double *XF[], int ldxf)
{
    SOLVER_TRY(known(handle));
    SOLVER_VALID(handle->factored);
    SOLVER_VALID(P && Q && nrhs > 0 && Temp && XF);
    SOLVER_VALID(ldt >= handle->pattern.n && ldxf >= handle->pattern.n);
    for (int i = 0; i < handle->batch; i++)
        SOLVER_VALID(XF[i]);
    for (int i = 0; i < handle->batch; i++)
        for (int k = 0; k < nrhs; k++) {
            struct side side = {P, Q, XF[i] + (size_t)k * (size_t)ldxf,
                                Temp + (size_t)k * (size_t)ldt};
            SOLVER_TRY(solve(handle, i, &side));
        }
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int *P, int *Q, int nrhs, double *Temp,
                                 int ldt, double *XF, int ldxf)
{
    return cusolverRfBatchSolve(handle, P, Q, nrhs, Temp, ldt, &XF, ldxf);
}
