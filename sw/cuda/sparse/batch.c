/* Batches of matrices. */
#include "sw/cuda/sparse/sparse.h"

static bool are_batches(int batch, int64_t stride)
{
    return batch > 0 && stride >= 0;
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int batch,
                                              int64_t stride)
{
    SPARSE_VALID(library_knows(matrix) && are_batches(batch, stride));
    int64_t lines = matrix->order == CUSPARSE_ORDER_COL ? matrix->columns : matrix->rows;
    SPARSE_VALID(batch == 1 || !stride || stride >= lines * matrix->ld);
    matrix->batch = batch;
    matrix->stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseDnMatDescr_t matrix, int *batch,
                                              int64_t *stride)
{
    SPARSE_VALID(library_knows(matrix) && batch && stride);
    *batch = matrix->batch ? matrix->batch : 1;
    *stride = matrix->stride;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t set(cusparseSpMatDescr_t matrix, cusparseFormat_t format, int batch,
                            int64_t offsets_stride, int64_t stride)
{
    SPARSE_VALID(library_knows(matrix) && matrix->format == format &&
                 are_batches(batch, offsets_stride) && stride >= 0);
    matrix->batch = batch;
    matrix->offsets_stride = offsets_stride;
    matrix->stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batch,
                                            int64_t offsets_stride, int64_t stride)
{
    return set(matrix, CUSPARSE_FORMAT_CSR, batch, offsets_stride, stride);
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int batch, int64_t stride)
{
    return set(matrix, CUSPARSE_FORMAT_COO, batch, stride, stride);
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseSpMatDescr_t matrix, int *batch)
{
    SPARSE_VALID(library_knows(matrix) && batch);
    *batch = matrix->batch ? matrix->batch : 1;
    return CUSPARSE_STATUS_SUCCESS;
}

static void *behind(void *at, int64_t elements, size_t bytes)
{
    return at ? (char *)at + elements * (int64_t)bytes : NULL;
}

struct cusparseSpMatDescr sparse_member(const struct cusparseSpMatDescr *batch, int i)
{
    struct cusparseSpMatDescr one = *batch;
    int at = batch->batch > 1 ? i : 0;
    one.offsets = behind(one.offsets, at * one.offsets_stride, sizeof(int));
    one.indices = behind(one.indices, at * one.stride, sizeof(int));
    one.values = behind(one.values, at * one.stride, sparse_value_bytes(one.type));
    return one;
}

struct cusparseDnMatDescr sparse_dense_member(const struct cusparseDnMatDescr *batch, int i)
{
    struct cusparseDnMatDescr one = *batch;
    one.values =
        behind(one.values, (batch->batch > 1 ? i : 0) * one.stride, sparse_value_bytes(one.type));
    return one;
}

int sparse_batch(int a, int b, int c)
{
    int most = a > b ? a : b;
    most = c > most ? c : most;
    bool fit = (a <= 1 || a == most) && (b <= 1 || b == most) && (c == most || most <= 1);
    return !fit ? 0 : most > 1 ? most : 1;
}
