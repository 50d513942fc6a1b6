/* csrilu02, csric02: L and U, or L, in the place and pattern of a matrix. */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

#define LANES 1 /* threads of a row */

struct incomplete {
    bool analysed;
    int m, nnz;
    struct sparse_levels levels;
    struct sparse_memory memory; /* the levels */
};
struct csrilu02Info {
    struct incomplete found;
};
struct csric02Info {
    struct incomplete found;
};

/* What both precisions pass. */
struct factoring {
    cudaDataType type;
    int m, nnz;
    cusparseMatDescr_t descr;
    void *values;
    const int *offsets, *indices;
    struct incomplete *info;
    const char *kernel;
};

static void free_found(struct incomplete *found)
{
    sparse_levels_free(&found->levels);
    sparse_memory_free(&found->memory);
}

static cusparseStatus_t check(cusparseHandle_t handle, const struct factoring *f)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(f->m >= 0 && f->nnz >= 0 && library_knows(f->descr) && library_knows(f->info));
    SPARSE_VALID(!f->m || f->offsets);
    SPARSE_VALID(!f->nnz || (f->values && f->indices));
    SPARSE_CHECK(f->descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                 CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    return CUSPARSE_STATUS_SUCCESS;
}

static struct sparse_rows rows_of(const struct factoring *f)
{
    return (struct sparse_rows){
        .offsets = f->offsets, .columns = f->indices, .count = f->m, .base = (int)f->descr->base};
}

static cusparseStatus_t buffer_size(cusparseHandle_t handle, const struct factoring *f, int *size)
{
    SPARSE_VALID(size);
    *size = SPARSE_NO_BUFFER;
    return check(handle, f);
}

static cusparseStatus_t analyse(cusparseHandle_t handle, const struct factoring *f)
{
    cusparseStatus_t status = check(handle, f);
    if (status)
        return status;
    struct incomplete *info = f->info;
    struct sparse_rows rows = rows_of(f);
    info->analysed = false;
    status = sparse_memory_make(&info->memory, sparse_levels_bytes(f->m));
    if (!status && f->m)
        status = sparse_levels_find(handle, &rows, f->nnz, true, LANES, info->memory.rest,
                                    &info->levels);
    if (status)
        return status;
    SPARSE_SUPPORTED(!f->m || info->levels.ascending);
    info->memory.missing = f->m ? info->levels.no_diagonal : SPARSE_NO_ROW;
    info->memory.base = rows.base;
    info->m = f->m;
    info->nnz = f->nnz;
    info->analysed = true;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t factor(cusparseHandle_t handle, const struct factoring *f)
{
    cusparseStatus_t status = check(handle, f);
    if (status)
        return status;
    struct incomplete *info = f->info;
    SPARSE_VALID(info->analysed && info->m == f->m && info->nnz == f->nnz);
    status = sparse_pivot_clear(handle, &info->memory);
    struct sparse_rows rows = rows_of(f);
    for (size_t i = 0; i < info->levels.n_steps && !status; i++) {
        const struct sparse_step *of = &info->levels.steps[i];
        struct library_call call = sparse_call(handle, f->type);
        struct sparse_order order = {info->levels.list, info->levels.starts, of->first, of->last};
        library_add(&call, &rows);
        library_add(&call, &f->values);
        library_add(&call, &order);
        library_add(&call, &info->memory.pivot);
        status = sparse_launch(&call, f->kernel, sparse_step_grid(of, LANES));
    }
    return status;
}

#define INFO(Name, name)                                                                           \
    cusparseStatus_t cusparseCreate##Name##Info(name##Info_t *info)                                \
    {                                                                                              \
        SPARSE_VALID(info);                                                                        \
        *info = calloc(1, sizeof **info);                                                          \
        if (*info)                                                                                 \
            (*info)->found.memory.missing = SPARSE_NO_ROW;                                         \
        return sparse_keep(*info);                                                                 \
    }                                                                                              \
    cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info)                                \
    {                                                                                              \
        if (!info)                                                                                 \
            return CUSPARSE_STATUS_SUCCESS;                                                        \
        SPARSE_VALID(library_knows(info));                                                         \
        library_forget(info);                                                                      \
        free_found(&info->found);                                                                  \
        free(info);                                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparseX##name##_zeroPivot(cusparseHandle_t handle, name##Info_t info,       \
                                                 int *position)                                    \
    {                                                                                              \
        SPARSE_HANDLE(handle);                                                                     \
        SPARSE_VALID(library_knows(info) && position);                                             \
        return sparse_pivot_get(handle, &info->found.memory, position);                            \
    }
INFO(Csrilu02, csrilu02)
INFO(Csric02, csric02)

#define FACTORING(type, kernel)                                                                    \
    {                                                                                              \
        type, m, nnz, descr, (void *)(uintptr_t)values, offsets, indices,                          \
            info ? &info->found : NULL, kernel                                                     \
    }
#define INCOMPLETE(R, T, type, name, kernel)                                                       \
    cusparseStatus_t cusparse##R##name##_bufferSize(                                               \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, T *values,        \
        const int *offsets, const int *indices, name##Info_t info, int *size)                      \
    {                                                                                              \
        struct factoring f = FACTORING(type, kernel);                                              \
        return buffer_size(handle, &f, size);                                                      \
    }                                                                                              \
    cusparseStatus_t cusparse##R##name##_analysis(                                                 \
        cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T *values,  \
        const int *offsets, const int *indices, name##Info_t info, cusparseSolvePolicy_t policy,   \
        void *buffer)                                                                              \
    {                                                                                              \
        struct factoring f = FACTORING(type, kernel);                                              \
        (void)buffer;                                                                              \
        SPARSE_VALID((unsigned int)policy <= CUSPARSE_SOLVE_POLICY_USE_LEVEL);                     \
        return analyse(handle, &f);                                                                \
    }                                                                                              \
    cusparseStatus_t cusparse##R##name(cusparseHandle_t handle, int m, int nnz,                    \
                                       const cusparseMatDescr_t descr, T *values,                  \
                                       const int *offsets, const int *indices, name##Info_t info,  \
                                       cusparseSolvePolicy_t policy, void *buffer)                 \
    {                                                                                              \
        struct factoring f = FACTORING(type, kernel);                                              \
        (void)buffer;                                                                              \
        SPARSE_VALID((unsigned int)policy <= CUSPARSE_SOLVE_POLICY_USE_LEVEL);                     \
        return factor(handle, &f);                                                                 \
    }
INCOMPLETE(S, float, CUDA_R_32F, csrilu02, "factor")
INCOMPLETE(D, double, CUDA_R_64F, csrilu02, "factor")
INCOMPLETE(S, float, CUDA_R_32F, csric02, "cholesky")
INCOMPLETE(D, double, CUDA_R_64F, csric02, "cholesky")
