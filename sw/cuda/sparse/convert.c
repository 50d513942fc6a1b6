/* From one format to another. */
#include <limits.h>

#include "sw/cuda/sparse/sparse.h"

static bool are_counts(int m, int nnz)
{
    return m >= 0 && m < INT_MAX && nnz >= 0;
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base)
{
    SPARSE_HANDLE(handle);
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    SPARSE_VALID(are_counts(m, nnz) && sparse_is_base(base) && (rows || !nnz) && offsets);
    library_add(&call, &nnz);
    library_add(&call, &rows);
    library_add(&call, &m);
    library_add(&call, &base);
    library_add(&call, &offsets);
    return sparse_launch_plain(&call, "find_offsets", sparse_over(m + 1LL));
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base)
{
    SPARSE_HANDLE(handle);
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    SPARSE_VALID(are_counts(m, nnz) && sparse_is_base(base));
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(offsets && rows);
    library_add(&call, &nnz);
    library_add(&call, &offsets);
    library_add(&call, &m);
    library_add(&call, &base);
    library_add(&call, &rows);
    return sparse_launch_plain(&call, "find_rows", sparse_over(nnz));
}

/* --- columns of a matrix in rows ---------------------------------------------------------------
 */

cusparseStatus_t sparse_rebase(cusparseHandle_t handle, int n, int base, int *indices)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    if (!base || !n)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &n);
    library_add(&call, &base);
    library_add(&call, &indices);
    return sparse_launch_plain(&call, "rebase", sparse_over(n));
}

/* Of numbers of this type; NULL: there is none. */
static const char *reorder_of(cudaDataType type)
{
    switch (type) {
    case CUDA_R_32F:
        return "reorder_4";
    case CUDA_R_64F:
    case CUDA_C_32F:
        return "reorder_8";
    case CUDA_C_64F:
        return "reorder_16";
    default:
        return NULL;
    }
}

cusparseStatus_t sparse_reorder(cusparseHandle_t handle, const char *kernel, int n,
                                const int *order, const void *from, void *to)
{
    struct library_call call = sparse_call(handle, CUDA_R_32F);
    library_add(&call, &n);
    library_add(&call, &order);
    library_add(&call, &from);
    library_add(&call, &to);
    return sparse_launch_plain(&call, kernel, sparse_over(n));
}

static bool are_arguments(int m, int n, int nnz, cusparseAction_t action, cusparseIndexBase_t base)
{
    return are_counts(m, nnz) && n >= 0 && n < INT_MAX && sparse_is_base(base) &&
           (action == CUSPARSE_ACTION_SYMBOLIC || action == CUSPARSE_ACTION_NUMERIC);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *values, const int *offsets,
    const int *indices, void *csc_values, int *csc_offsets, int *csc_indices, cudaDataType type,
    cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg, size_t *size)
{
    (void)values, (void)offsets, (void)indices;
    (void)csc_values, (void)csc_offsets, (void)csc_indices, (void)alg;
    SPARSE_HANDLE(handle);
    SPARSE_VALID(are_arguments(m, n, nnz, action, base) && size);
    SPARSE_SUPPORTED(reorder_of(type));
    *size = nnz ? (size_t)nnz * sizeof(int) : SPARSE_NO_BUFFER;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *offsets, const int *indices,
                                    void *csc_values, int *csc_offsets, int *csc_indices,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg,
                                    void *buffer)
{
    (void)alg;
    SPARSE_HANDLE(handle);
    SPARSE_VALID(are_arguments(m, n, nnz, action, base) && csc_offsets);
    SPARSE_SUPPORTED(reorder_of(type));
    bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    SPARSE_VALID(!nnz || (offsets && indices && csc_indices && buffer));
    SPARSE_VALID(!nnz || !numeric || (values && csc_values));
    struct sparse_entries from = {
        .keys = indices, .offsets = offsets, .count = m, .base = (int)base};
    cusparseStatus_t status =
        sparse_put_into_rows(handle, &from, n, nnz, csc_offsets, csc_indices, buffer);
    status = status ? status : sparse_rebase(handle, n + 1, (int)base, csc_offsets);
    status = status ? status : sparse_rebase(handle, nnz, (int)base, csc_indices);
    if (status || !numeric || !nnz)
        return status;
    return sparse_reorder(handle, reorder_of(type), nnz, buffer, values, csc_values);
}
