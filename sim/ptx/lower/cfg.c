#include "sim/ptx/lower/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool ends_block(const struct vinst *v)
{
    return v->inst.class == INST_BRANCH || v->inst.class == INST_EXIT ||
           v->inst.class == INST_RET || v->inst.class == INST_TRAP;
}

bool cfg_falls_through(const struct vinst *v)
{
    return !ends_block(v) || v->guard != NONE;
}

static void find_blocks(struct cfg *cfg, const struct ir *ir)
{
    uint8_t *leader = ALLOC_ARRAY(uint8_t, ir->n_code + 1);
    leader[0] = 1;
    for (size_t i = 0; i < ir->n_code; i++) {
        if (ends_block(&ir->code[i]))
            leader[i + 1] = 1;
        if (ir->code[i].label != NONE)
            leader[ir->labels[ir->code[i].label]] = 1;
    }
    for (size_t i = 0; i < ir->n_code; i++)
        cfg->n_blocks += leader[i];
    cfg->blocks = ALLOC_ARRAY(struct block, cfg->n_blocks);
    cfg->block_of = ALLOC_ARRAY(uint32_t, ir->n_code);
    uint32_t b = NONE;
    for (size_t i = 0; i < ir->n_code; i++) {
        if (leader[i])
            cfg->blocks[++b].first = (uint32_t)i;
        cfg->block_of[i] = b;
        cfg->blocks[b].end = (uint32_t)i + 1;
    }
    free(leader);
}

static void link_blocks(struct cfg *cfg, struct ir *ir)
{
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        struct block *block = &cfg->blocks[b];
        struct vinst *last = &ir->code[block->end - 1];
        block->succ[0] = cfg_falls_through(last) ? b + 1 : NONE;
        block->succ[1] = NONE;
        if (last->label != NONE) {
            last->inst.target = ir->labels[last->label];
            block->succ[1] = cfg->block_of[last->inst.target];
        } else if (ends_block(last)) {
            block->succ[1] = cfg->n_blocks;
        }
    }
}

static void find_preds(struct cfg *cfg)
{
    uint32_t n = cfg->n_blocks;
    cfg->pred_start = ALLOC_ARRAY(uint32_t, n + 3);
    for (uint32_t b = 0; b < n; b++)
        for (int s = 0; s < 2; s++)
            if (cfg->blocks[b].succ[s] != NONE)
                cfg->pred_start[cfg->blocks[b].succ[s] + 2]++;
    for (uint32_t b = 1; b <= n + 1; b++)
        cfg->pred_start[b + 1] += cfg->pred_start[b];
    cfg->preds = ALLOC_ARRAY(uint32_t, cfg->pred_start[n + 2]);
    for (uint32_t b = 0; b < n; b++)
        for (int s = 0; s < 2; s++)
            if (cfg->blocks[b].succ[s] != NONE)
                cfg->preds[cfg->pred_start[cfg->blocks[b].succ[s] + 1]++] = b;
}

/* --- post-dominators (Cooper, Harvey and Kennedy's iteration on the reversed graph) -------------
 */

struct postorder {
    uint32_t *order;  /* nodes, in postorder of the reversed graph; the exit comes last */
    uint32_t *number; /* of each node */
    uint32_t count;
};

static void visit(const struct cfg *cfg, struct postorder *po, uint32_t root, uint32_t *stack,
                  uint32_t *next)
{
    uint32_t depth = 0;
    stack[0] = root;
    po->number[root] = 0;
    next[root] = cfg->pred_start[root];
    for (;;) {
        uint32_t node = stack[depth];
        if (next[node] < cfg->pred_start[node + 1]) {
            uint32_t pred = cfg->preds[next[node]++];
            if (po->number[pred] == NONE) {
                po->number[pred] = 0;
                next[pred] = cfg->pred_start[pred];
                stack[++depth] = pred;
            }
            continue;
        }
        po->number[node] = po->count;
        po->order[po->count++] = node;
        if (depth-- == 0)
            return;
    }
}

/* Loops without an exit: their last block counts as going to the exit (`*extra` marks it). */
static void number_nodes(const struct cfg *cfg, struct postorder *po, uint8_t *extra)
{
    uint32_t n = cfg->n_blocks;
    uint32_t *stack = ALLOC_ARRAY(uint32_t, n + 1), *next = ALLOC_ARRAY(uint32_t, n + 1);
    memset(po->number, 0xFF, (n + 1) * sizeof *po->number);
    /* The exit is numbered last, so that extra roots count as its predecessors. */
    po->number[n] = 0;
    for (uint32_t i = cfg->pred_start[n]; i < cfg->pred_start[n + 1]; i++)
        if (po->number[cfg->preds[i]] == NONE)
            visit(cfg, po, cfg->preds[i], stack, next);
    for (uint32_t b = n; b-- > 0;)
        if (po->number[b] == NONE) {
            extra[b] = 1;
            visit(cfg, po, b, stack, next);
        }
    po->number[n] = po->count;
    po->order[po->count++] = n;
    free(stack);
    free(next);
}

static uint32_t meet(const struct postorder *po, const uint32_t *idom, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (po->number[a] < po->number[b])
            a = idom[a];
        while (po->number[b] < po->number[a])
            b = idom[b];
    }
    return a;
}

static void find_ipdom(struct cfg *cfg)
{
    uint32_t n = cfg->n_blocks;
    struct postorder po = {.order = ALLOC_ARRAY(uint32_t, n + 1),
                           .number = ALLOC_ARRAY(uint32_t, n + 1)};
    uint8_t *extra = ALLOC_ARRAY(uint8_t, n + 1);
    uint32_t *idom = ALLOC_ARRAY(uint32_t, n + 1);
    number_nodes(cfg, &po, extra);
    memset(idom, 0xFF, (n + 1) * sizeof *idom);
    idom[n] = n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = n; i-- > 0;) {
            uint32_t node = po.order[i], best = extra[node] ? n : NONE;
            for (int s = 0; s < 2; s++) {
                uint32_t succ = cfg->blocks[node].succ[s];
                if (succ != NONE && idom[succ] != NONE)
                    best = best == NONE ? succ : meet(&po, idom, best, succ);
            }
            if (best != idom[node]) {
                idom[node] = best;
                changed = true;
            }
        }
    }
    for (uint32_t b = 0; b < n; b++)
        cfg->blocks[b].ipdom = idom[b];
    free(po.order);
    free(po.number);
    free(extra);
    free(idom);
}

static void set_reconvergence(const struct cfg *cfg, struct ir *ir)
{
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        struct vinst *last = &ir->code[cfg->blocks[b].end - 1];
        uint32_t at = cfg->blocks[b].ipdom;
        if (last->inst.class == INST_BRANCH)
            last->inst.reconv = at == cfg->n_blocks ? NO_RECONV : cfg->blocks[at].first;
    }
}

void cfg_build(struct cfg *cfg, struct ir *ir)
{
    *cfg = (struct cfg){0};
    find_blocks(cfg, ir);
    link_blocks(cfg, ir);
    find_preds(cfg);
    find_ipdom(cfg);
    set_reconvergence(cfg, ir);
}

void cfg_free(struct cfg *cfg)
{
    free(cfg->blocks);
    free(cfg->block_of);
    free(cfg->preds);
    free(cfg->pred_start);
}
