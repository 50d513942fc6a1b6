// A call of each library that the program is linked with.
#include <cstdio>
#include <cublas_v2.h>
#include <cufft.h>
#include <nvml.h>

int main()
{
    cublasHandle_t blas;
    cufftHandle plan;
    unsigned int devices = 0;
    float host[4] = {1, 2, 3, 4}, sum = 0, *x;
    bool good = cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS && cudaMalloc(&x, sizeof host) == cudaSuccess &&
                cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess &&
                cublasSasum(blas, 4, x, 1, &sum) == CUBLAS_STATUS_SUCCESS && sum == 10 &&
                cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS && nvmlInit() == NVML_SUCCESS &&
                nvmlDeviceGetCount(&devices) == NVML_SUCCESS && devices == 1;
    puts(good ? "PASSED" : "FAILED");
    return !good;
}
