/* mma.sp: a's tiles are unpacked (lanes_mma_sparse.c), then multiplied as those of mma. */
#include "sim/ptx/lower/decode_mma.h"

static const struct shape shapes[] = {
    {M_m16n8k8, 2, 1, 8, 0, TF32},
    {M_m16n8k16, 2, 1, 16, 0, HALVES | TF32},
    {M_m16n8k32, 2, 1, 32, 0, HALVES | BYTES},
    {M_m16n8k64, 2, 1, 64, 0, BYTES | NIBBLES},
    {M_m16n8k128, 2, 1, 128, 0, NIBBLES},
};

const struct shape *mma_sparse_shape(struct decoder *d)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (decode_has(d, shapes[i].name))
            return &shapes[i];
    decode_error(d, "the shapes of mma.sp are m16n8k8 to m16n8k128");
    return NULL;
}

/* The operand that says which lanes have the indices: one of `most`. */
static bool selector_of(struct decoder *d, uint32_t most, uint32_t *selector)
{
    const struct ast_operand *o = &d->operands[5];
    if (o->kind != OPERAND_INT || o->value < 0 || o->value >= most)
        return decode_error(d, "the sparsity selector of this shape is a constant below %u", most);
    *selector = (uint32_t)o->value;
    return true;
}

bool mma_unpack(struct decoder *d, const struct shape *shape, enum element of,
                const uint32_t packed[MOST_TILES], uint32_t a[MOST_TILES])
{
    const uint32_t deep = tiles_deep(shape, of);
    const bool bytes = element_kinds[of].bits <= 3, is_long = deep == 4;
    uint32_t indices, selector = 0;
    if (!selector_of(d, (bytes ? 2u : 4u) / (is_long ? 2u : 1u), &selector) ||
        !decode_source(d, &d->operands[4], PTX_B32, true, &indices))
        return false;
    for (uint32_t i = 0; i < 2 * deep; i++) {
        const uint32_t lower = i / deep, depth = i % deep;
        struct vinst *v = decode_emit(d);
        v->inst.exec = lanes_mma_sparse;
        v->inst.flags = INST_CONVERGENT;
        v->inst.op.sub = (uint8_t)(depth | lower * SPARSE_LOWER | (bytes ? SPARSE_BYTES : 0u) |
                                   (is_long ? SPARSE_LONG : 0u) | selector * SPARSE_SELECTOR);
        v->src[0] = packed[2 * (depth / 2) + lower];
        v->src[1] = indices;
        a[i] = v->dst[0] = ir_vreg(d->ir, VREG_32);
    }
    return true;
}
