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

/* Sizes of groups, of 32 or of 64 bits. */
struct list {
    const int *narrow;
    const int64_t *wide;
};

static int64_t of(struct list list, int64_t group)
{
    return list.wide ? list.wide[group] : list.narrow[group];
}

struct groups {
    int64_t count;
    const cublasOperation_t *transa, *transb;
    struct list m, n, k, lda, ldb, ldc, size;
    const void *alpha, *beta;
    const void *const *a, *const *b;
    void *const *c;
    cudaDataType type_a, type_b, type_c;
};

static bool there(struct list list)
{
    return list.narrow || list.wide;
}

static cublasStatus_t multiply(cublasHandle_t handle, const struct groups *s,
                               cublasComputeType_t compute)
{
    size_t bytes = scalar_bytes(compute, s->type_c);
    BLAS_HANDLE(handle);
    BLAS_VALID(s->count >= 0);
    BLAS_CHECK(bytes, CUBLAS_STATUS_NOT_SUPPORTED);
    if (!s->count)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_VALID(s->transa && s->transb && s->alpha && s->beta);
    BLAS_VALID(there(s->m) && there(s->n) && there(s->k) && there(s->lda) && there(s->ldb) &&
               there(s->ldc) && there(s->size));
    for (int64_t g = 0, first = 0; g < s->count; first += of(s->size, g++)) {
        const char *by = (const char *)s->alpha + (size_t)g * bytes;
        const char *and = (const char *)s->beta + (size_t)g * bytes;
        cublasStatus_t status = cublasGemmBatchedEx_64(
            handle, s->transa[g], s->transb[g], of(s->m, g), of(s->n, g), of(s->k, g), by,
            s->a + first, s->type_a, of(s->lda, g), s->b + first, s->type_b, of(s->ldb, g), and,
            s->c + first, s->type_c, of(s->ldc, g), of(s->size, g), compute, CUBLAS_GEMM_DEFAULT);
        BLAS_CHECK(!status, status);
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* `width`: the lists' member. */
#define LIST(width, list)                                                                          \
    {                                                                                              \
        .width = (list)                                                                            \
    }
#define GROUPS(width, A, B, C)                                                                     \
    {                                                                                              \
        .count = group_count, .transa = transa, .transb = transb, .m = LIST(width, m),             \
        .n = LIST(width, n), .k = LIST(width, k), .lda = LIST(width, lda),                         \
        .ldb = LIST(width, ldb), .ldc = LIST(width, ldc), .size = LIST(width, group_size),         \
        .alpha = alpha, .beta = beta, .a = (const void *const *)a, .b = (const void *const *)b,    \
        .c = (void *const *)c, .type_a = A, .type_b = B, .type_c = C                               \
    }
#define GROUPED(name, T, type, compute, size, width)                                               \
    cublasStatus_t name(cublasHandle_t handle, const cublasOperation_t transa[],                   \
                        const cublasOperation_t transb[], const size m[], const size n[],          \
                        const size k[], const T alpha[], const T *const a[], const size lda[],     \
                        const T *const b[], const size ldb[], const T beta[], T *const c[],        \
                        const size ldc[], size group_count, const size group_size[])               \
    {                                                                                              \
        struct groups s = GROUPS(width, type, type, type);                                         \
        return multiply(handle, &s, compute);                                                      \
    }
#define GROUPED_EX(name, size, width)                                                              \
    cublasStatus_t name(                                                                           \
        cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], \
        const size m[], const size n[], const size k[], const void *alpha, const void *const a[],  \
        cudaDataType Atype, const size lda[], const void *const b[], cudaDataType Btype,           \
        const size ldb[], const void *beta, void *const c[], cudaDataType Ctype, const size ldc[], \
        size group_count, const size group_size[], cublasComputeType_t compute)                    \
    {                                                                                              \
        struct groups s = GROUPS(width, Atype, Btype, Ctype);                                      \
        return multiply(handle, &s, compute);                                                      \
    }
#define BOTH(size, width, end)                                                                     \
    GROUPED(cublasSgemmGroupedBatched##end, float, CUDA_R_32F, CUBLAS_COMPUTE_32F, size, width)    \
    GROUPED(cublasDgemmGroupedBatched##end, double, CUDA_R_64F, CUBLAS_COMPUTE_64F, size, width)   \
    GROUPED_EX(cublasGemmGroupedBatchedEx##end, size, width)
BOTH(int, narrow, )
BOTH(int64_t, wide, _64)
