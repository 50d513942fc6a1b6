/* Instructions that look across the lanes: vote, shfl, match, redux, elect. */
#include "sim/ptx/execute/vector.h"

/* vote.sync and the like name the lanes that take part; those that do not run cannot. Lanes that
 * run together may name different ones (tiles of a warp). */
struct group {
    uint32_t members, askers; /* who takes part; who named them and gets the result */
};

/* The lanes that the first of `left` names, and all of `left` that name the same. */
CLONED_PART struct group take_group(const struct inst *inst, const struct lane_ctx *ctx, int n,
                                    uint32_t mask, uint32_t *left)
{
    struct group g = {mask, *left};
    if (inst->op.src[n] != NO_ROW) {
        const uint32_t *named = src_row(inst, ctx, n);
        uint32_t first = named[__builtin_ctz(*left)], same = 0;
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            same |= named[i] == first ? lane_bit[i] : 0;
        g.members = mask & first;
        g.askers = *left & same;
    }
    *left &= ~g.askers;
    return g;
}

static void vote(const struct inst *inst, struct lane_ctx *ctx, struct group g, uint32_t lanes)
{
    uint32_t mask = g.askers;
    bool result;
    switch (inst->op.sub + M_all) {
    case M_all:
        result = lanes == g.members;
        break;
    case M_any:
        result = lanes != 0;
        break;
    case M_uni:
        result = lanes == g.members || lanes == 0;
        break;
    default: {
        uint32_t *d = dst_row(inst, ctx, 0);
        EACH_LANE PUT_32(lanes) return;
    }
    }
    set_pred(ctx, inst->op.pdst[0], mask, result ? FULL_MASK : 0);
}

LANE_FN static void vote_lanes(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t lanes = pred_lanes(inst, ctx); /* before any result overwrites it */
    for (uint32_t left = mask; left;) {
        struct group g = take_group(inst, ctx, 0, mask, &left);
        vote(inst, ctx, g, lanes & g.members);
    }
}

/* Of each lane: whence it takes its word, and its bit if that is in range. */
struct sources {
    uint32_t lane[WARP_SIZE], in_range[WARP_SIZE];
};

/* PTX ISA, "shfl": a lane whose source is out of range has its own word. */
CLONED_PART void find_sources(enum modifier mode, const uint32_t *b, const uint32_t *c,
                              struct sources *s)
{
    EACH_LANE
    {
        uint32_t by = b[i] & 31, segment = c[i] >> 8 & 31;
        uint32_t top = (i & segment) | (c[i] & 31 & ~segment);
        uint32_t from = mode == M_up     ? i - by
                        : mode == M_down ? i + by
                        : mode == M_bfly ? i ^ by
                                         : (i & segment) | (by & ~segment);
        bool ok = mode == M_up ? (int32_t)from >= (int32_t)top : from <= top;
        s->lane[i] = ok ? from : i;
        s->in_range[i] = ok ? lane_bit[i] : 0;
    }
}

CLONED_PART bool is_same(const uint32_t *row)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        differ |= row[i] ^ row[0];
    return !differ;
}

#define EXCHANGE(bit)                                                                              \
    case bit:                                                                                      \
        EACH_LANE out[i] = a[i ^ (bit)];                                                           \
        return true;

/* Of sources that are all as far away, or one lane: whole rows, without a look at each lane. False:
 * they are others. Lanes whose source is out of range get any word. */
CLONED_PART bool move_row(enum modifier mode, uint32_t by, const uint32_t *a, uint32_t *out)
{
    uint32_t twice[2 * WARP_SIZE];
    switch (mode) {
    case M_up:
    case M_down:
        memcpy(twice, a, sizeof twice / 2);
        memcpy(twice + WARP_SIZE, a, sizeof twice / 2);
        memcpy(out, twice + (mode == M_up ? WARP_SIZE - by : by), sizeof twice / 2);
        return true;
    case M_bfly:
        switch (by) {
            EXCHANGE(1)
            EXCHANGE(2)
            EXCHANGE(4)
            EXCHANGE(8)
            EXCHANGE(16)
        }
        return false;
    default:
        EACH_LANE out[i] = a[by];
        return true;
    }
}

LANE_FN static void shuffle_lanes(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *from = src_row(inst, ctx, 0);
    const uint32_t *b = src_row(inst, ctx, 1), *c = src_row(inst, ctx, 2);
    uint32_t a[WARP_SIZE], out[WARP_SIZE], in_range = 0;
    struct sources s;
    const enum modifier mode = inst->op.sub + M_up;
    switch (mode) {
    case M_up:
        find_sources(M_up, b, c, &s);
        break;
    case M_down:
        find_sources(M_down, b, c, &s);
        break;
    case M_bfly:
        find_sources(M_bfly, b, c, &s);
        break;
    default:
        find_sources(M_idx, b, c, &s);
    }
    /* The PTX ISA leaves open what a lane gives that does not execute the instruction. Programs of
     * NVIDIA's sum over a part of a warp and rely on 0: the sample reduction, kernel 7. */
    EACH_LANE a[i] = IN_MASK ? from[i] : 0;
    bool one = mode != M_up && mode != M_down && mode != M_bfly;
    if (is_same(b) && (!one || (is_same(c) && !(c[0] >> 8 & 31))) &&
        move_row(mode, b[0] & 31, a, out)) {
        EACH_LANE out[i] = s.in_range[i] ? out[i] : a[i];
    } else {
        EACH_LANE out[i] = a[s.lane[i]];
    }
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        in_range |= s.in_range[i];
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(out[i]) set_pred(ctx, inst->op.pdst[0], mask, in_range);
}

static void match(const struct inst *inst, struct lane_ctx *ctx, struct group g,
                  const uint64_t *value)
{
    uint32_t out[WARP_SIZE] = {0}, mask = g.askers;
    for (uint32_t lanes = g.members; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        for (uint32_t others = g.members; others; others &= others - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(others);
            out[i] |= value[k] == value[i] ? lane_bit[k] : 0;
        }
    }
    bool all = inst->op.sub, same = !g.members || out[__builtin_ctz(g.members)] == g.members;
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(all ? (same ? g.members : 0) : out[i])
        set_pred(ctx, inst->op.pdst[0], mask, same ? FULL_MASK : 0);
}

void lanes_match(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0);
    bool wide = inst->op.mods & OP_SRC64;
    uint64_t value[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        value[i] = wide ? wide_at(a, i) : a[i];
    for (uint32_t left = mask; left;)
        match(inst, ctx, take_group(inst, ctx, 1, mask, &left), value);
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
    uint32_t a[WARP_SIZE], *d = dst_row(inst, ctx, 0);
    memcpy(a, src_row(inst, ctx, 0), sizeof a);
    for (uint32_t left = mask; left;) {
        struct group g = take_group(inst, ctx, 1, mask, &left);
        if (!g.members)
            continue;
        uint32_t value = a[__builtin_ctz(g.members)];
        for (uint32_t lanes = g.members & (g.members - 1); lanes; lanes &= lanes - 1)
            value =
                reduce(inst->op.type2, inst->op.type == PTX_S32, value, a[__builtin_ctz(lanes)]);
        for (uint32_t lanes = g.askers; lanes; lanes &= lanes - 1)
            d[__builtin_ctz(lanes)] = value;
    }
}

/* The first member; the PTX ISA leaves open which. */
void lanes_elect(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *d = dst_row(inst, ctx, 0);
    for (uint32_t left = mask; left;) {
        struct group g = take_group(inst, ctx, 0, mask, &left);
        uint32_t leader = g.members & -g.members;
        for (uint32_t lanes = g.askers; lanes && leader; lanes &= lanes - 1)
            d[__builtin_ctz(lanes)] = (uint32_t)__builtin_ctz(leader);
        set_pred(ctx, inst->op.pdst[0], g.askers, leader);
    }
}

void lanes_activemask(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(mask)
}

/* Without clones, so that each has one address, by which isa_members knows it. */
void lanes_vote(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    vote_lanes(inst, ctx, mask);
}

void lanes_shuffle(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    shuffle_lanes(inst, ctx, mask);
}

bool isa_members(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                 uint32_t *lanes)
{
    *lanes = FULL_MASK;
    int n = inst->exec == lanes_shuffle                             ? 3
            : inst->exec == lanes_vote || inst->exec == lanes_elect ? 0
                                                                    : 1;
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

uint32_t isa_sleep(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask)
{
    return src_row(inst, ctx, 0)[__builtin_ctz(mask)];
}
