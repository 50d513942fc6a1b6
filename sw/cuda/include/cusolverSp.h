/* cuSOLVER's sparse matrices in the precisions S and D, a part of cuSOLVER Library 11.2: solutions
 * of systems whose matrix is by rows (CSR), of the type general, with indices from 0 or 1, and
 * orders of rows that keep factors sparse.
 *
 * Calls that end with Host take pointers of the host and use the host alone; the others launch
 * kernels and wait for them. Factors are bands: rows are in the given order or in that of symrcm,
 * whichever band is narrower, whatever `reorder` says. `tol`: a pivot that is not larger counts as
 * 0. `singularity` is on the host: the place of the first such pivot in that order, from 0, or -1;
 * x is written only with -1. Single steps are in cusolverSp_LOWLEVEL_PREVIEW.h. What is not
 * declared there or here is not there: least squares, eigenvalues. */
#ifndef EVGPU_CUDA_CUSOLVERSP_H
#define EVGPU_CUDA_CUSOLVERSP_H
#define CUSOLVERSP_H_

#include <stddef.h>
#include <stdint.h>

#include "cusolver_common.h"
#include "cusparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverSpContext *cusolverSpHandle_t;

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream);

/* Rows end at `ends`; *issym: the pattern is symmetric. */
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz,
                                         const cusparseMatDescr_t descr, const int *offsets,
                                         const int *ends, const int *columns, int *issym);

/* Row p[i] comes at place i. symrcm: a narrow band (Cuthill and McKee, 1969, reversed); symmdq and
 * symamd: the least degree first; metisnd: nested dissection, without options. */
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t descr, const int *offsets,
                                          const int *columns, int *p);
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t descr, const int *offsets,
                                          const int *columns, int *p);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t descr, const int *offsets,
                                          const int *columns, int *p);
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnz,
                                           const cusparseMatDescr_t descr, const int *offsets,
                                           const int *columns, const int64_t *options, int *p);

/* A becomes A(p, q), in place; map[k] becomes map's old element that belongs to entry k. */
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                   const cusparseMatDescr_t descr, int *offsets,
                                                   int *columns, const int *p, const int *q,
                                                   size_t *bytes);
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                        const cusparseMatDescr_t descr, int *offsets, int *columns,
                                        const int *p, const int *q, int *map, void *buffer);

/* x = A^-1 b. chol: A is symmetric, and its lower triangle counts. */
#define EVGPU_CUSOLVER_SOLVE(R, T, name)                                                           \
    cusolverStatus_t cusolverSp##R##csrlsv##name(                                                  \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,                 \
        const T *values, const int *offsets, const int *columns, const T *b, T tol, int reorder,   \
        T *x, int *singularity);
#define EVGPU_CUSOLVER_SPARSE(R, T)                                                                \
    EVGPU_CUSOLVER_SOLVE(R, T, luHost)                                                             \
    EVGPU_CUSOLVER_SOLVE(R, T, qr)                                                                 \
    EVGPU_CUSOLVER_SOLVE(R, T, qrHost)                                                             \
    EVGPU_CUSOLVER_SOLVE(R, T, chol)                                                               \
    EVGPU_CUSOLVER_SOLVE(R, T, cholHost)
EVGPU_CUSOLVER_SPARSE(S, float)
EVGPU_CUSOLVER_SPARSE(D, double)
#undef EVGPU_CUSOLVER_SPARSE
#undef EVGPU_CUSOLVER_SOLVE

/* Square matrices of one pattern on the device, whose values, b and x lie one behind the other:
 * each is factored by QR and solved, one after the other, and the factor is not kept. A singular
 * matrix gives an x that is not finite. What BufferInfo calls internal is the info's own; the
 * workspace is not used. */
typedef struct csrqrInfo *csrqrInfo_t;
cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *info);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info);
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                 const cusparseMatDescr_t descr, const int *offsets,
                                                 const int *columns, csrqrInfo_t info);
#define EVGPU_CUSOLVER_BATCH(R, T)                                                                 \
    cusolverStatus_t cusolverSp##R##csrqrBufferInfoBatched(                                        \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, int batch, csrqrInfo_t info,      \
        size_t *internal, size_t *workspace);                                                      \
    cusolverStatus_t cusolverSp##R##csrqrsvBatched(                                                \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, const T *b, T *x, int batch,      \
        csrqrInfo_t info, void *buffer);
EVGPU_CUSOLVER_BATCH(S, float)
EVGPU_CUSOLVER_BATCH(D, double)
#undef EVGPU_CUSOLVER_BATCH

#ifdef __cplusplus
}
#endif

#endif
