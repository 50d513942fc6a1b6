#include "sim/ptx/lower/ir.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void ir_free(struct ir *ir)
{
    for (size_t i = 0; i < ir->n_objects; i++)
        free(ir->objects[i].slots);
    free(ir->code);
    free(ir->vregs);
    free(ir->labels);
    free(ir->konst);
    free(ir->konst_slots);
    free(ir->objects);
    free(ir->shared_offset);
    free(ir->result_objects);
}

uint32_t ir_vreg(struct ir *ir, enum vreg_class class)
{
    ARRAY_RESERVE(ir->vregs, ir->n_vregs, ir->vregs_capacity);
    ir->vregs[ir->n_vregs] = (uint8_t) class;
    return (uint32_t)ir->n_vregs++;
}

uint32_t ir_label(struct ir *ir)
{
    ARRAY_RESERVE(ir->labels, ir->n_labels, ir->labels_capacity);
    ir->labels[ir->n_labels] = NONE;
    return (uint32_t)ir->n_labels++;
}

static size_t konst_hash(uint64_t value, uint32_t variable, bool wide)
{
    uint64_t h =
        (value ^ ((uint64_t)variable << 32) ^ (wide ? 0x5bd1e995u : 0)) * 0x9E3779B97F4A7C15u;
    return (size_t)(h >> 32);
}

static void konst_grow(struct ir *ir)
{
    size_t n = ir->n_konst_slots ? 2 * ir->n_konst_slots : 64;
    ir->konst_slots = alloc_resize(ir->konst_slots, n, sizeof *ir->konst_slots);
    memset(ir->konst_slots, 0xFF, n * sizeof *ir->konst_slots);
    ir->n_konst_slots = n;
    for (size_t i = 0; i < ir->n_konst; i++) {
        const struct konst *k = &ir->konst[i];
        size_t at = konst_hash(k->value, k->variable, k->wide) & (n - 1);
        while (ir->konst_slots[at] != NONE)
            at = (at + 1) & (n - 1);
        ir->konst_slots[at] = (uint32_t)i;
    }
}

static uint32_t add_konst(struct ir *ir, uint64_t value, uint32_t variable, bool wide)
{
    if (2 * ir->n_konst >= ir->n_konst_slots)
        konst_grow(ir);
    size_t at = konst_hash(value, variable, wide) & (ir->n_konst_slots - 1);
    for (; ir->konst_slots[at] != NONE; at = (at + 1) & (ir->n_konst_slots - 1)) {
        const struct konst *k = &ir->konst[ir->konst_slots[at]];
        if (k->value == value && k->variable == variable && k->wide == wide)
            return REF_KONST | ir->konst_slots[at];
    }
    ARRAY_RESERVE(ir->konst, ir->n_konst, ir->konst_capacity);
    ir->konst[ir->n_konst] = (struct konst){.value = value, .variable = variable, .wide = wide};
    ir->konst_slots[at] = (uint32_t)ir->n_konst;
    return REF_KONST | (uint32_t)ir->n_konst++;
}

uint32_t ir_konst(struct ir *ir, uint64_t value, bool wide)
{
    return add_konst(ir, wide ? value : (uint32_t)value, NONE, wide);
}

uint32_t ir_address(struct ir *ir, uint32_t variable, int64_t addend, bool wide)
{
    return add_konst(ir, (uint64_t)addend, variable, wide);
}

struct vinst *ir_emit(struct ir *ir, uint32_t line)
{
    ARRAY_RESERVE(ir->code, ir->n_code, ir->code_capacity);
    struct vinst *v = &ir->code[ir->n_code++];
    memset(v, 0, sizeof *v);
    memset(v->dst, 0xFF, sizeof v->dst);
    memset(v->src, 0xFF, sizeof v->src);
    v->base = v->pdst[0] = v->pdst[1] = v->psrc = v->psrc2 = v->guard = v->label = v->object = NONE;
    v->callee = NONE;
    v->inst.class = INST_ALU;
    v->inst.unit = UNIT_SP;
    v->inst.timing = TIMING_INT;
    v->inst.exec = lanes_nothing;
    v->inst.line = line;
    v->inst.width = 4;
    v->inst.vec = 1;
    v->inst.reconv = NO_RECONV;
    return v;
}
