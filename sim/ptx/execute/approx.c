#include "sim/ptx/execute/approx.h"

#include "sim/ptx/execute/approx_lanes.h"

#include <math.h>
#include <stdbool.h>

/* --- sin and cos ---------------------------------------------------------------------------------
 */

/* 2/pi in binary, 32 bits a word, the first word right after the point. */
static const uint32_t two_over_pi[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
                                       0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561};

/* 64 bits of two_over_pi from bit `at` on, -32 or more; bits before the first are zero. */
static uint64_t window(int at)
{
    int first = (at + 32) / 32 - 1;
    unsigned __int128 words = 0;
    for (int i = first; i < first + 3; i++)
        words = words << 32 | (i < 0 ? 0 : two_over_pi[i]);
    return (uint64_t)(words >> (32 - (at - 32 * first)));
}

/* |x| = n * pi/2 + r, |r| <= pi/4; returns n modulo 4. A float is m * 2^e with a 24-bit m: of the
 * product with 2/pi only the bits around the binary point matter. */
static unsigned reduce(float x, double *r)
{
    uint32_t bits = bits_of_f32(x) & 0x7FFFFFFFu;
    int e = (int)(bits >> 23) - 150;
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

static bool infinite_or_nan(float x)
{
    return (bits_of_f32(x) & 0x7F800000u) == 0x7F800000u;
}

float approx_far_sin(float x)
{
    double r;
    if (infinite_or_nan(x))
        return NAN;
    unsigned n = reduce(x, &r);
    double v = n & 1 ? approx_cos_poly(r) : approx_sin_poly(r);
    if (n & 2)
        v = -v;
    return (float)(bits_of_f32(x) >> 31 ? -v : v);
}

float approx_far_cos(float x)
{
    double r;
    if (infinite_or_nan(x))
        return NAN;
    unsigned n = reduce(x, &r);
    double v = n & 1 ? approx_sin_poly(r) : approx_cos_poly(r);
    return (float)((n + 1) & 2 ? -v : v);
}

/* --- powers and logarithms of two ----------------------------------------------------------------
 */

float approx_ex2(float x)
{
    return approx_ex2_lane(x);
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
        double u = approx_exp2_double(-2.0 * 1.44269504088896340736 * a);
        v = (1.0 - u) / (1.0 + u);
    }
    return (float)(bits_of_f32(x) >> 31 ? -v : v);
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
    double x = f64_of(bits), r = kind == APPROX_RCP ? 1.0 / x : 1.0 / sqrt(x);
    uint64_t out = bits_of_f64(r) & 0xFFFFFFFF00000000u;
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
    double x = f64_of(bits), r = 1.0 / sqrt(x), h = x * r;
    if (bits == infinity)
        return 0;
    double rest = fma(-h, r, 1.0) - fma(x, r, -h) * r;
    return bits_of_f64(fma(0.5 * r, rest, r));
}
