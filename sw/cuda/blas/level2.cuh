// Kernels of level 2, and those of triangles.
#ifndef EVGPU_CUDA_BLAS_LEVEL2_CUH
#define EVGPU_CUDA_BLAS_LEVEL2_CUH

#include "sw/cuda/blas/matrix.cuh"

/* The sum of the slices of a block's rows, and y. */
template <class T>
__device__ static void put_row(int m, int i, T sum, const factor<T> &alpha, const factor<T> &beta, T *y,
                               int incy)
{
    __shared__ __align__(16) unsigned char storage[GEMV_SLICES * GEMV_ROWS * sizeof(T)];
    T *parts = reinterpret_cast<T *>(storage);
    parts[threadIdx.y * GEMV_ROWS + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y || i >= m)
        return;
    for (int s = 1; s < GEMV_SLICES; s++)
        sum += parts[s * GEMV_ROWS + threadIdx.x];
    put(element(y, m, incy, i), alpha.value(), sum, beta.value());
}

/* A block for GEMV_ROWS rows, whose threads share the columns. */
template <class T>
__device__ static void gemv_n(int m, int n, const factor<T> &alpha, const T *a, int lda, const T *x,
                              int incx, const factor<T> &beta, T *y, int incy)
{
    T sum = T(0);
    int i = blockIdx.x * GEMV_ROWS + threadIdx.x;
    if (i < m && !number<T>::is_zero(alpha.value()))
        for (int k = threadIdx.y; k < n; k += GEMV_SLICES)
            sum += a[i + (long long)k * lda] * element(x, n, incx, k);
    put_row(m, i, sum, alpha, beta, y, incy);
}

/* A warp for each column. */
template <class T>
__device__ static void gemv_t(int m, int n, int conjugated, const factor<T> &alpha, const T *a, int lda,
                              const T *x, int incx, const factor<T> &beta, T *y, int incy)
{
    T sum = T(0);
    int j = blockIdx.x * GEMV_SLICES + threadIdx.y;
    if (j >= n)
        return;
    if (!number<T>::is_zero(alpha.value()))
        for (int i = threadIdx.x; i < m; i += 32) {
            T at = a[i + (long long)j * lda];
            sum += (conjugated ? number<T>::conjugate(at) : at) * element(x, m, incx, i);
        }
    for (int offset = 16; offset; offset /= 2)
        sum += number<T>::shuffle(sum, offset);
    if (threadIdx.x == 0)
        put(element(y, n, incy, j), alpha.value(), sum, beta.value());
}

/* As gemv_n, of any view. */
template <class T>
__device__ static void product(int m, int n, const factor<T> &alpha, const view<T> &a, const T *x,
                               int incx, const factor<T> &beta, T *y, int incy)
{
    T sum = T(0);
    int i = blockIdx.x * GEMV_ROWS + threadIdx.x;
    int first = i > a.below ? i - a.below : 0, last = i < n - 1 - a.above ? i + a.above + 1 : n;
    if (i < m && !number<T>::is_zero(alpha.value()))
        for (int k = first + threadIdx.y; k < last; k += GEMV_SLICES)
            sum += a.at(a.all.data, i, k) * element(x, n, incx, k);
    put_row(m, i, sum, alpha, beta, y, incy);
}

/* a += alpha * x * op(y) */
template <class T>
__device__ static void ger(int m, int n, const factor<T> &factor, const T *x, int incx, const T *y, int incy,
                           int conjugated, T *a, int lda)
{
    T alpha = factor.value();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m || number<T>::is_zero(alpha))
        return;
    T row = alpha * element(x, m, incx, i);
    for (int j = blockIdx.y; j < n; j += gridDim.y) {
        T at = element(y, n, incy, j);
        a[i + (long long)j * lda] += row * (conjugated ? number<T>::conjugate(at) : at);
    }
}

/* A half of a += alpha * x * op(y), and `twice` the same with x and y exchanged; op is a conjugation if a is
 * Hermitian. */
template <class T>
__device__ static void rank(int n, const factor<T> &factor, const T *x, int incx, const T *y, int incy, int twice,
                            const view<T> &a)
{
    typedef number<T> N;
    T alpha = factor.value(), *to = const_cast<T *>(a.all.data);
    bool hermitian = a.mirror == MIRROR_HERMITIAN;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || N::is_zero(alpha))
        return;
    T row = alpha * element(x, n, incx, i), other = T(0);
    if (twice)
        other = (hermitian ? N::conjugate(alpha) : alpha) * element(y, n, incy, i);
    for (int j = blockIdx.y; j < n; j += gridDim.y) {
        if (a.half == FILL_LOWER ? i < j : i > j)
            continue;
        T from_y = element(y, n, incy, j);
        T sum = row * (hermitian ? N::conjugate(from_y) : from_y);
        if (twice) {
            T from_x = element(x, n, incx, j);
            sum += other * (hermitian ? N::conjugate(from_x) : from_x);
        }
        T &at = to[a.place(i, j)];
        at = hermitian && i == j ? T(N::real_part(at) + N::real_part(sum)) : at + sum;
    }
}

/* Triangles, a block for each right-hand side: op(a) x = alpha b, or x = alpha op(a) b, where x replaces b.
 * Element i of the right-hand side r is b[r * next + i * step]. */
template <class T>
__device__ static void triangle(int n, const view<T> &a, int solve, const factor<T> &factor, T *b,
                                T *const *list, long long next, long long step)
{
    typedef number<T> N;
    T alpha = factor.value();
    const T *from = a.of(blockIdx.y);
    bool lower = a.above == 0, forward = lower == (solve != 0), none = N::is_zero(alpha);
    b = (list ? list[blockIdx.y] : b) + blockIdx.x * next;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        b[i * step] = none ? T(0) : alpha * b[i * step];
    for (int done = 0; done < n && !none; done++) {
        int k = forward ? done : n - 1 - done;
        __syncthreads();
        T x = b[k * step], diagonal = T(1);
        if (!a.unit) {
            diagonal = a.stored(from, k, k);
            x = solve ? x / diagonal : x;
        }
        __syncthreads();
        if (threadIdx.x == 0)
            b[k * step] = solve ? x : diagonal * x;
        int first = lower ? k + 1 : k > a.above ? k - a.above : 0;
        int last = !lower ? k : k < n - 1 - a.below ? k + a.below + 1 : n;
        T times = solve ? T(0) - x : x;
        for (int i = first + threadIdx.x; i < last; i += blockDim.x)
            b[i * step] += a.stored(from, i, k) * times;
    }
}

#endif
