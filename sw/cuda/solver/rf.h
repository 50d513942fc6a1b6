/* Inside cuSOLVER's refactorization: csrilu02 of L + U's pattern, in which nothing else fills, is
 * LU without a choice of pivots. */
#ifndef EVGPU_CUDA_SOLVER_RF_H
#define EVGPU_CUDA_SOLVER_RF_H

#include "sw/cuda/include/cusolverRf.h"
#include "sw/cuda/solver/sparse.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* L + U by rows, without L's diagonal; and where the entries of A go. */
struct rf_pattern {
    int n, nnz, nnz_a;
    int *offsets, *columns; /* of each row ascending */
    int *places;            /* [nnz_a] */
};

/* All on the host. */
struct rf_given {
    int n;
    struct sp_rows a, l, u;
    bool stored; /* l has its diagonal */
    const int *p, *q;
};

/* rf_pattern.c; CUSOLVER_STATUS_INVALID_VALUE says what is wrong with the matrices. */
cusolverStatus_t rf_pattern_make(struct rf_pattern *pattern, const struct rf_given *given);
void rf_pattern_free(struct rf_pattern *pattern);

struct cusolverRfCommon {
    cusolverRfUnitDiagonal_t diagonal;
    cusolverRfResetValuesFastMode_t mode;
    cusolverRfFactorization_t factorization;
    cusolverRfTriangularSolve_t triangles;

    cusparseHandle_t sparse;
    cusparseMatDescr_t whole, lower, upper; /* types of the factors' matrix */
    csrilu02Info_t factor;
    csrsv2Info_t forward, backward;

    struct rf_pattern pattern;
    int batch;
    int *offsets, *columns, *places; /* on the device */
    double *values;                  /* there, of one matrix after the other */
    int *pivots;                     /* [batch] row of the first one that is 0, or -1 */
    bool analysed, fresh, factored;  /* fresh: values are of matrices, not of factors */
};

/* rf_steps.c: what a setup has made is gone. */
void rf_clear(cusolverRfHandle_t rf);

static inline double *rf_values(const struct cusolverRfCommon *rf, int matrix)
{
    return rf->values + (size_t)matrix * (size_t)rf->pattern.nnz;
}

#pragma GCC visibility pop

#endif
