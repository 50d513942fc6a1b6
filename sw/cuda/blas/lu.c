/* Factors L and U of many small matrices. */
#include "sw/cuda/blas/blas.h"

static cublasStatus_t getrf(cublasHandle_t handle, enum library_precision precision, int n,
                            const void *list, int lda, int *pivots, int *info, int batch)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    BLAS_VALID(n >= 0 && batch >= 0 && blas_fits(lda, n));
    BLAS_VALID((list && info) || !n || !batch);
    if (!n || !batch)
        return CUBLAS_STATUS_SUCCESS;
    library_add(&call, &n);
    library_add(&call, &list);
    library_add(&call, &lda);
    library_add(&call, &pivots);
    library_add(&call, &info);
    return blas_launch(&call, "getrf", (dim3){(unsigned int)batch, 1, 1}, (dim3){LU_THREADS, 1, 1});
}

cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float *const a[], int lda,
                                   int *pivots, int *info, int batch)
{
    return getrf(handle, LIBRARY_S, n, a, lda, pivots, info, batch);
}

cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda,
                                   int *pivots, int *info, int batch)
{
    return getrf(handle, LIBRARY_D, n, a, lda, pivots, info, batch);
}
