/* tex.level and tex.grad: which two levels of a mipmap a fetch reads, and what comes of both
 * (texture.h). */
#include <math.h>

#include "sim/ptx/execute/texture.h"
#include "sim/ptx/execute/vector.h"

/* Operands: src[0] the object, src[1..3] how the coordinates change by a step along one side of the
 * pixel; base: what this has given of the other side, unless there is none. dst[0]: the square of
 * the longer side, in texels. op.sub: shape. */
void lanes_mipmap_gradient(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    struct texture_memory memory = texture_memory_of(ctx);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        const struct texture_descriptor *d =
            texture_find(&memory, wide_at(src_row(inst, ctx, 0), i));
        const uint32_t sizes[3] = {d ? d->width : 1, d ? d->height : 1, d ? d->depth : 1};
        bool normalized = d && d->flags & TEXTURE_NORMALIZED;
        double square = 0, other = 0;
        for (int n = 1; n < 4; n++) {
            if (inst->op.src[n] == NO_ROW)
                continue;
            double step = (double)f32_of(src_row(inst, ctx, n)[i]);
            step *= normalized ? sizes[n - 1] : 1;
            square += step * step;
        }
        if (inst->op.base != NO_ROW)
            other = (double)f32_of(row_at(ctx, inst->op.base)[i]);
        dst_row(inst, ctx, 0)[i] = bits_of_f32((float)(square > other ? square : other));
    }
}

/* The first of the two levels, and how much the second one weighs. */
static uint32_t split_level(const struct texture_descriptor *d, double level, double *weight)
{
    uint32_t last = d->levels > 1 ? d->levels - 1u : 0;
    level += (double)d->level_bias;
    level = level > (double)d->level_max ? (double)d->level_max : level;
    level = level >= (double)d->level_min ? level : (double)d->level_min; /* no number: the first */
    level = level > 0 ? level : 0;
    level = level < last ? level : last;
    *weight = 0;
    if (!(d->flags & TEXTURE_LEVELS_LINEAR) || !texture_values(d))
        return (uint32_t)ceil(level - 0.5);
    double first = floor(level);
    *weight = rint((level - first) * 256) / 256; /* 8 bits, as within a level */
    return (uint32_t)first;
}

/* Operands: src[0] the object; src[1] the level, a float, or an integer if op.type2 is LEVEL_WHOLE,
 * or the square of a length in texels if it is LEVEL_SQUARE. dst[0], dst[1]: the objects of the two
 * levels, 64 bits each; dst[2]: the weight of the second one. */
void lanes_mipmap_level(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    struct texture_memory memory = texture_memory_of(ctx);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes), bits = src_row(inst, ctx, 1)[i];
        uint64_t object = wide_at(src_row(inst, ctx, 0), i);
        const struct texture_descriptor *d = texture_find(&memory, object);
        double level = (double)f32_of(bits), weight = 0;
        uint64_t of[2] = {object, object};
        if (inst->op.type2 == LEVEL_WHOLE)
            level = (int32_t)bits;
        else if (inst->op.type2 == LEVEL_SQUARE)
            level = log2(level) / 2;
        if (d && d->levels) {
            of[0] += split_level(d, level, &weight) * (uint64_t)TEXTURE_STRIDE;
            of[1] = of[0] + (weight > 0 ? TEXTURE_STRIDE : 0);
        }
        for (int n = 0; n < 2; n++) {
            dst_row(inst, ctx, n)[i] = (uint32_t)of[n];
            dst_row(inst, ctx, n)[i + WARP_SIZE] = (uint32_t)(of[n] >> 32);
        }
        dst_row(inst, ctx, 2)[i] = bits_of_f32((float)weight);
    }
}

/* dst[0]: src[0] and src[1], of the weight src[2]. */
void lanes_mipmap_blend(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    const uint32_t *weights = src_row(inst, ctx, 2);
    uint32_t *d = dst_row(inst, ctx, 0);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        double weight = (double)f32_of(weights[i]);
        double sum = (1 - weight) * (double)f32_of(a[i]) + weight * (double)f32_of(b[i]);
        d[i] = weight > 0 ? canonical_f32((float)sum) : a[i];
    }
}
