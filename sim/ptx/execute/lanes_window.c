/* Loads and stores of a whole warp in one window of memory: addresses, checks and access in a few
 * vector operations, with shorter ways for one address and for consecutive ones. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/parse/ast.h"

/* Offsets of the lanes in the window; those of lanes without access are the first one's. */
struct lane_offsets {
    uint32_t of[WARP_SIZE];
    bool same; /* all lanes at one place */
    bool unit; /* every lane right behind the one before */
};

/* Offsets fit into 32 bits, or the access is left to the general way. */
CLONED_PART bool add_start(const struct inst *inst, const struct memory_window *v, uint64_t *start)
{
    *start = (uint64_t)inst->op.imm - v->low;
    return !(inst->op.mods & OP_BASE32) || !v->low;
}

CLONED_PART bool find_offsets(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              const struct memory_window *v, struct lane_offsets *o)
{
    uint32_t size = (uint32_t)inst->width * inst->vec;
    uint64_t start;
    if (inst->flags & INST_FRAME || v->bytes < size || v->low & (size - 1) ||
        !add_start(inst, v, &start))
        return false;
    uint64_t last = v->bytes - size;
    if (inst->op.base == NO_ROW) {
        EACH_LANE o->of[i] = (uint32_t)start;
        o->same = true;
        o->unit = false;
        return start <= last && start <= UINT32_MAX && !(start & (size - 1));
    }
    const uint32_t *base = row_at(ctx, inst->op.base);
    uint32_t first = (uint32_t)__builtin_ctz(mask), high = 0;
    if (inst->op.mods & OP_BASE32) {
        uint32_t at = base[first];
        EACH_LANE o->of[i] = (mask & lane_bit[i] ? base[i] : at) + (uint32_t)start;
    } else {
        uint64_t at = wide_at(base, first);
        EACH_LANE
        {
            uint64_t offset = (mask & lane_bit[i] ? wide_at(base, i) : at) + start;
            o->of[i] = (uint32_t)offset;
            high |= (uint32_t)(offset >> 32);
        }
    }
    uint32_t any = 0, most = 0, differ = 0, step = 0, zero = o->of[0];
    EACH_LANE
    {
        uint32_t offset = o->of[i];
        any |= offset;
        most = offset > most ? offset : most;
        differ |= offset ^ zero;
        step |= offset ^ (zero + i * size);
    }
    o->same = !differ;
    o->unit = !step && mask == FULL_MASK;
    return !high && most <= last && !(any & (size - 1));
}

/* --- loads ------------------------------------------------------------------------------------ */

CLONED_PART void load_row(uint32_t *d, uint32_t mask, const struct lane_offsets *o,
                          const uint8_t *at)
{
    if (o->same) {
        uint32_t value;
        memcpy(&value, at + o->of[0], 4);
        EACH_LANE PUT_32(value) return;
    }
    if (mask == FULL_MASK) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            memcpy(&d[i], at + o->of[i], 4);
        return;
    }
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        memcpy(&d[i], at + o->of[i], 4);
    }
}

CLONED_PART void load_pair(uint32_t *d, const uint8_t *at)
{
    uint64_t value[WARP_SIZE];
    memcpy(value, at, sizeof value);
    EACH_LANE
    {
        d[i] = (uint32_t)value[i];
        d[i + WARP_SIZE] = (uint32_t)(value[i] >> 32);
    }
}

static void load_narrow(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                        const struct lane_offsets *o, const uint8_t *base)
{
    const uint8_t *at[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = base + o->of[i];
    isa_load(inst, ctx, mask, at);
}

LANE_FN bool isa_load_window(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                             const struct memory_window *window)
{
    struct lane_offsets o;
    if (!find_offsets(inst, ctx, mask, window, &o))
        return false;
    bool wide = inst->op.mods & OP_DST64;
    const uint8_t *at = window->at;
    if (inst->width == 4 && !wide) {
        if (o.unit && inst->vec == 1)
            memcpy(dst_row(inst, ctx, 0), at + o.of[0], 4 * WARP_SIZE);
        else
            for (int e = 0; e < inst->vec; e++)
                load_row(dst_row(inst, ctx, e), mask, &o, at + 4 * e);
    } else if (inst->width == 8) {
        if (o.unit && inst->vec == 1) {
            load_pair(dst_row(inst, ctx, 0), at + o.of[0]);
            return true;
        }
        for (int e = 0; e < inst->vec; e++) {
            load_row(dst_row(inst, ctx, e), mask, &o, at + 8 * e);
            load_row(dst_row(inst, ctx, e) + WARP_SIZE, mask, &o, at + 8 * e + 4);
        }
    } else {
        load_narrow(inst, ctx, mask, &o, at);
    }
    return true;
}

/* --- stores ----------------------------------------------------------------------------------- */

LANE_FN bool isa_store_window(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              const struct memory_window *window)
{
    struct lane_offsets o;
    if (!find_offsets(inst, ctx, mask, window, &o))
        return false;
    if (o.unit && inst->width == 4 && inst->vec == 1) {
        memcpy(window->at + o.of[0], src_row(inst, ctx, 0), 4 * WARP_SIZE);
        return true;
    }
    uint8_t *at[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = window->at + o.of[i];
    isa_store(inst, ctx, mask, at);
    return true;
}
