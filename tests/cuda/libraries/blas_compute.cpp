// Products of mixed types whose computation has the name of a type, in C++.
#include <cuda_runtime.h>

#include "blas_parts.h"

// As programs of CUDA 10 name the computation: bits equal those of the newer call.
void blas_compute(cublasHandle_t handle)
{
    const int n = 6;
    const auto any = CUBLAS_GEMM_DEFAULT;
    const auto none = CUBLAS_OP_N;
    float one = 1, zero = 0, numbers[n * n], want[n * n], got[2][n * n];
    float *a, *c, **lists;
    for (int i = 0; i < n * n; i++)
        numbers[i] = (float)((i * 7) % 11) - 4.5f;
    cudaMalloc(&a, sizeof numbers);
    cudaMalloc(&c, 4 * sizeof numbers);
    cudaMalloc(&lists, 2 * sizeof *lists);
    float *of[] = {a, c + 3 * n * n};
    cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(lists, of, sizeof of, cudaMemcpyHostToDevice);
    OK(cublasGemmEx(handle, none, none, n, n, n, &one, a, CUDA_R_32F, n, a, CUDA_R_32F, n, &zero, c,
                    CUDA_R_32F, n, CUBLAS_COMPUTE_32F, any));
    OK(cublasGemmEx(handle, none, none, n, n, n, &one, a, CUDA_R_32F, n, a, CUDA_R_32F, n, &zero,
                    c + n * n, CUDA_R_32F, n, CUDA_R_32F, any));
    OK(cublasGemmStridedBatchedEx(handle, none, none, n, n, n, &one, a, CUDA_R_32F, n, 0, a,
                                  CUDA_R_32F, n, 0, &zero, c + 2 * n * n, CUDA_R_32F, n, n * n, 1,
                                  CUDA_R_32F, any));
    OK(cublasGemmBatchedEx(handle, none, none, n, n, n, &one, (void **)lists, CUDA_R_32F, n,
                           (void **)lists, CUDA_R_32F, n, &zero, (void **)(lists + 1), CUDA_R_32F,
                           n, 1, CUDA_R_32F, any));
    cudaMemcpy(want, c, sizeof want, cudaMemcpyDeviceToHost);
    cudaMemcpy(got, c + n * n, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++)
        expect(got[0][i] == want[i] && got[1][i] == want[i] && want[i] != 0, "by the type of sums",
               i);
    cudaMemcpy(got, c + 3 * n * n, sizeof want, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++)
        expect(got[0][i] == want[i], "a list, by the type of sums", i);
    IS(NOT_SUPPORTED, cublasGemmEx(handle, none, none, n, n, n, &one, a, CUDA_R_32F, n, a,
                                   CUDA_R_32F, n, &zero, c, CUDA_R_32F, n, CUDA_R_8I, any));
    cudaFree(lists);
    cudaFree(c);
    cudaFree(a);
}
