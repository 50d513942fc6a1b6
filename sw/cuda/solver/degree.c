/* The least degree first: the row with the fewest neighbours is eliminated, and becomes an element,
 * of which its neighbours are members (George and Liu, 1989). */
#include <stdlib.h>

#include "sw/cuda/solver/sparse.h"

struct members {
    int *list;
    int count, room;
};

struct elimination {
    const struct sp_graph *graph;
    struct members *elements;    /* of eliminated rows: their neighbours then; else none */
    struct members *elements_of; /* of rows that are left: the elements that they are in */
    int *degree;                 /* -1: eliminated */
    int *seen;                   /* the last count for which a row was seen */
    int counts;
};

static bool add(struct members *m, int member)
{
    if (m->count == m->room) {
        int room = m->room ? 2 * m->room : 8;
        int *list = realloc(m->list, (size_t)room * sizeof *list);
        if (!list)
            return false;
        m->list = list;
        m->room = room;
    }
    m->list[m->count++] = member;
    return true;
}

/* The neighbours of a row now: beside it in the graph, or in an element with it; into `to`, or only
 * their number. -1: no memory. */
static int neighbours(struct elimination *e, int row, struct members *to)
{
    const struct sp_graph *g = e->graph;
    const struct members *of = &e->elements_of[row];
    int count = 0, mark = ++e->counts;
    e->seen[row] = mark;
    for (int s = -1; s < of->count; s++) {
        const int *list = s < 0 ? g->list + g->starts[row] : e->elements[of->list[s]].list;
        int n = s < 0 ? g->starts[row + 1] - g->starts[row] : e->elements[of->list[s]].count;
        for (int k = 0; k < n; k++) {
            if (e->degree[list[k]] < 0 || e->seen[list[k]] == mark)
                continue;
            e->seen[list[k]] = mark;
            count++;
            if (to && !add(to, list[k]))
                return -1;
        }
    }
    return count;
}

/* Elements that a row was in are part of its own. */
static void absorb(struct elimination *e, int row, int neighbour)
{
    struct members *of = &e->elements_of[neighbour], *old = &e->elements_of[row];
    int kept = 0;
    for (int k = 0; k < of->count; k++) {
        bool part = false;
        for (int s = 0; s < old->count; s++)
            part |= old->list[s] == of->list[k];
        if (!part)
            of->list[kept++] = of->list[k];
    }
    of->count = kept;
}

static bool eliminate(struct elimination *e, int row)
{
    struct members *own = &e->elements[row];
    if (neighbours(e, row, own) < 0)
        return false;
    e->degree[row] = -1;
    for (int k = 0; k < own->count; k++) {
        absorb(e, row, own->list[k]);
        if (!add(&e->elements_of[own->list[k]], row))
            return false;
    }
    for (int k = 0; k < own->count; k++)
        e->degree[own->list[k]] = neighbours(e, own->list[k], NULL);
    for (int s = 0; s < e->elements_of[row].count; s++)
        e->elements[e->elements_of[row].list[s]].count = 0;
    return true;
}

bool sp_order_degree(const struct sp_graph *graph, int *p)
{
    size_t n = (size_t)graph->n + 1;
    struct elimination e = {.graph = graph,
                            .elements = calloc(n, sizeof(struct members)),
                            .elements_of = calloc(n, sizeof(struct members)),
                            .degree = calloc(n, sizeof(int)),
                            .seen = calloc(n, sizeof(int))};
    bool ok = e.elements && e.elements_of && e.degree && e.seen;
    for (int i = 0; i < graph->n && ok; i++)
        e.degree[i] = graph->starts[i + 1] - graph->starts[i];
    for (int placed = 0; placed < graph->n && ok; placed++) {
        int row = -1;
        for (int i = 0; i < graph->n; i++)
            if (e.degree[i] >= 0 && (row < 0 || e.degree[i] < e.degree[row]))
                row = i;
        p[placed] = row;
        ok = eliminate(&e, row);
    }
    for (size_t i = 0; i < n; i++) {
        if (e.elements)
            free(e.elements[i].list);
        if (e.elements_of)
            free(e.elements_of[i].list);
    }
    free(e.elements);
    free(e.elements_of);
    free(e.degree);
    free(e.seen);
    return ok;
}
