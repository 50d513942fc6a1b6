/* Solvers that NVIDIA's library runs in a lower precision and refines. Included by cusolverDn.h.
 *
 * Here they compute in the precision of the matrix, whatever the second letter, or the lowest
 * precision of the parameters. *niter says so: -1, with the factors in A, as where NVIDIA's library
 * finds a lower precision not worth while; 0 where that is the matrix's own, and A stays as it is.
 */
#ifndef EVGPU_CUDA_CRT_SOLVER_REFINEMENT_H
#define EVGPU_CUDA_CRT_SOLVER_REFINEMENT_H

#define EVGPU_CUSOLVER_GESV(name, T)                                                               \
    cusolverStatus_t cusolverDn##name##gesv_bufferSize(                                            \
        cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t count, T *a,                   \
        cusolver_int_t lda, cusolver_int_t *pivots, T *b, cusolver_int_t ldb, T *x,                \
        cusolver_int_t ldx, void *work, size_t *bytes);                                            \
    cusolverStatus_t cusolverDn##name##gesv(cusolverDnHandle_t handle, cusolver_int_t n,           \
                                            cusolver_int_t count, T *a, cusolver_int_t lda,        \
                                            cusolver_int_t *pivots, T *b, cusolver_int_t ldb,      \
                                            T *x, cusolver_int_t ldx, void *work, size_t bytes,    \
                                            cusolver_int_t *niter, cusolver_int_t *info);
#define EVGPU_CUSOLVER_GESVS(R, T, second, third, fourth)                                          \
    EVGPU_CUSOLVER_GESV(R##R, T)                                                                   \
    EVGPU_CUSOLVER_GESV(R##second, T)                                                              \
    EVGPU_CUSOLVER_GESV(R##third, T)                                                               \
    EVGPU_CUSOLVER_GESV(R##fourth, T)
EVGPU_CUSOLVER_GESVS(S, float, H, B, X)
EVGPU_CUSOLVER_GESVS(D, double, H, B, X)
EVGPU_CUSOLVER_GESVS(C, cuComplex, K, E, Y)
EVGPU_CUSOLVER_GESVS(Z, cuDoubleComplex, K, E, Y)
EVGPU_CUSOLVER_GESV(DS, double)
EVGPU_CUSOLVER_GESV(ZC, cuDoubleComplex)
#undef EVGPU_CUSOLVER_GESV
#undef EVGPU_CUSOLVER_GESVS

/* The same with parameters, of which the main precision and whether the lowest one is another have
 * an effect. */
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params);
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t solver);
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params,
                                                        cusolverPrecType_t main,
                                                        cusolverPrecType_t lowest);
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params,
                                                           cusolverPrecType_t main);
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params,
                                                             cusolverPrecType_t lowest);
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double tolerance);
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t iterations);
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos);
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos);
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t *niters);
cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t count, size_t *bytes);
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                    cusolverDnIRSInfos_t infos, cusolver_int_t n,
                                    cusolver_int_t count, void *a, cusolver_int_t lda, void *b,
                                    cusolver_int_t ldb, void *x, cusolver_int_t ldx, void *work,
                                    size_t bytes, cusolver_int_t *niters, cusolver_int_t *info);

#endif
