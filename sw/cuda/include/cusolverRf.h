/* cuSOLVER's refactorization, a part of cuSOLVER Library 11.2: systems whose matrices share one
 * pattern. A program knows the pattern of the factors L and U, for example from cusolverSp's
 * csrluExtract, and the orders P and Q of rows and columns: row i of L U is row P[i] of A, and
 * column j of it is column Q[j] of A. P, Q, offsets and columns begin at 0.
 *
 * A program calls Create, SetupHost or SetupDevice, and Analyze once. For each new set of values it
 * calls ResetValues, Refactor and Solve. Right-hand sides lie in XF and become the solutions; Temp
 * has room for n numbers of each. The factors keep their pattern and their order of rows: no pivots
 * are chosen anew. Refactor waits, and returns CUSOLVER_STATUS_ZERO_PIVOT where a pivot is 0.
 *
 * Calls with Batch are for several matrices of one pattern. Their lists of pointers are on the
 * host. BatchZeroPivot gives the row of the first such pivot of each matrix, or -1.
 *
 * On the device, L and U are one matrix by rows, L + U without the ones on L's diagonal
 * (AccessBundledFactorsDevice). A program frees the arrays of the Extract calls by free().
 *
 * Refused with CUSOLVER_STATUS_NOT_SUPPORTED: matrices by columns (CSC), ones on U's diagonal, and
 * pivots that are boosted (SetNumericProperties with other numbers than 0). The algorithms and the
 * fast mode that a program sets can be read again, and change nothing. */
#ifndef EVGPU_CUDA_CUSOLVERRF_H
#define EVGPU_CUDA_CUSOLVERRF_H
#define CUSOLVERRF_H_

#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0, /* default */
    CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} cusolverRfResetValuesFastMode_t;
typedef enum {
    CUSOLVERRF_MATRIX_FORMAT_CSR = 0, /* default */
    CUSOLVERRF_MATRIX_FORMAT_CSC = 1
} cusolverRfMatrixFormat_t;
/* Whose diagonal is 1, and whether the ones are among its entries. */
typedef enum {
    CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0, /* default */
    CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum {
    CUSOLVERRF_FACTORIZATION_ALG0 = 0, /* default */
    CUSOLVERRF_FACTORIZATION_ALG1 = 1,
    CUSOLVERRF_FACTORIZATION_ALG2 = 2
} cusolverRfFactorization_t;
typedef enum {
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1, /* default */
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum {
    CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
    CUSOLVERRF_NUMERIC_BOOST_USED = 1
} cusolverRfNumericBoostReport_t;

typedef struct cusolverRfCommon *cusolverRfHandle_t;

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t *handle);
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle);

cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diagonal);
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t *format,
                                           cusolverRfUnitDiagonal_t *diagonal);
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero,
                                                double boost);
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double *zero,
                                                double *boost);
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t *report);
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t mode);
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t *mode);
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factor,
                                   cusolverRfTriangularSolve_t solve);
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t *factor,
                                   cusolverRfTriangularSolve_t *solve);

cusolverStatus_t cusolverRfSetupHost(int n, int nnzA, int *offsetsA, int *columnsA, double *valuesA,
                                     int nnzL, int *offsetsL, int *columnsL, double *valuesL,
                                     int nnzU, int *offsetsU, int *columnsU, double *valuesU,
                                     int *P, int *Q, cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int *offsetsA, int *columnsA,
                                       double *valuesA, int nnzL, int *offsetsL, int *columnsL,
                                       double *valuesL, int nnzU, int *offsetsU, int *columnsU,
                                       double *valuesU, int *P, int *Q, cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int *offsetsA, int *columnsA,
                                       double *valuesA, int *P, int *Q, cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int *P, int *Q, int nrhs, double *Temp,
                                 int ldt, double *XF, int ldxf);

cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int *nnz,
                                                      int **offsets, int **columns,
                                                      double **values);
cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int *nnz,
                                                     int **offsets, int **columns, double **values);
cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int *nnzL,
                                                   int **offsetsL, int **columnsL, double **valuesL,
                                                   int *nnzU, int **offsetsU, int **columnsU,
                                                   double **valuesU);

cusolverStatus_t cusolverRfBatchSetupHost(int batch, int n, int nnzA, int *offsetsA, int *columnsA,
                                          double *valuesA[], int nnzL, int *offsetsL, int *columnsL,
                                          double *valuesL, int nnzU, int *offsetsU, int *columnsU,
                                          double *valuesU, int *P, int *Q,
                                          cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchResetValues(int batch, int n, int nnzA, int *offsetsA,
                                            int *columnsA, double *valuesA[], int *P, int *Q,
                                            cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int *P, int *Q, int nrhs,
                                      double *Temp, int ldt, double *XF[], int ldxf);
cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int *position);

#ifdef __cplusplus
}
#endif

#endif
