/* setp: comparisons into lane masks. */
#define LANE_NAMES
#include "sim/ptx/execute/vector.h"

CLONED_PART void finish(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                        uint32_t lanes)
{
    uint32_t mods = inst->op.mods, t = mods & OP_INVERT ? ~lanes : lanes, not_t = ~t, c;
    switch (COMBINE_OF(mods)) {
    case COMBINE_AND:
        c = pred_lanes(inst, ctx);
        t &= c;
        not_t &= c;
        break;
    case COMBINE_OR:
        c = pred_lanes(inst, ctx);
        t |= c;
        not_t |= c;
        break;
    case COMBINE_XOR:
        c = pred_lanes(inst, ctx);
        t ^= c;
        not_t ^= c;
        break;
    default:
        break;
    }
    set_pred(ctx, inst->op.pdst[0], mask, t);
    set_pred(ctx, inst->op.pdst[1], mask, not_t);
}

#define COMPARE_LANES(name, operands, expression)                                                  \
    LANE_FN static void name(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)         \
    {                                                                                              \
        const uint32_t *a_row = src_row(inst, ctx, 0), *b_row = src_row(inst, ctx, 1);             \
        uint32_t lanes = 0;                                                                        \
        for (uint32_t i = 0; i < WARP_SIZE; i++) {                                                 \
            operands lanes |= (expression) ? lane_bit[i] : 0;                                      \
        }                                                                                          \
        finish(inst, ctx, mask, lanes);                                                            \
    }                                                                                              \
    LANE_NAME(name)
#define COMPARE(name, FROM, expression)                                                            \
    COMPARE_LANES(name, const __auto_type a = GET_##FROM(a_row, i);                                \
                  const __auto_type b = GET_##FROM(b_row, i);, expression)
/* Of 64 bits: by their upper halves, and if these are equal by the lower ones. */
#define COMPARE_PAIR(name, HIGH, low)                                                              \
    COMPARE_LANES(name, PAIR(a) PAIR(b), ((HIGH)ah < (HIGH)bh) | ((ah == bh) & (al low bl)))

#define COMPARE_ORDER(T)                                                                           \
    COMPARE(lt_##T, T, a < b)                                                                      \
    COMPARE(le_##T, T, a <= b)
#define COMPARE_EQUAL(T)                                                                           \
    COMPARE(eq_##T, T, a == b)                                                                     \
    COMPARE(ne_##T, T, a != b)
/* Ordered: false with a NaN, .ne included. */
#define COMPARE_FLOAT(T)                                                                           \
    COMPARE_ORDER(T)                                                                               \
    COMPARE(eq_##T, T, a == b)                                                                     \
    COMPARE(ne_##T, T, a<b || a> b)                                                                \
    COMPARE(num_##T, T, a == a && b == b)

COMPARE_ORDER(u16)
COMPARE_ORDER(s16)
COMPARE_EQUAL(u16)
COMPARE_ORDER(u32)
COMPARE_ORDER(s32)
COMPARE_EQUAL(u32)
COMPARE_PAIR(lt_u64, uint32_t, <)
COMPARE_PAIR(le_u64, uint32_t, <=)
COMPARE_PAIR(lt_s64, int32_t, <)
COMPARE_PAIR(le_s64, int32_t, <=)
COMPARE_LANES(eq_u64, PAIR(a) PAIR(b), (al == bl) & (ah == bh))
COMPARE_LANES(ne_u64, PAIR(a) PAIR(b), (al != bl) | (ah != bh))
COMPARE_FLOAT(f32)
COMPARE_FLOAT(z32)
COMPARE_FLOAT(f64)

#ifndef EVGPU_NATIVE
static bool compare_halves(const struct inst *inst, uint32_t a, uint32_t b)
{
    double x = half_number(inst, a), y = half_number(inst, b);
    switch (inst->op.sub) {
    case COMPARE_EQ:
        return x == y;
    case COMPARE_NE:
        return x < y || x > y;
    case COMPARE_LT:
        return x < y;
    case COMPARE_LE:
        return x <= y;
    default:
        return x == x && y == y;
    }
}

void lanes_compare_half(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    uint32_t low = 0, high = 0, mods = inst->op.mods;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        low |= compare_halves(inst, a[i] & 0xFFFF, b[i] & 0xFFFF) ? lane_bit[i] : 0;
        high |= compare_halves(inst, a[i] >> 16, b[i] >> 16) ? lane_bit[i] : 0;
    }
    if (inst->op.type == PTX_F16) {
        finish(inst, ctx, mask, low);
        return;
    }
    uint32_t c = COMBINE_OF(mods) ? pred_lanes(inst, ctx) : 0, result[2] = {low, high};
    for (int i = 0; i < 2; i++) {
        uint32_t t = mods & OP_INVERT ? ~result[i] : result[i];
        switch (COMBINE_OF(mods)) {
        case COMBINE_AND:
            t &= c;
            break;
        case COMBINE_OR:
            t |= c;
            break;
        case COMBINE_XOR:
            t ^= c;
            break;
        default:
            break;
        }
        set_pred(ctx, inst->op.pdst[i], mask, t);
    }
}

exec_fn lanes_compare(enum compare compare, uint8_t type, bool ftz)
{
    static const exec_fn u16[COMPARES] = {eq_u16, ne_u16, lt_u16, le_u16, NULL};
    static const exec_fn s16[COMPARES] = {eq_u16, ne_u16, lt_s16, le_s16, NULL};
    static const exec_fn u32[COMPARES] = {eq_u32, ne_u32, lt_u32, le_u32, NULL};
    static const exec_fn s32[COMPARES] = {eq_u32, ne_u32, lt_s32, le_s32, NULL};
    static const exec_fn u64[COMPARES] = {eq_u64, ne_u64, lt_u64, le_u64, NULL};
    static const exec_fn s64[COMPARES] = {eq_u64, ne_u64, lt_s64, le_s64, NULL};
    static const exec_fn f32[COMPARES] = {eq_f32, ne_f32, lt_f32, le_f32, num_f32};
    static const exec_fn z32[COMPARES] = {eq_z32, ne_z32, lt_z32, le_z32, num_z32};
    static const exec_fn f64[COMPARES] = {eq_f64, ne_f64, lt_f64, le_f64, num_f64};
    switch (type) {
    case PTX_S16:
        return s16[compare];
    case PTX_U32:
        return u32[compare];
    case PTX_S32:
        return s32[compare];
    case PTX_U64:
        return u64[compare];
    case PTX_S64:
        return s64[compare];
    case PTX_F32:
        return ftz ? z32[compare] : f32[compare];
    case PTX_F64:
        return f64[compare];
    default:
        return u16[compare];
    }
}
#endif
