/* Sparse vectors. */
#include "sw/cuda/sparse/sparse.h"

static cusparseStatus_t check(cusparseHandle_t handle, cusparseSpVecDescr_t x,
                              cusparseDnVecDescr_t y)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(x) && library_knows(y) && x->size == y->size &&
                 (!y->size || y->values));
    SPARSE_VALID(!x->nnz || (x->indices && x->values));
    SPARSE_SUPPORTED(x->type == y->type && sparse_is_type(x->type));
    return CUSPARSE_STATUS_SUCCESS;
}

/* A kernel of (nnz, indices, base[, alpha], x, y) for each type of indices. */
struct places {
    const char *of_32, *of_64;
};

static cusparseStatus_t each(cusparseHandle_t handle, struct places kernels, const void *alpha,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    const char *kernel = x->index == CUSPARSE_INDEX_64I ? kernels.of_64 : kernels.of_32;
    struct library_call call = sparse_call(handle, x->type);
    int nnz = (int)x->nnz, base = (int)x->base;
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &nnz);
    library_add(&call, &x->indices);
    library_add(&call, &base);
    if (alpha)
        library_add_scalar(&call, alpha);
    library_add(&call, &x->values);
    library_add(&call, &y->values);
    return sparse_launch(&call, kernel, sparse_over(nnz));
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseDnVecDescr_t y,
                                cusparseSpVecDescr_t x)
{
    cusparseStatus_t status = check(handle, x, y);
    return status ? status : each(handle, (struct places){"gather32", "gather64"}, NULL, x, y);
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseSpVecDescr_t x,
                                 cusparseDnVecDescr_t y)
{
    cusparseStatus_t status = check(handle, x, y);
    return status ? status : each(handle, (struct places){"scatter32", "scatter64"}, NULL, x, y);
}

/* A factor that is known to change nothing. */
static bool is_one(cusparseHandle_t handle, const void *factor, cudaDataType type)
{
    return handle->pointers == CUSPARSE_POINTER_MODE_HOST &&
           (type == CUDA_R_32F ? *(const float *)factor == 1 : *(const double *)factor == 1);
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y)
{
    cusparseStatus_t status = check(handle, x, y);
    if (status)
        return status;
    SPARSE_VALID(alpha && beta);
    if (!y->size)
        return CUSPARSE_STATUS_SUCCESS;
    if (!is_one(handle, beta, y->type)) {
        struct library_call call = sparse_call(handle, y->type);
        int n = (int)y->size;
        library_add(&call, &n);
        library_add_scalar(&call, beta);
        library_add(&call, &y->values);
        status = sparse_launch(&call, "scale", sparse_over(n));
    }
    return status ? status : each(handle, (struct places){"add_at32", "add_at64"}, alpha, x, y);
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    cusparseStatus_t status = check(handle, x, y);
    if (status)
        return status;
    SPARSE_VALID(c_coeff && s_coeff);
    struct library_call call = sparse_call(handle, x->type);
    int nnz = (int)x->nnz, base = (int)x->base;
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &nnz);
    library_add(&call, &x->indices);
    library_add(&call, &base);
    library_add_scalar(&call, c_coeff);
    library_add_scalar(&call, s_coeff);
    library_add(&call, &x->values);
    library_add(&call, &y->values);
    return sparse_launch(&call, x->index == CUSPARSE_INDEX_64I ? "rotate64" : "rotate32",
                         sparse_over(nnz));
}

/* --- x . y: a result for the host waits in the buffer ------------------------------------------
 */

static cusparseStatus_t check_dot(cusparseHandle_t handle, cusparseOperation_t op,
                                  cusparseSpVecDescr_t x, cusparseDnVecDescr_t y,
                                  cudaDataType computeType)
{
    cusparseStatus_t status = check(handle, x, y);
    if (status)
        return status;
    SPARSE_VALID(op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_TRANSPOSE ||
                 op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
    SPARSE_SUPPORTED(computeType == x->type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseSpVecDescr_t x, cusparseDnVecDescr_t y,
                                         const void *result, cudaDataType computeType, size_t *size)
{
    cusparseStatus_t status = check_dot(handle, op, x, y, computeType);
    if (status)
        return status;
    (void)result;
    SPARSE_VALID(size);
    *size = sizeof(double);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseSpVecDescr_t x, cusparseDnVecDescr_t y, void *result,
                              cudaDataType computeType, void *buffer)
{
    cusparseStatus_t status = check_dot(handle, op, x, y, computeType);
    if (status)
        return status;
    bool on_device = handle->pointers == CUSPARSE_POINTER_MODE_DEVICE;
    SPARSE_VALID(result && (on_device || buffer));
    struct library_call call = sparse_call(handle, x->type);
    int nnz = (int)x->nnz, base = (int)x->base;
    void *to = on_device ? result : buffer;
    library_add(&call, &nnz);
    library_add(&call, &x->indices);
    library_add(&call, &base);
    library_add(&call, &to);
    library_add(&call, &x->values);
    library_add(&call, &y->values);
    status =
        sparse_launch(&call, x->index == CUSPARSE_INDEX_64I ? "dot64" : "dot32", (dim3){1, 1, 1});
    if (status || on_device)
        return status;
    size_t bytes = sparse_value_bytes(x->type);
    bool failed = cudaMemcpyAsync(result, to, bytes, cudaMemcpyDeviceToHost, handle->stream) ||
                  cudaStreamSynchronize(handle->stream);
    return failed ? CUSPARSE_STATUS_EXECUTION_FAILED : CUSPARSE_STATUS_SUCCESS;
}

/* --- the older interface -----------------------------------------------------------------------
 */

static cusparseStatus_t older(cusparseHandle_t handle, const char *kernel,
                              struct cusparseSpVecDescr x, const void *y)
{
    struct cusparseDnVecDescr dense = {.values = (void *)(uintptr_t)y, .type = x.type};
    SPARSE_HANDLE(handle);
    SPARSE_VALID(x.nnz >= 0 && sparse_is_base(x.base) && (!x.nnz || (x.indices && x.values && y)));
    return each(handle, (struct places){kernel, NULL}, NULL, &x, &dense);
}

static struct cusparseSpVecDescr vector_of(int nnz, const void *values, const int *indices,
                                           cusparseIndexBase_t base, cudaDataType type)
{
    return (struct cusparseSpVecDescr){.nnz = nnz,
                                       .indices = (void *)(uintptr_t)indices,
                                       .values = (void *)(uintptr_t)values,
                                       .index = CUSPARSE_INDEX_32I,
                                       .base = base,
                                       .type = type};
}

#define OLDER(R, T, of_t)                                                                          \
    cusparseStatus_t cusparse##R##gthr(cusparseHandle_t handle, int nnz, const T *y, T *x,         \
                                       const int *indices, cusparseIndexBase_t base)               \
    {                                                                                              \
        return older(handle, "gather32", vector_of(nnz, x, indices, base, of_t), y);               \
    }                                                                                              \
    cusparseStatus_t cusparse##R##sctr(cusparseHandle_t handle, int nnz, const T *x,               \
                                       const int *indices, T *y, cusparseIndexBase_t base)         \
    {                                                                                              \
        return older(handle, "scatter32", vector_of(nnz, x, indices, base, of_t), y);              \
    }
OLDER(S, float, CUDA_R_32F)
OLDER(D, double, CUDA_R_64F)
