/* From dense matrices to sparse ones and back, and their counts. */
#include "sw/cuda/sparse/sparse.h"

#define CLEAR_LINES 1024u /* of blocks at most; further lines are taken in turn */

/* A dense matrix by the lines of a format: columns for CSC, else rows. */
struct lined {
    struct sparse_lines lines;
    int count, length;
    cudaDataType type;
};

static struct lined lined(cusparseDnMatDescr_t matrix, cusparseFormat_t format)
{
    bool columns = format == CUSPARSE_FORMAT_CSC;
    struct sparse_dense d = sparse_of_matrix(matrix, columns ? CUSPARSE_OPERATION_NON_TRANSPOSE
                                                             : CUSPARSE_OPERATION_TRANSPOSE);
    return (struct lined){d.lines, (int)d.columns, (int)d.rows, d.type};
}

static cusparseStatus_t check(cusparseDnMatDescr_t dense, cusparseSpMatDescr_t sparse)
{
    SPARSE_SUPPORTED(!sparse || !sparse_is_blocked(sparse) ||
                     sparse->format == CUSPARSE_FORMAT_BLOCKED_ELL);
    SPARSE_VALID(library_knows(dense) && library_knows(sparse) && dense->rows == sparse->rows &&
                 dense->columns == sparse->columns);
    SPARSE_SUPPORTED(sparse_is_type(dense->type) && sparse->type == dense->type);
    SPARSE_VALID(dense->values || !dense->rows || !dense->columns);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t count(cusparseHandle_t handle, const struct lined *from, int *counts)
{
    struct library_call call = sparse_call(handle, from->type);
    if (!from->count)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &from->lines);
    library_add(&call, &from->count);
    library_add(&call, &from->length);
    library_add(&call, &counts);
    return sparse_launch(&call, "count", sparse_over(from->count));
}

/* Where the entries of each line end. */
static cusparseStatus_t find_ends(cusparseHandle_t handle, const struct lined *from, int *ends)
{
    cusparseStatus_t status = count(handle, from, ends);
    return status ? status : sparse_ends(handle, from->count, ends);
}

static size_t ends_bytes(cusparseSpMatDescr_t sparse)
{
    bool columns = sparse->format == CUSPARSE_FORMAT_CSC;
    return (size_t)((columns ? sparse->columns : sparse->rows) + 1) * sizeof(int);
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t alg, size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(size && alg == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
    cusparseStatus_t status = check(a, b);
    if (!status)
        *size = ends_bytes(b);
    return status;
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseDnMatDescr_t a,
                                                cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t alg, void *buffer)
{
    int nnz = 0;
    SPARSE_HANDLE(handle);
    SPARSE_VALID(buffer && alg == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
    cusparseStatus_t status = check(a, b);
    if (status || sparse_is_blocked(b)) /* whose blocks the program has chosen */
        return status;
    struct lined from = lined(a, b->format);
    int *ends = buffer;
    status = find_ends(handle, &from, ends);
    status = status ? status : sparse_fetch(handle, &nnz, ends + from.count);
    if (!status)
        b->nnz = nnz;
    return status;
}

static cusparseStatus_t take(cusparseHandle_t handle, const struct lined *from,
                             cusparseSpMatDescr_t to, int *ends)
{
    struct library_call call = sparse_call(handle, from->type);
    int base = (int)to->base;
    if (!to->nnz)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(to->indices && to->values);
    library_add(&call, &from->lines);
    library_add(&call, &from->count);
    library_add(&call, &from->length);
    library_add(&call, &base);
    library_add(&call, &ends);
    library_add(&call, &to->indices);
    library_add(&call, &to->values);
    return sparse_launch(&call, to->wide_indices ? "take_wide" : "take", sparse_over(from->count));
}

/* `ends`, from 0, as the matrix has its offsets, or the row of each entry. */
static cusparseStatus_t put_offsets(cusparseHandle_t handle, int count, int *ends,
                                    cusparseSpMatDescr_t to)
{
    int base = (int)to->base, nnz = (int)to->nnz;
    if (to->format != CUSPARSE_FORMAT_COO)
        return to->wide_offsets ? sparse_widen(handle, count + 1, base, ends, to->offsets)
                                : sparse_rebase(handle, count + 1, base, ends);
    cusparseStatus_t status = sparse_rebase(handle, count + 1, base, ends);
    if (status || !to->wide_offsets || !nnz)
        return status ? status : cusparseXcsr2coo(handle, ends, nnz, count, to->offsets, to->base);
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    library_add(&call, &nnz);
    library_add(&call, &ends);
    library_add(&call, &count);
    library_add(&call, &base);
    library_add(&call, &to->offsets);
    return sparse_launch_plain(&call, "find_rows_wide", sparse_over(nnz));
}

static cusparseStatus_t take_blocks(cusparseHandle_t handle, const struct lined *from,
                                    cusparseSpMatDescr_t to)
{
    struct library_call call = sparse_call(handle, from->type);
    struct sparse_blocks blocks = sparse_blocks_of(to);
    int count = (int)to->nnz;
    SPARSE_SUPPORTED(!sparse_is_wide(to));
    if (!count)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(to->indices && to->values);
    library_add(&call, &count);
    library_add(&call, &from->lines);
    library_add(&call, &blocks);
    library_add(&call, &to->values);
    return sparse_launch(&call, "take_blocks", sparse_over(count));
}

/* The places are found once more: the buffer of the analysis need not last. */
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t alg, void *buffer)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(buffer && alg == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
    cusparseStatus_t status = check(a, b);
    if (status)
        return status;
    struct lined from = lined(a, b->format);
    if (sparse_is_blocked(b))
        return take_blocks(handle, &from, b);
    int *ends = b->format == CUSPARSE_FORMAT_COO || b->wide_offsets ? buffer : b->offsets;
    SPARSE_VALID(ends && (b->offsets || !b->nnz));
    status = find_ends(handle, &from, ends);
    status = status ? status : take(handle, &from, b, ends);
    return status ? status : put_offsets(handle, from.count, ends, b);
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t alg, size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && size && alg == CUSPARSE_SPARSETODENSE_ALG_DEFAULT);
    SPARSE_SUPPORTED(!sparse_is_blocked(a));
    cusparseStatus_t status = check(b, a);
    if (!status)
        *size = SPARSE_NO_BUFFER + sparse_narrow_bytes(a);
    return status;
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t alg,
                                       void *buffer)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && alg == CUSPARSE_SPARSETODENSE_ALG_DEFAULT);
    SPARSE_SUPPORTED(!sparse_is_blocked(a));
    struct cusparseSpMatDescr narrow;
    cusparseStatus_t status = check(b, a);
    if (status || !b->rows || !b->columns)
        return status;
    status = sparse_narrow(handle, a, &buffer, &narrow);
    if (status)
        return status;
    /* Keys are columns of CSR, else rows. */
    struct sparse_entries from = sparse_entries_of(CUSPARSE_OPERATION_NON_TRANSPOSE, &narrow);
    struct lined to =
        lined(b, a->format == CUSPARSE_FORMAT_CSR ? CUSPARSE_FORMAT_CSC : CUSPARSE_FORMAT_CSR);
    struct library_call clear = sparse_call(handle, to.type), spread = clear;
    int nnz = (int)a->nnz;
    library_add(&clear, &to.lines);
    library_add(&clear, &to.count);
    library_add(&clear, &to.length);
    dim3 grid = sparse_over(to.length);
    grid.y = library_blocks(to.count, 1, CLEAR_LINES);
    status = sparse_launch(&clear, "clear", grid);
    if (status || !nnz)
        return status;
    SPARSE_VALID(a->offsets && a->indices && a->values);
    library_add(&spread, &nnz);
    library_add(&spread, &from);
    library_add(&spread, &a->values);
    library_add(&spread, &to.lines);
    return sparse_launch(&spread, "spread", sparse_over(nnz));
}

/* --- counts -------------------------------------------------------------------------------------
 */

static cusparseStatus_t total(cusparseHandle_t handle, int n, const int *counts, int *result)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    bool to_host = handle->pointers == CUSPARSE_POINTER_MODE_HOST;
    int *sum = result;
    SPARSE_CHECK(!to_host || !cudaMalloc((void **)&sum, sizeof *sum), CUSPARSE_STATUS_ALLOC_FAILED);
    library_add(&call, &n);
    library_add(&call, &counts);
    library_add(&call, &sum);
    cusparseStatus_t status = sparse_launch_plain(&call, "total", (dim3){1, 1, 1});
    if (!to_host)
        return status;
    status = status ? status : sparse_fetch(handle, result, sum);
    cudaFree(sum);
    return status;
}

static cusparseStatus_t nnz(cusparseHandle_t handle, cusparseDirection_t direction,
                            struct cusparseDnMatDescr a, int *counts, int *result)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN);
    SPARSE_VALID(a.rows >= 0 && a.columns >= 0 && a.ld >= (a.rows > 1 ? a.rows : 1) && result);
    SPARSE_VALID(!a.rows || !a.columns || (a.values && counts));
    struct lined from =
        lined(&a, direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_FORMAT_CSR : CUSPARSE_FORMAT_CSC);
    cusparseStatus_t status = count(handle, &from, counts);
    return status ? status : total(handle, from.count, counts, result);
}

#define NNZ(R, T, of_t)                                                                            \
    cusparseStatus_t cusparse##R##nnz(cusparseHandle_t handle, cusparseDirection_t direction,      \
                                      int m, int n, const cusparseMatDescr_t descr, const T *a,    \
                                      int lda, int *counts, int *total)                            \
    {                                                                                              \
        struct cusparseDnMatDescr matrix = {.rows = m,                                             \
                                            .columns = n,                                          \
                                            .ld = lda,                                             \
                                            .values = (void *)(uintptr_t)a,                        \
                                            .type = of_t,                                          \
                                            .order = CUSPARSE_ORDER_COL};                          \
        SPARSE_CHECK(!handle || !descr || descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,             \
                     CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);                                   \
        SPARSE_VALID(!handle || library_knows(descr));                                             \
        return nnz(handle, direction, matrix, counts, total);                                      \
    }
NNZ(S, float, CUDA_R_32F)
NNZ(D, double, CUDA_R_64F)
