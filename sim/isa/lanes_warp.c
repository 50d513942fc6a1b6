/* Instructions that look across the lanes: vote, shfl, match, redux. */
#include "sim/isa/vector.h"

/* vote.sync and the like name the lanes that take part; those that do not run cannot. */
static uint32_t members(const struct inst *inst, const struct lane_ctx *ctx, int n, uint32_t mask)
{
    if (inst->op.src[n] == NO_ROW || !mask)
        return mask;
    return mask & src_row(inst, ctx, n)[__builtin_ctz(mask)];
}

void lanes_vote(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t group = members(inst, ctx, 0, mask), lanes = pred_lanes(inst, ctx) & group;
    bool result;
    switch (inst->op.sub + M_all) {
    case M_all:
        result = lanes == group;
        break;
    case M_any:
        result = lanes != 0;
        break;
    case M_uni:
        result = lanes == group || lanes == 0;
        break;
    default: {
        uint32_t *d = dst_row(inst, ctx, 0);
        EACH_LANE PUT_32(lanes) return;
    }
    }
    set_pred(ctx, inst->op.pdst[0], mask, result ? FULL_MASK : 0);
}

/* PTX ISA, "shfl": source lane j and whether it lies in range. */
static bool source_lane(uint8_t mode, uint32_t lane, uint32_t b, uint32_t c, uint32_t *j)
{
    uint32_t bval = b & 31, cval = c & 31, segment = c >> 8 & 31;
    uint32_t top = (lane & segment) | (cval & ~segment), bottom = lane & segment;
    switch (mode + M_up) {
    case M_up:
        *j = lane - bval;
        return (int32_t)*j >= (int32_t)top;
    case M_down:
        *j = lane + bval;
        return *j <= top;
    case M_bfly:
        *j = lane ^ bval;
        return *j <= top;
    default:
        *j = bottom | (bval & ~segment);
        return *j <= top;
    }
}

void lanes_shuffle(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *b = src_row(inst, ctx, 1), *c = src_row(inst, ctx, 2);
    uint32_t a[WARP_SIZE], out[WARP_SIZE], in_range = 0;
    memcpy(a, src_row(inst, ctx, 0), sizeof a);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint32_t j;
        bool ok = source_lane(inst->op.sub, i, b[i], c[i], &j);
        in_range |= ok ? lane_bit[i] : 0;
        out[i] = a[ok ? j : i];
    }
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(out[i]) set_pred(ctx, inst->op.pdst[0], mask, in_range);
}

void lanes_match(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0);
    uint32_t group = members(inst, ctx, 1, mask), out[WARP_SIZE] = {0};
    bool wide = inst->op.mods & OP_SRC64, all = inst->op.sub;
    for (uint32_t lanes = group; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        uint64_t mine = wide ? wide_at(a, i) : a[i];
        for (uint32_t others = group; others; others &= others - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(others);
            out[i] |= (wide ? wide_at(a, k) : a[k]) == mine ? lane_bit[k] : 0;
        }
    }
    bool same = !group || out[__builtin_ctz(group)] == group;
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(all ? (same ? group : 0) : out[i])
        set_pred(ctx, inst->op.pdst[0], mask, same ? FULL_MASK : 0);
}

static uint32_t reduce(uint8_t operation, bool is_signed, uint32_t x, uint32_t y)
{
    bool y_less = is_signed ? (int32_t)y < (int32_t)x : y < x;
    switch (operation + M_and) {
    case M_and:
        return x & y;
    case M_or:
        return x | y;
    case M_xor:
        return x ^ y;
    case M_add:
        return x + y;
    case M_min:
        return y_less ? y : x;
    default:
        return y_less ? x : y;
    }
}

void lanes_redux(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0);
    uint32_t group = members(inst, ctx, 1, mask);
    if (!group)
        return;
    uint32_t value = a[__builtin_ctz(group)];
    for (uint32_t lanes = group & (group - 1); lanes; lanes &= lanes - 1)
        value = reduce(inst->op.type2, inst->op.type == PTX_S32, value, a[__builtin_ctz(lanes)]);
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(value)
}

void lanes_activemask(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(mask)
}

bool isa_members(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                 uint32_t *lanes)
{
    *lanes = FULL_MASK;
    int n = inst->exec == lanes_vote ? 0 : inst->exec == lanes_shuffle ? 3 : 1;
    if (inst->class == INST_BARRIER) {
        if (inst->bar_kind != BAR_WARP)
            return true;
        n = 0;
    }
    if (inst->op.src[n] == NO_ROW || !mask)
        return false;
    *lanes = src_row(inst, ctx, n)[__builtin_ctz(mask)];
    return true;
}
