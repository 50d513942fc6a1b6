/* f16 to and from other floats in a form that the compiler vectorises, rounded to nearest. */
#ifndef EVGPU_PTX_EXECUTE_HALF_LANES_H
#define EVGPU_PTX_EXECUTE_HALF_LANES_H

#include "sim/ptx/execute/vector.h"

#define HALF_INFINITY 0x7C00u
#define NAN_F16       0x7FFFu

/* The bits of an f32. */
CLONED_PART uint32_t f32_of_half(uint32_t h)
{
    uint32_t sign = h << 16 & 0x80000000u, rest = h & 0x7FFF, fraction = h & 0x3FF;
    uint32_t small = bits_of_f32((float)(int32_t)fraction * 0x1p-24f);
    uint32_t normal = (rest << 13) + (112u << 23);
    return rest > HALF_INFINITY    ? NAN_F32
           : rest == HALF_INFINITY ? sign | 0x7F800000u
           : rest < 0x400          ? sign | small
                                   : sign | normal;
}

/* Of the bits of an f32. Below 2^-14 the sum with 0.5, whose last bit is that of a subnormal f16,
 * rounds; else the bits themselves do, ties to even. */
CLONED_PART uint32_t half_of_f32(uint32_t bits)
{
    uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7FFFFFFF;
    uint32_t small = bits_of_f32(f32_of(rest) + 0.5f) - bits_of_f32(0.5f);
    uint32_t normal = (rest + 0xFFF + (rest >> 13 & 1) - (112u << 23)) >> 13;
    return rest > 0x7F800000u    ? NAN_F16
           : rest >= 0x477FF000u ? sign | HALF_INFINITY /* 65520 */
           : rest < 0x38800000u  ? sign | small
                                 : sign | normal;
}

/* The sum with a power of two whose last bit is that of the f16 rounds; the difference is exact. */
CLONED_PART uint32_t half_of_f64(double x)
{
    double size = fabs(x);
    uint64_t exponent = bits_of_f64(size) >> 52, least = 1023 - 14;
    double power = f64_of(((exponent < least ? least : exponent) + 42) << 52);
    uint32_t sign = (uint32_t)(bits_of_f64(x) >> 48) & 0x8000;
    uint32_t finite = half_of_f32(bits_of_f32((float)(size + power - power)));
    return x != x ? NAN_F16 : size >= 65536 ? sign | HALF_INFINITY : sign | finite;
}

#endif
