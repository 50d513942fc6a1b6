/* Arithmetic of CUDA C beyond clang's headers: overloads and newer intrinsics; included by
 * evgpu_cuda.h. */
#ifndef EVGPU_SW_EVGPU_CUDA_MATH_H
#define EVGPU_SW_EVGPU_CUDA_MATH_H

/* min and max: the integers among themselves as C++ converts them, floating point by fmin and fmax.
 */
#define EVGPU_MIN_MAX(A, B, T)                                                                     \
    EVGPU_DEVICE T min(A a, B b)                                                                   \
    {                                                                                              \
        return (T)b < (T)a ? (T)b : (T)a;                                                          \
    }                                                                                              \
    EVGPU_DEVICE T max(A a, B b)                                                                   \
    {                                                                                              \
        return (T)a < (T)b ? (T)b : (T)a;                                                          \
    }
EVGPU_MIN_MAX(unsigned int, unsigned int, unsigned int)
EVGPU_MIN_MAX(int, unsigned int, unsigned int)
EVGPU_MIN_MAX(unsigned int, int, unsigned int)
EVGPU_MIN_MAX(long, long, long)
EVGPU_MIN_MAX(unsigned long, unsigned long, unsigned long)
EVGPU_MIN_MAX(long, unsigned long, unsigned long)
EVGPU_MIN_MAX(unsigned long, long, unsigned long)
EVGPU_MIN_MAX(long long, long long, long long)
EVGPU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
EVGPU_MIN_MAX(long long, unsigned long long, unsigned long long)
EVGPU_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef EVGPU_MIN_MAX
#define EVGPU_FMIN_FMAX(A, B, T, suffix)                                                           \
    EVGPU_DEVICE T min(A a, B b)                                                                   \
    {                                                                                              \
        return fmin##suffix(a, b);                                                                 \
    }                                                                                              \
    EVGPU_DEVICE T max(A a, B b)                                                                   \
    {                                                                                              \
        return fmax##suffix(a, b);                                                                 \
    }
EVGPU_FMIN_FMAX(float, float, float, f)
EVGPU_FMIN_FMAX(double, double, double, )
EVGPU_FMIN_FMAX(float, double, double, )
EVGPU_FMIN_FMAX(double, float, double, )
#undef EVGPU_FMIN_FMAX

/* C++ spellings of CUDA's own functions. */
#define EVGPU_FLOAT(name)                                                                          \
    EVGPU_DEVICE float name(float x)                                                               \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
EVGPU_FLOAT(rsqrt)
EVGPU_FLOAT(rcbrt)
EVGPU_FLOAT(sinpi)
EVGPU_FLOAT(cospi)
EVGPU_FLOAT(exp10)
EVGPU_FLOAT(erfinv)
EVGPU_FLOAT(erfcinv)
EVGPU_FLOAT(erfcx)
EVGPU_FLOAT(normcdf)
EVGPU_FLOAT(normcdfinv)
EVGPU_FLOAT(j0)
EVGPU_FLOAT(j1)
EVGPU_FLOAT(y0)
EVGPU_FLOAT(y1)
/* Those that clang's headers declare and leave to CUDA's. */
EVGPU_FLOAT(acosh)
EVGPU_FLOAT(asinh)
EVGPU_FLOAT(atanh)
EVGPU_FLOAT(cbrt)
EVGPU_FLOAT(erf)
EVGPU_FLOAT(erfc)
EVGPU_FLOAT(exp2)
EVGPU_FLOAT(expm1)
EVGPU_FLOAT(lgamma)
EVGPU_FLOAT(log1p)
EVGPU_FLOAT(log2)
EVGPU_FLOAT(logb)
EVGPU_FLOAT(nearbyint)
EVGPU_FLOAT(rint)
EVGPU_FLOAT(round)
EVGPU_FLOAT(tgamma)
EVGPU_FLOAT(trunc)
#undef EVGPU_FLOAT
#define EVGPU_FLOAT_2(name)                                                                        \
    EVGPU_DEVICE float name(float x, float y)                                                      \
    {                                                                                              \
        return name##f(x, y);                                                                      \
    }
EVGPU_FLOAT_2(copysign)
EVGPU_FLOAT_2(fdim)
EVGPU_FLOAT_2(fmax)
EVGPU_FLOAT_2(fmin)
EVGPU_FLOAT_2(hypot)
EVGPU_FLOAT_2(nextafter)
EVGPU_FLOAT_2(remainder)
#undef EVGPU_FLOAT_2
EVGPU_DEVICE float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}
EVGPU_DEVICE float remquo(float x, float y, int *quotient)
{
    return remquof(x, y, quotient);
}
EVGPU_DEVICE int ilogb(float x)
{
    return ilogbf(x);
}
EVGPU_DEVICE long lrint(float x)
{
    return lrintf(x);
}
EVGPU_DEVICE long lround(float x)
{
    return lroundf(x);
}
EVGPU_DEVICE long long llrint(float x)
{
    return llrintf(x);
}
EVGPU_DEVICE long long llround(float x)
{
    return llroundf(x);
}
EVGPU_DEVICE float scalbn(float x, int n)
{
    return scalbnf(x, n);
}
EVGPU_DEVICE float scalbln(float x, long n)
{
    return scalblnf(x, n);
}
EVGPU_DEVICE double nan(const char *)
{
    return __nv_nan(0);
}
EVGPU_DEVICE float nanf(const char *)
{
    return __nv_nanf(0);
}
EVGPU_DEVICE void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}
EVGPU_DEVICE void sincos(float x, float *s, float *c)
{
    sincosf(x, s, c);
}
EVGPU_DEVICE float rhypot(float x, float y)
{
    return rhypotf(x, y);
}
EVGPU_DEVICE float norm3d(float x, float y, float z)
{
    return norm3df(x, y, z);
}

/* Four products of bytes, or two of 16 by 8 bits, added to c (PTX ISA, dp4a and dp2a). */
#define EVGPU_DOT(name, T, A, B, instruction)                                                      \
    EVGPU_DEVICE T name(A a, B b, T c)                                                             \
    {                                                                                              \
        T sum;                                                                                     \
        __asm__(instruction " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));              \
        return sum;                                                                                \
    }
EVGPU_DOT(__dp4a, int, int, int, "dp4a.s32.s32")
EVGPU_DOT(__dp4a, unsigned int, unsigned int, unsigned int, "dp4a.u32.u32")
EVGPU_DOT(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
EVGPU_DOT(__dp2a_lo, unsigned int, unsigned int, unsigned int, "dp2a.lo.u32.u32")
EVGPU_DOT(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
EVGPU_DOT(__dp2a_hi, unsigned int, unsigned int, unsigned int, "dp2a.hi.u32.u32")
#undef EVGPU_DOT
#define EVGPU_DOT_VECTOR(name, T, A, B)                                                            \
    EVGPU_DEVICE T name(A a, B b, T c)                                                             \
    {                                                                                              \
        T x, y;                                                                                    \
        __builtin_memcpy(&x, &a, sizeof x);                                                        \
        __builtin_memcpy(&y, &b, sizeof y);                                                        \
        return name(x, y, c);                                                                      \
    }
EVGPU_DOT_VECTOR(__dp4a, int, char4, char4)
EVGPU_DOT_VECTOR(__dp4a, unsigned int, uchar4, uchar4)
EVGPU_DEVICE int __dp2a_lo(short2 a, char4 b, int c)
{
    return a.x * b.x + a.y * b.y + c;
}
EVGPU_DEVICE int __dp2a_hi(short2 a, char4 b, int c)
{
    return a.x * b.z + a.y * b.w + c;
}
EVGPU_DEVICE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c)
{
    return (unsigned int)a.x * b.x + (unsigned int)a.y * b.y + c;
}
EVGPU_DEVICE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c)
{
    return (unsigned int)a.x * b.z + (unsigned int)a.y * b.w + c;
}
#undef EVGPU_DOT_VECTOR

/* 32 bits of the pair high:low, shifted; _l and _r take the amount modulo 32, _lc and _rc at most
 * 32. */
#define EVGPU_FUNNEL(name, mode)                                                                   \
    EVGPU_DEVICE unsigned int name(unsigned int low, unsigned int high, unsigned int shift)        \
    {                                                                                              \
        unsigned int result;                                                                       \
        __asm__("shf." mode ".b32 %0, %1, %2, %3;"                                                 \
                : "=r"(result)                                                                     \
                : "r"(low), "r"(high), "r"(shift));                                                \
        return result;                                                                             \
    }
EVGPU_FUNNEL(__funnelshift_l, "l.wrap")
EVGPU_FUNNEL(__funnelshift_lc, "l.clamp")
EVGPU_FUNNEL(__funnelshift_r, "r.wrap")
EVGPU_FUNNEL(__funnelshift_rc, "r.clamp")
#undef EVGPU_FUNNEL

#endif
