/* cuSPARSE: sparse matrices by rows (CSR), columns (CSC) and entries (COO) in single and double
 * precision, a part of cuSPARSE Library 11.7.
 *
 * Indices begin at 0 or 1. They have 32 bits, or, for SpMV, SpMM, SparseToDense and DenseToSparse,
 * 64. Calls enqueue kernels in the handle's stream and return, and may be captured into a graph;
 * the calls that wait are named below. Sums have a fixed order, so equal calls give equal bits.
 * Scalars (alpha, beta) are on the host or on the device, as the pointer mode says. Buffers are on
 * the device, of the bytes that the call of their size names. What is not declared here is not
 * there: other types of numbers. cusparse_blocked.h has blocks and slices. What is declared and not
 * supported returns CUSPARSE_STATUS_NOT_SUPPORTED: indices of other sizes, types that differ from
 * computeType or are neither CUDA_R_32F nor CUDA_R_64F. */
#ifndef EVGPU_CUDA_CUSPARSE_H
#define EVGPU_CUDA_CUSPARSE_H
#define CUSPARSE_H_
#define CUSPARSEAPI /* for helper_cuda.h */

#include <stdint.h>
#include <stdio.h>

#include "cuda_runtime_api.h"

#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUSPARSE_VER_MAJOR 11
#define CUSPARSE_VER_MINOR 7
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VER_BUILD 107
#define CUSPARSE_VERSION   (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

typedef enum {
    CUSPARSE_POINTER_MODE_HOST = 0,
    CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2 /* of real numbers: the transpose */
} cusparseOperation_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 /* both: by levels */
} cusparseSolvePolicy_t;

typedef enum {
    CUSPARSE_INDEX_16U = 1,
    CUSPARSE_INDEX_32I = 2,
    CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_COO_AOS = 4,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6,
    CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_SPMAT_FILL_MODE = 0,
    CUSPARSE_SPMAT_DIAG_TYPE = 1
} cusparseSpMatAttribute_t;

/* All algorithms of a format are one; those of other formats are not supported. */
typedef enum {
    CUSPARSE_MV_ALG_DEFAULT = 0,
    CUSPARSE_COOMV_ALG = 1,
    CUSPARSE_CSRMV_ALG1 = 2,
    CUSPARSE_CSRMV_ALG2 = 3,
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG2 = 4,
    CUSPARSE_SPMV_SELL_ALG1 = 5,
    CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_MM_ALG_DEFAULT = 0,
    CUSPARSE_COOMM_ALG1 = 1,
    CUSPARSE_COOMM_ALG2 = 2,
    CUSPARSE_COOMM_ALG3 = 3,
    CUSPARSE_CSRMM_ALG1 = 4,
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
    CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum { CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2 } cusparseCsr2CscAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
/* All are one. */
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;

/* --- handles. One thread uses a handle at a time. ----------------------------------------------
 */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);

/* --- types of matrices, for csrilu02 and csrsv2
 * -----------------------------------------------------------
 */

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diag);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr);

/* --- descriptions of vectors and matrices, which keep the caller's pointers --------------------
 */

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
                                  cudaDataType *type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t index,
                                     cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t *size, int64_t *nnz,
                                  void **indices, void **values, cusparseIndexType_t *index,
                                  cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseSpVecDescr_t vector, cusparseIndexBase_t *base);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void **values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values);

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                  int64_t *ld, void **values, cudaDataType *type,
                                  cusparseOrder_t *order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type);
/* Entries in any order; sums are in it, row by row. */
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *of_rows, void *of_columns, void *values,
                                   cusparseIndexType_t index, cusparseIndexBase_t base,
                                   cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseSpMatDescr_t matrix);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **offsets, void **indices, void **values,
                                cusparseIndexType_t *offset, cusparseIndexType_t *index,
                                cusparseIndexBase_t *base, cudaDataType *type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **of_rows, void **of_columns, void **values,
                                cusparseIndexType_t *index, cusparseIndexBase_t *base,
                                cudaDataType *type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *of_rows,
                                        void *of_columns, void *values);
cusparseStatus_t cusparseSpMatGetSize(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                      int64_t *nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseSpMatDescr_t matrix, cusparseFormat_t *format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseSpMatDescr_t matrix, cusparseIndexBase_t *base);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size);

/* Batches, for SpMM and SDDMM: matrices so many elements apart, which a stride of 0 shares. A
 * matrix of no batch is that of all products. */
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int batch,
                                              int64_t stride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseDnMatDescr_t matrix, int *batch,
                                              int64_t *stride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batch,
                                            int64_t offsets_stride, int64_t stride);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int batch, int64_t stride);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseSpMatDescr_t matrix, int *batch);

/* --- from one format to another. The rows of entries ascend for coo2csr. Columns of csr2csc have
 * their entries in the order of rows; it takes numbers of 4, 8 and 16 bytes. ----------------------
 */

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *values, const int *offsets,
    const int *indices, void *csc_values, int *csc_offsets, int *csc_indices, cudaDataType type,
    cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg, size_t *size);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *offsets, const int *indices,
                                    void *csc_values, int *csc_offsets, int *csc_indices,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg,
                                    void *buffer);

/* --- the order of entries. Equal columns of a row (rows of a column) keep their order; p, which
 * may be NULL, changes as the entries do.
 * ------------------------------------------------------------
 */

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *columns,
                                                size_t *size);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descr, const int *offsets, int *columns,
                                  int *p, void *buffer);
/* Entries with a row and a column each, all from 0 or all from 1. */
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *rows, const int *columns, size_t *size);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                       int *columns, int *p, void *buffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                          int *columns, int *p, void *buffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *offsets, const int *rows, size_t *size);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descr, const int *offsets, int *rows,
                                  int *p, void *buffer);

/* --- dense matrices: what is not 0 becomes an entry. The analysis counts them for the sparse
 * matrix, whose places the caller then gives; it waits for the stream, as a count for the host
 * does. ------------------------------------------------------------------------------------------
 */

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t alg, size_t *size);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseDnMatDescr_t a,
                                                cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t alg, void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t alg, void *buffer);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t alg, size_t *size);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t alg,
                                       void *buffer);
/* Of a column-major matrix: the counts of rows or columns on the device, and their sum where the
 * pointer mode says. */
cusparseStatus_t cusparseSnnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                              const cusparseMatDescr_t descr, const float *a, int lda, int *counts,
                              int *total);
cusparseStatus_t cusparseDnnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                              const cusparseMatDescr_t descr, const double *a, int lda, int *counts,
                              int *total);

/* --- sparse vectors, whose indices differ: values = y[indices]; y[indices] = values;
 * y = alpha x + beta y --------------------------------------------------------------------------
 */

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseDnVecDescr_t y,
                                cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseSpVecDescr_t x,
                                 cusparseDnVecDescr_t y);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y);
/* Entries of x and y turn: x = c x + s y, y = c y - s x. */
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y);
/* The sum of products, to the host or the device by the pointer mode. */
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseSpVecDescr_t x, cusparseDnVecDescr_t y,
                                         const void *result, cudaDataType computeType,
                                         size_t *size);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseSpVecDescr_t x, cusparseDnVecDescr_t y, void *result,
                              cudaDataType computeType, void *buffer);
/* The older interface. */
cusparseStatus_t cusparseSgthr(cusparseHandle_t handle, int nnz, const float *y, float *x,
                               const int *indices, cusparseIndexBase_t base);
cusparseStatus_t cusparseDgthr(cusparseHandle_t handle, int nnz, const double *y, double *x,
                               const int *indices, cusparseIndexBase_t base);
cusparseStatus_t cusparseSsctr(cusparseHandle_t handle, int nnz, const float *x, const int *indices,
                               float *y, cusparseIndexBase_t base);
cusparseStatus_t cusparseDsctr(cusparseHandle_t handle, int nnz, const double *x,
                               const int *indices, double *y, cusparseIndexBase_t base);

/* --- products: y = alpha op(a) x + beta y; c = alpha op(a) op(b) + beta c. With a beta of 0 the
 * old y or c is not read. What does not have op(a) by rows (a transposed CSR, a plain CSC, a COO)
 * is put into rows in the buffer, by every call.
 * --------------
 */

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseSpMatDescr_t a,
                                         cusparseDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t *size);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType computeType,
                              cusparseSpMVAlg_t alg, void *buffer);
/* Nothing is prepared: these check, as the product does. */
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseSpMatDescr_t a,
                                         cusparseDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *buffer);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg,
                                         void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg,
                                         size_t *size);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha, cusparseSpMatDescr_t a,
                              cusparseDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
                              cudaDataType computeType, cusparseSpMMAlg_t alg, void *buffer);

/* c = alpha op(a) op(b) + beta c where c, a CSR, has entries. */
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseDnMatDescr_t a, cusparseDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg,
                                          size_t *size);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseDnMatDescr_t a, cusparseDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg,
                                          void *buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha, cusparseDnMatDescr_t a,
                               cusparseDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                               cudaDataType computeType, cusparseSDDMMAlg_t alg, void *buffer);

/* --- products of sparse matrices in rows: c = alpha a b + beta c. With NULL, workEstimation and
 * compute give the bytes of a buffer, else they work in it and wait for the stream; both buffers
 * stay in use until copy. compute counts the entries of c, for which the caller then gives places;
 * with a beta that is not 0, c has this pattern already. Columns of c's rows ascend. -------------
 */

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                               cusparseSpGEMMDescr_t descr, size_t *size,
                                               void *buffer);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void *alpha,
                                        cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c,
                                        cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                        cusparseSpGEMMDescr_t descr, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void *alpha,
                                     cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t descr);

/* After workEstimation: the number of products, and the bytes of compute's buffer. */
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *products);
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                               cusparseSpGEMMDescr_t descr, float fraction,
                                               size_t *size3, void *buffer3, size_t *size2);

/* --- the same with patterns that stay: workEstimation, nnz and copy find them once, compute then
 * takes new values of a and b as often as wanted. The first two buffers go after nnz, the third
 * after copy; the fourth and fifth stay. nnz waits for the stream, as workEstimation does.
 * -------- */

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseSpMatDescr_t a, cusparseSpMatDescr_t b, cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t descr, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseSpMatDescr_t a,
                                         cusparseSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                         size_t *size2, void *buffer2, size_t *size3, void *buffer3,
                                         size_t *size4, void *buffer4);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseSpMatDescr_t a,
                                          cusparseSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                          size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void *alpha,
                                             cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                             const void *beta, cusparseSpMatDescr_t c,
                                             cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                             cusparseSpGEMMDescr_t descr);

/* --- triangles: op(a) y = alpha x; op(a) c = alpha op(b). a's attributes name the triangle:
 * entries beyond it, and a diagonal of type unit, are not read. The analysis finds the levels of
 * rows whose results do not depend on each other; it waits for the stream, and so is not for
 * graphs. Its buffer stays in use until the last solution. Values may change between analysis and
 * solution, the pattern may not. A row without a diagonal entry divides by 0. -------------------
 */

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseSpMatDescr_t a,
                                         cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t descr, size_t *size);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       const void *alpha, cusparseSpMatDescr_t a,
                                       cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t descr, void *buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void *alpha, cusparseSpMatDescr_t a,
                                    cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType computeType,
                                         cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                         size_t *size);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       cusparseOperation_t opB, const void *alpha,
                                       cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType computeType,
                                       cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                       void *buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void *alpha,
                                    cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType computeType,
                                    cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr);

/* --- csrilu02: L and U of a square matrix, in its place and pattern (ILU with no fill-in). L's
 * diagonal of ones is not kept. csric02: L of a symmetric positive definite matrix, likewise, in
 * its lower triangle; the rest of it is not read and stays. The columns of each row ascend, else
 * the analysis returns CUSPARSE_STATUS_NOT_SUPPORTED.
 *
 * csrsv2: op(a) y = alpha x, a's triangle by its type's fill mode and diagonal.
 *
 * The analysis of each waits, and keeps what it finds in `info`; buffers are not used. zeroPivot
 * waits; it gives the first row whose diagonal has no entry or, once factored or solved, the first
 * one that lacks it or has 0 (csric02: 0 or less, before its root is taken), or -1.
 * -------------------------------------------------------------------
 */

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position);

cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int *position);

cusparseStatus_t cusparseCreateCsrsv2Info(csrsv2Info_t *info);
cusparseStatus_t cusparseDestroyCsrsv2Info(csrsv2Info_t info);
cusparseStatus_t cusparseXcsrsv2_zeroPivot(cusparseHandle_t handle, csrsv2Info_t info,
                                           int *position);

#define CUSPARSE_EACH(R, T)                                                                        \
    cusparseStatus_t cusparse##R##csrilu02_bufferSize(                                             \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csrilu02Info_t info, int *size);                   \
    cusparseStatus_t cusparse##R##csrilu02_analysis(                                               \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T *values,  \
        const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer);                                                                             \
    cusparseStatus_t cusparse##R##csrilu02(                                                        \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
        void *buffer);                                                                             \
    cusparseStatus_t cusparse##R##csric02_bufferSize(                                              \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csric02Info_t info, int *size);                    \
    cusparseStatus_t cusparse##R##csric02_analysis(                                                \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T *values,  \
        const int *offsets, const int *indices, csric02Info_t info, cusparseSolvePolicy_t policy,  \
        void *buffer);                                                                             \
    cusparseStatus_t cusparse##R##csric02(                                                         \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, csric02Info_t info, cusparseSolvePolicy_t policy,  \
        void *buffer);                                                                             \
    cusparseStatus_t cusparse##R##csrsv2_bufferSize(                                               \
        cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz,                           \
        const cusparseMatDescr_t descr, T *values, const int *offsets, const int *indices,         \
        csrsv2Info_t info, int *size);                                                             \
    cusparseStatus_t cusparse##R##csrsv2_analysis(                                                 \
        cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz,                           \
        const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,   \
        csrsv2Info_t info, cusparseSolvePolicy_t policy, void *buffer);                            \
    cusparseStatus_t cusparse##R##csrsv2_solve(                                                    \
        cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz, const T *alpha,           \
        const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,   \
        csrsv2Info_t info, const T *x, T *y, cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_EACH(S, float)
CUSPARSE_EACH(D, double)
#undef CUSPARSE_EACH

/* --- systems of few diagonals. Element i of a diagonal is of row i: those beyond the matrix are
 * not read. gtsv2: three diagonals, n right sides in the columns of b, which become the solutions;
 * also systems one behind the other, or element by element in turn (Interleaved). gpsv: five
 * diagonals, ds the lowest. All exchange rows where that is needed, also gtsv2_nopivot, and a
 * thread takes a whole system, so one large system is slow. The diagonals stay.
 * ------------------------------------
 */

#define CUSPARSE_EACH(R, T)                                                                        \
    cusparseStatus_t cusparse##R##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n,       \
                                                      const T *dl, const T *d, const T *du,        \
                                                      const T *b, int ldb, size_t *size);          \
    cusparseStatus_t cusparse##R##gtsv2(cusparseHandle_t handle, int m, int n, const T *dl,        \
                                        const T *d, const T *du, T *b, int ldb, void *buffer);     \
    cusparseStatus_t cusparse##R##gtsv2_nopivot_bufferSizeExt(                                     \
        cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, const T *b,   \
        int ldb, size_t *size);                                                                    \
    cusparseStatus_t cusparse##R##gtsv2_nopivot(cusparseHandle_t handle, int m, int n,             \
                                                const T *dl, const T *d, const T *du, T *b,        \
                                                int ldb, void *buffer);                            \
    cusparseStatus_t cusparse##R##gtsv2StridedBatch_bufferSizeExt(                                 \
        cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, const T *x,          \
        int count, int stride, size_t *size);                                                      \
    cusparseStatus_t cusparse##R##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T *dl,   \
                                                    const T *d, const T *du, T *x, int count,      \
                                                    int stride, void *buffer);                     \
    cusparseStatus_t cusparse##R##gtsvInterleavedBatch_bufferSizeExt(                              \
        cusparseHandle_t handle, int algorithm, int m, const T *dl, const T *d, const T *du,       \
        const T *x, int count, size_t *size);                                                      \
    cusparseStatus_t cusparse##R##gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm,     \
                                                       int m, T *dl, T *d, T *du, T *x, int count, \
                                                       void *buffer);                              \
    cusparseStatus_t cusparse##R##gpsvInterleavedBatch_bufferSizeExt(                              \
        cusparseHandle_t handle, int algorithm, int m, const T *ds, const T *dl, const T *d,       \
        const T *du, const T *dw, const T *x, int count, size_t *size);                            \
    cusparseStatus_t cusparse##R##gpsvInterleavedBatch(cusparseHandle_t handle, int algorithm,     \
                                                       int m, T *ds, T *dl, T *d, T *du, T *dw,    \
                                                       T *x, int count, void *buffer);
CUSPARSE_EACH(S, float)
CUSPARSE_EACH(D, double)
#undef CUSPARSE_EACH

#include "cusparse_blocked.h"

#ifdef __cplusplus
}
#endif

#endif
