/* cuBLASXt of evgpu: products of matrices on the host, a part of cuBLAS Library 11.7. The one GPU
 * takes them tile by tile. Matrices may also be on the device; scalars are on the host. What is not
 * declared here is not there. */
#ifndef EVGPU_CUDA_CUBLASXT_H
#define EVGPU_CUDA_CUBLASXT_H
#define CUBLAS_XT_H_

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasXtContext *cublasXtHandle_t;

typedef enum {
    CUBLASXT_PINNING_DISABLED = 0,
    CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int *nbBoards);
cublasStatus_t cublasXtMaxBoards(int *nbGpuBoards);
/* Device 0 alone. */
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
/* Rows and columns of a tile, 2048 at first. */
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
/* Kept; copies take the same time in either mode. */
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);

/* Return when c is there. */
#define EVGPU_CUBLASXT(R, T)                                                                       \
    cublasStatus_t cublasXt##R##gemm(cublasXtHandle_t handle, cublasOperation_t transa,            \
                                     cublasOperation_t transb, size_t m, size_t n, size_t k,       \
                                     const T *alpha, const T *a, size_t lda, const T *b,           \
                                     size_t ldb, const T *beta, T *c, size_t ldc);
EVGPU_CUBLASXT(S, float)
EVGPU_CUBLASXT(D, double)
EVGPU_CUBLASXT(C, cuComplex)
EVGPU_CUBLASXT(Z, cuDoubleComplex)
#undef EVGPU_CUBLASXT

#ifdef __cplusplus
}
#endif

#endif
