/* suld and sust: the address, then a load or a store. A store outside in the mode zero does not
 * take place. How wide a formatted store (sust.p) is only the surface knows: there is one for each
 * size of an element, and those of the other sizes do not take place. */
#include "sim/ptx/lower/decode_texture.h"

#include <string.h>

struct surface {
    struct texture_form form;
    uint8_t type, vec, mode;
    bool formatted;
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
    bool guarded = guard && (s->mode == SURFACE_ZERO || s->formatted);
    if (guarded)
        *guard = ir_vreg(d->ir, VREG_PRED);
    if (guarded && d->ast->guard != NONE) { /* of the lanes that the guard excludes: none */
        struct vinst *none = ir_emit(d->ir, d->ast->line);
        none->inst.exec = lanes_no_lane;
        none->pdst[0] = *guard;
    }
    struct vinst *v = texture_emit(d, &s->form, s->src, false);
    v->inst.exec = lanes_surface_address;
    v->inst.op.type = s->formatted ? SURFACE_ELEMENT : (uint8_t)(type_bytes(s->type) * s->vec);
    v->inst.op.type2 = s->mode;
    v->dst[0] = address;
    if (guarded)
        v->pdst[0] = *guard;
    return address;
}

static struct vinst *surface_access(struct decoder *d, const struct surface *s, uint32_t address,
                                    uint32_t guard)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = SPACE_GLOBAL;
    v->inst.width = (uint8_t)type_bytes(s->type);
    v->inst.vec = s->vec;
    v->inst.op.type = s->type;
    v->base = address;
    if (guard != NONE) {
        v->guard = guard;
        v->inst.guard_negated = false;
    }
    return v;
}

static void surface_store(struct decoder *d, const struct surface *s, uint32_t address,
                          uint32_t guard)
{
    struct vinst *v = surface_access(d, s, address, guard);
    v->inst.class = INST_STORE;
    memcpy(v->src, s->data, s->vec * sizeof *s->data);
}

/* The element in the surface's format, in words, and a store of each size. */
static void store_formatted(struct decoder *d, const struct surface *s, uint32_t address,
                            uint32_t guard)
{
    static const struct {
        uint8_t type, vec;
    } sizes[] = {{PTX_B8, 1}, {PTX_B16, 1}, {PTX_B32, 1}, {PTX_B32, 2}, {PTX_B32, 4}};
    struct surface element = {.data = {NONE, NONE, NONE, NONE}};
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_surface_element;
    v->inst.op.mods = OP_SRC64;
    v->src[0] = s->src[0];
    memcpy(v->src + 1, s->data, 3 * sizeof *s->data);
    v->base = s->data[3];
    for (int i = 0; i < 4; i++)
        v->dst[i] = element.data[i] = ir_vreg(d->ir, VREG_32);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t fits = ir_vreg(d->ir, VREG_PRED);
        element.type = sizes[i].type;
        element.vec = sizes[i].vec;
        v = ir_emit(d->ir, d->ast->line); /* of all lanes: those outside of the guard do not fit */
        v->inst.exec = lanes_surface_fits;
        v->inst.op.type = (uint8_t)(type_bytes(element.type) * element.vec);
        v->inst.op.mods = OP_SRC64;
        v->src[0] = s->src[0];
        v->psrc = guard;
        v->pdst[0] = fits;
        surface_store(d, &element, address, fits);
    }
}

static bool surface_type(struct decoder *d, struct surface *s, bool store)
{
    s->formatted = store && decode_has(d, M_p);
    if (!s->formatted && !decode_has(d, M_b))
        return decode_error(d, store ? "sust is .b, or .p for elements in the surface's format"
                                     : "surfaces are read as .b");
    if (!texture_form_of(d, &s->form) || s->form.shape == TEXTURE_CUBE)
        return decode_error(d, "the shapes of surfaces are 1d, 2d, 3d, a1d and a2d");
    s->vec = decode_has(d, M_v4) ? 4 : decode_has(d, M_v2) ? 2 : 1;
    (void)decode_range(d, M_ca, M_wt);
    return decode_type(d, 0, &s->type) &&
           decode_type_in(d, s->type, s->formatted ? BITS(PTX_B32) : BITS(PTX_B8) | BIT_TYPES);
}

bool decode_surface(struct decoder *d)
{
    bool store = d->op->operation == OP_sust;
    struct surface s = {.src = {NONE, NONE, NONE, NONE}, .data = {NONE, NONE, NONE, NONE}};
    unsigned where = store ? 0 : 1, data = store ? 2 : 0;
    uint32_t guard = NONE;
    if (!surface_type(d, &s, store) || !surface_mode_of(d, &s.mode) || !decode_count(d, 3, 3) ||
        !texture_object_of(d, &d->operands[where], &s.src[0]) ||
        !texture_coordinates(d, &s.form, where + 1, PTX_B32, s.src) ||
        !surface_data(d, &s, &d->operands[data], store))
        return false;
    uint32_t address = surface_place(d, &s, store ? &guard : NULL);
    if (s.formatted) {
        store_formatted(d, &s, address, guard);
    } else if (store) {
        surface_store(d, &s, address, guard);
    } else {
        struct vinst *v = surface_access(d, &s, address, NONE);
        v->inst.class = INST_LOAD;
        memcpy(v->dst, s.data, sizeof s.data);
        v->inst.op.type2 = (uint8_t)s.bytes[0];
        v->inst.op.mods = s.bytes[0] == 8 ? OP_DST64 : 0;
    }
    return true;
}
