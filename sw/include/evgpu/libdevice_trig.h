/* Trigonometric functions; included by libdevice.h. Arguments of any size are reduced with as many
 * bits of 2 / pi as they need. */
#ifndef EVGPU_SW_LIBDEVICE_TRIG_H
#define EVGPU_SW_LIBDEVICE_TRIG_H

/* 2 / pi, 64 bits a word, the first word right after the point. */
static __device__ const unsigned long long __attribute__((unused)) evgpu_ld_two_over_pi[20] = {
    0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484,
    0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D};

/* 64 bits of it from bit `at` (not negative) on. */
EVGPU_LD unsigned long long evgpu_ld_window(int at)
{
    int word = at >> 6, shift = at & 63;
    unsigned long long high = evgpu_ld_two_over_pi[word];
    return shift ? high << shift | evgpu_ld_two_over_pi[word + 1] >> (64 - shift) : high;
}

/* Payne and Hanek: |x| = m * 2^e with a whole m; of m * 2 / pi * 2^e only the bits around the point
 * matter. Two bits before the point are the quadrant, 190 after it the angle. */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_reduce_large(double x, int *quadrant)
{
    typedef unsigned long long Word;
    Word bits = evgpu_ld_double::bits(x), m = (bits & 0xFFFFFFFFFFFFFull) | 1ull << 52;
    int e = evgpu_ld_exponent_field<evgpu_ld_double>(x) - 1075, at = e - 2;
    /* A window that begins before the point has zeros there. */
    Word w[3];
    for (int i = 0; i < 3; i++) {
        int from = at + 64 * i;
        w[i] = from >= 0    ? evgpu_ld_window(from)
               : from > -64 ? evgpu_ld_two_over_pi[0] >> -from
                            : 0;
    }
    /* m * w modulo 2^192 */
    Word low = m * w[2], carry = __nvvm_mulhi_ull(m, w[2]);
    Word mid = m * w[1] + carry, high = m * w[0] + __nvvm_mulhi_ull(m, w[1]) + (mid < carry);
    *quadrant = (int)(high >> 62);
    high = high << 2 | mid >> 62;
    mid = mid << 2 | low >> 62;
    bool up = high >> 63;
    if (up) {
        *quadrant += 1;
        high = ~high;
        mid = ~mid;
    }
    /* Fraction of a quarter turn: 128 bits in two doubles, times pi / 2. */
    int zeros = high ? __builtin_clzll(high) : 64;
    if (zeros == 64) {
        high = mid;
        mid = 0;
    } else if (zeros) {
        high = high << zeros | mid >> (64 - zeros);
        mid <<= zeros;
    }
    double scale = evgpu_ld_power<evgpu_ld_double>(-64 - zeros);
    double top = (double)(high & ~0x7FFull) * scale;
    double rest = ((double)(high & 0x7FF) + (double)mid * 0x1p-64) * scale;
    evgpu_ld_pair<double> r = evgpu_ld_product(
        evgpu_ld_sum_ordered(top, rest), evgpu_dd{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
    bool negative = up != (bits >> 63 != 0);
    *quadrant = bits >> 63 ? -*quadrant : *quadrant;
    return {negative ? -r.hi : r.hi, negative ? -r.lo : r.lo};
}

/* x = n * pi / 2 + pair, |pair| <= pi / 4 (a trifle more); *quadrant is n modulo 4. */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_reduce(double x, int *quadrant)
{
    double a = __builtin_fabs(x);
    *quadrant = 0;
    if (a <= 0x1.921fb54442d18p-1)
        return {x, 0};
    if (a > 0x1p20)
        return evgpu_ld_reduce_large(x, quadrant);
    double n = __builtin_rint(x * 0x1.45f306dc9c883p-1);
    /* The first two parts of pi / 2 have 33 bits: their products with n are exact. */
    double t = evgpu_ld_fma(-n, 0x1.921fb544p+0, x);
    evgpu_ld_pair<double> r = evgpu_ld_sum(t, -n * 0x1.0b4611a6p-34);
    evgpu_ld_pair<double> p = evgpu_ld_product(n, 0x1.3198a2e037073p-69);
    evgpu_ld_pair<double> s = evgpu_ld_sum(r.hi, -p.hi);
    double low = r.lo - p.lo + s.lo - n * 0x1.129024e088a68p-123;
    *quadrant = (int)(long long)n;
    return evgpu_ld_sum_ordered(s.hi, low);
}
EVGPU_LD evgpu_dd evgpu_ld_sine(evgpu_ld_pair<double> r)
{
    double z = r.hi * r.hi;
    double low = evgpu_ld_fma(r.hi * z, evgpu_ld_sin(z), evgpu_ld_fma(-0.5 * z, r.lo, r.lo));
    return evgpu_ld_sum_ordered(r.hi, low);
}
EVGPU_LD evgpu_dd evgpu_ld_cosine(evgpu_ld_pair<double> r)
{
    double z = r.hi * r.hi, half = 0.5 * z;
    evgpu_ld_pair<double> s = evgpu_ld_sum_ordered(1.0, -half);
    double low = s.lo - 0.5 * evgpu_ld_fma(r.hi, r.hi, -z);
    return evgpu_ld_sum_ordered(
        s.hi, evgpu_ld_add(low, evgpu_ld_fma(z * z, evgpu_ld_cos(z), -r.hi * r.lo)));
}
EVGPU_LD double evgpu_ld_quarter(evgpu_ld_pair<double> r, int quadrant, bool cosine)
{
    int n = quadrant + cosine;
    double v = n & 1 ? evgpu_ld_cosine(r).hi : evgpu_ld_sine(r).hi;
    return n & 2 ? -v : v;
}
EVGPU_NV double __nv_sin(double x)
{
    int n;
    if (evgpu_ld_special<evgpu_ld_double>(x))
        return evgpu_ld_nan<evgpu_ld_double>();
    if (__builtin_fabs(x) < 0x1p-27)
        return x;
    evgpu_ld_pair<double> r = evgpu_ld_reduce(x, &n);
    return evgpu_ld_quarter(r, n, false);
}
EVGPU_NV double __nv_cos(double x)
{
    int n;
    if (evgpu_ld_special<evgpu_ld_double>(x))
        return evgpu_ld_nan<evgpu_ld_double>();
    evgpu_ld_pair<double> r = evgpu_ld_reduce(x, &n);
    return evgpu_ld_quarter(r, n, true);
}
EVGPU_NV void __nv_sincos(double x, double *s, double *c)
{
    int n;
    if (evgpu_ld_special<evgpu_ld_double>(x)) {
        *s = *c = evgpu_ld_nan<evgpu_ld_double>();
        return;
    }
    evgpu_ld_pair<double> r = evgpu_ld_reduce(x, &n);
    *s = __builtin_fabs(x) < 0x1p-27 ? x : evgpu_ld_quarter(r, n, false);
    *c = evgpu_ld_quarter(r, n, true);
}
EVGPU_NV double __nv_tan(double x)
{
    int n;
    if (evgpu_ld_special<evgpu_ld_double>(x))
        return evgpu_ld_nan<evgpu_ld_double>();
    if (__builtin_fabs(x) < 0x1p-27)
        return x;
    evgpu_ld_pair<double> r = evgpu_ld_reduce(x, &n);
    evgpu_dd s = evgpu_ld_sine(r), c = evgpu_ld_cosine(r);
    return n & 1 ? -evgpu_ld_ratio(c, s).hi : evgpu_ld_ratio(s, c).hi;
}

/* pi * (x - *quadrant / 2) */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_reduce_pi(double x, int *quadrant)
{
    double turn = x - 2 * __builtin_rint(0.5 * x); /* exact, in [-1, 1] */
    double n = __builtin_rint(2 * turn);
    *quadrant = (int)n;
    return evgpu_ld_product(evgpu_dd{turn - 0.5 * n, 0},
                            evgpu_dd{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53});
}
EVGPU_NV void __nv_sincospi(double x, double *s, double *c)
{
    int n;
    if (evgpu_ld_special<evgpu_ld_double>(x)) {
        *s = *c = evgpu_ld_nan<evgpu_ld_double>();
        return;
    }
    evgpu_ld_pair<double> r = evgpu_ld_reduce_pi(x, &n);
    double sine = evgpu_ld_quarter(r, n, false);
    *s = x == __builtin_trunc(x) ? __builtin_copysign(0.0, x) : sine;
    *c = evgpu_ld_quarter(r, n, true) + 0.0;
}
EVGPU_NV double __nv_sinpi(double x)
{
    double s, c;
    __nv_sincospi(x, &s, &c);
    return s;
}
EVGPU_NV double __nv_cospi(double x)
{
    double s, c;
    __nv_sincospi(x, &s, &c);
    return c;
}

/* --- inverses -------------------------------------------------------------------------------- */

/* atan of a >= 0 (the ratio a.hi + a.lo), as base + t + small: a pair. */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_arc(evgpu_ld_pair<double> a)
{
    evgpu_ld_pair<double> base = {0, 0}, t = a;
    if (a.hi > 2) {
        base = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
        t = a.hi < __builtin_inf() ? evgpu_ld_ratio(evgpu_dd{-1.0, 0.0}, a)
                                   : evgpu_ld_pair<double>{0, 0};
    } else if (a.hi > 0.5) {
        base = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
        t = evgpu_ld_ratio(evgpu_ld_sum(a, evgpu_dd{-1.0, 0.0}),
                           evgpu_ld_sum(evgpu_dd{1.0, 0.0}, a));
    }
    double z = t.hi * t.hi;
    double rest = evgpu_ld_fma(t.hi * z, evgpu_ld_atan(z), evgpu_ld_fma(-z, t.lo, t.lo));
    return evgpu_ld_sum(base, evgpu_ld_sum_ordered(t.hi, rest));
}
EVGPU_NV double __nv_atan(double x)
{
    if (x != x)
        return x;
    return __builtin_copysign(evgpu_ld_arc(evgpu_dd{__builtin_fabs(x), 0.0}).hi, x);
}
EVGPU_NV double __nv_atan2(double y, double x)
{
    double ax = __builtin_fabs(x), ay = __builtin_fabs(y);
    if (x != x || y != y)
        return evgpu_ld_nan<evgpu_ld_double>();
    evgpu_ld_pair<double> a;
    if (ax == ay)
        a = {x == 0 ? 0.0 : 0x1.921fb54442d18p-1, x == 0 ? 0.0 : 0x1.1a62633145c07p-55};
    else if (ax == 0 || ay == __builtin_inf())
        a = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    else if (ay == 0 || ax == __builtin_inf())
        a = {0, 0};
    else {
        double q = ay / ax;
        /* The low part only where the products of the division are exact. */
        bool exact = ax > 0x1p-900 && ay > 0x1p-900 && q > 0x1p-900 && q < 0x1p900;
        a = evgpu_ld_arc(evgpu_dd{q, exact ? evgpu_ld_fma(-q, ax, ay) / ax : 0.0});
        if (q == __builtin_inf())
            a = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    }
    if (__builtin_signbit(x))
        a = evgpu_ld_sum(evgpu_dd{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                         evgpu_dd{-a.hi, -a.lo});
    return __builtin_copysign(a.hi, y);
}
/* asin(sqrt(z)) for z <= 1/4 as a pair: what asin and acos need near 1. */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_half_arc(double z)
{
    double s = __nvvm_sqrt_rn_d(z), c = s == 0 ? 0 : evgpu_ld_fma(-s, s, z) / (2 * s);
    return evgpu_ld_sum_ordered(s, evgpu_ld_fma(s * z, evgpu_ld_asin(z), c));
}
EVGPU_NV double __nv_asin(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (a < 0.5)
        return evgpu_ld_odd(x, z, evgpu_ld_asin(z));
    if (!(a <= 1))
        return evgpu_ld_nan<evgpu_ld_double>();
    evgpu_ld_pair<double> h = evgpu_ld_half_arc(0.5 * (1 - a));
    return __builtin_copysign(evgpu_ld_sum(evgpu_dd{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                           evgpu_dd{-2 * h.hi, -2 * h.lo})
                                  .hi,
                              x);
}
EVGPU_NV double __nv_acos(double x)
{
    double a = __builtin_fabs(x), z = x * x;
    if (a < 0.5) {
        evgpu_ld_pair<double> s = evgpu_ld_sum_ordered(x, x * z * evgpu_ld_asin(z));
        return evgpu_ld_sum(evgpu_dd{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                            evgpu_dd{-s.hi, -s.lo})
            .hi;
    }
    if (!(a <= 1))
        return evgpu_ld_nan<evgpu_ld_double>();
    evgpu_ld_pair<double> h = evgpu_ld_half_arc(0.5 * (1 - a));
    if (x > 0)
        return 2 * h.hi;
    return evgpu_ld_sum(evgpu_dd{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                        evgpu_dd{-2 * h.hi, -2 * h.lo})
        .hi;
}

#endif
