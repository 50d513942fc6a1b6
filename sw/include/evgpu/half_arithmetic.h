/* Arithmetic, comparisons and operators of half precision; included by cuda_fp16.h. In device code
 * an operation is one f16 or f16x2 instruction, if the architecture has it. The host computes in
 * double, in which sums and products of halves are exact and quotients have digits enough to be
 * rounded a second time. */
#ifndef EVGPU_SW_HALF_ARITHMETIC_H
#define EVGPU_SW_HALF_ARITHMETIC_H

#include "mixed_operators.h"

EVGPU_H unsigned int evgpu_half2_bits(const __half2 a)
{
    return a.x.__x | (unsigned int)a.y.__x << 16;
}
EVGPU_H __half2 evgpu_half2_of(unsigned int bits)
{
    return __half2(evgpu_half_of((unsigned short)bits),
                   evgpu_half_of((unsigned short)(bits >> 16)));
}

/* --- arithmetic ---------------------------------------------------------------------------------
 * name, name2, instruction, value on the host of bits a, b and numbers x, y, z */
#ifdef __CUDA_ARCH__
#define EVGPU_HALF_ONE(name, name2, instruction, value)                                            \
    EVGPU_H __half name(const __half a)                                                            \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(instruction ".f16 %0, %1;" : "=h"(r) : "h"(a.__x));                                \
        return evgpu_half_of(r);                                                                   \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a)                                                         \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(instruction ".f16x2 %0, %1;" : "=r"(r) : "r"(evgpu_half2_bits(a)));                \
        return evgpu_half2_of(r);                                                                  \
    }
#define EVGPU_HALF_TWO(name, name2, instruction, value)                                            \
    EVGPU_H __half name(const __half a, const __half b)                                            \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(instruction ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                \
        return evgpu_half_of(r);                                                                   \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a, const __half2 b)                                        \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(instruction ".f16x2 %0, %1, %2;"                                                   \
                : "=r"(r)                                                                          \
                : "r"(evgpu_half2_bits(a)), "r"(evgpu_half2_bits(b)));                             \
        return evgpu_half2_of(r);                                                                  \
    }
#if __CUDA_ARCH__ < 800
/* min and max of halves are of sm_80. */
#define EVGPU_HALF_LIMIT(name, name2, instruction, value)                                          \
    EVGPU_H __half name(const __half a, const __half b)                                            \
    {                                                                                              \
        float r;                                                                                   \
        __asm__(instruction ".f32 %0, %1, %2;"                                                     \
                : "=f"(r)                                                                          \
                : "f"(__half2float(a)), "f"(__half2float(b)));                                     \
        return __float2half(r);                                                                    \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a, const __half2 b)                                        \
    {                                                                                              \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                            \
    }
#endif
#define EVGPU_HALF_THREE(name, name2, instruction, value)                                          \
    EVGPU_H __half name(const __half a, const __half b, const __half c)                            \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(instruction ".f16 %0, %1, %2, %3;"                                                 \
                : "=h"(r)                                                                          \
                : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                             \
        return evgpu_half_of(r);                                                                   \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a, const __half2 b, const __half2 c)                       \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(instruction ".f16x2 %0, %1, %2, %3;"                                               \
                : "=r"(r)                                                                          \
                : "r"(evgpu_half2_bits(a)), "r"(evgpu_half2_bits(b)), "r"(evgpu_half2_bits(c)));   \
        return evgpu_half2_of(r);                                                                  \
    }
#else
EVGPU_H double evgpu_half_saturated(double x)
{
    return x > 0 ? x < 1 ? x : 1.0 : 0.0;
}
EVGPU_H double evgpu_half_relu(double x)
{
    return x <= 0 ? 0.0 : x;
}
EVGPU_H double evgpu_half_nan(double x, double y)
{
    return x != x ? x : y;
}
#define EVGPU_HALF_ONE(name, name2, instruction, value)                                            \
    EVGPU_H __half name(const __half a)                                                            \
    {                                                                                              \
        return evgpu_half_of((unsigned short)(value));                                             \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a)                                                         \
    {                                                                                              \
        return __half2(name(a.x), name(a.y));                                                      \
    }
#define EVGPU_HALF_TWO(name, name2, instruction, value)                                            \
    EVGPU_H __half name(const __half a, const __half b)                                            \
    {                                                                                              \
        const double x = evgpu_half_value(a.__x), y = evgpu_half_value(b.__x);                     \
        return __double2half(value);                                                               \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a, const __half2 b)                                        \
    {                                                                                              \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                            \
    }
#define EVGPU_HALF_THREE(name, name2, instruction, value)                                          \
    EVGPU_H __half name(const __half a, const __half b, const __half c)                            \
    {                                                                                              \
        const double x = evgpu_half_value(a.__x), y = evgpu_half_value(b.__x);                     \
        const double z = evgpu_half_value(c.__x);                                                  \
        return __double2half(value);                                                               \
    }                                                                                              \
    EVGPU_H __half2 name2(const __half2 a, const __half2 b, const __half2 c)                       \
    {                                                                                              \
        return __half2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                  \
    }
#endif
EVGPU_HALF_ONE(__hneg, __hneg2, "neg", a.__x ^ 0x8000u)
EVGPU_HALF_ONE(__habs, __habs2, "abs", a.__x & 0x7FFFu)
EVGPU_HALF_TWO(__hadd, __hadd2, "add", x + y)
EVGPU_HALF_TWO(__hsub, __hsub2, "sub", x - y)
EVGPU_HALF_TWO(__hmul, __hmul2, "mul", x *y)
EVGPU_HALF_TWO(__hadd_rn, __hadd2_rn, "add.rn", x + y)
EVGPU_HALF_TWO(__hsub_rn, __hsub2_rn, "sub.rn", x - y)
EVGPU_HALF_TWO(__hmul_rn, __hmul2_rn, "mul.rn", x *y)
EVGPU_HALF_TWO(__hadd_sat, __hadd2_sat, "add.sat", evgpu_half_saturated(x + y))
EVGPU_HALF_TWO(__hsub_sat, __hsub2_sat, "sub.sat", evgpu_half_saturated(x - y))
EVGPU_HALF_TWO(__hmul_sat, __hmul2_sat, "mul.sat", evgpu_half_saturated(x *y))
#ifndef EVGPU_HALF_LIMIT
#define EVGPU_HALF_LIMIT EVGPU_HALF_TWO
#endif
#define EVGPU_HALF_MIN(x, y) (x < y || (x == y && a.__x >> 15) ? x : y)
#define EVGPU_HALF_MAX(x, y) (x > y || (x == y && !(a.__x >> 15)) ? x : y)
EVGPU_HALF_LIMIT(__hmin, __hmin2, "min", x != x ? y : y != y ? x : EVGPU_HALF_MIN(x, y))
EVGPU_HALF_LIMIT(__hmax, __hmax2, "max", x != x ? y : y != y ? x : EVGPU_HALF_MAX(x, y))
EVGPU_HALF_TWO(__hmin_nan, __hmin2_nan, "min.NaN",
               x != x || y != y ? evgpu_half_nan(x, y) : EVGPU_HALF_MIN(x, y))
EVGPU_HALF_TWO(__hmax_nan, __hmax2_nan, "max.NaN",
               x != x || y != y ? evgpu_half_nan(x, y) : EVGPU_HALF_MAX(x, y))
EVGPU_HALF_THREE(__hfma, __hfma2, "fma.rn", evgpu_odd_sum(x *y, z))
EVGPU_HALF_THREE(__hfma_sat, __hfma2_sat, "fma.rn.sat",
                 evgpu_half_saturated(evgpu_odd_sum(x *y, z)))
EVGPU_HALF_THREE(__hfma_relu, __hfma2_relu, "fma.rn.relu", evgpu_half_relu(evgpu_odd_sum(x *y, z)))
#undef EVGPU_HALF_LIMIT
#undef EVGPU_HALF_MIN
#undef EVGPU_HALF_MAX
#undef EVGPU_HALF_ONE
#undef EVGPU_HALF_TWO
#undef EVGPU_HALF_THREE
/* A quotient of floats has enough digits to be rounded a second time. */
EVGPU_H __half __hdiv(const __half a, const __half b)
{
    return __float2half(__half2float(a) / __half2float(b));
}
EVGPU_H __half2 __h2div(const __half2 a, const __half2 b)
{
    return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

/* --- comparisons: ordered, and with u true where an operand is NaN
 * ---------------------------------- */
#ifdef __CUDA_ARCH__
#define EVGPU_HALF_SETP(ptx, value)                                                                \
    int r;                                                                                         \
    __asm__("{.reg .pred %%p;\n\tsetp." ptx ".f16 %%p, %1, %2;\n\tselp.s32 %0, 1, 0, %%p;}"        \
            : "=r"(r)                                                                              \
            : "h"(a.__x), "h"(b.__x));                                                             \
    return r != 0;
#else
#define EVGPU_HALF_SETP(ptx, value)                                                                \
    const float x = evgpu_half_value(a.__x), y = evgpu_half_value(b.__x);                          \
    return value;
#endif
/* Programs define the masks themselves, which CUDA has from version 12 on; a function of theirs
 * goes before a template. */
#define EVGPU_HALF_COMPARE(op, ptx, value)                                                         \
    EVGPU_H bool __h##op(const __half a, const __half b){                                          \
        EVGPU_HALF_SETP(ptx, value)} EVGPU_H __half2 __h##op##2(const __half2 a, const __half2 b)  \
    {                                                                                              \
        return __half2(evgpu_half_of(__h##op(a.x, b.x) ? 0x3C00 : 0),                              \
                       evgpu_half_of(__h##op(a.y, b.y) ? 0x3C00 : 0));                             \
    }                                                                                              \
    EVGPU_H bool __hb##op##2(const __half2 a, const __half2 b)                                     \
    {                                                                                              \
        return __h##op(a.x, b.x) && __h##op(a.y, b.y);                                             \
    }                                                                                              \
    template <int = 0> EVGPU_H unsigned int __h##op##2_mask(const __half2 a, const __half2 b)      \
    {                                                                                              \
        return (__h##op(a.x, b.x) ? 0xFFFFu : 0u) | (__h##op(a.y, b.y) ? 0xFFFF0000u : 0u);        \
    }
EVGPU_HALF_COMPARE(eq, "eq", x == y)
EVGPU_HALF_COMPARE(ne, "ne", x<y || x> y)
EVGPU_HALF_COMPARE(lt, "lt", x < y)
EVGPU_HALF_COMPARE(le, "le", x <= y)
EVGPU_HALF_COMPARE(gt, "gt", x > y)
EVGPU_HALF_COMPARE(ge, "ge", x >= y)
EVGPU_HALF_COMPARE(equ, "equ", !(x < y || x > y))
EVGPU_HALF_COMPARE(neu, "neu", !(x == y))
EVGPU_HALF_COMPARE(ltu, "ltu", !(x >= y))
EVGPU_HALF_COMPARE(leu, "leu", !(x > y))
EVGPU_HALF_COMPARE(gtu, "gtu", !(x <= y))
EVGPU_HALF_COMPARE(geu, "geu", !(x < y))
#undef EVGPU_HALF_COMPARE
#undef EVGPU_HALF_SETP
EVGPU_H bool __hisnan(const __half a)
{
    return (a.__x & 0x7FFF) > 0x7C00;
}
EVGPU_H int __hisinf(const __half a)
{
    return a.__x == 0x7C00 ? 1 : a.__x == 0xFC00 ? -1 : 0;
}
EVGPU_H __half2 __hisnan2(const __half2 a)
{
    return __half2(evgpu_half_of(__hisnan(a.x) ? 0x3C00 : 0),
                   evgpu_half_of(__hisnan(a.y) ? 0x3C00 : 0));
}

/* --- operators
 * -------------------------------------------------------------------------------------- */
#define EVGPU_HALF_OPERATORS(T, add, sub, mul, div)                                                \
    EVGPU_H T operator+(const T &a, const T &b)                                                    \
    {                                                                                              \
        return add(a, b);                                                                          \
    }                                                                                              \
    EVGPU_H T operator-(const T &a, const T &b)                                                    \
    {                                                                                              \
        return sub(a, b);                                                                          \
    }                                                                                              \
    EVGPU_H T operator*(const T &a, const T &b)                                                    \
    {                                                                                              \
        return mul(a, b);                                                                          \
    }                                                                                              \
    EVGPU_H T operator/(const T &a, const T &b)                                                    \
    {                                                                                              \
        return div(a, b);                                                                          \
    }                                                                                              \
    EVGPU_H T &operator+=(T &a, const T &b)                                                        \
    {                                                                                              \
        return a = add(a, b);                                                                      \
    }                                                                                              \
    EVGPU_H T &operator-=(T &a, const T &b)                                                        \
    {                                                                                              \
        return a = sub(a, b);                                                                      \
    }                                                                                              \
    EVGPU_H T &operator*=(T &a, const T &b)                                                        \
    {                                                                                              \
        return a = mul(a, b);                                                                      \
    }                                                                                              \
    EVGPU_H T &operator/=(T &a, const T &b)                                                        \
    {                                                                                              \
        return a = div(a, b);                                                                      \
    }                                                                                              \
    EVGPU_H T operator+(const T &a)                                                                \
    {                                                                                              \
        return a;                                                                                  \
    }
EVGPU_HALF_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv)
EVGPU_HALF_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div)
#undef EVGPU_HALF_OPERATORS
EVGPU_H __half operator-(const __half &a)
{
    return __hneg(a);
}
EVGPU_H __half2 operator-(const __half2 &a)
{
    return __hneg2(a);
}
#define EVGPU_HALF_OPERATOR(sign, name)                                                            \
    EVGPU_H bool operator sign(const __half &a, const __half &b)                                   \
    {                                                                                              \
        return __h##name(a, b);                                                                    \
    }                                                                                              \
    EVGPU_H bool operator sign(const __half2 &a, const __half2 &b)                                 \
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
#define EVGPU_HALF_STEP(T, sign, step, one)                                                        \
    EVGPU_H T &operator sign(T &a)                                                                 \
    {                                                                                              \
        return a = step(a, one);                                                                   \
    }                                                                                              \
    EVGPU_H T operator sign(T &a, int)                                                             \
    {                                                                                              \
        const T old = a;                                                                           \
        a = step(a, one);                                                                          \
        return old;                                                                                \
    }
EVGPU_HALF_STEP(__half, ++, __hadd, evgpu_half_of(0x3C00))
EVGPU_HALF_STEP(__half, --, __hsub, evgpu_half_of(0x3C00))
EVGPU_HALF_STEP(__half2, ++, __hadd2, evgpu_half2_of(0x3C003C00))
EVGPU_HALF_STEP(__half2, --, __hsub2, evgpu_half2_of(0x3C003C00))
#undef EVGPU_HALF_STEP
EVGPU_MIXED_OPERATORS(__half)

#endif
