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

/* --- copies between host and device; the Async forms take a stream
 * --------------------------------- */

cublasStatus_t cublasSetVector(int n, int element, const void *x, int incx, void *device, int incy);
cublasStatus_t cublasGetVector(int n, int element, const void *device, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void *a, int lda,
                               void *device, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void *device, int lda,
                               void *b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int element, const void *x, int incx, void *device,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element, const void *device, int incx, void *y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void *a, int lda,
                                    void *device, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void *device, int lda,
                                    void *b, int ldb, cudaStream_t stream);

/* --- levels 1 to 3. R is the precision (S, D, C, Z), T its type, I its letter, V the type of its
 * real numbers, N the letters of results that are real. Scalars (alpha, beta, c, s, result) are on
 * the host or on the device, as the pointer mode says.
 */

#define EVGPU_CUBLAS_EACH(R, T, I, V, N)                                                           \
    cublasStatus_t cublas##R##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,    \
                                      int incx, T *y, int incy);                                   \
    cublasStatus_t cublas##R##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x,          \
                                      int incx);                                                   \
    cublasStatus_t cublas##R##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,    \
                                      int incy);                                                   \
    cublasStatus_t cublas##R##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy);                                                   \
    cublasStatus_t cublas##N##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      V *result);                                                  \
    cublasStatus_t cublas##N##asum_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      V *result);                                                  \
    cublasStatus_t cublasI##I##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result);                                               \
    cublasStatus_t cublasI##I##amin_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result);                                               \
    cublasStatus_t cublas##R##rotg_v2(cublasHandle_t handle, T *a, T *b, V *c, T *s);              \
    cublasStatus_t cublas##R##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,       \
                                      int n, const T *alpha, const T *a, int lda, const T *x,      \
                                      int incx, const T *beta, T *y, int incy);                    \
    cublasStatus_t cublas##R##gbmv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,       \
                                      int n, int kl, int ku, const T *alpha, const T *a, int lda,  \
                                      const T *x, int incx, const T *beta, T *y, int incy);        \
    EVGPU_CUBLAS_TRIANGLE(R, T, mv)                                                                \
    EVGPU_CUBLAS_TRIANGLE(R, T, sv)                                                                \
    EVGPU_CUBLAS_SYMMETRIC(R, T, T, T, symv, syr, syr2, symm, syrk, syr2k, syrkx)                  \
    EVGPU_CUBLAS_GEMM(R, T, gemm_v2)                                                               \
    cublasStatus_t cublas##R##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *const a[], int lda, const T *const b[], int ldb,           \
        const T *beta, T *const c[], int ldc, int batch);                                          \
    cublasStatus_t cublas##R##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,       \
        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int batch);          \
    cublasStatus_t cublas##R##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *a, int lda, T *b, int ldb);                         \
    cublasStatus_t cublas##R##trsmBatched(                                                         \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,              \
        const T *const list[], int lda, T *const b[], int ldb, int batch);                         \
    cublasStatus_t cublas##R##trmm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *a, int lda, const T *b, int ldb, T *c, int ldc);    \
    cublasStatus_t cublas##R##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc);   \
    cublasStatus_t cublas##R##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,     \
                                   const T *a, int lda, const T *x, int incx, T *c, int ldc);      \
    cublasStatus_t cublas##R##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *packed, T *a, int lda);                               \
    cublasStatus_t cublas##R##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n,           \
                                    const T *a, int lda, T *packed);
/* Triangles as a whole, as a band, and packed. */
#define EVGPU_CUBLAS_TRIANGLE(R, T, mark)                                                          \
    cublasStatus_t cublas##R##tr##mark##_v2(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            const T *a, int lda, T *x, int incx);                  \
    cublasStatus_t cublas##R##tb##mark##_v2(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            int k, const T *a, int lda, T *x, int incx);           \
    cublasStatus_t cublas##R##tp##mark##_v2(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                            cublasOperation_t trans, cublasDiagType_t diag, int n, \
                                            const T *a, T *x, int incx);
/* Symmetric or Hermitian matrices; A and B: the types of alpha of sums of one product, of beta. */
#define EVGPU_CUBLAS_SYMMETRIC(R, T, A, B, mv, r, r2, mm, rk, r2k, rkx)                            \
    cublasStatus_t cublas##R##mv##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,         \
                                      const T *alpha, const T *a, int lda, const T *x, int incx,   \
                                      const T *beta, T *y, int incy);                              \
    cublasStatus_t cublas##R##r##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,          \
                                     const A *alpha, const T *x, int incx, T *a, int lda);         \
    cublasStatus_t cublas##R##r2##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,         \
                                      const T *alpha, const T *x, int incx, const T *y, int incy,  \
                                      T *a, int lda);                                              \
    cublasStatus_t cublas##R##mm##_v2(                                                             \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,         \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);   \
    cublasStatus_t cublas##R##rk##_v2(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                      cublasOperation_t trans, int n, int k, const A *alpha,       \
                                      const T *a, int lda, const B *beta, T *c, int ldc);          \
    cublasStatus_t cublas##R##r2k##_v2(                                                            \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,       \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const B *beta, T *c, int ldc);   \
    cublasStatus_t cublas##R##rkx(                                                                 \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,       \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const B *beta, T *c, int ldc);
/* ... of which there are also bands and packed ones. */
#define EVGPU_CUBLAS_PACKED(R, T, A, bmv, pmv, pr, pr2)                                            \
    cublasStatus_t cublas##R##bmv##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k, \
                                       const T *alpha, const T *a, int lda, const T *x, int incx,  \
                                       const T *beta, T *y, int incy);                             \
    cublasStatus_t cublas##R##pmv##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,        \
                                       const T *alpha, const T *a, const T *x, int incx,           \
                                       const T *beta, T *y, int incy);                             \
    cublasStatus_t cublas##R##pr##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,         \
                                      const A *alpha, const T *x, int incx, T *a);                 \
    cublasStatus_t cublas##R##pr2##_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,        \
                                       const T *alpha, const T *x, int incx, const T *y, int incy, \
                                       T *a);
#define EVGPU_CUBLAS_GEMM(R, T, name)                                                              \
    cublasStatus_t cublas##R##name(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, int k, const T *alpha,  \
                                   const T *a, int lda, const T *b, int ldb, const T *beta, T *c,  \
                                   int ldc);
#define EVGPU_CUBLAS_DOT(R, T, name)                                                               \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int n, const T *x, int incx,        \
                                        const T *y, int incy, T *result);
#define EVGPU_CUBLAS_ROT(R, T, name, C, S)                                                         \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,        \
                                        int incy, const C *c, const S *s);
#define EVGPU_CUBLAS_GER(R, T, name)                                                               \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int m, int n, const T *alpha,       \
                                        const T *x, int incx, const T *y, int incy, T *a,          \
                                        int lda);
/* What only real numbers have, and only complex ones, by another name. */
#define EVGPU_CUBLAS_REAL(R, T)                                                                    \
    EVGPU_CUBLAS_DOT(R, T, dot)                                                                    \
    EVGPU_CUBLAS_ROT(R, T, rot, T, T)                                                              \
    EVGPU_CUBLAS_GER(R, T, ger)                                                                    \
    EVGPU_CUBLAS_PACKED(R, T, T, sbmv, spmv, spr, spr2)                                            \
    cublasStatus_t cublas##R##rotm_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy, const T *param);                                   \
    cublasStatus_t cublas##R##rotmg_v2(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1,    \
                                       T *param);
#define EVGPU_CUBLAS_COMPLEX(R, T, V, scal, rotation)                                              \
    EVGPU_CUBLAS_DOT(R, T, dotu)                                                                   \
    EVGPU_CUBLAS_DOT(R, T, dotc)                                                                   \
    EVGPU_CUBLAS_ROT(R, T, rot, V, T)                                                              \
    EVGPU_CUBLAS_ROT(R, T, rotation, V, V)                                                         \
    EVGPU_CUBLAS_GER(R, T, geru)                                                                   \
    EVGPU_CUBLAS_GER(R, T, gerc)                                                                   \
    EVGPU_CUBLAS_GEMM(R, T, gemm3m)                                                                \
    EVGPU_CUBLAS_SYMMETRIC(R, T, V, V, hemv, her, her2, hemm, herk, her2k, herkx)                  \
    EVGPU_CUBLAS_PACKED(R, T, V, hbmv, hpmv, hpr, hpr2)                                            \
    cublasStatus_t cublas##R##scal##_v2(cublasHandle_t handle, int n, const V *alpha, T *x,        \
                                        int incx);
EVGPU_CUBLAS_EACH(S, float, s, float, S)
EVGPU_CUBLAS_EACH(D, double, d, double, D)
EVGPU_CUBLAS_EACH(C, cuComplex, c, float, Sc)
EVGPU_CUBLAS_EACH(Z, cuDoubleComplex, z, double, Dz)
EVGPU_CUBLAS_REAL(S, float)
EVGPU_CUBLAS_REAL(D, double)
EVGPU_CUBLAS_COMPLEX(C, cuComplex, float, sscal, srot)
EVGPU_CUBLAS_COMPLEX(Z, cuDoubleComplex, double, dscal, drot)
#undef EVGPU_CUBLAS_EACH
#undef EVGPU_CUBLAS_TRIANGLE
#undef EVGPU_CUBLAS_SYMMETRIC
#undef EVGPU_CUBLAS_PACKED
#undef EVGPU_CUBLAS_GEMM
#undef EVGPU_CUBLAS_DOT
#undef EVGPU_CUBLAS_ROT
#undef EVGPU_CUBLAS_GER
#undef EVGPU_CUBLAS_REAL
#undef EVGPU_CUBLAS_COMPLEX

/* --- level 1 by types: those of the vectors are one of R_16F, R_16BF, R_32F, R_64F, C_32F and
 * C_64F, and so are results; alpha has the type of execution: R_32F for those of 16 bits, else that
 * of the vectors. Nrm2Ex and AsumEx are real; c and s have the type of the vectors or are real.
 * Others return CUBLAS_STATUS_NOT_SUPPORTED.
 */

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            const void *x, cudaDataType xType, int incx, void *y,
                            cudaDataType yType, int incy, cudaDataType executionType);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            void *x, cudaDataType xType, int incx, cudaDataType executionType);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                           int incx, const void *y, cudaDataType yType, int incy, void *result,
                           cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, const void *y, cudaDataType yType, int incy, void *result,
                            cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, void *result, cudaDataType resultType,
                            cudaDataType executionType);
cublasStatus_t cublasAsumEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, void *result, cudaDataType resultType,
                            cudaDataType executionType);
cublasStatus_t cublasIamaxEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                             int incx, int *result);
cublasStatus_t cublasIaminEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                             int incx, int *result);
cublasStatus_t cublasCopyEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, void *y, cudaDataType yType, int incy);
cublasStatus_t cublasSwapEx(cublasHandle_t handle, int n, void *x, cudaDataType xType, int incx,
                            void *y, cudaDataType yType, int incy);
cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void *x, cudaDataType xType, int incx,
                           void *y, cudaDataType yType, int incy, const void *c, const void *s,
                           cudaDataType csType, cudaDataType executiontype);

/* --- products of mixed types: elements of a and b of one type, c, and the sums, whose type alpha
 * and beta have, too: R_64F, R_64F, 64F; R_32F, R_32F, 32F; C_64F, C_64F, 64F; C_32F, C_32F, 32F;
 * R_16F, R_16F, 16F (sums are floats all the same); R_16F or R_16BF, the same or R_32F, 32F; R_8I,
 * R_32F, 32F; R_8I, R_32I, 32I. FAST and PEDANTIC types are as those without. Others return
 * CUBLAS_STATUS_NOT_SUPPORTED. --------
 */

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType Atype, int lda, const void *b,
                            cudaDataType Btype, int ldb, const void *beta, void *c,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType Atype, int lda,
                                   const void *const b[], cudaDataType Btype, int ldb,
                                   const void *beta, void *const c[], cudaDataType Ctype, int ldc,
                                   int batch, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t algo);
/* Groups of batches, whose parameters and scalars are lists on the host (scalars where the pointer
 * mode says); the matrices of all groups stand one behind the other in the lists a, b and c. */
cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[],
    const int m[], const int n[], const int k[], const void *alpha, const void *const a[],
    cudaDataType Atype, const int lda[], const void *const b[], cudaDataType Btype, const int ldb[],
    const void *beta, void *const c[], cudaDataType Ctype, const int ldc[], int group_count,
    const int group_size[], cublasComputeType_t computeType);
#define EVGPU_CUBLAS_GROUPED(R, T)                                                                 \
    cublasStatus_t cublas##R##gemmGroupedBatched(                                                  \
        cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], \
        const int m[], const int n[], const int k[], const T alpha[], const T *const a[],          \
        const int lda[], const T *const b[], const int ldb[], const T beta[], T *const c[],        \
        const int ldc[], int group_count, const int group_size[]);
EVGPU_CUBLAS_GROUPED(S, float)
EVGPU_CUBLAS_GROUPED(D, double)
#undef EVGPU_CUBLAS_GROUPED
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType Atype,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType Btype, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType Ctype, int ldc,
                                          long long stride_c, int batch,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t algo);

/* Hgemm is GemmEx of halves with sums of halves, SgemmEx that with sums of floats. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb, const __half *beta,
                           __half *c, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half *alpha, const __half *const a[], int lda,
                                  const __half *const b[], int ldb, const __half *beta,
                                  __half *const c[], int ldc, int batch);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long stride_a, const __half *b, int ldb,
                                         long long stride_b, const __half *beta, __half *c, int ldc,
                                         long long stride_c, int batch);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType Atype, int lda, const void *b,
                             cudaDataType Btype, int ldb, const float *beta, void *c,
                             cudaDataType Ctype, int ldc);

/* c = alpha op(a) op(a)^T + beta c, or ^H, of a half of c: C_32F alone, as Csyrk and Cherk. */
#define EVGPU_CUBLAS_RANK(name, V)                                                                 \
    cublasStatus_t cublas##name(cublasHandle_t handle, cublasFillMode_t uplo,                      \
                                cublasOperation_t trans, int n, int k, const V *alpha,             \
                                const void *a, cudaDataType Atype, int lda, const V *beta,         \
                                void *c, cudaDataType Ctype, int ldc);
EVGPU_CUBLAS_RANK(CsyrkEx, cuComplex)
EVGPU_CUBLAS_RANK(Csyrk3mEx, cuComplex)
EVGPU_CUBLAS_RANK(CherkEx, float)
EVGPU_CUBLAS_RANK(Cherk3mEx, float)
#undef EVGPU_CUBLAS_RANK

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
