/* tex: the addresses that a fetch reads, and its value (texture.h). Operands: src[0] the object, 64
 * bits; src[1..3] the coordinates, a layered shape with the layer first. op.sub: shape; op.type2:
 * not zero for whole coordinates; op.type: kind of the destination. */
#include "sim/ptx/execute/texture.h"
#include "sim/ptx/execute/vector.h"

static struct texture_memory memory_of(const struct lane_ctx *ctx)
{
    return (struct texture_memory){
        .base = ctx->memory, .bounds = {ctx->memory_start, ctx->memory_bytes}, .ctx = ctx};
}

static struct texture_fetch fetch_of(const struct inst *inst, const struct lane_ctx *ctx,
                                     uint32_t i)
{
    struct texture_fetch f = {.shape = inst->op.sub, .integer = inst->op.type2};
    int first = 1;
    if (f.shape == TEXTURE_LAYERED_1D || f.shape == TEXTURE_LAYERED_2D)
        f.layer = src_row(inst, ctx, first++)[i];
    for (int n = first; n < 4; n++) {
        if (inst->op.src[n] == NO_ROW)
            continue;
        uint32_t bits = src_row(inst, ctx, n)[i];
        f.at[n - first] = (int32_t)bits;
        f.point[n - first] = f32_of(bits);
    }
    return f;
}

/* dst[0] and dst[1], 64 bits each. */
void lanes_texture_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *object = src_row(inst, ctx, 0);
    struct texture_memory memory = memory_of(ctx);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        struct texture_fetch f = fetch_of(inst, ctx, i);
        uint64_t span[2];
        texture_span(&memory, wide_at(object, i), &f, span);
        for (int n = 0; n < 2; n++) {
            uint32_t *d = dst_row(inst, ctx, n);
            d[i] = (uint32_t)span[n];
            d[i + WARP_SIZE] = (uint32_t)(span[n] >> 32);
        }
    }
}

void lanes_texture(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *object = src_row(inst, ctx, 0);
    struct texture_memory memory = memory_of(ctx);
    enum texture_kind kind = inst->op.type == PTX_F32   ? TEXTURE_FLOAT
                             : inst->op.type == PTX_S32 ? TEXTURE_SIGNED
                                                        : TEXTURE_UNSIGNED;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes), out[4];
        struct texture_fetch f = fetch_of(inst, ctx, i);
        texture_fetch(&memory, wide_at(object, i), &f, kind, out);
        for (int n = 0; n < 4; n++)
            if (inst->op.dst[n] != NO_DST)
                dst_row(inst, ctx, n)[i] = out[n];
    }
}

/* --- surfaces: src[0] the object, src[1..3] the coordinates, a layered shape with the layer first.
 * op.sub: shape; op.type2: enum surface_mode; op.type: bytes of an access.
 * -------------------------- */

/* dst[0], 64 bits; pdst[0], unless there is none: the access takes place. */
void lanes_surface_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *object = src_row(inst, ctx, 0);
    uint32_t *d = dst_row(inst, ctx, 0), lanes_in = 0;
    struct texture_memory memory = memory_of(ctx);
    bool layered = inst->op.sub == TEXTURE_LAYERED_1D || inst->op.sub == TEXTURE_LAYERED_2D;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        struct surface_access a = {
            .shape = inst->op.sub, .mode = inst->op.type2, .bytes = inst->op.type};
        bool inside;
        if (layered)
            a.layer = src_row(inst, ctx, 1)[i];
        for (int n = 1 + layered; n < 4; n++) {
            if (inst->op.src[n] != NO_ROW)
                a.at[n - 1 - layered] = (int32_t)src_row(inst, ctx, n)[i];
        }
        uint64_t address = surface_address(&memory, wide_at(object, i), &a, &inside);
        d[i] = (uint32_t)address;
        d[i + WARP_SIZE] = (uint32_t)(address >> 32);
        lanes_in |= inside || a.mode != SURFACE_ZERO ? 1u << i : 0;
    }
    if (inst->op.pdst[0] != NO_PRED)
        set_pred(ctx, inst->op.pdst[0], mask, lanes_in);
}

void lanes_no_lane(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    set_pred(ctx, inst->op.pdst[0], mask, 0);
}
