/* Products of matrices whose elements have other types than the sums: cublasGemmEx and its batches.
 */
#include <stdio.h>

#include "sw/cuda/blas/blas.h"

/* What can be multiplied: the types of a and b, of c, and of the sums; the middle of the kernel's
 * name, which ends with the letter of c; the precision of alpha and beta. */
struct mix {
    cudaDataType of_ab, of_c;
    cublasComputeType_t compute;
    const char *kernel;
    enum library_precision factor;
};

static const struct mix mixes[] = {{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, "", LIBRARY_D},
                                   {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "", LIBRARY_S},
                                   {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F, "", LIBRARY_Z},
                                   {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, "", LIBRARY_C},
                                   {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, "_h_h", LIBRARY_H},
                                   {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, "_h", LIBRARY_S},
                                   {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "_h", LIBRARY_S},
                                   {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, "_b", LIBRARY_S},
                                   {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, "_b", LIBRARY_S},
                                   {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, "_q", LIBRARY_S},
                                   {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, "_q", LIBRARY_I}};

struct mixed {
    cublasOperation_t transa, transb;
    cudaDataType of_a, of_b, of_c;
    int lda, ldb;
    cublasComputeType_t compute;
    struct blas_gemm g;
};

static const struct mix *mix_of(const struct mixed *x)
{
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes && x->of_a == x->of_b; i++)
        if (mixes[i].of_ab == x->of_a && mixes[i].of_c == x->of_c &&
            mixes[i].compute == blas_exact(x->compute))
            return &mixes[i];
    return NULL;
}

static cublasStatus_t multiply(cublasHandle_t handle, struct mixed *x)
{
    BLAS_HANDLE(handle);
    cublasStatus_t status = blas_gemm_check(x->transa, x->transb, x->lda, x->ldb, &x->g);
    const struct mix *mix = mix_of(x);
    enum library_precision of_c;
    char name[32];
    if (status)
        return status;
    BLAS_CHECK(mix && blas_precision(x->of_c, &of_c), CUBLAS_STATUS_NOT_SUPPORTED);
    struct library_call call = blas_call(handle, of_c);
    struct blas_operands o = {&x->g.a, &x->g.b, blas_factor(handle, mix->factor, x->g.alpha, 0),
                              blas_factor(handle, mix->factor, x->g.beta, 0)};
    unsigned int side = blas_tile(&x->g, of_c);
    snprintf(name, sizeof name, "gemm_%s%s", side == GEMM_SMALL ? "small" : "large", mix->kernel);
    return blas_multiply(&call, name, side, &x->g, &o);
}

/* What the three calls have in common. */
#define COMMON                                                                                     \
    {                                                                                              \
        .transa = transa, .transb = transb, .of_a = Atype, .of_b = Btype, .of_c = Ctype,           \
        .lda = lda, .ldb = ldb, .compute = computeType, .g = {                                     \
            .m = m,                                                                                \
            .n = n,                                                                                \
            .k = k,                                                                                \
            .alpha = alpha,                                                                        \
            .beta = beta,                                                                          \
            .ldc = ldc,                                                                            \
            .batch = 1                                                                             \
        }                                                                                          \
    }

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType Atype, int lda, const void *b,
                            cudaDataType Btype, int ldb, const void *beta, void *c,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo)
{
    struct mixed x = COMMON;
    (void)algo; /* all are one */
    x.g.a.data = a, x.g.b.data = b, x.g.c = c;
    return multiply(handle, &x);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType Atype, int lda,
                                   const void *const b[], cudaDataType Btype, int ldb,
                                   const void *beta, void *const c[], cudaDataType Ctype, int ldc,
                                   int batch, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t algo)
{
    struct mixed x = COMMON;
    (void)algo;
    x.g.a.list = a, x.g.b.list = b, x.g.c_list = c, x.g.batch = batch;
    return multiply(handle, &x);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType Atype,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType Btype, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType Ctype, int ldc,
                                          long long stride_c, int batch,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t algo)
{
    struct mixed x = COMMON;
    (void)algo;
    x.g.a.data = a, x.g.b.data = b, x.g.c = c, x.g.batch = batch;
    x.g.a.stride = stride_a, x.g.b.stride = stride_b, x.g.stride_c = stride_c;
    return multiply(handle, &x);
}

/* --- by the names of their types ----------------------------------------------------------------
 */

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb, const __half *beta,
                           __half *c, int ldc)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F,
                        ldb, beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half *alpha, const __half *const a[], int lda,
                                  const __half *const b[], int ldb, const __half *beta,
                                  __half *const c[], int ldc, int batch)
{
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, (const void *const *)a,
                               CUDA_R_16F, lda, (const void *const *)b, CUDA_R_16F, ldb, beta,
                               (void *const *)c, CUDA_R_16F, ldc, batch, CUBLAS_COMPUTE_16F,
                               CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long stride_a, const __half *b, int ldb,
                                         long long stride_b, const __half *beta, __half *c, int ldc,
                                         long long stride_c, int batch)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, CUDA_R_16F, lda,
                                      stride_a, b, CUDA_R_16F, ldb, stride_b, beta, c, CUDA_R_16F,
                                      ldc, stride_c, batch, CUBLAS_COMPUTE_16F,
                                      CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType Atype, int lda, const void *b,
                             cudaDataType Btype, int ldb, const float *beta, void *c,
                             cudaDataType Ctype, int ldc)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, Atype, lda, b, Btype, ldb, beta,
                        c, Ctype, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
