/* cvt between all types, with every rounding mode and saturation. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/parse/ast.h"

#define INTEGRAL 4u /* op.round: rounds to an integer (.rni and the like) */

/* --- rounding without the host's rounding modes --------------------------------------------------
 */

static double to_integral(double x, uint8_t mode)
{
    switch (mode & 3) {
    case ROUND_NEAREST: {
        /* Half to even: floor, then the remainder, which is exact. */
        double low = floor(x), rest = x - low;
        if (rest > 0.5 || (rest == 0.5 && fmod(low, 2.0) != 0.0))
            low += 1.0;
        return low == 0 ? copysign(low, x) : low;
    }
    case ROUND_ZERO:
        return trunc(x);
    case ROUND_DOWN:
        return floor(x);
    default:
        return ceil(x);
    }
}

/* One step of a float away from zero or towards it. */
static uint32_t step_f32(uint32_t bits, bool away)
{
    return away ? bits + 1 : bits - 1;
}

/* A result `f` rounded to nearest, not zero, moved as the mode wants; `above`: f > exact value. */
static uint32_t adjust_f32(uint32_t f, bool above, bool below, uint8_t mode)
{
    bool negative = f >> 31;
    if (mode == ROUND_NEAREST)
        return f;
    bool down = mode == ROUND_DOWN || (mode == ROUND_ZERO && !negative);
    if (down && above)
        return step_f32(f, negative);
    if (!down && below)
        return step_f32(f, !negative);
    return f;
}

static uint32_t f32_from_f64(double x, uint8_t mode)
{
    float f = (float)x;
    if (x != x)
        return NAN_F32;
    uint32_t bits = bits_of_f32(f);
    if (f == 0 && x != 0) {
        bool negative = x < 0;
        bool away = negative ? mode == ROUND_DOWN : mode == ROUND_UP;
        return (negative ? 0x80000000u : 0) | away;
    }
    return adjust_f32(bits, (double)f > x, (double)f < x, mode);
}

/* sign and magnitude of up to 64 bits */
static uint32_t f32_from_int(bool negative, uint64_t magnitude, uint8_t mode)
{
    if (!magnitude)
        return 0;
    int top = 63 - __builtin_clzll(magnitude), drop = top - 23;
    uint64_t m = drop > 0 ? magnitude >> drop : magnitude << -drop;
    uint64_t rest = drop > 0 ? magnitude & ((1ull << drop) - 1) : 0;
    uint64_t half = drop > 0 ? 1ull << (drop - 1) : 1;
    bool up = mode == ROUND_NEAREST ? rest > half || (rest == half && (m & 1))
              : mode == ROUND_ZERO  ? false
                                    : rest && (mode == ROUND_UP) != negative;
    /* A carry out of the mantissa moves into the exponent by itself. */
    uint32_t bits = ((uint32_t)(top + 126) << 23) + (uint32_t)m + up;
    return bits | (negative ? 0x80000000u : 0);
}

static uint64_t f64_from_int(bool negative, uint64_t magnitude, uint8_t mode)
{
    if (!magnitude)
        return 0;
    int top = 63 - __builtin_clzll(magnitude), drop = top - 52;
    uint64_t m = drop > 0 ? magnitude >> drop : magnitude << -drop;
    uint64_t rest = drop > 0 ? magnitude & ((1ull << drop) - 1) : 0;
    uint64_t half = drop > 0 ? 1ull << (drop - 1) : 1;
    bool up = mode == ROUND_NEAREST ? rest > half || (rest == half && (m & 1))
              : mode == ROUND_ZERO  ? false
                                    : rest && (mode == ROUND_UP) != negative;
    uint64_t bits = ((uint64_t)(top + 1022) << 52) + m + up;
    return bits | (negative ? 1ull << 63 : 0);
}

/* --- f16 -----------------------------------------------------------------------------------------
 */

double half_to_double(uint32_t h)
{
    uint32_t exponent = h >> 10 & 31, mantissa = h & 0x3FF;
    double v = exponent == 0    ? mantissa * 0x1p-24
               : exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
                                : (1024 + mantissa) * f64_of((uint64_t)(exponent + 998) << 52);
    return h & 0x8000 ? -v : v;
}

/* Scales so that the last bit of the f16 is 1, rounds that to an integer, and reassembles. */
uint32_t half_from_double(double x, uint8_t mode)
{
    uint32_t sign = bits_of_f64(x) >> 63 ? 0x8000 : 0;
    double a = fabs(x);
    if (x != x)
        return 0x7FFF;
    if (a == (double)INFINITY)
        return sign | 0x7C00;
    /* Towards zero or away from it, now that the sign is gone. */
    uint8_t m = mode == ROUND_DOWN ? (sign ? ROUND_UP : ROUND_ZERO)
                : mode == ROUND_UP ? (sign ? ROUND_ZERO : ROUND_UP)
                                   : mode;
    if (a >= 65536)
        return sign | (m == ROUND_ZERO ? 0x7BFF : 0x7C00);
    int e = (int)(bits_of_f64(a) >> 52) - 1023;
    if (e < -14)
        e = -14;
    double units = a * f64_of((uint64_t)(1023 + 10 - e) << 52);
    uint32_t n = (uint32_t)to_integral(units, m); /* 0 .. 2048 */
    uint32_t bits = ((uint32_t)(e + 14) << 10) + n;
    return sign | (bits > 0x7C00 ? 0x7C00 : bits);
}

/* --- cvt -----------------------------------------------------------------------------------------
 */

static int64_t smallest(uint8_t type)
{
    return type_is_signed(type) ? INT64_MIN >> (64 - 8 * type_bytes(type)) : 0;
}

static uint64_t largest(uint8_t type)
{
    return (type_is_signed(type) ? (uint64_t)INT64_MAX : UINT64_MAX) >> (64 - 8 * type_bytes(type));
}

/* PTX ISA, "cvt": out of range clamps, NaN gives 0. */
static uint64_t int_from_f64(uint8_t type, double x)
{
    double low = (double)smallest(type), high = (double)largest(type);
    if (x != x)
        return 0;
    if (x <= low)
        return (uint64_t)smallest(type);
    /* 2^63 - 1 and 2^64 - 1 round up here, so this catches exactly what is too large. */
    if (x >= high)
        return largest(type);
    return type_is_signed(type) ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint64_t extend_int(uint8_t type, uint64_t bits)
{
    uint32_t shift = 64 - 8 * type_bytes(type);
    return type_is_signed(type) ? (uint64_t)((int64_t)(bits << shift) >> shift)
                                : bits << shift >> shift;
}

static uint64_t int_from_int(const struct inst *inst, uint64_t a)
{
    uint8_t to = inst->op.type, from = inst->op.type2;
    uint64_t v = extend_int(from, a);
    if (!(inst->op.mods & OP_SAT))
        return extend_int(to, v);
    bool negative = type_is_signed(from) && (int64_t)v < 0;
    if (negative)
        return (int64_t)v < smallest(to) ? (uint64_t)smallest(to) : v;
    return v > largest(to) ? largest(to) : v;
}

static double float_in(const struct inst *inst, uint64_t a)
{
    switch (inst->op.type2) {
    case PTX_F16:
        return half_to_double((uint32_t)a);
    case PTX_F32:
        return (double)f32_of(inst->op.mods & OP_FTZ ? flush((uint32_t)a) : (uint32_t)a);
    default:
        return f64_of(a);
    }
}

/* .relu of a result of half_from_double, whose NaN has no sign. */
static uint32_t relu_half(const struct inst *inst, uint32_t half)
{
    return inst->op.mods & OP_RELU && half >> 15 ? 0 : half;
}

static uint64_t float_from_float(const struct inst *inst, uint64_t a)
{
    uint8_t to = inst->op.type, mode = inst->op.round & 3;
    double x = float_in(inst, a);
    if (inst->op.round & INTEGRAL) {
        x = to_integral(x, mode);
        mode = ROUND_NEAREST;
    }
    if (inst->op.mods & OP_SAT)
        x = x > 0 ? (x < 1 ? x : 1) : 0;
    if (to == PTX_F64)
        return canonical_f64(x);
    if (to == PTX_F16)
        return relu_half(inst, half_from_double(x, mode));
    uint32_t bits = f32_from_f64(x, mode);
    return inst->op.mods & OP_FTZ ? flush(bits) : bits;
}

static uint64_t float_from_int(const struct inst *inst, uint64_t a)
{
    uint8_t to = inst->op.type, mode = inst->op.round & 3;
    uint64_t v = extend_int(inst->op.type2, a);
    bool negative = type_is_signed(inst->op.type2) && (int64_t)v < 0;
    uint64_t magnitude = negative ? 0 - v : v;
    if (inst->op.mods & OP_SAT) {
        magnitude = !negative && magnitude != 0;
        negative = false;
    }
    if (to == PTX_F64)
        return f64_from_int(negative, magnitude, mode);
    if (to == PTX_F32)
        return f32_from_int(negative, magnitude, mode);
    /* All f16 values and the points between them are exact in f64; what is beyond overflows alike.
     */
    return half_from_double(f64_of(f64_from_int(negative, magnitude, ROUND_ZERO)), mode);
}

uint64_t scalar_cvt(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    (void)c;
    bool from_float = type_is_float(inst->op.type2);
    if (type_is_float(inst->op.type))
        return from_float ? float_from_float(inst, a) : float_from_int(inst, a);
    if (!from_float)
        return int_from_int(inst, a);
    return int_from_f64(inst->op.type, to_integral(float_in(inst, a), inst->op.round & 3));
}

/* cvt.f16x2.f32: a into the upper, b into the lower half. */
static uint32_t one_of_pair(const struct inst *inst, uint64_t bits)
{
    uint32_t half = half_from_double((double)f32_of((uint32_t)bits), inst->op.round & 3);
    return relu_half(inst, half);
}

/* The bits of an f32 that is no NaN, rounded to those above `last`. */
static uint32_t round_last(uint32_t bits, uint32_t last, uint8_t round)
{
    uint32_t one = 1u << last, half = one / 2;
    if (round == ROUND_NEAREST)
        bits += half - 1 + (bits >> last & 1);
    else if (round == ROUND_AWAY)
        bits += half;
    return bits & ~(one - 1);
}

/* By way of the f32 towards 0, whose last bit tells whether it is exact: no bits round twice. */
uint32_t bf16_from_double(double x)
{
    if (x != x)
        return 0x7FFF;
    uint32_t bits = f32_from_f64(x, ROUND_ZERO);
    bits |= (double)f32_of(bits) != x;
    return round_last(bits, 16, ROUND_NEAREST) >> 16;
}

/* An f32 without its last bits, rounded; those are 0. */
static uint32_t shortened(const struct inst *inst, uint64_t a, uint32_t last)
{
    uint32_t bits = (uint32_t)a;
    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        return 0x7FFFFFFFu >> last << last;
    if (inst->op.mods & OP_RELU && bits >> 31)
        return 0;
    return round_last(bits, last, inst->op.round);
}

static uint32_t limited(uint64_t word, int64_t least, int64_t most)
{
    int64_t x = (int32_t)word;
    return (uint32_t)(x < least ? least : x > most ? most : x);
}

/* PTX ISA, "cvt.pack": a and b at the limits of an element, a in front of b, and c in front of
 * both; the pair of 16 bits has no room for c. */
uint64_t scalar_pack(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t bits = inst->op.type2 & (PACK_SIGNED - 1u), ones = (1u << bits) - 1;
    bool is_signed = inst->op.type2 & PACK_SIGNED;
    int64_t most = is_signed ? ones >> 1 : ones, least = is_signed ? -most - 1 : 0;
    uint32_t pair = (limited(a, least, most) & ones) << bits | (limited(b, least, most) & ones);
    return bits == 16 ? pair : (uint32_t)c << 2 * bits | pair;
}

uint64_t scalar_cvt_pair(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    switch ((enum short_form)inst->op.type2) {
    case SHORT_BF16:
        return shortened(inst, a, 16) >> 16;
    case SHORT_BF16_PAIR:
        return shortened(inst, a, 16) | shortened(inst, b, 16) >> 16;
    case SHORT_TF32:
        return shortened(inst, a, 13);
    case SHORT_TO_F32:
        return a << 16 & UINT32_MAX;
    default:
        return one_of_pair(inst, a) << 16 | one_of_pair(inst, b);
    }
}
