/* Floating point in eight bits: __nv_fp8_e4m3, __nv_fp8_e5m2, pairs and fours of them, and the
 * conversions, as in CUDA's cuda_fp8.h, in device code and on the host. E4M3 has no infinity: where
 * E5M2 gives one, it gives NaN. A value rounds once, to nearest, ties to even, from any type. */
#ifndef EVGPU_SW_CUDA_FP8_H
#define EVGPU_SW_CUDA_FP8_H
#define __CUDA_FP8_H__

#ifdef __cplusplus

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "vector_types.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t; /* the first value in the low byte */
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t {
    __NV_NOSAT,     /* beyond the largest number: infinity, or NaN (E4M3) */
    __NV_SATFINITE, /* the largest number */
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3, /* up to 448 */
    __NV_E5M2, /* up to 57344 */
} __nv_fp8_interpretation_t;

#define EVGPU_F8 static __inline__ __host__ __device__ __attribute__((unused, always_inline))

EVGPU_F8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t type)
{
    const bool e4 = type == __NV_E4M3;
    const unsigned int fraction = e4 ? 3 : 2, normal = e4 ? 121 : 113, most = e4 ? 0x7E : 0x7B;
    const unsigned int word = evgpu_bf_word(x), size = word & 0x7FFFFFFFu, exponent = size >> 23;
    unsigned int shift = 23 - fraction, bits, rest;
    if (evgpu_bf_word_nan(word))
        return e4 ? 0x7F : 0x7E;
    if (exponent < normal) { /* subnormal; from the 25th bit on nothing is left */
        shift += normal - exponent;
        shift = shift < 25 ? shift : 25;
        bits = exponent ? (size & 0x7FFFFFu) | 0x800000u : 0;
    } else
        bits = size - ((normal - 1) << 23);
    rest = bits & ((1u << shift) - 1);
    bits >>= shift;
    bits += rest > 1u << (shift - 1) || (rest == 1u << (shift - 1) && (bits & 1));
    if (bits > most)
        bits = saturate == __NV_SATFINITE ? most : e4 ? 0x7F : 0x7C;
    return (__nv_fp8_storage_t)(word >> 24 & 0x80u | bits);
}
EVGPU_F8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                   const __nv_fp8_interpretation_t type)
{
    return __nv_cvt_float_to_fp8(evgpu_bf_odd(x), saturate, type);
}
EVGPU_F8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x,
                                                    const __nv_saturation_t saturate,
                                                    const __nv_fp8_interpretation_t type)
{
    return __nv_cvt_float_to_fp8(__half2float(x), saturate, type);
}
EVGPU_F8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                        const __nv_saturation_t saturate,
                                                        const __nv_fp8_interpretation_t type)
{
    return __nv_cvt_float_to_fp8(evgpu_bf_value(x.x), saturate, type);
}
/* Every E4M3 and E5M2 value is a half; a NaN becomes the canonical one. */
EVGPU_F8 __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                            const __nv_fp8_interpretation_t type)
{
    const unsigned int sign = (x & 0x80u) << 8, size = x & 0x7Fu;
    unsigned int bits;
    __half_raw half;
    if (type == __NV_E5M2)
        bits = size > 0x7C ? 0x7FFF : sign | size << 8;
    else if (size == 0x7F)
        bits = 0x7FFF;
    else if (size >= 8)
        bits = sign | (size + (8u << 3)) << 7;
    else
        bits = sign | evgpu_half_bits((float)size * 0.001953125f);
    half.x = (unsigned short)bits;
    return half;
}

/* --- pairs --------------------------------------------------------------------------------------
 */
EVGPU_F8 __nv_fp8x2_storage_t evgpu_f8_pair(const __nv_fp8_storage_t x, const __nv_fp8_storage_t y)
{
    return (__nv_fp8x2_storage_t)(x | y << 8);
}
#define EVGPU_F8_PAIR(name, T, one)                                                                \
    EVGPU_F8 __nv_fp8x2_storage_t name(const T v, const __nv_saturation_t saturate,                \
                                       const __nv_fp8_interpretation_t type)                       \
    {                                                                                              \
        return evgpu_f8_pair(one(v.x, saturate, type), one(v.y, saturate, type));                  \
    }
EVGPU_F8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
EVGPU_F8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
#undef EVGPU_F8_PAIR
#define EVGPU_F8_RAW_PAIR(name, T, one)                                                            \
    EVGPU_F8 __nv_fp8x2_storage_t name(const T##2_raw v, const __nv_saturation_t saturate,         \
                                       const __nv_fp8_interpretation_t type)                       \
    {                                                                                              \
        T##_raw x, y;                                                                              \
        x.x = v.x;                                                                                 \
        y.x = v.y;                                                                                 \
        return evgpu_f8_pair(one(x, saturate, type), one(y, saturate, type));                      \
    }
EVGPU_F8_RAW_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half, __nv_cvt_halfraw_to_fp8)
EVGPU_F8_RAW_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat16, __nv_cvt_bfloat16raw_to_fp8)
#undef EVGPU_F8_RAW_PAIR
EVGPU_F8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                const __nv_fp8_interpretation_t type)
{
    __half2_raw pair;
    pair.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, type).x;
    pair.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), type).x;
    return pair;
}

/* --- types --------------------------------------------------------------------------------------
 */
/* Constructors saturate. */
template <__nv_fp8_interpretation_t Type> struct evgpu_fp8 {
    __nv_fp8_storage_t __x;

    evgpu_fp8() = default;
#define EVGPU_F8_OF(T, convert)                                                                    \
    __host__ __device__ explicit evgpu_fp8(const T x) : __x(convert(x, __NV_SATFINITE, Type))      \
    {                                                                                              \
    }
    EVGPU_F8_OF(__half, __nv_cvt_halfraw_to_fp8)
    EVGPU_F8_OF(__nv_bfloat16, __nv_cvt_bfloat16raw_to_fp8)
    EVGPU_F8_OF(float, __nv_cvt_float_to_fp8)
    EVGPU_F8_OF(double, __nv_cvt_double_to_fp8)
#define EVGPU_F8_INTEGER(T)                                                                        \
    EVGPU_F8_OF(T, __nv_cvt_double_to_fp8)                                                         \
    __host__ __device__ explicit operator T() const                                                \
    {                                                                                              \
        return evgpu_cut<T>((float)*this);                                                         \
    }
    EVGPU_F8_INTEGER(short)
    EVGPU_F8_INTEGER(unsigned short)
    EVGPU_F8_INTEGER(int)
    EVGPU_F8_INTEGER(unsigned int)
    EVGPU_F8_INTEGER(long)
    EVGPU_F8_INTEGER(unsigned long)
    EVGPU_F8_INTEGER(long long)
    EVGPU_F8_INTEGER(unsigned long long)
#undef EVGPU_F8_INTEGER
#undef EVGPU_F8_OF
    __host__ __device__ explicit operator signed char() const
    {
        return evgpu_cut<signed char>((float)*this);
    }
    __host__ __device__ explicit operator char() const
    {
        return evgpu_cut<char>((float)*this);
    }
    __host__ __device__ explicit operator unsigned char() const
    {
        return evgpu_cut<unsigned char>((float)*this);
    }
    __host__ __device__ explicit operator __half() const
    {
        return __nv_cvt_fp8_to_halfraw(__x, Type);
    }
    __host__ __device__ explicit operator __nv_bfloat16() const
    {
        return __nv_bfloat16((float)*this);
    }
    __host__ __device__ explicit operator float() const
    {
        return __half2float(__nv_cvt_fp8_to_halfraw(__x, Type));
    }
    __host__ __device__ explicit operator double() const
    {
        return (float)*this;
    }
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7F) != 0;
    }
};

template <__nv_fp8_interpretation_t Type> struct __attribute__((aligned(2))) evgpu_fp8x2 {
    __nv_fp8x2_storage_t __x;

    evgpu_fp8x2() = default;
#define EVGPU_F8_OF(T, convert)                                                                    \
    __host__ __device__ explicit evgpu_fp8x2(const T x) : __x(convert(x, __NV_SATFINITE, Type))    \
    {                                                                                              \
    }
    EVGPU_F8_OF(__half2, __nv_cvt_halfraw2_to_fp8x2)
    EVGPU_F8_OF(__nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2)
    EVGPU_F8_OF(float2, __nv_cvt_float2_to_fp8x2)
    EVGPU_F8_OF(double2, __nv_cvt_double2_to_fp8x2)
#undef EVGPU_F8_OF
    __host__ __device__ explicit operator __half2() const
    {
        return __nv_cvt_fp8x2_to_halfraw2(__x, Type);
    }
    __host__ __device__ explicit operator float2() const
    {
        const __half2 pair = (__half2) * this;
        float2 f;
        f.x = pair.x;
        f.y = pair.y;
        return f;
    }
};

template <__nv_fp8_interpretation_t Type> struct __attribute__((aligned(4))) evgpu_fp8x4 {
    __nv_fp8x4_storage_t __x;

    evgpu_fp8x4() = default;
    __host__ __device__ explicit evgpu_fp8x4(const __half2 low, const __half2 high)
        : __x(joined(__nv_cvt_halfraw2_to_fp8x2(low, __NV_SATFINITE, Type),
                     __nv_cvt_halfraw2_to_fp8x2(high, __NV_SATFINITE, Type)))
    {
    }
    __host__ __device__ explicit evgpu_fp8x4(const __nv_bfloat162 low, const __nv_bfloat162 high)
        : __x(joined(__nv_cvt_bfloat16raw2_to_fp8x2(low, __NV_SATFINITE, Type),
                     __nv_cvt_bfloat16raw2_to_fp8x2(high, __NV_SATFINITE, Type)))
    {
    }
#define EVGPU_F8_OF(T, convert)                                                                    \
    __host__ __device__ explicit evgpu_fp8x4(const T v)                                            \
        : __x(joined(evgpu_f8_pair(convert(v.x, __NV_SATFINITE, Type),                             \
                                   convert(v.y, __NV_SATFINITE, Type)),                            \
                     evgpu_f8_pair(convert(v.z, __NV_SATFINITE, Type),                             \
                                   convert(v.w, __NV_SATFINITE, Type))))                           \
    {                                                                                              \
    }
    EVGPU_F8_OF(float4, __nv_cvt_float_to_fp8)
    EVGPU_F8_OF(double4, __nv_cvt_double_to_fp8)
#undef EVGPU_F8_OF
    __host__ __device__ explicit operator float4() const
    {
        const __half2 low = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, Type);
        const __half2 high = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), Type);
        float4 f;
        f.x = low.x;
        f.y = low.y;
        f.z = high.x;
        f.w = high.y;
        return f;
    }

  private:
    __host__ __device__ static __nv_fp8x4_storage_t joined(const __nv_fp8x2_storage_t low,
                                                           const __nv_fp8x2_storage_t high)
    {
        return low | (__nv_fp8x4_storage_t)high << 16;
    }
};

typedef evgpu_fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef evgpu_fp8<__NV_E5M2> __nv_fp8_e5m2;
typedef evgpu_fp8x2<__NV_E4M3> __nv_fp8x2_e4m3;
typedef evgpu_fp8x2<__NV_E5M2> __nv_fp8x2_e5m2;
typedef evgpu_fp8x4<__NV_E4M3> __nv_fp8x4_e4m3;
typedef evgpu_fp8x4<__NV_E5M2> __nv_fp8x4_e5m2;

#undef EVGPU_F8
#endif
#endif
