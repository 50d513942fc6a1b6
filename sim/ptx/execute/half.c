/* f16, bf16 and pairs of them, one lane at a time. */
#include <math.h>

#include "sim/ptx/execute/approx.h"
#include "sim/ptx/execute/vector.h"

#define HALF_SIGN 0x8000u
#define HALF_NAN  0x7FFFu
#define HALF_ONE  0x3C00u /* of f16 */

static uint32_t infinity_of(const struct inst *inst)
{
    return inst->op.mods & OP_BF16 ? 0x7F80 : 0x7C00;
}

static bool is_nan(const struct inst *inst, uint32_t h)
{
    return (h & 0x7FFF) > infinity_of(inst);
}

static uint32_t flush_half(const struct inst *inst, uint32_t h)
{
    return h & infinity_of(inst) ? h : h & HALF_SIGN;
}

double half_number(const struct inst *inst, uint32_t half)
{
    return inst->op.mods & OP_BF16 ? (double)f32_of(half << 16) : half_to_double(half);
}

static uint32_t rounded(const struct inst *inst, double x)
{
    return inst->op.mods & OP_BF16 ? bf16_from_double(x) : half_from_double(x, ROUND_NEAREST);
}

/* a * b + c, rounded once. The product is exact in f64; where the sum is not, its last bit is made
 * odd, which keeps the rounding to a half right (Boldo and Melquiond, "Emulation of FMA"). */
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
    if (is_nan(inst, a) || is_nan(inst, b)) {
        if (inst->op.mods & OP_NAN || (is_nan(inst, a) && is_nan(inst, b)))
            return HALF_NAN;
        return is_nan(inst, a) ? b : a;
    }
    int32_t x = a & HALF_SIGN ? -(int32_t)(a & 0x7FFF) - 1 : (int32_t)a;
    int32_t y = b & HALF_SIGN ? -(int32_t)(b & 0x7FFF) - 1 : (int32_t)b;
    return (x < y) != max ? a : b;
}

static uint32_t one(const struct inst *inst, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t mods = inst->op.mods, r;
    if (mods & OP_FTZ) {
        a = flush_half(inst, a);
        b = flush_half(inst, b);
        c = flush_half(inst, c);
    }
    double x = half_number(inst, a), y = half_number(inst, b), z = half_number(inst, c);
    switch ((enum half_operation)inst->op.type2) {
    case HALF_ADD:
        r = rounded(inst, fused(x, 1, y));
        break;
    case HALF_SUB:
        r = rounded(inst, fused(x, 1, -y));
        break;
    case HALF_MUL:
        r = rounded(inst, x * y);
        break;
    case HALF_FMA:
        r = rounded(inst, fused(x, y, z));
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
        r = rounded(inst, (double)approx_ex2((float)x));
        break;
    default:
        r = rounded(inst, (double)approx_tanh((float)x));
        break;
    }
    if (mods & OP_SAT) /* to [0, 1], NaN to +0 */
        r = is_nan(inst, r) || r & HALF_SIGN ? 0 : r > HALF_ONE ? HALF_ONE : r;
    if (mods & OP_RELU && r & HALF_SIGN) /* NaN has no sign here */
        r = 0;
    return mods & OP_FTZ ? flush_half(inst, r) : r;
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
