#include "sw/apps/common/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"

struct arc {
    uint32_t from, to, weight;
};

struct arc_list {
    struct arc *arcs;
    uint32_t count, capacity;
};

const char *const graph_kinds[] = {"rmat", "road", "random", NULL};

static void add(struct arc_list *list, uint32_t from, uint32_t to, uint32_t weight, bool both)
{
    for (int i = 0; i <= (int)both; i++) {
        ARRAY_RESERVE(list->arcs, list->count, list->capacity);
        list->arcs[list->count++] =
            i ? (struct arc){to, from, weight} : (struct arc){from, to, weight};
    }
}

/* Counting sort by the node that an arc leaves; the order of a node's arcs is that of the list. */
static void build(const struct arc_list *list, uint32_t nodes, struct graph *graph)
{
    graph->nodes = nodes;
    graph->arcs = list->count;
    graph->rows = ALLOC_ARRAY(uint32_t, (size_t)nodes + 1);
    graph->columns = ALLOC_ARRAY(uint32_t, list->count ? list->count : 1);
    graph->weights = ALLOC_ARRAY(uint32_t, list->count ? list->count : 1);
    uint32_t *next = ALLOC_ARRAY(uint32_t, (size_t)nodes + 1);
    for (uint32_t i = 0; i < list->count; i++)
        graph->rows[list->arcs[i].from + 1]++;
    for (uint32_t v = 0; v < nodes; v++)
        graph->rows[v + 1] += graph->rows[v];
    memcpy(next, graph->rows, ((size_t)nodes + 1) * sizeof *next);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t at = next[list->arcs[i].from]++;
        graph->columns[at] = list->arcs[i].to;
        graph->weights[at] = list->arcs[i].weight;
    }
    free(next);
}

static uint32_t weight_of(struct rng *rng, const struct graph_request *r)
{
    return 1 + rng_below(rng, r->max_weight);
}

static void rmat(struct rng *rng, const struct graph_request *r, uint32_t nodes,
                 struct arc_list *list)
{
    for (uint64_t i = 0; i < (uint64_t)r->nodes * r->degree; i++) {
        uint32_t from = 0, to = 0;
        for (uint32_t bit = nodes / 2; bit; bit /= 2) {
            uint32_t quadrant = rng_below(rng, 100);
            if (quadrant >= 60)
                from |= bit;
            if (quadrant >= 75 || (quadrant >= 45 && quadrant < 60))
                to |= bit;
        }
        uint32_t weight = weight_of(rng, r);
        if (from != to)
            add(list, from, to, weight, r->symmetric);
    }
}

/* Streets to the right and down. One node in 64 also has a long road, to a node up to a sixteenth
 * of the grid's side away in both directions. */
static void road(struct rng *rng, const struct graph_request *r, struct arc_list *list)
{
    uint32_t side = (uint32_t)sqrt((double)r->nodes), reach = side / 16 + 2;
    if (side == 0)
        side = 1;
    for (uint32_t v = 0; v < r->nodes; v++) {
        uint32_t right = rng_below(rng, 10), down = rng_below(rng, 10);
        uint32_t a = weight_of(rng, r), b = weight_of(rng, r);
        if (right && v % side + 1 < side && v + 1 < r->nodes)
            add(list, v, v + 1, a, true);
        if (down && v + side < r->nodes)
            add(list, v, v + side, b, true);
        if (rng_below(rng, 64) == 0) {
            uint64_t to =
                (uint64_t)v + rng_below(rng, reach) + (uint64_t)rng_below(rng, reach) * side;
            if (to != v && to < r->nodes)
                add(list, v, (uint32_t)to, weight_of(rng, r), true);
        }
    }
}

static void uniform(struct rng *rng, const struct graph_request *r, struct arc_list *list)
{
    for (uint64_t i = 0; i < (uint64_t)r->nodes * r->degree; i++) {
        uint32_t from = rng_below(rng, r->nodes), to = rng_below(rng, r->nodes);
        uint32_t weight = weight_of(rng, r);
        if (from != to)
            add(list, from, to, weight, r->symmetric);
    }
}

bool graph_generate(const struct graph_request *request, struct graph *graph, struct error *err)
{
    struct arc_list list = {0};
    struct rng rng;
    uint32_t nodes = request->nodes;
    *graph = (struct graph){0};
    if ((uint64_t)nodes * (request->kind == GRAPH_ROAD ? 3 : request->degree) * 2 > GRAPH_MAX_ARCS)
        return error_set(err, "%u nodes of degree %u have too many arcs; the most is %u", nodes,
                         request->degree, GRAPH_MAX_ARCS);
    rng_seed(&rng, request->seed);
    switch (request->kind) {
    case GRAPH_RMAT:
        for (nodes = 1; nodes < request->nodes;)
            nodes *= 2;
        rmat(&rng, request, nodes, &list);
        break;
    case GRAPH_ROAD:
        road(&rng, request, &list);
        break;
    case GRAPH_RANDOM:
        uniform(&rng, request, &list);
        break;
    }
    build(&list, nodes, graph);
    free(list.arcs);
    return true;
}

/* `count` numbers of a line behind its letter and word, each from 0 to UINT32_MAX, and nothing
 * else. */
static bool numbers(const char *text, const char *end, uint32_t count, uint32_t *values)
{
    for (uint32_t i = 0; i < count; i++) {
        char *after = NULL;
        while (text < end && (*text == ' ' || *text == '\t'))
            text++;
        if (text == end || *text < '0' || *text > '9')
            return false;
        unsigned long long value = strtoull(text, &after, 10);
        if (value > UINT32_MAX)
            return false;
        values[i] = (uint32_t)value;
        text = after;
    }
    while (text < end && (*text == ' ' || *text == '\t' || *text == '\r'))
        text++;
    return text == end;
}

struct parse {
    const char *path;
    uint32_t line;
    uint32_t size[2]; /* nodes, arcs; nodes 0: not read yet */
    struct arc_list list;
};

static bool parse_line(struct parse *p, const char *text, const char *end, bool both,
                       struct error *err)
{
    uint32_t v[3];
    if (text == end || *text == 'c' || *text == '\r')
        return true;
    if (*text == 'p') {
        if (p->size[0])
            return error_set(err, "%s:%u: a second 'p' line", p->path, p->line);
        if (end - text < 5 || strncmp(text, "p sp ", 5) != 0 ||
            !numbers(text + 5, end, 2, p->size) || p->size[0] == 0 || p->size[0] > GRAPH_MAX_ARCS ||
            p->size[1] > GRAPH_MAX_ARCS / 2)
            return error_set(err, "%s:%u: expected 'p sp NODES ARCS', up to %u and %u", p->path,
                             p->line, GRAPH_MAX_ARCS, GRAPH_MAX_ARCS / 2);
        return true;
    }
    if (*text != 'a')
        return error_set(err, "%s:%u: a line begins with 'c', 'p' or 'a', not with '%c'", p->path,
                         p->line, *text);
    if (p->size[0] == 0)
        return error_set(err, "%s:%u: an arc precedes the line 'p sp NODES ARCS'", p->path,
                         p->line);
    if (!numbers(text + 1, end, 3, v))
        return error_set(err, "%s:%u: expected 'a FROM TO WEIGHT', numbers of 32 bits", p->path,
                         p->line);
    if (v[0] < 1 || v[0] > p->size[0] || v[1] < 1 || v[1] > p->size[0])
        return error_set(err, "%s:%u: a node must be 1 to %u", p->path, p->line, p->size[0]);
    add(&p->list, v[0] - 1, v[1] - 1, v[2], both);
    return true;
}

bool graph_parse(const char *path, const char *text, bool symmetric, struct graph *graph,
                 struct error *err)
{
    struct parse p = {.path = path};
    bool good = true;
    *graph = (struct graph){0};
    while (good && *text) {
        const char *end = text + strcspn(text, "\n");
        p.line++;
        good = parse_line(&p, text, end, symmetric, err);
        text = *end ? end + 1 : end;
    }
    if (good && p.size[0] == 0)
        good = error_set(err, "%s: the line 'p sp NODES ARCS' is missing", path);
    if (good && p.list.count >> symmetric != p.size[1])
        good = error_set(err, "%s: the file has %u arcs, but its 'p' line says %u", path,
                         p.list.count >> symmetric, p.size[1]);
    if (good)
        build(&p.list, p.size[0], graph);
    free(p.list.arcs);
    return good;
}

void graph_free(struct graph *graph)
{
    free(graph->rows);
    free(graph->columns);
    free(graph->weights);
    *graph = (struct graph){0};
}
