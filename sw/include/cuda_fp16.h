/* Half precision: __half, __half2 and their functions, as in CUDA's cuda_fp16.h. In device code an
 * operation is one f16 or f16x2 instruction; elementary functions go through float. On the host
 * there are the conversions, arithmetic, comparisons and operators, with the same results. */
#ifndef EVGPU_SW_CUDA_FP16_H
#define EVGPU_SW_CUDA_FP16_H
#define __CUDA_FP16_H__

#ifndef __CUDA__
#ifdef __cplusplus
/* Host code finds them behind NVIDIA's, too, and behind cublas_v2.h with it. */
#include <cstring>
#include <utility>
#endif
#if __has_include("vector_functions.h")
#include "vector_functions.h"
#endif
#ifndef __host__
#define __host__
#define __device__
#endif
#endif

#ifdef __cplusplus

#include "evgpu/rounding.h"

struct __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

#define EVGPU_H  static __inline__ __host__ __device__ __attribute__((unused, always_inline))
#define EVGPU_HD static __inline__ __device__ __attribute__((unused, always_inline))

/* --- bits of a half from a float and back, for the host
 * ------------------------------------------- */
EVGPU_H unsigned short evgpu_half_bits(float f)
{
    unsigned int x, sign, shift, rest, half;
    __builtin_memcpy(&x, &f, sizeof x);
    sign = x >> 16 & 0x8000u;
    x &= 0x7FFFFFFFu;
    if (x > 0x7F800000u)
        return 0x7FFF;
    if (x >= 0x477FF000u) /* rounds to infinity */
        return (unsigned short)(sign | 0x7C00u);
    if (x < 0x33000001u) /* at most half of the smallest */
        return (unsigned short)sign;
    if (x < 0x38800000u) { /* subnormal */
        shift = 126 - (x >> 23);
        half = (x & 0x7FFFFFu) | 0x800000u;
    } else {
        shift = 13;
        half = x - 0x38000000u;
    }
    rest = half & ((1u << shift) - 1);
    half >>= shift;
    half += rest > 1u << (shift - 1) || (rest == 1u << (shift - 1) && (half & 1));
    return (unsigned short)(sign | half);
}
EVGPU_H float evgpu_half_value(unsigned short h)
{
    unsigned int sign = (h & 0x8000u) << 16, e = h >> 10 & 31, m = h & 0x3FFu, x;
    float f;
    if (e == 0) {
        f = (float)m * 5.9604644775390625e-8f;
        return sign ? -f : f;
    }
    x = sign | (e == 31 ? 0x7F800000u : (e + 112) << 23) | m << 13;
    __builtin_memcpy(&f, &x, sizeof f);
    return f;
}

struct __half;
EVGPU_H float __half2float(struct __half a);
EVGPU_H struct __half __float2half(float a);

struct __half {
    unsigned short __x;

    __half() = default;
    __host__ __device__ __half(const __half_raw &raw) : __x(raw.x)
    {
    }
    __host__ __device__ __half(float a);
    __host__ __device__ __half(double a);
    __host__ __device__ __half(int a);
    __host__ __device__ __half(unsigned int a);
    __host__ __device__ __half(short a);
    __host__ __device__ __half(unsigned short a);
    __host__ __device__ __half(long long a);
    __host__ __device__ __half(unsigned long long a);
    __host__ __device__ operator __half_raw() const
    {
        __half_raw raw = {__x};
        return raw;
    }
    __host__ __device__ operator float() const;
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7FFF) != 0;
    }
    __host__ __device__ explicit operator short() const;
    __host__ __device__ explicit operator unsigned short() const;
    __host__ __device__ explicit operator int() const;
    __host__ __device__ explicit operator unsigned int() const;
    __host__ __device__ explicit operator long long() const;
    __host__ __device__ explicit operator unsigned long long() const;
    __host__ __device__ __half &operator=(const __half_raw &raw)
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ __half &operator=(float a);
    __host__ __device__ __half &operator=(double a);
    __host__ __device__ __half &operator=(int a);
    __host__ __device__ __half &operator=(unsigned int a);
    __host__ __device__ __half &operator=(short a);
    __host__ __device__ __half &operator=(unsigned short a);
    __host__ __device__ __half &operator=(long long a);
    __host__ __device__ __half &operator=(unsigned long long a);
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ __half2(const __half &a, const __half &b) : x(a), y(b)
    {
    }
    __host__ __device__ __half2(const __half2_raw &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __host__ __device__ operator __half2_raw() const
    {
        __half2_raw raw = {x.__x, y.__x};
        return raw;
    }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

/* --- conversions -------------------------------------------------------------------------------
 */
EVGPU_H __half evgpu_half_of(unsigned short bits)
{
    __half h;
    h.__x = bits;
    return h;
}
#ifdef __CUDA_ARCH__
#define EVGPU_HALF_FROM(value, mode, type, letter)                                                 \
    unsigned short bits;                                                                           \
    __asm__("cvt." mode ".f16." type " %0, %1;" : "=h"(bits) : letter(value));                     \
    return evgpu_half_of(bits);
#define EVGPU_HALF_TO(T, value, mode, type, letter)                                                \
    T result;                                                                                      \
    __asm__("cvt" mode "." type ".f16 %0, %1;" : "=" letter(result) : "h"((value).__x));           \
    return result;
#endif
EVGPU_H float __half2float(const __half a)
{
#ifdef __CUDA_ARCH__
    EVGPU_HALF_TO(float, a, "", "f32", "f")
#else
    return evgpu_half_value(a.__x);
#endif
}
EVGPU_H __half __float2half(const float a)
{
#ifdef __CUDA_ARCH__
    EVGPU_HALF_FROM(a, "rn", "f32", "f")
#else
    return evgpu_half_of(evgpu_half_bits(a));
#endif
}
EVGPU_H __half __float2half_rn(const float a)
{
    return __float2half(a);
}
EVGPU_H __half __double2half(const double a)
{
#ifdef __CUDA_ARCH__
    EVGPU_HALF_FROM(a, "rn", "f64", "d")
#else
    /* Through a float whose last bit says that something was cut off, so that rounding stays right.
     */
    float f = (float)a;
    unsigned int x;
    __builtin_memcpy(&x, &f, sizeof x);
    if ((double)f != a && a == a) {
        if ((f < 0 ? -(double)f : (double)f) > (a < 0 ? -a : a))
            x--;
        x |= 1;
        __builtin_memcpy(&f, &x, sizeof f);
    }
    return __float2half(f);
#endif
}

#ifdef __CUDA__
#define EVGPU_HALF_ROUNDED(suffix, mode)                                                           \
    EVGPU_HD __half __float2half_##suffix(const float a)                                           \
    {                                                                                              \
        unsigned short bits;                                                                       \
        __asm__("cvt." mode ".f16.f32 %0, %1;" : "=h"(bits) : "f"(a));                             \
        return evgpu_half_of(bits);                                                                \
    }
EVGPU_HALF_ROUNDED(rz, "rz")
EVGPU_HALF_ROUNDED(rd, "rm")
EVGPU_HALF_ROUNDED(ru, "rp")
#undef EVGPU_HALF_ROUNDED
#define EVGPU_HALF_INTEGER(T, name, type, letter)                                                  \
    EVGPU_HD T __half2##name##_rn(const __half a)                                                  \
    {                                                                                              \
        T result;                                                                                  \
        __asm__("cvt.rni." type ".f16 %0, %1;" : "=" letter(result) : "h"(a.__x));                 \
        return result;                                                                             \
    }                                                                                              \
    EVGPU_HD T __half2##name##_rd(const __half a)                                                  \
    {                                                                                              \
        T result;                                                                                  \
        __asm__("cvt.rmi." type ".f16 %0, %1;" : "=" letter(result) : "h"(a.__x));                 \
        return result;                                                                             \
    }                                                                                              \
    EVGPU_HD T __half2##name##_ru(const __half a)                                                  \
    {                                                                                              \
        T result;                                                                                  \
        __asm__("cvt.rpi." type ".f16 %0, %1;" : "=" letter(result) : "h"(a.__x));                 \
        return result;                                                                             \
    }                                                                                              \
    EVGPU_HD __half __##name##2half_rz(const T a)                                                  \
    {                                                                                              \
        unsigned short bits;                                                                       \
        __asm__("cvt.rz.f16." type " %0, %1;" : "=h"(bits) : letter(a));                           \
        return evgpu_half_of(bits);                                                                \
    }                                                                                              \
    EVGPU_HD __half __##name##2half_rd(const T a)                                                  \
    {                                                                                              \
        unsigned short bits;                                                                       \
        __asm__("cvt.rm.f16." type " %0, %1;" : "=h"(bits) : letter(a));                           \
        return evgpu_half_of(bits);                                                                \
    }                                                                                              \
    EVGPU_HD __half __##name##2half_ru(const T a)                                                  \
    {                                                                                              \
        unsigned short bits;                                                                       \
        __asm__("cvt.rp.f16." type " %0, %1;" : "=h"(bits) : letter(a));                           \
        return evgpu_half_of(bits);                                                                \
    }
EVGPU_HALF_INTEGER(int, int, "s32", "r")
EVGPU_HALF_INTEGER(unsigned int, uint, "u32", "r")
EVGPU_HALF_INTEGER(short, short, "s16", "h")
EVGPU_HALF_INTEGER(unsigned short, ushort, "u16", "h")
EVGPU_HALF_INTEGER(long long, ll, "s64", "l")
EVGPU_HALF_INTEGER(unsigned long long, ull, "u64", "l")
#undef EVGPU_HALF_INTEGER
#endif
#ifdef __CUDA_ARCH__
#define EVGPU_HALF_WHOLE(T, name, type, letter)                                                    \
    EVGPU_H T __half2##name##_rz(const __half a){                                                  \
        EVGPU_HALF_TO(T, a, ".rzi", type, letter)} EVGPU_H __half __##name##2half_rn(const T a)    \
    {                                                                                              \
        EVGPU_HALF_FROM(a, "rn", type, letter)                                                     \
    }
#else
#define EVGPU_HALF_WHOLE(T, name, type, letter)                                                    \
    EVGPU_H T __half2##name##_rz(const __half a)                                                   \
    {                                                                                              \
        return evgpu_cut<T>(evgpu_half_value(a.__x));                                              \
    }                                                                                              \
    EVGPU_H __half __##name##2half_rn(const T a)                                                   \
    {                                                                                              \
        return __double2half((double)a);                                                           \
    }
#endif
EVGPU_HALF_WHOLE(int, int, "s32", "r")
EVGPU_HALF_WHOLE(unsigned int, uint, "u32", "r")
EVGPU_HALF_WHOLE(short, short, "s16", "h")
EVGPU_HALF_WHOLE(unsigned short, ushort, "u16", "h")
EVGPU_HALF_WHOLE(long long, ll, "s64", "l")
EVGPU_HALF_WHOLE(unsigned long long, ull, "u64", "l")
#undef EVGPU_HALF_WHOLE
#undef EVGPU_HALF_TO
#undef EVGPU_HALF_FROM

#define EVGPU_HALF_MEMBER(T, from, name)                                                           \
    __inline__ __host__ __device__ __half::__half(T a)                                             \
    {                                                                                              \
        __x = from(a).__x;                                                                         \
    }                                                                                              \
    name
EVGPU_HALF_MEMBER(float, __float2half, )
EVGPU_HALF_MEMBER(double, __double2half, )
#define EVGPU_HALF_CAST(T, name)                                                                   \
    EVGPU_HALF_MEMBER(T, __##name##2half_rn, )                                                     \
    __inline__ __host__ __device__ __half::operator T() const                                      \
    {                                                                                              \
        return __half2##name##_rz(*this);                                                          \
    }                                                                                              \
    __inline__ __host__ __device__ __half &__half::operator=(T a)                                  \
    {                                                                                              \
        __x = __##name##2half_rn(a).__x;                                                           \
        return *this;                                                                              \
    }
EVGPU_HALF_CAST(int, int)
EVGPU_HALF_CAST(unsigned int, uint)
EVGPU_HALF_CAST(short, short)
EVGPU_HALF_CAST(unsigned short, ushort)
EVGPU_HALF_CAST(long long, ll)
EVGPU_HALF_CAST(unsigned long long, ull)
#undef EVGPU_HALF_CAST
#undef EVGPU_HALF_MEMBER
__inline__ __host__ __device__ __half::operator float() const
{
    return __half2float(*this);
}
__inline__ __host__ __device__ __half &__half::operator=(float a)
{
    __x = __float2half(a).__x;
    return *this;
}
__inline__ __host__ __device__ __half &__half::operator=(double a)
{
    __x = __double2half(a).__x;
    return *this;
}

EVGPU_H __half2 __halves2half2(const __half a, const __half b)
{
    return __half2(a, b);
}
EVGPU_H __half2 make_half2(const __half a, const __half b)
{
    return __half2(a, b);
}
EVGPU_H __half2 __half2half2(const __half a)
{
    return __half2(a, a);
}
EVGPU_H __half2 __float2half2_rn(const float a)
{
    return __half2half2(__float2half(a));
}
EVGPU_H __half2 __floats2half2_rn(const float a, const float b)
{
    return __half2(__float2half(a), __float2half(b));
}
EVGPU_H float __low2float(const __half2 a)
{
    return __half2float(a.x);
}
EVGPU_H float __high2float(const __half2 a)
{
    return __half2float(a.y);
}
EVGPU_H __half __low2half(const __half2 a)
{
    return a.x;
}
EVGPU_H __half __high2half(const __half2 a)
{
    return a.y;
}
EVGPU_H __half2 __low2half2(const __half2 a)
{
    return __half2(a.x, a.x);
}
EVGPU_H __half2 __high2half2(const __half2 a)
{
    return __half2(a.y, a.y);
}
EVGPU_H __half2 __lowhigh2highlow(const __half2 a)
{
    return __half2(a.y, a.x);
}
EVGPU_H __half2 __lows2half2(const __half2 a, const __half2 b)
{
    return __half2(a.x, b.x);
}
EVGPU_H __half2 __highs2half2(const __half2 a, const __half2 b)
{
    return __half2(a.y, b.y);
}
EVGPU_H short __half_as_short(const __half a)
{
    return (short)a.__x;
}
EVGPU_H unsigned short __half_as_ushort(const __half a)
{
    return a.__x;
}
EVGPU_H __half __short_as_half(const short a)
{
    return evgpu_half_of((unsigned short)a);
}
EVGPU_H __half __ushort_as_half(const unsigned short a)
{
    return evgpu_half_of(a);
}

#include "evgpu/half_arithmetic.h"

#ifdef __CUDA__
EVGPU_H float2 __half22float2(const __half2 a)
{
    return make_float2(__half2float(a.x), __half2float(a.y));
}
EVGPU_H __half2 __float22half2_rn(const float2 a)
{
    return __floats2half2_rn(a.x, a.y);
}

#include "evgpu/half_math.h"
#endif

#undef EVGPU_H
#undef EVGPU_HD
#endif
#endif
