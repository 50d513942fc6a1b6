// How far rotations and singular values are from their matrix.
#ifndef EVGPU_CUDA_SOLVER_SPECTRUM_CUH
#define EVGPU_CUDA_SOLVER_SPECTRUM_CUH

#include "sw/cuda/blas/factors.cuh"
#include "sw/cuda/library/device.h"

/* Of each column of w, as long as it is 1: the sum of the squares of its products with the others. A warp each. */
template <class T, class V> __device__ static void residuals(int m, int n, const T *w, V *out)
{
    int column = blockIdx.x * WARPS + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (column >= n)
        return;
    const T *mine = w + (long long)column * m;
    double all = 0, length = 0;
    for (int j = 0; j < n; j++) {
        T sum = T(0);
        for (int i = lane; i < m; i += WARP)
            sum = sum + number<T>::conjugate(mine[i]) * w[i + (long long)j * m];
        double square = number<T>::square(warp_sum(sum));
        if (j == column)
            length = sqrt(square);
        else
            all += square;
    }
    if (lane == 0)
        out[column] = V(length > 0 ? all / length : 0);
}

/* The root of their sum; one warp. */
template <class V> __device__ static void residual(int n, const V *parts, double *out)
{
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += WARP)
        sum += parts[i];
    sum = warp_sum(sum);
    if (threadIdx.x == 0)
        *out = sqrt(sum);
}

template <class T>
__device__ static void adjoint_of(int m, int n, const T *from, int ld_from, T *to, int ld_to)
{
    for (EACH(e, m * n)) {
        int i = e % m, j = e / m;
        to[j + (long long)i * ld_to] = number<T>::conjugate(from[i + (long long)j * ld_from]);
    }
}

/* Two matrices of `columns` columns, and a number for each. */
template <class T, class V> struct triplets {
    const T *u, *v;
    const V *s;
    int ld_u, ld_v, columns;
};

/* The squares of a - u s v*, summed by columns of a; a warp each. */
template <class T, class V>
__device__ static void misfits(int m, int n, const T *a, int lda, triplets<T, V> t, V *out)
{
    int column = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (column >= n)
        return;
    double sum = 0;
    for (int i = threadIdx.x % WARP; i < m; i += WARP) {
        T rest = a[i + (long long)column * lda];
        for (int k = 0; k < t.columns; k++) {
            T factor = number<T>::conjugate(t.v[column + (long long)k * t.ld_v]) * t.s[k];
            rest = rest - t.u[i + (long long)k * t.ld_u] * factor;
        }
        sum += number<T>::square(rest);
    }
    sum = warp_sum(sum);
    if (threadIdx.x % WARP == 0)
        out[column] = V(sum);
}

#define SPECTRUM_KERNELS(T, V, R)                                                                  \
    KERNEL residuals_##R(int m, int n, const T *w, V *out)                                         \
    {                                                                                              \
        residuals(m, n, w, out);                                                                   \
    }                                                                                              \
    KERNEL residual_##R(int n, const V *parts, double *out)                                        \
    {                                                                                              \
        residual(n, parts, out);                                                                   \
    }                                                                                              \
    KERNEL adjoint_of_##R(int m, int n, const T *from, int ld_from, T *to, int ld_to)              \
    {                                                                                              \
        adjoint_of(m, n, from, ld_from, to, ld_to);                                                \
    }                                                                                              \
    KERNEL misfits_##R(int m, int n, const T *a, int lda, triplets<T, V> t, V *out)                \
    {                                                                                              \
        misfits(m, n, a, lda, t, out);                                                             \
    }

#endif
