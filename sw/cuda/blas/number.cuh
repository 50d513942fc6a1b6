// Real and complex numbers for kernels that take both.
#ifndef EVGPU_CUDA_BLAS_NUMBER_CUH
#define EVGPU_CUDA_BLAS_NUMBER_CUH

#include "sw/cuda/blas/shape.h"

template <class R> struct __align__(2 * sizeof(R)) complex_number {
    R x, y;
    complex_number() = default;
    __device__ explicit complex_number(R real, R imaginary = 0) : x(real), y(imaginary) {}
    __device__ complex_number operator+(complex_number b) const { return complex_number(x + b.x, y + b.y); }
    __device__ complex_number operator-(complex_number b) const { return complex_number(x - b.x, y - b.y); }
    __device__ complex_number operator*(complex_number b) const
    {
        return complex_number(x * b.x - y * b.y, x * b.y + y * b.x);
    }
    __device__ complex_number operator*(R b) const { return complex_number(x * b, y * b); }
    __device__ void operator+=(complex_number b) { *this = *this + b; }
    __device__ void operator-=(complex_number b) { *this = *this - b; }
    /* By the larger part of b, so that squares do not overflow (Smith, 1962). */
    __device__ complex_number operator/(complex_number b) const
    {
        if (fabs(b.x) >= fabs(b.y)) {
            R ratio = b.y / b.x, under = b.x + b.y * ratio;
            return complex_number((x + y * ratio) / under, (y - x * ratio) / under);
        }
        R ratio = b.x / b.y, under = b.x * ratio + b.y;
        return complex_number((x * ratio + y) / under, (y * ratio - x) / under);
    }
};

template <class T> struct number {
    typedef T real;
    static constexpr int parts = 1;
    __device__ static T size(T x) { return fabs(x); }
    __device__ static bool is_zero(T x) { return x == 0; }
    __device__ static T conjugate(T x) { return x; }
    __device__ static T real_part(T x) { return x; }
    __device__ static T imaginary(T) { return 0; }
    __device__ static T times(T factor, T x) { return factor * x; }
    __device__ static double square(T x) { return (double)x * (double)x; }
    __device__ static T shuffle(T x, int lanes) { return __shfl_xor_sync(~0u, x, lanes); }
};

template <class R> struct number<complex_number<R>> {
    typedef R real;
    typedef complex_number<R> T;
    static constexpr int parts = 2;
    __device__ static R size(T x) { return fabs(x.x) + fabs(x.y); } /* as LAPACK compares pivots */
    __device__ static bool is_zero(T x) { return x.x == 0 && x.y == 0; }
    __device__ static T conjugate(T x) { return T(x.x, -x.y); }
    __device__ static R real_part(T x) { return x.x; }
    __device__ static R imaginary(T x) { return x.y; }
    /* By a real factor part by part: infinities stay where they are. */
    __device__ static T times(T factor, T x) { return factor.y == 0 ? x * factor.x : factor * x; }
    __device__ static double square(T x) { return (double)x.x * (double)x.x + (double)x.y * (double)x.y; }
    __device__ static T shuffle(T x, int lanes)
    {
        return T(__shfl_xor_sync(~0u, x.x, lanes), __shfl_xor_sync(~0u, x.y, lanes));
    }
};

/* A number of device memory. It is volatile so that the compiler does not choose between the addresses of this
 * and of a parameter, which it would put into local memory for that. */
template <class T> __device__ static T load(const T *at) { return *at; }
[[maybe_unused]] __device__ static float load(const float *at) { return *static_cast<const volatile float *>(at); }
[[maybe_unused]] __device__ static double load(const double *at) { return *static_cast<const volatile double *>(at); }
template <class R> __device__ static complex_number<R> load(const complex_number<R> *at)
{
    return complex_number<R>(load(&at->x), load(&at->y));
}

/* A scalar of a call: the host's struct blas_factor. */
template <class T> struct factor {
    const void *device; /* where it is, or null: `host` */
    long long form;     /* FACTOR_... */
    T host;

    __device__ T value() const
    {
        typedef typename number<T>::real R;
        T x = host;
        if (device)
            x = form & FACTOR_REAL ? T(load(static_cast<const R *>(device))) : load(static_cast<const T *>(device));
        return form & FACTOR_CONJUGATED ? number<T>::conjugate(x) : x;
    }
};

#endif
