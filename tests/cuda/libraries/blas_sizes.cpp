// Calls that end in _64: sizes beyond 32 bits are refused before anything is done. The script
// builds the other tests a second time with these calls.
#include <cstdint>

#include "blas_parts.h"

void blas_sizes(cublasHandle_t handle)
{
    const int64_t huge = (int64_t)1 << 32, low = -huge; // 0 in 32 bits
    const int64_t most = INT32_MAX, least = INT32_MIN, sizes[] = {1, huge};
    const cublasOperation_t none[] = {CUBLAS_OP_N, CUBLAS_OP_N};
    float one = 1, *x = nullptr, *lists[2] = {};
    const float scalars[] = {1, 1};
    int64_t place = 5;
    IS(NOT_SUPPORTED, cublasSaxpy_64(handle, huge, &one, x, 1, x, 1));
    IS(NOT_SUPPORTED, cublasSaxpy_64(handle, 0, &one, x, low, x, 1));
    IS(NOT_SUPPORTED, cublasSaxpy_64(handle, 0, &one, x, 1, x, most + 1));
    IS(NOT_SUPPORTED, cublasSaxpy_64(handle, 0, &one, x, 1, x, least - 1));
    OK(cublasSaxpy_64(handle, 0, &one, x, most, x, least));
    IS(NOT_SUPPORTED, cublasIsamax_64(handle, huge, x, 1, &place));
    expect(place == 5, "a refused call leaves the result alone");
    IS(NOT_INITIALIZED, cublasIsamax_64(nullptr, 1, x, 1, &place));
    IS(INVALID_VALUE, cublasIsamax_64(handle, 1, x, 1, nullptr));
    IS(NOT_SUPPORTED, cublasSgemm_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 0, 0, &one, x, huge + 1,
                                     x, 1, &one, x, 1));
    IS(NOT_SUPPORTED, cublasGemmEx_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 0, huge, &one, x,
                                      CUDA_R_32F, 1, x, CUDA_R_32F, 1, &one, x, CUDA_R_32F, 1,
                                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    IS(NOT_SUPPORTED, cublasSetMatrix_64(0, 0, huge + 4, &one, 1, x, 1));
    const int64_t ones[] = {1, 1}, zeros[] = {0, 0};
    IS(NOT_SUPPORTED,
       cublasSgemmGroupedBatched_64(handle, none, none, zeros, ones, ones, scalars, lists, sizes,
                                    lists, ones, scalars, lists, ones, 2, zeros));
}
