#include "sim/ptx/lower/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

unsigned liveness_uses(const struct vinst *v, uint32_t uses[LIVENESS_OPERANDS])
{
    unsigned n = 0;
    const uint32_t all[] = {v->src[0], v->src[1], v->src[2], v->src[3],
                            v->base,   v->psrc,   v->psrc2,  v->guard};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] < REF_KONST)
            uses[n++] = all[i];
    return n;
}

unsigned liveness_defs(const struct vinst *v, uint32_t defs[LIVENESS_OPERANDS])
{
    unsigned n = 0;
    const uint32_t all[] = {v->dst[0], v->dst[1], v->dst[2], v->dst[3], v->pdst[0], v->pdst[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NONE)
            defs[n++] = all[i];
    return n;
}

/* Only registers that live across a block boundary need bits in the data-flow sets. */
struct flow {
    const struct ir *ir;
    const struct cfg *cfg;
    struct liveness *l;
    uint64_t *use, *def; /* per block */
};

/* A register crosses blocks if it is read in a block before any unguarded write there. */
static void number_registers(struct flow *flow)
{
    const struct ir *ir = flow->ir;
    uint32_t *written = ALLOC_ARRAY(uint32_t, ir->n_vregs); /* last block + 1 with a write */
    uint32_t list[LIVENESS_OPERANDS];
    flow->l->bit = ALLOC_ARRAY(uint32_t, ir->n_vregs);
    memset(flow->l->bit, 0xFF, ir->n_vregs * sizeof *flow->l->bit);
    for (size_t i = 0; i < ir->n_code; i++) {
        const struct vinst *v = &ir->code[i];
        uint32_t block = flow->cfg->block_of[i] + 1;
        for (unsigned k = liveness_uses(v, list); k-- > 0;)
            if (written[list[k]] != block && flow->l->bit[list[k]] == NONE)
                flow->l->bit[list[k]] = flow->l->n_bits++;
        for (unsigned k = liveness_defs(v, list); k-- > 0;) {
            if (v->guard == NONE)
                written[list[k]] = block;
            else if (written[list[k]] != block && flow->l->bit[list[k]] == NONE)
                flow->l->bit[list[k]] = flow->l->n_bits++;
        }
    }
    free(written);
}

static void block_sets(struct flow *flow, uint32_t b)
{
    uint64_t *use = flow->use + b * flow->l->words, *def = flow->def + b * flow->l->words;
    uint32_t list[LIVENESS_OPERANDS];
    for (uint32_t i = flow->cfg->blocks[b].first; i < flow->cfg->blocks[b].end; i++) {
        const struct vinst *v = &flow->ir->code[i];
        for (unsigned k = liveness_uses(v, list); k-- > 0;) {
            uint32_t bit = flow->l->bit[list[k]];
            if (bit != NONE && !(def[bit / 64] >> (bit % 64) & 1))
                use[bit / 64] |= 1ull << (bit % 64);
        }
        for (unsigned k = liveness_defs(v, list); k-- > 0;) {
            uint32_t bit = flow->l->bit[list[k]];
            if (bit != NONE && v->guard == NONE)
                def[bit / 64] |= 1ull << (bit % 64);
        }
    }
}

static bool update(struct flow *flow, uint32_t b)
{
    size_t words = flow->l->words;
    uint64_t *in = flow->l->in + b * words, *out = flow->l->out + b * words;
    bool changed = false;
    for (int s = 0; s < 2; s++) {
        uint32_t succ = flow->cfg->blocks[b].succ[s];
        if (succ == NONE || succ == flow->cfg->n_blocks)
            continue;
        const uint64_t *from = flow->l->in + succ * words;
        for (size_t w = 0; w < words; w++)
            out[w] |= from[w];
    }
    for (size_t w = 0; w < words; w++) {
        uint64_t now = flow->use[b * words + w] | (out[w] & ~flow->def[b * words + w]);
        changed |= now != in[w];
        in[w] = now;
    }
    return changed;
}

/* A register whose writes are all guarded, or that is read before any write on some path, holds an
 * undefined value there; that path makes it live from the entry, which is harmless. */
static void solve(struct flow *flow)
{
    uint32_t n = flow->cfg->n_blocks;
    flow->l->words = (flow->l->n_bits + 63) / 64;
    size_t total = (size_t)n * flow->l->words;
    flow->l->in = ALLOC_ARRAY(uint64_t, total);
    flow->l->out = ALLOC_ARRAY(uint64_t, total);
    flow->use = ALLOC_ARRAY(uint64_t, total);
    flow->def = ALLOC_ARRAY(uint64_t, total);
    for (uint32_t b = 0; b < n; b++)
        block_sets(flow, b);
    uint8_t *dirty = ALLOC_ARRAY(uint8_t, n);
    memset(dirty, 1, n);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t b = n; b-- > 0;) {
            if (!dirty[b])
                continue;
            dirty[b] = 0;
            if (!update(flow, b))
                continue;
            for (uint32_t i = flow->cfg->pred_start[b]; i < flow->cfg->pred_start[b + 1]; i++)
                dirty[flow->cfg->preds[i]] = 1;
            again = true;
        }
    }
    free(dirty);
}

/* Every register that some path has written before: the rest holds nothing. */
static void drop_unwritten(struct flow *flow)
{
    uint32_t n = flow->cfg->n_blocks;
    size_t words = flow->l->words;
    uint64_t *written = ALLOC_ARRAY(uint64_t, n * words); /* at the end of each block */
    uint32_t list[LIVENESS_OPERANDS];
    for (size_t i = 0; i < flow->ir->n_code; i++)
        for (unsigned k = liveness_defs(&flow->ir->code[i], list); k-- > 0;) {
            uint32_t bit = flow->l->bit[list[k]];
            if (bit != NONE)
                written[flow->cfg->block_of[i] * words + bit / 64] |= 1ull << (bit % 64);
        }
    uint64_t *before = ALLOC_ARRAY(uint64_t, n * words);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t b = 0; b < n; b++)
            for (uint32_t i = flow->cfg->pred_start[b]; i < flow->cfg->pred_start[b + 1]; i++)
                for (size_t w = 0; w < words; w++) {
                    uint64_t more = written[flow->cfg->preds[i] * words + w];
                    again |= (more & ~before[b * words + w]) != 0;
                    before[b * words + w] |= more;
                    written[b * words + w] |= more;
                }
    }
    memcpy(flow->l->unset, flow->l->in, words * sizeof *flow->l->unset);
    for (size_t w = 0; w < n * words; w++) {
        flow->l->in[w] &= before[w];
        flow->l->out[w] &= written[w];
    }
    free(before);
    free(written);
}

static void name_bits(struct liveness *l, size_t n_vregs)
{
    l->vreg = ALLOC_ARRAY(uint32_t, l->n_bits + 1);
    for (size_t r = 0; r < n_vregs; r++)
        if (l->bit[r] != NONE)
            l->vreg[l->bit[r]] = (uint32_t)r;
}

void liveness_build(struct liveness *l, const struct ir *ir, const struct cfg *cfg)
{
    struct flow flow = {.ir = ir, .cfg = cfg, .l = l};
    *l = (struct liveness){0};
    number_registers(&flow);
    name_bits(l, ir->n_vregs);
    solve(&flow);
    l->unset = ALLOC_ARRAY(uint64_t, l->words + 1);
    drop_unwritten(&flow);
    free(flow.use);
    free(flow.def);
}

void liveness_free(struct liveness *l)
{
    free(l->bit);
    free(l->vreg);
    free(l->in);
    free(l->out);
    free(l->unset);
}

void live_set_init(struct live_set *set, size_t n_vregs)
{
    *set = (struct live_set){.list = ALLOC_ARRAY(uint32_t, n_vregs + 1),
                             .at = ALLOC_ARRAY(uint32_t, n_vregs + 1)};
    memset(set->at, 0xFF, n_vregs * sizeof *set->at);
}

void live_set_free(struct live_set *set)
{
    free(set->list);
    free(set->at);
}

void live_set_add(struct live_set *set, uint32_t vreg)
{
    if (set->at[vreg] != NONE)
        return;
    set->at[vreg] = set->n;
    set->list[set->n++] = vreg;
}

void live_set_remove(struct live_set *set, uint32_t vreg)
{
    uint32_t at = set->at[vreg];
    if (at == NONE)
        return;
    uint32_t last = set->list[--set->n];
    set->list[at] = last;
    set->at[last] = at;
    set->at[vreg] = NONE;
}

void live_set_start(struct live_set *set, const struct liveness *l, uint32_t block)
{
    while (set->n)
        live_set_remove(set, set->list[set->n - 1]);
    for (size_t w = 0; w < l->words; w++)
        for (uint64_t bits = l->out[block * l->words + w]; bits; bits &= bits - 1)
            live_set_add(set, l->vreg[64 * w + (unsigned)__builtin_ctzll(bits)]);
}

void live_set_step(struct live_set *set, const struct vinst *v)
{
    uint32_t regs[LIVENESS_OPERANDS];
    if (v->guard == NONE)
        for (unsigned k = liveness_defs(v, regs); k-- > 0;)
            live_set_remove(set, regs[k]);
    for (unsigned k = liveness_uses(v, regs); k-- > 0;)
        live_set_add(set, regs[k]);
}

uint32_t liveness_rows(const struct ir *ir, const struct live_set *live, const struct vinst *v)
{
    uint32_t rows = 0, defs[LIVENESS_OPERANDS];
    for (uint32_t i = 0; i < live->n; i++)
        rows += ir_banked(ir, live->list[i]) ? 0 : ir->vregs[live->list[i]]; /* enum vreg_class */
    if (v) {
        unsigned n = liveness_defs(v, defs), j;
        for (unsigned k = 0; k < n; k++) {
            for (j = 0; j < k && defs[j] != defs[k]; j++)
                ;
            if (j == k && live->at[defs[k]] == NONE && !ir_banked(ir, defs[k]))
                rows += ir->vregs[defs[k]];
        }
    }
    return rows;
}

static void extend(struct interval *interval, uint32_t from, uint32_t to)
{
    if (from < interval->start)
        interval->start = from;
    if (to > interval->end)
        interval->end = to;
}

static void cover_blocks(const struct liveness *l, const struct cfg *cfg, struct interval *list)
{
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        uint32_t first = 2 * cfg->blocks[b].first, last = 2 * cfg->blocks[b].end - 1;
        for (size_t w = 0; w < l->words; w++) {
            uint64_t in = l->in[b * l->words + w], out = l->out[b * l->words + w];
            for (uint64_t bits = in; bits; bits &= bits - 1)
                extend(&list[l->vreg[64 * w + (unsigned)__builtin_ctzll(bits)]], first, first);
            for (uint64_t bits = out; bits; bits &= bits - 1)
                extend(&list[l->vreg[64 * w + (unsigned)__builtin_ctzll(bits)]], last, last);
        }
    }
}

struct interval *liveness_intervals(const struct ir *ir, const struct cfg *cfg)
{
    struct liveness l;
    struct interval *list = ALLOC_ARRAY(struct interval, ir->n_vregs);
    uint32_t regs[LIVENESS_OPERANDS];
    for (size_t r = 0; r < ir->n_vregs; r++)
        list[r] = (struct interval){.vreg = (uint32_t)r, .start = UINT32_MAX};
    liveness_build(&l, ir, cfg);
    for (size_t i = 0; i < ir->n_code; i++) {
        uint32_t at = 2 * (uint32_t)i;
        for (unsigned k = liveness_uses(&ir->code[i], regs); k-- > 0;)
            extend(&list[regs[k]], at, at);
        for (unsigned k = liveness_defs(&ir->code[i], regs); k-- > 0;)
            extend(&list[regs[k]], at + 1, at + 1);
    }
    cover_blocks(&l, cfg, list);
    liveness_free(&l);
    return list;
}
