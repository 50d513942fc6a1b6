/* The first interface, over the second one. */
#include "sw/cuda/include/cublas_api.h"

static struct { /* a program has one, which no call names */
    cublasHandle_t handle;
    cublasStatus_t error; /* until it is asked for */
} first;

/* Of what fails, the first status stays. */
static cublasStatus_t report(cublasStatus_t status)
{
    if (status && !first.error)
        first.error = status;
    return status;
}

static cublasOperation_t operation(char letter)
{
    switch (letter) {
    case 'N':
    case 'n':
        return CUBLAS_OP_N;
    case 'T':
    case 't':
        return CUBLAS_OP_T;
    case 'C':
    case 'c':
        return CUBLAS_OP_C;
    default:
        return (cublasOperation_t)-1; /* the call refuses it */
    }
}

/* Which of two letters, or -1. */
static int which(char letter, char no, char yes)
{
    char upper = (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    return upper == no ? 0 : upper == yes ? 1 : -1;
}
#define OP(letter)   operation(letter)
#define FILL(letter) ((cublasFillMode_t)which(letter, 'L', 'U'))
#define DIAG(letter) ((cublasDiagType_t)which(letter, 'N', 'U'))
#define SIDE(letter) ((cublasSideMode_t)which(letter, 'L', 'R'))

#define EVGPU_CUBLAS_CALL(name, parameters, ...)                                                   \
    void cublas##name parameters                                                                   \
    {                                                                                              \
        report(cublas##name##_v2(first.handle, __VA_ARGS__));                                      \
    }
#define EVGPU_CUBLAS_VALUE(type, name, parameters, ...)                                            \
    type cublas##name parameters                                                                   \
    {                                                                                              \
        type result = {0};                                                                         \
        report(cublas##name##_v2(first.handle, __VA_ARGS__));                                      \
        return result;                                                                             \
    }
#include "sw/cuda/include/cublas.h"

cublasStatus cublasInit(void)
{
    return first.handle ? CUBLAS_STATUS_SUCCESS : report(cublasCreate_v2(&first.handle));
}

cublasStatus cublasShutdown(void)
{
    cublasStatus_t status = report(cublasDestroy_v2(first.handle));
    first.handle = NULL;
    return status;
}

cublasStatus cublasGetError(void)
{
    cublasStatus_t status = first.error;
    first.error = CUBLAS_STATUS_SUCCESS;
    return status;
}

cublasStatus cublasGetVersion(int *version)
{
    return report(cublasGetVersion_v2(first.handle, version));
}

cublasStatus cublasSetKernelStream(cudaStream_t stream)
{
    return report(cublasSetStream_v2(first.handle, stream));
}

cublasStatus cublasAlloc(int n, int element, void **device)
{
    if (!first.handle)
        return report(CUBLAS_STATUS_NOT_INITIALIZED);
    if (n <= 0 || element <= 0 || !device)
        return report(CUBLAS_STATUS_INVALID_VALUE);
    return report(cudaMalloc(device, (size_t)n * (size_t)element) ? CUBLAS_STATUS_ALLOC_FAILED
                                                                  : CUBLAS_STATUS_SUCCESS);
}

cublasStatus cublasFree(void *device)
{
    if (!first.handle)
        return report(CUBLAS_STATUS_NOT_INITIALIZED);
    return report(cudaFree(device) ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS);
}
