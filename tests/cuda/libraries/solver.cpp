// cuSOLVER against the host; handles, streams, and arguments that are out of range.
#include "solver_parts.h"

static void arguments(cusolverDnHandle_t handle)
{
    double *some;
    int *info, size, value = 0;
    cudaMalloc(&some, 4096);
    cudaMalloc(&info, sizeof *info);
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    IS(NOT_INITIALIZED, cusolverDnDpotrf(nullptr, lower, 2, some, 2, some, 1, info));
    IS(INVALID_VALUE, cusolverDnDpotrf(handle, lower, 2, some, 1, some, 1, info));
    IS(INVALID_VALUE, cusolverDnDpotrf(handle, lower, -1, some, 1, some, 1, info));
    IS(INVALID_VALUE, cusolverDnDpotrf(handle, (cublasFillMode_t)5, 2, some, 2, some, 1, info));
    IS(INVALID_VALUE, cusolverDnDpotri(handle, lower, 2, some, 2, some, 3, info));
    IS(EXECUTION_FAILED,
       cusolverDnDpotrf(handle, lower, 2, some, 2, some, 1, &value)); // the host's
    IS(INVALID_VALUE, cusolverDnDgetrf(handle, 3, 2, some, 2, some, info, info));
    IS(INVALID_VALUE,
       cusolverDnDgetrs(handle, (cublasOperation_t)9, 2, 1, some, 2, info, some, 2, info));
    IS(INVALID_VALUE, cusolverDnDgesvd_bufferSize(handle, 2, 3, &size)); // as NVIDIA's
    IS(INVALID_VALUE, cusolverDnDgesvd(handle, 'X', 'N', 2, 2, some, 2, some, some, 2, some, 2,
                                       some, 100, nullptr, info));
    IS(INVALID_VALUE, cusolverDnDgesvd(handle, 'O', 'O', 2, 2, some, 2, some, some, 2, some, 2,
                                       some, 100, nullptr, info));
    IS(INVALID_VALUE,
       cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, lower, 2, some, 2, some, some, 2, info));
    IS(INVALID_VALUE, cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, 2, 2, 3, some, 2,
                                       some, some, 2, some, 9, info));
    IS(INVALID_VALUE, cusolverDnDorgqr(handle, 2, 3, 2, some, 2, some, some, 9, info));
    OK(cusolverDnDpotrf(handle, lower, 0, some, 1, some, 1, info));
    OK(cusolverDnDgetrf(handle, 0, 0, some, 1, some, info, info));
    OK(cusolverDnDgeqrf(handle, 0, 4, some, 1, some, some, 1, info));
    IS(INVALID_VALUE, cusolverDnCreate(nullptr));
    IS(NOT_INITIALIZED, cusolverDnDestroy(nullptr));
    OK(cusolverGetVersion(&value));
    expect(value == CUSOLVER_VERSION, "version");
    OK(cusolverGetProperty(MAJOR_VERSION, &value));
    expect(value == CUSOLVER_VER_MAJOR, "major version");
    cudaFree(some);
    cudaFree(info);
}

int main(int argc, char **)
{
    cusolverDnHandle_t handle;
    cudaStream_t stream, same;
    OK(cusolverDnCreate(&handle));
    arguments(handle);
    if (argc > 1)
        return verdict();
    cudaStreamCreate(&stream);
    OK(cusolverDnSetStream(handle, stream));
    OK(cusolverDnGetStream(handle, &same));
    expect(same == stream, "stream");
    solver_factors(handle);
    OK(cusolverDnSetStream(handle, nullptr));
    solver_spectrum(handle);
    solver_wide(handle);
    solver_general(handle);
    solver_pencils(handle);
    solver_rotations(handle);
    OK(cusolverDnDestroy(handle));
    IS(NOT_INITIALIZED, cusolverDnSetStream(handle, nullptr)); // no longer there
    solver_sparse();
    solver_orders();
    solver_refactor();
    return verdict();
}
