/* csrsv2: a triangle for a vector, by the interface before SpSV. */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

struct csrsv2Info {
    struct sparse_triangle triangle;
    struct sparse_memory memory; /* the triangle's buffer */
};

cusparseStatus_t cusparseCreateCsrsv2Info(csrsv2Info_t *info)
{
    SPARSE_VALID(info);
    *info = calloc(1, sizeof **info);
    if (*info)
        (*info)->memory.missing = SPARSE_NO_ROW;
    return sparse_keep(*info);
}

cusparseStatus_t cusparseDestroyCsrsv2Info(csrsv2Info_t info)
{
    if (!info)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(library_knows(info));
    library_forget(info);
    sparse_levels_free(&info->triangle.levels);
    sparse_memory_free(&info->memory);
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseXcsrsv2_zeroPivot(cusparseHandle_t handle, csrsv2Info_t info,
                                           int *position)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(info) && position);
    return sparse_pivot_get(handle, &info->memory, position);
}

/* What both precisions pass. */
struct arguments {
    cusparseOperation_t op;
    cudaDataType type;
    int m, nnz;
    cusparseMatDescr_t descr;
    const void *values;
    const int *offsets, *indices;
    csrsv2Info_t info;
    cusparseSolvePolicy_t policy;
};

static cusparseStatus_t check(cusparseHandle_t handle, const struct arguments *of)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(sparse_is_op(of->op) && of->m >= 0 && of->nnz >= 0 && library_knows(of->descr) &&
                 library_knows(of->info));
    SPARSE_VALID((unsigned int)of->policy <= CUSPARSE_SOLVE_POLICY_USE_LEVEL);
    SPARSE_CHECK(of->descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                 CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    return CUSPARSE_STATUS_SUCCESS;
}

static struct cusparseSpMatDescr matrix_of(const struct arguments *of)
{
    return (struct cusparseSpMatDescr){.rows = of->m,
                                       .columns = of->m,
                                       .nnz = of->nnz,
                                       .format = CUSPARSE_FORMAT_CSR,
                                       .offsets = (void *)(uintptr_t)of->offsets,
                                       .indices = (void *)(uintptr_t)of->indices,
                                       .values = (void *)(uintptr_t)of->values,
                                       .base = of->descr->base,
                                       .type = of->type,
                                       .fill = of->descr->fill,
                                       .diag = of->descr->diag};
}

static struct sparse_dense vector_of(const struct arguments *of, const void *data)
{
    struct cusparseDnVecDescr vector = {
        .size = of->m, .values = (void *)(uintptr_t)data, .type = of->type};
    return sparse_of_vector(&vector);
}

static struct sparse_solution solution_of(const struct arguments *of, const void *alpha,
                                          cusparseSpMatDescr_t a, const void *x, void *y)
{
    return (struct sparse_solution){.op = of->op,
                                    .a = a,
                                    .alpha = alpha,
                                    .b = vector_of(of, x),
                                    .x = vector_of(of, y),
                                    .compute = of->type,
                                    .pivot = of->info->memory.pivot};
}

static cusparseStatus_t buffer_size(cusparseHandle_t handle, const struct arguments *of, int *size)
{
    SPARSE_VALID(size);
    *size = SPARSE_NO_BUFFER;
    return check(handle, of);
}

static cusparseStatus_t analyse(cusparseHandle_t handle, const struct arguments *of)
{
    cusparseStatus_t status = check(handle, of);
    if (status)
        return status;
    csrsv2Info_t info = of->info;
    struct cusparseSpMatDescr a = matrix_of(of);
    info->triangle.analysed = false;
    status = sparse_memory_make(&info->memory, sparse_triangle_bytes(of->op, &a));
    if (status)
        return status;
    /* The analysis does not read alpha. */
    struct sparse_solution s = solution_of(of, &a, &a, NULL, NULL);
    status = sparse_triangle_analyse(handle, &s, info->memory.rest, &info->triangle);
    if (!status && of->descr->diag == CUSPARSE_DIAG_TYPE_NON_UNIT)
        info->memory.missing = info->triangle.levels.no_diagonal;
    info->memory.base = (int)a.base;
    return status;
}

static cusparseStatus_t solve(cusparseHandle_t handle, const struct arguments *of,
                              const void *alpha, const void *x, void *y)
{
    cusparseStatus_t status = check(handle, of);
    if (status)
        return status;
    SPARSE_VALID(of->info->triangle.analysed);
    struct cusparseSpMatDescr a = matrix_of(of);
    struct sparse_solution s = solution_of(of, alpha, &a, x, y);
    status = sparse_pivot_clear(handle, &of->info->memory);
    return status ? status : sparse_triangle_solve(handle, &s, &of->info->triangle);
}

#define ARGUMENTS(type, policy)                                                                    \
    {                                                                                              \
        op, type, m, nnz, descr, values, offsets, indices, info, policy                            \
    }
#define CSRSV2(R, T, type)                                                                         \
    cusparseStatus_t cusparse##R##csrsv2_bufferSize(                                               \
        cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz,                           \
        const cusparseMatDescr_t descr, T *values, const int *offsets, const int *indices,         \
        csrsv2Info_t info, int *size)                                                              \
    {                                                                                              \
        struct arguments of = ARGUMENTS(type, CUSPARSE_SOLVE_POLICY_NO_LEVEL);                     \
        return buffer_size(handle, &of, size);                                                     \
    }                                                                                              \
    cusparseStatus_t cusparse##R##csrsv2_analysis(                                                 \
        cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz,                           \
        const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,   \
        csrsv2Info_t info, cusparseSolvePolicy_t policy, void *buffer)                             \
    {                                                                                              \
        struct arguments of = ARGUMENTS(type, policy);                                             \
        (void)buffer;                                                                              \
        return analyse(handle, &of);                                                               \
    }                                                                                              \
    cusparseStatus_t cusparse##R##csrsv2_solve(                                                    \
        cusparseHandle_t handle, cusparseOperation_t op, int m, int nnz, const T *alpha,           \
        const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,   \
        csrsv2Info_t info, const T *x, T *y, cusparseSolvePolicy_t policy, void *buffer)           \
    {                                                                                              \
        struct arguments of = ARGUMENTS(type, policy);                                             \
        (void)buffer;                                                                              \
        return solve(handle, &of, alpha, x, y);                                                    \
    }
CSRSV2(S, float, CUDA_R_32F)
CSRSV2(D, double, CUDA_R_64F)
