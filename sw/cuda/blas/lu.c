/* Factors L and U of many small matrices. */
#include "sw/cuda/blas/blas.h"

static cublasStatus_t getrf(cublasHandle_t handle, enum blas_precision precision, int n,
                            const void *list, int lda, int *pivots, int *info, int batch)
{
    struct blas_call call = {.handle = handle, .precision = precision};
    BLAS_HANDLE(handle);
    BLAS_VALID(n >= 0 && batch >= 0 && blas_fits(lda, n));
    BLAS_VALID((list && info) || !n || !batch);
    if (!n || !batch)
        return CUBLAS_STATUS_SUCCESS;
    blas_add(&call, &n);
    blas_add(&call, &list);
    blas_add(&call, &lda);
    blas_add(&call, &pivots);
    blas_add(&call, &info);
    return blas_launch(&call, "getrf", (dim3){(unsigned int)batch, 1, 1}, (dim3){LU_THREADS, 1, 1});
}

cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float *const a[], int lda,
                                   int *pivots, int *info, int batch)
{
    return getrf(handle, BLAS_S, n, a, lda, pivots, info, batch);
}

cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda,
                                   int *pivots, int *info, int batch)
{
    return getrf(handle, BLAS_D, n, a, lda, pivots, info, batch);
}
