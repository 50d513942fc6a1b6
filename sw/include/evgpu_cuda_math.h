/* Arithmetic of CUDA C; included by evgpu_cuda.h.
 *
 * Functions with one PTX instruction behind them are exactly that instruction. The elementary
 * functions without one (expf, logf, sinf, ...) are short sequences over the .approx instructions,
 * not CUDA's libdevice: relative error below 2^-20 for expf and powf's exponent part; absolute
 * error below 2^-20 for sinf and cosf with |x| < 1000; logf loses relative accuracy next to 1. */
#ifndef EVGPU_SW_EVGPU_CUDA_MATH_H
#define EVGPU_SW_EVGPU_CUDA_MATH_H

#define EVGPU_MIN_MAX(T)                                                                           \
    EVGPU_DEVICE T min(T a, T b)                                                                   \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    EVGPU_DEVICE T max(T a, T b)                                                                   \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
EVGPU_MIN_MAX(int)
EVGPU_MIN_MAX(unsigned int)
EVGPU_MIN_MAX(long)
EVGPU_MIN_MAX(unsigned long)
EVGPU_MIN_MAX(long long)
EVGPU_MIN_MAX(unsigned long long)
#undef EVGPU_MIN_MAX

#define EVGPU_UNARY(T, name, expression)                                                           \
    EVGPU_DEVICE T name(T x)                                                                       \
    {                                                                                              \
        return expression;                                                                         \
    }
#define EVGPU_BINARY(T, name, expression)                                                          \
    EVGPU_DEVICE T name(T x, T y)                                                                  \
    {                                                                                              \
        return expression;                                                                         \
    }

/* Bits */
#define EVGPU_CAST(From, To, name)                                                                 \
    EVGPU_DEVICE To name(From x)                                                                   \
    {                                                                                              \
        return __builtin_bit_cast(To, x);                                                          \
    }
EVGPU_CAST(float, int, __float_as_int)
EVGPU_CAST(float, unsigned int, __float_as_uint)
EVGPU_CAST(int, float, __int_as_float)
EVGPU_CAST(unsigned int, float, __uint_as_float)
EVGPU_CAST(double, long long, __double_as_longlong)
EVGPU_CAST(long long, double, __longlong_as_double)
#undef EVGPU_CAST

EVGPU_DEVICE int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
EVGPU_DEVICE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
EVGPU_DEVICE int __clz(int x)
{
    return x ? __builtin_clz((unsigned int)x) : 32;
}
EVGPU_DEVICE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
EVGPU_DEVICE int __ffs(int x)
{
    return __builtin_ffs(x);
}
EVGPU_DEVICE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
EVGPU_DEVICE unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}
EVGPU_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}
EVGPU_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    return (unsigned int)__nvvm_prmt((int)x, (int)y, (int)selector);
}
EVGPU_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
EVGPU_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

/* Integers */
EVGPU_UNARY(int, abs, x < 0 ? -x : x)
EVGPU_BINARY(int, __mulhi, (int)(((long long)x * y) >> 32))
EVGPU_BINARY(unsigned int, __umulhi, (unsigned int)(((unsigned long long)x * y) >> 32))
EVGPU_BINARY(long long, __mul64hi, (long long)(((__int128)x * y) >> 64))
EVGPU_BINARY(unsigned long long, __umul64hi, (unsigned long long)(((unsigned __int128)x * y) >> 64))
EVGPU_BINARY(int, __mul24, __nvvm_mul24_i(x, y))
EVGPU_BINARY(unsigned int, __umul24, (unsigned int)__nvvm_mul24_ui(x, y))
EVGPU_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    return (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y) + z;
}

/* Float, one instruction */
EVGPU_UNARY(float, fabsf, __builtin_fabsf(x))
EVGPU_UNARY(float, sqrtf, __nvvm_sqrt_rn_f(x))
EVGPU_UNARY(float, rsqrtf, __nvvm_rsqrt_approx_f(x))
EVGPU_UNARY(float, floorf, __builtin_floorf(x))
EVGPU_UNARY(float, ceilf, __builtin_ceilf(x))
EVGPU_UNARY(float, truncf, __builtin_truncf(x))
EVGPU_UNARY(float, rintf, __builtin_rintf(x))
EVGPU_UNARY(float, nearbyintf, __builtin_nearbyintf(x))
EVGPU_BINARY(float, fminf, __builtin_fminf(x, y))
EVGPU_BINARY(float, fmaxf, __builtin_fmaxf(x, y))
EVGPU_BINARY(float, copysignf, __builtin_copysignf(x, y))
EVGPU_BINARY(float, __fadd_rn, __nvvm_add_rn_f(x, y))
EVGPU_BINARY(float, __fsub_rn, __nvvm_add_rn_f(x, -y))
EVGPU_BINARY(float, __fmul_rn, __nvvm_mul_rn_f(x, y))
EVGPU_BINARY(float, __fdiv_rn, __nvvm_div_rn_f(x, y))
EVGPU_BINARY(float, __fdividef, __nvvm_div_approx_f(x, y))
EVGPU_UNARY(float, __frcp_rn, __nvvm_rcp_rn_f(x))
EVGPU_UNARY(float, __fsqrt_rn, __nvvm_sqrt_rn_f(x))
EVGPU_UNARY(float, __frsqrt_rn, __nvvm_rsqrt_approx_f(x))
EVGPU_UNARY(float, __sinf, __nvvm_sin_approx_f(x))
EVGPU_UNARY(float, __cosf, __nvvm_cos_approx_f(x))
EVGPU_UNARY(float, __exp2f, __nvvm_ex2_approx_f(x))
EVGPU_UNARY(float, __log2f, __nvvm_lg2_approx_f(x))
EVGPU_UNARY(float, __saturatef, __nvvm_saturate_f(x))
EVGPU_DEVICE float fmaf(float x, float y, float z)
{
    return __nvvm_fma_rn_f(x, y, z);
}
EVGPU_DEVICE float __fmaf_rn(float x, float y, float z)
{
    return __nvvm_fma_rn_f(x, y, z);
}

/* Conversions with a rounding mode */
#define EVGPU_CONVERT(From, To, name, builtin)                                                     \
    EVGPU_DEVICE To name(From x)                                                                   \
    {                                                                                              \
        return (To)__nvvm_##builtin(x);                                                            \
    }
EVGPU_CONVERT(float, int, __float2int_rn, f2i_rn)
EVGPU_CONVERT(float, int, __float2int_rz, f2i_rz)
EVGPU_CONVERT(float, int, __float2int_rd, f2i_rm)
EVGPU_CONVERT(float, int, __float2int_ru, f2i_rp)
EVGPU_CONVERT(float, unsigned int, __float2uint_rn, f2ui_rn)
EVGPU_CONVERT(float, unsigned int, __float2uint_rz, f2ui_rz)
EVGPU_CONVERT(int, float, __int2float_rn, i2f_rn)
EVGPU_CONVERT(int, float, __int2float_rz, i2f_rz)
EVGPU_CONVERT(unsigned int, float, __uint2float_rn, ui2f_rn)
EVGPU_CONVERT(unsigned int, float, __uint2float_rz, ui2f_rz)
EVGPU_CONVERT(double, float, __double2float_rn, d2f_rn)
EVGPU_CONVERT(double, int, __double2int_rz, d2i_rz)
#undef EVGPU_CONVERT

/* Float, sequences */
#define EVGPU_LOG2_E  0x1.715476p+0f
#define EVGPU_LN_2    0x1.62e430p-1f
#define EVGPU_LN_2_LO (-0x1.05c610p-29f)
EVGPU_UNARY(float, __expf, __exp2f(x *EVGPU_LOG2_E))
EVGPU_UNARY(float, __exp10f, __exp2f(x * 0x1.a934f0p+1f))
EVGPU_UNARY(float, __logf, __log2f(x) * EVGPU_LN_2)
EVGPU_UNARY(float, __log10f, __log2f(x) * 0x1.344136p-2f)
EVGPU_BINARY(float, __powf, __exp2f(y *__log2f(x)))
EVGPU_UNARY(float, __tanf, __fdividef(__sinf(x), __cosf(x)))
EVGPU_UNARY(float, exp2f, __exp2f(x))
EVGPU_UNARY(float, log2f, __log2f(x))
EVGPU_UNARY(float, logf, __logf(x))
EVGPU_UNARY(float, log10f, __log10f(x))
EVGPU_UNARY(float, roundf, copysignf(truncf(fabsf(x) + 0x1.fffffep-2f), x))
EVGPU_DEVICE float expf(float x)
{
    /* e^x = 2^n * e^r, |r| <= ln 2 / 2; n is limited so that infinities stay infinities. */
    float n = rintf(fminf(fmaxf(x * EVGPU_LOG2_E, -200.0f), 200.0f));
    float r = fmaf(n, -EVGPU_LN_2_LO, fmaf(n, -EVGPU_LN_2, x));
    return x != x ? x : __exp2f(n) * __exp2f(r * EVGPU_LOG2_E);
}
EVGPU_DEVICE float evgpu_reduce(float x) /* x minus a multiple of 2 pi, into [-pi, pi] */
{
    float n = rintf(x * 0x1.45f306p-3f);
    return fmaf(n, 0x1.777a5cp-23f, fmaf(n, -0x1.921fb6p+2f, x));
}
EVGPU_UNARY(float, sinf, __sinf(evgpu_reduce(x)))
EVGPU_UNARY(float, cosf, __cosf(evgpu_reduce(x)))
EVGPU_UNARY(float, tanf, __fdividef(sinf(x), cosf(x)))
EVGPU_DEVICE float tanhf(float x)
{
    float e = __exp2f(fabsf(x) * (-2.0f * EVGPU_LOG2_E));
    return copysignf(__fdividef(1.0f - e, 1.0f + e), x);
}
EVGPU_DEVICE float powf(float x, float y)
{
    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    float magnitude = __exp2f(y * __log2f(fabsf(x)));
    if (!(x < 0.0f))
        return magnitude;
    float whole = truncf(y);
    if (whole != y)
        return __int_as_float(0x7fffffff);
    return truncf(whole * 0.5f) * 2.0f == whole ? magnitude : -magnitude;
}

/* Double, one instruction */
EVGPU_UNARY(double, fabs, __builtin_fabs(x))
EVGPU_UNARY(double, sqrt, __nvvm_sqrt_rn_d(x))
EVGPU_UNARY(double, rsqrt, 1.0 / __nvvm_sqrt_rn_d(x))
EVGPU_UNARY(double, floor, __builtin_floor(x))
EVGPU_UNARY(double, ceil, __builtin_ceil(x))
EVGPU_UNARY(double, trunc, __builtin_trunc(x))
EVGPU_UNARY(double, rint, __builtin_rint(x))
EVGPU_BINARY(double, fmin, __builtin_fmin(x, y))
EVGPU_BINARY(double, fmax, __builtin_fmax(x, y))
EVGPU_DEVICE double fma(double x, double y, double z)
{
    return __nvvm_fma_rn_d(x, y, z);
}
EVGPU_DEVICE double __fma_rn(double x, double y, double z)
{
    return __nvvm_fma_rn_d(x, y, z);
}
EVGPU_UNARY(double, __drcp_rn, __nvvm_rcp_rn_d(x))

/* C++ spellings */
EVGPU_BINARY(float, min, fminf(x, y))
EVGPU_BINARY(float, max, fmaxf(x, y))
EVGPU_BINARY(double, min, fmin(x, y))
EVGPU_BINARY(double, max, fmax(x, y))
EVGPU_UNARY(long, labs, x < 0 ? -x : x)
EVGPU_UNARY(long long, llabs, x < 0 ? -x : x)

/* Below nvcc, clang's <__clang_cuda_cmath.h> has the rest of these, and those of namespace std. */
#ifndef __CUDACC__
EVGPU_UNARY(float, abs, fabsf(x))
EVGPU_UNARY(float, fabs, fabsf(x))
EVGPU_UNARY(double, abs, fabs(x))
EVGPU_UNARY(long, abs, labs(x))
EVGPU_UNARY(long long, abs, llabs(x))
EVGPU_UNARY(float, sqrt, sqrtf(x))
EVGPU_UNARY(float, rsqrt, rsqrtf(x))
EVGPU_UNARY(float, floor, floorf(x))
EVGPU_UNARY(float, ceil, ceilf(x))
EVGPU_UNARY(float, trunc, truncf(x))
EVGPU_UNARY(float, rint, rintf(x))

#define EVGPU_CLASSIFY(T, suffix)                                                                  \
    EVGPU_DEVICE bool isnan(T x)                                                                   \
    {                                                                                              \
        return x != x;                                                                             \
    }                                                                                              \
    EVGPU_DEVICE bool isinf(T x)                                                                   \
    {                                                                                              \
        return fabs##suffix(x) == (T)__builtin_inf();                                              \
    }                                                                                              \
    EVGPU_DEVICE bool isfinite(T x)                                                                \
    {                                                                                              \
        return fabs##suffix(x) < (T)__builtin_inf();                                               \
    }
EVGPU_CLASSIFY(float, f)
EVGPU_CLASSIFY(double, )
#undef EVGPU_CLASSIFY

/* Elementary functions exist for float; a call with a double is an error rather than a float
 * result. */
#define EVGPU_FLOAT_ONLY(name)                                                                     \
    EVGPU_UNARY(float, name, name##f(x))                                                           \
    __device__ double name(double) = delete;
EVGPU_FLOAT_ONLY(exp)
EVGPU_FLOAT_ONLY(exp2)
EVGPU_FLOAT_ONLY(log)
EVGPU_FLOAT_ONLY(log2)
EVGPU_FLOAT_ONLY(log10)
EVGPU_FLOAT_ONLY(sin)
EVGPU_FLOAT_ONLY(cos)
EVGPU_FLOAT_ONLY(tan)
EVGPU_FLOAT_ONLY(tanh)
EVGPU_FLOAT_ONLY(round)
EVGPU_DEVICE float pow(float x, float y)
{
    return powf(x, y);
}
__device__ double pow(double, double) = delete;
#undef EVGPU_FLOAT_ONLY
#endif
#undef EVGPU_UNARY
#undef EVGPU_BINARY

/* Loads with a cache operator: __ldg through the read-only path; __ldcg at L2, past L1, for data
 * that another agent has written since L1 may have read it. */
#define EVGPU_LDG(T, builtin)                                                                      \
    EVGPU_DEVICE T __ldg(const T *p)                                                               \
    {                                                                                              \
        return (T)__nvvm_ldg_##builtin(p);                                                         \
    }
EVGPU_LDG(char, c)
EVGPU_LDG(unsigned char, uc)
EVGPU_LDG(short, s)
EVGPU_LDG(unsigned short, us)
EVGPU_LDG(int, i)
EVGPU_LDG(unsigned int, ui)
EVGPU_LDG(long, l)
EVGPU_LDG(unsigned long, ul)
EVGPU_LDG(long long, ll)
EVGPU_LDG(unsigned long long, ull)
EVGPU_LDG(float, f)
EVGPU_LDG(double, d)
#undef EVGPU_LDG
EVGPU_DEVICE uint4 __ldg(const uint4 *p)
{
    typedef unsigned int Vector __attribute__((ext_vector_type(4)));
    Vector v = __nvvm_ldg_ui4((const Vector *)p);
    return make_uint4(v.x, v.y, v.z, v.w);
}
EVGPU_DEVICE float4 __ldg(const float4 *p)
{
    typedef float Vector __attribute__((ext_vector_type(4)));
    Vector v = __nvvm_ldg_f4((const Vector *)p);
    return make_float4(v.x, v.y, v.z, v.w);
}
EVGPU_DEVICE unsigned int __ldcg(const unsigned int *p)
{
    unsigned int v;
    __asm__ volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
EVGPU_DEVICE uint4 __ldcg(const uint4 *p)
{
    uint4 v;
    __asm__ volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(p)
                     : "memory");
    return v;
}

#endif
