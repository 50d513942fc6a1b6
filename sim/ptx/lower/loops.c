#include "sim/ptx/lower/loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/liveness.h"

#define MAX_DEPTH 4 /* deeper loops count as this deep */

enum visit { UNSEEN, OPEN, DONE };

struct walk {
    const struct cfg *cfg;
    uint8_t *depth, *state, *next;
    uint32_t *stack, *mark; /* mark: the header + 1 whose loop the block is in, last */
    uint32_t *tails, *heads;
    size_t n_back, capacity;
};

static void add_back_edge(struct walk *w, uint32_t tail, uint32_t head)
{
    size_t capacity = w->capacity;
    ARRAY_RESERVE(w->tails, w->n_back, capacity);
    ARRAY_RESERVE(w->heads, w->n_back, w->capacity);
    w->tails[w->n_back] = tail;
    w->heads[w->n_back++] = head;
}

static void find_back_edges(struct walk *w)
{
    uint32_t n = 1;
    w->state[0] = OPEN;
    while (n) {
        uint32_t b = w->stack[n - 1];
        if (w->next[b] == 2) {
            w->state[b] = DONE;
            n--;
            continue;
        }
        uint32_t succ = w->cfg->blocks[b].succ[w->next[b]++];
        if (succ == NONE || succ == w->cfg->n_blocks)
            continue;
        if (w->state[succ] == OPEN)
            add_back_edge(w, b, succ);
        if (w->state[succ] != UNSEEN)
            continue;
        w->state[succ] = OPEN;
        w->stack[n++] = succ;
    }
}

/* The blocks from which the tail is reached without passing the head. Loops of one head are one. */
static void fill_loop(struct walk *w, uint32_t tail, uint32_t head)
{
    uint32_t n = 0;
    if (w->mark[head] != head + 1) {
        w->mark[head] = head + 1;
        w->depth[head]++;
    }
    if (w->mark[tail] != head + 1)
        w->stack[n++] = tail;
    if (n)
        w->mark[tail] = head + 1;
    while (n) {
        uint32_t b = w->stack[--n];
        w->depth[b]++;
        for (uint32_t i = w->cfg->pred_start[b]; i < w->cfg->pred_start[b + 1]; i++) {
            uint32_t pred = w->cfg->preds[i];
            if (w->mark[pred] == head + 1)
                continue;
            w->mark[pred] = head + 1;
            w->stack[n++] = pred;
        }
    }
}

uint8_t *loops_depth(const struct cfg *cfg)
{
    uint32_t n = cfg->n_blocks;
    struct walk w = {.cfg = cfg,
                     .depth = ALLOC_ARRAY(uint8_t, n + 1),
                     .state = ALLOC_ARRAY(uint8_t, n + 1),
                     .next = ALLOC_ARRAY(uint8_t, n + 1),
                     .stack = ALLOC_ARRAY(uint32_t, n + 1),
                     .mark = ALLOC_ARRAY(uint32_t, n + 1)};
    find_back_edges(&w);
    /* By head, since a mark remembers one loop only. */
    for (uint32_t head = 0; head < n && w.n_back; head++)
        for (size_t i = 0; i < w.n_back; i++)
            if (w.heads[i] == head)
                fill_loop(&w, w.tails[i], head);
    free(w.state);
    free(w.next);
    free(w.stack);
    free(w.mark);
    free(w.tails);
    free(w.heads);
    return w.depth;
}

uint32_t loops_weight(uint8_t depth)
{
    return 1u << 3 * (depth < MAX_DEPTH ? depth : MAX_DEPTH);
}

uint32_t *loops_cost(const struct ir *ir, const struct cfg *cfg)
{
    uint8_t *depth = loops_depth(cfg);
    uint32_t *cost = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1), list[LIVENESS_OPERANDS];
    for (size_t i = 0; i < ir->n_code; i++) {
        uint32_t weight = loops_weight(depth[cfg->block_of[i]]);
        for (unsigned k = liveness_uses(&ir->code[i], list); k-- > 0;)
            cost[list[k]] += weight;
        for (unsigned k = liveness_defs(&ir->code[i], list); k-- > 0;)
            cost[list[k]] += weight;
    }
    free(depth);
    return cost;
}
