/* op(a) row by row: a transposed matrix is put into rows by counting. */
#include "sw/cuda/sparse/sparse.h"

size_t sparse_turned_bytes(cusparseOperation_t op, cusparseSpMatDescr_t a)
{
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return 0;
    return (size_t)(a->columns + 1 + 2 * a->nnz) * sizeof(int);
}

/* Counts the entries of each column, finds where columns end, and takes entries there from the
 * end: what remains of an end is its column's begin. Which thread comes first is open, so that at
 * last the entries of each column are sorted. */
static cusparseStatus_t turn(cusparseHandle_t handle, struct sparse_rows from, int columns, int nnz,
                             int *offsets, int *rows, int *order)
{
    struct library_call count = sparse_call(handle, CUDA_R_32F), ends = count, place = count,
                        sort = count;
    if (cudaMemsetAsync(offsets, 0, ((size_t)columns + 1) * sizeof *offsets, handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&count, &nnz);
    library_add(&count, &from);
    library_add(&count, &offsets);
    cusparseStatus_t status = sparse_launch_plain(&count, "turn_count", sparse_over(nnz));
    library_add(&ends, &columns);
    library_add(&ends, &offsets);
    status = status ? status : sparse_launch_plain(&ends, "turn_ends", (dim3){1, 1, 1});
    library_add(&place, &nnz);
    library_add(&place, &from);
    library_add(&place, &offsets);
    library_add(&place, &order);
    status = status ? status : sparse_launch_plain(&place, "turn_place", sparse_over(nnz));
    library_add(&sort, &columns);
    library_add(&sort, &from);
    library_add(&sort, &offsets);
    library_add(&sort, &order);
    library_add(&sort, &rows);
    return status ? status : sparse_launch_plain(&sort, "turn_sort", sparse_over(columns));
}

cusparseStatus_t sparse_turned(cusparseHandle_t handle, cusparseOperation_t op,
                               cusparseSpMatDescr_t a, void *buffer, struct sparse_rows *rows)
{
    struct sparse_rows from = {
        .offsets = a->offsets, .columns = a->indices, .count = (int)a->rows, .base = (int)a->base};
    *rows = from;
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(buffer);
    int *offsets = buffer, *columns = offsets + a->columns + 1, *order = columns + a->nnz;
    *rows = (struct sparse_rows){
        .offsets = offsets, .columns = columns, .order = order, .count = (int)a->columns};
    return turn(handle, from, (int)a->columns, (int)a->nnz, offsets, columns, order);
}
