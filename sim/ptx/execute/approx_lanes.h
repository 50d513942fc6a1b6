/* The functions of approx.h that kernels use most, without branches, so that a loop over lanes
 * becomes vectors: all ways are computed, and selections follow. Not a public header. */
#ifndef EVGPU_PTX_EXECUTE_APPROX_LANES_H
#define EVGPU_PTX_EXECUTE_APPROX_LANES_H

#include "sim/ptx/execute/vector.h"

/* By masks, since the compiler may make branches of choices. */
CLONED_PART float approx_choose(bool first, float a, float b)
{
    uint32_t mask = -(uint32_t)first;
    return f32_of((bits_of_f32(a) & mask) | (bits_of_f32(b) & ~mask));
}

/* 2^x for |x| below 1000. */
CLONED_PART double approx_exp2_double(double x)
{
    double shifted = x + 0x1.8p52; /* rounds to an integer, which is then in the lowest bits */
    double n = shifted - 0x1.8p52, t = (x - n) * 0.69314718055994530942, p = 1.0 / 39916800.0;
    p = p * t + 1.0 / 3628800.0;
    p = p * t + 1.0 / 362880.0;
    p = p * t + 1.0 / 40320.0;
    p = p * t + 1.0 / 5040.0;
    p = p * t + 1.0 / 720.0;
    p = p * t + 1.0 / 120.0;
    p = p * t + 1.0 / 24.0;
    p = p * t + 1.0 / 6.0;
    p = p * t + 1.0 / 2.0;
    p = p * t + 1.0;
    p = p * t + 1.0;
    return p * f64_of((bits_of_f64(shifted) + 1023) << 52);
}

CLONED_PART float approx_ex2_lane(float x)
{
    bool in = (x >= -160) & (x < 128);
    float result = (float)approx_exp2_double((double)approx_choose(in, x, 0));
    result = approx_choose(x >= 128, INFINITY, result);
    result = approx_choose(x < -160, 0, result);
    return approx_choose(x != x, NAN, result);
}

/* m * 2^e with m in [sqrt(1/2), sqrt(2)), and the series of 2 atanh((m - 1) / (m + 1)). */
CLONED_PART float approx_lg2_lane(float x)
{
    uint64_t bits = bits_of_f64((double)x);
    double m = f64_of((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull), half = m * 0.5;
    uint64_t high = -(uint64_t)(m > 1.41421356237309504880);
    int32_t e = (int32_t)(uint32_t)((bits >> 52) - high) - 1023;
    m = f64_of((bits_of_f64(half) & high) | (bits_of_f64(m) & ~high));
    double s = (m - 1.0) / (m + 1.0), s2 = s * s, p = 1.0 / 21;
    p = p * s2 + 1.0 / 19;
    p = p * s2 + 1.0 / 17;
    p = p * s2 + 1.0 / 15;
    p = p * s2 + 1.0 / 13;
    p = p * s2 + 1.0 / 11;
    p = p * s2 + 1.0 / 9;
    p = p * s2 + 1.0 / 7;
    p = p * s2 + 1.0 / 5;
    p = p * s2 + 1.0 / 3;
    p = p * s2 + 1.0 / 1;
    float result = (float)((double)e + 2.0 * s * p * 1.44269504088896340736);
    result = approx_choose(x == INFINITY, INFINITY, result);
    result = approx_choose(x == 0, -INFINITY, result);
    return approx_choose((x != x) | (x < 0), NAN, result);
}

CLONED_PART double approx_sin_poly(double r)
{
    double s = r * r;
    double p = -1.0 / 1307674368000.0;
    p = p * s + 1.0 / 6227020800.0;
    p = p * s - 1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return r * (1.0 + s * p);
}

CLONED_PART double approx_cos_poly(double r)
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

#define APPROX_NEAR 0x1p20f

/* sin(x + quarters * pi/2) for |x| < APPROX_NEAR: x = n * pi/2 + r, where the first part of pi/2
 * has so few bits that its product with n is exact. */
CLONED_PART float approx_circular_lane(float x, uint32_t quarters)
{
    double shifted = (double)x * 0.63661977236758134308 + 0x1.8p52, n = shifted - 0x1.8p52;
    double r = ((double)x - n * 0x1.921fb544p0) - n * 0x1.0b4611a626331p-34;
    uint64_t quadrant = bits_of_f64(shifted) + quarters, odd = -(quadrant & 1);
    uint64_t even = bits_of_f64(approx_sin_poly(r)), other = bits_of_f64(approx_cos_poly(r));
    return (float)f64_of(((even & ~odd) | (other & odd)) ^ (quadrant & 2) << 62);
}

CLONED_PART float approx_rsqrt_lane(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

/* Of a great divisor the quotient is 0 (PTX ISA, div.approx). */
CLONED_PART uint32_t approx_div_lane(uint32_t a, uint32_t b)
{
    float x = f32_of(a), y = f32_of(b), magnitude = fabsf(y);
    uint32_t quotient = canonical_f32(x / y), sign = (a ^ b) & 0x80000000u;
    uint32_t great = fabsf(x) == INFINITY ? NAN_F32 : sign;
    bool is_great = (magnitude > 0x1p126f) & (magnitude < INFINITY) & (x == x);
    return is_great ? great : quotient;
}

#endif
