/* Parts of floating-point numbers, rounding to integers, remainders; included by libdevice.h.
 * Everything here is exact, or rounded once. */
#ifndef EVGPU_SW_LIBDEVICE_PARTS_H
#define EVGPU_SW_LIBDEVICE_PARTS_H

struct evgpu_ld_float {
    typedef float Real;
    typedef unsigned int Bits;
    static const int kMantissa = 23, kBias = 127, kMaxExponent = 255;
    EVGPU_LD_SMALL Bits bits(float a)
    {
        return __builtin_bit_cast(unsigned int, a);
    }
    EVGPU_LD_SMALL float real(Bits a)
    {
        return __builtin_bit_cast(float, a);
    }
};
struct evgpu_ld_double {
    typedef double Real;
    typedef unsigned long long Bits;
    static const int kMantissa = 52, kBias = 1023, kMaxExponent = 2047;
    EVGPU_LD_SMALL Bits bits(double a)
    {
        return __builtin_bit_cast(unsigned long long, a);
    }
    EVGPU_LD_SMALL double real(Bits a)
    {
        return __builtin_bit_cast(double, a);
    }
};

template <typename F> EVGPU_LD int evgpu_ld_exponent_field(typename F::Real a)
{
    return (int)(F::bits(a) >> F::kMantissa) & F::kMaxExponent;
}
/* 2^n for a normal result. */
template <typename F> EVGPU_LD typename F::Real evgpu_ld_power(int n)
{
    return F::real((typename F::Bits)(n + F::kBias) << F::kMantissa);
}
template <typename F> EVGPU_LD bool evgpu_ld_special(typename F::Real a) /* infinity or NaN */
{
    return evgpu_ld_exponent_field<F>(a) == F::kMaxExponent;
}
template <typename F> EVGPU_LD typename F::Real evgpu_ld_nan()
{
    return F::real(((typename F::Bits)F::kMaxExponent << F::kMantissa) |
                   ((typename F::Bits)1 << (F::kMantissa - 1)));
}

/* a * 2^n, rounded once. */
template <typename F> EVGPU_LD typename F::Real evgpu_ld_scale(typename F::Real a, int n)
{
    const int top = F::kBias, low = 1 - F::kBias + F::kMantissa + 1;
    if (n > top) {
        a *= evgpu_ld_power<F>(top);
        n -= top;
        if (n > top) {
            a *= evgpu_ld_power<F>(top);
            n -= top;
            n = n > top ? top : n;
        }
    } else if (n < 1 - F::kBias) {
        /* Steps that leave a whole mantissa above the subnormals, so that only the last rounds. */
        a *= evgpu_ld_power<F>(low);
        n -= low;
        if (n < 1 - F::kBias) {
            a *= evgpu_ld_power<F>(low);
            n -= low;
            n = n < 1 - F::kBias ? 1 - F::kBias : n;
        }
    }
    return a * evgpu_ld_power<F>(n);
}

/* a = m * 2^*e with 1/2 <= |m| < 1. */
template <typename F> EVGPU_LD typename F::Real evgpu_ld_split(typename F::Real a, int *e)
{
    int field = evgpu_ld_exponent_field<F>(a), shift = 0;
    *e = 0;
    if (field == F::kMaxExponent || a == 0)
        return a;
    if (field == 0) {
        a *= evgpu_ld_power<F>(F::kMantissa + 1);
        shift = F::kMantissa + 1;
        field = evgpu_ld_exponent_field<F>(a);
    }
    *e = field - F::kBias + 1 - shift;
    typename F::Bits mask = (typename F::Bits)F::kMaxExponent << F::kMantissa;
    return F::real((F::bits(a) & ~mask) | (typename F::Bits)(F::kBias - 1) << F::kMantissa);
}

template <typename F> EVGPU_LD int evgpu_ld_ilogb(typename F::Real a)
{
    int e;
    if (a == 0 || a != a)
        return -2147483647 - 1;
    if (evgpu_ld_special<F>(a))
        return 2147483647;
    evgpu_ld_split<F>(a, &e);
    return e - 1;
}

template <typename F>
EVGPU_LD typename F::Real evgpu_ld_next(typename F::Real a, typename F::Real b)
{
    typedef typename F::Bits Bits;
    if (a != a || b != b)
        return evgpu_ld_nan<F>();
    if (a == b)
        return b;
    Bits bits = F::bits(a), sign = (Bits)1 << (8 * sizeof(Bits) - 1);
    if (a == 0)
        return F::real((F::bits(b) & sign) | 1);
    return F::real((a < b) == (a > 0) ? bits + 1 : bits - 1);
}

/* x modulo y for 0 <= x, 0 < y, both finite; the quotient's lowest bits in *quotient. Each step
 * subtracts a multiple that fits a mantissa: the quotient rounded towards zero, cut to an integer,
 * is the true one, and the remainder by fma is exact. */
EVGPU_LD_SMALL float evgpu_ld_quotient(float x, float y)
{
    return __builtin_truncf(__nvvm_div_rz_f(x, y));
}
EVGPU_LD_SMALL double evgpu_ld_quotient(double x, double y)
{
    return __builtin_trunc(__nvvm_div_rz_d(x, y));
}
EVGPU_LD_SMALL float evgpu_ld_fma(float a, float b, float c)
{
    return __nvvm_fma_rn_f(a, b, c);
}
EVGPU_LD_SMALL double evgpu_ld_fma(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}
template <typename F>
EVGPU_LD typename F::Real evgpu_ld_modulo(typename F::Real x, typename F::Real y,
                                          unsigned int *quotient)
{
    typedef typename F::Real Real;
    *quotient = 0;
    while (x >= y) {
        int distance = evgpu_ld_ilogb<F>(x) - evgpu_ld_ilogb<F>(y), shift = 0;
        if (distance >= F::kMantissa)
            shift = distance - F::kMantissa + 1;
        Real step = evgpu_ld_scale<F>(y, shift), q = evgpu_ld_quotient(x, step);
        x = evgpu_ld_fma(-q, step, x);
        *quotient += shift < 32 ? (unsigned int)(unsigned long long)q << shift : 0;
    }
    return x;
}
template <typename F>
EVGPU_LD typename F::Real evgpu_ld_fmod(typename F::Real x, typename F::Real y)
{
    typedef typename F::Real Real;
    typedef typename F::Bits Bits;
    Bits sign = (Bits)1 << (8 * sizeof(Bits) - 1);
    Real a = F::real(F::bits(x) & ~sign), b = F::real(F::bits(y) & ~sign);
    unsigned int quotient;
    if (evgpu_ld_special<F>(x) || y != y || b == 0)
        return evgpu_ld_nan<F>();
    if (evgpu_ld_special<F>(y))
        return x;
    return F::real(F::bits(evgpu_ld_modulo<F>(a, b, &quotient)) | (F::bits(x) & sign));
}
template <typename F>
EVGPU_LD typename F::Real evgpu_ld_remquo(typename F::Real x, typename F::Real y, int *quotient)
{
    typedef typename F::Real Real;
    typedef typename F::Bits Bits;
    Bits sign = (Bits)1 << (8 * sizeof(Bits) - 1);
    Real a = F::real(F::bits(x) & ~sign), b = F::real(F::bits(y) & ~sign);
    *quotient = 0;
    if (evgpu_ld_special<F>(x) || y != y || b == 0)
        return evgpu_ld_nan<F>();
    if (evgpu_ld_special<F>(y))
        return x;
    unsigned int q;
    Real r = evgpu_ld_modulo<F>(a, b, &q), rest = b - r;
    if (r > rest || (r == rest && (q & 1))) {
        r -= b;
        q++;
    }
    int low = (int)(q & 7);
    *quotient = (F::bits(x) ^ F::bits(y)) & sign ? -low : low;
    return F::real(F::bits(r) ^ (F::bits(x) & sign));
}

#define EVGPU_LD_PARTS(F, T, suffix, isname)                                                       \
    EVGPU_NV T __nv_round##suffix(T a)                                                             \
    {                                                                                              \
        T whole = __builtin_trunc##suffix(a), rest = __builtin_fabs##suffix(a - whole);            \
        return rest >= (T)0.5 ? whole + __builtin_copysign##suffix((T)1, a)                        \
                              : __builtin_copysign##suffix(whole, a);                              \
    }                                                                                              \
    EVGPU_NV T __nv_frexp##suffix(T a, int *e)                                                     \
    {                                                                                              \
        return evgpu_ld_split<F>(a, e);                                                            \
    }                                                                                              \
    EVGPU_NV T __nv_ldexp##suffix(T a, int n)                                                      \
    {                                                                                              \
        return evgpu_ld_scale<F>(a, n);                                                            \
    }                                                                                              \
    EVGPU_NV T __nv_scalbn##suffix(T a, int n)                                                     \
    {                                                                                              \
        return evgpu_ld_scale<F>(a, n);                                                            \
    }                                                                                              \
    EVGPU_NV int __nv_ilogb##suffix(T a)                                                           \
    {                                                                                              \
        return evgpu_ld_ilogb<F>(a);                                                               \
    }                                                                                              \
    EVGPU_NV T __nv_logb##suffix(T a)                                                              \
    {                                                                                              \
        if (a == 0)                                                                                \
            return -(T)__builtin_inf();                                                            \
        return evgpu_ld_special<F>(a) ? a * a : (T)evgpu_ld_ilogb<F>(a);                           \
    }                                                                                              \
    EVGPU_NV T __nv_modf##suffix(T a, T *whole)                                                    \
    {                                                                                              \
        *whole = __builtin_trunc##suffix(a);                                                       \
        T rest = evgpu_ld_special<F>(a) ? (a != a ? a : (T)0) : a - *whole;                        \
        return __builtin_copysign##suffix(rest, a);                                                \
    }                                                                                              \
    EVGPU_NV T __nv_nextafter##suffix(T a, T b)                                                    \
    {                                                                                              \
        return evgpu_ld_next<F>(a, b);                                                             \
    }                                                                                              \
    EVGPU_NV T __nv_fdim##suffix(T a, T b)                                                         \
    {                                                                                              \
        return a <= b ? (T)0 : a - b;                                                              \
    }                                                                                              \
    EVGPU_NV T __nv_fmod##suffix(T a, T b)                                                         \
    {                                                                                              \
        return evgpu_ld_fmod<F>(a, b);                                                             \
    }                                                                                              \
    EVGPU_NV T __nv_remquo##suffix(T a, T b, int *quotient)                                        \
    {                                                                                              \
        return evgpu_ld_remquo<F>(a, b, quotient);                                                 \
    }                                                                                              \
    EVGPU_NV T __nv_remainder##suffix(T a, T b)                                                    \
    {                                                                                              \
        int quotient;                                                                              \
        return evgpu_ld_remquo<F>(a, b, &quotient);                                                \
    }                                                                                              \
    EVGPU_NV int __nv_isnan##isname(T a)                                                           \
    {                                                                                              \
        return evgpu_ld_special<F>(a) && (F::bits(a) << (8 * sizeof(T) - F::kMantissa)) != 0;      \
    }                                                                                              \
    EVGPU_NV int __nv_isinf##isname(T a)                                                           \
    {                                                                                              \
        return evgpu_ld_special<F>(a) && (F::bits(a) << (8 * sizeof(T) - F::kMantissa)) == 0;      \
    }                                                                                              \
    EVGPU_NV int __nv_signbit##isname(T a)                                                         \
    {                                                                                              \
        return (int)(F::bits(a) >> (8 * sizeof(T) - 1));                                           \
    }
EVGPU_LD_PARTS(evgpu_ld_float, float, f, f)
EVGPU_LD_PARTS(evgpu_ld_double, double, , d)
#undef EVGPU_LD_PARTS
EVGPU_NV int __nv_finitef(float a)
{
    return !evgpu_ld_special<evgpu_ld_float>(a);
}
EVGPU_NV int __nv_isfinited(double a)
{
    return !evgpu_ld_special<evgpu_ld_double>(a);
}
EVGPU_NV long long __nv_llrint(double a)
{
    return __nvvm_d2ll_rn(a);
}
EVGPU_NV long long __nv_llrintf(float a)
{
    return __nvvm_f2ll_rn(a);
}
EVGPU_NV long long __nv_llround(double a)
{
    return __nvvm_d2ll_rz(__nv_round(a));
}
EVGPU_NV long long __nv_llroundf(float a)
{
    return __nvvm_f2ll_rz(__nv_roundf(a));
}
/* The payload of nan("...") is not kept. */
EVGPU_NV double __nv_nan(const signed char *)
{
    return evgpu_ld_nan<evgpu_ld_double>();
}
EVGPU_NV float __nv_nanf(const signed char *)
{
    return __builtin_bit_cast(float, 0x7FFFFFFF);
}

#endif
