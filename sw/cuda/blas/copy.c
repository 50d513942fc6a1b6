/* Copies of vectors and matrices between host and device. */
#include "sw/cuda/blas/blas.h"

/* Columns of `rows` elements, `ld` elements apart. */
static cublasStatus_t copy(int rows, int columns, int element, const void *from, int ld_from,
                           void *to, int ld_to, enum cudaMemcpyKind kind, bool waits,
                           cudaStream_t stream)
{
    BLAS_VALID(rows >= 0 && columns >= 0 && element > 0 && ld_from > 0 && ld_to > 0);
    if (!rows || !columns)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_VALID(ld_from >= rows && ld_to >= rows && from && to);
    size_t size = (size_t)element, pitch_to = (size_t)ld_to * size,
           pitch_from = (size_t)ld_from * size;
    size_t width = (size_t)rows * size, height = (size_t)columns;
    cudaError_t error =
        waits ? cudaMemcpy2D(to, pitch_to, from, pitch_from, width, height, kind)
              : cudaMemcpy2DAsync(to, pitch_to, from, pitch_from, width, height, kind, stream);
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void *a, int lda,
                               void *device, int ldb)
{
    return copy(rows, columns, element, a, lda, device, ldb, cudaMemcpyHostToDevice, true, NULL);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void *device, int lda,
                               void *b, int ldb)
{
    return copy(rows, columns, element, device, lda, b, ldb, cudaMemcpyDeviceToHost, true, NULL);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void *a, int lda,
                                    void *device, int ldb, cudaStream_t stream)
{
    return copy(rows, columns, element, a, lda, device, ldb, cudaMemcpyHostToDevice, false, stream);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void *device, int lda,
                                    void *b, int ldb, cudaStream_t stream)
{
    return copy(rows, columns, element, device, lda, b, ldb, cudaMemcpyDeviceToHost, false, stream);
}

/* A vector is a matrix of one row. */
cublasStatus_t cublasSetVector(int n, int element, const void *x, int incx, void *device, int incy)
{
    return copy(1, n, element, x, incx, device, incy, cudaMemcpyHostToDevice, true, NULL);
}

cublasStatus_t cublasGetVector(int n, int element, const void *device, int incx, void *y, int incy)
{
    return copy(1, n, element, device, incx, y, incy, cudaMemcpyDeviceToHost, true, NULL);
}

cublasStatus_t cublasSetVectorAsync(int n, int element, const void *x, int incx, void *device,
                                    int incy, cudaStream_t stream)
{
    return copy(1, n, element, x, incx, device, incy, cudaMemcpyHostToDevice, false, stream);
}

cublasStatus_t cublasGetVectorAsync(int n, int element, const void *device, int incx, void *y,
                                    int incy, cudaStream_t stream)
{
    return copy(1, n, element, device, incx, y, incy, cudaMemcpyDeviceToHost, false, stream);
}
