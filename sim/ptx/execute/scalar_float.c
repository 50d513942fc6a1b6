/* Floating-point instructions one lane at a time: directed rounding, .sat, .NaN and the approximate
 * functions. */
#include <fenv.h>

#include "sim/ptx/execute/approx.h"
#include "sim/ptx/execute/approx_lanes.h"
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

/* .sat: to [0, 1], NaN to +0 (PTX ISA, "add" and others). */
static uint64_t out_f32(const struct inst *inst, float f)
{
    if (inst->op.mods & OP_SAT)
        f = f > 0 ? (f < 1 ? f : 1) : 0;
    uint32_t bits = canonical_f32(f);
    return inst->op.mods & OP_FTZ ? flush(bits) : bits;
}

/* --- rounded arithmetic --------------------------------------------------------------------------
 */

/* The operations are exact up to the final rounding, so the host's rounding mode gives the result
 * that PTX defines, on every machine. `volatile` keeps the compiler from computing them earlier or
 * later than between the two mode switches. */
enum rounded { ROUNDED_ADD, ROUNDED_MUL, ROUNDED_FMA, ROUNDED_DIV, ROUNDED_SQRT };

static const int host_modes[] = {
    [ROUND_NEAREST] = FE_TONEAREST,
    [ROUND_ZERO] = FE_TOWARDZERO,
    [ROUND_DOWN] = FE_DOWNWARD,
    [ROUND_UP] = FE_UPWARD,
};

static __attribute__((noinline)) float round_f32(enum rounded op, uint8_t mode, float x, float y,
                                                 float z)
{
    volatile float a = x, b = y, c = z, r;
    fesetround(host_modes[mode]);
    switch (op) {
    case ROUNDED_ADD:
        r = a + b;
        break;
    case ROUNDED_MUL:
        r = a * b;
        break;
    case ROUNDED_FMA:
        r = fmaf(a, b, c);
        break;
    case ROUNDED_DIV:
        r = a / b;
        break;
    default:
        r = sqrtf(a);
        break;
    }
    fesetround(FE_TONEAREST);
    return r;
}

static __attribute__((noinline)) double round_f64(enum rounded op, uint8_t mode, double x, double y,
                                                  double z)
{
    volatile double a = x, b = y, c = z, r;
    fesetround(host_modes[mode]);
    switch (op) {
    case ROUNDED_ADD:
        r = a + b;
        break;
    case ROUNDED_MUL:
        r = a * b;
        break;
    case ROUNDED_FMA:
        r = fma(a, b, c);
        break;
    case ROUNDED_DIV:
        r = a / b;
        break;
    default:
        r = sqrt(a);
        break;
    }
    fesetround(FE_TONEAREST);
    return r;
}

static uint64_t rounded(const struct inst *inst, enum rounded op, uint64_t a, uint64_t b,
                        uint64_t c)
{
    if (is_double(inst))
        return canonical_f64(round_f64(op, inst->op.round, f64_of(a), f64_of(b), f64_of(c)));
    return out_f32(
        inst, round_f32(op, inst->op.round, in_f32(inst, a), in_f32(inst, b), in_f32(inst, c)));
}

uint64_t scalar_fadd(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return rounded(inst, ROUNDED_ADD, a, b, 0);
}

uint64_t scalar_fsub(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return rounded(inst, ROUNDED_ADD, a, b ^ (is_double(inst) ? 1ull << 63 : 1ull << 31), 0);
}

uint64_t scalar_fmul(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return rounded(inst, ROUNDED_MUL, a, b, 0);
}

uint64_t scalar_ffma(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    return rounded(inst, ROUNDED_FMA, a, b, c);
}

uint64_t scalar_fdiv(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return rounded(inst, ROUNDED_DIV, a, b, 0);
}

/* PTX ISA, "div.approx": for |b| above 2^126 the result is 0, or NaN for an infinite a. */
uint64_t scalar_fdiv_approx(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    float x = in_f32(inst, a), y = in_f32(inst, b);
    return out_f32(inst, f32_of(approx_div_lane(bits_of_f32(x), bits_of_f32(y))));
}

uint64_t scalar_frcp(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    if (!is_double(inst))
        return rounded(inst, ROUNDED_DIV, bits_of_f32(1), a, 0);
    if (!inst->op.type2)
        return rounded(inst, ROUNDED_DIV, bits_of_f64(1), a, 0);
    return approx_f64(a, APPROX_RCP);
}

uint64_t scalar_fsqrt(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    return rounded(inst, ROUNDED_SQRT, a, 0, 0);
}

uint64_t scalar_frsqrt(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    if (is_double(inst))
        return inst->op.mods & OP_FTZ ? approx_f64(a, APPROX_RSQRT) : rsqrt_f64(a);
    return out_f32(inst, approx_rsqrt(in_f32(inst, a)));
}

#define APPROX(name, function)                                                                     \
    uint64_t scalar_##name(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)            \
    {                                                                                              \
        UNUSED(b);                                                                                 \
        UNUSED(c);                                                                                 \
        return out_f32(inst, function(in_f32(inst, a)));                                           \
    }
APPROX(fsin, approx_sin)
APPROX(fcos, approx_cos)
APPROX(fex2, approx_ex2)
APPROX(flg2, approx_lg2)
APPROX(ftanh, approx_tanh)

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
