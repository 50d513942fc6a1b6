/* Indices of 64 bits, which no more than 32 bits fill. */
#include "sw/cuda/sparse/sparse.h"

static int64_t offset_count(const struct cusparseSpMatDescr *a)
{
    if (sparse_is_blocked(a))
        return sparse_group_count(a) + 1;
    switch (a->format) {
    case CUSPARSE_FORMAT_COO:
        return a->nnz;
    case CUSPARSE_FORMAT_CSC:
        return a->columns + 1;
    default:
        return a->rows + 1;
    }
}

static int64_t index_count(const struct cusparseSpMatDescr *a)
{
    return sparse_is_blocked(a) ? sparse_block_count(a) : a->nnz;
}

size_t sparse_narrow_bytes(const struct cusparseSpMatDescr *a)
{
    return (size_t)((a->wide_offsets ? offset_count(a) : 0) +
                    (a->wide_indices ? index_count(a) : 0)) *
           sizeof(int);
}

static cusparseStatus_t narrow_all(cusparseHandle_t handle, int64_t count, const void *from,
                                   void **buffer, void **to)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    int n = (int)count;
    *to = *buffer;
    *buffer = (int *)*buffer + n;
    if (!n)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &n);
    library_add(&call, &from);
    library_add(&call, to);
    return sparse_launch_plain(&call, "narrow", sparse_over(n));
}

cusparseStatus_t sparse_narrow(cusparseHandle_t handle, const struct cusparseSpMatDescr *a,
                               void **buffer, struct cusparseSpMatDescr *narrow)
{
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    *narrow = *a;
    narrow->wide_offsets = narrow->wide_indices = false;
    if (!sparse_is_wide(a))
        return status;
    SPARSE_VALID(*buffer && (a->offsets || !a->wide_offsets) && (a->indices || !a->nnz));
    if (a->wide_offsets)
        status = narrow_all(handle, offset_count(a), a->offsets, buffer, &narrow->offsets);
    if (a->wide_indices && !status)
        status = narrow_all(handle, index_count(a), a->indices, buffer, &narrow->indices);
    return status;
}

cusparseStatus_t sparse_widen(cusparseHandle_t handle, int n, int base, const int *from, void *to)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    library_add(&call, &n);
    library_add(&call, &base);
    library_add(&call, &from);
    library_add(&call, &to);
    return sparse_launch_plain(&call, "widen", sparse_over(n));
}
