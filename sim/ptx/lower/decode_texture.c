/* tex becomes four instructions: the addresses of its first and last texel, a load from each, which
 * take a load's time and fault where there is no texture, and the fetch itself, which waits for
 * them. */
#include "sim/ptx/lower/decode_texture.h"

#include <string.h>

bool texture_form_of(struct decoder *d, struct texture_form *form)
{
    static const struct {
        enum modifier m;
        struct texture_form form;
    } forms[] = {{M_d1, {TEXTURE_1D, 1}},          {M_d2, {TEXTURE_2D, 2}},
                 {M_d3, {TEXTURE_3D, 3}},          {M_a1d, {TEXTURE_LAYERED_1D, 2}},
                 {M_a2d, {TEXTURE_LAYERED_2D, 3}}, {M_cube, {TEXTURE_CUBE, 3}}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (decode_has(d, forms[i].m)) {
            *form = forms[i].form;
            return true;
        }
    return decode_error(d, "the shapes are 1d, 2d, 3d, a1d, a2d and, of textures, cube");
}

bool texture_object_of(struct decoder *d, const struct ast_operand *o, uint32_t *ref)
{
    uint8_t type;
    if (o->kind != OPERAND_ADDRESS || o->value != 0 || o->base_kind == OPERAND_INT)
        return decode_error(d, "a texture in brackets is expected");
    if (o->base_kind == OPERAND_SYMBOL)
        return decode_symbol(d, o->index, 0, true, ref);
    *ref = d->frame->reg_base + o->index;
    type = d->frame->function->regs[o->index];
    return (type != PTX_PRED && type_bytes(type) == 8) ||
           decode_error(d, "a texture object must have 64 bits");
}

struct vinst *texture_emit(struct decoder *d, const struct texture_form *form,
                           const uint32_t src[4], bool integer)
{
    struct vinst *v = decode_emit(d);
    v->inst.unit = UNIT_SFU;
    v->inst.timing = TIMING_SFU;
    v->inst.op.sub = form->shape;
    v->inst.op.type2 = integer;
    v->inst.op.mods = OP_SRC64;
    memcpy(v->src, src, 4 * sizeof *src);
    return v;
}

static uint32_t touch(struct decoder *d, uint32_t address)
{
    uint32_t word = ir_vreg(d->ir, VREG_32);
    struct vinst *v = decode_emit(d);
    v->inst.class = INST_LOAD;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = SPACE_GLOBAL;
    v->inst.op.type = PTX_B32;
    v->inst.op.type2 = 4;
    v->base = address;
    v->dst[0] = word;
    return word;
}

static bool is_layered(const struct texture_form *form)
{
    return form->shape == TEXTURE_LAYERED_1D || form->shape == TEXTURE_LAYERED_2D;
}

bool texture_coordinates(struct decoder *d, const struct texture_form *form, unsigned operand,
                         uint8_t coordinate, uint32_t src[4])
{
    const struct ast_operand *vector = &d->operands[operand];
    bool layered = is_layered(form);
    if (vector->kind != OPERAND_VECTOR || vector->count < form->coordinates)
        return decode_error(d, "%u coordinates expected", form->coordinates);
    for (uint32_t i = 0; i < form->coordinates; i++)
        if (!decode_source(d, &d->ir->unit->elements[vector->index + i],
                           layered && i == 0 ? PTX_B32 : coordinate, false, &src[i + 1]))
            return false;
    return true;
}

bool decode_tex(struct decoder *d)
{
    struct texture_form form = {0};
    uint8_t type, coordinate;
    uint32_t dst[4] = {NONE, NONE, NONE, NONE}, src[4] = {NONE, NONE, NONE, NONE}, bytes;
    bool level = decode_has(d, M_level); /* textures have one level: any other is that one */
    if (!texture_form_of(d, &form) || !decode_count(d, level ? 4 : 3, level ? 4 : 3) ||
        !decode_type(d, 0, &type) || !decode_type(d, 1, &coordinate) ||
        !decode_type_in(d, type, BITS(PTX_F32) | BITS(PTX_S32) | BITS(PTX_U32)) ||
        !decode_type_in(d, coordinate, BITS(PTX_F32) | BITS(PTX_S32)) ||
        !texture_object_of(d, &d->operands[1], &src[0]) ||
        !texture_coordinates(d, &form, 2, coordinate, src))
        return false;
    const struct ast_operand *out = &d->operands[0];
    if (!decode_has(d, M_v4) || out->kind != OPERAND_VECTOR || out->count != 4)
        return decode_error(d, "tex returns four components (.v4)");
    for (uint32_t i = 0; i < 4; i++) {
        const struct ast_operand *o = &d->ir->unit->elements[out->index + i];
        if (o->kind == OPERAND_SINK)
            continue;
        if (!decode_dst_loose(d, o, type, &dst[i], &bytes))
            return false;
        if (bytes != 4)
            return decode_error(d, "a component must have 32 bits");
    }
    bool integer = coordinate == PTX_S32;
    if (form.shape == TEXTURE_CUBE && integer)
        return decode_error(d, "a cube's coordinates are f32");
    uint32_t first = ir_vreg(d->ir, VREG_64), last = ir_vreg(d->ir, VREG_64);
    struct vinst *v = texture_emit(d, &form, src, integer);
    v->inst.exec = lanes_texture_address;
    v->dst[0] = first;
    v->dst[1] = last;
    /* The fetch names the loads' results, in places that it does not look at, to wait for them. */
    uint32_t near = touch(d, first), far = src[3] == NONE ? touch(d, last) : NONE;
    v = texture_emit(d, &form, src, integer);
    v->inst.exec = lanes_texture;
    v->inst.op.type = type;
    memcpy(v->dst, dst, sizeof dst);
    v->base = near;
    if (far != NONE)
        v->src[3] = far;
    return true;
}
