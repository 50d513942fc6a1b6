/* Floating-point lane functions that the compiler vectorises. */
#define LANE_NAMES
#include <fenv.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "sim/ptx/execute/vector.h"

#define FLOAT(T)                                                                                   \
    LANES_2(add_##T, T, T, a + b)                                                                  \
    LANES_2(sub_##T, T, T, a - b)                                                                  \
    LANES_2(mul_##T, T, T, a *b)                                                                   \
    LANES_2(div_##T, T, T, a / b)                                                                  \
    LANES_1(rcp_##T, T, T, 1 / a)
FLOAT(f32)
FLOAT(z32)
FLOAT(f64)
LANES_1(sqrt_f32, f32, f32, sqrtf(a))
LANES_1(sqrt_z32, z32, z32, sqrtf(a))
LANES_1(sqrt_f64, f64, f64, sqrt(a))
LANES_3(fma_f32, f32, f32, f32, fmaf(a, b, c))
LANES_3(fma_z32, z32, z32, z32, fmaf(a, b, c))
LANES_3(fma_f64, f64, f64, f64, fma(a, b, c))

/* PTX ISA: a NaN gives way to the other operand, +0 is above -0. */
#define MIN(a, b, zero)   (a != a ? b : b != b ? a : a == b ? (zero) : a < b ? a : b)
#define MAX(a, b, zero)   (a != a ? b : b != b ? a : a == b ? (zero) : a > b ? a : b)
#define BITS_32(a, b, op) f32_of(bits_of_f32(a) op bits_of_f32(b))
#define BITS_64(a, b, op) f64_of(bits_of_f64(a) op bits_of_f64(b))
LANES_2(min_f32, f32, f32, MIN(a, b, BITS_32(a, b, |)))
LANES_2(max_f32, f32, f32, MAX(a, b, BITS_32(a, b, &)))
LANES_2(min_z32, f32, z32, MIN(a, b, BITS_32(a, b, |)))
LANES_2(max_z32, f32, z32, MAX(a, b, BITS_32(a, b, &)))
LANES_2(min_f64, f64, f64, MIN(a, b, BITS_64(a, b, |)))
LANES_2(max_f64, f64, f64, MAX(a, b, BITS_64(a, b, &)))

LANES_1(neg_f32, 32, u32, a ^ 0x80000000u)
LANES_1(neg_z32, 32, u32, flush(a) ^ 0x80000000u)
LANES_1(neg_f64, 64, u64, a ^ (1ull << 63))
LANES_1(abs_f32, 32, u32, a & 0x7FFFFFFFu)
LANES_1(abs_z32, 32, u32, flush(a) & 0x7FFFFFFFu)
LANES_1(abs_f64, 64, u64, a & ~(1ull << 63))
/* copysign d, a, b: the sign of a, the magnitude of b. */
LANES_2(copysign_f32, 32, u32, (a & 0x80000000u) | (b & 0x7FFFFFFFu))
LANES_2(copysign_f64, 64, u64, (a & (1ull << 63)) | (b & ~(1ull << 63)))

#ifndef EVGPU_NATIVE
exec_fn lanes_float(enum operation op, uint8_t type, bool ftz)
{
    static const exec_fn table[OPERATION_COUNT][3] = {
        [OP_add] = {add_f32, add_z32, add_f64}, [OP_sub] = {sub_f32, sub_z32, sub_f64},
        [OP_mul] = {mul_f32, mul_z32, mul_f64}, [OP_div] = {div_f32, div_z32, div_f64},
        [OP_rcp] = {rcp_f32, rcp_z32, rcp_f64}, [OP_sqrt] = {sqrt_f32, sqrt_z32, sqrt_f64},
        [OP_fma] = {fma_f32, fma_z32, fma_f64}, [OP_min] = {min_f32, min_z32, min_f64},
        [OP_max] = {max_f32, max_z32, max_f64}, [OP_neg] = {neg_f32, neg_z32, neg_f64},
        [OP_abs] = {abs_f32, abs_z32, abs_f64}, [OP_copysign] = {copysign_f32, NULL, copysign_f64},
    };
    return table[op][type == PTX_F64 ? 2 : ftz];
}

/* .sat: to [0, 1], NaN to +0 (PTX ISA, "add" and others). */
LANE_FN static void saturate(uint32_t *d, uint32_t mask)
{
    EACH_LANE
    {
        float f = f32_of(d[i]);
        PUT_f32(f > 0 ? (f < 1 ? f : 1) : 0)
    }
}

/* What <fenv.h> does takes longer than the operation of a whole warp, for it is for the x87 unit,
 * too.
 */
static void set_rounding(int mode)
{
#ifdef __SSE2__
    _Static_assert(FE_UPWARD << 3 == _MM_ROUND_UP && FE_TOWARDZERO << 3 == _MM_ROUND_TOWARD_ZERO,
                   "the same bits in both control words");
    _MM_SET_ROUNDING_MODE((unsigned)mode << 3);
#else
    fesetround(mode);
#endif
}

/* The operations are exact up to the final rounding, so in the host's rounding mode they give what
 * PTX defines. The compiler does not know which of them is called, and computes nothing outside of
 * the two changes of the mode. */
void lanes_rounded(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    static const int modes[] = {[ROUND_NEAREST] = FE_TONEAREST,
                                [ROUND_ZERO] = FE_TOWARDZERO,
                                [ROUND_DOWN] = FE_DOWNWARD,
                                [ROUND_UP] = FE_UPWARD};
    exec_fn function =
        lanes_float((enum operation)inst->op.sub, inst->op.type, inst->op.mods & OP_FTZ);
    set_rounding(modes[inst->op.round]);
    function(inst, ctx, mask);
    set_rounding(FE_TONEAREST);
    if (inst->op.mods & OP_SAT)
        saturate(dst_row(inst, ctx, 0), mask);
}
#endif
