/* A kernel per mathematical function, for test_device_math.c: d_NAME for double, f_NAME for float.
 */
#define ONE(name)                                                                                  \
    extern "C" __global__ void d_##name(const double *x, const double *, double *y)                \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        y[i] = name(x[i]);                                                                         \
    }                                                                                              \
    extern "C" __global__ void f_##name(const float *x, const float *, float *y)                   \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        y[i] = name##f(x[i]);                                                                      \
    }
#define TWO(name)                                                                                  \
    extern "C" __global__ void d_##name(const double *x, const double *z, double *y)               \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        y[i] = name(x[i], z[i]);                                                                   \
    }                                                                                              \
    extern "C" __global__ void f_##name(const float *x, const float *z, float *y)                  \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        y[i] = name##f(x[i], z[i]);                                                                \
    }
ONE(sin)
ONE(cos)
ONE(tan)
ONE(sinpi)
ONE(cospi)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(exp)
ONE(exp2)
ONE(exp10)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(sqrt)
ONE(rsqrt)
ONE(cbrt)
ONE(rcbrt)
ONE(erf)
ONE(erfc)
ONE(erfcx)
ONE(erfinv)
ONE(erfcinv)
ONE(normcdf)
ONE(normcdfinv)
ONE(tgamma)
ONE(lgamma)
ONE(j0)
ONE(j1)
ONE(y0)
ONE(y1)
ONE(floor)
ONE(ceil)
ONE(trunc)
ONE(round)
ONE(rint)
ONE(nearbyint)
ONE(logb)
ONE(fabs)
TWO(pow)
TWO(atan2)
TWO(hypot)
TWO(rhypot)
TWO(fmod)
TWO(remainder)
TWO(fdim)
TWO(fmin)
TWO(fmax)
TWO(copysign)
TWO(nextafter)

#define PARTS(prefix, T, suffix)                                                                   \
    extern "C" __global__ void prefix##_parts(const T *x, const T *z, T *y)                        \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x, e, q;                                       \
        T whole, s, c, m = frexp##suffix(x[i], &e), f = modf##suffix(x[i], &whole);                \
        T r = remquo##suffix(x[i], z[i], &q);                                                      \
        sincos##suffix(x[i], &s, &c);                                                              \
        T *o = y + 16 * i;                                                                         \
        o[0] = m;                                                                                  \
        o[1] = e;                                                                                  \
        o[2] = f;                                                                                  \
        o[3] = whole;                                                                              \
        o[4] = r;                                                                                  \
        o[5] = q & 7;                                                                              \
        o[6] = s;                                                                                  \
        o[7] = c;                                                                                  \
        o[8] = ldexp##suffix(x[i], (int)z[i]);                                                     \
        o[9] = ilogb##suffix(x[i]);                                                                \
        o[10] = (T)llrint##suffix(x[i]);                                                           \
        o[11] = (T)llround##suffix(x[i]);                                                          \
        o[12] = isnan(x[i]) + 2 * isinf(x[i]) + 4 * isfinite(x[i]) + 8 * signbit(x[i]);            \
        o[13] = fma##suffix(x[i], z[i], x[i]);                                                     \
        o[14] = jn##suffix(3, x[i]);                                                               \
        o[15] = yn##suffix(3, fabs##suffix(x[i]));                                                 \
    }
PARTS(d, double, )
PARTS(f, float, f)
