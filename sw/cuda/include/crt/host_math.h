/* Functions that CUDA adds to the C library's, in host code of .cu files; included by
 * cuda_runtime.h. Device code has its own. */
#ifndef EVGPU_CUDA_CRT_HOST_MATH_H
#define EVGPU_CUDA_CRT_HOST_MATH_H

#include <math.h>

#define EVGPU_HOST(T) static __inline__ __host__ __attribute__((unused)) T

#define EVGPU_HOST_MIN_MAX(T)                                                                      \
    EVGPU_HOST(T) min(T a, T b)                                                                    \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    EVGPU_HOST(T) max(T a, T b)                                                                    \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
EVGPU_HOST_MIN_MAX(int)
EVGPU_HOST_MIN_MAX(unsigned int)
EVGPU_HOST_MIN_MAX(long)
EVGPU_HOST_MIN_MAX(unsigned long)
EVGPU_HOST_MIN_MAX(long long)
EVGPU_HOST_MIN_MAX(unsigned long long)
#undef EVGPU_HOST_MIN_MAX

#define EVGPU_HOST_MIXED(A, B, T)                                                                  \
    EVGPU_HOST(T) min(A a, B b)                                                                    \
    {                                                                                              \
        return min((T)a, (T)b);                                                                    \
    }                                                                                              \
    EVGPU_HOST(T) max(A a, B b)                                                                    \
    {                                                                                              \
        return max((T)a, (T)b);                                                                    \
    }
EVGPU_HOST_MIXED(int, unsigned int, unsigned int)
EVGPU_HOST_MIXED(unsigned int, int, unsigned int)
EVGPU_HOST_MIXED(long, unsigned long, unsigned long)
EVGPU_HOST_MIXED(unsigned long, long, unsigned long)
EVGPU_HOST_MIXED(long long, unsigned long long, unsigned long long)
EVGPU_HOST_MIXED(unsigned long long, long long, unsigned long long)
#undef EVGPU_HOST_MIXED

/* The C library's fmin and fmax: a NaN gives the other operand. */
#define EVGPU_HOST_FLOAT(A, B, T, suffix)                                                          \
    EVGPU_HOST(T) min(A a, B b)                                                                    \
    {                                                                                              \
        return fmin##suffix(a, b);                                                                 \
    }                                                                                              \
    EVGPU_HOST(T) max(A a, B b)                                                                    \
    {                                                                                              \
        return fmax##suffix(a, b);                                                                 \
    }
EVGPU_HOST_FLOAT(float, float, float, f)
EVGPU_HOST_FLOAT(double, double, double, )
EVGPU_HOST_FLOAT(float, double, double, )
EVGPU_HOST_FLOAT(double, float, double, )
#undef EVGPU_HOST_FLOAT

#define EVGPU_HOST_UNARY(name, expression)                                                         \
    EVGPU_HOST(double) name(double x)                                                              \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    EVGPU_HOST(float) name##f(float x)                                                             \
    {                                                                                              \
        return (float)name((double)x);                                                             \
    }                                                                                              \
    EVGPU_HOST(float) name(float x)                                                                \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
EVGPU_HOST_UNARY(rsqrt, 1.0 / sqrt(x))
EVGPU_HOST_UNARY(rcbrt, 1.0 / cbrt(x))
EVGPU_HOST_UNARY(sinpi, sin(3.14159265358979323846 * fmod(x, 2.0)))
EVGPU_HOST_UNARY(cospi, cos(3.14159265358979323846 * fmod(x, 2.0)))
EVGPU_HOST_UNARY(normcdf, 0.5 * erfc(-x * 0.70710678118654752440))

/* exp(x * x) * erfc(x); where erfc(x) leaves the normal numbers, by its continued fraction. */
EVGPU_HOST(double) evgpuErfcx(double x)
{
    if (x < 25.0)
        return exp(x * x) * erfc(x);
    double tail = x;
    for (int k = 12; k > 0; k--)
        tail = x + 0.5 * k / tail;
    return 0.56418958354775628695 / tail;
}
EVGPU_HOST_UNARY(erfcx, evgpuErfcx(x))

/* The y with erfc(y) == x, by Newton's rule from a start that the tail's form gives. */
EVGPU_HOST(double) evgpuErfcinv(double x)
{
    if (!(x > 0.0 && x < 2.0))
        return x == 0.0 ? HUGE_VAL : x == 2.0 ? -HUGE_VAL : NAN;
    const double small = x < 1.0 ? x : 2.0 - x;
    double y = small > 0.1 ? 0.88622692545275801365 * (1.0 - small) : sqrt(-log(small));
    for (int k = 0; k < 60; k++) {
        const double step = (erfc(y) - small) / (-1.12837916709551257390 * exp(-y * y));
        y -= step;
        if (fabs(step) <= 1e-16 * fabs(y))
            break;
    }
    return x < 1.0 ? y : -y;
}
EVGPU_HOST_UNARY(erfcinv, evgpuErfcinv(x))
EVGPU_HOST(double) evgpuErfinv(double x)
{
    if (fabs(x) > 0.5)
        return copysign(1.0, x) * evgpuErfcinv(1.0 - fabs(x));
    double y = 0.88622692545275801365 * x;
    for (int k = 0; k < 20; k++)
        y -= (erf(y) - x) / (1.12837916709551257390 * exp(-y * y));
    return y;
}
EVGPU_HOST_UNARY(erfinv, evgpuErfinv(x))
EVGPU_HOST_UNARY(normcdfinv, -1.41421356237309504880 * evgpuErfcinv(2.0 * x))
#undef EVGPU_HOST_UNARY

EVGPU_HOST(void) sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
EVGPU_HOST(void) sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
EVGPU_HOST(double) rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
EVGPU_HOST(float) rhypotf(float x, float y)
{
    return 1.0f / hypotf(x, y);
}

#undef EVGPU_HOST

#endif
