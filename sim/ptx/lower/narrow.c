#include "sim/ptx/lower/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/liveness.h"

/* Operations whose lower half depends only on those of their operands. */
struct form {
    uint8_t operation; /* or OPERATION_COUNT: a copy */
    uint8_t from, to;  /* enum ptx_type */
    bool wide;         /* from 32 bits */
};

static const struct form forms[] = {
    {OP_add, PTX_U64, PTX_U32, false},          {OP_add, PTX_S64, PTX_U32, false},
    {OP_sub, PTX_U64, PTX_U32, false},          {OP_sub, PTX_S64, PTX_U32, false},
    {OP_mul, PTX_U64, PTX_U32, false},          {OP_mul, PTX_S64, PTX_U32, false},
    {OP_mad, PTX_U64, PTX_U32, false},          {OP_mad, PTX_S64, PTX_U32, false},
    {OP_and, PTX_B64, PTX_B32, false},          {OP_or, PTX_B64, PTX_B32, false},
    {OP_xor, PTX_B64, PTX_B32, false},          {OP_shl, PTX_B64, PTX_B32, false},
    {OP_mul, PTX_U32, PTX_U32, true},           {OP_mul, PTX_S32, PTX_U32, true},
    {OP_mad, PTX_U32, PTX_U32, true},           {OP_mad, PTX_S32, PTX_U32, true},
    {OPERATION_COUNT, PTX_B64, PTX_B32, false}, {OPERATION_COUNT, PTX_U32, PTX_B32, true},
    {OPERATION_COUNT, PTX_S32, PTX_B32, true},
};

static exec_fn wide_exec(const struct form *f)
{
    if (f->operation == OPERATION_COUNT)
        return lanes_extend(f->from, 8);
    return lanes_int((enum operation)f->operation, f->from, f->wide, false);
}

static exec_fn narrow_exec(const struct form *f)
{
    if (f->operation == OPERATION_COUNT)
        return lanes_extend(f->to, 4);
    return lanes_int((enum operation)f->operation, f->to, false, false);
}

/* The form of an instruction with a 64-bit result that could be cut, or NULL. */
static const struct form *form_of(const struct vinst *v)
{
    if (v->inst.class != INST_ALU || v->object != NONE || !(v->inst.op.mods & OP_DST64))
        return NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (wide_exec(&forms[i]) && narrow_exec(&forms[i]) && v->inst.exec == wide_exec(&forms[i]))
            return &forms[i];
    return NULL;
}

static bool is_address(const struct vinst *v)
{
    return v->inst.space == SPACE_SHARED && v->inst.class != INST_ALU &&
           !(v->inst.op.mods & OP_BASE32);
}

/* A copy of the lower half into a register of 32 bits. */
static bool cuts(const struct vinst *v)
{
    return v->inst.class == INST_ALU && v->object == NONE &&
           v->inst.exec == lanes_extend(PTX_B32, 4);
}

struct narrower {
    struct ir *ir;
    const struct form **form; /* by instruction */
    uint8_t *whole;           /* by virtual register: both halves are needed */
    bool changed;
};

static void need(struct narrower *n, uint32_t vreg)
{
    if (vreg >= REF_KONST || n->whole[vreg] || n->ir->vregs[vreg] != VREG_64)
        return;
    n->whole[vreg] = 1;
    n->changed = true;
}

static void look(struct narrower *n, const struct vinst *v, const struct form *f)
{
    uint32_t list[LIVENESS_OPERANDS];
    if (is_address(v)) {
        for (uint32_t i = 0; i < 4; i++) {
            need(n, v->src[i]);
            if (v->dst[i] != NONE)
                need(n, v->dst[i]);
        }
        return;
    }
    if (cuts(v))
        return;
    if (f && !n->whole[v->dst[0]])
        return;
    for (unsigned k = liveness_uses(v, list); k-- > 0;)
        need(n, list[k]);
    if (!f)
        for (unsigned k = liveness_defs(v, list); k-- > 0;)
            need(n, list[k]);
}

static void cut(struct narrower *n, struct vinst *v, const struct form *f)
{
    if (is_address(v) && v->base < REF_KONST && !n->whole[v->base])
        v->inst.op.mods |= OP_BASE32;
    if (cuts(v))
        v->inst.op.mods &= ~(uint32_t)OP_SRC64;
    if (!f || n->whole[v->dst[0]])
        return;
    v->inst.exec = narrow_exec(f);
    v->inst.op.type = f->to;
    v->inst.op.mods &= ~(OP_DST64 | OP_SRC64 * 15u);
}

void narrow_values(struct ir *ir)
{
    struct narrower n = {.ir = ir,
                         .form = alloc_array(ir->n_code + 1, sizeof *n.form),
                         .whole = ALLOC_ARRAY(uint8_t, ir->n_vregs + 1)};
    for (size_t i = 0; i < ir->n_code; i++)
        n.form[i] = form_of(&ir->code[i]);
    do {
        n.changed = false;
        for (size_t i = ir->n_code; i-- > 0;)
            look(&n, &ir->code[i], n.form[i]);
    } while (n.changed);
    for (size_t i = 0; i < ir->n_code; i++)
        cut(&n, &ir->code[i], n.form[i]);
    for (size_t r = 0; r < ir->n_vregs; r++)
        if (ir->vregs[r] == VREG_64 && !n.whole[r])
            ir->vregs[r] = VREG_32;
    free(n.form);
    free(n.whole);
}
