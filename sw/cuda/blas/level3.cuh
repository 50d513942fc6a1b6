// Kernels of level 3.
#ifndef EVGPU_CUDA_BLAS_LEVEL3_CUH
#define EVGPU_CUDA_BLAS_LEVEL3_CUH

#include "sw/cuda/blas/matrix.cuh"

/* A tile of Rows x Depth elements of `a`, from (row, column) on, with zeroes beyond rows x columns; Turned:
 * of its transpose. Neighbouring threads read neighbouring addresses. */
template <class T, int Rows, int Depth, bool Turned, class M>
__device__ static void load_tile(T (*tile)[Rows + 1], const typename M::type *a, const M &shape, int row,
                                 int column, int rows, int columns)
{
    bool by_rows = shape.by_rows() != Turned;
    for (int at = threadIdx.x; at < Rows * Depth; at += GEMM_THREADS) {
        int i = by_rows ? at % Rows : at / Depth, k = by_rows ? at / Rows : at % Depth;
        bool inside = row + i < rows && column + k < columns;
        int r = Turned ? column + k : row + i, q = Turned ? row + i : column + k;
        tile[k][i] = inside ? T(shape.at(a, r, q)) : T(0);
    }
}

/* A block of GEMM_THREADS = 16 x 16 threads computes (16 * Each) x (16 * Each) elements of a product from
 * (row, column) on, in type T: a and b are an M each. Thread (tx, ty) has those at tx + 16 i, ty + 16 j. */
template <class T, int Each, class M>
__device__ __forceinline__ static void product_tile(T (&sum)[Each][Each], int row, int column, int m, int n, int k,
                                                    const M &a, const M &b)
{
    const int Side = 16 * Each, Depth = GEMM_DEPTH;
    __shared__ __align__(16) unsigned char storage[2][Depth * (Side + 1) * sizeof(T)];
    T(*tile_a)[Side + 1] = reinterpret_cast<T(*)[Side + 1]>(storage[0]);
    T(*tile_b)[Side + 1] = reinterpret_cast<T(*)[Side + 1]>(storage[1]);
#pragma unroll
    for (int i = 0; i < Each * Each; i++)
        sum[i / Each][i % Each] = T(0);
    const typename M::type *from_a = a.of(blockIdx.z), *from_b = b.of(blockIdx.z);
    int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    for (int first = 0; first < k; first += Depth) {
        load_tile<T, Side, Depth, false>(tile_a, from_a, a, row, first, m, k);
        load_tile<T, Side, Depth, true>(tile_b, from_b, b, column, first, n, k);
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
}

/* The elements of c are of type O, factors of type S. Of a Hermitian c the diagonal is real. */
template <class T, int Each, class S, class M, class O>
__device__ static void gemm(int m, int n, int k, const factor<S> &alpha_factor, const M &a, const M &b,
                            const factor<S> &beta_factor, O *c, O *const *c_list, int ldc,
                            long long stride_c, int fill, int hermitian)
{
    const int Side = 16 * Each;
    T alpha = T(alpha_factor.value()), beta = T(beta_factor.value());
    int row = blockIdx.x * Side, column = blockIdx.y * Side;
    if ((fill == FILL_LOWER && row + Side <= column) || (fill == FILL_UPPER && column + Side <= row))
        return;
    T sum[Each][Each];
    product_tile<T, Each>(sum, row, column, m, n, number<T>::is_zero(alpha) ? 0 : k, a, b);
    int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    O *to = c_list ? c_list[blockIdx.z] : c + blockIdx.z * stride_c;
#pragma unroll
    for (int i = 0; i < Each; i++)
#pragma unroll
        for (int j = 0; j < Each; j++) {
            int r = row + tx + 16 * i, q = column + ty + 16 * j;
            if (r >= m || q >= n || (fill == FILL_LOWER && r < q) || (fill == FILL_UPPER && r > q))
                continue;
            O &at = to[r + (long long)q * ldc];
            put(at, alpha, sum[i][j], beta);
            if (hermitian && r == q)
                at = O(number<O>::real_part(at));
        }
}

/* c = alpha * op(a) + beta * op(b), either of which may be c itself. */
template <class T>
__device__ static void geam(int m, int n, const factor<T> &alpha_factor, const matrix<T> &a,
                            const factor<T> &beta_factor, const matrix<T> &b, T *c, int ldc)
{
    T alpha = alpha_factor.value(), beta = beta_factor.value();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    for (int j = blockIdx.y; j < n; j += gridDim.y) {
        T from_a = number<T>::is_zero(alpha) ? T(0) : alpha * a.at(a.data, i, j);
        T from_b = number<T>::is_zero(beta) ? T(0) : beta * b.at(b.data, i, j);
        c[i + (long long)j * ldc] = from_a + from_b;
    }
}

/* The rows of c are those of a times an element of x each, or its columns are. */
template <class T>
__device__ static void dgmm(int m, int n, int rows, const T *a, int lda, const T *x, int incx, T *c, int ldc)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    for (int j = blockIdx.y; j < n; j += gridDim.y)
        c[i + (long long)j * ldc] =
            a[i + (long long)j * lda] * (rows ? element(x, m, incx, i) : element(x, n, incx, j));
}

/* One triangle of `to` becomes that of `from`. */
template <class T> __device__ static void repack(int n, const view<T> &from, const view<T> &to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int j = blockIdx.y; j < n; j += gridDim.y)
        if (from.half == FILL_LOWER ? i >= j : i <= j)
            const_cast<T *>(to.all.data)[to.place(i, j)] = from.all.data[from.place(i, j)];
}

#endif
