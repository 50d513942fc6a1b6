#include "sim/ptx/lower/simplify.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/interference.h"

uint32_t *simplify_definitions(const struct ir *ir, const struct cfg *cfg)
{
    uint32_t *at = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1), list[LIVENESS_OPERANDS];
    uint8_t *many = ALLOC_ARRAY(uint8_t, ir->n_vregs + 1);
    struct liveness l;
    memset(at, 0xFF, ir->n_vregs * sizeof *at);
    for (size_t i = 0; i < ir->n_code; i++)
        for (unsigned k = liveness_defs(&ir->code[i], list); k-- > 0;) {
            many[list[k]] |= at[list[k]] != NONE || ir->code[i].guard != NONE;
            at[list[k]] = (uint32_t)i;
        }
    liveness_build(&l, ir, cfg);
    for (size_t w = 0; w < l.words; w++)
        for (uint64_t bits = l.unset[w]; bits; bits &= bits - 1)
            many[l.vreg[64 * w + (unsigned)__builtin_ctzll(bits)]] = 1;
    for (size_t r = 0; r < ir->n_vregs; r++)
        if (many[r])
            at[r] = NONE;
    liveness_free(&l);
    free(many);
    return at;
}

struct simplifier {
    struct ir *ir;
    uint32_t *definition;
    uint32_t *instead; /* of each virtual register: the value that its readers take, or NONE */
};

static const struct vinst *definition(const struct simplifier *s, uint32_t ref)
{
    return ref < REF_KONST && s->definition[ref] != NONE ? &s->ir->code[s->definition[ref]] : NULL;
}

/* The value behind copies. */
static uint32_t original(const struct simplifier *s, uint32_t ref)
{
    while (ref < REF_KONST && s->instead[ref] != NONE)
        ref = s->instead[ref];
    return ref;
}

/* The value that a copy copies, or NONE. */
static uint32_t copied(const struct simplifier *s, const struct vinst *v)
{
    if (v->inst.class != INST_ALU || v->src[0] == NONE || v->src[1] != NONE || v->object != NONE)
        return NONE;
    bool wide = s->ir->vregs[v->dst[0]] == VREG_64;
    if (v->inst.exec != (wide ? lanes_extend(PTX_B64, 8) : lanes_extend(PTX_B32, 4)))
        return NONE;
    uint32_t from = original(s, v->src[0]);
    if (from == v->dst[0]) /* of code that nothing reaches */
        return NONE;
    if (from >= REF_KONST)
        return s->ir->konst[from & ~REF_KONST].wide == wide ? from : NONE;
    const struct vinst *def = definition(s, from);
    if (!def)
        return NONE;
    if ((s->ir->vregs[from] == VREG_64) == wide)
        return from;
    bool extended = def->inst.class == INST_ALU && (def->inst.exec == lanes_extend(PTX_U32, 8) ||
                                                    def->inst.exec == lanes_extend(PTX_S32, 8));
    if (wide || !extended || def->src[0] >= REF_KONST)
        return NONE;
    from = original(s, def->src[0]);
    bool same = from < REF_KONST && from != v->dst[0] && s->ir->vregs[from] == VREG_32;
    return same && definition(s, from) ? from : NONE;
}

static void replace(const struct simplifier *s, struct vinst *v)
{
    uint32_t *uses[] = {&v->src[0], &v->src[1], &v->src[2], &v->src[3], &v->base};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (*uses[i] < REF_KONST)
            *uses[i] = original(s, *uses[i]);
    /* A parameter at a known offset. */
    if (v->inst.space != SPACE_PARAM || v->base == NONE || v->base < REF_KONST)
        return;
    const struct konst *base = &s->ir->konst[v->base & ~REF_KONST];
    if (base->variable == NONE) {
        v->inst.op.imm += (int64_t)base->value;
        v->base = NONE;
    }
}

void simplify(struct ir *ir)
{
    struct cfg cfg;
    cfg_build(&cfg, ir);
    struct simplifier s = {.ir = ir,
                           .definition = simplify_definitions(ir, &cfg),
                           .instead = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1)};
    uint8_t *dead = ALLOC_ARRAY(uint8_t, ir->n_code + 1);
    cfg_free(&cfg);
    memset(s.instead, 0xFF, ir->n_vregs * sizeof *s.instead);
    for (size_t i = 0; i < ir->n_code; i++) {
        struct vinst *v = &ir->code[i];
        if (v->dst[0] == NONE || s.definition[v->dst[0]] != i)
            continue;
        s.instead[v->dst[0]] = copied(&s, v);
        dead[i] = s.instead[v->dst[0]] != NONE;
    }
    for (size_t i = 0; i < ir->n_code; i++)
        replace(&s, &ir->code[i]);
    ir_remove(ir, dead);
    free(s.definition);
    free(s.instead);
    free(dead);
}
