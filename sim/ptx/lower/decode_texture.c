/* tex and tld4 become four instructions: the addresses of its first and last texel, a load from
 * each, which take a load's time and fault where there is no texture, and the fetch itself, which
 * waits for them. With .level or .grad it fetches twice, from two levels of a mipmap. */
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

struct fetch {
    struct texture_form form;
    uint8_t type;
    bool integer; /* coordinates */
    bool gather;  /* tld4, of the component: 0 to 3 */
    uint8_t component;
    uint32_t src[4], dst[4];
};

static void emit_fetch(struct decoder *d, const struct fetch *f)
{
    uint32_t first = ir_vreg(d->ir, VREG_64), last = ir_vreg(d->ir, VREG_64);
    struct vinst *v = texture_emit(d, &f->form, f->src, f->integer);
    v->inst.exec = f->gather ? lanes_gather_address : lanes_texture_address;
    v->dst[0] = first;
    v->dst[1] = last;
    /* The fetch names the loads' results, in places that it does not look at, to wait for them. */
    uint32_t near = touch(d, first), far = f->src[3] == NONE ? touch(d, last) : NONE;
    v = texture_emit(d, &f->form, f->src, f->integer);
    v->inst.exec = f->gather ? lanes_gather : lanes_texture;
    v->inst.op.type = f->type;
    v->inst.op.imm = f->component;
    memcpy(v->dst, f->dst, sizeof f->dst);
    v->base = near;
    if (far != NONE)
        v->src[3] = far;
}

/* --- mipmaps ---------------------------------------------------------------------------------- */

#define COORDINATES 2u /* operand; the next ones say of the level */

/* tex.grad: the square of the longer side of the pixel, in texels of the first level. */
static bool level_of_gradients(struct decoder *d, const struct fetch *f, uint32_t *square)
{
    struct texture_form side = f->form; /* without a layer */
    if (f->form.shape == TEXTURE_CUBE || f->integer)
        return decode_error(d, "gradients are of f32 coordinates, and not of a cube");
    if (is_layered(&f->form)) {
        side.shape = f->form.shape == TEXTURE_LAYERED_1D ? TEXTURE_1D : TEXTURE_2D;
        side.coordinates--;
    }
    for (unsigned i = 0; i < 2; i++) {
        uint32_t src[4] = {f->src[0], NONE, NONE, NONE}, other = i ? *square : NONE;
        if (!texture_coordinates(d, &side, COORDINATES + 1 + i, PTX_F32, src))
            return false;
        struct vinst *v = texture_emit(d, &side, src, false);
        v->inst.exec = lanes_mipmap_gradient;
        v->base = other;
        v->dst[0] = *square = ir_vreg(d->ir, VREG_32);
    }
    return true;
}

/* From two levels, of which the second may be the first again. */
static void emit_two_fetches(struct decoder *d, const struct fetch *f, uint32_t level, uint8_t what)
{
    const uint32_t of_level[4] = {f->src[0], level, NONE, NONE};
    uint32_t weight = ir_vreg(d->ir, VREG_32);
    struct fetch each[2] = {*f, *f};
    struct vinst *v = texture_emit(d, &f->form, of_level, false);
    v->inst.exec = lanes_mipmap_level;
    v->inst.op.type2 = what;
    for (int n = 0; n < 2; n++)
        v->dst[n] = each[n].src[0] = ir_vreg(d->ir, VREG_64);
    v->dst[2] = weight;
    for (int n = 0; n < 2; n++) {
        for (int c = 0; c < 4; c++)
            each[n].dst[c] = f->dst[c] == NONE ? NONE : ir_vreg(d->ir, VREG_32);
        emit_fetch(d, &each[n]);
    }
    for (int c = 0; c < 4; c++) {
        if (f->dst[c] == NONE)
            continue;
        v = decode_emit(d);
        v->inst.exec = lanes_mipmap_blend;
        v->src[0] = each[0].dst[c];
        v->src[1] = each[1].dst[c];
        v->src[2] = weight;
        v->dst[0] = f->dst[c];
    }
}

/* --- tex -------------------------------------------------------------------------------------- */

static bool destinations(struct decoder *d, struct fetch *f)
{
    const struct ast_operand *out = &d->operands[0];
    uint32_t bytes;
    if (!decode_has(d, M_v4) || out->kind != OPERAND_VECTOR || out->count != 4)
        return decode_error(d, "tex and tld4 return four values (.v4)");
    for (uint32_t i = 0; i < 4; i++) {
        const struct ast_operand *o = &d->ir->unit->elements[out->index + i];
        if (o->kind == OPERAND_SINK)
            continue;
        if (!decode_dst_loose(d, o, f->type, &f->dst[i], &bytes))
            return false;
        if (bytes != 4)
            return decode_error(d, "a value must have 32 bits");
    }
    return true;
}

/* The shape, the types and the operands that each fetch has. */
static bool decode_fetch(struct decoder *d, uint32_t operands, uint32_t coordinates,
                         struct fetch *f)
{
    uint8_t coordinate;
    *f = (struct fetch){.src = {NONE, NONE, NONE, NONE}, .dst = {NONE, NONE, NONE, NONE}};
    if (!texture_form_of(d, &f->form) || !decode_count(d, operands, operands) ||
        !decode_type(d, 0, &f->type) || !decode_type(d, 1, &coordinate) ||
        !decode_type_in(d, f->type, BITS(PTX_F32) | BITS(PTX_S32) | BITS(PTX_U32)) ||
        !decode_type_in(d, coordinate, coordinates) ||
        !texture_object_of(d, &d->operands[1], &f->src[0]) ||
        !texture_coordinates(d, &f->form, COORDINATES, coordinate, f->src) || !destinations(d, f))
        return false;
    f->integer = coordinate == PTX_S32;
    return true;
}

bool decode_tex(struct decoder *d)
{
    struct fetch f;
    bool level = decode_has(d, M_level), gradient = decode_has(d, M_grad);
    uint32_t count = COORDINATES + 1 + level + 2 * gradient, of_level;
    if (!decode_fetch(d, count, BITS(PTX_F32) | BITS(PTX_S32), &f))
        return false;
    if (f.form.shape == TEXTURE_CUBE && f.integer)
        return decode_error(d, "a cube's coordinates are f32");
    if (level && !decode_source(d, &d->operands[COORDINATES + 1], f.integer ? PTX_S32 : PTX_F32,
                                false, &of_level))
        return false;
    if (gradient && !level_of_gradients(d, &f, &of_level))
        return false;
    if (gradient || level)
        emit_two_fetches(d, &f, of_level,
                         gradient    ? LEVEL_SQUARE
                         : f.integer ? LEVEL_WHOLE
                                     : LEVEL_VALUE);
    else
        emit_fetch(d, &f);
    return true;
}

/* --- tld4 ------------------------------------------------------------------------------------- */

bool decode_tld4(struct decoder *d)
{
    static const enum modifier components[] = {M_r, M_g, M_b, M_a};
    struct fetch f;
    uint8_t c = 0;
    while (c < 4 && !decode_has(d, components[c]))
        c++;
    if (c == 4)
        return decode_error(d, "tld4 gathers a component: .r, .g, .b or .a");
    if (!decode_fetch(d, COORDINATES + 1, BITS(PTX_F32), &f))
        return false;
    if (f.form.shape != TEXTURE_2D && f.form.shape != TEXTURE_LAYERED_2D &&
        f.form.shape != TEXTURE_CUBE)
        return decode_error(d, "the shapes of tld4 are 2d, a2d and cube");
    f.gather = true;
    f.component = c;
    emit_fetch(d, &f);
    return true;
}
