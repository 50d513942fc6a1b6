/* What products of cuBLAS and of cuBLASLt choose by. */
#include "sw/cuda/blas/blas.h"

unsigned int blas_tile(const struct blas_gemm *g, enum library_precision precision)
{
    int large = blas_is_complex(precision) ? GEMM_MIDDLE : GEMM_LARGE;
    long long rows = (g->m + large - 1LL) / large, columns = (g->n + large - 1LL) / large;
    bool small = g->m <= large / 2 || g->n <= large / 2 || rows * columns * g->batch < 8;
    return small ? GEMM_SMALL : (unsigned int)large;
}

cublasComputeType_t blas_exact(cublasComputeType_t type)
{
    switch (type) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUBLAS_COMPUTE_32I;
    default:
        return type;
    }
}
