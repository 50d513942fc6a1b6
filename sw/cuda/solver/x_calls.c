/* The calls of 64 bits: their types choose a call of 32 bits. */
#include <stdlib.h>

#include "sw/cuda/solver/x_calls.h"

struct cusolverDnParams {
    cusolverAlgMode_t of[CUSOLVERDN_POTRF + 1];
};

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params)
{
    SOLVER_VALID(params);
    *params = calloc(1, sizeof **params);
    return *params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params)
{
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm)
{
    SOLVER_VALID(params && (unsigned int)function <= CUSOLVERDN_POTRF &&
                 (unsigned int)algorithm <= CUSOLVER_ALG_2);
    params->of[function] = algorithm;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes)
{
    struct dense d = {0};
    (void)params;
    int numbers = 0;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(n, lda)));
    CALL(&d, status, potrf_bufferSize, potrf_bufferSize, handle, uplo, (int)n, (void *)(uintptr_t)a,
         (int)lda, &numbers);
    return in_bytes(&d, status, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, cudaDataType computeType, void *onDevice,
                                  size_t deviceBytes, void *onHost, size_t hostBytes, int *info)
{
    struct dense d = {0};
    (void)params, (void)onHost, (void)hostBytes;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(n, lda)));
    CALL(&d, status, potrf, potrf, handle, uplo, (int)n, a, (int)lda, onDevice,
         numbers_in(&d, deviceBytes), info);
    return status;
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t count,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info)
{
    struct dense d = {0};
    (void)params;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, typeB, SIZES(n, count, lda, ldb)));
    CALL(&d, status, potrs, potrs, handle, uplo, (int)n, (int)count, a, (int)lda, b, (int)ldb,
         info);
    return status;
}

/* The pivots of 32 bits go to the workspace. */
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes)
{
    struct dense d = {0};
    (void)params;
    (void)a;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda)));
    SOLVER_VALID(blas_fits((int)lda, (int)m) && deviceBytes && hostBytes);
    *deviceBytes = (size_t)(m < n ? m : n) * sizeof(int);
    *hostBytes = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  int64_t *pivots, cudaDataType computeType, void *onDevice,
                                  size_t deviceBytes, void *onHost, size_t hostBytes, int *info)
{
    struct dense d = {0};
    (void)params, (void)onHost, (void)hostBytes;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda)));
    int least = (int)(m < n ? m : n), *narrow = pivots ? onDevice : NULL;
    struct solver_lu lu = {(int)m, (int)n, {a, (int)lda}, narrow, info};
    SOLVER_VALID(!pivots || deviceBytes >= (size_t)least * sizeof(int));
    SOLVER_TRY(solver_getrf(&d, &lu));
    if (!pivots || !least)
        return CUSOLVER_STATUS_SUCCESS;
    struct library_call call = solver_call(&d);
    call.precision = LIBRARY_I;
    library_add(&call, &least);
    library_add(&call, &narrow);
    library_add(&call, &pivots);
    return solver_launch(&call, "widen", library_blocks(least, LU_THREADS, ~0u), LU_THREADS);
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t count,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType typeB, void *b, int64_t ldb,
                                  int *info)
{
    struct dense d = {0};
    (void)params;
    SOLVER_TRY(prepare(handle, &d, typeA, typeB, SIZES(n, count, lda, ldb)));
    struct solver_system s = {trans,
                              (int)n,
                              (int)count,
                              {(void *)(uintptr_t)a, (int)lda},
                              {b, (int)ldb},
                              (const int *)(const void *)pivots,
                              2};
    return solver_getrs(&d, &s, info);
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType typeA,
                                             const void *a, int64_t lda, cudaDataType typeTau,
                                             const void *tau, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes)
{
    struct dense d = {0};
    (void)params;
    int numbers = 0;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda)));
    SOLVER_CHECK(typeTau == typeA, CUSOLVER_STATUS_NOT_SUPPORTED);
    (void)tau;
    CALL(&d, status, geqrf_bufferSize, geqrf_bufferSize, handle, (int)m, (int)n,
         (void *)(uintptr_t)a, (int)lda, &numbers);
    return in_bytes(&d, status, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeTau, void *tau, cudaDataType computeType,
                                  void *onDevice, size_t deviceBytes, void *onHost,
                                  size_t hostBytes, int *info)
{
    struct dense d = {0};
    (void)params, (void)onHost, (void)hostBytes;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda)));
    SOLVER_CHECK(typeTau == typeA, CUSOLVER_STATUS_NOT_SUPPORTED);
    CALL(&d, status, geqrf, geqrf, handle, (int)m, (int)n, a, (int)lda, tau, onDevice,
         numbers_in(&d, deviceBytes), info);
    return status;
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType typeA, const void *a,
                                             int64_t lda, cudaDataType typeW, const void *w,
                                             cudaDataType computeType, size_t *deviceBytes,
                                             size_t *hostBytes)
{
    struct dense d = {0};
    (void)params;
    int numbers = 0;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(n, lda)));
    SOLVER_CHECK(is_real_of(&d, typeW), CUSOLVER_STATUS_NOT_SUPPORTED);
    CALL(&d, status, syevd_bufferSize, heevd_bufferSize, handle, jobz, uplo, (int)n, a, (int)lda, w,
         &numbers);
    return in_bytes(&d, status, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeW,
                                  void *w, cudaDataType computeType, void *onDevice,
                                  size_t deviceBytes, void *onHost, size_t hostBytes, int *info)
{
    struct dense d = {0};
    (void)params, (void)onHost, (void)hostBytes;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(n, lda)));
    SOLVER_CHECK(is_real_of(&d, typeW), CUSOLVER_STATUS_NOT_SUPPORTED);
    CALL(&d, status, syevd, heevd, handle, jobz, uplo, (int)n, a, (int)lda, w, onDevice,
         numbers_in(&d, deviceBytes), info);
    return status;
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt,
    int64_t m, int64_t n, cudaDataType typeA, const void *a, int64_t lda, cudaDataType typeS,
    const void *s, cudaDataType typeU, const void *u, int64_t ldu, cudaDataType typeVT,
    const void *vt, int64_t ldvt, cudaDataType computeType, size_t *deviceBytes, size_t *hostBytes)
{
    struct dense d = {0};
    (void)params;
    int numbers = 0;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda, ldu, ldvt)));
    SOLVER_CHECK(is_real_of(&d, typeS) && typeU == typeA && typeVT == typeA,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    (void)jobu, (void)jobvt, (void)a, (void)s, (void)u, (void)vt;
    CALL(&d, status, gesvd_bufferSize, gesvd_bufferSize, handle, (int)m, (int)n, &numbers);
    return in_bytes(&d, status, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeS,
                                  void *s, cudaDataType typeU, void *u, int64_t ldu,
                                  cudaDataType typeVT, void *vt, int64_t ldvt,
                                  cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                  void *onHost, size_t hostBytes, int *info)
{
    struct dense d = {0};
    (void)params, (void)onHost, (void)hostBytes;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(m, n, lda, ldu, ldvt)));
    SOLVER_CHECK(is_real_of(&d, typeS) && typeU == typeA && typeVT == typeA,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    CALL(&d, status, gesvd, gesvd, handle, jobu, jobvt, (int)m, (int)n, a, (int)lda, s, u, (int)ldu,
         vt, (int)ldvt, onDevice, numbers_in(&d, deviceBytes), NULL, info);
    return status;
}

/* The limits of a range are of the type of the values. */
static double limit(const struct dense *d, const void *at)
{
    if (!at)
        return 0;
    return d->precision == LIBRARY_S || d->precision == LIBRARY_C ? (double)*(const float *)at
                                                                  : *(const double *)at;
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, cusolverEigRange_t range,
                                              cublasFillMode_t uplo, int64_t n, cudaDataType typeA,
                                              const void *a, int64_t lda, void *above, void *upto,
                                              int64_t first, int64_t last, int64_t *count,
                                              cudaDataType typeW, const void *w,
                                              cudaDataType computeType, size_t *deviceBytes,
                                              size_t *hostBytes)
{
    struct dense d = {0};
    int numbers = 0;
    (void)params, (void)a, (void)w, (void)count;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(n, lda)));
    struct solver_range r = {range, limit(&d, above), limit(&d, upto), first, last};
    SOLVER_CHECK(is_real_of(&d, typeW), CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID(solver_is_eigen(jobz, uplo, (int)n, (int)lda) && solver_is_range(&r, (int)n));
    numbers = (int)solver_range_numbers((int)n);
    return in_bytes(&d, CUSOLVER_STATUS_SUCCESS, numbers, deviceBytes, hostBytes);
}

cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a,
                                   int64_t lda, void *above, void *upto, int64_t first,
                                   int64_t last, int64_t *count, cudaDataType typeW, void *w,
                                   cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                   void *onHost, size_t hostBytes, int *info)
{
    struct dense d = {0};
    int found = 0;
    (void)params, (void)onHost, (void)hostBytes;
    SOLVER_TRY(prepare(handle, &d, typeA, computeType, SIZES(n, lda)));
    struct solver_range r = {range, limit(&d, above), limit(&d, upto), first, last};
    struct solver_matrix vectors = {jobz == CUSOLVER_EIG_MODE_VECTOR ? a : NULL, (int)lda};
    struct solver_pencil p = {.job = jobz,
                              .e = {uplo, (int)n, {a, (int)lda}, vectors, w, info, onDevice, NULL}};
    SOLVER_CHECK(is_real_of(&d, typeW), CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID(solver_is_eigen(jobz, uplo, (int)n, (int)lda) && solver_is_range(&r, (int)n) &&
                 count && info &&
                 (size_t)numbers_in(&d, deviceBytes) >= solver_range_numbers((int)n));
    SOLVER_TRY(solver_some(&d, &p, &r, &found));
    *count = found;
    return CUSOLVER_STATUS_SUCCESS;
}
