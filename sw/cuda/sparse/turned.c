/* op(a) row by row: what is not so is put into rows by counting. */
#include "sw/cuda/sparse/sparse.h"

bool sparse_has_rows(cusparseOperation_t op, const struct cusparseSpMatDescr *a)
{
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    return a->format != CUSPARSE_FORMAT_COO && !sparse_is_blocked(a) &&
           plain == (a->format == CUSPARSE_FORMAT_CSR);
}

static int64_t row_count(cusparseOperation_t op, const struct cusparseSpMatDescr *a)
{
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? a->rows : a->columns;
}

size_t sparse_turned_bytes(cusparseOperation_t op, cusparseSpMatDescr_t a)
{
    if (sparse_is_blocked(a)) /* ends have one more */
        return (size_t)(a->rows + 2 + 2 * (int64_t)a->blocks.stored) * sizeof(int);
    if (sparse_has_rows(op, a))
        return 0;
    return (size_t)(row_count(op, a) + 1 + 2 * a->nnz) * sizeof(int);
}

cusparseStatus_t sparse_ends(cusparseHandle_t handle, int n, int *counts)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    library_add(&call, &n);
    library_add(&call, &counts);
    return sparse_launch_plain(&call, "turn_ends", (dim3){1, 1, 1});
}

/* Counts the entries of each row, finds where rows end, and takes entries there from the end: what
 * remains of an end is its row's begin. Which thread comes first is open, so that at last the
 * entries of each row are sorted. */
cusparseStatus_t sparse_put_into_rows(cusparseHandle_t handle, const struct sparse_entries *from,
                                      int rows, int nnz, int *offsets, int *columns, int *order)
{
    struct library_call count = sparse_call(handle, CUDA_R_32F), place = count, sort = count;
    if (cudaMemsetAsync(offsets, 0, ((size_t)rows + 1) * sizeof *offsets, handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&count, &nnz);
    library_add(&count, from);
    library_add(&count, &offsets);
    cusparseStatus_t status = sparse_launch_plain(&count, "turn_count", sparse_over(nnz));
    status = status ? status : sparse_ends(handle, rows, offsets);
    library_add(&place, &nnz);
    library_add(&place, from);
    library_add(&place, &offsets);
    library_add(&place, &order);
    status = status ? status : sparse_launch_plain(&place, "turn_place", sparse_over(nnz));
    library_add(&sort, &rows);
    library_add(&sort, from);
    library_add(&sort, &offsets);
    library_add(&sort, &order);
    library_add(&sort, &columns);
    return status ? status : sparse_launch_plain(&sort, "turn_sort", sparse_over(rows));
}

struct sparse_entries sparse_entries_of(cusparseOperation_t op, const struct cusparseSpMatDescr *a)
{
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    struct sparse_entries e = {.base = (int)a->base};
    if (a->format == CUSPARSE_FORMAT_COO) {
        e.keys = plain ? a->offsets : a->indices;
        e.columns = plain ? a->indices : a->offsets;
    } else {
        e.keys = a->indices;
        e.offsets = a->offsets;
        e.count = (int)(a->format == CUSPARSE_FORMAT_CSR ? a->rows : a->columns);
    }
    return e;
}

/* A matrix in slices: the elements of each row without the padding. */
static cusparseStatus_t list_stored(cusparseHandle_t handle, cusparseSpMatDescr_t a, int *offsets,
                                    struct sparse_rows *rows)
{
    struct library_call count = sparse_call(handle, CUDA_R_32F), list = count;
    struct sparse_blocks from = sparse_blocks_of(a);
    int *ends = offsets + 1, *columns = ends + from.rows + 1, *order = columns + from.stored;
    if (cudaMemsetAsync(offsets, 0, sizeof *offsets, handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    library_add(&count, &from);
    library_add(&count, &ends);
    cusparseStatus_t status = sparse_launch_plain(&count, "count_stored", sparse_over(from.rows));
    status = status ? status : sparse_ends(handle, from.rows, ends);
    library_add(&list, &from);
    library_add(&list, &offsets);
    library_add(&list, &columns);
    library_add(&list, &order);
    *rows = (struct sparse_rows){
        .offsets = offsets, .columns = columns, .order = order, .count = from.rows};
    return status ? status : sparse_launch_plain(&list, "list_stored", sparse_over(from.rows));
}

cusparseStatus_t sparse_turned(cusparseHandle_t handle, cusparseOperation_t op,
                               cusparseSpMatDescr_t a, void *buffer, struct sparse_rows *rows)
{
    int count = (int)row_count(op, a);
    *rows = (struct sparse_rows){
        .offsets = a->offsets, .columns = a->indices, .count = count, .base = (int)a->base};
    if (sparse_has_rows(op, a))
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(buffer);
    if (sparse_is_blocked(a))
        return list_stored(handle, a, buffer, rows);
    struct sparse_entries from = sparse_entries_of(op, a);
    int *offsets = buffer, *columns = offsets + count + 1, *order = columns + a->nnz;
    *rows = (struct sparse_rows){
        .offsets = offsets, .columns = columns, .order = order, .count = count};
    return sparse_put_into_rows(handle, &from, count, (int)a->nnz, offsets, columns, order);
}
