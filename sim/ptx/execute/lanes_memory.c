/* Memory side of program.h: addresses, loads, stores. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/parse/ast.h"

LANE_FN void isa_address(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                         uint64_t address[WARP_SIZE])
{
    uint64_t offset = (uint64_t)inst->op.imm;
    if (inst->flags & INST_FRAME) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            address[i] = mask & lane_bit[i] ? ctx->frame[i] + offset : address[i];
        return;
    }
    if (inst->op.base == NO_ROW) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            address[i] = mask & lane_bit[i] ? offset : address[i];
        return;
    }
    const uint32_t *base = row_at(ctx, inst->op.base);
    if (inst->op.mods & OP_BASE32)
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            address[i] = mask & lane_bit[i] ? base[i] + (uint32_t)offset : address[i];
    else
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            address[i] = mask & lane_bit[i] ? wide_at(base, i) + offset : address[i];
}

uint64_t isa_first_address(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(mask);
    const uint64_t offset = (uint64_t)inst->op.imm;
    if (inst->flags & INST_FRAME)
        return ctx->frame[lane] + offset;
    if (inst->op.base == NO_ROW)
        return offset;
    const uint32_t *base = row_at(ctx, inst->op.base);
    return inst->op.mods & OP_BASE32 ? base[lane] + (uint32_t)offset : wide_at(base, lane) + offset;
}

static uint64_t read_element(const uint8_t *at, uint8_t type)
{
    uint64_t bits = 0;
    switch (type) {
    case PTX_S8:
        return (uint64_t)(int64_t)(int8_t)*at;
    case PTX_S16: {
        int16_t value;
        memcpy(&value, at, sizeof value);
        return (uint64_t)(int64_t)value;
    }
    case PTX_S32: {
        int32_t value;
        memcpy(&value, at, sizeof value);
        return (uint64_t)(int64_t)value;
    }
    default:
        memcpy(&bits, at, type_bytes(type));
        return bits;
    }
}

/* Any type into any register. */
static void load_any(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                     const uint8_t *const at[WARP_SIZE])
{
    for (int e = 0; e < inst->vec; e++) {
        uint32_t *d = dst_row(inst, ctx, e);
        for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(lanes);
            uint64_t value = read_element(at[i] + e * inst->width, inst->op.type);
            d[i] = inst->op.type2 <= 2 ? (uint16_t)value : (uint32_t)value;
            if (inst->op.mods & OP_DST64)
                d[i + WARP_SIZE] = (uint32_t)(value >> 32);
        }
    }
}

static void load_words(uint32_t *d, uint32_t mask, const uint8_t *const at[WARP_SIZE],
                       size_t offset)
{
    if (mask == FULL_MASK) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            memcpy(&d[i], at[i] + offset, 4);
        return;
    }
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        memcpy(&d[i], at[i] + offset, 4);
    }
}

void isa_load(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
              const uint8_t *const at[WARP_SIZE])
{
    bool wide = inst->op.mods & OP_DST64;
    if (inst->width == 4 && !wide) {
        for (int e = 0; e < inst->vec; e++)
            load_words(dst_row(inst, ctx, e), mask, at, 4 * (size_t)e);
    } else if (inst->width == 8) {
        for (int e = 0; e < inst->vec; e++) {
            load_words(dst_row(inst, ctx, e), mask, at, 8 * (size_t)e);
            load_words(dst_row(inst, ctx, e) + WARP_SIZE, mask, at, 8 * (size_t)e + 4);
        }
    } else {
        load_any(inst, ctx, mask, at);
    }
}

void isa_store(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
               uint8_t *const at[WARP_SIZE])
{
    const uint32_t *rows[4];
    for (int e = 0; e < inst->vec; e++)
        rows[e] = src_row(inst, ctx, e);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        for (int e = 0; e < inst->vec; e++) {
            uint8_t *to = at[i] + e * inst->width;
            if (inst->width == 4) {
                memcpy(to, &rows[e][i], 4);
            } else if (inst->width == 8) {
                uint64_t value = wide_at(rows[e], i);
                memcpy(to, &value, 8);
            } else {
                memcpy(to, &rows[e][i], inst->width);
            }
        }
    }
}

void isa_copy(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
              struct copy_lanes *lanes)
{
    const uint32_t *to = src_row(inst, ctx, 0);
    const uint32_t *less = inst->op.src[1] == NO_ROW ? NULL : src_row(inst, ctx, 1);
    uint32_t size = (uint32_t)inst->width * inst->vec;
    uint32_t ignored = inst->op.psrc == NO_PRED ? 0 : pred_lanes(inst, ctx);
    lanes->reads = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        uint32_t bytes = ignored >> i & 1 ? 0 : less && less[i] < size ? less[i] : size;
        lanes->to[i] = inst->op.mods & OP_SRC64
                           ? wide_at(to, i) + (uint64_t)(int64_t)(int32_t)inst->target
                           : (uint32_t)(to[i] + inst->target);
        lanes->bytes[i] = (uint8_t)bytes;
        lanes->reads |= bytes ? 1u << i : 0;
    }
}

/* --- barriers ------------------------------------------------------------------------------------
 */

void isa_barrier_operands(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                          uint32_t *number, uint32_t *threads, uint32_t *predicate_lanes)
{
    uint32_t lane = mask ? (uint32_t)__builtin_ctz(mask) : 0;
    *number = src_row(inst, ctx, 0)[lane];
    *threads = inst->op.src[1] == NO_ROW ? 0 : src_row(inst, ctx, 1)[lane];
    *predicate_lanes = inst->op.psrc == NO_PRED ? 0 : pred_lanes(inst, ctx) & mask;
}

bool isa_barrier_fixed(const struct inst *inst)
{
    return inst->op.src[0] & SRC_KONST && inst->op.src[1] == NO_ROW;
}

void isa_barrier_result(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                        uint32_t value)
{
    if (inst->bar_kind != BAR_RED_POPC) {
        set_pred(ctx, inst->op.pdst[0], mask, value ? FULL_MASK : 0);
        return;
    }
    uint32_t *d = dst_row(inst, ctx, 0);
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        d[i] = mask & lane_bit[i] ? value : d[i];
}
