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
    uint32_t *bit; /* of each virtual register, or NONE */
    uint32_t n_bits;
    size_t words;
    uint64_t *in, *out, *use, *def; /* per block */
};

/* A register crosses blocks if it is read in a block before any unguarded write there. */
static void number_registers(struct flow *flow)
{
    const struct ir *ir = flow->ir;
    uint32_t *written = ALLOC_ARRAY(uint32_t, ir->n_vregs); /* last block + 1 with a write */
    uint32_t list[LIVENESS_OPERANDS];
    flow->bit = ALLOC_ARRAY(uint32_t, ir->n_vregs);
    memset(flow->bit, 0xFF, ir->n_vregs * sizeof *flow->bit);
    for (size_t i = 0; i < ir->n_code; i++) {
        const struct vinst *v = &ir->code[i];
        uint32_t block = flow->cfg->block_of[i] + 1;
        for (unsigned k = liveness_uses(v, list); k-- > 0;)
            if (written[list[k]] != block && flow->bit[list[k]] == NONE)
                flow->bit[list[k]] = flow->n_bits++;
        for (unsigned k = liveness_defs(v, list); k-- > 0;) {
            if (v->guard == NONE)
                written[list[k]] = block;
            else if (written[list[k]] != block && flow->bit[list[k]] == NONE)
                flow->bit[list[k]] = flow->n_bits++;
        }
    }
    free(written);
}

static void block_sets(struct flow *flow, uint32_t b)
{
    uint64_t *use = flow->use + b * flow->words, *def = flow->def + b * flow->words;
    uint32_t list[LIVENESS_OPERANDS];
    for (uint32_t i = flow->cfg->blocks[b].first; i < flow->cfg->blocks[b].end; i++) {
        const struct vinst *v = &flow->ir->code[i];
        for (unsigned k = liveness_uses(v, list); k-- > 0;) {
            uint32_t bit = flow->bit[list[k]];
            if (bit != NONE && !(def[bit / 64] >> (bit % 64) & 1))
                use[bit / 64] |= 1ull << (bit % 64);
        }
        for (unsigned k = liveness_defs(v, list); k-- > 0;) {
            uint32_t bit = flow->bit[list[k]];
            if (bit != NONE && v->guard == NONE)
                def[bit / 64] |= 1ull << (bit % 64);
        }
    }
}

static bool update(struct flow *flow, uint32_t b)
{
    size_t words = flow->words;
    uint64_t *in = flow->in + b * words, *out = flow->out + b * words;
    bool changed = false;
    for (int s = 0; s < 2; s++) {
        uint32_t succ = flow->cfg->blocks[b].succ[s];
        if (succ == NONE || succ == flow->cfg->n_blocks)
            continue;
        const uint64_t *from = flow->in + succ * words;
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
    flow->words = (flow->n_bits + 63) / 64;
    size_t total = (size_t)n * flow->words;
    flow->in = ALLOC_ARRAY(uint64_t, total);
    flow->out = ALLOC_ARRAY(uint64_t, total);
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

static void extend(struct interval *interval, uint32_t from, uint32_t to)
{
    if (from < interval->start)
        interval->start = from;
    if (to > interval->end)
        interval->end = to;
}

static void cover_blocks(const struct flow *flow, struct interval *list)
{
    uint32_t *vreg = ALLOC_ARRAY(uint32_t, flow->n_bits + 1);
    for (size_t r = 0; r < flow->ir->n_vregs; r++)
        if (flow->bit[r] != NONE)
            vreg[flow->bit[r]] = (uint32_t)r;
    for (uint32_t b = 0; b < flow->cfg->n_blocks; b++) {
        uint32_t first = 2 * flow->cfg->blocks[b].first, last = 2 * flow->cfg->blocks[b].end - 1;
        for (size_t w = 0; w < flow->words; w++) {
            uint64_t in = flow->in[b * flow->words + w], out = flow->out[b * flow->words + w];
            for (uint64_t bits = in; bits; bits &= bits - 1)
                extend(&list[vreg[64 * w + (unsigned)__builtin_ctzll(bits)]], first, first);
            for (uint64_t bits = out; bits; bits &= bits - 1)
                extend(&list[vreg[64 * w + (unsigned)__builtin_ctzll(bits)]], last, last);
        }
    }
    free(vreg);
}

struct interval *liveness_intervals(const struct ir *ir, const struct cfg *cfg)
{
    struct flow flow = {.ir = ir, .cfg = cfg};
    struct interval *list = ALLOC_ARRAY(struct interval, ir->n_vregs);
    uint32_t regs[LIVENESS_OPERANDS];
    for (size_t r = 0; r < ir->n_vregs; r++)
        list[r] = (struct interval){.vreg = (uint32_t)r, .start = UINT32_MAX};
    number_registers(&flow);
    solve(&flow);
    for (size_t i = 0; i < ir->n_code; i++) {
        uint32_t at = 2 * (uint32_t)i;
        for (unsigned k = liveness_uses(&ir->code[i], regs); k-- > 0;)
            extend(&list[regs[k]], at, at);
        for (unsigned k = liveness_defs(&ir->code[i], regs); k-- > 0;)
            extend(&list[regs[k]], at + 1, at + 1);
    }
    cover_blocks(&flow, list);
    free(flow.bit);
    free(flow.in);
    free(flow.out);
    free(flow.use);
    free(flow.def);
    return list;
}
