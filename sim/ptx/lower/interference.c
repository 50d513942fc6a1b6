#include "sim/ptx/lower/interference.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Pairs of virtual registers, each once: open addressing over the pair as one number. */
struct pairs {
    uint64_t *list, *slots;
    size_t n, capacity, n_slots;
};

#define NO_PAIR UINT64_MAX

static size_t pair_hash(uint64_t pair)
{
    return (size_t)((pair * 0x9E3779B97F4A7C15u) >> 20);
}

static void pairs_grow(struct pairs *p)
{
    size_t n = p->n_slots ? 2 * p->n_slots : 1024;
    p->slots = alloc_resize(p->slots, n, sizeof *p->slots);
    memset(p->slots, 0xFF, n * sizeof *p->slots);
    p->n_slots = n;
    for (size_t i = 0; i < p->n; i++) {
        size_t at = pair_hash(p->list[i]) & (n - 1);
        while (p->slots[at] != NO_PAIR)
            at = (at + 1) & (n - 1);
        p->slots[at] = p->list[i];
    }
}

static void pairs_add(struct pairs *p, uint32_t a, uint32_t b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    if (2 * p->n >= p->n_slots)
        pairs_grow(p);
    size_t at = pair_hash(pair) & (p->n_slots - 1);
    for (; p->slots[at] != NO_PAIR; at = (at + 1) & (p->n_slots - 1))
        if (p->slots[at] == pair)
            return;
    p->slots[at] = pair;
    ARRAY_RESERVE(p->list, p->n, p->capacity);
    p->list[p->n++] = pair;
}

/* The pairs as a list of partners for each register. */
static void pairs_spread(struct pairs *p, size_t n_vregs, uint32_t **start, uint32_t **with)
{
    *start = ALLOC_ARRAY(uint32_t, n_vregs + 2);
    *with = ALLOC_ARRAY(uint32_t, 2 * p->n + 1);
    for (size_t i = 0; i < p->n; i++) {
        (*start)[(p->list[i] >> 32) + 2]++;
        (*start)[(uint32_t)p->list[i] + 2]++;
    }
    for (size_t r = 2; r < n_vregs + 2; r++)
        (*start)[r] += (*start)[r - 1];
    for (size_t i = 0; i < p->n; i++) {
        uint32_t a = (uint32_t)(p->list[i] >> 32), b = (uint32_t)p->list[i];
        (*with)[(*start)[a + 1]++] = b;
        (*with)[(*start)[b + 1]++] = a;
    }
    free(p->list);
    free(p->slots);
}

bool interference_is_move(const struct ir *ir, const struct vinst *v)
{
    return v->inst.class == INST_ALU && v->dst[0] != NONE && v->src[0] < REF_KONST &&
           ir->vregs[v->dst[0]] == ir->vregs[v->src[0]] &&
           v->inst.exec == (ir->vregs[v->dst[0]] == VREG_64 ? lanes_extend(PTX_B64, 8)
                                                            : lanes_extend(PTX_B32, 4));
}

static bool same_file(const struct ir *ir, uint32_t a, uint32_t b)
{
    return !ir_banked(ir, a) && !ir_banked(ir, b) &&
           (ir->vregs[a] == VREG_PRED) == (ir->vregs[b] == VREG_PRED);
}

struct graph {
    const struct ir *ir;
    struct interference *out;
    struct live_set live;
    struct pairs pairs, moves;
};

/* What the instruction writes may not lie where other values are that are needed afterwards; but
 * the source of a move has the same value as its destination. */
static void add_instruction(struct graph *g, const struct vinst *v)
{
    uint32_t defs[LIVENESS_OPERANDS];
    unsigned n = liveness_defs(v, defs);
    bool move = interference_is_move(g->ir, v);
    for (unsigned k = 0; k < n; k++) {
        for (uint32_t i = 0; i < g->live.n; i++) {
            uint32_t other = g->live.list[i];
            if (other != defs[k] && same_file(g->ir, other, defs[k]) &&
                !(move && other == v->src[0]))
                pairs_add(&g->pairs, defs[k], other);
        }
        for (unsigned j = 0; j < k; j++)
            if (defs[j] != defs[k] && same_file(g->ir, defs[j], defs[k]))
                pairs_add(&g->pairs, defs[j], defs[k]);
    }
    if (move && v->dst[0] != v->src[0])
        pairs_add(&g->moves, v->dst[0], v->src[0]);
}

static void find_first(struct interference *out, const struct ir *ir)
{
    uint32_t list[LIVENESS_OPERANDS];
    out->first = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1);
    memset(out->first, 0xFF, ir->n_vregs * sizeof *out->first);
    for (size_t i = ir->n_code; i-- > 0;) {
        for (unsigned k = liveness_defs(&ir->code[i], list); k-- > 0;)
            out->first[list[k]] = (uint32_t)i;
        for (unsigned k = liveness_uses(&ir->code[i], list); k-- > 0;)
            out->first[list[k]] = (uint32_t)i;
    }
}

void interference_build(struct interference *out, const struct ir *ir, const struct cfg *cfg)
{
    struct liveness l;
    struct graph g = {.ir = ir, .out = out};
    *out = (struct interference){0};
    liveness_build(&l, ir, cfg);
    live_set_init(&g.live, ir->n_vregs);
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        live_set_start(&g.live, &l, b);
        for (uint32_t i = cfg->blocks[b].end; i-- > cfg->blocks[b].first;) {
            const struct vinst *v = &ir->code[i];
            add_instruction(&g, v);
            uint32_t after = liveness_rows(ir, &g.live, v);
            live_set_step(&g.live, v);
            uint32_t before = liveness_rows(ir, &g.live, NULL);
            out->rows = after > out->rows ? after : out->rows;
            out->rows = before > out->rows ? before : out->rows;
        }
    }
    find_first(out, ir);
    pairs_spread(&g.pairs, ir->n_vregs, &out->start, &out->with);
    pairs_spread(&g.moves, ir->n_vregs, &out->move_start, &out->moved);
    live_set_free(&g.live);
    liveness_free(&l);
}

void interference_free(struct interference *g)
{
    free(g->start);
    free(g->with);
    free(g->move_start);
    free(g->moved);
    free(g->first);
}
