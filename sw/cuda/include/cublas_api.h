/* cuBLAS: dense linear algebra, real and complex, in single and double precision, a part of cuBLAS
 * Library 11.5.
 *
 * Matrices lie column by column. Calls enqueue kernels in the handle's stream and return; a call
 * that returns a number to the host (dot, nrm2, asum, amax, amin, rotg, rotmg with
 * CUBLAS_POINTER_MODE_HOST) waits for it. What is not declared here is not there: rotgEx,
 * rotmEx, gemv in batches, loggers, workspaces. Sums have a fixed order, so equal calls
 * give equal bits. */
#ifndef EVGPU_CUDA_CUBLAS_API_H
#define EVGPU_CUDA_CUBLAS_API_H
#define CUBLAS_API_H_ /* for helper_cuda.h */

#include <stdint.h>
#include <stdio.h>

#include "cuComplex.h"

#include "cuda_runtime_api.h"

#include "library_types.h"

#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
#else
typedef struct __half __half; /* C has no halves, but places for them */
#endif

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

#define CUBLAS_VER_MAJOR 11
#define CUBLAS_VER_MINOR 7
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VERSION   (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
/* All are one. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

typedef cudaDataType cublasDataType_t;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;

/* --- handles. One thread uses a handle at a time. ----------------------------------------------
 */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
/* Memory for the library's kernels, which take none: checked and left alone. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
/* Kept; sums never use atomics, and products are never rounded to fewer bits. */
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

#define EVGPU_SIZE        int
#define EVGPU_SIZED(name) name
#include "cublas_sizes.h"
#undef EVGPU_SIZE
#undef EVGPU_SIZED
#define EVGPU_SIZE        int64_t
#define EVGPU_SIZED(name) name##_64
#include "cublas_sizes.h"
#undef EVGPU_SIZE
#undef EVGPU_SIZED

/* --- rotations that zero an element, and triangles to and from packed ones: with 32 bits alone.
 * The names are those of level 1. */

#define EVGPU_CUBLAS_EACH(R, T, V)                                                                 \
    cublasStatus_t cublas##R##rotg_v2(cublasHandle_t handle, T *a, T *b, V *c, T *s);              \
    cublasStatus_t cublas##R##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *packed, T *a, int lda);                               \
    cublasStatus_t cublas##R##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *a, int lda, T *packed);
EVGPU_CUBLAS_EACH(S, float, float)
EVGPU_CUBLAS_EACH(D, double, double)
EVGPU_CUBLAS_EACH(C, cuComplex, float)
EVGPU_CUBLAS_EACH(Z, cuDoubleComplex, double)
#undef EVGPU_CUBLAS_EACH
cublasStatus_t cublasSrotmg_v2(cublasHandle_t handle, float *d1, float *d2, float *x1,
                               const float *y1, float *param);
cublasStatus_t cublasDrotmg_v2(cublasHandle_t handle, double *d1, double *d2, double *x1,
                               const double *y1, double *param);

/* --- batches of small matrices, also complex ones. Lists of matrices are on the device, as are
 * pivots: n rows, from 1, for each matrix; NULL: rows are not exchanged. `info` of getrf, getri and
 * matinv and `infos` of gels are on the device, too: a number for each matrix, of the first column,
 * from 1, that is singular, or 0. The `info` of the others is on the host: 0, or -i where parameter
 * i behind the handle is not valid. gels is for trans N and m >= n. */

#define EVGPU_CUBLAS_EACH(R, T)                                                                    \
    cublasStatus_t cublas##R##getrfBatched(cublasHandle_t handle, int n, T *const a[], int lda,    \
                                           int *pivots, int *info, int batch);                     \
    cublasStatus_t cublas##R##getrsBatched(                                                        \
        cublasHandle_t handle, cublasOperation_t trans, int n, int count, const T *const a[],      \
        int lda, const int *pivots, T *const b[], int ldb, int *info, int batch);                  \
    cublasStatus_t cublas##R##getriBatched(cublasHandle_t handle, int n, const T *const a[],       \
                                           int lda, const int *pivots, T *const c[], int ldc,      \
                                           int *info, int batch);                                  \
    cublasStatus_t cublas##R##matinvBatched(cublasHandle_t handle, int n, const T *const a[],      \
                                            int lda, T *const c[], int ldc, int *info, int batch); \
    cublasStatus_t cublas##R##geqrfBatched(cublasHandle_t handle, int m, int n, T *const a[],      \
                                           int lda, T *const tau[], int *info, int batch);         \
    cublasStatus_t cublas##R##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m,   \
                                          int n, int count, T *const a[], int lda, T *const c[],   \
                                          int ldc, int *info, int *infos, int batch);
EVGPU_CUBLAS_EACH(S, float)
EVGPU_CUBLAS_EACH(D, double)
EVGPU_CUBLAS_EACH(C, cuComplex)
EVGPU_CUBLAS_EACH(Z, cuDoubleComplex)
#undef EVGPU_CUBLAS_EACH

#ifdef __cplusplus
}

/* As before CUDA 11: the computation by the type of its sums. */
static inline cublasComputeType_t evgpu_cublas_compute(cudaDataType type)
{
    return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_32F || type == CUDA_C_32F ? CUBLAS_COMPUTE_32F
           : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
           : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
                                                      : (cublasComputeType_t)0;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType Atype,
                                          int lda, const void *b, cudaDataType Btype, int ldb,
                                          const void *beta, void *c, cudaDataType Ctype, int ldc,
                                          cudaDataType computeType, cublasGemmAlgo_t algo)
{
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, Atype, lda, b, Btype, ldb, beta,
                        c, Ctype, ldc, evgpu_cublas_compute(computeType), algo);
}
static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int m, int n, int k, const void *alpha, const void *const a[],
                    cudaDataType Atype, int lda, const void *const b[], cudaDataType Btype, int ldb,
                    const void *beta, void *const c[], cudaDataType Ctype, int ldc, int batch,
                    cudaDataType computeType, cublasGemmAlgo_t algo)
{
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, Atype, lda, b, Btype, ldb,
                               beta, c, Ctype, ldc, batch, evgpu_cublas_compute(computeType), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType Atype, int lda, long long stride_a,
    const void *b, cudaDataType Btype, int ldb, long long stride_b, const void *beta, void *c,
    cudaDataType Ctype, int ldc, long long stride_c, int batch, cudaDataType computeType,
    cublasGemmAlgo_t algo)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, Atype, lda,
                                      stride_a, b, Btype, ldb, stride_b, beta, c, Ctype, ldc,
                                      stride_c, batch, evgpu_cublas_compute(computeType), algo);
}
#endif
#endif
