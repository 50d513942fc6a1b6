// Factors and solutions of many small matrices, a block of LU_THREADS threads each.
#ifndef EVGPU_CUDA_BLAS_FACTORS_CUH
#define EVGPU_CUDA_BLAS_FACTORS_CUH

#include "sw/cuda/blas/number.cuh"
#include "sw/cuda/blas/shape.h"

#define WARP 32
#define WARPS (LU_THREADS / WARP)

// --- L and U ------------------------------------------------------------------------------------------

/* The row of the greatest magnitude in column k from row k on; of equal ones the first. */
template <class T> __device__ static int pivot_row(int n, const T *a, int lda, int k)
{
    typedef typename number<T>::real R;
    __shared__ R most[LU_THREADS];
    __shared__ int at[LU_THREADS];
    int t = threadIdx.x;
    most[t] = -1;
    at[t] = k;
    for (int i = k + t; i < n; i += LU_THREADS) {
        R x = number<T>::size(a[i + (long long)k * lda]);
        if (x > most[t]) {
            most[t] = x;
            at[t] = i;
        }
    }
    for (int half = LU_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (t < half && (most[t + half] > most[t] || (most[t + half] == most[t] && at[t + half] < at[t]))) {
            most[t] = most[t + half];
            at[t] = at[t + half];
        }
    }
    __syncthreads();
    return at[0];
}

/* a becomes L, whose diagonal of ones is not kept, and U; `pivots` null: without exchange of rows.
 * The first column, from 1, without a pivot, or 0. */
template <class T> __device__ static int lu(int m, int n, T *a, int lda, int *pivots)
{
    int bad = 0;
    for (int k = 0; k < n && k < m; k++) {
        __syncthreads();
        if (pivots) {
            int p = pivot_row(m, a, lda, k);
            for (int j = threadIdx.x; j < n && p != k; j += LU_THREADS) {
                T *x = a + (long long)j * lda, old = x[k];
                x[k] = x[p];
                x[p] = old;
            }
            if (threadIdx.x == 0)
                pivots[k] = p + 1;
            __syncthreads();
        }
        T pivot = a[k + (long long)k * lda];
        bool none = number<T>::is_zero(pivot);
        bad = none && !bad ? k + 1 : bad;
        for (int i = k + 1 + threadIdx.x; i < m && !none; i += LU_THREADS)
            a[i + (long long)k * lda] = a[i + (long long)k * lda] / pivot;
        __syncthreads();
        int rest = m - k - 1;
        for (int e = threadIdx.x; e < rest * (n - k - 1); e += LU_THREADS) {
            int i = k + 1 + e % rest, j = k + 1 + e / rest;
            a[i + (long long)j * lda] = a[i + (long long)j * lda] - a[i + (long long)k * lda] * a[k + (long long)j * lda];
        }
    }
    __syncthreads();
    return bad;
}

/* The first column, from 1, whose element on the diagonal is 0, or 0. */
template <class T> __device__ static int zero_column(int n, const T *a, int lda)
{
    int k = 0;
    while (k < n && !number<T>::is_zero(a[k + (long long)k * lda]))
        k++;
    return k < n ? k + 1 : 0;
}

/* --- solutions: op(a) x = b for `count` columns of b, which x replaces; a as lu() leaves it ------------- */

struct shape {
    int n, lda, ldb, count;
};

/* Rows change places as they did in a, or back. */
template <class T> __device__ static void exchange(const shape &s, const int *pivots, T *b, bool back)
{
    for (int c = threadIdx.x; c < s.count && pivots; c += LU_THREADS) {
        T *x = b + (long long)c * s.ldb;
        for (int i = 0; i < s.n; i++) {
            int k = back ? s.n - 1 - i : i, p = pivots[k] - 1;
            T old = x[k];
            x[k] = x[p];
            x[p] = old;
        }
    }
    __syncthreads();
}

/* One triangle of op(a), by columns: forward from the first row or back from the last one. `turned`: op is a
 * transposition. */
template <class T>
__device__ static void triangle_of(const shape &s, const T *a, bool turned, bool conjugated, bool forward, bool unit,
                                   T *b)
{
    for (int step = 0; step < s.n; step++) {
        int k = forward ? step : s.n - 1 - step, rest = s.n - 1 - step, first = forward ? k + 1 : 0;
        T diagonal = a[k + (long long)k * s.lda];
        for (int c = threadIdx.x; c < s.count && !unit; c += LU_THREADS)
            b[k + (long long)c * s.ldb] =
                b[k + (long long)c * s.ldb] / (conjugated ? number<T>::conjugate(diagonal) : diagonal);
        __syncthreads();
        for (int e = threadIdx.x; e < rest * s.count; e += LU_THREADS) {
            int i = first + e % rest, c = e / rest;
            T x = turned ? a[k + (long long)i * s.lda] : a[i + (long long)k * s.lda];
            T &at = b[i + (long long)c * s.ldb];
            at = at - (conjugated ? number<T>::conjugate(x) : x) * b[k + (long long)c * s.ldb];
        }
        __syncthreads();
    }
}

template <class T>
__device__ static void lu_solve(const shape &s, const T *a, const int *pivots, bool turned, bool conjugated, T *b)
{
    if (!turned)
        exchange(s, pivots, b, false);
    triangle_of(s, a, turned, conjugated, true, !turned, b);
    triangle_of(s, a, turned, conjugated, false, turned, b);
    if (turned)
        exchange(s, pivots, b, true);
}

template <class T> __device__ static void identity(int n, T *c, int ldc)
{
    for (int e = threadIdx.x; e < n * n; e += LU_THREADS)
        c[e % n + (long long)(e / n) * ldc] = T(e % n == e / n ? 1 : 0);
    __syncthreads();
}

// --- kernels of L and U -------------------------------------------------------------------------------

template <class T> __device__ static void getrf(int n, T *const *list, int lda, int *pivots, int *info)
{
    int bad = lu(n, n, list[blockIdx.x], lda, pivots ? pivots + (long long)blockIdx.x * n : nullptr);
    if (threadIdx.x == 0)
        info[blockIdx.x] = bad;
}

template <class T>
__device__ static void getrs(int turned, int conjugated, shape s, const T *const *list, const int *pivots,
                             T *const *b)
{
    lu_solve(s, list[blockIdx.x], pivots ? pivots + (long long)blockIdx.x * s.n : nullptr, turned, conjugated,
             b[blockIdx.x]);
}

template <class T>
__device__ static void getri(shape s, const T *const *list, const int *pivots, T *const *c, int *info)
{
    const T *a = list[blockIdx.x];
    int bad = zero_column(s.n, a, s.lda);
    if (threadIdx.x == 0)
        info[blockIdx.x] = bad;
    if (bad)
        return;
    identity(s.n, c[blockIdx.x], s.ldb);
    lu_solve(s, a, pivots ? pivots + (long long)blockIdx.x * s.n : nullptr, false, false, c[blockIdx.x]);
}

/* a stays. */
template <class T> __device__ static void matinv(shape s, const T *const *list, T *const *c, int *info)
{
    __shared__ __align__(16) unsigned char storage[MATINV_SIDE * MATINV_SIDE * sizeof(T)];
    __shared__ int pivots[MATINV_SIDE];
    T *copy = reinterpret_cast<T *>(storage);
    const T *a = list[blockIdx.x];
    for (int e = threadIdx.x; e < s.n * s.n; e += LU_THREADS)
        copy[e] = a[e % s.n + (long long)(e / s.n) * s.lda];
    int bad = lu(s.n, s.n, copy, s.n, pivots);
    if (threadIdx.x == 0)
        info[blockIdx.x] = bad;
    if (bad)
        return;
    identity(s.n, c[blockIdx.x], s.ldb);
    s.lda = s.n;
    lu_solve(s, copy, pivots, false, false, c[blockIdx.x]);
}

// --- Q and R: reflections (Golub and Van Loan, Matrix Computations, 5.2) --------------------------------

/* The sum over the lanes of a warp, for each of them. */
template <class T> __device__ static T warp_sum(T x)
{
    for (int half = WARP / 2; half; half /= 2)
        x = x + number<T>::shuffle(x, half);
    return x;
}

/* The squares of column k below its diagonal, for each thread of the block. */
template <class T> __device__ static double squares_below(int m, const T *column, int k)
{
    __shared__ double parts[WARPS];
    double sum = 0;
    for (int i = k + 1 + threadIdx.x; i < m; i += LU_THREADS)
        sum += number<T>::square(column[i]);
    sum = warp_sum(sum);
    __syncthreads();
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += parts[w];
    return sum;
}

/* column[k] becomes that of R, what is below it the reflection's vector, whose first element is 1. */
template <class T> __device__ static T reflection(int m, T *column, int k)
{
    typedef typename number<T>::real R;
    double below = squares_below(m, column, k);
    T alpha = column[k], tau = T(0);
    if (below != 0 || number<T>::imaginary(alpha) != 0) {
        R beta = (R)sqrt(number<T>::square(alpha) + below);
        beta = number<T>::real_part(alpha) > 0 ? -beta : beta;
        tau = (T(beta) - alpha) / T(beta);
        T scale = T(1) / (alpha - T(beta));
        for (int i = k + 1 + threadIdx.x; i < m; i += LU_THREADS)
            column[i] = column[i] * scale;
        __syncthreads();
        if (threadIdx.x == 0)
            column[k] = T(beta);
    }
    __syncthreads();
    return tau;
}

/* A warp reflects column x. */
template <class T> __device__ static void reflect(int m, const T *v, int k, T tau, T *x)
{
    int lane = threadIdx.x % WARP;
    T sum = T(0);
    for (int i = k + lane; i < m; i += WARP)
        sum = sum + (i == k ? x[i] : number<T>::conjugate(v[i]) * x[i]);
    sum = number<T>::conjugate(tau) * warp_sum(sum);
    for (int i = k + lane; i < m; i += WARP)
        x[i] = x[i] - (i == k ? sum : v[i] * sum);
}

/* a becomes R and the reflections; so do the columns of b by the conjugate of Q. tau null: not kept. */
template <class T> __device__ static void qr(int m, const shape &s, T *a, T *tau, T *b)
{
    int warp = threadIdx.x / WARP;
    for (int k = 0; k < s.n && k < m; k++) {
        T *column = a + (long long)k * s.lda, factor = reflection(m, column, k);
        if (tau && threadIdx.x == 0)
            tau[k] = factor;
        int rest = s.n - k - 1;
        for (int j = warp; j < rest + s.count; j += WARPS)
            reflect(m, column, k, factor,
                    j < rest ? column + (j + 1LL) * s.lda : b + (long long)(j - rest) * s.ldb);
        __syncthreads();
    }
}

template <class T> __device__ static void geqrf(int m, shape s, T *const *list, T *const *tau)
{
    qr(m, s, list[blockIdx.x], tau[blockIdx.x], (T *)nullptr);
}

template <class T> __device__ static void gels(int m, shape s, T *const *list, T *const *b, int *info)
{
    T *a = list[blockIdx.x];
    qr(m, s, a, (T *)nullptr, b[blockIdx.x]);
    int bad = zero_column(s.n, a, s.lda);
    if (info && threadIdx.x == 0)
        info[blockIdx.x] = bad;
    if (!bad)
        triangle_of(s, a, false, false, false, false, b[blockIdx.x]);
}

// --- by name ------------------------------------------------------------------------------------------

#define FACTOR_KERNELS(T, R)                                                                       \
    KERNEL getrf_##R(int n, T *const *list, int lda, int *pivots, int *info)                       \
    {                                                                                              \
        getrf(n, list, lda, pivots, info);                                                         \
    }                                                                                              \
    KERNEL getrs_##R(int turned, int conjugated, shape s, const T *const *list, const int *pivots, \
                     T *const *b)                                                                  \
    {                                                                                              \
        getrs(turned, conjugated, s, list, pivots, b);                                             \
    }                                                                                              \
    KERNEL getri_##R(shape s, const T *const *list, const int *pivots, T *const *c, int *info)     \
    {                                                                                              \
        getri(s, list, pivots, c, info);                                                           \
    }                                                                                              \
    KERNEL matinv_##R(shape s, const T *const *list, T *const *c, int *info)                       \
    {                                                                                              \
        matinv(s, list, c, info);                                                                  \
    }                                                                                              \
    KERNEL geqrf_##R(int m, shape s, T *const *list, T *const *tau)                                \
    {                                                                                              \
        geqrf(m, s, list, tau);                                                                    \
    }                                                                                              \
    KERNEL gels_##R(int m, shape s, T *const *list, T *const *b, int *info)                        \
    {                                                                                              \
        gels(m, s, list, b, info);                                                                 \
    }

#endif
