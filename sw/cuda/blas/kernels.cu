// The kernels of cuBLAS. Names end with the precision: _s or _d, of complex numbers _c or _z, of halves _h,
// of bfloat16 _b.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "sw/cuda/blas/factors.cuh"
#include "sw/cuda/blas/level1.cuh"
#include "sw/cuda/blas/level2.cuh"
#include "sw/cuda/blas/level3.cuh"

#define KERNEL extern "C" __global__ void

// --- level 1 -------------------------------------------------------------------------------------------

/* Numbers of type E in memory, T where they are computed, parts of norms of type N. */
#define VECTORS(T, E, N, R)                                                                        \
    KERNEL axpy_##R(int n, const E *x, int incx, E *y, int incy, factor<T> alpha)                  \
    {                                                                                              \
        axpy(n, x, incx, y, incy, alpha);                                                          \
    }                                                                                              \
    KERNEL scal_##R(int n, E *x, int incx, factor<T> alpha)                                        \
    {                                                                                              \
        scal(n, x, incx, alpha);                                                                   \
    }                                                                                              \
    KERNEL rot_##R(int n, E *x, int incx, E *y, int incy, factor<E> c, factor<E> s)                \
    {                                                                                              \
        rot<T>(n, x, incx, y, incy, c, s);                                                         \
    }                                                                                              \
    KERNEL dot_##R(int n, const E *x, int incx, const E *y, int incy, sum_part<T> *parts)          \
    {                                                                                              \
        dot<false>(n, x, incx, y, incy, parts);                                                    \
    }                                                                                              \
    KERNEL nrm2_##R(int n, const E *x, int incx, norm_part<N> *parts)                              \
    {                                                                                              \
        nrm2<T>(n, x, incx, parts);                                                                \
    }                                                                                              \
    KERNEL copy_##R(int n, const E *x, int incx, E *y, int incy)                                   \
    {                                                                                              \
        copy(n, x, incx, y, incy);                                                                 \
    }                                                                                              \
    KERNEL swap_##R(int n, E *x, int incx, E *y, int incy)                                         \
    {                                                                                              \
        swap(n, x, incx, y, incy);                                                                 \
    }                                                                                              \
    KERNEL asum_##R(int n, const E *x, int incx, sum_part<N> *parts)                               \
    {                                                                                              \
        asum<T>(n, x, incx, parts);                                                                \
    }                                                                                              \
    KERNEL amax_##R(int n, const E *x, int incx, extreme_part<N, true> *parts)                     \
    {                                                                                              \
        extreme<T>(n, x, incx, parts);                                                             \
    }                                                                                              \
    KERNEL amin_##R(int n, const E *x, int incx, extreme_part<N, false> *parts)                    \
    {                                                                                              \
        extreme<T>(n, x, incx, parts);                                                             \
    }                                                                                              \
    KERNEL finish_sum_##R(const sum_part<T> *parts, int count, E *result)                          \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }
VECTORS(float, float, float, s)
VECTORS(double, double, double, d)
VECTORS(complex_number<float>, complex_number<float>, float, c)
VECTORS(complex_number<double>, complex_number<double>, double, z)
VECTORS(float, __half, float, h)
VECTORS(float, __nv_bfloat16, float, b)

/* The other results of numbers of type N. */
#define RESULTS(N, E, R)                                                                           \
    KERNEL finish_norm_##R(const norm_part<N> *parts, int count, E *result)                        \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }
RESULTS(float, float, s)
RESULTS(double, double, d)
RESULTS(float, __half, h)
RESULTS(float, __nv_bfloat16, b)

#define EXTREMES(N, R)                                                                             \
    KERNEL finish_max_##R(const extreme_part<N, true> *parts, int count, int *result)              \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }                                                                                              \
    KERNEL finish_min_##R(const extreme_part<N, false> *parts, int count, int *result)             \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }                                                                                              \
    KERNEL rotm_##R(int n, N *x, int incx, N *y, int incy, rotm_parameters<N> parameters)          \
    {                                                                                              \
        rotm(n, x, incx, y, incy, parameters);                                                     \
    }                                                                                              \
    KERNEL rotmg_##R(N *d1, N *d2, N *x, const N *y, N *parameters)                                \
    {                                                                                              \
        make_modified(d1, d2, x, y, parameters);                                                   \
    }
EXTREMES(float, s)
EXTREMES(double, d)

// --- levels 1 to 3 -------------------------------------------------------------------------------------

/* In type T, factors of type S, from matrices of type M to elements of type O. */
#define GEMM(T, each, S, M, O, name)                                                               \
    KERNEL name(int m, int n, int k, factor<S> alpha, M a, M b, factor<S> beta, O *c,              \
                O *const *c_list, int ldc, long long stride_c, int fill, int hermitian)            \
    {                                                                                              \
        gemm<T, each>(m, n, k, alpha, a, b, beta, c, c_list, ldc, stride_c, fill, hermitian);      \
    }
/* `wide`: of the large tile. */
#define KERNELS(T, N, R, wide)                                                                     \
    KERNEL dotc_##R(int n, const T *x, int incx, const T *y, int incy, sum_part<T> *parts)         \
    {                                                                                              \
        dot<true>(n, x, incx, y, incy, parts);                                                     \
    }                                                                                              \
    KERNEL rotg_##R(T *a, T *b, N *c, T *s)                                                        \
    {                                                                                              \
        make_rotation(a, b, c, s);                                                                 \
    }                                                                                              \
    KERNEL gemv_n_##R(int m, int n, factor<T> alpha, const T *a, int lda, const T *x, int incx,    \
                      factor<T> beta, T *y, int incy)                                              \
    {                                                                                              \
        gemv_n(m, n, alpha, a, lda, x, incx, beta, y, incy);                                       \
    }                                                                                              \
    KERNEL gemv_t_##R(int m, int n, int conjugated, factor<T> alpha, const T *a, int lda,          \
                      const T *x, int incx, factor<T> beta, T *y, int incy)                        \
    {                                                                                              \
        gemv_t(m, n, conjugated, alpha, a, lda, x, incx, beta, y, incy);                           \
    }                                                                                              \
    KERNEL product_##R(int m, int n, factor<T> alpha, view<T> a, const T *x, int incx,             \
                       factor<T> beta, T *y, int incy)                                             \
    {                                                                                              \
        product(m, n, alpha, a, x, incx, beta, y, incy);                                           \
    }                                                                                              \
    KERNEL ger_##R(int m, int n, factor<T> alpha, const T *x, int incx, const T *y, int incy,      \
                   int conjugated, T *a, int lda)                                                  \
    {                                                                                              \
        ger(m, n, alpha, x, incx, y, incy, conjugated, a, lda);                                    \
    }                                                                                              \
    KERNEL rank_##R(int n, factor<T> alpha, const T *x, int incx, const T *y, int incy, int twice, \
                    view<T> a)                                                                     \
    {                                                                                              \
        rank(n, alpha, x, incx, y, incy, twice, a);                                                \
    }                                                                                              \
    KERNEL triangle_##R(int n, view<T> a, int solve, factor<T> alpha, T *b, T *const *list,        \
                        long long next, long long step)                                            \
    {                                                                                              \
        triangle(n, a, solve, alpha, b, list, next, step);                                         \
    }                                                                                              \
    GEMM(T, 1, T, matrix<T>, T, gemm_small_##R)                                                    \
    GEMM(T, wide, T, matrix<T>, T, gemm_large_##R)                                                 \
    GEMM(T, 2, T, view<T>, T, gemm_view_##R)                                                       \
    KERNEL geam_##R(int m, int n, factor<T> alpha, matrix<T> a, factor<T> beta, matrix<T> b, T *c, \
                    int ldc)                                                                       \
    {                                                                                              \
        geam(m, n, alpha, a, beta, b, c, ldc);                                                     \
    }                                                                                              \
    KERNEL dgmm_##R(int m, int n, int rows, const T *a, int lda, const T *x, int incx, T *c,       \
                    int ldc)                                                                       \
    {                                                                                              \
        dgmm(m, n, rows, a, lda, x, incx, c, ldc);                                                 \
    }                                                                                              \
    KERNEL repack_##R(int n, view<T> from, view<T> to)                                             \
    {                                                                                              \
        repack(n, from, to);                                                                       \
    }                                                                                              \
    FACTOR_KERNELS(T, R)
KERNELS(float, float, s, 4)
KERNELS(double, double, d, 4)
KERNELS(complex_number<float>, float, c, 2)
KERNELS(complex_number<double>, double, z, 2)

// Of mixed types: elements of a and b, of c, and the factors where they are no floats (mixed.c).
#define MIXED(T, S, I, O, types)                                                                   \
    GEMM(T, 1, S, matrix<I>, O, gemm_small_##types)                                                \
    GEMM(T, 4, S, matrix<I>, O, gemm_large_##types)
MIXED(float, __half, __half, __half, h_h_h)
MIXED(float, float, __half, __half, h_h)
MIXED(float, float, __half, float, h_s)
MIXED(float, float, __nv_bfloat16, __nv_bfloat16, b_b)
MIXED(float, float, __nv_bfloat16, float, b_s)
MIXED(float, float, signed char, float, q_s)
MIXED(int, int, signed char, int, q_i)
