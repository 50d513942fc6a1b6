/* Products of matrices whose elements have other types than the sums: cublasGemmEx and its batches.
 */
#include <stdio.h>
#include <string.h>

#include "sw/cuda/blas/blas.h"

/* What can be multiplied: the types of a and b, of c, and of the sums, with the kernel's name. */
struct mix {
    cudaDataType of_ab, of_c;
    cublasComputeType_t compute;
    const char *kernel;
    size_t factor; /* bytes of alpha and beta */
};

static const struct mix mixes[] = {
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, "d", sizeof(double)},
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "s", sizeof(float)},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, "h_h_h", 2},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, "h_h", sizeof(float)},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "h_s", sizeof(float)},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, "b_b", sizeof(float)},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, "b_s", sizeof(float)},
    {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, "q_s", sizeof(float)},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, "q_i", sizeof(int)}};

/* No product is rounded to fewer bits, whatever a type permits. */
static cublasComputeType_t exact(cublasComputeType_t type)
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
            mixes[i].compute == exact(x->compute))
            return &mixes[i];
    return NULL;
}

/* Where a factor is on the device, or its value. */
struct factor {
    const void *device;
    double value; /* room for each type */
};

static void add_factor(struct library_call *call, struct factor *f, const void *factor,
                       size_t bytes)
{
    f->device = call->scalars_on_device ? factor : NULL;
    if (!call->scalars_on_device)
        memcpy(&f->value, factor, bytes);
    library_add(call, &f->device);
    library_add(call, &f->value);
}

static cublasStatus_t multiply(cublasHandle_t handle, struct mixed *x)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, LIBRARY_S);
    struct blas_gemm *g = &x->g;
    cublasStatus_t status = blas_gemm_check(x->transa, x->transb, x->lda, x->ldb, g);
    const struct mix *mix = mix_of(x);
    struct factor alpha, beta;
    char name[32];
    if (status)
        return status;
    BLAS_CHECK(mix, CUBLAS_STATUS_NOT_SUPPORTED);
    if (!g->m || !g->n || !g->batch)
        return CUBLAS_STATUS_SUCCESS;
    unsigned int side = blas_tile_side(g);
    library_add(&call, &g->m);
    library_add(&call, &g->n);
    library_add(&call, &g->k);
    add_factor(&call, &alpha, g->alpha, mix->factor);
    library_add(&call, &g->a);
    library_add(&call, &g->b);
    add_factor(&call, &beta, g->beta, mix->factor);
    library_add(&call, &g->c);
    library_add(&call, &g->c_list);
    library_add(&call, &g->ldc);
    library_add(&call, &g->stride_c);
    library_add(&call, &g->fill);
    snprintf(name, sizeof name, "gemm_%s_%s", side == GEMM_SMALL ? "small" : "large", mix->kernel);
    dim3 grid = {library_blocks(g->m, side, ~0u), library_blocks(g->n, side, ~0u),
                 (unsigned int)g->batch};
    return library_launch(call.library, name, grid, (dim3){GEMM_THREADS, 1, 1}, call.stream,
                          call.at)
               ? CUBLAS_STATUS_EXECUTION_FAILED
               : CUBLAS_STATUS_SUCCESS;
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
