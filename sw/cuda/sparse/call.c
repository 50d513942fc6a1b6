/* A call's way to its kernel. */
#include "sw/cuda/sparse/sparse.h"

#define BLOCKS_MOST  1024u
#define ENTRIES_LANE 4 /* of a row for each thread, before another joins */
#define WARP         32

struct library_call sparse_call(cusparseHandle_t handle, cudaDataType type)
{
    return (struct library_call){
        .library = &handle->library,
        .stream = handle->stream,
        .precision = type == CUDA_R_32F ? LIBRARY_S : LIBRARY_D,
        .scalars_on_device = handle->pointers == CUSPARSE_POINTER_MODE_DEVICE,
    };
}

static cusparseStatus_t status_of(cudaError_t error)
{
    return error ? CUSPARSE_STATUS_EXECUTION_FAILED : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_launch(struct library_call *call, const char *kernel, dim3 grid)
{
    return status_of(library_start(call, kernel, grid, (dim3){SPARSE_THREADS, 1, 1}));
}

cusparseStatus_t sparse_launch_plain(struct library_call *call, const char *kernel, dim3 grid)
{
    return status_of(library_launch(call->library, kernel, grid, (dim3){SPARSE_THREADS, 1, 1},
                                    call->stream, call->at));
}

size_t sparse_value_bytes(cudaDataType type)
{
    return type == CUDA_R_16F ? 2 : type == CUDA_R_32F ? sizeof(float) : sizeof(double);
}

dim3 sparse_over(long long n)
{
    return (dim3){library_blocks(n, SPARSE_THREADS, BLOCKS_MOST), 1, 1};
}

int sparse_lanes(int64_t rows, int64_t nnz)
{
    int lanes = 1;
    while (lanes < WARP && rows * lanes * 2 * ENTRIES_LANE <= nnz)
        lanes *= 2;
    return lanes;
}

cusparseStatus_t sparse_fetch(cusparseHandle_t handle, int *to_host, const int *from)
{
    bool failed =
        cudaMemcpyAsync(to_host, from, sizeof *from, cudaMemcpyDeviceToHost, handle->stream) ||
        cudaStreamSynchronize(handle->stream);
    return failed ? CUSPARSE_STATUS_EXECUTION_FAILED : CUSPARSE_STATUS_SUCCESS;
}
