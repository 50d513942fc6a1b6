#include "sim/ptx/execute/approx.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

float approx_rsqrt(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

/* --- sin and cos ---------------------------------------------------------------------------------
 */

/* 2/pi in binary, 32 bits a word, the first word right after the point. */
static const uint32_t two_over_pi[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
                                       0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561};

/* 64 bits of two_over_pi from bit `at` on; bits before the first are zero. */
static uint64_t window(int at)
{
    uint64_t w = 0;
    for (int i = 0; i < 64; i++) {
        int bit = at + i;
        uint64_t b = bit < 0 ? 0 : two_over_pi[bit / 32] >> (31 - bit % 32) & 1;
        w = w << 1 | b;
    }
    return w;
}

/* |x| = n * pi/2 + r, |r| <= pi/4; returns n modulo 4. A float is m * 2^e with a 24-bit m: of the
 * product with 2/pi only the bits around the binary point matter. */
static unsigned reduce(float x, double *r)
{
    uint32_t bits = bits_of(x) & 0x7FFFFFFFu;
    int e = (int)(bits >> 23) - 150;
    if (bits < 0x3F490FDAu) { /* below pi/4 */
        *r = fabs((double)x);
        return 0;
    }
    uint64_t m = (bits & 0x7FFFFFu) | 0x800000u;
    /* Two integer bits (the quadrant) and 126 fraction bits of m * 2^e * 2/pi. */
    unsigned __int128 high = window(e - 2), low = window(e + 62);
    unsigned __int128 product = (high * m << 64) + low * m;
    unsigned quadrant = (unsigned)(product >> 126);
    unsigned __int128 fraction = product << 2;
    bool up = fraction >> 127;
    if (up) {
        quadrant++;
        fraction = 0 - fraction;
    }
    double part = (double)(uint64_t)(fraction >> 64) * 0x1p-64;
    *r = (up ? -part : part) * 1.57079632679489661923;
    return quadrant & 3;
}

static double sin_poly(double r)
{
    double s = r * r;
    double p = -1.0 / 1307674368000.0;
    p = p * s + 1.0 / 6227020800.0;
    p = p * s - 1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return r + r * (s * p);
}

static double cos_poly(double r)
{
    double s = r * r;
    double p = 1.0 / 20922789888000.0;
    p = p * s - 1.0 / 87178291200.0;
    p = p * s + 1.0 / 479001600.0;
    p = p * s - 1.0 / 3628800.0;
    p = p * s + 1.0 / 40320.0;
    p = p * s - 1.0 / 720.0;
    p = p * s + 1.0 / 24.0;
    p = p * s - 1.0 / 2.0;
    return 1.0 + s * p;
}

static bool infinite_or_nan(float x)
{
    return (bits_of(x) & 0x7F800000u) == 0x7F800000u;
}

float approx_sin(float x)
{
    double r;
    if (infinite_or_nan(x))
        return NAN;
    if (x == 0)
        return x;
    unsigned n = reduce(x, &r);
    double v = n & 1 ? cos_poly(r) : sin_poly(r);
    if (n & 2)
        v = -v;
    return (float)(bits_of(x) >> 31 ? -v : v);
}

float approx_cos(float x)
{
    double r;
    if (infinite_or_nan(x))
        return NAN;
    unsigned n = reduce(x, &r);
    double v = n & 1 ? sin_poly(r) : cos_poly(r);
    return (float)((n + 1) & 2 ? -v : v);
}

/* --- powers and logarithms of two ----------------------------------------------------------------
 */

/* 2^x for |x| below 1000. */
static double exp2_double(double x)
{
    double shifted = x + 0x1.8p52; /* rounds to an integer */
    double n = shifted - 0x1.8p52, t = (x - n) * 0.69314718055994530942, p = 1.0 / 39916800.0;
    static const double inverse[] = {3628800.0, 362880.0, 40320.0, 5040.0, 720.0,
                                     120.0,     24.0,     6.0,     2.0,    1.0};
    for (unsigned i = 0; i < sizeof inverse / sizeof *inverse; i++)
        p = p * t + 1.0 / inverse[i];
    p = p * t + 1.0;
    return p * double_of((uint64_t)(1023 + (int)n) << 52);
}

float approx_ex2(float x)
{
    if (x != x)
        return NAN;
    if (x >= 128)
        return INFINITY;
    if (x < -160)
        return 0;
    return (float)exp2_double((double)x);
}

/* log2 of a finite positive number: m * 2^e with m in [sqrt(1/2), sqrt(2)), and the series of
 * 2 atanh((m - 1) / (m + 1)). */
float approx_lg2(float x)
{
    if (x != x || x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    if (x == INFINITY)
        return x;
    uint64_t bits = double_bits((double)x);
    int e = (int)(bits >> 52) - 1023;
    double m = double_of((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        e++;
    }
    double s = (m - 1.0) / (m + 1.0), s2 = s * s, p = 0.0;
    for (int k = 21; k >= 1; k -= 2)
        p = p * s2 + 1.0 / k;
    return (float)((double)e + 2.0 * s * p * 1.44269504088896340736);
}

/* (1 - u) / (1 + u), u = e^(-2|x|). Near zero the difference would cancel: the series there. */
float approx_tanh(float x)
{
    double a = fabs((double)x), v;
    if (x != x)
        return NAN;
    if (a > 20.0) {
        v = 1.0;
    } else if (a < 0.125) {
        double s = a * a;
        v = a * (1.0 +
                 s * (-1.0 / 3.0 +
                      s * (2.0 / 15.0 +
                           s * (-17.0 / 315.0 + s * (62.0 / 2835.0 + s * (-1382.0 / 155925.0))))));
    } else {
        double u = exp2_double(-2.0 * 1.44269504088896340736 * a);
        v = (1.0 - u) / (1.0 + u);
    }
    return (float)(bits_of(x) >> 31 ? -v : v);
}

/* --- f64 -----------------------------------------------------------------------------------------
 */

uint64_t approx_f64(uint64_t bits, enum approx_kind kind)
{
    uint64_t sign = bits & 1ull << 63, infinity = 0x7FFull << 52;
    if ((bits & ~sign) > infinity)
        return 0x7FF8000000000000u;
    if ((bits & ~sign) < 1ull << 52)
        return sign | infinity; /* subnormal operands count as zero */
    if (kind == APPROX_RSQRT && sign)
        return 0x7FF8000000000000u;
    double x = double_of(bits), r = kind == APPROX_RCP ? 1.0 / x : 1.0 / sqrt(x);
    uint64_t out = double_bits(r) & 0xFFFFFFFF00000000u;
    return (out & ~sign) < 1ull << 52 ? sign : out;
}

/* By division and square root, which are correctly rounded, and the residual 1 - x r^2. */
uint64_t rsqrt_f64(uint64_t bits)
{
    uint64_t sign = bits & 1ull << 63, infinity = 0x7FFull << 52;
    if ((bits & ~sign) > infinity || (sign && bits != sign))
        return 0x7FF8000000000000u;
    if (bits == sign)
        return sign | infinity;
    double x = double_of(bits), r = 1.0 / sqrt(x), h = x * r;
    if (bits == infinity)
        return 0;
    double rest = fma(-h, r, 1.0) - fma(x, r, -h) * r;
    return double_bits(fma(0.5 * r, rest, r));
}
