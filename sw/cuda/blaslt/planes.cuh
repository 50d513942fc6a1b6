// Complex numbers whose parts lie beside each other or in two planes, of floats, halves or bfloat16s; values are of
// two floats.
#ifndef EVGPU_CUDA_BLASLT_PLANES_CUH
#define EVGPU_CUDA_BLASLT_PLANES_CUH

#include "sw/cuda/blas/matrix.cuh"

/* The host's struct lt_matrix: all distances count parts. */
template <class R> struct planes {
    typedef R type;
    matrix<R> parts;
    long long plane; /* from a real part to its imaginary one */

    __device__ const R *of(int batch) const { return parts.of(batch); }
    __device__ bool by_rows() const { return parts.row < parts.column; }
    __device__ complex_number<float> at(const R *a, long long i, long long k) const
    {
        const R *x = a + i * parts.row + k * parts.column;
        float imaginary = float(x[plane]);
        return complex_number<float>(float(x[0]), parts.conjugated ? -imaginary : imaginary);
    }
};

/* The host's struct lt_target. */
template <class R> struct plane_target {
    R *data;
    long long ld, stride, step, plane;
    __device__ void put(int z, int r, int q, complex_number<float> x) const
    {
        R *to = data + r * step + q * ld + z * stride;
        to[0] = R(x.x);
        to[plane] = R(x.y);
    }
};

#endif
