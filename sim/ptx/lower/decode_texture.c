/* tex becomes four instructions: the addresses of its first and last texel, a load from each, which
 * take a load's time and fault where there is no texture, and the fetch itself, which waits for
 * them. */
#include "sim/ptx/execute/texture.h"
#include "sim/ptx/lower/decode.h"

#include <string.h>

struct form {
    uint8_t shape, coordinates; /* elements looked at */
};

static bool form_of(struct decoder *d, struct form *form)
{
    static const struct {
        enum modifier m;
        struct form form;
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

/* The object: a register, or the address of a reference. */
static bool object_of(struct decoder *d, const struct ast_operand *o, uint32_t *ref)
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

static struct vinst *texture(struct decoder *d, const struct form *form, const uint32_t src[4],
                             bool integer)
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

static bool is_layered(const struct form *form)
{
    return form->shape == TEXTURE_LAYERED_1D || form->shape == TEXTURE_LAYERED_2D;
}

static bool sources(struct decoder *d, const struct form *form, unsigned operand,
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
    struct form form = {0};
    uint8_t type, coordinate;
    uint32_t dst[4] = {NONE, NONE, NONE, NONE}, src[4] = {NONE, NONE, NONE, NONE}, bytes;
    bool level = decode_has(d, M_level); /* textures have one level: any other is that one */
    if (!form_of(d, &form) || !decode_count(d, level ? 4 : 3, level ? 4 : 3) ||
        !decode_type(d, 0, &type) || !decode_type(d, 1, &coordinate) ||
        !decode_type_in(d, type, BITS(PTX_F32) | BITS(PTX_S32) | BITS(PTX_U32)) ||
        !decode_type_in(d, coordinate, BITS(PTX_F32) | BITS(PTX_S32)) ||
        !object_of(d, &d->operands[1], &src[0]) || !sources(d, &form, 2, coordinate, src))
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
    struct vinst *v = texture(d, &form, src, integer);
    v->inst.exec = lanes_texture_address;
    v->dst[0] = first;
    v->dst[1] = last;
    /* The fetch names the loads' results, in places that it does not look at, to wait for them. */
    uint32_t near = touch(d, first), far = src[3] == NONE ? touch(d, last) : NONE;
    v = texture(d, &form, src, integer);
    v->inst.exec = lanes_texture;
    v->inst.op.type = type;
    memcpy(v->dst, dst, sizeof dst);
    v->base = near;
    if (far != NONE)
        v->src[3] = far;
    return true;
}

/* --- surfaces: suld and sust of untyped data (.b)
 * --------------------------------------------------- The address, then a load or a store. A store
 * outside in the mode zero does not take place. */

struct surface {
    struct form form;
    uint8_t type, vec, mode;
    uint32_t src[4], data[4], bytes[4];
};

static bool surface_mode_of(struct decoder *d, uint8_t *mode)
{
    static const struct {
        enum modifier m;
        uint8_t mode;
    } modes[] = {{M_trap, SURFACE_TRAP}, {M_clamp, SURFACE_CLAMP}, {M_zero, SURFACE_ZERO}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (decode_has(d, modes[i].m)) {
            *mode = modes[i].mode;
            return true;
        }
    return decode_error(d, "a mode is needed: .trap, .clamp or .zero");
}

static bool surface_data(struct decoder *d, struct surface *s, const struct ast_operand *o,
                         bool store)
{
    uint32_t count = o->kind == OPERAND_VECTOR ? o->count : 1;
    if (count != s->vec || (s->vec == 4 && s->type == PTX_B64))
        return decode_error(d, "%u elements expected", s->vec);
    for (uint32_t i = 0; i < s->vec; i++) {
        const struct ast_operand *e =
            o->kind == OPERAND_VECTOR ? &d->ir->unit->elements[o->index + i] : o;
        if (store ? !decode_source(d, e, s->type, true, &s->data[i])
                  : !decode_dst_loose(d, e, s->type, &s->data[i], &s->bytes[i]))
            return false;
    }
    return true;
}

/* The address, and with `guard` whether the access takes place. */
static uint32_t surface_place(struct decoder *d, const struct surface *s, uint32_t *guard)
{
    uint32_t address = ir_vreg(d->ir, VREG_64);
    bool guarded = guard && s->mode == SURFACE_ZERO;
    if (guarded)
        *guard = ir_vreg(d->ir, VREG_PRED);
    if (guarded && d->ast->guard != NONE) { /* of the lanes that the guard excludes: none */
        struct vinst *none = ir_emit(d->ir, d->ast->line);
        none->inst.exec = lanes_no_lane;
        none->pdst[0] = *guard;
    }
    struct vinst *v = texture(d, &s->form, s->src, false);
    v->inst.exec = lanes_surface_address;
    v->inst.op.type = (uint8_t)(type_bytes(s->type) * s->vec);
    v->inst.op.type2 = s->mode;
    v->dst[0] = address;
    if (guarded)
        v->pdst[0] = *guard;
    return address;
}

bool decode_surface(struct decoder *d)
{
    bool store = d->op->operation == OP_sust;
    struct surface s = {.src = {NONE, NONE, NONE, NONE}, .data = {NONE, NONE, NONE, NONE}};
    unsigned where = store ? 0 : 1, data = store ? 2 : 0;
    uint32_t guard = NONE;
    if (!decode_has(d, M_b) || !form_of(d, &s.form) || s.form.shape == TEXTURE_CUBE)
        return decode_error(d, "surfaces are read and written as .b, in the shapes 1d, 2d, 3d, a1d "
                               "and a2d");
    s.vec = decode_has(d, M_v4) ? 4 : decode_has(d, M_v2) ? 2 : 1;
    (void)decode_range(d, M_ca, M_wt);
    if (!decode_type(d, 0, &s.type) || !decode_type_in(d, s.type, BITS(PTX_B8) | BIT_TYPES) ||
        !surface_mode_of(d, &s.mode) || !decode_count(d, 3, 3) ||
        !object_of(d, &d->operands[where], &s.src[0]) ||
        !sources(d, &s.form, where + 1, PTX_B32, s.src) ||
        !surface_data(d, &s, &d->operands[data], store))
        return false;
    uint32_t address = surface_place(d, &s, store ? &guard : NULL);
    struct vinst *v = decode_emit(d);
    v->inst.class = store ? INST_STORE : INST_LOAD;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = SPACE_GLOBAL;
    v->inst.width = (uint8_t)type_bytes(s.type);
    v->inst.vec = s.vec;
    v->inst.op.type = s.type;
    v->base = address;
    if (guard != NONE) {
        v->guard = guard;
        v->inst.guard_negated = false;
    }
    if (store) {
        memcpy(v->src, s.data, sizeof s.data);
        return true;
    }
    memcpy(v->dst, s.data, sizeof s.data);
    v->inst.op.type2 = (uint8_t)s.bytes[0];
    v->inst.op.mods = s.bytes[0] == 8 ? OP_DST64 : 0;
    return true;
}
