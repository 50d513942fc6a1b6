/* More calls of 64 bits: inverses of triangles, and singular values by the names of polar factors
 * and of random projections. */
#include "sw/cuda/solver/x_calls.h"

/* --- A^-1 of a triangle ----------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t diag, int64_t n, cudaDataType typeA,
                                             void *a, int64_t lda, size_t *deviceBytes,
                                             size_t *hostBytes)
{
    struct dense d = {0};
    (void)a;
    SOLVER_TRY(prepare(handle, &d, typeA, typeA, SIZES(n, lda)));
    SOLVER_VALID(blas_is_fill(uplo) && blas_is_diag(diag) && blas_fits((int)lda, (int)n));
    SOLVER_CHECK(n * n <= INT32_MAX, CUSOLVER_STATUS_NOT_SUPPORTED);
    return in_bytes(&d, CUSOLVER_STATUS_SUCCESS, (int)(n * n), deviceBytes, hostBytes);
}

/* A solves the identity, and what comes of it takes A's place where A has no 0 on its diagonal. */
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, void *onDevice, size_t deviceBytes, void *onHost,
                                  size_t hostBytes, int *info)
{
    struct dense d = {0};
    size_t needed = 0, none = 0;
    SOLVER_TRY(cusolverDnXtrtri_bufferSize(handle, uplo, diag, n, typeA, a, lda, &needed, &none));
    SOLVER_TRY(prepare(handle, &d, typeA, typeA, SIZES(n, lda)));
    SOLVER_VALID(deviceBytes >= needed && info);
    (void)onHost, (void)hostBytes;
    int size = (int)n, ld = (int)lda, fill = blas_fill(uplo), unit = diag == CUBLAS_DIAG_UNIT;
    struct solver_matrix work = {onDevice, size};
    struct solver_triangle t = {CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_N, diag, size, size,
                                {a, ld},          work};
    SOLVER_TRY(solver_clear(&d, info, 1));
    if (!n)
        return CUSOLVER_STATUS_SUCCESS;
    struct library_call call = solver_call(&d);
    library_add(&call, &size);
    library_add(&call, &a);
    library_add(&call, &ld);
    library_add(&call, &info);
    if (!unit)
        SOLVER_TRY(solver_launch(&call, "find_zero", 1, LU_THREADS));
    SOLVER_TRY(solver_identity(&d, size, size, work));
    SOLVER_TRY(solver_triangle(&d, &t));
    call = solver_call(&d);
    library_add(&call, &size);
    library_add(&call, &fill);
    library_add(&call, &unit);
    library_add(&call, &work.data);
    library_add(&call, &a);
    library_add(&call, &ld);
    library_add(&call, &info);
    return solver_launch(&call, "take_inverse", library_blocks(n * n, WIDE_THREADS, ~0u),
                         WIDE_THREADS);
}

/* --- gesvdp, which is gesvdj: U, S and V of any shape ----------------------------------------- */

cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
    int64_t m, int64_t n, cudaDataType typeA, const void *a, int64_t lda, cudaDataType typeS,
    const void *s, cudaDataType typeU, const void *u, int64_t ldu, cudaDataType typeV,
    const void *v, int64_t ldv, cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes)
{
    struct dense d = {0};
    int numbers = 0;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    (void)params;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda, ldu, ldv)));
    SOLVER_CHECK(is_real_of(&d, typeS) && typeU == typeA && typeV == typeA,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    CALL(&d, status, gesvdj_bufferSize, gesvdj_bufferSize, handle, jobz, econ, (int)m, (int)n, a,
         (int)lda, s, u, (int)ldu, v, (int)ldv, &numbers, NULL);
    return in_bytes(&d, status, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                   cudaDataType typeA, void *a, int64_t lda, cudaDataType typeS,
                                   void *s, cudaDataType typeU, void *u, int64_t ldu,
                                   cudaDataType typeV, void *v, int64_t ldv,
                                   cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                   void *onHost, size_t hostBytes, int *info, double *h_err_sigma)
{
    struct dense d = {0};
    gesvdjInfo_t rotations = NULL;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    (void)params, (void)onHost, (void)hostBytes;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda, ldu, ldv)));
    SOLVER_CHECK(is_real_of(&d, typeS) && typeU == typeA && typeV == typeA,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID(h_err_sigma);
    SOLVER_TRY(cusolverDnCreateGesvdjInfo(&rotations));
    CALL(&d, status, gesvdj, gesvdj, handle, jobz, econ, (int)m, (int)n, a, (int)lda, s, u,
         (int)ldu, v, (int)ldv, onDevice, numbers_in(&d, deviceBytes), info, rotations);
    *h_err_sigma = 0; /* A is not changed before it is decomposed */
    cusolverDnDestroyGesvdjInfo(rotations);
    return status;
}

/* --- gesvdr, which is gesvda of one matrix ---------------------------------------------------- */

struct largest {
    signed char jobu, jobv;
    int64_t m, n, k, p, iterations;
    cudaDataType type, of_values, of_u, of_v;
};

static cusolverStatus_t check_largest(const struct dense *d, const struct largest *l,
                                      cusolverEigMode_t *mode)
{
    int64_t least = l->m < l->n ? l->m : l->n;
    SOLVER_CHECK(is_real_of(d, l->of_values) && l->of_u == l->type && l->of_v == l->type,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID((l->jobu == 'S' || l->jobu == 'N') && (l->jobv == 'S' || l->jobv == 'N'));
    SOLVER_CHECK(l->jobu == l->jobv, CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID(l->k > 0 && l->p >= 0 && l->iterations >= 0 && l->k + l->p <= least);
    *mode = l->jobu == 'S' ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
    return CUSOLVER_STATUS_SUCCESS;
}

#define LARGEST (&(struct largest){jobu, jobv, m, n, k, p, iterations, typeA, typeS, typeU, typeV})

cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              signed char jobu, signed char jobv, int64_t m,
                                              int64_t n, int64_t k, int64_t p, int64_t iterations,
                                              cudaDataType typeA, const void *a, int64_t lda,
                                              cudaDataType typeS, const void *s, cudaDataType typeU,
                                              const void *u, int64_t ldu, cudaDataType typeV,
                                              const void *v, int64_t ldv, cudaDataType computeType,
                                              size_t *deviceBytes, size_t *hostBytes)
{
    struct dense d = {0};
    cusolverEigMode_t mode;
    int numbers = 0;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    (void)params;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda, ldu, ldv)));
    SOLVER_TRY(check_largest(&d, LARGEST, &mode));
    CALL(&d, status, gesvdaStridedBatched_bufferSize, gesvdaStridedBatched_bufferSize, handle, mode,
         (int)k, (int)m, (int)n, a, (int)lda, 0, s, 0, u, (int)ldu, 0, v, (int)ldv, 0, &numbers, 1);
    return in_bytes(&d, status, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   signed char jobu, signed char jobv, int64_t m, int64_t n,
                                   int64_t k, int64_t p, int64_t iterations, cudaDataType typeA,
                                   void *a, int64_t lda, cudaDataType typeS, void *s,
                                   cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeV,
                                   void *v, int64_t ldv, cudaDataType computeType, void *onDevice,
                                   size_t deviceBytes, void *onHost, size_t hostBytes, int *info)
{
    struct dense d = {0};
    cusolverEigMode_t mode;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    (void)params, (void)onHost, (void)hostBytes;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda, ldu, ldv)));
    SOLVER_TRY(check_largest(&d, LARGEST, &mode));
    CALL(&d, status, gesvdaStridedBatched, gesvdaStridedBatched, handle, mode, (int)k, (int)m,
         (int)n, a, (int)lda, 0, s, 0, u, (int)ldu, 0, v, (int)ldv, 0, onDevice,
         numbers_in(&d, deviceBytes), info, NULL, 1);
    return status;
}
