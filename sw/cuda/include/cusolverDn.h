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

#ifdef __cplusplus
}
#endif

#endif
