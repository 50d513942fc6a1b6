/* bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions, as in CUDA's cuda_bf16.h. Operations
 * go through float, whose 24 bits round to the same 8 as the exact result would; __hfma through
 * double, rounded to odd. On the host there are the conversions and operators, too. */
#ifndef EVGPU_SW_CUDA_BF16_H
#define EVGPU_SW_CUDA_BF16_H
#define __CUDA_BF16_H__

#ifdef __cplusplus

#ifndef __CUDA__
#if __has_include("vector_functions.h")
#include "vector_functions.h"
#endif
#ifndef __host__
#define __host__
#define __device__
#endif
#include <math.h>
#endif

#include "evgpu/mixed_operators.h"
#include "evgpu/rounding.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
    unsigned short x, y;
};

#define EVGPU_BF static __inline__ __host__ __device__ __attribute__((unused, always_inline))

/* --- bits ---------------------------------------------------------------------------------------
 */
EVGPU_BF unsigned int evgpu_bf_word(float f)
{
    unsigned int x;
    __builtin_memcpy(&x, &f, sizeof x);
    return x;
}
EVGPU_BF float evgpu_bf_value(unsigned short bits)
{
    unsigned int x = (unsigned int)bits << 16;
    float f;
    __builtin_memcpy(&f, &x, sizeof f);
    return f;
}
EVGPU_BF bool evgpu_bf_word_nan(unsigned int x)
{
    return (x & 0x7FFFFFFFu) > 0x7F800000u;
}
/* To nearest, ties to even; any NaN becomes the canonical one. */
EVGPU_BF unsigned short evgpu_bf_nearest(float f)
{
    unsigned int x = evgpu_bf_word(f);
    return evgpu_bf_word_nan(x) ? 0x7FFF : (unsigned short)((x + 0x7FFFu + (x >> 16 & 1u)) >> 16);
}
/* Towards zero, or away from it where `up` of the sign's direction is asked for. */
EVGPU_BF unsigned short evgpu_bf_cut(float f, bool away)
{
    unsigned int x = evgpu_bf_word(f);
    if (evgpu_bf_word_nan(x))
        return 0x7FFF;
    return (unsigned short)((x >> 16) + (away && (x & 0xFFFFu) != 0));
}
/* A float whose last bit says that something was cut off, so that rounding it again is right. */
EVGPU_BF float evgpu_bf_odd(double d)
{
    float f = (float)d;
    unsigned int x = evgpu_bf_word(f);
    if ((double)f == d || d != d || (x & 0x7FFFFFFFu) == 0x7F800000u)
        return f;
    if ((f < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d))
        x--;
    x |= 1u;
    __builtin_memcpy(&f, &x, sizeof f);
    return f;
}

struct __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x)
    {
    }
    __host__ __device__ __nv_bfloat16(float f) : __x(evgpu_bf_nearest(f))
    {
    }
    __host__ __device__ __nv_bfloat16(double d) : __x(evgpu_bf_nearest(evgpu_bf_odd(d)))
    {
    }
#define EVGPU_BF_INTEGER(T)                                                                        \
    __host__ __device__ __nv_bfloat16(T i) : __x(evgpu_bf_nearest(evgpu_bf_odd((double)i)))        \
    {                                                                                              \
    }                                                                                              \
    __host__ __device__ explicit operator T() const                                                \
    {                                                                                              \
        return evgpu_cut<T>(evgpu_bf_value(__x));                                                  \
    }
    EVGPU_BF_INTEGER(short)
    EVGPU_BF_INTEGER(unsigned short)
    EVGPU_BF_INTEGER(int)
    EVGPU_BF_INTEGER(unsigned int)
    EVGPU_BF_INTEGER(long long)
    EVGPU_BF_INTEGER(unsigned long long)
#undef EVGPU_BF_INTEGER
    __host__ __device__ operator __nv_bfloat16_raw() const
    {
        __nv_bfloat16_raw raw = {__x};
        return raw;
    }
    __host__ __device__ operator float() const
    {
        return evgpu_bf_value(__x);
    }
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7FFF) != 0;
    }
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b)
    {
    }
    __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __host__ __device__ operator __nv_bfloat162_raw() const
    {
        __nv_bfloat162_raw raw = {x.__x, y.__x};
        return raw;
    }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

EVGPU_BF __nv_bfloat16 evgpu_bf_of(unsigned short bits)
{
    __nv_bfloat16 b;
    b.__x = bits;
    return b;
}

/* --- conversions --------------------------------------------------------------------------------
 */
#define EVGPU_BF_TO(name, T, expression)                                                           \
    EVGPU_BF T name(const __nv_bfloat16 a)                                                         \
    {                                                                                              \
        return expression;                                                                         \
    }
#define EVGPU_BF_FROM(name, T, expression)                                                         \
    EVGPU_BF __nv_bfloat16 name(const T a)                                                         \
    {                                                                                              \
        return expression;                                                                         \
    }
EVGPU_BF_TO(__bfloat162float, float, evgpu_bf_value(a.__x))
EVGPU_BF_TO(__bfloat16_as_ushort, unsigned short, a.__x)
EVGPU_BF_TO(__bfloat16_as_short, short, (short)a.__x)
#define EVGPU_BF_WHOLE(name, T)                                                                    \
    EVGPU_BF_TO(__bfloat162##name##_rz, T, (T)a)                                                   \
    EVGPU_BF_TO(__bfloat162##name##_rn, T, evgpu_cut<T>(__builtin_rintf(evgpu_bf_value(a.__x))))   \
    EVGPU_BF_TO(__bfloat162##name##_rd, T, evgpu_cut<T>(__builtin_floorf(evgpu_bf_value(a.__x))))  \
    EVGPU_BF_TO(__bfloat162##name##_ru, T, evgpu_cut<T>(__builtin_ceilf(evgpu_bf_value(a.__x))))
EVGPU_BF_WHOLE(int, int)
EVGPU_BF_WHOLE(uint, unsigned int)
EVGPU_BF_WHOLE(ll, long long)
EVGPU_BF_WHOLE(ull, unsigned long long)
#undef EVGPU_BF_WHOLE
EVGPU_BF_FROM(__float2bfloat16, float, evgpu_bf_of(evgpu_bf_nearest(a)))
EVGPU_BF_FROM(__float2bfloat16_rn, float, evgpu_bf_of(evgpu_bf_nearest(a)))
EVGPU_BF_FROM(__float2bfloat16_rz, float, evgpu_bf_of(evgpu_bf_cut(a, false)))
EVGPU_BF_FROM(__float2bfloat16_rd, float, evgpu_bf_of(evgpu_bf_cut(a, a < 0)))
EVGPU_BF_FROM(__float2bfloat16_ru, float, evgpu_bf_of(evgpu_bf_cut(a, a > 0)))
EVGPU_BF_FROM(__double2bfloat16, double, __nv_bfloat16(a))
EVGPU_BF_FROM(__int2bfloat16_rn, int, __nv_bfloat16(a))
EVGPU_BF_FROM(__uint2bfloat16_rn, unsigned int, __nv_bfloat16(a))
EVGPU_BF_FROM(__ll2bfloat16_rn, long long, __nv_bfloat16(a))
EVGPU_BF_FROM(__ull2bfloat16_rn, unsigned long long, __nv_bfloat16(a))
EVGPU_BF_FROM(__ushort_as_bfloat16, unsigned short, evgpu_bf_of(a))
EVGPU_BF_FROM(__short_as_bfloat16, short, evgpu_bf_of((unsigned short)a))
#undef EVGPU_BF_TO
#undef EVGPU_BF_FROM

EVGPU_BF __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
EVGPU_BF __nv_bfloat162 make_bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
EVGPU_BF __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
EVGPU_BF __nv_bfloat162 __float2bfloat162_rn(const float a)
{
    return __nv_bfloat162(a, a);
}
EVGPU_BF __nv_bfloat162 __floats2bfloat162_rn(const float a, const float b)
{
    return __nv_bfloat162(a, b);
}
EVGPU_BF float __low2float(const __nv_bfloat162 a)
{
    return a.x;
}
EVGPU_BF float __high2float(const __nv_bfloat162 a)
{
    return a.y;
}
EVGPU_BF __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a)
{
    return a.x;
}
EVGPU_BF __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a)
{
    return a.y;
}
EVGPU_BF __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 a)
{
    return __nv_bfloat162(a.y, a.x);
}
#ifdef __CUDA__
EVGPU_BF float2 __bfloat1622float2(const __nv_bfloat162 a)
{
    return make_float2(a.x, a.y);
}
EVGPU_BF __nv_bfloat162 __float22bfloat162_rn(const float2 a)
{
    return __nv_bfloat162(a.x, a.y);
}
#endif

/* --- arithmetic ---------------------------------------------------------------------------------
 */
#define EVGPU_BF_TWO(name, name2, expression)                                                      \
    EVGPU_BF __nv_bfloat16 name(const __nv_bfloat16 p, const __nv_bfloat16 q)                      \
    {                                                                                              \
        const float a = p, b = q;                                                                  \
        return __nv_bfloat16((float)(expression));                                                 \
    }                                                                                              \
    EVGPU_BF __nv_bfloat162 name2(const __nv_bfloat162 p, const __nv_bfloat162 q)                  \
    {                                                                                              \
        return __nv_bfloat162(name(p.x, q.x), name(p.y, q.y));                                     \
    }
#define EVGPU_BF_OPERATOR(sign, name, name2)                                                       \
    EVGPU_BF __nv_bfloat16 operator sign(const __nv_bfloat16 &a, const __nv_bfloat16 &b)           \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    EVGPU_BF __nv_bfloat16 &operator sign##=(__nv_bfloat16 &a, const __nv_bfloat16 &b)             \
    {                                                                                              \
        return a = name(a, b);                                                                     \
    }                                                                                              \
    EVGPU_BF __nv_bfloat162 operator sign(const __nv_bfloat162 &a, const __nv_bfloat162 &b)        \
    {                                                                                              \
        return name2(a, b);                                                                        \
    }                                                                                              \
    EVGPU_BF __nv_bfloat162 &operator sign##=(__nv_bfloat162 &a, const __nv_bfloat162 &b)          \
    {                                                                                              \
        return a = name2(a, b);                                                                    \
    }
EVGPU_BF_TWO(__hadd, __hadd2, a + b)
EVGPU_BF_TWO(__hsub, __hsub2, a - b)
EVGPU_BF_TWO(__hmul, __hmul2, a *b)
EVGPU_BF_TWO(__hdiv, __h2div, a / b)
EVGPU_BF_TWO(__hmin, __hmin2, a != a ? b : b != b || a < b || (a == b && p.__x >> 15) ? a : b)
EVGPU_BF_TWO(__hmax, __hmax2, a != a ? b : b != b || a > b || (a == b && !(p.__x >> 15)) ? a : b)
EVGPU_BF_OPERATOR(+, __hadd, __hadd2)
EVGPU_BF_OPERATOR(-, __hsub, __hsub2)
EVGPU_BF_OPERATOR(*, __hmul, __hmul2)
EVGPU_BF_OPERATOR(/, __hdiv, __h2div)
#undef EVGPU_BF_TWO
#undef EVGPU_BF_OPERATOR

EVGPU_BF __nv_bfloat16 __hneg(const __nv_bfloat16 a)
{
    return evgpu_bf_of((unsigned short)(a.__x ^ 0x8000u));
}
EVGPU_BF __nv_bfloat16 __habs(const __nv_bfloat16 a)
{
    return evgpu_bf_of((unsigned short)(a.__x & 0x7FFFu));
}
EVGPU_BF __nv_bfloat162 __hneg2(const __nv_bfloat162 a)
{
    return __nv_bfloat162(__hneg(a.x), __hneg(a.y));
}
EVGPU_BF __nv_bfloat162 __habs2(const __nv_bfloat162 a)
{
    return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
EVGPU_BF __nv_bfloat16 operator-(const __nv_bfloat16 &a)
{
    return __hneg(a);
}
EVGPU_BF __nv_bfloat162 operator-(const __nv_bfloat162 &a)
{
    return __hneg2(a);
}
#define EVGPU_BF_STEPS(T, add, sub, one)                                                           \
    EVGPU_BF T operator+(const T &a)                                                               \
    {                                                                                              \
        return a;                                                                                  \
    }                                                                                              \
    EVGPU_BF T &operator++(T &a)                                                                   \
    {                                                                                              \
        return a = add(a, one);                                                                    \
    }                                                                                              \
    EVGPU_BF T &operator--(T &a)                                                                   \
    {                                                                                              \
        return a = sub(a, one);                                                                    \
    }                                                                                              \
    EVGPU_BF T operator++(T &a, int)                                                               \
    {                                                                                              \
        const T old = a;                                                                           \
        ++a;                                                                                       \
        return old;                                                                                \
    }                                                                                              \
    EVGPU_BF T operator--(T &a, int)                                                               \
    {                                                                                              \
        const T old = a;                                                                           \
        --a;                                                                                       \
        return old;                                                                                \
    }
EVGPU_BF_STEPS(__nv_bfloat16, __hadd, __hsub, evgpu_bf_of(0x3F80))
EVGPU_BF_STEPS(__nv_bfloat162, __hadd2, __hsub2, __bfloat162bfloat162(evgpu_bf_of(0x3F80)))
#undef EVGPU_BF_STEPS

EVGPU_BF __nv_bfloat16 __hfma(const __nv_bfloat16 p, const __nv_bfloat16 q, const __nv_bfloat16 r)
{
    return __nv_bfloat16(evgpu_odd_sum((double)(float)p * (double)(float)q, (double)(float)r));
}
EVGPU_BF __nv_bfloat162 __hfma2(const __nv_bfloat162 a, const __nv_bfloat162 b,
                                const __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

/* --- comparisons --------------------------------------------------------------------------------
 */
#define EVGPU_BF_COMPARE(name, sign)                                                               \
    EVGPU_BF bool __h##name(const __nv_bfloat16 a, const __nv_bfloat16 b)                          \
    {                                                                                              \
        return (float)a sign(float) b;                                                             \
    }                                                                                              \
    EVGPU_BF __nv_bfloat162 __h##name##2(const __nv_bfloat162 a, const __nv_bfloat162 b)           \
    {                                                                                              \
        return __nv_bfloat162(__h##name(a.x, b.x) ? 1.0f : 0.0f,                                   \
                              __h##name(a.y, b.y) ? 1.0f : 0.0f);                                  \
    }                                                                                              \
    EVGPU_BF bool __hb##name##2(const __nv_bfloat162 a, const __nv_bfloat162 b)                    \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    EVGPU_BF bool operator sign(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                    \
    {                                                                                              \
        return __h##name(a, b);                                                                    \
    }                                                                                              \
    EVGPU_BF bool operator sign(const __nv_bfloat162 &a, const __nv_bfloat162 &b)                  \
    {                                                                                              \
        return __hb##name##2(a, b);                                                                \
    }
EVGPU_BF_COMPARE(eq, ==)
EVGPU_BF_COMPARE(ne, !=)
EVGPU_BF_COMPARE(lt, <)
EVGPU_BF_COMPARE(le, <=)
EVGPU_BF_COMPARE(gt, >)
EVGPU_BF_COMPARE(ge, >=)
#undef EVGPU_BF_COMPARE
EVGPU_MIXED_OPERATORS(__nv_bfloat16)
EVGPU_BF bool __hisnan(const __nv_bfloat16 a)
{
    return (a.__x & 0x7FFF) > 0x7F80;
}
EVGPU_BF int __hisinf(const __nv_bfloat16 a)
{
    return (a.__x & 0x7FFF) != 0x7F80 ? 0 : a.__x >> 15 ? -1 : 1;
}

/* --- elementary functions -----------------------------------------------------------------------
 */
#define EVGPU_BF_ONE(name, expression)                                                             \
    EVGPU_BF __nv_bfloat16 h##name(const __nv_bfloat16 p)                                          \
    {                                                                                              \
        const float a = p;                                                                         \
        return __nv_bfloat16((float)(expression));                                                 \
    }                                                                                              \
    EVGPU_BF __nv_bfloat162 h2##name(const __nv_bfloat162 p)                                       \
    {                                                                                              \
        return __nv_bfloat162(h##name(p.x), h##name(p.y));                                         \
    }
EVGPU_BF_ONE(sqrt, sqrtf(a))
EVGPU_BF_ONE(rsqrt, 1.0f / sqrtf(a))
EVGPU_BF_ONE(rcp, 1.0f / a)
EVGPU_BF_ONE(exp, expf(a))
EVGPU_BF_ONE(exp2, exp2f(a))
EVGPU_BF_ONE(log, logf(a))
EVGPU_BF_ONE(log2, log2f(a))
EVGPU_BF_ONE(log10, log10f(a))
EVGPU_BF_ONE(sin, sinf(a))
EVGPU_BF_ONE(cos, cosf(a))
EVGPU_BF_ONE(floor, floorf(a))
EVGPU_BF_ONE(ceil, ceilf(a))
EVGPU_BF_ONE(trunc, truncf(a))
EVGPU_BF_ONE(rint, rintf(a))
#undef EVGPU_BF_ONE

/* --- memory and lanes ---------------------------------------------------------------------------
 */
#ifdef __CUDA__
#include "evgpu/half_memory.h"
/* As in CUDA 11.5, whose version this toolkit gives: programs for older architectures bring loads
 * and stores of their own. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
EVGPU_16_MEMORY(__nv_bfloat16, unsigned short)
EVGPU_16_MEMORY(__nv_bfloat162, unsigned int)
#endif
EVGPU_16_SHUFFLES(__nv_bfloat16, unsigned short)
EVGPU_16_SHUFFLES(__nv_bfloat162, unsigned int)
#endif

/* --- atomics. Each returns the old value. A word is exchanged until nobody else has changed it.
 */
#ifdef __CUDA__
/* `other` of the word's bits stay. */
static __inline__ __device__ unsigned int
evgpu_bf_atomic_add(unsigned int *word, const __nv_bfloat162 value, const unsigned int other)
{
    unsigned int seen = *(volatile unsigned int *)word, old, made;
    do {
        __nv_bfloat162 pair;
        old = seen;
        __builtin_memcpy(&pair, &old, sizeof pair);
        pair = __hadd2(pair, value);
        __builtin_memcpy(&made, &pair, sizeof made);
        seen = atomicCAS(word, old, (made & ~other) | (old & other));
    } while (seen != old);
    return old;
}
static __inline__ __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *address,
                                                      const __nv_bfloat162 value)
{
    unsigned int old = evgpu_bf_atomic_add((unsigned int *)address, value, 0);
    __nv_bfloat162 pair;
    __builtin_memcpy(&pair, &old, sizeof pair);
    return pair;
}
static __inline__ __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *address,
                                                     const __nv_bfloat16 value)
{
    const bool high = (unsigned long long)address & 2;
    unsigned int *word = (unsigned int *)((char *)address - (high ? 2 : 0));
    unsigned int old =
        evgpu_bf_atomic_add(word, __bfloat162bfloat162(value), high ? 0xFFFFu : 0xFFFF0000u);
    return evgpu_bf_of((unsigned short)(high ? old >> 16 : old));
}
#endif

#undef EVGPU_BF
#endif
#endif
