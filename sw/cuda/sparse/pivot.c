/* The first row whose pivot is missing or 0. */
#include "sw/cuda/sparse/sparse.h"

void sparse_memory_free(struct sparse_memory *memory)
{
    cudaFree(memory->pivot); /* waits for the kernels that use it */
    *memory = (struct sparse_memory){.missing = SPARSE_NO_ROW};
}

cusparseStatus_t sparse_memory_make(struct sparse_memory *memory, size_t rest)
{
    void *made = NULL;
    sparse_memory_free(memory);
    SPARSE_CHECK(!cudaMalloc(&made, sizeof *memory->pivot + rest), CUSPARSE_STATUS_ALLOC_FAILED);
    memory->pivot = made;
    memory->rest = memory->pivot + 1;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_pivot_clear(cusparseHandle_t handle, struct sparse_memory *memory)
{
    if (cudaMemsetAsync(memory->pivot, SPARSE_NO_ROW_BYTE, sizeof *memory->pivot, handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    memory->used = true;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_pivot_get(cusparseHandle_t handle, const struct sparse_memory *memory,
                                  int *position)
{
    int row = memory->missing;
    if (memory->used &&
        (cudaMemcpyAsync(&row, memory->pivot, sizeof row, cudaMemcpyDeviceToHost, handle->stream) ||
         cudaStreamSynchronize(handle->stream)))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    int at = row == SPARSE_NO_ROW ? -1 : row + memory->base;
    if (handle->pointers == CUSPARSE_POINTER_MODE_HOST)
        *position = at;
    else if (cudaMemcpy(position, &at, sizeof at, cudaMemcpyHostToDevice))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return at < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}
