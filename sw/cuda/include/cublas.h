/* cuBLAS by its first interface: one handle inside, scalars and results by value, letters as in
 * BLAS ('N', 'T', 'C'; 'L', 'U'; 'L', 'R') of either case. The calls wait for results that they
 * return. cublasGetError tells once of a call that failed. Threads may not share the interface. */
#ifndef EVGPU_CUDA_CUBLAS_H
#define EVGPU_CUDA_CUBLAS_H
#define CUBLAS_H_

#ifdef EVGPU_CUDA_CUBLAS_V2_H
#error "cublas_v2.h gives the names of cublas.h to other calls; include cublas.h before it"
#endif

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef cublasStatus_t cublasStatus;

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int *version);
cublasStatus cublasAlloc(int n, int element, void **device);
cublasStatus cublasFree(void *device);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

/* Every other call, and which call of the second interface it makes with the arguments behind the
 * handle. OP, FILL, DIAG and SIDE take letters; `result` is what is returned. */
#ifndef EVGPU_CUBLAS_CALL
#define EVGPU_CUBLAS_CALL(name, parameters, ...)        void cublas##name parameters;
#define EVGPU_CUBLAS_VALUE(type, name, parameters, ...) type cublas##name parameters;
#endif

/* R: the precision, T its type, i its letter, V the type of its real numbers, N the letters of
 * results that are real. */
#define EVGPU_CUBLAS_EACH(R, T, i, V, N)                                                           \
    EVGPU_CUBLAS_VALUE(int, I##i##amax, (int n, const T *x, int incx), n, x, incx, &result)        \
    EVGPU_CUBLAS_VALUE(int, I##i##amin, (int n, const T *x, int incx), n, x, incx, &result)        \
    EVGPU_CUBLAS_VALUE(V, N##asum, (int n, const T *x, int incx), n, x, incx, &result)             \
    EVGPU_CUBLAS_VALUE(V, N##nrm2, (int n, const T *x, int incx), n, x, incx, &result)             \
    EVGPU_CUBLAS_CALL(R##axpy, (int n, T alpha, const T *x, int incx, T *y, int incy), n, &alpha,  \
                      x, incx, y, incy)                                                            \
    EVGPU_CUBLAS_CALL(R##copy, (int n, const T *x, int incx, T *y, int incy), n, x, incx, y, incy) \
    EVGPU_CUBLAS_CALL(R##swap, (int n, T *x, int incx, T *y, int incy), n, x, incx, y, incy)       \
    EVGPU_CUBLAS_CALL(R##scal, (int n, T alpha, T *x, int incx), n, &alpha, x, incx)               \
    EVGPU_CUBLAS_CALL(R##gemv,                                                                     \
                      (char trans, int m, int n, T alpha, const T *a, int lda, const T *x,         \
                       int incx, T beta, T *y, int incy),                                          \
                      OP(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy)                    \
    EVGPU_CUBLAS_CALL(R##gbmv,                                                                     \
                      (char trans, int m, int n, int kl, int ku, T alpha, const T *a, int lda,     \
                       const T *x, int incx, T beta, T *y, int incy),                              \
                      OP(trans), m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy)            \
    EVGPU_CUBLAS_TRIANGLE(R, T, mv)                                                                \
    EVGPU_CUBLAS_TRIANGLE(R, T, sv)                                                                \
    EVGPU_CUBLAS_UPDATE(R, T, T, T, symm, syrk, syr2k)                                             \
    EVGPU_CUBLAS_CALL(R##gemm,                                                                     \
                      (char transa, char transb, int m, int n, int k, T alpha, const T *a,         \
                       int lda, const T *b, int ldb, T beta, T *c, int ldc),                       \
                      OP(transa), OP(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)      \
    EVGPU_CUBLAS_CALL(R##trsm,                                                                     \
                      (char side, char uplo, char trans, char diag, int m, int n, T alpha,         \
                       const T *a, int lda, T *b, int ldb),                                        \
                      SIDE(side), FILL(uplo), OP(trans), DIAG(diag), m, n, &alpha, a, lda, b, ldb) \
    EVGPU_CUBLAS_CALL(R##trmm,                                                                     \
                      (char side, char uplo, char trans, char diag, int m, int n, T alpha,         \
                       const T *a, int lda, T *b, int ldb),                                        \
                      SIDE(side), FILL(uplo), OP(trans), DIAG(diag), m, n, &alpha, a, lda, b, ldb, \
                      b, ldb)
#define EVGPU_CUBLAS_TRIANGLE(R, T, mark)                                                          \
    EVGPU_CUBLAS_CALL(                                                                             \
        R##tr##mark,                                                                               \
        (char uplo, char trans, char diag, int n, const T *a, int lda, T *x, int incx),            \
        FILL(uplo), OP(trans), DIAG(diag), n, a, lda, x, incx)                                     \
    EVGPU_CUBLAS_CALL(                                                                             \
        R##tb##mark,                                                                               \
        (char uplo, char trans, char diag, int n, int k, const T *a, int lda, T *x, int incx),     \
        FILL(uplo), OP(trans), DIAG(diag), n, k, a, lda, x, incx)                                  \
    EVGPU_CUBLAS_CALL(R##tp##mark,                                                                 \
                      (char uplo, char trans, char diag, int n, const T *a, T *x, int incx),       \
                      FILL(uplo), OP(trans), DIAG(diag), n, a, x, incx)
/* A and B: the types of alpha of rk, and of beta. */
#define EVGPU_CUBLAS_UPDATE(R, T, A, B, mm, rk, r2k)                                               \
    EVGPU_CUBLAS_CALL(R##mm,                                                                       \
                      (char side, char uplo, int m, int n, T alpha, const T *a, int lda,           \
                       const T *b, int ldb, T beta, T *c, int ldc),                                \
                      SIDE(side), FILL(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc)         \
    EVGPU_CUBLAS_CALL(R##rk,                                                                       \
                      (char uplo, char trans, int n, int k, A alpha, const T *a, int lda, B beta,  \
                       T *c, int ldc),                                                             \
                      FILL(uplo), OP(trans), n, k, &alpha, a, lda, &beta, c, ldc)                  \
    EVGPU_CUBLAS_CALL(R##r2k,                                                                      \
                      (char uplo, char trans, int n, int k, T alpha, const T *a, int lda,          \
                       const T *b, int ldb, B beta, T *c, int ldc),                                \
                      FILL(uplo), OP(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)
#define EVGPU_CUBLAS_HALF(R, T, A, mv, bmv, pmv, r, r2, pr, pr2)                                   \
    EVGPU_CUBLAS_CALL(R##mv,                                                                       \
                      (char uplo, int n, T alpha, const T *a, int lda, const T *x, int incx,       \
                       T beta, T *y, int incy),                                                    \
                      FILL(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy)                      \
    EVGPU_CUBLAS_CALL(R##bmv,                                                                      \
                      (char uplo, int n, int k, T alpha, const T *a, int lda, const T *x,          \
                       int incx, T beta, T *y, int incy),                                          \
                      FILL(uplo), n, k, &alpha, a, lda, x, incx, &beta, y, incy)                   \
    EVGPU_CUBLAS_CALL(                                                                             \
        R##pmv,                                                                                    \
        (char uplo, int n, T alpha, const T *a, const T *x, int incx, T beta, T *y, int incy),     \
        FILL(uplo), n, &alpha, a, x, incx, &beta, y, incy)                                         \
    EVGPU_CUBLAS_CALL(R##r, (char uplo, int n, A alpha, const T *x, int incx, T *a, int lda),      \
                      FILL(uplo), n, &alpha, x, incx, a, lda)                                      \
    EVGPU_CUBLAS_CALL(                                                                             \
        R##r2,                                                                                     \
        (char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda),    \
        FILL(uplo), n, &alpha, x, incx, y, incy, a, lda)                                           \
    EVGPU_CUBLAS_CALL(R##pr, (char uplo, int n, A alpha, const T *x, int incx, T *a), FILL(uplo),  \
                      n, &alpha, x, incx, a)                                                       \
    EVGPU_CUBLAS_CALL(                                                                             \
        R##pr2, (char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a),     \
        FILL(uplo), n, &alpha, x, incx, y, incy, a)
#define EVGPU_CUBLAS_DOT(R, T, name)                                                               \
    EVGPU_CUBLAS_VALUE(T, R##name, (int n, const T *x, int incx, const T *y, int incy), n, x,      \
                       incx, y, incy, &result)
#define EVGPU_CUBLAS_ROT(R, T, name, C, S)                                                         \
    EVGPU_CUBLAS_CALL(R##name, (int n, T *x, int incx, T *y, int incy, C c, S s), n, x, incx, y,   \
                      incy, &c, &s)
#define EVGPU_CUBLAS_GER(R, T, name)                                                               \
    EVGPU_CUBLAS_CALL(                                                                             \
        R##name,                                                                                   \
        (int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda), m, n,  \
        &alpha, x, incx, y, incy, a, lda)
#define EVGPU_CUBLAS_REAL(R, T)                                                                    \
    EVGPU_CUBLAS_DOT(R, T, dot)                                                                    \
    EVGPU_CUBLAS_ROT(R, T, rot, T, T)                                                              \
    EVGPU_CUBLAS_GER(R, T, ger)                                                                    \
    EVGPU_CUBLAS_HALF(R, T, T, symv, sbmv, spmv, syr, syr2, spr, spr2)                             \
    EVGPU_CUBLAS_CALL(R##rotg, (T * a, T * b, T * c, T * s), a, b, c, s)                           \
    EVGPU_CUBLAS_CALL(R##rotm, (int n, T *x, int incx, T *y, int incy, const T *param), n, x,      \
                      incx, y, incy, param)                                                        \
    EVGPU_CUBLAS_CALL(R##rotmg, (T * d1, T * d2, T * x1, const T *y1, T *param), d1, d2, x1, y1,   \
                      param)
#define EVGPU_CUBLAS_COMPLEX(R, T, V, real_scal, real_rot)                                         \
    EVGPU_CUBLAS_DOT(R, T, dotu)                                                                   \
    EVGPU_CUBLAS_DOT(R, T, dotc)                                                                   \
    EVGPU_CUBLAS_ROT(R, T, rot, V, T)                                                              \
    EVGPU_CUBLAS_ROT(R, T, real_rot, V, V)                                                         \
    EVGPU_CUBLAS_GER(R, T, geru)                                                                   \
    EVGPU_CUBLAS_GER(R, T, gerc)                                                                   \
    EVGPU_CUBLAS_HALF(R, T, V, hemv, hbmv, hpmv, her, her2, hpr, hpr2)                             \
    EVGPU_CUBLAS_UPDATE(R, T, V, V, hemm, herk, her2k)                                             \
    EVGPU_CUBLAS_CALL(R##rotg, (T * a, T b, V * c, T * s), a, &b, c, s)                            \
    EVGPU_CUBLAS_CALL(R##real_scal, (int n, V alpha, T *x, int incx), n, &alpha, x, incx)
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
#undef EVGPU_CUBLAS_UPDATE
#undef EVGPU_CUBLAS_HALF
#undef EVGPU_CUBLAS_DOT
#undef EVGPU_CUBLAS_ROT
#undef EVGPU_CUBLAS_GER
#undef EVGPU_CUBLAS_REAL
#undef EVGPU_CUBLAS_COMPLEX
#undef EVGPU_CUBLAS_CALL
#undef EVGPU_CUBLAS_VALUE

#ifdef __cplusplus
}
#endif
#endif
