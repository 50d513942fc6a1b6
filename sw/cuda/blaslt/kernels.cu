// The kernels of cuBLASLt. Names say the size of the tile, the type of a and b, that of the factors where it is
// no other one's, and that of c and d: s, d, c, z as in cuBLAS, h, b (bfloat16), i (int), q (signed char). ch, cb and
// cs: complex numbers whose parts may lie in planes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "sw/cuda/blas/level3.cuh"
#include "sw/cuda/blaslt/epilogue.cuh"
#include "sw/cuda/blaslt/orders.cuh"
#include "sw/cuda/blaslt/planes.cuh"
#include "sw/cuda/blaslt/shape.h"

/* Where d lies, column by column: the host's struct lt_target. */
template <class O> struct target {
    O *data;
    long long ld, stride;
    template <class V> __device__ void put(int z, int r, int q, V x) const
    {
        store(data[r + q * ld + z * stride], x);
    }
};

/* c = alpha a + beta b, with values of type V, where nothing is read for a factor of 0. */
template <class V, class S, class M, class D>
__device__ static void transform(int m, int n, const factor<S> &alpha_factor, const M &a, const factor<S> &beta_factor,
                                 const M &b, const D &c)
{
    V alpha = V(alpha_factor.value()), beta = V(beta_factor.value());
    int i = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
    if (i >= m)
        return;
    for (int j = blockIdx.y; j < n; j += gridDim.y) {
        V sum = V(0);
        if (!number<V>::is_zero(alpha))
            sum += alpha * V(a.at(a.of(z), i, j));
        if (!number<V>::is_zero(beta))
            sum += beta * V(b.at(b.of(z), i, j));
        c.put(z, i, j, sum);
    }
}

/* d = f(alpha a b + beta c + bias): sums in type T, all else in V, factors stored as S. */
template <class T, class V, int Each, class S, class I, class C, class D, class O>
__device__ __forceinline__ static void lt_product(int m, int n, int k, const factor<S> &alpha_factor, const I &a,
                                                  const I &b, const factor<S> &beta_factor, const C &c, const D &d,
                                                  const epilogue<O> &after)
{
    const int Side = 16 * Each;
    V alpha = V(alpha_factor.value()), beta = V(beta_factor.value());
    int row = blockIdx.x * Side, column = blockIdx.y * Side, z = blockIdx.z;
    T sum[Each][Each];
    product_tile<T, Each>(sum, row, column, m, n, number<V>::is_zero(alpha) ? 0 : k, a, b);
    int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    bool reads = !number<V>::is_zero(beta);
    const typename C::type *from = reads ? c.of(z) : nullptr;
#pragma unroll
    for (int i = 0; i < Each; i++)
#pragma unroll
        for (int j = 0; j < Each; j++) {
            int r = row + tx + 16 * i, q = column + ty + 16 * j;
            bool inside = r < m && q < n;
            V x = V(0);
            if (inside) {
                x = alpha * V(sum[i][j]);
                if (reads)
                    x += beta * V(c.at(from, r, q));
            }
            x = after.of(x, z, r, q, inside);
            if (inside)
                d.put(z, r, q, x);
        }
}

#define PRODUCT(T, V, each, S, I, C, D, O, name)                                                   \
    extern "C" __global__ void name(int m, int n, int k, factor<S> alpha, I a, I b,                \
                                    factor<S> beta, C c, D d, epilogue<O> after)                   \
    {                                                                                              \
        lt_product<T, V, each>(m, n, k, alpha, a, b, beta, c, d, after);                           \
    }
#define PRODUCTS(T, V, wide, S, I, O, types)                                                       \
    PRODUCT(T, V, 1, S, matrix<I>, matrix<O>, target<O>, O, small_##types)                         \
    PRODUCT(T, V, wide, S, matrix<I>, matrix<O>, target<O>, O, large_##types)
PRODUCTS(float, float, 4, float, float, float, s_s)
PRODUCTS(double, double, 4, double, double, double, d_d)
PRODUCTS(complex_number<float>, complex_number<float>, 2, complex_number<float>, complex_number<float>,
         complex_number<float>, c_c)
PRODUCTS(complex_number<double>, complex_number<double>, 2, complex_number<double>, complex_number<double>,
         complex_number<double>, z_z)
PRODUCTS(float, float, 4, __half, __half, __half, h_h_h)
PRODUCTS(float, float, 4, float, __half, __half, h_h)
PRODUCTS(float, float, 4, float, __half, float, h_s)
PRODUCTS(float, float, 4, float, __nv_bfloat16, __nv_bfloat16, b_b)
PRODUCTS(float, float, 4, float, __nv_bfloat16, float, b_s)
PRODUCTS(float, float, 4, float, signed char, float, q_s)

#define BYTES(V, S, O, types)                                                                      \
    PRODUCT(int, V, 1, S, ordered<signed char>, ordered<O>, ordered_target<O>, O, small_##types)   \
    PRODUCT(int, V, 4, S, ordered<signed char>, ordered<O>, ordered_target<O>, O, large_##types)
BYTES(int, int, int, q_i)
BYTES(float, float, signed char, q_q)

typedef complex_number<float> complex;
#define PLANES(I, O, types)                                                                        \
    PRODUCT(complex, complex, 1, complex, planes<I>, planes<O>, plane_target<O>, O, small_##types) \
    PRODUCT(complex, complex, 2, complex, planes<I>, planes<O>, plane_target<O>, O, large_##types)
PLANES(__half, __half, ch_ch)
PLANES(__half, float, ch_cs)
PLANES(__nv_bfloat16, __nv_bfloat16, cb_cb)
PLANES(__nv_bfloat16, float, cb_cs)

#define SUMS(V, I, O, types)                                                                       \
    extern "C" __global__ void sums_##types(int rows, int count, matrix<I> from, O *to,            \
                                            long long stride)                                      \
    {                                                                                              \
        sums<V>(rows, count, from, to, stride);                                                    \
    }
SUMS(float, float, float, s_s)
SUMS(double, double, double, d_d)
SUMS(float, __half, __half, h_h)
SUMS(float, __half, float, h_s)
SUMS(float, __nv_bfloat16, __nv_bfloat16, b_b)
SUMS(float, __nv_bfloat16, float, b_s)

#define TRANSFORM_OF(M, D, V, S, types)                                                            \
    extern "C" __global__ void transform_##types(int m, int n, factor<S> alpha, M a,               \
                                                 factor<S> beta, M b, D c)                         \
    {                                                                                              \
        transform<V>(m, n, alpha, a, beta, b, c);                                                  \
    }
#define TRANSFORM(E, V, S, types) TRANSFORM_OF(matrix<E>, target<E>, V, S, types)
TRANSFORM(float, float, float, s)
TRANSFORM(double, double, double, d)
TRANSFORM(complex_number<double>, complex_number<double>, complex_number<double>, z)
TRANSFORM(__half, float, __half, h_h)
TRANSFORM(__half, float, float, h_s)
TRANSFORM(__nv_bfloat16, float, float, b_s)
TRANSFORM_OF(ordered<signed char>, ordered_target<signed char>, float, float, q_s)
TRANSFORM_OF(ordered<int>, ordered_target<int>, double, float, i_s)
TRANSFORM_OF(planes<float>, plane_target<float>, complex, complex, c)
TRANSFORM_OF(planes<__half>, plane_target<__half>, complex, complex, ch)
TRANSFORM_OF(planes<__nv_bfloat16>, plane_target<__nv_bfloat16>, complex, complex, cb)
