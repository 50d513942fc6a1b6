/* cuSOLVER's sparse solutions in single steps: analysis of a pattern, factor, pivots, and solutions
 * for any number of right-hand sides. Factors lie in the info; what BufferInfo calls internal is
 * that, and the workspace is not used. What cusolverSp.h says holds here, too. LU is on the host
 * alone. */
#ifndef EVGPU_CUDA_CUSOLVERSP_LOWLEVEL_H
#define EVGPU_CUDA_CUSOLVERSP_LOWLEVEL_H

#include "cusolverSp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csrluInfoHost *csrluInfoHost_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrcholInfo *csrcholInfo_t;

/* name: of the info; type, size: its type, and parameters of the matrix' size. */
#define EVGPU_CUSOLVER_INFO(name, Name, Where, ...)                                                \
    cusolverStatus_t cusolverSpCreateCsr##name##Info##Where(Name *info);                           \
    cusolverStatus_t cusolverSpDestroyCsr##name##Info##Where(Name info);                           \
    EVGPU_CUSOLVER_ANALYSIS(name, Name, Where, __VA_ARGS__)
#define EVGPU_CUSOLVER_ANALYSIS(name, Name, Where, ...)                                            \
    cusolverStatus_t cusolverSpXcsr##name##Analysis##Where(                                        \
        cusolverSpHandle_t handle, __VA_ARGS__, int nnz, const cusparseMatDescr_t descr,           \
        const int *offsets, const int *columns, Name info);
#define EVGPU_CUSOLVER_STEPS(R, T, name, Name, Where, ...)                                         \
    cusolverStatus_t cusolverSp##R##csr##name##BufferInfo##Where(                                  \
        cusolverSpHandle_t handle, __VA_ARGS__, int nnz, const cusparseMatDescr_t descr,           \
        const T *values, const int *offsets, const int *columns, Name info, size_t *internal,      \
        size_t *workspace);                                                                        \
    cusolverStatus_t cusolverSp##R##csr##name##ZeroPivot##Where(cusolverSpHandle_t handle,         \
                                                                Name info, T tol, int *position);  \
    cusolverStatus_t cusolverSp##R##csr##name##Solve##Where(                                       \
        cusolverSpHandle_t handle, __VA_ARGS__, const T *b, T *x, Name info, void *buffer);
#define EVGPU_CUSOLVER_CHOL(R, T, Name, Where)                                                     \
    cusolverStatus_t cusolverSp##R##csrcholFactor##Where(                                          \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,                 \
        const T *values, const int *offsets, const int *columns, Name info, void *buffer);
/* QR's Setup keeps the matrix' pointers for Factor; mu has to be 0. With b and x, Factor also
 * solves. */
#define EVGPU_CUSOLVER_QR(R, T, Name, Where)                                                       \
    cusolverStatus_t cusolverSp##R##csrqrSetup##Where(                                             \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, T mu, Name info);                 \
    cusolverStatus_t cusolverSp##R##csrqrFactor##Where(                                            \
        cusolverSpHandle_t handle, int m, int n, int nnz, T *b, T *x, Name info, void *buffer);
/* The row with the largest pivot always comes first: the threshold is not used. Extract gives
 * p a q* = l u, whose row i is row P[i] of the matrix and whose column j is column Q[j], both from
 * 0; l without its diagonal of ones. Both have the entries that Nnz counts: those that this order
 * of rows can fill, also where they are 0. */
#define EVGPU_CUSOLVER_LU(R, T)                                                                    \
    cusolverStatus_t cusolverSp##R##csrluFactorHost(                                               \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,                 \
        const T *values, const int *offsets, const int *columns, csrluInfoHost_t info,             \
        T pivot_threshold, void *buffer);                                                          \
    cusolverStatus_t cusolverSp##R##csrluExtractHost(                                              \
        cusolverSpHandle_t handle, int *P, int *Q, const cusparseMatDescr_t descrL, T *valuesL,    \
        int *offsetsL, int *columnsL, const cusparseMatDescr_t descrU, T *valuesU, int *offsetsU,  \
        int *columnsU, csrluInfoHost_t info, void *buffer);
#define EVGPU_CUSOLVER_STEPS_OF(R, T)                                                              \
    EVGPU_CUSOLVER_STEPS(R, T, lu, csrluInfoHost_t, Host, int n)                                   \
    EVGPU_CUSOLVER_STEPS(R, T, qr, csrqrInfoHost_t, Host, int m, int n)                            \
    EVGPU_CUSOLVER_STEPS(R, T, qr, csrqrInfo_t, , int m, int n)                                    \
    EVGPU_CUSOLVER_STEPS(R, T, chol, csrcholInfoHost_t, Host, int n)                               \
    EVGPU_CUSOLVER_STEPS(R, T, chol, csrcholInfo_t, , int n)                                       \
    EVGPU_CUSOLVER_CHOL(R, T, csrcholInfoHost_t, Host)                                             \
    EVGPU_CUSOLVER_CHOL(R, T, csrcholInfo_t, )                                                     \
    EVGPU_CUSOLVER_QR(R, T, csrqrInfoHost_t, Host)                                                 \
    EVGPU_CUSOLVER_QR(R, T, csrqrInfo_t, )                                                         \
    EVGPU_CUSOLVER_LU(R, T)
EVGPU_CUSOLVER_INFO(lu, csrluInfoHost_t, Host, int n)
EVGPU_CUSOLVER_INFO(qr, csrqrInfoHost_t, Host, int m, int n)
EVGPU_CUSOLVER_ANALYSIS(qr, csrqrInfo_t, , int m, int n) /* the info: cusolverSp.h */
EVGPU_CUSOLVER_INFO(chol, csrcholInfoHost_t, Host, int n)
EVGPU_CUSOLVER_INFO(chol, csrcholInfo_t, , int n)
EVGPU_CUSOLVER_STEPS_OF(S, float)
EVGPU_CUSOLVER_STEPS_OF(D, double)
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int *nnzL, int *nnzU,
                                         csrluInfoHost_t info);
#undef EVGPU_CUSOLVER_INFO
#undef EVGPU_CUSOLVER_ANALYSIS
#undef EVGPU_CUSOLVER_STEPS
#undef EVGPU_CUSOLVER_CHOL
#undef EVGPU_CUSOLVER_QR
#undef EVGPU_CUSOLVER_LU
#undef EVGPU_CUSOLVER_STEPS_OF

#ifdef __cplusplus
}
#endif

#endif
