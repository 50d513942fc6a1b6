/* Moves virtual registers to local memory when a kernel needs more than the machine has: every read
 * loads into a short-lived register, every write stores from one. Predicates move to 32-bit
 * registers, one bit per lane as 0 or 1. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/regalloc.h"

struct spiller {
    struct ir *ir;
    struct vinst *old; /* the code before */
    size_t n_old;
    uint8_t *spilled; /* by virtual register of before */
    size_t n_before;
    uint64_t *slot; /* local offset of each, by virtual register */
    uint32_t *home; /* predicates: the 32-bit register */
};

static struct vinst *memory(struct spiller *s, const struct vinst *near, uint32_t vreg, bool load)
{
    bool wide = s->ir->vregs[vreg] == VREG_64;
    struct vinst *v = ir_emit(s->ir, near->inst.line);
    v->inst.class = load ? INST_LOAD : INST_STORE;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = SPACE_LOCAL;
    v->inst.width = wide ? 8 : 4;
    v->inst.op.type = wide ? PTX_B64 : PTX_B32;
    v->inst.op.type2 = v->inst.width;
    v->inst.op.mods = wide && load ? OP_DST64 : 0;
    v->inst.op.imm = (int64_t)s->slot[vreg];
    return v;
}

static uint32_t reload(struct spiller *s, const struct vinst *near, uint32_t vreg)
{
    uint32_t fresh = ir_vreg(s->ir, (enum vreg_class)s->ir->vregs[vreg]);
    if (s->ir->vregs[vreg] == VREG_PRED) {
        struct vinst *v = ir_emit(s->ir, near->inst.line);
        v->inst.exec = lanes_compare(COMPARE_NE, PTX_U32, false);
        v->src[0] = s->home[vreg];
        v->src[1] = ir_konst(s->ir, 0, false);
        v->pdst[0] = fresh;
    } else {
        memory(s, near, vreg, true)->dst[0] = fresh;
    }
    return fresh;
}

static void save(struct spiller *s, const struct vinst *near, uint32_t vreg, uint32_t fresh)
{
    if (s->ir->vregs[vreg] == VREG_PRED) {
        struct vinst *v = ir_emit(s->ir, near->inst.line);
        v->inst.exec = lanes_select;
        v->dst[0] = s->home[vreg];
        v->src[0] = ir_konst(s->ir, 1, false);
        v->src[1] = ir_konst(s->ir, 0, false);
        v->psrc = fresh;
    } else {
        memory(s, near, vreg, false)->src[0] = fresh;
    }
}

static bool is_spilled(const struct spiller *s, uint32_t ref)
{
    return ref < s->n_before && s->spilled[ref];
}

/* One instruction, with loads before it and stores after it. A register both read and written, or
 * written under a guard, keeps one stand-in for both, so that lanes left out store what they had.
 */
static void rewrite(struct spiller *s, const struct vinst *original)
{
    struct vinst v = *original;
    uint32_t from[LIVENESS_OPERANDS * 2], to[LIVENESS_OPERANDS * 2];
    unsigned n = 0, k;
    uint32_t *uses[] = {&v.src[0], &v.src[1], &v.src[2], &v.src[3],
                        &v.base,   &v.psrc,   &v.psrc2,  &v.guard};
    uint32_t *defs[] = {&v.dst[0], &v.dst[1], &v.dst[2], &v.dst[3], &v.pdst[0], &v.pdst[1]};
    bool guarded = v.guard != NONE;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (!is_spilled(s, *uses[i]))
            continue;
        for (k = 0; k < n && from[k] != *uses[i]; k++)
            ;
        if (k == n) {
            from[n] = *uses[i];
            to[n++] = reload(s, original, *uses[i]);
        }
        *uses[i] = to[k];
    }
    uint32_t saved[LIVENESS_OPERANDS], stand_in[LIVENESS_OPERANDS];
    unsigned n_saved = 0;
    for (size_t i = 0; i < sizeof defs / sizeof *defs; i++) {
        if (!is_spilled(s, *defs[i]))
            continue;
        for (k = 0; k < n && from[k] != *defs[i]; k++)
            ;
        if (k == n) {
            from[n] = *defs[i];
            to[n++] = guarded ? reload(s, original, *defs[i])
                              : ir_vreg(s->ir, (enum vreg_class)s->ir->vregs[*defs[i]]);
        }
        saved[n_saved] = *defs[i];
        stand_in[n_saved++] = to[k];
        *defs[i] = to[k];
    }
    *ir_emit(s->ir, v.inst.line) = v;
    for (k = 0; k < n_saved; k++)
        save(s, original, saved[k], stand_in[k]);
}

static void give_homes(struct spiller *s, const struct allocation *alloc)
{
    struct ir *ir = s->ir;
    for (size_t i = 0; i < alloc->n_spill; i++) {
        uint32_t vreg = alloc->spill[i];
        if (s->spilled[vreg])
            continue;
        s->spilled[vreg] = 1;
        if (ir->vregs[vreg] == VREG_PRED) {
            s->home[vreg] = ir_vreg(ir, VREG_32);
            continue;
        }
        uint64_t bytes = ir->vregs[vreg] == VREG_64 ? 8 : 4;
        s->slot[vreg] = (ir->local_bytes + bytes - 1) / bytes * bytes;
        ir->local_bytes = s->slot[vreg] + bytes;
    }
}

void spill_registers(struct ir *ir, const struct allocation *allocation, uint8_t **pinned)
{
    struct spiller s = {.ir = ir, .old = ir->code, .n_old = ir->n_code, .n_before = ir->n_vregs};
    s.spilled = ALLOC_ARRAY(uint8_t, ir->n_vregs);
    s.slot = ALLOC_ARRAY(uint64_t, ir->n_vregs);
    s.home = ALLOC_ARRAY(uint32_t, ir->n_vregs);
    give_homes(&s, allocation);
    size_t first_stand_in = ir->n_vregs;
    uint32_t *moved = ALLOC_ARRAY(uint32_t, s.n_old + 1);
    ir->code = NULL;
    ir->n_code = ir->code_capacity = 0;
    for (size_t i = 0; i < s.n_old; i++) {
        moved[i] = (uint32_t)ir->n_code;
        rewrite(&s, &s.old[i]);
    }
    moved[s.n_old] = (uint32_t)ir->n_code;
    for (size_t i = 0; i < ir->n_labels; i++)
        if (ir->labels[i] != NONE)
            ir->labels[i] = moved[ir->labels[i]];
    bool first_round = !*pinned;
    *pinned = alloc_resize(*pinned, ir->n_vregs, 1);
    if (first_round)
        memset(*pinned, 0, s.n_before);
    memset(*pinned + s.n_before, 0, first_stand_in - s.n_before);
    memset(*pinned + first_stand_in, 1, ir->n_vregs - first_stand_in);
    free(s.old);
    free(s.spilled);
    free(s.slot);
    free(s.home);
    free(moved);
}
