/* Integer lane functions that the compiler vectorises. */
#define LANE_NAMES
#include "sim/ptx/execute/vector.h"

LANES_2(add_16, 16, u16, a + b)
LANES_2(add_32, 32, u32, a + b)
LANES_PAIR_2(add_64, al + bl, ah + bh + (al + bl < al))
LANES_2(sub_16, 16, u16, a - b)
LANES_2(sub_32, 32, u32, a - b)
LANES_PAIR_2(sub_64, al - bl, ah - bh - (al < bl))
LANES_2(mul_16, 16, u16, a *b)
LANES_2(mul_32, 32, u32, a *b)
LANES_2(mul_64, 64, u64, a *b)
LANES_2(mul_wide_u16, 32, u16, a *b)
LANES_2(mul_wide_s16, 32, s16, a *b)
LANES_2(mul_wide_u32, 64, u32, (uint64_t)a *b)
LANES_2(mul_wide_s32, 64, s32, (int64_t)a *b)
LANES_2(mul_high_u32, 32, u32, (uint64_t)a *b >> 32)
LANES_2(mul_high_s32, 32, s32, (uint64_t)((int64_t)a *b) >> 32)
LANES_2(mul_high_u64, 64, u64, (unsigned __int128)a *b >> 64)
LANES_2(mul_high_s64, 64, s64, (unsigned __int128)((__int128)a *b) >> 64)
/* The low 24 bits of the operands. */
#define LOW_24(a)    ((a)&0xFFFFFFu)
#define SIGNED_24(a) ((uint32_t)((int32_t)((a) << 8) >> 8))
LANES_2(mul24_u32, 32, u32, LOW_24(a) * LOW_24(b))
LANES_2(mul24_s32, 32, u32, SIGNED_24(a) * SIGNED_24(b))
LANES_3(mad24_u32, 32, u32, u32, LOW_24(a) * LOW_24(b) + c)
LANES_3(mad24_s32, 32, u32, u32, SIGNED_24(a) * SIGNED_24(b) + c)
LANES_3(mad_16, 16, u16, u16, a *b + c)
LANES_3(mad_32, 32, u32, u32, a *b + c)
LANES_3(mad_64, 64, u64, u64, a *b + c)
LANES_3(mad_wide_u32, 64, u32, u64, (uint64_t)a *b + c)
LANES_3(mad_wide_s32, 64, s32, u64, (uint64_t)((int64_t)a *b) + c)

LANES_2(and_32, 32, u32, a &b)
LANES_PAIR_2(and_64, al &bl, ah &bh)
LANES_2(or_32, 32, u32, a | b)
LANES_PAIR_2(or_64, al | bl, ah | bh)
LANES_2(xor_32, 32, u32, a ^ b)
LANES_PAIR_2(xor_64, al ^ bl, ah ^ bh)
LANES_1(not_16, 16, u16, ~a)
LANES_1(not_32, 32, u32, ~a)
LANES_PAIR_1(not_64, ~al, ~ah)

/* PTX ISA: shift amounts above the width clamp to the width. */
LANES_2_MIXED(shl_16, 16, u16, u32, b > 15 ? 0 : a << b)
LANES_2_MIXED(shl_32, 32, u32, u32, b > 31 ? 0 : a << (b & 31))
LANES_2_MIXED(shl_64, 64, u64, u32, b > 63 ? 0 : a << (b & 63))
LANES_2_MIXED(shr_u16, 16, u16, u32, b > 15 ? 0 : a >> (b & 31))
LANES_2_MIXED(shr_u32, 32, u32, u32, b > 31 ? 0 : a >> (b & 31))
LANES_2_MIXED(shr_u64, 64, u64, u32, b > 63 ? 0 : a >> (b & 63))
LANES_2_MIXED(shr_s16, 16, s16, u32, a >> (b > 15 ? 15 : b))
LANES_2_MIXED(shr_s32, 32, s32, u32, a >> (b > 31 ? 31 : b))
LANES_2_MIXED(shr_s64, 64, s64, u32, a >> (b > 63 ? 63 : b))

LANES_2(min_u16, 16, u16, a < b ? a : b)
LANES_2(min_s16, 16, s16, a < b ? a : b)
LANES_2(min_u32, 32, u32, a < b ? a : b)
LANES_2(min_s32, 32, s32, a < b ? a : b)
LANES_2(min_u64, 64, u64, a < b ? a : b)
LANES_2(min_s64, 64, s64, a < b ? a : b)
LANES_2(max_u16, 16, u16, a > b ? a : b)
LANES_2(max_s16, 16, s16, a > b ? a : b)
LANES_2(max_u32, 32, u32, a > b ? a : b)
LANES_2(max_s32, 32, s32, a > b ? a : b)
LANES_2(max_u64, 64, u64, a > b ? a : b)
LANES_2(max_s64, 64, s64, a > b ? a : b)
LANES_1(neg_16, 16, u16, 0 - a)
LANES_1(neg_32, 32, u32, 0 - a)
LANES_PAIR_1(neg_64, 0 - al, 0 - ah - (al != 0))
LANES_1(abs_s32, 32, u32, a >> 31 ? 0 - a : a)
LANES_1(abs_s64, 64, u64, a >> 63 ? 0 - a : a)

LANES_1(copy_16, 16, u16, a)
LANES_1(copy_32, 32, u32, a)
LANES_PAIR_1(copy_64, al, ah)
LANES_1(zero_8_32, 32, u32, (uint8_t)a)
LANES_1(zero_8_64, 64, u32, (uint8_t)a)
LANES_1(zero_16_64, 64, u16, a)
LANES_1(zero_32_64, 64, u32, a)
LANES_1(sign_8_16, 16, u32, (int8_t)a)
LANES_1(sign_8_32, 32, u32, (int8_t)a)
LANES_1(sign_8_64, 64, u32, (int64_t)(int8_t)a)
LANES_1(sign_16_32, 32, s16, a)
LANES_1(sign_16_64, 64, s16, (int64_t)a)
LANES_1(sign_32_64, 64, s32, (int64_t)a)

LANE_FN void lanes_select(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0), p = pred_lanes(inst, ctx);
    EACH_LANE PUT_32(p & lane_bit[i] ? a[i] : b[i])
}
LANE_NAME(lanes_select)

LANE_FN void lanes_select64(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0), p = pred_lanes(inst, ctx);
    EACH_LANE PUT_PAIR(p & lane_bit[i] ? a[i] : b[i],
                       p & lane_bit[i] ? a[i + WARP_SIZE] : b[i + WARP_SIZE])
}
LANE_NAME(lanes_select64)

#ifndef EVGPU_NATIVE
/* --- tables --------------------------------------------------------------------------------------
 */

/* By operation and kind of type; a signed and an unsigned column where they differ. */
enum column { U16, S16, U32, S32, U64, S64, COLUMNS };

static enum column column_of(uint8_t type)
{
    switch (type) {
    case PTX_S16:
        return S16;
    case PTX_U32:
    case PTX_B32:
        return U32;
    case PTX_S32:
        return S32;
    case PTX_U64:
    case PTX_B64:
        return U64;
    case PTX_S64:
        return S64;
    default:
        return U16;
    }
}

static const exec_fn int_table[OPERATION_COUNT][COLUMNS] = {
    [OP_add] = {add_16, add_16, add_32, add_32, add_64, add_64},
    [OP_sub] = {sub_16, sub_16, sub_32, sub_32, sub_64, sub_64},
    [OP_mul] = {mul_16, mul_16, mul_32, mul_32, mul_64, mul_64},
    [OP_mad] = {mad_16, mad_16, mad_32, mad_32, mad_64, mad_64},
    [OP_mul24] = {[U32] = mul24_u32, [S32] = mul24_s32},
    [OP_mad24] = {[U32] = mad24_u32, [S32] = mad24_s32},
    [OP_and] = {and_32, and_32, and_32, and_32, and_64, and_64},
    [OP_or] = {or_32, or_32, or_32, or_32, or_64, or_64},
    [OP_xor] = {xor_32, xor_32, xor_32, xor_32, xor_64, xor_64},
    [OP_not] = {not_16, not_16, not_32, not_32, not_64, not_64},
    [OP_shl] = {shl_16, shl_16, shl_32, shl_32, shl_64, shl_64},
    [OP_shr] = {shr_u16, shr_s16, shr_u32, shr_s32, shr_u64, shr_s64},
    [OP_min] = {min_u16, min_s16, min_u32, min_s32, min_u64, min_s64},
    [OP_max] = {max_u16, max_s16, max_u32, max_s32, max_u64, max_s64},
    [OP_neg] = {neg_16, neg_16, neg_32, neg_32, neg_64, neg_64},
    [OP_abs] = {NULL, NULL, NULL, abs_s32, NULL, abs_s64},
};

exec_fn lanes_int(enum operation op, uint8_t type, bool wide, bool high)
{
    static const exec_fn mul_wide[COLUMNS] = {
        [U16] = mul_wide_u16, [S16] = mul_wide_s16, [U32] = mul_wide_u32, [S32] = mul_wide_s32};
    static const exec_fn mad_wide[COLUMNS] = {[U32] = mad_wide_u32, [S32] = mad_wide_s32};
    static const exec_fn mul_high[COLUMNS] = {
        [U32] = mul_high_u32, [S32] = mul_high_s32, [U64] = mul_high_u64, [S64] = mul_high_s64};
    enum column column = column_of(type);
    if (wide)
        return (op == OP_mul ? mul_wide : mad_wide)[column];
    if (high)
        return op == OP_mul ? mul_high[column] : NULL;
    return int_table[op][column];
}

exec_fn lanes_extend(uint8_t type, uint32_t dst_bytes)
{
    bool wide = dst_bytes == 8;
    switch (type) {
    case PTX_S8:
        return wide ? LANE(sign_8_64) : dst_bytes == 4 ? LANE(sign_8_32) : LANE(sign_8_16);
    case PTX_B8:
    case PTX_U8:
        return wide ? LANE(zero_8_64) : LANE(zero_8_32);
    case PTX_S16:
        return wide ? LANE(sign_16_64) : dst_bytes == 4 ? LANE(sign_16_32) : LANE(copy_16);
    case PTX_B16:
    case PTX_U16:
    case PTX_F16:
        return wide ? LANE(zero_16_64) : LANE(copy_16);
    case PTX_S32:
        return wide ? LANE(sign_32_64) : LANE(copy_32);
    case PTX_B32:
    case PTX_U32:
    case PTX_F32:
        return wide ? LANE(zero_32_64) : LANE(copy_32);
    default:
        return LANE(copy_64);
    }
}
#endif
