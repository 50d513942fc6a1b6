/* Calls that fail: each says why in one line on stderr. The line in front of it, "= TEXT", is what
 * it must contain; tests/e2e/cuda/cuda_api.sh compares. */
#include "tests/cuda/api/api.h"

#define SAYS(text, error, call)                                                                    \
    do {                                                                                           \
        fprintf(stderr, "= %s\n", text);                                                           \
        GIVES(error, call);                                                                        \
    } while (0)

static void runtime_calls(void)
{
    int count, value;
    size_t size;
    void *p, *q = NULL;
    char host[16];
    cudaStream_t stream;
    cudaEvent_t event;
    OK(cudaMalloc(&p, 64));
    SAYS("cudaSetDevice: invalid device ordinal (cudaErrorInvalidDevice); there is one device",
         cudaErrorInvalidDevice, cudaSetDevice(1));
    SAYS("cudaGetDeviceCount: invalid argument (cudaErrorInvalidValue); it needs count",
         cudaErrorInvalidValue, cudaGetDeviceCount(NULL));
    SAYS("symbol \"table\": since CUDA 5.0 a symbol is the variable itself, not its name: write "
         "table "
         "without quotes",
         cudaErrorInvalidSymbol, cudaMemcpyToSymbol("table", host, 16, 0, cudaMemcpyHostToDevice));
    SAYS("symbol \"absent\": since CUDA 5.0", cudaErrorInvalidSymbol,
         cudaGetSymbolSize(&size, "absent"));
    SAYS("it is no __device__ or __constant__ variable", cudaErrorInvalidSymbol,
         cudaGetSymbolAddress(&q, &count));
    SAYS("it is no __device__ or __constant__ variable", cudaErrorInvalidSymbol,
         cudaMemcpyToSymbol(p, host, 16, 0, cudaMemcpyHostToDevice));
    SAYS("the source is on the device, but 0x", cudaErrorInvalidValue,
         cudaMemcpy(p, host, 16, cudaMemcpyDeviceToDevice));
    SAYS("17 is no direction", cudaErrorInvalidMemcpyDirection,
         cudaMemcpy(p, host, 16, (enum cudaMemcpyKind)17));
    SAYS("copy: the source is a null pointer", cudaErrorInvalidValue,
         cudaMemcpy(host, q, 16, cudaMemcpyDefault));
    SAYS("are more than the device has", cudaErrorInvalidValue,
         cudaMemcpy(p, host, (size_t)1 << 50, cudaMemcpyHostToDevice));
    SAYS("copy: pitches of 4 and 4 bytes for rows of 8 bytes", cudaErrorInvalidPitchValue,
         cudaMemcpy2D(p, 4, host, 4, 8, 2, cudaMemcpyHostToDevice));
    SAYS("is not on the device", cudaErrorInvalidValue, cudaMemset(host, 0, 4));
    SAYS("out of memory: the program requests 1125899906842624 bytes", cudaErrorMemoryAllocation,
         cudaMalloc(&q, (size_t)1 << 50));
    SAYS("free of 0x", cudaErrorInvalidValue, cudaFree((char *)p + 8));
    SAYS("cudaHostAlloc: invalid argument (cudaErrorInvalidValue); it needs pHost && flags <= 7",
         cudaErrorInvalidValue, cudaHostAlloc(&q, 8, 99));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamDestroy(stream));
    SAYS("cudaStreamSynchronize: invalid resource handle", cudaErrorInvalidResourceHandle,
         cudaStreamSynchronize(stream));
    OK(cudaEventCreate(&event));
    OK(cudaEventDestroy(event));
    SAYS("cudaEventRecord: invalid resource handle", cudaErrorInvalidResourceHandle,
         cudaEventRecord(event, NULL));
    SAYS("it is no __global__ function of this program", cudaErrorInvalidDeviceFunction,
         cudaLaunchKernel(host, api_dim(1, 1, 1), api_dim(1, 1, 1), NULL, 0, NULL));
    SAYS("cudaDeviceGetAttribute: invalid argument", cudaErrorInvalidValue,
         cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    OK(cudaFree(p));
}

static void driver_calls(void)
{
    CUdevice device;
    CUdeviceptr p = 0;
    CUmodule module;
    CUfunction f;
    OK(cuInit(0));
    OK(cuCtxPopCurrent(NULL));
    SAYS("cuMemAlloc: invalid device context (CUDA_ERROR_INVALID_CONTEXT); no context is current",
         CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    OK(cudaFree(NULL));
    SAYS("evgpu: invalid device ordinal (CUDA_ERROR_INVALID_DEVICE); there is one device",
         CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 3));
    SAYS("the module is machine code (a cubin), and evgpu runs PTX", CUDA_ERROR_NO_BINARY_FOR_GPU,
         cuModuleLoadData(&module, "\177ELF"));
    OK(cuModuleLoadData(&module, api_ptx));
    SAYS("cuModuleGetFunction: invalid argument (CUDA_ERROR_INVALID_VALUE); it needs hfunc && name",
         CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&f, module, NULL));
    SAYS("cuMemcpyHtoD: invalid argument (CUDA_ERROR_INVALID_VALUE); it needs",
         CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(5, &p, 4));
}

int main(void)
{
    api_register();
    runtime_calls();
    driver_calls();
    /* What was said is not said again. */
    fprintf(stderr, "= nothing\n");
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(1));
    /* Answers are no errors. */
    GIVES(cudaErrorInvalidDevice, cudaGetLastError());
    return 0;
}
