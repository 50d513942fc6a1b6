/* cuSOLVER's dense matrices in the precisions S, D, C and Z, a part of cuSOLVER Library 11.2:
 * factors of Cholesky, LU and QR with what solves by them, singular values and eigenvalues.
 *
 * Matrices lie by columns. Calls enqueue kernels in the handle's stream and return; gesvd, syevd
 * and heevd of more than 32 columns wait for them. Workspaces are on the device, of as many numbers
 * as the call of their size says. `info` is on the device: 0, or what the call's LAPACK namesake
 * says. What is not declared here is not there. */
#ifndef EVGPU_CUDA_CUSOLVERDN_H
#define EVGPU_CUDA_CUSOLVERDN_H
#define CUSOLVERDN_H_

#include <stdint.h>

#include "cublas_v2.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext *cusolverDnHandle_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);

/* R: the letter; T: its numbers; V: their real parts; the names that real and complex ones have. */
#define EVGPU_CUSOLVER(R, T, V, mqr, gqr, evd)                                                     \
    cusolverStatus_t cusolverDn##R##potrf_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork);       \
    cusolverStatus_t cusolverDn##R##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *a, int lda, T *work, int lwork, int *info);           \
    cusolverStatus_t cusolverDn##R##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          int count, const T *a, int lda, T *b, int ldb,           \
                                          int *info);                                              \
    cusolverStatus_t cusolverDn##R##potri_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork);       \
    cusolverStatus_t cusolverDn##R##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *a, int lda, T *work, int lwork, int *info);           \
    cusolverStatus_t cusolverDn##R##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, T *a[], int lda, int *info, int batch);    \
    cusolverStatus_t cusolverDn##R##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, \
                                                 int n, int count, T *a[], int lda, T *b[],        \
                                                 int ldb, int *info, int batch);                   \
    cusolverStatus_t cusolverDn##R##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *a, int lda, int *lwork);                   \
    cusolverStatus_t cusolverDn##R##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *work, int *pivots, int *info);                        \
    cusolverStatus_t cusolverDn##R##getrs(cusolverDnHandle_t handle, cublasOperation_t trans,      \
                                          int n, int count, const T *a, int lda,                   \
                                          const int *pivots, T *b, int ldb, int *info);            \
    cusolverStatus_t cusolverDn##R##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     T *a, int lda, int *lwork);                   \
    cusolverStatus_t cusolverDn##R##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *tau, T *work, int lwork, int *info);                  \
    cusolverStatus_t cusolverDn##R##mqr##_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *a, int lda, const T *tau, const T *c, int ldc, int *lwork);                \
    cusolverStatus_t cusolverDn##R##mqr(                                                           \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,   \
        int k, const T *a, int lda, const T *tau, T *c, int ldc, T *work, int lwork, int *info);   \
    cusolverStatus_t cusolverDn##R##gqr##_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int k, const T *a, int lda, const T *tau,     \
                                                     int *lwork);                                  \
    cusolverStatus_t cusolverDn##R##gqr(cusolverDnHandle_t handle, int m, int n, int k, T *a,      \
                                        int lda, const T *tau, T *work, int lwork, int *info);     \
    cusolverStatus_t cusolverDn##R##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork);                                  \
    cusolverStatus_t cusolverDn##R##gesvd(                                                         \
        cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *a,        \
        int lda, V *s, T *u, int ldu, T *vt, int ldvt, T *work, int lwork, V *rwork, int *info);   \
    cusolverStatus_t cusolverDn##R##evd##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *a, int lda, const V *w, int *lwork);                                              \
    cusolverStatus_t cusolverDn##R##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,         \
                                        cublasFillMode_t uplo, int n, T *a, int lda, V *w,         \
                                        T *work, int lwork, int *info);
EVGPU_CUSOLVER(S, float, float, ormqr, orgqr, syevd)
EVGPU_CUSOLVER(D, double, double, ormqr, orgqr, syevd)
EVGPU_CUSOLVER(C, cuComplex, float, unmqr, ungqr, heevd)
EVGPU_CUSOLVER(Z, cuDoubleComplex, double, unmqr, ungqr, heevd)
#undef EVGPU_CUSOLVER

/* --- calls of 64 bits, which have the type as a parameter ---------------------------------------
 * Sizes up to those of 32 bits. All matrices and the computation are of one type, values of its
 * real type; everything else returns CUSOLVER_STATUS_NOT_SUPPORTED. Workspaces are in bytes; none
 * is on the host. */
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;
typedef enum { CUSOLVER_ALG_0 = 0, CUSOLVER_ALG_1 = 1, CUSOLVER_ALG_2 = 2 } cusolverAlgMode_t;

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
/* Without effect: each function has one algorithm. */
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, cudaDataType computeType, void *onDevice,
                                  size_t deviceBytes, void *onHost, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t count,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  int64_t *pivots, cudaDataType computeType, void *onDevice,
                                  size_t deviceBytes, void *onHost, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t count,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType typeB, void *b, int64_t ldb,
                                  int *info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType typeTau,
                                             const void *tau, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeTau, void *tau, cudaDataType computeType,
                                  void *onDevice, size_t deviceBytes, void *onHost,
                                  size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType typeW, const void *w,
                                             cudaDataType computeType, size_t *deviceBytes,
                                             size_t *hostBytes);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeW,
                                  void *w, cudaDataType computeType, void *onDevice,
                                  size_t deviceBytes, void *onHost, size_t hostBytes, int *info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt,
    int64_t m, int64_t n, cudaDataType typeA, const void *a, int64_t lda, cudaDataType typeS,
    const void *s, cudaDataType typeU, const void *u, int64_t ldu, cudaDataType typeVT,
    const void *vt, int64_t ldvt, cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeS,
                                  void *s, cudaDataType typeU, void *u, int64_t ldu,
                                  cudaDataType typeVT, void *vt, int64_t ldvt,
                                  cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                  void *onHost, size_t hostBytes, int *info);

#ifdef __cplusplus
}
#endif

#endif
