/* Exponentials, logarithms, powers, hyperbolic functions and roots; included by libdevice.h.
 * Exponential and logarithm keep about ten bits more than a double (or float), so that what is
 * built on them is rounded nearly once. */
#ifndef EVGPU_SW_LIBDEVICE_EXP_H
#define EVGPU_SW_LIBDEVICE_EXP_H

template <typename T> struct evgpu_ld_traits;
template <> struct evgpu_ld_traits<double> : evgpu_ld_double {
    static __device__ __inline__ double exp_fit(double r)
    {
        return evgpu_ld_exp(r);
    }
    static __device__ __inline__ double log_fit(double z)
    {
        return evgpu_ld_log(z);
    }
    static __device__ __inline__ evgpu_ld_pair<double> third()
    {
        return {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    }
    /* ln 2 = its first 42 bits + the rest */
    static __device__ __inline__ evgpu_ld_pair<double> ln2()
    {
        return {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
    }
    static __device__ __inline__ double ln2_rest()
    {
        return 0x1.f97b57a079a19p-103;
    }
};
template <> struct evgpu_ld_traits<float> : evgpu_ld_float {
    static __device__ __inline__ float exp_fit(float r)
    {
        return evgpu_ld_powexpf(r);
    }
    static __device__ __inline__ float log_fit(float z)
    {
        return evgpu_ld_powlogf(z);
    }
    static __device__ __inline__ evgpu_ld_pair<float> third()
    {
        return {0x1.555556p-2f, -0x1.555556p-27f};
    }
    static __device__ __inline__ evgpu_ld_pair<float> ln2()
    {
        return {0x1.62e4p-1f, 0x1.7f7d1cp-20f};
    }
    static __device__ __inline__ float ln2_rest()
    {
        return 0x1.ef357ap-45f;
    }
};

/* e^(x.hi + x.lo) = pair * 2^*n, for |x| below some thousand. */
template <typename T> EVGPU_LD evgpu_ld_pair<T> evgpu_ld_exp_pair(evgpu_ld_pair<T> x, int *n)
{
    typedef evgpu_ld_traits<T> F;
    T shift = sizeof(T) == 8 ? (T)0x1.8p52 : (T)0x1.8p23;
    T k = evgpu_ld_add(evgpu_ld_fma(x.hi, (T)1.4426950408889634, shift), -shift);
    *n = (int)k;
    T high = evgpu_ld_fma(-k, F::ln2().hi, x.hi); /* exact */
    evgpu_ld_pair<T> r = evgpu_ld_sum_ordered(high, (T)0);
    T tail = evgpu_ld_fma(-k, F::ln2().lo, x.lo);
    r = evgpu_ld_sum(high, tail);
    T rest =
        evgpu_ld_fma(evgpu_ld_mul(r.hi, r.hi), F::exp_fit(r.hi), evgpu_ld_fma(r.hi, r.lo, r.lo));
    evgpu_ld_pair<T> s = evgpu_ld_sum_ordered(r.hi, rest);
    evgpu_ld_pair<T> one = evgpu_ld_sum_ordered((T)1, s.hi);
    return evgpu_ld_sum_ordered(one.hi, evgpu_ld_add(one.lo, s.lo));
}

/* The pair times 2^n, rounded; nearly once even among the subnormals. */
template <typename T> EVGPU_LD T evgpu_ld_assemble(evgpu_ld_pair<T> p, int n)
{
    typedef evgpu_ld_traits<T> F;
    if (n > 2 - F::kBias && n < F::kBias)
        return evgpu_ld_mul(p.hi, evgpu_ld_power<F>(n));
    return evgpu_ld_scale<F>(p.hi, n);
}

/* ln x = pair, for a positive finite x; the error is below 2^-11 units in the last place of hi. */
template <typename T> EVGPU_LD evgpu_ld_pair<T> evgpu_ld_log_pair(T x)
{
    typedef evgpu_ld_traits<T> F;
    int k;
    T m = evgpu_ld_split<F>(x, &k);
    if (m < (T)0.70710678118654752)
        m += m;
    else
        k++;
    k--;
    T f = m - 1, g = evgpu_ld_add(m, (T)1), g_rest = m - (g - 1);
    T s_hi = evgpu_ld_div(f, g);
    T s_lo = evgpu_ld_div(evgpu_ld_fma(-s_hi, g_rest, evgpu_ld_fma(-s_hi, g, f)), g);
    evgpu_ld_pair<T> s = {s_hi, s_lo};
    evgpu_ld_pair<T> z = evgpu_ld_product(s, s);
    evgpu_ld_pair<T> c = evgpu_ld_sum_ordered(F::third().hi, evgpu_ld_mul(z.hi, F::log_fit(z.hi)));
    c.lo = evgpu_ld_add(c.lo, F::third().lo);
    evgpu_ld_pair<T> u = evgpu_ld_product(evgpu_ld_product(s, z), c);
    evgpu_ld_pair<T> ln = evgpu_ld_sum_ordered(s.hi, u.hi);
    ln.lo = evgpu_ld_add(ln.lo, evgpu_ld_add(s.lo, u.lo));
    ln = evgpu_ld_sum_ordered(ln.hi + ln.hi, ln.lo + ln.lo);
    if (k == 0)
        return ln;
    T scale = (T)k;
    evgpu_ld_pair<T> base = evgpu_ld_product(scale, F::ln2().lo);
    base.lo = evgpu_ld_fma(scale, F::ln2_rest(), base.lo);
    base = evgpu_ld_sum(evgpu_ld_sum_ordered(scale * F::ln2().hi, base.hi),
                        evgpu_ld_pair<T>{base.lo, (T)0});
    return evgpu_ld_sum(base, ln);
}

/* Infinities, NaN, zero and negative arguments of logarithms. */
template <typename T> EVGPU_LD bool evgpu_ld_log_special(T x, T *result)
{
    if (x > 0 && x < (T)__builtin_inf())
        return false;
    *result = x == 0            ? -(T)__builtin_inf()
              : x < 0 || x != x ? evgpu_ld_nan<evgpu_ld_traits<T>>()
                                : x;
    return true;
}

EVGPU_NV double __nv_log(double x)
{
    double special;
    if (evgpu_ld_log_special(x, &special))
        return special;
    return evgpu_ld_log_pair(x).hi;
}
EVGPU_NV double __nv_log2(double x)
{
    double special;
    if (evgpu_ld_log_special(x, &special))
        return special;
    return evgpu_ld_product(evgpu_ld_log_pair(x),
                            evgpu_dd{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56})
        .hi;
}
EVGPU_NV double __nv_log10(double x)
{
    double special;
    if (evgpu_ld_log_special(x, &special))
        return special;
    return evgpu_ld_product(evgpu_ld_log_pair(x),
                            evgpu_dd{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57})
        .hi;
}
EVGPU_NV double __nv_log1p(double x)
{
    double special;
    if (x > -1 && __builtin_fabs(x) < 0x1p-54)
        return x;
    if (evgpu_ld_log_special(x + 1, &special))
        return special;
    evgpu_ld_pair<double> u = evgpu_ld_sum(1.0, x);
    evgpu_ld_pair<double> ln = evgpu_ld_log_pair(u.hi);
    return evgpu_ld_sum(ln, evgpu_dd{evgpu_ld_div(u.lo, u.hi), 0.0}).hi;
}

/* Above and below, e^x is infinite or zero. */
#define EVGPU_LD_EXP_MAX 7.1e2
#define EVGPU_LD_EXP_MIN (-7.46e2)
EVGPU_LD double evgpu_ld_exp_of(evgpu_ld_pair<double> x)
{
    int n;
    if (x.hi != x.hi)
        return x.hi;
    if (x.hi > EVGPU_LD_EXP_MAX)
        return __builtin_inf();
    if (x.hi < EVGPU_LD_EXP_MIN)
        return 0;
    evgpu_ld_pair<double> p = evgpu_ld_exp_pair(x, &n);
    return evgpu_ld_assemble(p, n);
}
EVGPU_NV double __nv_exp(double x)
{
    return evgpu_ld_exp_of(evgpu_dd{x, 0});
}
EVGPU_NV double __nv_exp2(double x)
{
    if (!(__builtin_fabs(x) < 1100))
        return x != x ? x : x > 0 ? __builtin_inf() : 0;
    double whole = __builtin_rint(x);
    int n;
    evgpu_ld_pair<double> r = evgpu_ld_product(
        evgpu_dd{x - whole, 0}, evgpu_dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
    evgpu_ld_pair<double> p = evgpu_ld_exp_pair(r, &n);
    return evgpu_ld_assemble(p, n + (int)whole);
}
EVGPU_NV double __nv_exp10(double x)
{
    if (!(__builtin_fabs(x) < 330))
        return x != x ? x : x > 0 ? __builtin_inf() : 0;
    return evgpu_ld_exp_of(
        evgpu_ld_product(evgpu_dd{x, 0}, evgpu_dd{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}));
}
EVGPU_NV double __nv_expm1(double x)
{
    if (x != x || x == 0)
        return x;
    if (x > EVGPU_LD_EXP_MAX)
        return __builtin_inf();
    if (x < -40)
        return -1;
    if (__builtin_fabs(x) < 0.3)
        return evgpu_ld_fma(x * x, evgpu_ld_exp(x), x);
    int n;
    evgpu_ld_pair<double> p = evgpu_ld_exp_pair(evgpu_dd{x, 0.0}, &n);
    if (n > 1000)
        return evgpu_ld_assemble(p, n);
    double scale = evgpu_ld_power<evgpu_ld_double>(n);
    evgpu_ld_pair<double> s = evgpu_ld_sum(p.hi * scale, -1.0);
    return s.hi + (s.lo + p.lo * scale);
}

/* --- powers ---------------------------------------------------------------------------------- */

/* |x|^y for finite x > 0. */
template <typename T> EVGPU_LD T evgpu_ld_power_of(T x, T y)
{
    typedef evgpu_ld_traits<T> F;
    evgpu_ld_pair<T> e = evgpu_ld_product(evgpu_ld_log_pair(x), evgpu_ld_pair<T>{y, (T)0});
    const T most = sizeof(T) == 8 ? (T)EVGPU_LD_EXP_MAX : (T)89;
    const T least = sizeof(T) == 8 ? (T)EVGPU_LD_EXP_MIN : (T)-104;
    T rough = y * evgpu_ld_log_pair(x).hi; /* the pair is NaN where this overflows */
    if (rough > most)
        return (T)__builtin_inf();
    if (rough < least)
        return 0;
    int n;
    evgpu_ld_pair<T> p = evgpu_ld_exp_pair(e, &n);
    return evgpu_ld_assemble<T>(p, n);
}
/* C's rules for pow (ISO C, annex F). */
template <typename T> EVGPU_LD T evgpu_ld_pow(T x, T y)
{
    typedef evgpu_ld_traits<T> F;
    typedef typename F::Bits Bits;
    const T infinity = (T)__builtin_inf();
    Bits sign = (Bits)1 << (8 * sizeof(Bits) - 1);
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return evgpu_ld_nan<F>();
    T magnitude = F::real(F::bits(x) & ~sign), ay = F::real(F::bits(y) & ~sign);
    /* A whole y beyond the mantissa is even. */
    bool whole = ay >= evgpu_ld_power<F>(F::kMantissa) || (T)(long long)ay == ay;
    bool odd = whole && ay < evgpu_ld_power<F>(F::kMantissa + 1) && ((long long)ay & 1);
    bool negative = (F::bits(x) & sign) != 0;
    T result;
    if (ay == infinity) {
        result = magnitude == 1 ? (T)1 : (magnitude > 1) == (y > 0) ? infinity : (T)0;
        return result;
    }
    if (magnitude == 0 || magnitude == infinity) {
        result = (magnitude == 0) == (y > 0) ? (T)0 : infinity;
        return negative && odd ? -result : result;
    }
    if (negative && !whole)
        return evgpu_ld_nan<F>();
    result = magnitude == 1 ? (T)1 : evgpu_ld_power_of(magnitude, y);
    return negative && odd ? -result : result;
}
EVGPU_NV double __nv_pow(double x, double y)
{
    return evgpu_ld_pow<double>(x, y);
}
EVGPU_NV float __nv_powf(float x, float y)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_powf(x, y);
#else
    return evgpu_ld_pow<float>(x, y);
#endif
}
EVGPU_NV double __nv_powi(double x, int y)
{
    return evgpu_ld_pow<double>(x, (double)y);
}
EVGPU_NV float __nv_powif(float x, int y)
{
    return (float)evgpu_ld_pow<double>((double)x, (double)y);
}

/* --- hyperbolic functions -------------------------------------------------------------------- */

/* (e^x + sign * e^-x) / 2 for x >= 0, sign 1 or -1. */
EVGPU_LD double evgpu_ld_hyperbolic(double x, double sign)
{
    int n;
    if (!(x < 711))
        return x * __builtin_inf();
    evgpu_ld_pair<double> p = evgpu_ld_exp_pair(evgpu_dd{x, 0.0}, &n);
    if (x > 40)
        return evgpu_ld_assemble(p, n - 1);
    double half = evgpu_ld_power<evgpu_ld_double>(n - 1);
    evgpu_ld_pair<double> grown = {p.hi * half, p.lo * half};
    evgpu_ld_pair<double> falling = evgpu_ld_ratio(evgpu_dd{0.25 * sign, 0}, grown);
    return evgpu_ld_sum(grown, falling).hi;
}
EVGPU_NV double __nv_sinh(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (a < 1)
        return evgpu_ld_odd(x, z, evgpu_ld_sinh(z));
    return __builtin_copysign(evgpu_ld_hyperbolic(a, -1), x);
}
EVGPU_NV double __nv_cosh(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (a < 1) {
        evgpu_ld_pair<double> s = evgpu_ld_sum_ordered(1.0, 0.5 * z);
        double low = 0.5 * evgpu_ld_fma(x, x, -z);
        return s.hi + evgpu_ld_fma(z * z, evgpu_ld_cosh(z), s.lo + low);
    }
    return evgpu_ld_hyperbolic(a, 1);
}
EVGPU_NV double __nv_tanh(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (x != x)
        return x;
    if (a < 0.55)
        return evgpu_ld_odd(x, z, evgpu_ld_tanh(z));
    if (a > 22)
        return __builtin_copysign(1.0, x);
    int n;
    evgpu_ld_pair<double> p = evgpu_ld_exp_pair(evgpu_dd{2 * a, 0.0}, &n);
    double scale = evgpu_ld_power<evgpu_ld_double>(n);
    evgpu_ld_pair<double> e =
        evgpu_ld_sum(evgpu_dd{p.hi * scale, p.lo * scale}, evgpu_dd{1.0, 0.0});
    evgpu_ld_pair<double> q = evgpu_ld_ratio(evgpu_dd{-2.0, 0.0}, e);
    return __builtin_copysign(evgpu_ld_sum(evgpu_dd{1.0, 0.0}, q).hi, x);
}
EVGPU_NV double __nv_asinh(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (!(a < __builtin_inf()))
        return x;
    if (a < 0.5)
        return evgpu_ld_odd(x, z, evgpu_ld_asinh(z));
    evgpu_ld_pair<double> ln;
    if (a > 0x1p30) {
        ln = evgpu_ld_sum(evgpu_ld_log_pair(a),
                          evgpu_dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
    } else {
        double root = __nvvm_sqrt_rn_d(z + 1);
        evgpu_ld_pair<double> sum = evgpu_ld_sum(z, 1.0), square = evgpu_ld_product(root, root);
        double rest =
            (sum.hi - square.hi + (sum.lo - square.lo + evgpu_ld_fma(x, x, -z))) / (2 * root);
        evgpu_ld_pair<double> s = evgpu_ld_sum(a, root);
        ln = evgpu_ld_log_pair(s.hi);
        ln.lo += (s.lo + rest) / s.hi;
    }
    return __builtin_copysign(ln.hi + ln.lo, x);
}
EVGPU_NV double __nv_acosh(double x)
{
    if (!(x >= 1))
        return evgpu_ld_nan<evgpu_ld_double>();
    if (x > 0x1p30) {
        evgpu_ld_pair<double> ln =
            x < __builtin_inf() ? evgpu_ld_log_pair(x) : evgpu_ld_pair<double>{x, 0.0};
        return x < __builtin_inf()
                   ? evgpu_ld_sum(ln, evgpu_dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}).hi
                   : x;
    }
    double t = x - 1;
    return __nv_log1p(t + __nvvm_sqrt_rn_d(evgpu_ld_fma(t, t, t + t)));
}
EVGPU_NV double __nv_atanh(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (a < 0.5)
        return evgpu_ld_odd(x, z, evgpu_ld_atanh(z));
    if (!(a <= 1))
        return evgpu_ld_nan<evgpu_ld_double>();
    /* 1 - a is exact here. */
    evgpu_ld_pair<double> q = a < 1 ? evgpu_ld_ratio(evgpu_dd{2 * a, 0.0}, evgpu_dd{1 - a, 0.0})
                                    : evgpu_ld_pair<double>{__builtin_inf(), 0.0};
    return __builtin_copysign(0.5 * __nv_log1p(q.hi), x);
}

/* --- roots ----------------------------------------------------------------------------------- */
EVGPU_NV double __nv_rsqrt(double x)
{
    bool small = x < 0x1p-1000;
    double a = small ? x * 0x1p+200 : x, r = __nvvm_rsqrt_approx_d(a);
    if (!(x > 0 && x < __builtin_inf()))
        return r;
    for (int i = 0; i < 2; i++) { /* Newton: 20 bits, 40 bits, all */
        double e = evgpu_ld_fma(-(a * r), r, 1.0);
        r = evgpu_ld_fma(r * 0.5, e, r);
    }
    evgpu_ld_pair<double> p = evgpu_ld_product(a, r);
    double e = evgpu_ld_fma(-p.lo, r, evgpu_ld_fma(-p.hi, r, 1.0));
    r = evgpu_ld_fma(r * 0.5, e, r);
    return small ? r * 0x1p+100 : r;
}
/* Cube root of a normal number, its error, and the residue for one more step. */
EVGPU_LD double evgpu_ld_cube_root(double a)
{
    float start = __nvvm_ex2_approx_f(__nvvm_lg2_approx_f((float)a) * (1.0f / 3));
    double t = start;
    for (int i = 0; i < 2; i++) { /* Newton; the last from an accurate residue */
        evgpu_ld_pair<double> square = evgpu_ld_product(t, t);
        double rest = evgpu_ld_fma(-square.lo, t, evgpu_ld_fma(-square.hi, t, a));
        t = evgpu_ld_fma(rest, 1 / (3 * square.hi), t);
    }
    return t;
}
EVGPU_NV double __nv_cbrt(double x)
{
    int e;
    double m = evgpu_ld_split<evgpu_ld_double>(__builtin_fabs(x), &e);
    if (x == 0 || evgpu_ld_special<evgpu_ld_double>(x))
        return x;
    int third = (e + 3000) / 3 - 1000; /* e = 3 * third + 0, 1, 2 */
    double t = evgpu_ld_cube_root(evgpu_ld_scale<evgpu_ld_double>(m, e - 3 * third));
    return __builtin_copysign(evgpu_ld_scale<evgpu_ld_double>(t, third), x);
}
EVGPU_NV double __nv_rcbrt(double x)
{
    int e;
    double m = evgpu_ld_split<evgpu_ld_double>(__builtin_fabs(x), &e);
    if (x == 0 || evgpu_ld_special<evgpu_ld_double>(x))
        return 1 / x;
    int third = (e + 3000) / 3 - 1000;
    double a = evgpu_ld_scale<evgpu_ld_double>(m, e - 3 * third), t = 1 / evgpu_ld_cube_root(a);
    evgpu_ld_pair<double> square = evgpu_ld_product(t, t),
                          cube = evgpu_ld_product(square, evgpu_dd{t, 0.0});
    double rest = evgpu_ld_fma(-a, cube.lo, evgpu_ld_fma(-a, cube.hi, 1.0));
    t = evgpu_ld_fma(rest * t, 1.0 / 3, t);
    return __builtin_copysign(evgpu_ld_scale<evgpu_ld_double>(t, -third), x);
}

/* Square root of a sum of squares (or its inverse), scaled so that nothing overflows. */
EVGPU_LD double evgpu_ld_norm(const double *v, int n, bool inverse)
{
    double most = 0, sum = 0, low = 0;
    for (int i = 0; i < n; i++) {
        double a = __builtin_fabs(v[i]);
        if (a == __builtin_inf())
            return inverse ? 0 : a;
        most = a > most || a != a ? a : most;
    }
    if (most == 0 || most != most)
        return inverse ? 1 / most : most;
    int e;
    evgpu_ld_split<evgpu_ld_double>(most, &e);
    for (int i = 0; i < n; i++) {
        double a = evgpu_ld_scale<evgpu_ld_double>(v[i], -e);
        evgpu_ld_pair<double> s = evgpu_ld_product(a, a), t = evgpu_ld_sum(sum, s.hi);
        sum = t.hi;
        low += t.lo + s.lo;
    }
    double root = __nvvm_sqrt_rn_d(sum);
    double rest = (evgpu_ld_fma(-root, root, sum) + low) / (2 * root);
    if (!inverse)
        return evgpu_ld_scale<evgpu_ld_double>(root + rest, e);
    double r = evgpu_ld_div(1.0, root);
    r = evgpu_ld_fma(r, evgpu_ld_fma(-r, rest, evgpu_ld_fma(-r, root, 1.0)), r);
    return evgpu_ld_scale<evgpu_ld_double>(r, -e);
}
EVGPU_NV double __nv_hypot(double a, double b)
{
    double v[2] = {a, b};
    return evgpu_ld_norm(v, 2, false);
}
EVGPU_NV double __nv_rhypot(double a, double b)
{
    double v[2] = {a, b};
    return evgpu_ld_norm(v, 2, true);
}
EVGPU_NV double __nv_norm3d(double a, double b, double c)
{
    double v[3] = {a, b, c};
    return evgpu_ld_norm(v, 3, false);
}
EVGPU_NV double __nv_rnorm3d(double a, double b, double c)
{
    double v[3] = {a, b, c};
    return evgpu_ld_norm(v, 3, true);
}
EVGPU_NV double __nv_norm4d(double a, double b, double c, double d)
{
    double v[4] = {a, b, c, d};
    return evgpu_ld_norm(v, 4, false);
}
EVGPU_NV double __nv_rnorm4d(double a, double b, double c, double d)
{
    double v[4] = {a, b, c, d};
    return evgpu_ld_norm(v, 4, true);
}
EVGPU_NV double __nv_norm(int n, const double *v)
{
    return evgpu_ld_norm(v, n, false);
}
EVGPU_NV double __nv_rnorm(int n, const double *v)
{
    return evgpu_ld_norm(v, n, true);
}

#endif
