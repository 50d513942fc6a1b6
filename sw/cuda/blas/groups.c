/* Groups of batches of products: each group has sizes, transposes and scalars of its own, and its
 * matrices are the next ones of the lists. */
#include "sw/cuda/blas/blas.h"

/* Bytes of a scalar; 0: there is no such computation. */
static size_t scalar_bytes(cublasComputeType_t type, cudaDataType of)
{
    enum library_precision precision;
    size_t parts = blas_precision(of, &precision) && blas_is_complex(precision) ? 2 : 1;
    switch (blas_exact(type)) {
    case CUBLAS_COMPUTE_16F:
        return blas_bytes(LIBRARY_H);
    case CUBLAS_COMPUTE_32F:
        return parts * sizeof(float);
    case CUBLAS_COMPUTE_64F:
        return parts * sizeof(double);
    case CUBLAS_COMPUTE_32I:
        return sizeof(int);
    default:
        return 0;
    }
}

cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[],
    const int m[], const int n[], const int k[], const void *alpha, const void *const a[],
    cudaDataType Atype, const int lda[], const void *const b[], cudaDataType Btype, const int ldb[],
    const void *beta, void *const c[], cudaDataType Ctype, const int ldc[], int group_count,
    const int group_size[], cublasComputeType_t computeType)
{
    size_t bytes = scalar_bytes(computeType, Ctype);
    BLAS_HANDLE(handle);
    BLAS_VALID(group_count >= 0);
    BLAS_CHECK(bytes, CUBLAS_STATUS_NOT_SUPPORTED);
    if (!group_count)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_VALID(transa && transb && m && n && k && alpha && lda && ldb && beta && ldc && group_size);
    for (int g = 0, first = 0; g < group_count; first += group_size[g++]) {
        const char *by = (const char *)alpha + (size_t)g * bytes;
        const char *and = (const char *)beta + (size_t)g * bytes;
        cublasStatus_t status =
            cublasGemmBatchedEx(handle, transa[g], transb[g], m[g], n[g], k[g], by, a + first,
                                Atype, lda[g], b + first, Btype, ldb[g], and, c + first, Ctype,
                                ldc[g], group_size[g], computeType, CUBLAS_GEMM_DEFAULT);
        BLAS_CHECK(!status, status);
    }
    return CUBLAS_STATUS_SUCCESS;
}

#define GROUPED(R, T, type, compute)                                                               \
    cublasStatus_t cublas##R##gemmGroupedBatched(                                                  \
        cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], \
        const int m[], const int n[], const int k[], const T alpha[], const T *const a[],          \
        const int lda[], const T *const b[], const int ldb[], const T beta[], T *const c[],        \
        const int ldc[], int group_count, const int group_size[])                                  \
    {                                                                                              \
        return cublasGemmGroupedBatchedEx(                                                         \
            handle, transa, transb, m, n, k, alpha, (const void *const *)a, type, lda,             \
            (const void *const *)b, type, ldb, beta, (void *const *)c, type, ldc, group_count,     \
            group_size, compute);                                                                  \
    }
GROUPED(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GROUPED(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
