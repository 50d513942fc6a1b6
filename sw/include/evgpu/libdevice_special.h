/* Error functions, gamma and Bessel functions; included by libdevice.h. Single precision goes
 * through double. */
#ifndef EVGPU_SW_LIBDEVICE_SPECIAL_H
#define EVGPU_SW_LIBDEVICE_SPECIAL_H

/* A row of a table of pieces: centre, its low part, coefficients from the constant on. */
EVGPU_LD double evgpu_ld_piece(const double *row, int terms, double x)
{
    double t = evgpu_ld_add(evgpu_ld_add(x, -row[0]), -row[1]), p = row[terms + 1];
    for (int i = terms; i >= 2; i--)
        p = evgpu_ld_fma(p, t, row[i]);
    return p;
}

/* --- error functions ------------------------------------------------------------------------- */

/* e^(x^2) erfc(x) for x >= 0. */
EVGPU_LD double evgpu_ld_scaled(double x)
{
    if (x > 1e10) /* 1 / (x sqrt(pi)) */
        return 0x1.20dd750429b6dp-1 / x;
    return evgpu_ld_erfcx_fit((x - 4) / (x + 4)) / evgpu_ld_fma(2.0, x, 1.0);
}
/* e^-(x.hi + x.lo)^2 */
EVGPU_LD double evgpu_ld_bell(evgpu_ld_pair<double> x)
{
    evgpu_ld_pair<double> s = evgpu_ld_product(x, x);
    return evgpu_ld_exp_of(evgpu_dd{-s.hi, -s.lo});
}
EVGPU_LD double evgpu_ld_erfc_pair(evgpu_ld_pair<double> x)
{
    double a = __builtin_fabs(x.hi);
    if (x.hi != x.hi)
        return x.hi;
    if (a < 0.5)
        return 1 - x.hi * evgpu_ld_erf_small(x.hi * x.hi);
    if (a > 28)
        return x.hi > 0 ? 0 : 2;
    double v = evgpu_ld_bell(x) * evgpu_ld_scaled(a);
    return x.hi > 0 ? v : 2 - v;
}
EVGPU_NV double __nv_erf(double x)
{
    double a = __builtin_fabs(x);
    if (a < 0.5)
        return x * evgpu_ld_erf_small(x * x);
    if (x != x)
        return x;
    double v = a < 6 ? evgpu_ld_piece(evgpu_ld_erf_table[(int)(2 * a - 1)], 17, a) : 1;
    return __builtin_copysign(v, x);
}
EVGPU_NV double __nv_erfc(double x)
{
    return evgpu_ld_erfc_pair(evgpu_dd{x, 0});
}
EVGPU_NV double __nv_erfcx(double x)
{
    if (x >= 0 || x != x)
        return x != x ? x : evgpu_ld_scaled(x);
    if (x < -27)
        return __builtin_inf();
    evgpu_ld_pair<double> s = evgpu_ld_product(x, x);
    return 2 * evgpu_ld_exp_of(s) - evgpu_ld_scaled(-x);
}
EVGPU_NV double __nv_normcdf(double x)
{
    if (x < -40)
        return 0;
    if (x > 40)
        return 1;
    return 0.5 * evgpu_ld_erfc_pair(evgpu_ld_product(
                     evgpu_dd{-x, 0.0}, evgpu_dd{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}));
}

/* From Winitzki's approximation, whose relative error is about 10^-3. `tail` is the smaller of the
 * two areas, so that it has all its digits. */
EVGPU_LD double evgpu_ld_inverse_erfc(double tail) /* 0 < tail <= 1/2 */
{
    int e;
    double m = evgpu_ld_split<evgpu_ld_double>(tail, &e);
    double ln = (double)__nvvm_lg2_approx_f((float)m) + e; /* ln(1 - erf^2) = ln(tail (2 - tail)) */
    ln = (ln + (double)__nvvm_lg2_approx_f((float)(2 - tail))) * 0.6931471805599453;
    double b = 4.3307467508 + 0.5 * ln; /* 2 / (pi a), a = 0.147 */
    double x = __nvvm_sqrt_rn_d(__nvvm_sqrt_rn_d(b * b - ln / 0.147) - b);
    if (tail < 1e-3) { /* Newton's method on the logarithm: small tails have none to spare */
        double target = __nv_log(tail);
        for (int i = 0; i < 4; i++) {
            double scaled = evgpu_ld_scaled(x),
                   rest = evgpu_ld_fma(-x, x, __nv_log(scaled)) - target;
            x += rest * scaled * 0.8862269254527580;
        }
        return x;
    }
    for (int i = 0; i < 3; i++) { /* Halley's */
        double rest =
            (__nv_erfc(x) - tail) / (1.1283791670955126 * evgpu_ld_bell(evgpu_dd{x, 0.0}));
        x += rest / (1 - x * rest);
    }
    return x;
}
EVGPU_NV double __nv_erfinv(double y)
{
    double a = __builtin_fabs(y);
    if (!(a < 1))
        return a == 1 ? __builtin_copysign(__builtin_inf(), y) : evgpu_ld_nan<evgpu_ld_double>();
    if (a > 0.5)
        return __builtin_copysign(evgpu_ld_inverse_erfc(1 - a), y);
    double x = 0.8862269254527580 * y; /* the slope at 0; converges from below */
    for (int i = 0; i < 4 && y != 0; i++) {
        double z = x * x;
        double rest = (x * evgpu_ld_erf_small(z) - y) /
                      (1.1283791670955126 * evgpu_ld_bell(evgpu_dd{x, 0.0}));
        x -= rest / (1 + x * rest);
    }
    return x;
}
EVGPU_NV double __nv_erfcinv(double y)
{
    if (!(y >= 0 && y <= 2))
        return evgpu_ld_nan<evgpu_ld_double>();
    if (y == 0 || y == 2)
        return y == 0 ? __builtin_inf() : -__builtin_inf();
    if (y < 0.5)
        return evgpu_ld_inverse_erfc(y);
    return y > 1.5 ? -evgpu_ld_inverse_erfc(2 - y) : __nv_erfinv(1 - y);
}
EVGPU_NV double __nv_normcdfinv(double y)
{
    /* y = erfc(-x / sqrt(2)) / 2; doubling is exact. */
    return -0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2 * y);
}

/* --- gamma ----------------------------------------------------------------------------------- */

/* ln gamma(x) for x >= 8, by Stirling's formula. */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_stirling_pair(double x)
{
    evgpu_ld_pair<double> p = evgpu_ld_product(evgpu_ld_log_pair(x), evgpu_dd{x - 0.5, 0.0});
    p = evgpu_ld_sum(p, evgpu_dd{-x, 0.0});
    p = evgpu_ld_sum(p, evgpu_dd{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55}); /* ln(2 pi) / 2 */
    return evgpu_ld_sum(p, evgpu_dd{x < 1e17 ? evgpu_ld_stirling(1 / (x * x)) / x : 0.0, 0.0});
}
/* gamma(x) for 0 < x < 20: a product down or up to [1, 2], kept in two words. */
EVGPU_LD evgpu_ld_pair<double> evgpu_ld_gamma_product(double x)
{
    evgpu_ld_pair<double> p = {1, 0}, q = {1, 0};
    while (x > 2) {
        x -= 1;
        p = evgpu_ld_product(p, evgpu_dd{x, 0.0});
    }
    evgpu_ld_pair<double> at = {x, 0};
    if (x < 1) {
        q = {x, 0};
        at = evgpu_ld_sum(x, 1.0);
    }
    double g = evgpu_ld_gamma_fit((at.hi - 1.5) + at.lo);
    return evgpu_ld_ratio(evgpu_ld_product(p, evgpu_dd{g, 0.0}), q);
}
EVGPU_NV double __nv_tgamma(double x)
{
    double a = __builtin_fabs(x);
    if (x != x || x == __builtin_inf())
        return x;
    if (x == 0)
        return 1 / x;
    if (x < 0 && x == __builtin_floor(x))
        return evgpu_ld_nan<evgpu_ld_double>();
    if (x > 172 || (x > 0 && x < 0x1p-1024))
        return __builtin_inf();
    if (x > 0)
        return x < 20 ? evgpu_ld_gamma_product(x).hi : evgpu_ld_exp_of(evgpu_ld_stirling_pair(x));
    if (x < -184)
        return __builtin_copysign(0.0, __nv_sinpi(x));
    /* gamma(x) gamma(-x) = -pi / (x sin(pi x)) */
    if (a < 1e-300)
        return 1 / x;
    double sine = __nv_sinpi(a) * a;
    if (a < 20)
        return -0x1.921fb54442d18p+1 / sine / evgpu_ld_gamma_product(a).hi;
    evgpu_ld_pair<double> ln = evgpu_ld_stirling_pair(a);
    return -0x1.921fb54442d18p+1 / sine * evgpu_ld_exp_of(evgpu_dd{-ln.hi, -ln.lo});
}
EVGPU_NV double __nv_lgamma(double x)
{
    double a = __builtin_fabs(x);
    if (!(a < __builtin_inf()))
        return a;
    if (a == 0 || (x < 0 && x == __builtin_floor(x)))
        return __builtin_inf();
    double v;
    if (a < 0.75)
        v = evgpu_ld_piece(evgpu_ld_lgamma_table[(int)(2 * a + 0.5)], 19, a + 1) - __nv_log(a);
    else if (a < 8)
        v = evgpu_ld_piece(evgpu_ld_lgamma_table[(int)(2 * a - 1.5)], 19, a);
    else if (a > 1e306)
        v = __builtin_inf();
    else
        v = evgpu_ld_stirling_pair(a).hi;
    if (x > 0)
        return v;
    if (a < 1e-19)
        return -__nv_log(a);
    return __nv_log(0x1.921fb54442d18p+1 / __builtin_fabs(a * __nv_sinpi(a))) - v;
}

/* --- Bessel ---------------------------------------------------------------------------------- */

/* Hankel's expansion for x >= 8, order 0 or 1, first or second kind. */
EVGPU_LD double evgpu_ld_hankel(double x, int order, bool second)
{
    double t = 8 / x, z = t * t, s, c;
    double p = order ? evgpu_ld_bessel_p1(z) : evgpu_ld_bessel_p0(z);
    double q = t * (order ? evgpu_ld_bessel_q1(z) : evgpu_ld_bessel_q0(z));
    if (x == __builtin_inf())
        return 0;
    __nv_sincos(x, &s, &c);
    /* cosine and sine of x - (2 order + 1) pi / 4, times sqrt(2) */
    double cosine = order ? s - c : s + c, sine = order ? -s - c : s - c;
    double v = second ? p * sine + q * cosine : p * cosine - q * sine;
    return v * 0x1.20dd750429b6dp-1 / __nvvm_sqrt_rn_d(x); /* 1 / sqrt(pi x) */
}
EVGPU_NV double __nv_j0(double x)
{
    x = __builtin_fabs(x);
    if (!(x < 8))
        return x != x ? x : evgpu_ld_hankel(x, 0, false);
    return evgpu_ld_piece(evgpu_ld_j0_table[(int)(2 * x)], 15, x);
}
EVGPU_NV double __nv_j1(double x)
{
    double a = __builtin_fabs(x), v;
    if (x == 0)
        return x;
    if (!(a < 8))
        v = a != a ? a : evgpu_ld_hankel(a, 1, false);
    else
        v = evgpu_ld_piece(evgpu_ld_j1_table[(int)(2 * a)], 15, a);
    return x < 0 ? -v : v;
}
EVGPU_NV double __nv_y0(double x)
{
    if (!(x > 0))
        return x == 0 ? -__builtin_inf() : evgpu_ld_nan<evgpu_ld_double>();
    if (x >= 8)
        return evgpu_ld_hankel(x, 0, true);
    if (x >= 0.75)
        return evgpu_ld_piece(evgpu_ld_y0_table[(int)(2 * x - 1.5)], 21, x);
    return evgpu_ld_fma(0x1.45f306dc9c883p-1 * __nv_log(x), __nv_j0(x), evgpu_ld_y0_small(x * x));
}
EVGPU_NV double __nv_y1(double x)
{
    if (!(x > 0))
        return x == 0 ? -__builtin_inf() : evgpu_ld_nan<evgpu_ld_double>();
    if (x >= 8)
        return evgpu_ld_hankel(x, 1, true);
    if (x >= 0.75)
        return evgpu_ld_piece(evgpu_ld_y1_table[(int)(2 * x - 1.5)], 21, x);
    double near =
        evgpu_ld_fma(0x1.45f306dc9c883p-1 * __nv_log(x), __nv_j1(x), x * evgpu_ld_y1_small(x * x));
    return near - 0x1.45f306dc9c883p-1 / x;
}
EVGPU_NV double __nv_yn(int n, double x)
{
    if (n < 0)
        return evgpu_ld_nan<evgpu_ld_double>();
    double before = __nv_y0(x), now = __nv_y1(x);
    if (n == 0)
        return before;
    for (int k = 1; k < n && now > -__builtin_inf(); k++) {
        double next = 2 * k / x * now - before;
        before = now;
        now = next;
    }
    return now;
}
EVGPU_NV double __nv_jn(int n, double x)
{
    double a = __builtin_fabs(x);
    if (n < 0)
        return evgpu_ld_nan<evgpu_ld_double>();
    if (n == 0 || a == 0 || a != a)
        return n == 0 ? __nv_j0(x) : x * 0;
    double v;
    if (a > n) { /* upwards, which is stable here */
        double before = __nv_j0(a);
        v = __nv_j1(a);
        for (int k = 1; k < n; k++) {
            double next = 2 * k / a * v - before;
            before = v;
            v = next;
        }
    } else { /* downwards from where it is nothing; J0 + 2 J2 + 2 J4 ... = 1 scales it */
        int from = 2 * ((n + 20 + (int)__nvvm_sqrt_rn_d(50.0 * n)) / 2);
        double above = 0, now = 1e-300, sum = 0;
        v = 0;
        for (int k = from; k > 0; k--) {
            double below = 2 * k / a * now - above;
            above = now;
            now = below;
            if (__builtin_fabs(now) > 1e250) {
                now *= 1e-250;
                above *= 1e-250;
                sum *= 1e-250;
                v *= 1e-250;
            }
            if (k - 1 == n)
                v = now;
            if (k & 1)
                sum += k == 1 ? now : 2 * now;
        }
        v /= sum;
    }
    return x < 0 && (n & 1) ? -v : v;
}
/* Modified, first kind, order 0 or 1: the power series, then an expansion in 1 / x. */
EVGPU_LD double evgpu_ld_modified(double x, int order)
{
    double a = __builtin_fabs(x), v;
    if (!(a < __builtin_inf()))
        return order ? x : a;
    if (a < 15) {
        double z = 0.25 * a * a, term = 1, k = 1;
        v = 1;
        while (term > v * 0x1p-56) {
            term *= z / (k * (k + order));
            v += term;
            k += 1;
        }
        v = order ? 0.5 * a * v : v;
    } else {
        double t = 15 / a, half = __nv_exp(0.5 * a);
        double p = order ? evgpu_ld_bessel_i1_fit(t) : evgpu_ld_bessel_i0_fit(t);
        v = half * (p / __nvvm_sqrt_rn_d(a)) * half;
    }
    return order && x < 0 ? -v : v;
}
EVGPU_NV double __nv_cyl_bessel_i0(double x)
{
    return evgpu_ld_modified(x, 0);
}
EVGPU_NV double __nv_cyl_bessel_i1(double x)
{
    return evgpu_ld_modified(x, 1);
}

EVGPU_LD_WIDE(erf)
EVGPU_LD_WIDE(erfc)
EVGPU_LD_WIDE(erfcx)
EVGPU_LD_WIDE(erfinv)
EVGPU_LD_WIDE(erfcinv)
EVGPU_LD_WIDE(normcdf)
EVGPU_LD_WIDE(normcdfinv)
EVGPU_LD_WIDE(tgamma)
EVGPU_LD_WIDE(lgamma)
EVGPU_LD_WIDE(j0)
EVGPU_LD_WIDE(j1)
EVGPU_LD_WIDE(y0)
EVGPU_LD_WIDE(y1)
EVGPU_LD_WIDE(cyl_bessel_i0)
EVGPU_LD_WIDE(cyl_bessel_i1)
#undef EVGPU_LD_WIDE
EVGPU_NV float __nv_jnf(int n, float x)
{
    return (float)__nv_jn(n, (double)x);
}
EVGPU_NV float __nv_ynf(int n, float x)
{
    return (float)__nv_yn(n, (double)x);
}

#endif
