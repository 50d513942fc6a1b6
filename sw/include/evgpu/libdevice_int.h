/* Integers, bits, conversions and arithmetic with a rounding mode; included by libdevice.h. */
#ifndef EVGPU_SW_LIBDEVICE_INT_H
#define EVGPU_SW_LIBDEVICE_INT_H

/* --- bits ------------------------------------------------------------------------------------ */
EVGPU_NV int __nv_brev(int a)
{
    return (int)__builtin_bitreverse32((unsigned int)a);
}
EVGPU_NV long long __nv_brevll(long long a)
{
    return (long long)__builtin_bitreverse64((unsigned long long)a);
}
/* The instruction spreads a byte's sign where the fourth bit of its number is set; this does not.
 */
EVGPU_NV int __nv_byte_perm(int a, int b, int selector)
{
    return __nvvm_prmt(a, b, selector & 0x7777);
}
EVGPU_NV int __nv_clz(int a)
{
    return a ? __builtin_clz((unsigned int)a) : 32;
}
EVGPU_NV int __nv_clzll(long long a)
{
    return a ? __builtin_clzll((unsigned long long)a) : 64;
}
EVGPU_NV int __nv_popc(int a)
{
    return __builtin_popcount((unsigned int)a);
}
EVGPU_NV int __nv_popcll(long long a)
{
    return __builtin_popcountll((unsigned long long)a);
}
EVGPU_NV int __nv_ffs(int a)
{
    return __builtin_ffs(a);
}
EVGPU_NV int __nv_ffsll(long long a)
{
    return __builtin_ffsll(a);
}
#define EVGPU_LD_CAST(From, To, name)                                                              \
    EVGPU_NV To __nv_##name(From a)                                                                \
    {                                                                                              \
        return __builtin_bit_cast(To, a);                                                          \
    }
EVGPU_LD_CAST(float, int, float_as_int)
EVGPU_LD_CAST(float, unsigned int, float_as_uint)
EVGPU_LD_CAST(int, float, int_as_float)
EVGPU_LD_CAST(unsigned int, float, uint_as_float)
EVGPU_LD_CAST(double, unsigned long long, double_as_longlong)
EVGPU_LD_CAST(long long, double, longlong_as_double)
#undef EVGPU_LD_CAST
EVGPU_NV int __nv_double2hiint(double a)
{
    return (int)(__builtin_bit_cast(unsigned long long, a) >> 32);
}
EVGPU_NV int __nv_double2loint(double a)
{
    return (int)__builtin_bit_cast(unsigned long long, a);
}
EVGPU_NV double __nv_hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double,
                              (unsigned long long)(unsigned int)high << 32 | (unsigned int)low);
}

/* --- integers -------------------------------------------------------------------------------- */
#define EVGPU_LD_MIN_MAX(T, prefix)                                                                \
    EVGPU_NV T __nv_##prefix##min(T a, T b)                                                        \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    EVGPU_NV T __nv_##prefix##max(T a, T b)                                                        \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
EVGPU_LD_MIN_MAX(int, )
EVGPU_LD_MIN_MAX(unsigned int, u)
EVGPU_LD_MIN_MAX(long long, ll)
EVGPU_LD_MIN_MAX(unsigned long long, ull)
#undef EVGPU_LD_MIN_MAX
EVGPU_NV int __nv_abs(int a)
{
    return a < 0 ? (int)(0u - (unsigned int)a) : a;
}
EVGPU_NV long long __nv_llabs(long long a)
{
    return a < 0 ? (long long)(0ull - (unsigned long long)a) : a;
}
EVGPU_NV int __nv_mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}
EVGPU_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
EVGPU_NV long long __nv_mul64hi(long long a, long long b)
{
    return __nvvm_mulhi_ll(a, b);
}
EVGPU_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
EVGPU_NV int __nv_mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
EVGPU_NV unsigned int __nv_umul24(unsigned int a, unsigned int b)
{
    return (unsigned int)__nvvm_mul24_ui(a, b);
}
EVGPU_NV int __nv_sad(int a, int b, int c)
{
    int sum;
    __asm__("sad.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
EVGPU_NV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c)
{
    unsigned int sum;
    __asm__("sad.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
/* Means without overflow; `r` rounds up. */
EVGPU_NV int __nv_hadd(int a, int b)
{
    return (a & b) + ((a ^ b) >> 1);
}
EVGPU_NV int __nv_rhadd(int a, int b)
{
    return (a | b) - ((a ^ b) >> 1);
}
EVGPU_NV int __nv_uhadd(unsigned int a, unsigned int b)
{
    return (int)((a & b) + ((a ^ b) >> 1));
}
EVGPU_NV unsigned int __nv_urhadd(unsigned int a, unsigned int b)
{
    return (a | b) - ((a ^ b) >> 1);
}

/* --- arithmetic and conversions with a rounding mode ----------------------------------------- */

/* Never merged into fma: for the compiler the builtins that round to nearest are plain operators.
 */
#if defined(__CUDA_FTZ) && __CUDA_FTZ
#define EVGPU_LD_FTZ ".ftz"
#else
#define EVGPU_LD_FTZ ""
#endif
#define EVGPU_LD_NEAREST(T, name, instruction, letter, b_value)                                    \
    EVGPU_NV T __nv_##name(T a, T b)                                                               \
    {                                                                                              \
        T result;                                                                                  \
        __asm__(instruction " %0, %1, %2;" : "=" letter(result) : letter(a), letter(b_value));     \
        return result;                                                                             \
    }
EVGPU_LD_NEAREST(float, fadd_rn, "add.rn" EVGPU_LD_FTZ ".f32", "f", b)
EVGPU_LD_NEAREST(float, fsub_rn, "add.rn" EVGPU_LD_FTZ ".f32", "f", -b)
EVGPU_LD_NEAREST(float, fmul_rn, "mul.rn" EVGPU_LD_FTZ ".f32", "f", b)
EVGPU_LD_NEAREST(double, dadd_rn, "add.rn.f64", "d", b)
EVGPU_LD_NEAREST(double, dsub_rn, "add.rn.f64", "d", -b)
EVGPU_LD_NEAREST(double, dmul_rn, "mul.rn.f64", "d", b)
#undef EVGPU_LD_NEAREST
#undef EVGPU_LD_FTZ
#define EVGPU_LD_ROUND(cuda, ptx)                                                                  \
    EVGPU_NV float __nv_fdiv_##cuda(float a, float b)                                              \
    {                                                                                              \
        return __nvvm_div_##ptx##_f(a, b);                                                         \
    }                                                                                              \
    EVGPU_NV float __nv_frcp_##cuda(float a)                                                       \
    {                                                                                              \
        return __nvvm_rcp_##ptx##_f(a);                                                            \
    }                                                                                              \
    EVGPU_NV float __nv_fsqrt_##cuda(float a)                                                      \
    {                                                                                              \
        return __nvvm_sqrt_##ptx##_f(a);                                                           \
    }                                                                                              \
    EVGPU_NV float __nv_fmaf_##cuda(float a, float b, float c)                                     \
    {                                                                                              \
        return __nvvm_fma_##ptx##_f(a, b, c);                                                      \
    }                                                                                              \
    EVGPU_NV float __nv_fmaf_ieee_##cuda(float a, float b, float c)                                \
    {                                                                                              \
        return __nvvm_fma_##ptx##_f(a, b, c);                                                      \
    }                                                                                              \
    EVGPU_NV double __nv_ddiv_##cuda(double a, double b)                                           \
    {                                                                                              \
        return __nvvm_div_##ptx##_d(a, b);                                                         \
    }                                                                                              \
    EVGPU_NV double __nv_drcp_##cuda(double a)                                                     \
    {                                                                                              \
        return __nvvm_rcp_##ptx##_d(a);                                                            \
    }                                                                                              \
    EVGPU_NV double __nv_dsqrt_##cuda(double a)                                                    \
    {                                                                                              \
        return __nvvm_sqrt_##ptx##_d(a);                                                           \
    }                                                                                              \
    EVGPU_NV double __nv_fma_##cuda(double a, double b, double c)                                  \
    {                                                                                              \
        return __nvvm_fma_##ptx##_d(a, b, c);                                                      \
    }                                                                                              \
    EVGPU_NV float __nv_double2float_##cuda(double a)                                              \
    {                                                                                              \
        return __nvvm_d2f_##ptx(a);                                                                \
    }                                                                                              \
    EVGPU_NV int __nv_double2int_##cuda(double a)                                                  \
    {                                                                                              \
        return __nvvm_d2i_##ptx(a);                                                                \
    }                                                                                              \
    EVGPU_NV unsigned int __nv_double2uint_##cuda(double a)                                        \
    {                                                                                              \
        return (unsigned int)__nvvm_d2ui_##ptx(a);                                                 \
    }                                                                                              \
    EVGPU_NV long long __nv_double2ll_##cuda(double a)                                             \
    {                                                                                              \
        return __nvvm_d2ll_##ptx(a);                                                               \
    }                                                                                              \
    EVGPU_NV unsigned long long __nv_double2ull_##cuda(double a)                                   \
    {                                                                                              \
        return (unsigned long long)__nvvm_d2ull_##ptx(a);                                          \
    }                                                                                              \
    EVGPU_NV int __nv_float2int_##cuda(float a)                                                    \
    {                                                                                              \
        return __nvvm_f2i_##ptx(a);                                                                \
    }                                                                                              \
    EVGPU_NV unsigned int __nv_float2uint_##cuda(float a)                                          \
    {                                                                                              \
        return (unsigned int)__nvvm_f2ui_##ptx(a);                                                 \
    }                                                                                              \
    EVGPU_NV long long __nv_float2ll_##cuda(float a)                                               \
    {                                                                                              \
        return __nvvm_f2ll_##ptx(a);                                                               \
    }                                                                                              \
    EVGPU_NV unsigned long long __nv_float2ull_##cuda(float a)                                     \
    {                                                                                              \
        return (unsigned long long)__nvvm_f2ull_##ptx(a);                                          \
    }
/* LLVM takes those towards zero for conversions to nearest, so they are instructions of ours. */
#define EVGPU_LD_FROM_INTEGER(cuda, ptx)                                                           \
    EVGPU_NV float __nv_int2float_##cuda(int a)                                                    \
    {                                                                                              \
        return __nvvm_i2f_##ptx(a);                                                                \
    }                                                                                              \
    EVGPU_NV float __nv_uint2float_##cuda(unsigned int a)                                          \
    {                                                                                              \
        return __nvvm_ui2f_##ptx(a);                                                               \
    }                                                                                              \
    EVGPU_NV float __nv_ll2float_##cuda(long long a)                                               \
    {                                                                                              \
        return __nvvm_ll2f_##ptx(a);                                                               \
    }                                                                                              \
    EVGPU_NV float __nv_ull2float_##cuda(unsigned long long a)                                     \
    {                                                                                              \
        return __nvvm_ull2f_##ptx(a);                                                              \
    }                                                                                              \
    EVGPU_NV double __nv_ll2double_##cuda(long long a)                                             \
    {                                                                                              \
        return __nvvm_ll2d_##ptx(a);                                                               \
    }                                                                                              \
    EVGPU_NV double __nv_ull2double_##cuda(unsigned long long a)                                   \
    {                                                                                              \
        return __nvvm_ull2d_##ptx(a);                                                              \
    }
EVGPU_LD_FROM_INTEGER(rn, rn)
EVGPU_LD_FROM_INTEGER(rd, rm)
EVGPU_LD_FROM_INTEGER(ru, rp)
#undef EVGPU_LD_FROM_INTEGER
#define EVGPU_LD_TOWARDS_ZERO(R, name, A, types, r, a)                                             \
    EVGPU_NV R __nv_##name##_rz(A value)                                                           \
    {                                                                                              \
        R result;                                                                                  \
        __asm__("cvt.rz." types " %0, %1;" : "=" r(result) : a(value));                            \
        return result;                                                                             \
    }
EVGPU_LD_TOWARDS_ZERO(float, int2float, int, "f32.s32", "f", "r")
EVGPU_LD_TOWARDS_ZERO(float, uint2float, unsigned int, "f32.u32", "f", "r")
EVGPU_LD_TOWARDS_ZERO(float, ll2float, long long, "f32.s64", "f", "l")
EVGPU_LD_TOWARDS_ZERO(float, ull2float, unsigned long long, "f32.u64", "f", "l")
EVGPU_LD_TOWARDS_ZERO(double, ll2double, long long, "f64.s64", "d", "l")
EVGPU_LD_TOWARDS_ZERO(double, ull2double, unsigned long long, "f64.u64", "d", "l")
#undef EVGPU_LD_TOWARDS_ZERO
#define EVGPU_LD_DIRECTED(cuda, ptx)                                                               \
    EVGPU_NV float __nv_fadd_##cuda(float a, float b)                                              \
    {                                                                                              \
        return __nvvm_add_##ptx##_f(a, b);                                                         \
    }                                                                                              \
    EVGPU_NV float __nv_fsub_##cuda(float a, float b)                                              \
    {                                                                                              \
        return __nvvm_add_##ptx##_f(a, -b);                                                        \
    }                                                                                              \
    EVGPU_NV float __nv_fmul_##cuda(float a, float b)                                              \
    {                                                                                              \
        return __nvvm_mul_##ptx##_f(a, b);                                                         \
    }                                                                                              \
    EVGPU_NV double __nv_dadd_##cuda(double a, double b)                                           \
    {                                                                                              \
        return __nvvm_add_##ptx##_d(a, b);                                                         \
    }                                                                                              \
    EVGPU_NV double __nv_dsub_##cuda(double a, double b)                                           \
    {                                                                                              \
        return __nvvm_add_##ptx##_d(a, -b);                                                        \
    }                                                                                              \
    EVGPU_NV double __nv_dmul_##cuda(double a, double b)                                           \
    {                                                                                              \
        return __nvvm_mul_##ptx##_d(a, b);                                                         \
    }
EVGPU_LD_DIRECTED(rz, rz)
EVGPU_LD_DIRECTED(rd, rm)
EVGPU_LD_DIRECTED(ru, rp)
#undef EVGPU_LD_DIRECTED
EVGPU_LD_ROUND(rn, rn)
EVGPU_LD_ROUND(rz, rz)
EVGPU_LD_ROUND(rd, rm)
EVGPU_LD_ROUND(ru, rp)
#undef EVGPU_LD_ROUND
EVGPU_NV double __nv_int2double_rn(int a)
{
    return a;
}
EVGPU_NV double __nv_uint2double_rn(unsigned int a)
{
    return a;
}
EVGPU_NV float __nv_half2float(unsigned short a)
{
    float f;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(a));
    return f;
}
EVGPU_NV unsigned short __nv_float2half_rn(float a)
{
    unsigned short h;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
    return h;
}

/* --- single instructions --------------------------------------------------------------------- */
#define EVGPU_LD_UNARY(T, name, expression)                                                        \
    EVGPU_NV T __nv_##name(T a)                                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }
EVGPU_LD_UNARY(float, fast_sinf, __nvvm_sin_approx_f(a))
EVGPU_LD_UNARY(float, fast_cosf, __nvvm_cos_approx_f(a))
EVGPU_LD_UNARY(float, fast_tanf,
               __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)))
EVGPU_LD_UNARY(float, fast_log2f, __nvvm_lg2_approx_f(a))
EVGPU_LD_UNARY(float, fast_logf, __nvvm_lg2_approx_f(a) * 0x1.62e430p-1f)
EVGPU_LD_UNARY(float, fast_log10f, __nvvm_lg2_approx_f(a) * 0x1.344136p-2f)
EVGPU_LD_UNARY(float, fast_expf, __nvvm_ex2_approx_f(a * 0x1.715476p+0f))
EVGPU_LD_UNARY(float, fast_exp10f, __nvvm_ex2_approx_f(a * 0x1.a934f0p+1f))
EVGPU_LD_UNARY(float, saturatef, __nvvm_saturate_f(a))
EVGPU_LD_UNARY(float, fabsf, __builtin_fabsf(a))
EVGPU_LD_UNARY(double, fabs, __builtin_fabs(a))
EVGPU_LD_UNARY(float, rsqrtf, __nvvm_rsqrt_approx_f(a))
EVGPU_LD_UNARY(double, sqrt, __nvvm_sqrt_rn_d(a))
/* The approximation and two terms of its error's series: right for all 2^24 numbers of two binades,
 * and so for all. */
EVGPU_NV float __nv_frsqrt_rn(float a)
{
    float y = __nvvm_rsqrt_approx_f(a), h = __nvvm_mul_rn_f(a, y);
    float e = __nvvm_fma_rn_f(-__nvvm_fma_rn_f(a, y, -h), y, __nvvm_fma_rn_f(-h, y, 1.0f));
    float better = __nvvm_fma_rn_f(y, __nvvm_fma_rn_f(0.375f * e, e, 0.5f * e), y);
    return a > 0 && a < __builtin_inff() ? better : y;
}
EVGPU_NV float __nv_sqrtf(float a)
{
#if defined(__FAST_MATH__) || (defined(__CUDA_PREC_SQRT) && !__CUDA_PREC_SQRT)
    return __nvvm_sqrt_approx_f(a);
#else
    return __nvvm_sqrt_rn_f(a);
#endif
}
EVGPU_NV float __nv_fast_fdividef(float a, float b)
{
    return __nvvm_div_approx_f(a, b);
}
EVGPU_NV float __nv_fast_powf(float a, float b)
{
    return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
EVGPU_NV void __nv_fast_sincosf(float a, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(a);
    *c = __nvvm_cos_approx_f(a);
}
#define EVGPU_LD_FLOATS(T, suffix, builtin)                                                        \
    EVGPU_NV T __nv_fma##suffix(T a, T b, T c)                                                     \
    {                                                                                              \
        return __nvvm_fma_rn_##builtin(a, b, c);                                                   \
    }                                                                                              \
    EVGPU_NV T __nv_fmin##suffix(T a, T b)                                                         \
    {                                                                                              \
        return __nvvm_fmin_##builtin(a, b);                                                        \
    }                                                                                              \
    EVGPU_NV T __nv_fmax##suffix(T a, T b)                                                         \
    {                                                                                              \
        return __nvvm_fmax_##builtin(a, b);                                                        \
    }                                                                                              \
    EVGPU_NV T __nv_copysign##suffix(T a, T b)                                                     \
    {                                                                                              \
        return __builtin_copysign##suffix(a, b);                                                   \
    }                                                                                              \
    EVGPU_NV T __nv_floor##suffix(T a)                                                             \
    {                                                                                              \
        return __builtin_floor##suffix(a);                                                         \
    }                                                                                              \
    EVGPU_NV T __nv_ceil##suffix(T a)                                                              \
    {                                                                                              \
        return __builtin_ceil##suffix(a);                                                          \
    }                                                                                              \
    EVGPU_NV T __nv_trunc##suffix(T a)                                                             \
    {                                                                                              \
        return __builtin_trunc##suffix(a);                                                         \
    }                                                                                              \
    EVGPU_NV T __nv_rint##suffix(T a)                                                              \
    {                                                                                              \
        return __builtin_rint##suffix(a);                                                          \
    }                                                                                              \
    EVGPU_NV T __nv_nearbyint##suffix(T a)                                                         \
    {                                                                                              \
        return __builtin_nearbyint##suffix(a);                                                     \
    }
EVGPU_LD_FLOATS(float, f, f)
EVGPU_LD_FLOATS(double, , d)
#undef EVGPU_LD_FLOATS
#undef EVGPU_LD_UNARY

#endif
