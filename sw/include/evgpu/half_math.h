/* Arithmetic, comparisons, elementary functions, operators and memory of half precision, for device
 * code; included by cuda_fp16.h. */
#ifndef EVGPU_SW_HALF_MATH_H
#define EVGPU_SW_HALF_MATH_H

/* --- arithmetic ---------------------------------------------------------------------------------
 */
EVGPU_HD unsigned int evgpu_half2_bits(const __half2 a)
{
    return a.x.__x | (unsigned int)a.y.__x << 16;
}
EVGPU_HD __half2 evgpu_half2_of(unsigned int bits)
{
    return __half2(evgpu_half_of((unsigned short)bits),
                   evgpu_half_of((unsigned short)(bits >> 16)));
}
#define EVGPU_HALF_ONE(name, name2, instruction)                                                   \
    EVGPU_HD __half name(const __half a)                                                           \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(instruction ".f16 %0, %1;" : "=h"(r) : "h"(a.__x));                                \
        return evgpu_half_of(r);                                                                   \
    }                                                                                              \
    EVGPU_HD __half2 name2(const __half2 a)                                                        \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(instruction ".f16x2 %0, %1;" : "=r"(r) : "r"(evgpu_half2_bits(a)));                \
        return evgpu_half2_of(r);                                                                  \
    }
#define EVGPU_HALF_TWO(name, name2, instruction)                                                   \
    EVGPU_HD __half name(const __half a, const __half b)                                           \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(instruction ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                \
        return evgpu_half_of(r);                                                                   \
    }                                                                                              \
    EVGPU_HD __half2 name2(const __half2 a, const __half2 b)                                       \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(instruction ".f16x2 %0, %1, %2;"                                                   \
                : "=r"(r)                                                                          \
                : "r"(evgpu_half2_bits(a)), "r"(evgpu_half2_bits(b)));                             \
        return evgpu_half2_of(r);                                                                  \
    }
#define EVGPU_HALF_THREE(name, name2, instruction)                                                 \
    EVGPU_HD __half name(const __half a, const __half b, const __half c)                           \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(instruction ".f16 %0, %1, %2, %3;"                                                 \
                : "=h"(r)                                                                          \
                : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                             \
        return evgpu_half_of(r);                                                                   \
    }                                                                                              \
    EVGPU_HD __half2 name2(const __half2 a, const __half2 b, const __half2 c)                      \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(instruction ".f16x2 %0, %1, %2, %3;"                                               \
                : "=r"(r)                                                                          \
                : "r"(evgpu_half2_bits(a)), "r"(evgpu_half2_bits(b)), "r"(evgpu_half2_bits(c)));   \
        return evgpu_half2_of(r);                                                                  \
    }
EVGPU_HALF_ONE(__hneg, __hneg2, "neg")
EVGPU_HALF_ONE(__habs, __habs2, "abs")
EVGPU_HALF_TWO(__hadd, __hadd2, "add")
EVGPU_HALF_TWO(__hsub, __hsub2, "sub")
EVGPU_HALF_TWO(__hmul, __hmul2, "mul")
EVGPU_HALF_TWO(__hadd_rn, __hadd2_rn, "add.rn")
EVGPU_HALF_TWO(__hsub_rn, __hsub2_rn, "sub.rn")
EVGPU_HALF_TWO(__hmul_rn, __hmul2_rn, "mul.rn")
EVGPU_HALF_TWO(__hadd_sat, __hadd2_sat, "add.sat")
EVGPU_HALF_TWO(__hsub_sat, __hsub2_sat, "sub.sat")
EVGPU_HALF_TWO(__hmul_sat, __hmul2_sat, "mul.sat")
EVGPU_HALF_TWO(__hmin, __hmin2, "min")
EVGPU_HALF_TWO(__hmax, __hmax2, "max")
EVGPU_HALF_TWO(__hmin_nan, __hmin2_nan, "min.NaN")
EVGPU_HALF_TWO(__hmax_nan, __hmax2_nan, "max.NaN")
EVGPU_HALF_THREE(__hfma, __hfma2, "fma.rn")
EVGPU_HALF_THREE(__hfma_sat, __hfma2_sat, "fma.rn.sat")
EVGPU_HALF_THREE(__hfma_relu, __hfma2_relu, "fma.rn.relu")
#undef EVGPU_HALF_ONE
#undef EVGPU_HALF_TWO
#undef EVGPU_HALF_THREE
/* A quotient of floats has enough digits to be rounded a second time. */
EVGPU_HD __half __hdiv(const __half a, const __half b)
{
    return __float2half(__half2float(a) / __half2float(b));
}
EVGPU_HD __half2 __h2div(const __half2 a, const __half2 b)
{
    return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

/* --- comparisons: ordered, and with u true where an operand is NaN
 * ---------------------------------- */
#define EVGPU_HALF_COMPARE(op, ptx)                                                                \
    EVGPU_HD bool __h##op(const __half a, const __half b)                                          \
    {                                                                                              \
        int r;                                                                                     \
        __asm__("{.reg .pred %%p;\n\tsetp." ptx ".f16 %%p, %1, %2;\n\tselp.s32 %0, 1, 0, %%p;}"    \
                : "=r"(r)                                                                          \
                : "h"(a.__x), "h"(b.__x));                                                         \
        return r != 0;                                                                             \
    }                                                                                              \
    EVGPU_HD __half2 __h##op##2(const __half2 a, const __half2 b)                                  \
    {                                                                                              \
        return __half2(evgpu_half_of(__h##op(a.x, b.x) ? 0x3C00 : 0),                              \
                       evgpu_half_of(__h##op(a.y, b.y) ? 0x3C00 : 0));                             \
    }                                                                                              \
    EVGPU_HD bool __hb##op##2(const __half2 a, const __half2 b)                                    \
    {                                                                                              \
        return __h##op(a.x, b.x) && __h##op(a.y, b.y);                                             \
    }                                                                                              \
    EVGPU_HD unsigned int __h##op##2_mask(const __half2 a, const __half2 b)                        \
    {                                                                                              \
        return (__h##op(a.x, b.x) ? 0xFFFFu : 0u) | (__h##op(a.y, b.y) ? 0xFFFF0000u : 0u);        \
    }
EVGPU_HALF_COMPARE(eq, "eq")
EVGPU_HALF_COMPARE(ne, "ne")
EVGPU_HALF_COMPARE(lt, "lt")
EVGPU_HALF_COMPARE(le, "le")
EVGPU_HALF_COMPARE(gt, "gt")
EVGPU_HALF_COMPARE(ge, "ge")
EVGPU_HALF_COMPARE(equ, "equ")
EVGPU_HALF_COMPARE(neu, "neu")
EVGPU_HALF_COMPARE(ltu, "ltu")
EVGPU_HALF_COMPARE(leu, "leu")
EVGPU_HALF_COMPARE(gtu, "gtu")
EVGPU_HALF_COMPARE(geu, "geu")
#undef EVGPU_HALF_COMPARE
EVGPU_HD bool __hisnan(const __half a)
{
    return (a.__x & 0x7FFF) > 0x7C00;
}
EVGPU_HD int __hisinf(const __half a)
{
    return a.__x == 0x7C00 ? 1 : a.__x == 0xFC00 ? -1 : 0;
}
EVGPU_HD __half2 __hisnan2(const __half2 a)
{
    return __half2(evgpu_half_of(__hisnan(a.x) ? 0x3C00 : 0),
                   evgpu_half_of(__hisnan(a.y) ? 0x3C00 : 0));
}

/* --- elementary functions: through float
 * ------------------------------------------------------------ */
#define EVGPU_HALF_FUNCTION(name, expression)                                                      \
    EVGPU_HD __half h##name(const __half a)                                                        \
    {                                                                                              \
        float x = __half2float(a);                                                                 \
        return __float2half(expression);                                                           \
    }                                                                                              \
    EVGPU_HD __half2 h2##name(const __half2 a)                                                     \
    {                                                                                              \
        return __half2(h##name(a.x), h##name(a.y));                                                \
    }
EVGPU_HALF_FUNCTION(sqrt, sqrtf(x))
EVGPU_HALF_FUNCTION(rsqrt, rsqrtf(x))
EVGPU_HALF_FUNCTION(rcp, 1.0f / x)
EVGPU_HALF_FUNCTION(log, logf(x))
EVGPU_HALF_FUNCTION(log2, log2f(x))
EVGPU_HALF_FUNCTION(log10, log10f(x))
EVGPU_HALF_FUNCTION(exp, expf(x))
EVGPU_HALF_FUNCTION(exp2, exp2f(x))
EVGPU_HALF_FUNCTION(exp10, exp10f(x))
EVGPU_HALF_FUNCTION(sin, sinf(x))
EVGPU_HALF_FUNCTION(cos, cosf(x))
EVGPU_HALF_FUNCTION(ceil, ceilf(x))
EVGPU_HALF_FUNCTION(floor, floorf(x))
EVGPU_HALF_FUNCTION(trunc, truncf(x))
EVGPU_HALF_FUNCTION(rint, rintf(x))
#undef EVGPU_HALF_FUNCTION

/* --- operators
 * -------------------------------------------------------------------------------------- */
#define EVGPU_HALF_OPERATORS(T, add, sub, mul, div)                                                \
    EVGPU_HD T operator+(const T &a, const T &b)                                                   \
    {                                                                                              \
        return add(a, b);                                                                          \
    }                                                                                              \
    EVGPU_HD T operator-(const T &a, const T &b)                                                   \
    {                                                                                              \
        return sub(a, b);                                                                          \
    }                                                                                              \
    EVGPU_HD T operator*(const T &a, const T &b)                                                   \
    {                                                                                              \
        return mul(a, b);                                                                          \
    }                                                                                              \
    EVGPU_HD T operator/(const T &a, const T &b)                                                   \
    {                                                                                              \
        return div(a, b);                                                                          \
    }                                                                                              \
    EVGPU_HD T &operator+=(T &a, const T &b)                                                       \
    {                                                                                              \
        return a = add(a, b);                                                                      \
    }                                                                                              \
    EVGPU_HD T &operator-=(T &a, const T &b)                                                       \
    {                                                                                              \
        return a = sub(a, b);                                                                      \
    }                                                                                              \
    EVGPU_HD T &operator*=(T &a, const T &b)                                                       \
    {                                                                                              \
        return a = mul(a, b);                                                                      \
    }                                                                                              \
    EVGPU_HD T &operator/=(T &a, const T &b)                                                       \
    {                                                                                              \
        return a = div(a, b);                                                                      \
    }                                                                                              \
    EVGPU_HD T operator+(const T &a)                                                               \
    {                                                                                              \
        return a;                                                                                  \
    }
EVGPU_HALF_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv)
EVGPU_HALF_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div)
#undef EVGPU_HALF_OPERATORS
EVGPU_HD __half operator-(const __half &a)
{
    return __hneg(a);
}
EVGPU_HD __half2 operator-(const __half2 &a)
{
    return __hneg2(a);
}
#define EVGPU_HALF_OPERATOR(sign, name)                                                            \
    EVGPU_HD bool operator sign(const __half &a, const __half &b)                                  \
    {                                                                                              \
        return __h##name(a, b);                                                                    \
    }                                                                                              \
    EVGPU_HD bool operator sign(const __half2 &a, const __half2 &b)                                \
    {                                                                                              \
        return __hb##name##2(a, b);                                                                \
    }
EVGPU_HALF_OPERATOR(==, eq)
EVGPU_HALF_OPERATOR(!=, neu)
EVGPU_HALF_OPERATOR(<, lt)
EVGPU_HALF_OPERATOR(<=, le)
EVGPU_HALF_OPERATOR(>, gt)
EVGPU_HALF_OPERATOR(>=, ge)
#undef EVGPU_HALF_OPERATOR
EVGPU_HD __half &operator++(__half &a)
{
    return a = __hadd(a, evgpu_half_of(0x3C00));
}
EVGPU_HD __half &operator--(__half &a)
{
    return a = __hsub(a, evgpu_half_of(0x3C00));
}

/* --- memory and lanes
 * ------------------------------------------------------------------------------- */
EVGPU_HD __half __ldg(const __half *p)
{
    return evgpu_half_of(__ldg((const unsigned short *)p));
}
EVGPU_HD __half2 __ldg(const __half2 *p)
{
    return evgpu_half2_of(__ldg((const unsigned int *)p));
}
#define EVGPU_HALF_SHUFFLE(name, T)                                                                \
    EVGPU_HD __half name(unsigned int mask, __half v, T offset, int width = 32)                    \
    {                                                                                              \
        return evgpu_half_of((unsigned short)name(mask, (unsigned int)v.__x, offset, width));      \
    }                                                                                              \
    EVGPU_HD __half2 name(unsigned int mask, __half2 v, T offset, int width = 32)                  \
    {                                                                                              \
        return evgpu_half2_of(name(mask, evgpu_half2_bits(v), offset, width));                     \
    }
EVGPU_HALF_SHUFFLE(__shfl_sync, int)
EVGPU_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
EVGPU_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
EVGPU_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef EVGPU_HALF_SHUFFLE
EVGPU_HD __half atomicAdd(__half *address, const __half value)
{
    unsigned short old;
    __asm__ volatile("atom.add.noftz.f16 %0, [%1], %2;"
                     : "=h"(old)
                     : "l"(address), "h"(value.__x)
                     : "memory");
    return evgpu_half_of(old);
}
EVGPU_HD __half2 atomicAdd(__half2 *address, const __half2 value)
{
    unsigned int old;
    __asm__ volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                     : "=r"(old)
                     : "l"(address), "r"(evgpu_half2_bits(value))
                     : "memory");
    return evgpu_half2_of(old);
}

#endif
