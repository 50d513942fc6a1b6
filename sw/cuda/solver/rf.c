/* Refactorization: handles, and what a program sets. */
#include <stdlib.h>

#include "sw/cuda/solver/rf.h"

static bool make(cusolverRfHandle_t rf)
{
    return !cusparseCreate(&rf->sparse) && !cusparseCreateMatDescr(&rf->whole) &&
           !cusparseCreateMatDescr(&rf->lower) && !cusparseCreateMatDescr(&rf->upper) &&
           !cusparseSetMatFillMode(rf->lower, CUSPARSE_FILL_MODE_LOWER) &&
           !cusparseSetMatDiagType(rf->lower, CUSPARSE_DIAG_TYPE_UNIT) &&
           !cusparseSetMatFillMode(rf->upper, CUSPARSE_FILL_MODE_UPPER) &&
           !cusparseSetMatDiagType(rf->upper, CUSPARSE_DIAG_TYPE_NON_UNIT) &&
           !cusparseCreateCsrilu02Info(&rf->factor) && !cusparseCreateCsrsv2Info(&rf->forward) &&
           !cusparseCreateCsrsv2Info(&rf->backward) && library_keep(rf);
}

static void destroy(cusolverRfHandle_t rf)
{
    cusparseDestroyCsrsv2Info(rf->backward);
    cusparseDestroyCsrsv2Info(rf->forward);
    cusparseDestroyCsrilu02Info(rf->factor);
    cusparseMatDescr_t const descriptions[] = {rf->whole, rf->lower, rf->upper};
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
        if (descriptions[i])
            cusparseDestroyMatDescr(descriptions[i]);
    if (rf->sparse)
        cusparseDestroy(rf->sparse);
    rf_clear(rf);
    free(rf);
}

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t *handle)
{
    SOLVER_VALID(handle);
    cusolverRfHandle_t rf = calloc(1, sizeof *rf);
    SOLVER_CHECK(rf, CUSOLVER_STATUS_ALLOC_FAILED);
    rf->triangles = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
    if (!make(rf)) {
        destroy(rf);
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    *handle = rf;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle)
{
    SOLVER_HANDLE(handle);
    library_forget(handle);
    destroy(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diagonal)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID((unsigned int)format <= CUSOLVERRF_MATRIX_FORMAT_CSC &&
                 (unsigned int)diagonal <= CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
    SOLVER_CHECK(format == CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_CHECK(diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L ||
                     diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    handle->diagonal = diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t *format,
                                           cusolverRfUnitDiagonal_t *diagonal)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(format && diagonal);
    *format = CUSOLVERRF_MATRIX_FORMAT_CSR;
    *diagonal = handle->diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero,
                                                double boost)
{
    SOLVER_HANDLE(handle);
    SOLVER_CHECK(zero == 0 && boost == 0, CUSOLVER_STATUS_NOT_SUPPORTED);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double *zero,
                                                double *boost)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(zero && boost);
    *zero = *boost = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t *report)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(report);
    *report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t mode)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID((unsigned int)mode <= CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
    handle->mode = mode;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t *mode)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(mode);
    *mode = handle->mode;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factor,
                                   cusolverRfTriangularSolve_t solve)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID((unsigned int)factor <= CUSOLVERRF_FACTORIZATION_ALG2 &&
                 solve >= CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 &&
                 solve <= CUSOLVERRF_TRIANGULAR_SOLVE_ALG3);
    handle->factorization = factor;
    handle->triangles = solve;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t *factor,
                                   cusolverRfTriangularSolve_t *solve)
{
    SOLVER_HANDLE(handle);
    SOLVER_VALID(factor && solve);
    *factor = handle->factorization;
    *solve = handle->triangles;
    return CUSOLVER_STATUS_SUCCESS;
}
