#include "sim/ptx/lower/callgraph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Instructions up to which a function is copied to each of its calls. */
#define MOST_COPIED 2048

struct visit {
    uint32_t function, next; /* instruction to look at next */
};

struct graph {
    struct unit *unit;
    uint32_t *order, *low; /* Tarjan: 0: not visited */
    uint32_t *sites;       /* calls of each function in the text */
    uint64_t *size;        /* instructions after expansion */
    uint8_t *open;         /* on the stack of unfinished components */
    uint32_t *stack, n_stack, count;
    struct visit *path;
    uint32_t depth;
};

/* The function that an instruction calls by name, or NONE. */
static uint32_t callee(const struct unit *unit, const struct ast_inst *at)
{
    if (at->op >= UNKNOWN_OP || unit->ops.items[at->op].operation != OP_call)
        return NONE;
    for (uint8_t i = 0; i < at->n_operands; i++) {
        const struct ast_operand *o = &unit->operands[at->operands + i];
        if (o->kind == OPERAND_FUNCTION)
            return unit->functions[o->index].defined ? o->index : NONE;
    }
    return NONE;
}

static void enter(struct graph *g, uint32_t function)
{
    g->path[g->depth++] = (struct visit){function, 0};
    g->order[function] = g->low[function] = ++g->count;
    g->stack[g->n_stack++] = function;
    g->open[function] = 1;
}

/* All that it calls is known: its size, whether it is copied, and its component. */
static void leave(struct graph *g, uint32_t f)
{
    struct function *functions = g->unit->functions;
    g->depth--;
    if (g->size[f] > MOST_COPIED && g->sites[f] > 1)
        functions[f].called = true;
    if (g->low[f] != g->order[f])
        return;
    bool alone = g->stack[g->n_stack - 1] == f;
    uint32_t member;
    do {
        member = g->stack[--g->n_stack];
        g->open[member] = 0;
        if (!alone)
            functions[member].called = true;
    } while (member != f);
}

static void step(struct graph *g)
{
    struct visit *v = &g->path[g->depth - 1];
    const struct unit *unit = g->unit;
    uint32_t f = v->function;
    while (v->next < unit->functions[f].n_insts) {
        uint32_t to = callee(unit, &unit->insts[unit->functions[f].first_inst + v->next]);
        if (to != NONE && !g->order[to]) {
            enter(g, to); /* and this instruction once more afterwards */
            return;
        }
        v->next++;
        g->size[f]++;
        if (to == NONE)
            continue;
        if (to == f)
            unit->functions[f].called = true;
        if (g->open[to])
            g->low[f] = g->low[f] < g->low[to] ? g->low[f] : g->low[to];
        else if (!unit->functions[to].called)
            g->size[f] += g->size[to];
    }
    leave(g, f);
}

void callgraph_build(struct unit *unit)
{
    size_t n = unit->n_functions + 1;
    struct graph g = {.unit = unit,
                      .order = ALLOC_ARRAY(uint32_t, n),
                      .low = ALLOC_ARRAY(uint32_t, n),
                      .sites = ALLOC_ARRAY(uint32_t, n),
                      .size = ALLOC_ARRAY(uint64_t, n),
                      .open = ALLOC_ARRAY(uint8_t, n),
                      .stack = ALLOC_ARRAY(uint32_t, n),
                      .path = ALLOC_ARRAY(struct visit, n)};
    for (size_t i = 0; i < unit->n_insts; i++) {
        uint32_t to = callee(unit, &unit->insts[i]);
        if (to != NONE)
            g.sites[to]++;
    }
    for (uint32_t f = 0; f < unit->n_functions; f++) {
        if (!g.order[f] && unit->functions[f].defined)
            enter(&g, f);
        while (g.depth)
            step(&g);
    }
    free(g.order);
    free(g.low);
    free(g.sites);
    free(g.size);
    free(g.open);
    free(g.stack);
    free(g.path);
}
