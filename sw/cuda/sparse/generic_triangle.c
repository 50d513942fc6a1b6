/* SpSV and SpSM: triangles for a vector and for the columns of a matrix. */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

struct cusparseSpSVDescr {
    struct sparse_triangle triangle;
};
struct cusparseSpSMDescr {
    struct sparse_triangle triangle;
};

/* --- for a vector ------------------------------------------------------------------------------
 */

#define OF_VECTORS                                                                                 \
    {                                                                                              \
        .op = op, .a = a, .alpha = alpha, .b = sparse_of_vector(x), .x = sparse_of_vector(y),      \
        .compute = computeType                                                                     \
    }

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr)
{
    SPARSE_VALID(descr);
    *descr = calloc(1, sizeof **descr);
    return sparse_keep(*descr);
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr)
{
    SPARSE_VALID(library_knows(descr));
    library_forget(descr);
    sparse_levels_free(&descr->triangle.levels);
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseSpMatDescr_t a,
                                         cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t descr, size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(x) && library_knows(y) && library_knows(descr) &&
                 size);
    SPARSE_SUPPORTED(alg == CUSPARSE_SPSV_ALG_DEFAULT);
    struct sparse_solution s = OF_VECTORS;
    *size = sparse_triangle_bytes(s.op, a);
    return sparse_triangle_check(&s);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       const void *alpha, cusparseSpMatDescr_t a,
                                       cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t descr, void *buffer)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(x) && library_knows(y) && library_knows(descr));
    SPARSE_SUPPORTED(alg == CUSPARSE_SPSV_ALG_DEFAULT);
    struct sparse_solution s = OF_VECTORS;
    return sparse_triangle_analyse(handle, &s, buffer, &descr->triangle);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void *alpha, cusparseSpMatDescr_t a,
                                    cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t descr)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(x) && library_knows(y) && library_knows(descr));
    SPARSE_SUPPORTED(alg == CUSPARSE_SPSV_ALG_DEFAULT);
    struct sparse_solution s = OF_VECTORS;
    return sparse_triangle_solve(handle, &s, &descr->triangle);
}

/* --- for the columns of a matrix ---------------------------------------------------------------
 */

#define OF_MATRICES                                                                                \
    {                                                                                              \
        .op = opA, .a = a, .alpha = alpha, .b = sparse_of_matrix(b, opB),                          \
        .x = sparse_of_matrix(c, CUSPARSE_OPERATION_NON_TRANSPOSE), .compute = computeType         \
    }

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr)
{
    SPARSE_VALID(descr);
    *descr = calloc(1, sizeof **descr);
    return sparse_keep(*descr);
}

cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr)
{
    SPARSE_VALID(library_knows(descr));
    library_forget(descr);
    sparse_levels_free(&descr->triangle.levels);
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType computeType,
                                         cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                         size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(b) && library_knows(c) && library_knows(descr) &&
                 size && sparse_is_op(opB));
    SPARSE_SUPPORTED(alg == CUSPARSE_SPSM_ALG_DEFAULT);
    struct sparse_solution s = OF_MATRICES;
    *size = sparse_triangle_bytes(s.op, a);
    return sparse_triangle_check(&s);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       cusparseOperation_t opB, const void *alpha,
                                       cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType computeType,
                                       cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                       void *buffer)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(b) && library_knows(c) && library_knows(descr) &&
                 sparse_is_op(opB));
    SPARSE_SUPPORTED(alg == CUSPARSE_SPSM_ALG_DEFAULT);
    struct sparse_solution s = OF_MATRICES;
    return sparse_triangle_analyse(handle, &s, buffer, &descr->triangle);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void *alpha,
                                    cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType computeType,
                                    cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(b) && library_knows(c) && library_knows(descr) &&
                 sparse_is_op(opB));
    SPARSE_SUPPORTED(alg == CUSPARSE_SPSM_ALG_DEFAULT);
    struct sparse_solution s = OF_MATRICES;
    return sparse_triangle_solve(handle, &s, &descr->triangle);
}
