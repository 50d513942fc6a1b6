/* Half precision: __half, __half2 and their functions, as in CUDA's cuda_fp16.h. In device code an
 * operation is one f16 or f16x2 instruction; elementary functions go through float. On the host
 * there are the conversions. */
#ifndef EVGPU_SW_CUDA_FP16_H
#define EVGPU_SW_CUDA_FP16_H
#define __CUDA_FP16_H__

#ifndef __CUDA__
#ifndef __host__
#define __host__
#define __device__
#endif
#endif

#ifdef __cplusplus

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
        float f = evgpu_half_value(a.__x);                                                         \
        return f != f ? (T)0 : (T)f;                                                               \
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

#ifdef __CUDA__
EVGPU_HD float2 __half22float2(const __half2 a)
{
    return make_float2(__half2float(a.x), __half2float(a.y));
}
EVGPU_HD __half2 __float22half2_rn(const float2 a)
{
    return __floats2half2_rn(a.x, a.y);
}

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

#undef EVGPU_H
#undef EVGPU_HD
#endif
#endif
