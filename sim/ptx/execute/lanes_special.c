/* Special registers, packing, predicates, carry, tests. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/special.h"

void lanes_nothing(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    (void)inst;
    (void)ctx;
    (void)mask;
}

static uint64_t uniform_special(struct lane_ctx *ctx, uint32_t special)
{
    ctx->clock_read |= special_is_clock(special);
    switch (special) {
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
        return ctx->ntid[special - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z:
        return ctx->ctaid[special - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
        return ctx->nctaid[special - SPECIAL_NCTAID_X];
    case SPECIAL_WARPID:
        return ctx->warpid;
    case SPECIAL_NWARPID:
        return ctx->nwarpid;
    case SPECIAL_SMID:
        return ctx->smid;
    case SPECIAL_NSMID:
        return ctx->nsmid;
    case SPECIAL_GRIDID:
        return ctx->gridid;
    case SPECIAL_CLOCK:
        return (uint32_t)ctx->clock;
    case SPECIAL_CLOCK_HI:
        return ctx->clock >> 32;
    case SPECIAL_CLOCK64:
        return ctx->clock;
    case SPECIAL_GLOBALTIMER:
        return ctx->globaltimer;
    case SPECIAL_GLOBALTIMER_LO:
        return (uint32_t)ctx->globaltimer;
    case SPECIAL_GLOBALTIMER_HI:
        return ctx->globaltimer >> 32;
    case SPECIAL_DYNAMIC_SMEM:
        return ctx->dynamic_smem;
    case SPECIAL_TOTAL_SMEM:
        return ctx->total_smem;
    default: /* the .w components */
        return special == SPECIAL_NTID_W || special == SPECIAL_NCTAID_W;
    }
}

static uint32_t lane_special(uint32_t special, uint32_t lane)
{
    switch (special) {
    case SPECIAL_LANEMASK_EQ:
        return 1u << lane;
    case SPECIAL_LANEMASK_LE:
        return UINT32_MAX >> (31 - lane);
    case SPECIAL_LANEMASK_LT:
        return (1u << lane) - 1;
    case SPECIAL_LANEMASK_GE:
        return UINT32_MAX << lane;
    case SPECIAL_LANEMASK_GT:
        return UINT32_MAX << lane << 1;
    default:
        return lane;
    }
}

void lanes_special(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *d = dst_row(inst, ctx, 0), special = inst->op.sub;
    bool wide = inst->op.mods & OP_DST64;
    bool by_lane = special == SPECIAL_LANEID ||
                   (special >= SPECIAL_LANEMASK_EQ && special <= SPECIAL_LANEMASK_GT);
    if (special <= SPECIAL_TID_Z) {
        const uint32_t *tid = ctx->tid[special - SPECIAL_TID_X];
        EACH_LANE PUT_32(tid[i])
    } else if (by_lane) {
        EACH_LANE PUT_32(lane_special(special, i))
    } else {
        uint64_t value = uniform_special(ctx, special);
        if (wide) {
            EACH_LANE PUT_64(value)
        } else {
            EACH_LANE PUT_32(value)
        }
    }
}

/* --- vectors -------------------------------------------------------------------------------------
 */

void lanes_pack(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *d = dst_row(inst, ctx, 0), bits = 8u * inst->op.sub;
    uint64_t part = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        uint64_t value = 0;
        for (unsigned e = 0; e < inst->vec; e++)
            value |= (src_row(inst, ctx, (int)e)[i] & part) << (e * bits);
        d[i] = (uint32_t)value;
        if (inst->op.mods & OP_DST64)
            d[i + WARP_SIZE] = (uint32_t)(value >> 32);
    }
}

void lanes_unpack(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0);
    uint32_t bits = 8u * inst->op.sub;
    uint64_t part = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        uint64_t value = inst->op.mods & OP_SRC64 ? wide_at(a, i) : a[i];
        for (unsigned e = 0; e < inst->vec; e++)
            dst_row(inst, ctx, (int)e)[i] = (uint32_t)(value >> (e * bits) & part);
    }
}

/* --- predicates ----------------------------------------------------------------------------------
 */

void lanes_pred_move(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    bool constant = inst->op.psrc == NO_PRED;
    uint32_t lanes = constant ? (inst->op.sub ? FULL_MASK : 0) : pred_lanes(inst, ctx);
    set_pred(ctx, inst->op.pdst[0], mask, lanes);
}

void lanes_pred_logic(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t a = pred_lanes(inst, ctx), b = ctx->pred[inst->op.psrc2];
    if (inst->op.round)
        b = ~b;
    uint32_t lanes = inst->op.sub == COMBINE_AND  ? a & b
                     : inst->op.sub == COMBINE_OR ? a | b
                                                  : a ^ b;
    set_pred(ctx, inst->op.pdst[0], mask, lanes);
}

static bool has_property(uint64_t magnitude, uint64_t infinity, uint64_t smallest_normal,
                         uint8_t sub)
{
    switch (sub + M_finite) {
    case M_finite:
        return magnitude < infinity;
    case M_infinite:
        return magnitude == infinity;
    case M_number:
        return magnitude <= infinity;
    case M_notanumber:
        return magnitude > infinity;
    case M_normal:
        return magnitude >= smallest_normal && magnitude < infinity;
    default:
        return magnitude && magnitude < smallest_normal;
    }
}

void lanes_testp(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0);
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        bool is =
            inst->op.mods & OP_SRC64
                ? has_property(wide_at(a, i) & INT64_MAX, 0x7FFull << 52, 1ull << 52, inst->op.sub)
                : has_property(a[i] & INT32_MAX, 0xFFu << 23, 1u << 23, inst->op.sub);
        lanes |= is ? lane_bit[i] : 0;
    }
    set_pred(ctx, inst->op.pdst[0], mask, lanes);
}

void lanes_isspacep(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0);
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint64_t at = wide_at(a, i);
        uint8_t space = at >= LOCAL_WINDOW    ? SPACE_LOCAL
                        : at >= SHARED_WINDOW ? SPACE_SHARED
                                              : SPACE_GLOBAL;
        lanes |= space == inst->op.sub ? lane_bit[i] : 0;
    }
    set_pred(ctx, inst->op.pdst[0], mask, lanes);
}

/* --- add.cc, subc, madc and so on ----------------------------------------------------------------
 */

enum { CARRY_ADD, CARRY_SUB, CARRY_MAD };

/* The addend of mad: low or high half of the product, signed as the type says. */
static uint64_t product(const struct inst *inst, uint64_t a, uint64_t b, bool wide)
{
    bool is_signed = inst->op.type == PTX_S32 || inst->op.type == PTX_S64;
    bool high = inst->op.mods & OP_HIGH;
    if (!wide) {
        uint64_t p = is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : a * b;
        return (uint32_t)(high ? p >> 32 : p);
    }
    unsigned __int128 p = is_signed ? (unsigned __int128)((__int128)(int64_t)a * (int64_t)b)
                                    : (unsigned __int128)a * b;
    return (uint64_t)(high ? p >> 64 : p);
}

/* Words of 32 bits, all lanes at once: constant kinds make loops without branches. */
static inline __attribute__((always_inline)) uint32_t carry_words(const struct inst *inst,
                                                                  const struct lane_ctx *ctx,
                                                                  uint32_t sums[WARP_SIZE],
                                                                  uint8_t kind, bool high)
{
    uint32_t in = inst->op.mods & OP_CARRY_IN ? ctx->pred[inst->op.psrc] : 0, carries = 0;
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    const uint32_t *c = kind == CARRY_MAD ? src_row(inst, ctx, 2) : b;
    uint32_t over[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint32_t x = a[i], carry = in & lane_bit[i] ? 1 : 0;
        if (kind == CARRY_MAD)
            x = high ? (uint32_t)((uint64_t)x * b[i] >> 32) : x * b[i];
        uint32_t sum = kind == CARRY_SUB ? x - c[i] : x + c[i];
        bool first = kind == CARRY_SUB ? x < c[i] : sum < x;
        sums[i] = kind == CARRY_SUB ? sum - carry : sum + carry;
        bool second = kind == CARRY_SUB ? sum < carry : sums[i] < sum;
        over[i] = first || second ? lane_bit[i] : 0;
    }
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        carries |= over[i];
    return carries;
}

/* False: not of unsigned words. */
LANE_FN static bool carry_unsigned(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t sums[WARP_SIZE], carries, *d = dst_row(inst, ctx, 0);
    bool high = inst->op.mods & OP_HIGH;
    if (inst->op.mods & OP_DST64 || (high && inst->op.type == PTX_S32))
        return false;
    if (inst->op.sub == CARRY_ADD)
        carries = carry_words(inst, ctx, sums, CARRY_ADD, false);
    else if (inst->op.sub == CARRY_SUB)
        carries = carry_words(inst, ctx, sums, CARRY_SUB, false);
    else if (high)
        carries = carry_words(inst, ctx, sums, CARRY_MAD, true);
    else
        carries = carry_words(inst, ctx, sums, CARRY_MAD, false);
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        d[i] = mask & lane_bit[i] ? sums[i] : d[i];
    if (inst->op.mods & OP_CARRY_OUT)
        set_pred(ctx, inst->op.pdst[0], mask, carries & mask);
    return true;
}

void lanes_carry(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    if (carry_unsigned(inst, ctx, mask))
        return;
    uint32_t mods = inst->op.mods, *d = dst_row(inst, ctx, 0), carries = 0;
    uint32_t in = mods & OP_CARRY_IN ? ctx->pred[inst->op.psrc] : 0;
    bool wide = mods & OP_DST64, sub = inst->op.sub == CARRY_SUB, mad = inst->op.sub == CARRY_MAD;
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    const uint32_t *c = mad ? src_row(inst, ctx, 2) : NULL;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        uint64_t x = wide ? wide_at(a, i) : a[i], y = wide ? wide_at(b, i) : b[i];
        if (mad) {
            x = product(inst, x, y, wide);
            y = wide ? wide_at(c, i) : c[i];
        }
        bool carry = in >> i & 1;
        unsigned __int128 sum =
            sub ? (unsigned __int128)x - y - carry : (unsigned __int128)x + y + carry;
        /* CC.CF is the carry, for subtractions the borrow. */
        carries |= (uint32_t)(sum >> (wide ? 64 : 32) & 1) << i;
        d[i] = (uint32_t)sum;
        if (wide)
            d[i + WARP_SIZE] = (uint32_t)(sum >> 32);
    }
    if (mods & OP_CARRY_OUT)
        set_pred(ctx, inst->op.pdst[0], mask, carries);
}
