/* The calls of cuBLAS that take sizes. cublas_api.h includes this file twice, the second time with
 * EVGPU_SIZE int64_t and names that end in _64. Those calls return CUBLAS_STATUS_NOT_SUPPORTED for
 * sizes beyond 32 bits, and a line on stderr names the parameter. */
/* --- copies between host and device; the Async forms take a stream
 * --------------------------------- */

cublasStatus_t EVGPU_SIZED(cublasSetVector)(EVGPU_SIZE n, EVGPU_SIZE element, const void *x,
                                            EVGPU_SIZE incx, void *device, EVGPU_SIZE incy);
cublasStatus_t EVGPU_SIZED(cublasGetVector)(EVGPU_SIZE n, EVGPU_SIZE element, const void *device,
                                            EVGPU_SIZE incx, void *y, EVGPU_SIZE incy);
cublasStatus_t EVGPU_SIZED(cublasSetMatrix)(EVGPU_SIZE rows, EVGPU_SIZE columns, EVGPU_SIZE element,
                                            const void *a, EVGPU_SIZE lda, void *device,
                                            EVGPU_SIZE ldb);
cublasStatus_t EVGPU_SIZED(cublasGetMatrix)(EVGPU_SIZE rows, EVGPU_SIZE columns, EVGPU_SIZE element,
                                            const void *device, EVGPU_SIZE lda, void *b,
                                            EVGPU_SIZE ldb);
cublasStatus_t EVGPU_SIZED(cublasSetVectorAsync)(EVGPU_SIZE n, EVGPU_SIZE element, const void *x,
                                                 EVGPU_SIZE incx, void *device, EVGPU_SIZE incy,
                                                 cudaStream_t stream);
cublasStatus_t EVGPU_SIZED(cublasGetVectorAsync)(EVGPU_SIZE n, EVGPU_SIZE element,
                                                 const void *device, EVGPU_SIZE incx, void *y,
                                                 EVGPU_SIZE incy, cudaStream_t stream);
cublasStatus_t EVGPU_SIZED(cublasSetMatrixAsync)(EVGPU_SIZE rows, EVGPU_SIZE columns,
                                                 EVGPU_SIZE element, const void *a, EVGPU_SIZE lda,
                                                 void *device, EVGPU_SIZE ldb, cudaStream_t stream);
cublasStatus_t EVGPU_SIZED(cublasGetMatrixAsync)(EVGPU_SIZE rows, EVGPU_SIZE columns,
                                                 EVGPU_SIZE element, const void *device,
                                                 EVGPU_SIZE lda, void *b, EVGPU_SIZE ldb,
                                                 cudaStream_t stream);

/* --- levels 1 to 3. R is the precision (S, D, C, Z), T its type, I its letter, V the type of its
 * real numbers, N the letters of results that are real. Scalars (alpha, beta, c, s, result) are on
 * the host or on the device, as the pointer mode says.
 */

#define EVGPU_CUBLAS_EACH(R, T, I, V, N)                                                           \
    cublasStatus_t EVGPU_SIZED(cublas##R##axpy_v2)(cublasHandle_t handle, EVGPU_SIZE n,            \
                                                   const T *alpha, const T *x, EVGPU_SIZE incx,    \
                                                   T *y, EVGPU_SIZE incy);                         \
    cublasStatus_t EVGPU_SIZED(cublas##R##scal_v2)(cublasHandle_t handle, EVGPU_SIZE n,            \
                                                   const T *alpha, T *x, EVGPU_SIZE incx);         \
    cublasStatus_t EVGPU_SIZED(cublas##R##copy_v2)(                                                \
        cublasHandle_t handle, EVGPU_SIZE n, const T *x, EVGPU_SIZE incx, T *y, EVGPU_SIZE incy);  \
    cublasStatus_t EVGPU_SIZED(cublas##R##swap_v2)(cublasHandle_t handle, EVGPU_SIZE n, T * x,     \
                                                   EVGPU_SIZE incx, T * y, EVGPU_SIZE incy);       \
    cublasStatus_t EVGPU_SIZED(cublas##N##nrm2_v2)(cublasHandle_t handle, EVGPU_SIZE n,            \
                                                   const T *x, EVGPU_SIZE incx, V *result);        \
    cublasStatus_t EVGPU_SIZED(cublas##N##asum_v2)(cublasHandle_t handle, EVGPU_SIZE n,            \
                                                   const T *x, EVGPU_SIZE incx, V *result);        \
    cublasStatus_t EVGPU_SIZED(cublasI##I##amax_v2)(                                               \
        cublasHandle_t handle, EVGPU_SIZE n, const T *x, EVGPU_SIZE incx, EVGPU_SIZE *result);     \
    cublasStatus_t EVGPU_SIZED(cublasI##I##amin_v2)(                                               \
        cublasHandle_t handle, EVGPU_SIZE n, const T *x, EVGPU_SIZE incx, EVGPU_SIZE *result);     \
    cublasStatus_t EVGPU_SIZED(cublas##R##gemv_v2)(                                                \
        cublasHandle_t handle, cublasOperation_t trans, EVGPU_SIZE m, EVGPU_SIZE n,                \
        const T *alpha, const T *a, EVGPU_SIZE lda, const T *x, EVGPU_SIZE incx, const T *beta,    \
        T *y, EVGPU_SIZE incy);                                                                    \
    cublasStatus_t EVGPU_SIZED(cublas##R##gbmv_v2)(                                                \
        cublasHandle_t handle, cublasOperation_t trans, EVGPU_SIZE m, EVGPU_SIZE n, EVGPU_SIZE kl, \
        EVGPU_SIZE ku, const T *alpha, const T *a, EVGPU_SIZE lda, const T *x, EVGPU_SIZE incx,    \
        const T *beta, T *y, EVGPU_SIZE incy);                                                     \
    EVGPU_CUBLAS_TRIANGLE(R, T, mv)                                                                \
    EVGPU_CUBLAS_TRIANGLE(R, T, sv)                                                                \
    EVGPU_CUBLAS_SYMMETRIC(R, T, T, T, symv, syr, syr2, symm, syrk, syr2k, syrkx)                  \
    EVGPU_CUBLAS_GEMM(R, T, gemm_v2)                                                               \
    cublasStatus_t EVGPU_SIZED(cublas##R##gemmBatched)(                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,   \
        EVGPU_SIZE n, EVGPU_SIZE k, const T *alpha, const T *const a[], EVGPU_SIZE lda,            \
        const T *const b[], EVGPU_SIZE ldb, const T *beta, T *const c[], EVGPU_SIZE ldc,           \
        EVGPU_SIZE batch);                                                                         \
    cublasStatus_t EVGPU_SIZED(cublas##R##gemmStridedBatched)(                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,   \
        EVGPU_SIZE n, EVGPU_SIZE k, const T *alpha, const T *a, EVGPU_SIZE lda,                    \
        long long stride_a, const T *b, EVGPU_SIZE ldb, long long stride_b, const T *beta, T *c,   \
        EVGPU_SIZE ldc, long long stride_c, EVGPU_SIZE batch);                                     \
    cublasStatus_t EVGPU_SIZED(cublas##R##trsm_v2)(                                                \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, EVGPU_SIZE m, EVGPU_SIZE n,                \
        const T *alpha, const T *a, EVGPU_SIZE lda, T *b, EVGPU_SIZE ldb);                         \
    cublasStatus_t EVGPU_SIZED(cublas##R##trsmBatched)(                                            \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, EVGPU_SIZE m, EVGPU_SIZE n,                \
        const T *alpha, const T *const list[], EVGPU_SIZE lda, T *const b[], EVGPU_SIZE ldb,       \
        EVGPU_SIZE batch);                                                                         \
    cublasStatus_t EVGPU_SIZED(cublas##R##trmm_v2)(                                                \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, EVGPU_SIZE m, EVGPU_SIZE n,                \
        const T *alpha, const T *a, EVGPU_SIZE lda, const T *b, EVGPU_SIZE ldb, T *c,              \
        EVGPU_SIZE ldc);                                                                           \
    cublasStatus_t EVGPU_SIZED(cublas##R##geam)(                                                   \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,   \
        EVGPU_SIZE n, const T *alpha, const T *a, EVGPU_SIZE lda, const T *beta, const T *b,       \
        EVGPU_SIZE ldb, T *c, EVGPU_SIZE ldc);                                                     \
    cublasStatus_t EVGPU_SIZED(cublas##R##dgmm)(                                                   \
        cublasHandle_t handle, cublasSideMode_t mode, EVGPU_SIZE m, EVGPU_SIZE n, const T *a,      \
        EVGPU_SIZE lda, const T *x, EVGPU_SIZE incx, T *c, EVGPU_SIZE ldc);                        \
/* Triangles as a whole, as a band, and packed. */
#define EVGPU_CUBLAS_TRIANGLE(R, T, mark)                                                          \
    cublasStatus_t EVGPU_SIZED(cublas##R##tr##mark##_v2)(                                          \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                     \
        cublasDiagType_t diag, EVGPU_SIZE n, const T *a, EVGPU_SIZE lda, T *x, EVGPU_SIZE incx);   \
    cublasStatus_t EVGPU_SIZED(cublas##R##tb##mark##_v2)(                                          \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                     \
        cublasDiagType_t diag, EVGPU_SIZE n, EVGPU_SIZE k, const T *a, EVGPU_SIZE lda, T *x,       \
        EVGPU_SIZE incx);                                                                          \
    cublasStatus_t EVGPU_SIZED(cublas##R##tp##mark##_v2)(                                          \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                     \
        cublasDiagType_t diag, EVGPU_SIZE n, const T *a, T *x, EVGPU_SIZE incx);
/* Symmetric or Hermitian matrices; A and B: the types of alpha of sums of one product, of beta. */
#define EVGPU_CUBLAS_SYMMETRIC(R, T, A, B, mv, r, r2, mm, rk, r2k, rkx)                            \
    cublasStatus_t EVGPU_SIZED(cublas##R##mv##_v2)(                                                \
        cublasHandle_t handle, cublasFillMode_t uplo, EVGPU_SIZE n, const T *alpha, const T *a,    \
        EVGPU_SIZE lda, const T *x, EVGPU_SIZE incx, const T *beta, T *y, EVGPU_SIZE incy);        \
    cublasStatus_t EVGPU_SIZED(cublas##R##r##_v2)(cublasHandle_t handle, cublasFillMode_t uplo,    \
                                                  EVGPU_SIZE n, const A *alpha, const T *x,        \
                                                  EVGPU_SIZE incx, T *a, EVGPU_SIZE lda);          \
    cublasStatus_t EVGPU_SIZED(cublas##R##r2##_v2)(                                                \
        cublasHandle_t handle, cublasFillMode_t uplo, EVGPU_SIZE n, const T *alpha, const T *x,    \
        EVGPU_SIZE incx, const T *y, EVGPU_SIZE incy, T *a, EVGPU_SIZE lda);                       \
    cublasStatus_t EVGPU_SIZED(cublas##R##mm##_v2)(                                                \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, EVGPU_SIZE m,         \
        EVGPU_SIZE n, const T *alpha, const T *a, EVGPU_SIZE lda, const T *b, EVGPU_SIZE ldb,      \
        const T *beta, T *c, EVGPU_SIZE ldc);                                                      \
    cublasStatus_t EVGPU_SIZED(cublas##R##rk##_v2)(                                                \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, EVGPU_SIZE n,       \
        EVGPU_SIZE k, const A *alpha, const T *a, EVGPU_SIZE lda, const B *beta, T *c,             \
        EVGPU_SIZE ldc);                                                                           \
    cublasStatus_t EVGPU_SIZED(cublas##R##r2k##_v2)(                                               \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, EVGPU_SIZE n,       \
        EVGPU_SIZE k, const T *alpha, const T *a, EVGPU_SIZE lda, const T *b, EVGPU_SIZE ldb,      \
        const B *beta, T *c, EVGPU_SIZE ldc);                                                      \
    cublasStatus_t EVGPU_SIZED(cublas##R##rkx)(                                                    \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, EVGPU_SIZE n,       \
        EVGPU_SIZE k, const T *alpha, const T *a, EVGPU_SIZE lda, const T *b, EVGPU_SIZE ldb,      \
        const B *beta, T *c, EVGPU_SIZE ldc);
/* ... of which there are also bands and packed ones. */
#define EVGPU_CUBLAS_PACKED(R, T, A, bmv, pmv, pr, pr2)                                            \
    cublasStatus_t EVGPU_SIZED(cublas##R##bmv##_v2)(                                               \
        cublasHandle_t handle, cublasFillMode_t uplo, EVGPU_SIZE n, EVGPU_SIZE k, const T *alpha,  \
        const T *a, EVGPU_SIZE lda, const T *x, EVGPU_SIZE incx, const T *beta, T *y,              \
        EVGPU_SIZE incy);                                                                          \
    cublasStatus_t EVGPU_SIZED(cublas##R##pmv##_v2)(                                               \
        cublasHandle_t handle, cublasFillMode_t uplo, EVGPU_SIZE n, const T *alpha, const T *a,    \
        const T *x, EVGPU_SIZE incx, const T *beta, T *y, EVGPU_SIZE incy);                        \
    cublasStatus_t EVGPU_SIZED(cublas##R##pr##_v2)(cublasHandle_t handle, cublasFillMode_t uplo,   \
                                                   EVGPU_SIZE n, const A *alpha, const T *x,       \
                                                   EVGPU_SIZE incx, T *a);                         \
    cublasStatus_t EVGPU_SIZED(cublas##R##pr2##_v2)(                                               \
        cublasHandle_t handle, cublasFillMode_t uplo, EVGPU_SIZE n, const T *alpha, const T *x,    \
        EVGPU_SIZE incx, const T *y, EVGPU_SIZE incy, T *a);
#define EVGPU_CUBLAS_GEMM(R, T, name)                                                              \
    cublasStatus_t EVGPU_SIZED(cublas##R##name)(                                                   \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,   \
        EVGPU_SIZE n, EVGPU_SIZE k, const T *alpha, const T *a, EVGPU_SIZE lda, const T *b,        \
        EVGPU_SIZE ldb, const T *beta, T *c, EVGPU_SIZE ldc);
#define EVGPU_CUBLAS_DOT(R, T, name)                                                               \
    cublasStatus_t EVGPU_SIZED(cublas##R##name##_v2)(cublasHandle_t handle, EVGPU_SIZE n,          \
                                                     const T *x, EVGPU_SIZE incx, const T *y,      \
                                                     EVGPU_SIZE incy, T *result);
#define EVGPU_CUBLAS_ROT(R, T, name, C, S)                                                         \
    cublasStatus_t EVGPU_SIZED(cublas##R##name##_v2)(cublasHandle_t handle, EVGPU_SIZE n, T * x,   \
                                                     EVGPU_SIZE incx, T * y, EVGPU_SIZE incy,      \
                                                     const C *c, const S *s);
#define EVGPU_CUBLAS_GER(R, T, name)                                                               \
    cublasStatus_t EVGPU_SIZED(cublas##R##name##_v2)(                                              \
        cublasHandle_t handle, EVGPU_SIZE m, EVGPU_SIZE n, const T *alpha, const T *x,             \
        EVGPU_SIZE incx, const T *y, EVGPU_SIZE incy, T *a, EVGPU_SIZE lda);
/* What only real numbers have, and only complex ones, by another name. */
#define EVGPU_CUBLAS_REAL(R, T)                                                                    \
    EVGPU_CUBLAS_DOT(R, T, dot)                                                                    \
    EVGPU_CUBLAS_ROT(R, T, rot, T, T)                                                              \
    EVGPU_CUBLAS_GER(R, T, ger)                                                                    \
    EVGPU_CUBLAS_PACKED(R, T, T, sbmv, spmv, spr, spr2)                                            \
    cublasStatus_t EVGPU_SIZED(cublas##R##rotm_v2)(cublasHandle_t handle, EVGPU_SIZE n, T * x,     \
                                                   EVGPU_SIZE incx, T * y, EVGPU_SIZE incy,        \
                                                   const T *param);
#define EVGPU_CUBLAS_COMPLEX(R, T, V, scal, rotation)                                              \
    cublasStatus_t EVGPU_SIZED(cublas##R##scal##_v2)(cublasHandle_t handle, EVGPU_SIZE n,          \
                                                     const V *alpha, T *x, EVGPU_SIZE incx);       \
    EVGPU_CUBLAS_DOT(R, T, dotu)                                                                   \
    EVGPU_CUBLAS_DOT(R, T, dotc)                                                                   \
    EVGPU_CUBLAS_ROT(R, T, rot, V, T)                                                              \
    EVGPU_CUBLAS_ROT(R, T, rotation, V, V)                                                         \
    EVGPU_CUBLAS_GER(R, T, geru)                                                                   \
    EVGPU_CUBLAS_GER(R, T, gerc)                                                                   \
    EVGPU_CUBLAS_GEMM(R, T, gemm3m)                                                                \
    EVGPU_CUBLAS_SYMMETRIC(R, T, V, V, hemv, her, her2, hemm, herk, her2k, herkx)                  \
    EVGPU_CUBLAS_PACKED(R, T, V, hbmv, hpmv, hpr, hpr2)
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

cublasStatus_t EVGPU_SIZED(cublasAxpyEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *alpha,
                                         cudaDataType alphaType, const void *x, cudaDataType xType,
                                         EVGPU_SIZE incx, void *y, cudaDataType yType,
                                         EVGPU_SIZE incy, cudaDataType executionType);
cublasStatus_t EVGPU_SIZED(cublasScalEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *alpha,
                                         cudaDataType alphaType, void *x, cudaDataType xType,
                                         EVGPU_SIZE incx, cudaDataType executionType);
cublasStatus_t EVGPU_SIZED(cublasDotEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                        cudaDataType xType, EVGPU_SIZE incx, const void *y,
                                        cudaDataType yType, EVGPU_SIZE incy, void *result,
                                        cudaDataType resultType, cudaDataType executionType);
cublasStatus_t EVGPU_SIZED(cublasDotcEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                         cudaDataType xType, EVGPU_SIZE incx, const void *y,
                                         cudaDataType yType, EVGPU_SIZE incy, void *result,
                                         cudaDataType resultType, cudaDataType executionType);
cublasStatus_t EVGPU_SIZED(cublasNrm2Ex)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                         cudaDataType xType, EVGPU_SIZE incx, void *result,
                                         cudaDataType resultType, cudaDataType executionType);
cublasStatus_t EVGPU_SIZED(cublasAsumEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                         cudaDataType xType, EVGPU_SIZE incx, void *result,
                                         cudaDataType resultType, cudaDataType executionType);
cublasStatus_t EVGPU_SIZED(cublasIamaxEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                          cudaDataType xType, EVGPU_SIZE incx, EVGPU_SIZE *result);
cublasStatus_t EVGPU_SIZED(cublasIaminEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                          cudaDataType xType, EVGPU_SIZE incx, EVGPU_SIZE *result);
cublasStatus_t EVGPU_SIZED(cublasCopyEx)(cublasHandle_t handle, EVGPU_SIZE n, const void *x,
                                         cudaDataType xType, EVGPU_SIZE incx, void *y,
                                         cudaDataType yType, EVGPU_SIZE incy);
cublasStatus_t EVGPU_SIZED(cublasSwapEx)(cublasHandle_t handle, EVGPU_SIZE n, void *x,
                                         cudaDataType xType, EVGPU_SIZE incx, void *y,
                                         cudaDataType yType, EVGPU_SIZE incy);
cublasStatus_t EVGPU_SIZED(cublasRotEx)(cublasHandle_t handle, EVGPU_SIZE n, void *x,
                                        cudaDataType xType, EVGPU_SIZE incx, void *y,
                                        cudaDataType yType, EVGPU_SIZE incy, const void *c,
                                        const void *s, cudaDataType csType,
                                        cudaDataType executiontype);

/* --- products of mixed types: elements of a and b of one type, c, and the sums, whose type alpha
 * and beta have, too: R_64F, R_64F, 64F; R_32F, R_32F, 32F; C_64F, C_64F, 64F; C_32F, C_32F, 32F;
 * R_16F, R_16F, 16F (sums are floats all the same); R_16F or R_16BF, the same or R_32F, 32F; R_8I,
 * R_32F, 32F; R_8I, R_32I, 32I. FAST and PEDANTIC types are as those without. Others return
 * CUBLAS_STATUS_NOT_SUPPORTED. --------
 */

cublasStatus_t EVGPU_SIZED(cublasGemmEx)(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, EVGPU_SIZE m, EVGPU_SIZE n,
                                         EVGPU_SIZE k, const void *alpha, const void *a,
                                         cudaDataType Atype, EVGPU_SIZE lda, const void *b,
                                         cudaDataType Btype, EVGPU_SIZE ldb, const void *beta,
                                         void *c, cudaDataType Ctype, EVGPU_SIZE ldc,
                                         cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t EVGPU_SIZED(cublasGemmBatchedEx)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,
    EVGPU_SIZE n, EVGPU_SIZE k, const void *alpha, const void *const a[], cudaDataType Atype,
    EVGPU_SIZE lda, const void *const b[], cudaDataType Btype, EVGPU_SIZE ldb, const void *beta,
    void *const c[], cudaDataType Ctype, EVGPU_SIZE ldc, EVGPU_SIZE batch,
    cublasComputeType_t computeType, cublasGemmAlgo_t algo);
/* Groups of batches, whose parameters and scalars are lists on the host (scalars where the pointer
 * mode says); the matrices of all groups stand one behind the other in the lists a, b and c. */
cublasStatus_t EVGPU_SIZED(cublasGemmGroupedBatchedEx)(
    cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[],
    const EVGPU_SIZE m[], const EVGPU_SIZE n[], const EVGPU_SIZE k[], const void *alpha,
    const void *const a[], cudaDataType Atype, const EVGPU_SIZE lda[], const void *const b[],
    cudaDataType Btype, const EVGPU_SIZE ldb[], const void *beta, void *const c[],
    cudaDataType Ctype, const EVGPU_SIZE ldc[], EVGPU_SIZE group_count,
    const EVGPU_SIZE group_size[], cublasComputeType_t computeType);
#define EVGPU_CUBLAS_GROUPED(R, T)                                                                 \
    cublasStatus_t EVGPU_SIZED(cublas##R##gemmGroupedBatched)(                                     \
        cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], \
        const EVGPU_SIZE m[], const EVGPU_SIZE n[], const EVGPU_SIZE k[], const T alpha[],         \
        const T *const a[], const EVGPU_SIZE lda[], const T *const b[], const EVGPU_SIZE ldb[],    \
        const T beta[], T *const c[], const EVGPU_SIZE ldc[], EVGPU_SIZE group_count,              \
        const EVGPU_SIZE group_size[]);
EVGPU_CUBLAS_GROUPED(S, float)
EVGPU_CUBLAS_GROUPED(D, double)
#undef EVGPU_CUBLAS_GROUPED
cublasStatus_t EVGPU_SIZED(cublasGemmStridedBatchedEx)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,
    EVGPU_SIZE n, EVGPU_SIZE k, const void *alpha, const void *a, cudaDataType Atype,
    EVGPU_SIZE lda, long long stride_a, const void *b, cudaDataType Btype, EVGPU_SIZE ldb,
    long long stride_b, const void *beta, void *c, cudaDataType Ctype, EVGPU_SIZE ldc,
    long long stride_c, EVGPU_SIZE batch, cublasComputeType_t computeType, cublasGemmAlgo_t algo);

/* Hgemm is GemmEx of halves with sums of halves, SgemmEx that with sums of floats. */
cublasStatus_t EVGPU_SIZED(cublasHgemm)(cublasHandle_t handle, cublasOperation_t transa,
                                        cublasOperation_t transb, EVGPU_SIZE m, EVGPU_SIZE n,
                                        EVGPU_SIZE k, const __half *alpha, const __half *a,
                                        EVGPU_SIZE lda, const __half *b, EVGPU_SIZE ldb,
                                        const __half *beta, __half *c, EVGPU_SIZE ldc);
cublasStatus_t EVGPU_SIZED(cublasHgemmBatched)(cublasHandle_t handle, cublasOperation_t transa,
                                               cublasOperation_t transb, EVGPU_SIZE m, EVGPU_SIZE n,
                                               EVGPU_SIZE k, const __half *alpha,
                                               const __half *const a[], EVGPU_SIZE lda,
                                               const __half *const b[], EVGPU_SIZE ldb,
                                               const __half *beta, __half *const c[],
                                               EVGPU_SIZE ldc, EVGPU_SIZE batch);
cublasStatus_t EVGPU_SIZED(cublasHgemmStridedBatched)(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, EVGPU_SIZE m,
    EVGPU_SIZE n, EVGPU_SIZE k, const __half *alpha, const __half *a, EVGPU_SIZE lda,
    long long stride_a, const __half *b, EVGPU_SIZE ldb, long long stride_b, const __half *beta,
    __half *c, EVGPU_SIZE ldc, long long stride_c, EVGPU_SIZE batch);
cublasStatus_t EVGPU_SIZED(cublasSgemmEx)(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, EVGPU_SIZE m, EVGPU_SIZE n,
                                          EVGPU_SIZE k, const float *alpha, const void *a,
                                          cudaDataType Atype, EVGPU_SIZE lda, const void *b,
                                          cudaDataType Btype, EVGPU_SIZE ldb, const float *beta,
                                          void *c, cudaDataType Ctype, EVGPU_SIZE ldc);

/* c = alpha op(a) op(a)^T + beta c, or ^H, of a half of c: C_32F alone, as Csyrk and Cherk. */
#define EVGPU_CUBLAS_RANK(name, V)                                                                 \
    cublasStatus_t EVGPU_SIZED(cublas##name)(                                                      \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, EVGPU_SIZE n,       \
        EVGPU_SIZE k, const V *alpha, const void *a, cudaDataType Atype, EVGPU_SIZE lda,           \
        const V *beta, void *c, cudaDataType Ctype, EVGPU_SIZE ldc);
EVGPU_CUBLAS_RANK(CsyrkEx, cuComplex)
EVGPU_CUBLAS_RANK(Csyrk3mEx, cuComplex)
EVGPU_CUBLAS_RANK(CherkEx, float)
EVGPU_CUBLAS_RANK(Cherk3mEx, float)
#undef EVGPU_CUBLAS_RANK
