// The kernels of cuBLASLt. Names say the size of the tile, the type of a and b, that of the factors where it is
// no other one's, and that of c and d: s, d, c, z as in cuBLAS, h, b (bfloat16), i (int), q (signed char).
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "sw/cuda/blas/level3.cuh"
#include "sw/cuda/blaslt/shape.h"

/* The host's struct lt_epilogue. */
template <class E> struct epilogue {
    const E *bias; /* or null */
    long long stride; /* distance of the products' */
    int by_column;    /* an element for each column of d as the kernel sees it, else for each row */
    int activation;   /* enum lt_activation */
};

template <class V> __device__ static V activate(V x, int) { return x; }
template <class V> __device__ static V activate_real(V x, int how)
{
    if (how == ACTIVATE_RELU)
        return x > 0 ? x : V(0);
    if (how == ACTIVATE_GELU) { /* x (1 + tanh(u)) / 2, whose second factor is 1 / (1 + exp(-2 u)) */
        V twice = V(1.5957691216057308) * (x + V(0.044715) * x * x * x);
        return x / (V(1) + exp(-twice));
    }
    return x;
}
__device__ static float activate(float x, int how) { return activate_real(x, how); }
__device__ static double activate(double x, int how) { return activate_real(x, how); }

template <class E, class V> __device__ static void store(E &to, V x) { to = E(x); }
__device__ static void store(signed char &to, float x)
{
    to = (signed char)(int)rintf(fminf(fmaxf(x, -128.0f), 127.0f)); /* to the nearest even number */
}

__device__ static void store(int &to, double x)
{
    to = (int)rint(fmin(fmax(x, -2147483648.0), 2147483647.0));
}

/* c = alpha a + beta b, with values of type V, where nothing is read for a factor of 0. */
template <class E, class V, class S>
__device__ static void transform(int m, int n, const factor<S> &alpha_factor, const matrix<E> &a,
                                 const factor<S> &beta_factor, const matrix<E> &b, E *c, int ldc, long long stride)
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
        store(c[i + (long long)j * ldc + z * stride], sum);
    }
}

/* d = f(alpha a b + beta c + bias): sums in type T, all else in V, factors stored as S. d lies column by column. */
template <class T, class V, int Each, class S, class I, class O>
__device__ __forceinline__ static void lt_product(int m, int n, int k, const factor<S> &alpha_factor, const matrix<I> &a,
                                  const matrix<I> &b, const factor<S> &beta_factor, const matrix<O> &c, O *d,
                                  int ldd, long long stride_d, const epilogue<O> &after)
{
    const int Side = 16 * Each;
    V alpha = V(alpha_factor.value()), beta = V(beta_factor.value());
    int row = blockIdx.x * Side, column = blockIdx.y * Side;
    T sum[Each][Each];
    product_tile<T, Each>(sum, row, column, m, n, number<V>::is_zero(alpha) ? 0 : k, a, b);
    int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    bool reads = !number<V>::is_zero(beta);
    const O *from = reads ? c.of(blockIdx.z) : nullptr, *bias = after.bias;
    if (bias)
        bias += blockIdx.z * after.stride;
    d += blockIdx.z * stride_d;
#pragma unroll
    for (int i = 0; i < Each; i++)
#pragma unroll
        for (int j = 0; j < Each; j++) {
            int r = row + tx + 16 * i, q = column + ty + 16 * j;
            if (r >= m || q >= n)
                continue;
            V x = alpha * V(sum[i][j]);
            if (reads)
                x += beta * V(c.at(from, r, q));
            if (bias)
                x += V(bias[after.by_column ? q : r]);
            store(d[r + (long long)q * ldd], activate(x, after.activation));
        }
}

#define PRODUCT(T, V, each, S, I, O, name)                                                         \
    extern "C" __global__ void name(int m, int n, int k, factor<S> alpha, matrix<I> a,             \
                                    matrix<I> b, factor<S> beta, matrix<O> c, O *d, int ldd,       \
                                    long long stride_d, epilogue<O> after)                         \
    {                                                                                              \
        lt_product<T, V, each>(m, n, k, alpha, a, b, beta, c, d, ldd, stride_d, after);            \
    }
#define PRODUCTS(T, V, wide, S, I, O, types)                                                       \
    PRODUCT(T, V, 1, S, I, O, small_##types)                                                       \
    PRODUCT(T, V, wide, S, I, O, large_##types)
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
PRODUCTS(int, int, 4, int, signed char, int, q_i)
PRODUCTS(int, float, 4, float, signed char, signed char, q_q)

#define TRANSFORM(E, V, S, types)                                                                  \
    extern "C" __global__ void transform_##types(int m, int n, factor<S> alpha, matrix<E> a,       \
                                                 factor<S> beta, matrix<E> b, E *c, int ldc,       \
                                                 long long stride)                                 \
    {                                                                                              \
        transform<E, V>(m, n, alpha, a, beta, b, c, ldc, stride);                                  \
    }
TRANSFORM(float, float, float, s)
TRANSFORM(double, double, double, d)
TRANSFORM(complex_number<float>, complex_number<float>, complex_number<float>, c)
TRANSFORM(complex_number<double>, complex_number<double>, complex_number<double>, z)
TRANSFORM(__half, float, __half, h_h)
TRANSFORM(__half, float, float, h_s)
TRANSFORM(__nv_bfloat16, float, float, b_s)
TRANSFORM(signed char, float, float, q_s)
TRANSFORM(int, double, float, i_s)
