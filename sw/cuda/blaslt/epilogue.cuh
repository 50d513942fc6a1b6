// What becomes of an element of a product before it is stored.
#ifndef EVGPU_CUDA_BLASLT_EPILOGUE_CUH
#define EVGPU_CUDA_BLASLT_EPILOGUE_CUH

#include "sw/cuda/blas/matrix.cuh"
#include "sw/cuda/blaslt/shape.h"

/* tanh(u), whose argument is half of what gelu's exponential takes. */
template <class V> __device__ static V gelu_tanh(V x)
{
    V twice = V(1.5957691216057308) * (x + V(0.044715) * x * x * x);
    return V(2) / (V(1) + exp(-twice)) - V(1);
}
template <class V> __device__ static V gelu(V x)
{
    V twice = V(1.5957691216057308) * (x + V(0.044715) * x * x * x);
    return x / (V(1) + exp(-twice)); /* (1 + tanh(u)) / 2 is 1 / (1 + exp(-2 u)) */
}
template <class V> __device__ static V gelu_slope(V x)
{
    V t = gelu_tanh(x), inner = V(0.7978845608028654) * (V(1) + V(0.134145) * x * x);
    return (V(1) + t) / V(2) + x * (V(1) - t * t) * inner / V(2);
}

/* The host's struct lt_epilogue. */
template <class E> struct epilogue {
    const E *bias;    /* or null */
    long long stride; /* distance of the products' */
    int by_column;    /* an element for each column of d as the kernel sees it, else for each row */
    int activation;   /* enum lt_activation */
    void *auxiliary;  /* what goes into an activation, an E or a bit each; or null */
    long long ld, apart; /* of its columns, and of the products' */

    template <class R> __device__ complex_number<R> of(complex_number<R> x, int, int, int, bool) const { return x; }
    __device__ float of(float x, int z, int r, int q, bool inside) const { return real(x, z, r, q, inside); }
    __device__ double of(double x, int z, int r, int q, bool inside) const { return real(x, z, r, q, inside); }
    __device__ int of(int x, int, int, int, bool) const { return x; }

    /* All threads of a warp come here: lanes 0 to 15 have neighbouring rows of a column, 16 to 31 of the next. */
    template <class V> __device__ V real(V x, int z, int r, int q, bool inside) const
    {
        if (bias && inside)
            x += V(bias[z * stride + (by_column ? q : r)]);
        long long at = r + q * ld + z * apart;
        switch (activation) {
        case ACTIVATE_RELU:
            if (auxiliary)
                mark(x > 0, at, inside);
            return x > 0 ? x : V(0);
        case ACTIVATE_GELU:
            if (auxiliary && inside)
                static_cast<E *>(auxiliary)[at] = E(x);
            return gelu(x);
        case ACTIVATE_RELU_SLOPE:
            return inside && static_cast<unsigned char *>(auxiliary)[at / 8] >> at % 8 & 1 ? x : V(0);
        case ACTIVATE_GELU_SLOPE:
            return inside ? x * gelu_slope(V(static_cast<E *>(auxiliary)[at])) : x;
        default:
            return x;
        }
    }
    __device__ void mark(bool positive, long long at, bool inside) const
    {
        unsigned int bits = __ballot_sync(~0u, positive && inside);
        if (threadIdx.x % 16 == 0 && inside)
            static_cast<unsigned short *>(auxiliary)[at / 16] = (unsigned short)(bits >> threadIdx.x % 32);
    }
};

/* to[r] = the sum of row r of `from`. */
template <class V, class I, class O>
__device__ static void sums(int rows, int count, const matrix<I> &from, O *to, long long stride)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
    if (r >= rows)
        return;
    const I *data = from.of(z);
    V sum = V(0);
    for (int q = 0; q < count; q++)
        sum += V(from.at(data, r, q));
    to[r + z * stride] = O(sum);
}

#endif
