/* Orders of rows by levels: what is as far from a first row as the other is next to it. */
#include <stdlib.h>

#include "sw/cuda/solver/sparse.h"

#define LEAF 32 /* rows that are not dissected further */

/* A walk over the rows that belong to `part`. */
struct walk {
    const struct sp_graph *graph;
    int *part;  /* of each row */
    int *level; /* of each row: from the first one, or -1 */
    int *queue; /* the rows found, level by level */
    int count, levels;
};

static int degree(const struct sp_graph *g, int i)
{
    return g->starts[i + 1] - g->starts[i];
}

/* From `first` on; the neighbours of a row come with the least degree first. */
static void go(struct walk *w, int first, int part)
{
    const struct sp_graph *g = w->graph;
    w->queue[0] = first;
    w->level[first] = 0;
    w->count = 1;
    for (int next = 0; next < w->count; next++) {
        int row = w->queue[next], found = w->count;
        for (int k = g->starts[row]; k < g->starts[row + 1]; k++) {
            int other = g->list[k], at = w->count;
            if (w->part[other] != part || w->level[other] >= 0)
                continue;
            w->level[other] = w->level[row] + 1;
            for (; at > found && degree(g, w->queue[at - 1]) > degree(g, other); at--)
                w->queue[at] = w->queue[at - 1];
            w->queue[at] = other;
            w->count++;
        }
    }
    w->levels = w->level[w->queue[w->count - 1]] + 1;
}

static void forget(struct walk *w)
{
    for (int k = 0; k < w->count; k++)
        w->level[w->queue[k]] = -1;
}

/* From a row that is at an end: one of the last level of a walk, as long as levels become more. */
static void go_from_end(struct walk *w, int first, int part)
{
    int most = 0;
    go(w, first, part);
    while (w->levels > most) {
        most = w->levels;
        first = w->queue[w->count - 1];
        for (int k = w->count - 1; k >= 0 && w->level[w->queue[k]] == most - 1; k--)
            if (degree(w->graph, w->queue[k]) < degree(w->graph, first))
                first = w->queue[k];
        forget(w);
        go(w, first, part);
    }
}

static bool walk_start(struct walk *w, const struct sp_graph *g)
{
    size_t n = (size_t)g->n + 1;
    *w = (struct walk){.graph = g,
                       .part = calloc(n, sizeof(int)),
                       .level = calloc(n, sizeof(int)),
                       .queue = calloc(n, sizeof(int))};
    for (size_t i = 0; i < n && w->level; i++)
        w->level[i] = -1;
    return w->part && w->level && w->queue;
}

static void walk_end(struct walk *w)
{
    free(w->part);
    free(w->level);
    free(w->queue);
}

bool sp_order_band(const struct sp_graph *graph, int *p)
{
    struct walk w;
    bool ok = walk_start(&w, graph);
    int placed = 0;
    for (int i = 0; i < graph->n && ok; i++) {
        if (w.part[i])
            continue;
        go_from_end(&w, i, 0);
        for (int k = 0; k < w.count; k++) {
            w.part[w.queue[k]] = 1; /* done */
            p[graph->n - 1 - placed++] = w.queue[k];
        }
        forget(&w);
    }
    walk_end(&w);
    return ok;
}

/* What is still to be dissected: rows from..to - 1 of p, all of one part. */
struct piece {
    int from, to, part;
};

/* The level in the middle of a walk comes last; what is before and behind it are pieces of their
 * own. Rows that the walk does not reach are one, too. */
static int split(struct walk *w, const struct piece *piece, int *p, int *rest, struct piece out[3],
                 int *parts)
{
    int middle = w->levels / 2, sizes[4] = {0}, at[4], count = 0;
    for (int k = piece->from; k < piece->to; k++) {
        int level = w->level[p[k]];
        int side = level < 0 ? 2 : level < middle ? 0 : level > middle ? 1 : 3;
        sizes[side]++;
    }
    for (int side = 0, from = piece->from; side < 4; from += sizes[side++]) {
        at[side] = from;
        if (side < 3 && sizes[side])
            out[count++] = (struct piece){from, from + sizes[side], ++*parts};
    }
    for (int k = piece->from; k < piece->to; k++)
        rest[k] = p[k];
    for (int k = piece->from; k < piece->to; k++) {
        int level = w->level[rest[k]];
        int side = level < 0 ? 2 : level < middle ? 0 : level > middle ? 1 : 3;
        p[at[side]++] = rest[k];
    }
    for (int i = 0; i < count; i++)
        for (int k = out[i].from; k < out[i].to; k++)
            w->part[p[k]] = out[i].part;
    for (int k = at[3] - sizes[3]; k < at[3]; k++)
        w->part[p[k]] = -1; /* in no part */
    return count;
}

bool sp_order_dissect(const struct sp_graph *graph, int *p)
{
    struct walk w;
    size_t n = (size_t)graph->n, waiting = 0;
    int parts = 0, *rest = calloc(n + 1, sizeof *rest);
    struct piece *pieces = calloc(n + 4, sizeof *pieces), out[3];
    bool ok = walk_start(&w, graph) && rest && pieces;
    for (int i = 0; i < graph->n && ok; i++)
        p[i] = i;
    if (ok && n)
        pieces[waiting++] = (struct piece){0, graph->n, 0};
    while (waiting && ok) {
        struct piece piece = pieces[--waiting];
        if (piece.to - piece.from <= LEAF)
            continue;
        go_from_end(&w, p[piece.from], piece.part);
        int count = split(&w, &piece, p, rest, out, &parts);
        forget(&w);
        for (int i = 0; i < count; i++)
            pieces[waiting++] = out[i];
    }
    walk_end(&w);
    free(rest);
    free(pieces);
    return ok;
}
