/* Eigenvalues of Hermitian matrices, all of them. */
#include "sw/cuda/solver/solver.h"

#define EIGEN(R, T, V, evd)                                                                        \
    cusolverStatus_t cusolverDn##R##evd##_bufferSize(                                              \
        cusolverDnHandle_t handle, cusolverEigMode_t job, cublasFillMode_t uplo, int n,            \
        const T *a, int lda, const V *values, int *lwork)                                          \
    {                                                                                              \
        (void)a, (void)values;                                                                     \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(solver_is_eigen(job, uplo, n, lda) && lwork);                                 \
        *lwork = (int)solver_eigen_numbers(n);                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDn##R##evd(cusolverDnHandle_t handle, cusolverEigMode_t job,          \
                                        cublasFillMode_t uplo, int n, T *a, int lda, V *values,    \
                                        T *work, int lwork, int *info)                             \
    {                                                                                              \
        struct dense d = {handle, LIBRARY_##R};                                                    \
        struct solver_matrix vectors = {job == CUSOLVER_EIG_MODE_VECTOR ? a : NULL, lda};          \
        struct solver_eigen e = {uplo, n, {a, lda}, vectors, values, info, work, NULL};            \
        SOLVER_HANDLE(handle);                                                                     \
        SOLVER_VALID(solver_is_eigen(job, uplo, n, lda) && info && lwork >= 0 &&                   \
                     (size_t)lwork >= solver_eigen_numbers(n));                                    \
        return solver_eigenvalues(&d, &e);                                                         \
    }
EIGEN(S, float, float, syevd)
EIGEN(D, double, double, syevd)
EIGEN(C, cuComplex, float, heevd)
EIGEN(Z, cuDoubleComplex, double, heevd)
