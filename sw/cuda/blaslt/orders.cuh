// Matrices in blocks of 32 columns, as integer products of tensor units want them.
#ifndef EVGPU_CUDA_BLASLT_ORDERS_CUH
#define EVGPU_CUDA_BLASLT_ORDERS_CUH

#include "sw/cuda/blas/matrix.cuh"
#include "sw/cuda/blaslt/store.cuh"
#include "sw/cuda/include/cublasLt.h"

/* Where the element (r, c) is; `ld` lies between groups of 32 columns. */
__device__ static long long block_place(long long order, long long ld, long long r, long long c)
{
    long long group = c / 32 * ld, in = c % 32;
    switch (order) {
    case CUBLASLT_ORDER_COL32:
        return group + r * 32 + in;
    case CUBLASLT_ORDER_COL4_4R2_8C: /* of 8 rows the even ones, then the odd ones, in squares of 4 x 4 */
        return group + r / 8 * 256 + r % 2 * 128 + in / 4 * 16 + r % 8 / 2 * 4 + in % 4;
    default: /* COL32_2R_4R4 */
        return group + r / 32 * 1024 + ((r % 8 / 2 * 4 + r % 32 / 8) * 2 + r % 2) * 32 + in;
    }
}

/* The host's struct lt_matrix: with an order of blocks, `row` says whether the matrix is transposed. */
template <class T> struct ordered {
    typedef T type;
    matrix<T> all;
    long long order; /* 0: by columns or rows */

    __device__ const T *of(int batch) const { return all.of(batch); }
    __device__ bool by_rows() const { return all.by_rows(); }
    __device__ T at(const T *a, long long i, long long k) const
    {
        return order ? a[block_place(order, all.column, all.row ? k : i, all.row ? i : k)] : all.at(a, i, k);
    }
};

/* The host's struct lt_target. */
template <class T> struct ordered_target {
    T *data;
    long long ld, stride, step, order;
    template <class V> __device__ void put(int z, int r, int q, V x) const
    {
        store(data[(order ? block_place(order, ld, r, q) : r + q * ld) + z * stride], x);
    }
};

#endif
