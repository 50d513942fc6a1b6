/* Entries in the order of their columns. */
#include "sw/cuda/sparse/sparse.h"

static cusparseStatus_t identity(cusparseHandle_t handle, int n, int *order)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    if (!n)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &n);
    library_add(&call, &order);
    return sparse_launch_plain(&call, "identity", sparse_over(n));
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(n >= 0 && (p || !n));
    return identity(handle, n, p);
}

/* The buffer has an order and what is put into it. */
#define BUFFER_INTS 2

static cusparseStatus_t put(cusparseHandle_t handle, int n, const int *order, int *copy, int *list)
{
    if (!list)
        return CUSPARSE_STATUS_SUCCESS;
    if (cudaMemcpyAsync(copy, list, (size_t)n * sizeof *list, cudaMemcpyDeviceToDevice,
                        handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return sparse_reorder(handle, "reorder_4", n, order, copy, list);
}

/* `lines` rows or columns, whose entries are in `places`. */
static cusparseStatus_t sort(cusparseHandle_t handle, int lines, int nnz, const int *offsets,
                             const cusparseMatDescr_t descr, int *const lists[2], void *buffer)
{
    int *order = buffer, *copy = order + nnz, base = (int)descr->base, *places = lists[0];
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    cusparseStatus_t status = identity(handle, nnz, order);
    library_add(&call, &lines);
    library_add(&call, &offsets);
    library_add(&call, &base);
    library_add(&call, &places);
    library_add(&call, &order);
    status = status ? status : sparse_launch_plain(&call, "sort_columns", sparse_over(lines));
    status = status ? status : put(handle, nnz, order, copy, places);
    return status ? status : put(handle, nnz, order, copy, lists[1]);
}

#define SORT(name, lines)                                                                          \
    cusparseStatus_t cusparseX##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n,        \
                                                     int nnz, const int *offsets,                  \
                                                     const int *places, size_t *size)              \
    {                                                                                              \
        (void)offsets, (void)places;                                                               \
        SPARSE_HANDLE(handle);                                                                     \
        SPARSE_VALID(m >= 0 && n >= 0 && nnz >= 0 && size);                                        \
        *size = nnz ? (size_t)nnz * BUFFER_INTS * sizeof(int) : SPARSE_NO_BUFFER;                  \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseX##name(cusparseHandle_t handle, int m, int n, int nnz,               \
                                     const cusparseMatDescr_t descr, const int *offsets,           \
                                     int *places, int *p, void *buffer)                            \
    {                                                                                              \
        SPARSE_HANDLE(handle);                                                                     \
        SPARSE_VALID(m >= 0 && n >= 0 && nnz >= 0 && library_knows(descr));                        \
        if (!nnz)                                                                                  \
            return CUSPARSE_STATUS_SUCCESS;                                                        \
        SPARSE_VALID((lines) && offsets && places && buffer);                                      \
        return sort(handle, lines, nnz, offsets, descr, (int *const[]){places, p}, buffer);        \
    }
SORT(csrsort, m)
SORT(cscsort, n)

/* --- entries with a row and a column each -------------------------------------------------------
 */

/* Entries by their keys, those of one key by the others. Keys begin at 0 or at 1: `lines` of the
 * former, one more of the latter. */
static cusparseStatus_t sort_entries(cusparseHandle_t handle, int lines, int nnz,
                                     int *const lists[3], void *buffer)
{
    int *offsets = buffer, *order = offsets + lines + 2, *copy = order + nnz, *others = lists[1],
        base = 0, places = lines + 1;
    struct sparse_entries from = {.keys = lists[0], .columns = others};
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    cusparseStatus_t status =
        sparse_put_into_rows(handle, &from, places, nnz, offsets, copy, order);
    library_add(&call, &places);
    library_add(&call, &offsets);
    library_add(&call, &base);
    library_add(&call, &others);
    library_add(&call, &order);
    status = status ? status : sparse_launch_plain(&call, "sort_columns", sparse_over(places));
    for (int i = 0; i < 3 && !status; i++)
        status = put(handle, nnz, order, copy, lists[i]);
    return status;
}

static size_t entries_bytes(int lines, int nnz)
{
    return ((size_t)lines + 2 + (size_t)nnz * BUFFER_INTS) * sizeof(int);
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int *rows, const int *columns, size_t *size)
{
    (void)rows, (void)columns;
    SPARSE_HANDLE(handle);
    SPARSE_VALID(m >= 0 && n >= 0 && nnz >= 0 && size);
    *size = entries_bytes(m > n ? m : n, nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

#define SORT_ENTRIES(name, lines, keys, others)                                                    \
    cusparseStatus_t cusparseXcoosortBy##name(cusparseHandle_t handle, int m, int n, int nnz,      \
                                              int *rows, int *columns, int *p, void *buffer)       \
    {                                                                                              \
        SPARSE_HANDLE(handle);                                                                     \
        SPARSE_VALID(m >= 0 && n >= 0 && nnz >= 0);                                                \
        if (!nnz)                                                                                  \
            return CUSPARSE_STATUS_SUCCESS;                                                        \
        SPARSE_VALID(rows &&columns &&buffer);                                                     \
        return sort_entries(handle, lines, nnz, (int *const[]){keys, others, p}, buffer);          \
    }
SORT_ENTRIES(Row, m, rows, columns)
SORT_ENTRIES(Column, n, columns, rows)
