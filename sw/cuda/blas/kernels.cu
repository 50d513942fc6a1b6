// The kernels of cuBLAS. Names end with the precision: _s or _d, of complex numbers _c or _z.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "sw/cuda/blas/factors.cuh"
#include "sw/cuda/blas/shape.h"
#include "sw/cuda/library/device.h"

/* Element i of a vector: with a negative increment it begins at the far end, as in BLAS. */
template <class T> __device__ static T &element(T *x, int n, int increment, int i)
{
    long long first = increment < 0 ? (long long)(1 - n) * increment : 0;
    return x[first + (long long)i * increment];
}

// --- level 1: element by element ---------------------------------------------------------------------

template <class T>
__device__ static void axpy(int n, const T *device, T host, const T *x, int incx, T *y, int incy)
{
    T alpha = scalar(device, host);
    for (EACH(i, n))
        element(y, n, incy, i) += alpha * element(x, n, incx, i);
}

template <class T> __device__ static void scal(int n, const T *device, T host, T *x, int incx)
{
    T alpha = scalar(device, host);
    for (EACH(i, n))
        element(x, n, incx, i) *= alpha;
}

template <class T>
__device__ static void rot(int n, T *x, int incx, T *y, int incy, const T *device_c, T host_c,
                           const T *device_s, T host_s)
{
    T c = scalar(device_c, host_c), s = scalar(device_s, host_s);
    for (EACH(i, n)) {
        T &at_x = element(x, n, incx, i), &at_y = element(y, n, incy, i);
        T old_x = at_x, old_y = at_y;
        at_x = c * old_x + s * old_y;
        at_y = c * old_y - s * old_x;
    }
}

// --- level 1: reductions. Each block leaves a part; one block joins them, in an order that depends on n
// alone. ----------------------------------------------------------------------------------------------

template <class T> struct sum_part {
    T sum;
    __device__ void clear() { sum = 0; }
    __device__ void join(const sum_part &other) { sum += other.sum; }
    __device__ T result() const { return sum; }
};

/* The root of scale * scale * sum, with all squares in sum at most 1: it does not overflow. */
template <class T> struct norm_part {
    T scale, sum;
    __device__ void clear() { scale = 0, sum = 0; }
    __device__ void join(const norm_part &other)
    {
        if (other.scale == 0)
            return;
        T small = scale < other.scale ? scale / other.scale : other.scale / scale;
        if (scale < other.scale) {
            sum = sum * small * small + other.sum;
            scale = other.scale;
        } else
            sum += other.sum * small * small;
    }
    __device__ T result() const { return scale * sqrt(sum); }
};

/* The first position of the extreme, counted from 1; 0: none. */
template <class T, bool Most> struct extreme_part {
    T value;
    int at;
    __device__ void clear() { value = 0, at = 0; }
    __device__ void join(const extreme_part &other)
    {
        bool better = Most ? other.value > value : other.value < value;
        if (other.at && (!at || better || (other.value == value && other.at < at)))
            *this = other;
    }
    __device__ int result() const { return at; }
};

template <class P> __device__ static void join_block(P &mine, P *out)
{
    __shared__ P parts[REDUCE_THREADS];
    parts[threadIdx.x] = mine;
    for (unsigned half = REDUCE_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            parts[threadIdx.x].join(parts[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        *out = parts[0];
}

template <class T>
__device__ static void dot(int n, const T *x, int incx, const T *y, int incy, sum_part<T> *parts)
{
    sum_part<T> mine = {0};
    for (EACH(i, n))
        mine.sum += element(x, n, incx, i) * element(y, n, incy, i);
    join_block(mine, parts + blockIdx.x);
}

template <class T> __device__ static void asum(int n, const T *x, int incx, sum_part<T> *parts)
{
    sum_part<T> mine = {0};
    for (EACH(i, n))
        mine.sum += fabs(element(x, n, incx, i));
    join_block(mine, parts + blockIdx.x);
}

template <class T> __device__ static void nrm2(int n, const T *x, int incx, norm_part<T> *parts)
{
    norm_part<T> mine = {0, 0};
    for (EACH(i, n))
        mine.join({(T)fabs(element(x, n, incx, i)), 1});
    join_block(mine, parts + blockIdx.x);
}

template <class T, bool Most>
__device__ static void extreme(int n, const T *x, int incx, extreme_part<T, Most> *parts)
{
    extreme_part<T, Most> mine = {0, 0};
    for (EACH(i, n))
        mine.join({(T)fabs(element(x, n, incx, i)), i + 1});
    join_block(mine, parts + blockIdx.x);
}

template <class P, class R> __device__ static void finish(const P *parts, int count, R *result)
{
    __shared__ P whole;
    P mine;
    mine.clear();
    for (int i = threadIdx.x; i < count; i += REDUCE_THREADS)
        mine.join(parts[i]);
    join_block(mine, &whole);
    if (threadIdx.x == 0)
        *result = whole.result();
}

// --- level 2 -------------------------------------------------------------------------------------------

/* alpha * sum + beta * y, where nothing is read for a factor of 0. */
template <class Y, class T> __device__ static void put(Y &y, T alpha, T sum, T beta)
{
    T kept = beta == 0 ? T(0) : beta * T(y);
    y = Y(alpha == 0 ? kept : alpha * sum + kept);
}

/* Element (i, k) of a matrix of which `fill` is stored: FILL_LOWER, FILL_UPPER; FILL_FULL: all. */
template <class T> __device__ static T symmetric(const T *a, long long lda, int fill, int i, int k)
{
    bool other = fill == FILL_LOWER ? i < k : fill == FILL_UPPER && i > k;
    return other ? a[k + i * lda] : a[i + k * lda];
}

/* A block for GEMV_ROWS rows, whose threads share the columns. */
template <class T>
__device__ static void gemv_n(int m, int n, const T *alpha_device, T alpha_host, const T *a, int lda,
                              int fill, const T *x, int incx, const T *beta_device, T beta_host, T *y,
                              int incy)
{
    __shared__ T parts[GEMV_SLICES][GEMV_ROWS];
    T alpha = scalar(alpha_device, alpha_host), beta = scalar(beta_device, beta_host), sum = 0;
    int i = blockIdx.x * GEMV_ROWS + threadIdx.x;
    if (i < m && alpha != 0)
        for (int k = threadIdx.y; k < n; k += GEMV_SLICES)
            sum += symmetric(a, lda, fill, i, k) * element(x, n, incx, k);
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y || i >= m)
        return;
    for (int s = 1; s < GEMV_SLICES; s++)
        sum += parts[s][threadIdx.x];
    put(element(y, m, incy, i), alpha, sum, beta);
}

/* A warp for each column. */
template <class T>
__device__ static void gemv_t(int m, int n, const T *alpha_device, T alpha_host, const T *a, int lda,
                              const T *x, int incx, const T *beta_device, T beta_host, T *y, int incy)
{
    T alpha = scalar(alpha_device, alpha_host), beta = scalar(beta_device, beta_host), sum = 0;
    int j = blockIdx.x * GEMV_SLICES + threadIdx.y;
    if (j >= n)
        return;
    if (alpha != 0)
        for (int i = threadIdx.x; i < m; i += 32)
            sum += a[i + (long long)j * lda] * element(x, m, incx, i);
    for (int offset = 16; offset; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0)
        put(element(y, n, incy, j), alpha, sum, beta);
}

template <class T>
__device__ static void ger(int m, int n, const T *device, T host, const T *x, int incx, const T *y,
                           int incy, T *a, int lda)
{
    T alpha = scalar(device, host);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m || alpha == 0)
        return;
    T row = alpha * element(x, m, incx, i);
    for (int j = blockIdx.y; j < n; j += gridDim.y)
        a[i + (long long)j * lda] += row * element(y, n, incy, j);
}

/* Triangular systems: a block for each right-hand side. Element (i, k) of the matrix, which is lower
 * triangular or upper, is a[i * row + k * column]; element i of the right-hand side r is
 * b[r * next + i * step]. */
template <class T>
__device__ static void triangle(int n, const T *a, long long row, long long column, int lower,
                                int unit, const T *device, T host, T *b, long long next,
                                long long step)
{
    T alpha = scalar(device, host);
    b += blockIdx.x * next;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        b[i * step] = alpha == 0 ? T(0) : alpha * b[i * step];
    for (int done = 0; done < n && alpha != 0; done++) {
        int k = lower ? done : n - 1 - done;
        __syncthreads();
        T x = unit ? b[k * step] : b[k * step] / a[k * (row + column)];
        __syncthreads();
        if (threadIdx.x == 0)
            b[k * step] = x;
        int first = lower ? k + 1 : 0, last = lower ? n : k;
        for (int i = first + threadIdx.x; i < last; i += blockDim.x)
            b[i * step] -= a[i * row + k * column] * x;
    }
}

// --- level 3 -------------------------------------------------------------------------------------------

template <class T> struct matrix {
    const T *data;
    const T *const *list; /* not null: of each product, in place of data */
    long long row, column; /* distance of rows and of columns: one of them is 1 */
    long long stride;      /* distance of the products' matrices */

    __device__ const T *of(int batch) const { return list ? list[batch] : data + batch * stride; }
};

/* A tile of Rows x Depth elements of `a`, from (row, column) on, with zeroes beyond rows x columns.
 * Neighbouring threads read neighbouring addresses. */
template <class T, int Rows, int Depth, class I>
__device__ static void load_tile(T (*tile)[Rows + 1], const I *a, const matrix<I> &shape, int row,
                                 int column, int rows, int columns)
{
    bool by_rows = shape.row == 1;
    for (int at = threadIdx.x; at < Rows * Depth; at += GEMM_THREADS) {
        int i = by_rows ? at % Rows : at / Depth, k = by_rows ? at / Rows : at % Depth;
        bool inside = row + i < rows && column + k < columns;
        tile[k][i] = inside ? T(a[(row + i) * shape.row + (column + k) * shape.column]) : T(0);
    }
}

/* A block of GEMM_THREADS = 16 x 16 threads computes (16 * Each) x (16 * Each) elements of c, of type O,
 * in type T: factors are of type S, elements of a and b of type I. */
template <class T, int Each, class S, class I, class O>
__device__ static void gemm(int m, int n, int k, const S *alpha_device, S alpha_host, matrix<I> a,
                            matrix<I> b, const S *beta_device, S beta_host, O *c,
                            O *const *c_list, int ldc, long long stride_c, int fill)
{
    const int Side = 16 * Each, Depth = GEMM_DEPTH;
    __shared__ T tile_a[Depth][Side + 1], tile_b[Depth][Side + 1];
    T alpha = T(scalar(alpha_device, alpha_host)), beta = T(scalar(beta_device, beta_host));
    int row = blockIdx.x * Side, column = blockIdx.y * Side;
    if ((fill == FILL_LOWER && row + Side <= column) || (fill == FILL_UPPER && column + Side <= row))
        return;
    T sum[Each][Each] = {};
    const I *from_a = a.of(blockIdx.z), *from_b = b.of(blockIdx.z);
    matrix<I> turned = b;
    turned.row = b.column;
    turned.column = b.row;
    int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    for (int first = 0; first < k && alpha != 0; first += Depth) {
        load_tile<T, Side, Depth>(tile_a, from_a, a, row, first, m, k);
        load_tile<T, Side, Depth>(tile_b, from_b, turned, column, first, n, k);
        __syncthreads();
#pragma unroll
        for (int p = 0; p < Depth; p++)
#pragma unroll
            for (int i = 0; i < Each; i++)
#pragma unroll
                for (int j = 0; j < Each; j++)
                    sum[i][j] += tile_a[p][tx + 16 * i] * tile_b[p][ty + 16 * j];
        __syncthreads();
    }
    O *to = c_list ? c_list[blockIdx.z] : c + blockIdx.z * stride_c;
#pragma unroll
    for (int i = 0; i < Each; i++)
#pragma unroll
        for (int j = 0; j < Each; j++) {
            int r = row + tx + 16 * i, q = column + ty + 16 * j;
            if (r < m && q < n && !(fill == FILL_LOWER && r < q) && !(fill == FILL_UPPER && r > q))
                put(to[r + (long long)q * ldc], alpha, sum[i][j], beta);
        }
}

/* c = alpha * op(a) + beta * op(b), either of which may be c itself. */
template <class T>
__device__ static void geam(int m, int n, const T *alpha_device, T alpha_host, matrix<T> a,
                            const T *beta_device, T beta_host, matrix<T> b, T *c, int ldc)
{
    T alpha = scalar(alpha_device, alpha_host), beta = scalar(beta_device, beta_host);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    for (int j = blockIdx.y; j < n; j += gridDim.y) {
        T from_a = alpha == 0 ? T(0) : alpha * a.data[i * a.row + j * a.column];
        T from_b = beta == 0 ? T(0) : beta * b.data[i * b.row + j * b.column];
        c[i + (long long)j * ldc] = from_a + from_b;
    }
}

// --- by name -------------------------------------------------------------------------------------------

#define KERNEL extern "C" __global__ void
/* In type T, factors of type S, from elements of type I to those of type O. */
#define GEMM(T, each, S, I, O, name)                                                               \
    KERNEL gemm_##name(int m, int n, int k, const S *alpha_device, S alpha, matrix<I> a,           \
                       matrix<I> b, const S *beta_device, S beta, O *c, O *const *c_list, int ldc, \
                       long long stride_c, int fill)                                               \
    {                                                                                              \
        gemm<T, each>(m, n, k, alpha_device, alpha, a, b, beta_device, beta, c, c_list, ldc,       \
                      stride_c, fill);                                                             \
    }
#define KERNELS(T, R)                                                                               \
    KERNEL axpy_##R(int n, const T *device, T alpha, const T *x, int incx, T *y, int incy)         \
    {                                                                                              \
        axpy(n, device, alpha, x, incx, y, incy);                                                  \
    }                                                                                              \
    KERNEL scal_##R(int n, const T *device, T alpha, T *x, int incx)                               \
    {                                                                                              \
        scal(n, device, alpha, x, incx);                                                           \
    }                                                                                              \
    KERNEL copy_##R(int n, const T *x, int incx, T *y, int incy)                                   \
    {                                                                                              \
        for (EACH(i, n))                                                                           \
            element(y, n, incy, i) = element(x, n, incx, i);                                       \
    }                                                                                              \
    KERNEL swap_##R(int n, T *x, int incx, T *y, int incy)                                         \
    {                                                                                              \
        for (EACH(i, n)) {                                                                         \
            T old = element(x, n, incx, i);                                                        \
            element(x, n, incx, i) = element(y, n, incy, i);                                       \
            element(y, n, incy, i) = old;                                                          \
        }                                                                                          \
    }                                                                                              \
    KERNEL rot_##R(int n, T *x, int incx, T *y, int incy, const T *device_c, T c,                  \
                   const T *device_s, T s)                                                         \
    {                                                                                              \
        rot(n, x, incx, y, incy, device_c, c, device_s, s);                                        \
    }                                                                                              \
    KERNEL dot_##R(int n, const T *x, int incx, const T *y, int incy, sum_part<T> *parts)          \
    {                                                                                              \
        dot(n, x, incx, y, incy, parts);                                                           \
    }                                                                                              \
    KERNEL asum_##R(int n, const T *x, int incx, sum_part<T> *parts)                               \
    {                                                                                              \
        asum(n, x, incx, parts);                                                                   \
    }                                                                                              \
    KERNEL nrm2_##R(int n, const T *x, int incx, norm_part<T> *parts)                              \
    {                                                                                              \
        nrm2(n, x, incx, parts);                                                                   \
    }                                                                                              \
    KERNEL amax_##R(int n, const T *x, int incx, extreme_part<T, true> *parts)                     \
    {                                                                                              \
        extreme(n, x, incx, parts);                                                                \
    }                                                                                              \
    KERNEL amin_##R(int n, const T *x, int incx, extreme_part<T, false> *parts)                    \
    {                                                                                              \
        extreme(n, x, incx, parts);                                                                \
    }                                                                                              \
    KERNEL finish_sum_##R(const sum_part<T> *parts, int count, T *result)                          \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }                                                                                              \
    KERNEL finish_norm_##R(const norm_part<T> *parts, int count, T *result)                        \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }                                                                                              \
    KERNEL finish_max_##R(const extreme_part<T, true> *parts, int count, int *result)              \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }                                                                                              \
    KERNEL finish_min_##R(const extreme_part<T, false> *parts, int count, int *result)             \
    {                                                                                              \
        finish(parts, count, result);                                                              \
    }                                                                                              \
    KERNEL gemv_n_##R(int m, int n, const T *alpha_device, T alpha, const T *a, int lda, int fill, \
                      const T *x, int incx, const T *beta_device, T beta, T *y, int incy)          \
    {                                                                                              \
        gemv_n(m, n, alpha_device, alpha, a, lda, fill, x, incx, beta_device, beta, y, incy);      \
    }                                                                                              \
    KERNEL gemv_t_##R(int m, int n, const T *alpha_device, T alpha, const T *a, int lda,           \
                      const T *x, int incx, const T *beta_device, T beta, T *y, int incy)          \
    {                                                                                              \
        gemv_t(m, n, alpha_device, alpha, a, lda, x, incx, beta_device, beta, y, incy);            \
    }                                                                                              \
    KERNEL ger_##R(int m, int n, const T *device, T alpha, const T *x, int incx, const T *y,       \
                   int incy, T *a, int lda)                                                        \
    {                                                                                              \
        ger(m, n, device, alpha, x, incx, y, incy, a, lda);                                        \
    }                                                                                              \
    KERNEL triangle_##R(int n, const T *a, long long row, long long column, int lower, int unit,   \
                        const T *device, T alpha, T *b, long long next, long long step)            \
    {                                                                                              \
        triangle(n, a, row, column, lower, unit, device, alpha, b, next, step);                    \
    }                                                                                              \
    GEMM(T, 1, T, T, T, small_##R)                                                                 \
    GEMM(T, 4, T, T, T, large_##R)                                                                 \
    KERNEL geam_##R(int m, int n, const T *alpha_device, T alpha, matrix<T> a,                     \
                    const T *beta_device, T beta, matrix<T> b, T *c, int ldc)                      \
    {                                                                                              \
        geam(m, n, alpha_device, alpha, a, beta_device, beta, b, c, ldc);                          \
    }
KERNELS(float, s)
KERNELS(double, d)
// Of mixed types: elements of a and b, of c, and the factors where they are no floats (mixed.c).
#define MIXED(T, S, I, O, types) GEMM(T, 1, S, I, O, small_##types) GEMM(T, 4, S, I, O, large_##types)
MIXED(float, __half, __half, __half, h_h_h)
MIXED(float, float, __half, __half, h_h)
MIXED(float, float, __half, float, h_s)
MIXED(float, float, __nv_bfloat16, __nv_bfloat16, b_b)
MIXED(float, float, __nv_bfloat16, float, b_s)
MIXED(float, float, signed char, float, q_s)
MIXED(int, int, signed char, int, q_i)

FACTOR_KERNELS(float, s)
FACTOR_KERNELS(double, d)
FACTOR_KERNELS(complex_number<float>, c)
FACTOR_KERNELS(complex_number<double>, z)
