/* f16 and f16x2, one lane at a time. */
#include <math.h>

#include "sim/ptx/execute/approx.h"
#include "sim/ptx/execute/vector.h"

#define HALF_SIGN     0x8000u
#define HALF_INFINITY 0x7C00u
#define HALF_NAN      0x7FFFu

static bool is_nan(uint32_t h)
{
    return (h & 0x7FFF) > HALF_INFINITY;
}

static uint32_t flush_half(uint32_t h)
{
    return h & HALF_INFINITY ? h : h & HALF_SIGN;
}

/* a * b + c, rounded once. The product is exact in f64; where the sum is not, its last bit is made
 * odd, which keeps the rounding to f16 right (Boldo and Melquiond, "Emulation of FMA"). */
static double fused(double a, double b, double c)
{
    double p = a * b, s = p + c, t = s - p, rest = (p - (s - t)) + (c - t);
    if (rest == 0 || !(fabs(s) < (double)INFINITY) || s == 0)
        return s;
    uint64_t bits = bits_of_f64(s);
    if (bits & 1)
        return s;
    return f64_of((rest > 0) == (s > 0) ? bits + 1 : bits - 1);
}

/* -0 below +0; a NaN gives way to the other operand, or wins with .NaN. */
static uint32_t extreme(const struct inst *inst, uint32_t a, uint32_t b, bool max)
{
    if (is_nan(a) || is_nan(b)) {
        if (inst->op.mods & OP_NAN || (is_nan(a) && is_nan(b)))
            return HALF_NAN;
        return is_nan(a) ? b : a;
    }
    int32_t x = a & HALF_SIGN ? -(int32_t)(a & 0x7FFF) - 1 : (int32_t)a;
    int32_t y = b & HALF_SIGN ? -(int32_t)(b & 0x7FFF) - 1 : (int32_t)b;
    return (x < y) != max ? a : b;
}

static uint32_t one(const struct inst *inst, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t mods = inst->op.mods, r;
    if (mods & OP_FTZ) {
        a = flush_half(a);
        b = flush_half(b);
        c = flush_half(c);
    }
    double x = half_to_double(a), y = half_to_double(b), z = half_to_double(c);
    switch ((enum half_operation)inst->op.type2) {
    case HALF_ADD:
        r = half_from_double(x + y, ROUND_NEAREST);
        break;
    case HALF_SUB:
        r = half_from_double(x - y, ROUND_NEAREST);
        break;
    case HALF_MUL:
        r = half_from_double(x * y, ROUND_NEAREST);
        break;
    case HALF_FMA:
        r = half_from_double(fused(x, y, z), ROUND_NEAREST);
        break;
    case HALF_MIN:
        return extreme(inst, a, b, false);
    case HALF_MAX:
        return extreme(inst, a, b, true);
    case HALF_ABS:
        return a & 0x7FFF;
    case HALF_NEG:
        return a ^ HALF_SIGN;
    case HALF_EX2:
        r = half_from_double((double)approx_ex2((float)x), ROUND_NEAREST);
        break;
    default:
        r = half_from_double((double)approx_tanh((float)x), ROUND_NEAREST);
        break;
    }
    if (mods & OP_SAT) /* to [0, 1], NaN to +0 */
        r = is_nan(r) || r & HALF_SIGN ? 0 : r > 0x3C00 ? 0x3C00 : r;
    if (mods & OP_RELU && r & HALF_SIGN) /* NaN has no sign here */
        r = 0;
    return mods & OP_FTZ ? flush_half(r) : r;
}

uint32_t half_compute(const struct inst *inst, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t low = one(inst, a & 0xFFFF, b & 0xFFFF, c & 0xFFFF);
    if (inst->op.type != PTX_F16X2)
        return low;
    return low | one(inst, a >> 16, b >> 16, c >> 16) << 16;
}

uint64_t scalar_half(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    return half_compute(inst, (uint32_t)a, (uint32_t)b, (uint32_t)c);
}
