// Numbers of every type of cuBLAS: the host computes with `wide`.
#ifndef BLAS_VALUES_H
#define BLAS_VALUES_H

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>

typedef std::complex<double> wide;

template <class T> struct number {
    static constexpr bool is_complex = false;
    static wide value(T x)
    {
        return (double)x;
    }
    static T made(wide x)
    {
        return (T)x.real();
    }
};
template <> inline wide number<__half>::value(__half x)
{
    return (double)(float)x;
}
template <> inline __half number<__half>::made(wide x)
{
    return __half((float)x.real());
}
template <> inline wide number<__nv_bfloat16>::value(__nv_bfloat16 x)
{
    return (double)(float)x;
}
template <> inline __nv_bfloat16 number<__nv_bfloat16>::made(wide x)
{
    return __nv_bfloat16((float)x.real());
}
template <class T, class V> struct complex_number {
    static constexpr bool is_complex = true;
    static wide value(T x)
    {
        return {x.x, x.y};
    }
    static T made(wide x)
    {
        T made;
        made.x = (V)x.real();
        made.y = (V)x.imag();
        return made;
    }
};
template <> struct number<cuComplex> : complex_number<cuComplex, float> {
};
template <> struct number<cuDoubleComplex> : complex_number<cuDoubleComplex, double> {
};

#endif
