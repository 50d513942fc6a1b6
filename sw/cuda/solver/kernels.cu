// The kernels of cuSOLVER. Names end with the precision: _s, _d, _c, _z.
#include "sw/cuda/blas/factors.cuh"
#include "sw/cuda/library/device.h"
#include "sw/cuda/solver/band.cuh"
#include "sw/cuda/solver/jacobi.cuh"
#include "sw/cuda/solver/spectrum.cuh"

#define KERNEL extern "C" __global__ void

// --- Cholesky: one block ---------------------------------------------------------------------------------

/* The lower triangle becomes L, or the upper one L's adjoint: by rows, it is the lower one of the conjugates. The
 * first column, from 1, that is not positive, or 0. */
template <class T> __device__ static int cholesky(bool upper, int n, T *a, int lda)
{
    typedef typename number<T>::real R;
    auto at = [&](int i, int j) -> T & { return upper ? a[j + (long long)i * lda] : a[i + (long long)j * lda]; };
    for (int k = 0; k < n; k++) {
        R d = number<T>::real_part(at(k, k));
        if (!(d > 0))
            return k + 1;
        d = sqrt(d);
        __syncthreads();
        if (threadIdx.x == 0)
            at(k, k) = T(d);
        for (int i = k + 1 + threadIdx.x; i < n; i += LU_THREADS)
            at(i, k) = at(i, k) * (1 / d);
        __syncthreads();
        int rest = n - k - 1;
        for (int e = threadIdx.x; e < rest * rest; e += LU_THREADS) {
            int i = k + 1 + e % rest, j = k + 1 + e / rest;
            if (i < j)
                continue;
            at(i, j) = at(i, j) - at(i, k) * number<T>::conjugate(at(j, k));
        }
        __syncthreads();
    }
    return 0;
}

/* A block on the diagonal, `first` columns from the left one. */
template <class T> __device__ static void potf2(int upper, int n, T *a, int lda, int first, int *info)
{
    if (*info)
        return;
    __syncthreads();
    int bad = cholesky(upper, n, a, lda);
    if (bad && threadIdx.x == 0)
        *info = first + bad;
}

template <class T> __device__ static void potrf_list(int upper, int n, T *const *list, int lda, int *info)
{
    int bad = cholesky(upper, n, list[blockIdx.x], lda);
    if (threadIdx.x == 0)
        info[blockIdx.x] = bad;
}

// --- L and U ---------------------------------------------------------------------------------------------

/* Columns from `first` on, from their diagonal down. */
template <class T> __device__ static void getf2(int m, int n, T *a, int lda, int first, int *pivots, int *info)
{
    int bad = lu(m, n, a, lda, pivots);
    for (int k = threadIdx.x; pivots && k < n && k < m; k += LU_THREADS)
        pivots[k] += first;
    if (bad && threadIdx.x == 0 && !*info)
        *info = first + bad;
}

/* Rows first.. change places as those of `pivots` did, each `step` behind the last one, or back; a thread for each
 * column. */
template <class T>
__device__ static void exchange_rows(int columns, T *a, int lda, int first, int count, const int *pivots, int step,
                                     int back)
{
    for (EACH(c, columns)) {
        T *x = a + (long long)c * lda;
        for (int n = 0; n < count; n++) {
            int k = first + (back ? count - 1 - n : n), p = pivots[(long long)k * step] - 1;
            T old = x[k];
            x[k] = x[p];
            x[p] = old;
        }
    }
}

KERNEL widen_i(int n, const int *from, long long *to)
{
    for (EACH(i, n))
        to[i] = from[i];
}

/* What a pair of calls has found: n + the factor's number, else `failed` where the rotations have not ended. */
KERNEL settle_i(int n, const int *factor, int failed, int *info)
{
    if (threadIdx.x == 0)
        *info = factor && *factor ? n + *factor : *info ? failed : 0;
}

// --- Q and R ---------------------------------------------------------------------------------------------

template <class T> __device__ static void geqr2(int m, int n, T *a, int lda, T *tau)
{
    shape s = {n, lda, 0, 0};
    qr(m, s, a, tau, (T *)nullptr);
}

/* Lines of c on which Q acts: columns, from the left, or rows, from the right. Element i of line j is
 * c[i * step + j * next]. */
template <class T> struct lines {
    T *c;
    long long step, next;
    int length, count, rows;
};

/* A warp reflects line x by 1 - tau v v*, v from element k on, where it is 1. */
template <class T> __device__ static void reflect_line(const lines<T> &l, const T *v, int k, T tau, T *x)
{
    int lane = threadIdx.x % WARP;
    T sum = T(0);
    for (int i = k + lane; i < l.length; i += WARP) {
        T e = i == k ? T(1) : v[i];
        sum = sum + (l.rows ? e : number<T>::conjugate(e)) * x[i * l.step];
    }
    sum = tau * warp_sum(sum);
    for (int i = k + lane; i < l.length; i += WARP) {
        T e = i == k ? T(1) : v[i];
        x[i * l.step] = x[i * l.step] - (l.rows ? number<T>::conjugate(e) : e) * sum;
    }
    __syncwarp();
}

/* Q of k reflections, or its adjoint: `backward`: the last one first. */
template <class T>
__device__ static void apply_q(lines<T> l, int k, const T *a, int lda, const T *tau, int backward, int adjoint)
{
    int line = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (line >= l.count)
        return;
    for (int n = 0; n < k; n++) {
        int j = backward ? k - 1 - n : n;
        reflect_line(l, a + (long long)j * lda, j, adjoint ? number<T>::conjugate(tau[j]) : tau[j],
                     l.c + line * l.next);
    }
}

// --- copies ----------------------------------------------------------------------------------------------

/* What a copy takes: all, or a triangle with its diagonal; the rest of `to` becomes 0. */
template <class T>
__device__ static void copy_part(int m, int n, int fill, const T *from, int ld_from, T *to, int ld_to)
{
    for (EACH(e, m * n)) {
        int i = e % m, j = e / m;
        bool in = fill == FILL_FULL || (fill == FILL_LOWER ? i >= j : i <= j);
        to[i + (long long)j * ld_to] = in ? from[i + (long long)j * ld_from] : T(0);
    }
}

/* A triangle alone: what lies beside it in `to` stays. */
template <class T> __device__ static void copy_triangle(int n, int fill, const T *from, int ld_from, T *to, int ld_to)
{
    for (EACH(e, n * n)) {
        int i = e % n, j = e / n;
        if (fill == FILL_LOWER ? i >= j : i <= j)
            to[i + (long long)j * ld_to] = from[i + (long long)j * ld_from];
    }
}

template <class T> __device__ static void set_identity(int m, int n, T *a, int lda)
{
    for (EACH(e, m * n))
        a[e % m + (long long)(e / m) * lda] = T(e % m == e / m ? 1 : 0);
}

/* The first 0 on the diagonal, from 1, or 0. One block. */
template <class T> __device__ static void find_zero(int n, const T *a, int lda, int *info)
{
    __shared__ int first;
    if (threadIdx.x == 0)
        first = n;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (number<T>::is_zero(a[i + (long long)i * lda]))
            atomicMin(&first, i);
    __syncthreads();
    if (threadIdx.x == 0)
        *info = first < n ? first + 1 : 0;
}

/* A triangle without gaps takes the place of another one, unless that has no inverse; a diagonal of
 * ones is not there. */
template <class T>
__device__ static void take_inverse(int n, int fill, int unit, const T *from, T *to, int ld,
                                    const int *info)
{
    for (EACH(e, n * n)) {
        int i = e % n, j = e / n;
        if (!*info && (fill == FILL_LOWER ? i >= j : i <= j) && !(unit && i == j))
            to[i + (long long)j * ld] = from[e];
    }
}

// --- by name ---------------------------------------------------------------------------------------------

#define KERNELS(T, V, R)                                                                           \
    KERNEL potf2_##R(int upper, int n, T *a, int lda, int first, int *info)                        \
    {                                                                                              \
        potf2(upper, n, a, lda, first, info);                                                      \
    }                                                                                              \
    KERNEL potrf_list_##R(int upper, int n, T *const *list, int lda, int *info)                    \
    {                                                                                              \
        potrf_list(upper, n, list, lda, info);                                                     \
    }                                                                                              \
    KERNEL getf2_##R(int m, int n, T *a, int lda, int first, int *pivots, int *info)               \
    {                                                                                              \
        getf2(m, n, a, lda, first, pivots, info);                                                  \
    }                                                                                              \
    KERNEL exchange_rows_##R(int columns, T *a, int lda, int first, int count, const int *pivots,  \
                             int step, int back)                                                   \
    {                                                                                              \
        exchange_rows(columns, a, lda, first, count, pivots, step, back);                                \
    }                                                                                              \
    KERNEL geqr2_##R(int m, int n, T *a, int lda, T *tau)                                          \
    {                                                                                              \
        geqr2(m, n, a, lda, tau);                                                                  \
    }                                                                                              \
    KERNEL apply_q_##R(lines<T> l, int k, const T *a, int lda, const T *tau, int backward,         \
                       int adjoint)                                                                \
    {                                                                                              \
        apply_q(l, k, a, lda, tau, backward, adjoint);                                             \
    }                                                                                              \
    KERNEL copy_part_##R(int m, int n, int fill, const T *from, int ld_from, T *to, int ld_to)     \
    {                                                                                              \
        copy_part(m, n, fill, from, ld_from, to, ld_to);                                           \
    }                                                                                              \
    KERNEL copy_triangle_##R(int n, int fill, const T *from, int ld_from, T *to, int ld_to)        \
    {                                                                                              \
        copy_triangle(n, fill, from, ld_from, to, ld_to);                                          \
    }                                                                                              \
    KERNEL find_zero_##R(int n, const T *a, int lda, int *info)                                    \
    {                                                                                              \
        find_zero(n, a, lda, info);                                                                \
    }                                                                                              \
    KERNEL take_inverse_##R(int n, int fill, int unit, const T *from, T *to, int ld,               \
                            const int *info)                                                       \
    {                                                                                              \
        take_inverse(n, fill, unit, from, to, ld, info);                                           \
    }                                                                                              \
    KERNEL set_identity_##R(int m, int n, T *a, int lda)                                           \
    {                                                                                              \
        set_identity(m, n, a, lda);                                                                \
    }                                                                                              \
    JACOBI_KERNELS(T, V, R)                                                                        \
    SPECTRUM_KERNELS(T, V, R)
KERNELS(float, float, s)
KERNELS(double, double, d)
KERNELS(complex_number<float>, float, c)
KERNELS(complex_number<double>, double, z)
BAND_KERNELS(float, s)
BAND_KERNELS(double, d)
