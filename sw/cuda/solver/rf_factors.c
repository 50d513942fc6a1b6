/* Refactorization: the factors, for the program. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/solver/rf.h"

/* A matrix by rows that becomes the program's. */
struct rows {
    int nnz, *offsets, *columns;
    double *values;
};

static bool make(struct rows *to, int n, int nnz)
{
    *to = (struct rows){.nnz = nnz,
                        .offsets = malloc(((size_t)n + 1) * sizeof(int)),
                        .columns = malloc(((size_t)nnz + 1) * sizeof(int)),
                        .values = malloc(((size_t)nnz + 1) * sizeof(double))};
    return to->offsets && to->columns && to->values;
}

static void drop(struct rows *rows)
{
    free(rows->offsets);
    free(rows->columns);
    free(rows->values);
}

static cusolverStatus_t known(cusolverRfHandle_t handle)
{
    SOLVER_HANDLE(handle);
    const bool one_matrix = handle->batch == 1;
    SOLVER_VALID(one_matrix && handle->factored);
    return CUSOLVER_STATUS_SUCCESS;
}

/* Both factors as one matrix. */
static cusolverStatus_t fetch(cusolverRfHandle_t rf, struct rows *to)
{
    const struct rf_pattern *p = &rf->pattern;
    if (!make(to, p->n, p->nnz)) {
        drop(to);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    memcpy(to->offsets, p->offsets, ((size_t)p->n + 1) * sizeof(int));
    memcpy(to->columns, p->columns, (size_t)p->nnz * sizeof(int));
    if (!cudaMemcpy(to->values, rf->values, (size_t)p->nnz * sizeof(double),
                    cudaMemcpyDeviceToHost))
        return CUSOLVER_STATUS_SUCCESS;
    drop(to);
    return CUSOLVER_STATUS_EXECUTION_FAILED;
}

cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int *nnz,
                                                      int **offsets, int **columns, double **values)
{
    SOLVER_TRY(known(handle));
    SOLVER_VALID(nnz && offsets && columns && values);
    *nnz = handle->pattern.nnz;
    *offsets = handle->offsets;
    *columns = handle->columns;
    *values = handle->values;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int *nnz,
                                                     int **offsets, int **columns, double **values)
{
    struct rows all;
    SOLVER_TRY(known(handle));
    SOLVER_VALID(nnz && offsets && columns && values);
    SOLVER_TRY(fetch(handle, &all));
    *nnz = all.nnz;
    *offsets = all.offsets;
    *columns = all.columns;
    *values = all.values;
    return CUSOLVER_STATUS_SUCCESS;
}

static void add(struct rows *to, int column, double value)
{
    to->columns[to->nnz] = column;
    to->values[to->nnz++] = value;
}

static void split(const struct rows *all, int n, bool stored, struct rows *l, struct rows *u)
{
    l->nnz = u->nnz = 0;
    for (int i = 0; i < n; i++) {
        l->offsets[i] = l->nnz;
        u->offsets[i] = u->nnz;
        for (int k = all->offsets[i]; k < all->offsets[i + 1]; k++)
            add(all->columns[k] < i ? l : u, all->columns[k], all->values[k]);
        if (stored)
            add(l, i, 1);
    }
    l->offsets[n] = l->nnz;
    u->offsets[n] = u->nnz;
}

cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int *nnzL,
                                                   int **offsetsL, int **columnsL, double **valuesL,
                                                   int *nnzU, int **offsetsU, int **columnsU,
                                                   double **valuesU)
{
    struct rows all, l, u = {0};
    SOLVER_TRY(known(handle));
    SOLVER_VALID(nnzL && offsetsL && columnsL && valuesL);
    SOLVER_VALID(nnzU && offsetsU && columnsU && valuesU);
    SOLVER_TRY(fetch(handle, &all));
    const int n = handle->pattern.n;
    const bool made = make(&l, n, all.nnz) && make(&u, n, all.nnz);
    if (made)
        split(&all, n, handle->diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L, &l, &u);
    drop(&all);
    if (!made) {
        drop(&l);
        drop(&u);
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *nnzL = l.nnz, *offsetsL = l.offsets, *columnsL = l.columns, *valuesL = l.values;
    *nnzU = u.nnz, *offsetsU = u.offsets, *columnsU = u.columns, *valuesU = u.values;
    return CUSOLVER_STATUS_SUCCESS;
}
