/* cuSOLVER's dense matrices in the precisions S, D, C and Z, a part of cuSOLVER Library 11.2:
 * factors of Cholesky, LU and QR with what solves by them, singular values and eigenvalues.
 *
 * Matrices lie by columns. Calls enqueue kernels in the handle's stream and return; those that find
 * singular values or eigenvalues of more than 32 columns wait for them. Workspaces are on the
 * device, of as many numbers as the call of their size says. `info` is on the device: 0, or what
 * the call's LAPACK namesake says. What is not declared here is not there. */
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

/* --- eigenvalues in a range, and of two matrices -------------------------------------------------
 * RANGE_I: by numbers from 1; RANGE_V: above the first limit, up to the second. *count, on the
 * host, is their number: with RANGE_V the call waits for them. Two matrices: A x = w B x (type 1),
 * A B x = w x (2), B A x = w x (3); B becomes its Cholesky factor. */
#define EVGPU_CUSOLVER(R, T, V, evdx, gvd, gvdx)                                                   \
    cusolverStatus_t cusolverDn##R##evdx##_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,               \
        cublasFillMode_t uplo, int n, const T *a, int lda, V above, V upto, int first, int last,   \
        int *count, const V *w, int *lwork);                                                       \
    cusolverStatus_t cusolverDn##R##evdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,        \
                                         cusolverEigRange_t range, cublasFillMode_t uplo, int n,   \
                                         T *a, int lda, V above, V upto, int first, int last,      \
                                         int *count, V *w, T *work, int lwork, int *info);         \
    cusolverStatus_t cusolverDn##R##gvd##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,                 \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb, const V *w,        \
        int *lwork);                                                                               \
    cusolverStatus_t cusolverDn##R##gvd(cusolverDnHandle_t handle, cusolverEigType_t type,         \
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
                                        T *a, int lda, T *b, int ldb, V *w, T *work, int lwork,    \
                                        int *info);                                                \
    cusolverStatus_t cusolverDn##R##gvdx##_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,                 \
        cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *a, int lda, const T *b,   \
        int ldb, V above, V upto, int first, int last, int *count, const V *w, int *lwork);        \
    cusolverStatus_t cusolverDn##R##gvdx(                                                          \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,                 \
        cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *a, int lda, T *b, int ldb,      \
        V above, V upto, int first, int last, int *count, V *w, T *work, int lwork, int *info);
EVGPU_CUSOLVER(S, float, float, syevdx, sygvd, sygvdx)
EVGPU_CUSOLVER(D, double, double, syevdx, sygvd, sygvdx)
EVGPU_CUSOLVER(C, cuComplex, float, heevdx, hegvd, hegvdx)
EVGPU_CUSOLVER(Z, cuDoubleComplex, double, heevdx, hegvd, hegvdx)
#undef EVGPU_CUSOLVER

/* --- rotations -----------------------------------------------------------------------------------
 * A pair of columns is orthogonal whose cosine is at most the tolerance, or rounding. `info` is n +
 * 1 where the sweeps allowed have not made all so. The report of residual and sweeps is of the last
 * call, unless that was of a batch. A batch is computed one matrix after the other. */
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
#define EVGPU_CUSOLVER(Name, name)                                                                 \
    cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t *info);                             \
    cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t info);                             \
    cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t info, double tolerance);         \
    cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t info, int sweeps);               \
    cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t info, int sorted);                 \
    cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, name##Info_t info,  \
                                                    double *residual);                             \
    cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t info,    \
                                                  int *sweeps);
EVGPU_CUSOLVER(Syevj, syevj)
EVGPU_CUSOLVER(Gesvdj, gesvdj)
#undef EVGPU_CUSOLVER

#define EVGPU_CUSOLVER(R, T, V, evj, gvj)                                                          \
    cusolverStatus_t cusolverDn##R##evj##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *a, int lda, const V *w, int *lwork, syevjInfo_t params);                          \
    cusolverStatus_t cusolverDn##R##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,         \
                                        cublasFillMode_t uplo, int n, T *a, int lda, V *w,         \
                                        T *work, int lwork, int *info, syevjInfo_t params);        \
    cusolverStatus_t cusolverDn##R##evj##Batched_bufferSize(                                       \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,           \
        const T *a, int lda, const V *w, int *lwork, syevjInfo_t params, int batch);               \
    cusolverStatus_t cusolverDn##R##evj##Batched(                                                  \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a,     \
        int lda, V *w, T *work, int lwork, int *info, syevjInfo_t params, int batch);              \
    cusolverStatus_t cusolverDn##R##gvj##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,                 \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb, const V *w,        \
        int *lwork, syevjInfo_t params);                                                           \
    cusolverStatus_t cusolverDn##R##gvj(cusolverDnHandle_t handle, cusolverEigType_t type,         \
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,      \
                                        T *a, int lda, T *b, int ldb, V *w, T *work, int lwork,    \
                                        int *info, syevjInfo_t params);                            \
    cusolverStatus_t cusolverDn##R##gesvdj_bufferSize(                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T *a,     \
        int lda, const V *s, const T *u, int ldu, const T *v, int ldv, int *lwork,                 \
        gesvdjInfo_t params);                                                                      \
    cusolverStatus_t cusolverDn##R##gesvdj(                                                        \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T *a, int lda,  \
        V *s, T *u, int ldu, T *v, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params);   \
    cusolverStatus_t cusolverDn##R##gesvdjBatched_bufferSize(                                      \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T *a, int lda,      \
        const V *s, const T *u, int ldu, const T *v, int ldv, int *lwork, gesvdjInfo_t params,     \
        int batch);                                                                                \
    cusolverStatus_t cusolverDn##R##gesvdjBatched(                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *a, int lda, V *s,      \
        T *u, int ldu, T *v, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params,          \
        int batch);                                                                                \
    cusolverStatus_t cusolverDn##R##gesvdaStridedBatched_bufferSize(                               \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *a,     \
        int lda, long long strideA, const V *s, long long strideS, const T *u, int ldu,            \
        long long strideU, const T *v, int ldv, long long strideV, int *lwork, int batch);         \
    /* The largest singular values, `rank` of them; norms, on the host, or NULL: of what A has     \
     * beside them. */                                                                             \
    cusolverStatus_t cusolverDn##R##gesvdaStridedBatched(                                          \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *a,     \
        int lda, long long strideA, V *s, long long strideS, T *u, int ldu, long long strideU,     \
        T *v, int ldv, long long strideV, T *work, int lwork, int *info, double *norms,            \
        int batch);
EVGPU_CUSOLVER(S, float, float, syevj, sygvj)
EVGPU_CUSOLVER(D, double, double, syevj, sygvj)
EVGPU_CUSOLVER(C, cuComplex, float, heevj, hegvj)
EVGPU_CUSOLVER(Z, cuDoubleComplex, double, heevj, hegvj)
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
cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, cusolverEigRange_t range,
                                              cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                              const void *a, int64_t lda, void *above, void *upto,
                                              int64_t first, int64_t last, int64_t *count,
                                              cudaDataType typeW, const void *w,
                                              cudaDataType computeType, size_t *deviceBytes,
                                              size_t *hostBytes);
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a,
                                   int64_t lda, void *above, void *upto, int64_t first,
                                   int64_t last, int64_t *count, cudaDataType typeW, void *w,
                                   cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                   void *onHost, size_t hostBytes, int *info);
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

/* V itself, and matrices of any shape. *h_err_sigma is 0: A is taken as it is. */
cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
    int64_t m, int64_t n, cudaDataType typeA, const void *a, int64_t lda, cudaDataType typeS,
    const void *s, cudaDataType typeU, const void *u, int64_t ldu, cudaDataType typeV,
    const void *v, int64_t ldv, cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                   cudaDataType typeA, void *a, int64_t lda, cudaDataType typeS,
                                   void *s, cudaDataType typeU, void *u, int64_t ldu,
                                   cudaDataType typeV, void *v, int64_t ldv,
                                   cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                   void *onHost, size_t hostBytes, int *info, double *h_err_sigma);
/* The k largest values and their vectors ('S' for both jobs, or 'N'). They are computed as all are,
 * so nothing is drawn at random, and p and iterations are only checked. A stays. */
cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              signed char jobu, signed char jobv, int64_t m,
                                              int64_t n, int64_t k, int64_t p, int64_t iterations,
                                              cudaDataType typeA, const void *a, int64_t lda,
                                              cudaDataType typeS, const void *s, cudaDataType typeU,
                                              const void *u, int64_t ldu, cudaDataType typeV,
                                              const void *v, int64_t ldv, cudaDataType computeType,
                                              size_t *deviceBytes, size_t *hostBytes);
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   signed char jobu, signed char jobv, int64_t m, int64_t n,
                                   int64_t k, int64_t p, int64_t iterations, cudaDataType typeA,
                                   void *a, int64_t lda, cudaDataType typeS, void *s,
                                   cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeV,
                                   void *v, int64_t ldv, cudaDataType computeType, void *onDevice,
                                   size_t deviceBytes, void *onHost, size_t hostBytes, int *info);
/* *info: the first 0 on the diagonal, from 1, and then A stays as it is. */
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t diag, int64_t n, cudaDataType typeA,
                                             void *a, int64_t lda, size_t *deviceBytes,
                                             size_t *hostBytes);
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, void *onDevice, size_t deviceBytes, void *onHost,
                                  size_t hostBytes, int *info);

/* Values and right vectors of a matrix without symmetry, which goes; jobvl: CUSOLVER_EIG_MODE_
 * NOVECTOR. Of a real matrix w has all real parts and then all imaginary ones, or complex numbers,
 * by its type; a pair of complex values has two columns of vr, for the real and the imaginary part
 * of the vector of the first one. A part of the work is the host's, so the call waits for it. */
cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
                                            int64_t n, cudaDataType typeA, const void *a,
                                            int64_t lda, cudaDataType typeW, const void *w,
                                            cudaDataType typeVL, const void *vl, int64_t ldvl,
                                            cudaDataType typeVR, const void *vr, int64_t ldvr,
                                            cudaDataType computeType, size_t *deviceBytes,
                                            size_t *hostBytes);
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                 cudaDataType typeA, void *a, int64_t lda, cudaDataType typeW,
                                 void *w, cudaDataType typeVL, void *vl, int64_t ldvl,
                                 cudaDataType typeVR, void *vr, int64_t ldvr,
                                 cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                 void *onHost, size_t hostBytes, int *info);

#include "crt/solver_refinement.h"

#ifdef __cplusplus
}
#endif

#endif
