/* Floating-point instructions one lane at a time. */
#include "sim/ptx/execute/approx.h"
#include "sim/ptx/execute/vector.h"

#define UNUSED(x) (void)(x)

/* --- operands and results ------------------------------------------------------------------------
 */

static bool is_double(const struct inst *inst)
{
    return inst->op.type == PTX_F64;
}

static float in_f32(const struct inst *inst, uint64_t bits)
{
    return f32_of(inst->op.mods & OP_FTZ ? flush((uint32_t)bits) : (uint32_t)bits);
}

static uint64_t out_f32(const struct inst *inst, float f)
{
    uint32_t bits = canonical_f32(f);
    return inst->op.mods & OP_FTZ ? flush(bits) : bits;
}

/* --- the approximate functions that are rare
 * ------------------------------------------------------
 */

/* rcp.approx.ftz.f64 */
uint64_t scalar_frcp(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(inst);
    UNUSED(b);
    UNUSED(c);
    return approx_f64(a, APPROX_RCP);
}

/* rsqrt.approx.f64 */
uint64_t scalar_frsqrt(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    return inst->op.mods & OP_FTZ ? approx_f64(a, APPROX_RSQRT) : rsqrt_f64(a);
}

uint64_t scalar_ftanh(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    return out_f32(inst, approx_tanh(in_f32(inst, a)));
}

/* --- without rounding ----------------------------------------------------------------------------
 */

/* min and max with .NaN: a NaN operand gives NaN. Comparing the bits as sign and magnitude orders
 * -0 before +0. */
static int64_t order(uint64_t bits, bool wide)
{
    uint64_t sign = wide ? 1ull << 63 : 1ull << 31;
    return bits & sign ? -(int64_t)(bits ^ sign) - 1 : (int64_t)bits;
}

static bool nan_bits(uint64_t bits, bool wide)
{
    return wide ? (bits & INT64_MAX) > 0x7FFull << 52 : (bits & INT32_MAX) > 0xFFull << 23;
}

static uint64_t extreme(const struct inst *inst, uint64_t a, uint64_t b, bool max)
{
    bool wide = is_double(inst);
    uint64_t nan = wide ? NAN_F64 : NAN_F32;
    if (inst->op.mods & OP_FTZ) {
        a = flush((uint32_t)a);
        b = flush((uint32_t)b);
    }
    bool nan_a = nan_bits(a, wide), nan_b = nan_bits(b, wide);
    if (inst->op.mods & OP_NAN ? nan_a || nan_b : nan_a && nan_b)
        return nan;
    if (nan_a || nan_b)
        return nan_a ? b : a;
    return (order(a, wide) < order(b, wide)) != max ? a : b;
}

uint64_t scalar_fmin(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return extreme(inst, a, b, false);
}

uint64_t scalar_fmax(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return extreme(inst, a, b, true);
}

/* (c >= 0) ? a : b, where -0 counts as 0 and NaN selects b. */
uint64_t scalar_slct(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    if (inst->op.type2 == PTX_S32)
        return (int32_t)c >= 0 ? a : b;
    return in_f32(inst, c) >= 0 ? a : b;
}
