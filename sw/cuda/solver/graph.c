/* Matrices by rows, and their graphs. */
#include <stdlib.h>

#include "sw/cuda/client/core.h"
#include "sw/cuda/solver/sparse.h"

bool sp_base(const cusparseMatDescr_t descr, int *base)
{
    if (!descr || cusparseGetMatType(descr) != CUSPARSE_MATRIX_TYPE_GENERAL)
        return false;
    *base = (int)cusparseGetMatIndexBase(descr);
    return true;
}

/* One line that says what is wrong. */
static bool refuse(const char *what, int at, long long is, const char *must)
{
    evc_explain(CUDA_ERROR_INVALID_VALUE, "cuSOLVER: %s[%d] of the matrix is %lld; it must be %s",
                what, at, is, must);
    return false;
}

bool sp_inside(const struct sp_rows *rows, const int *ends, int columns)
{
    const long long base = rows->base, behind = base + rows->nnz;
    for (int i = 0; i < rows->n; i++) {
        if (rows->offsets[i] < base || rows->offsets[i] > behind)
            return refuse("row offset", i, rows->offsets[i], "from the base to the base + nnz");
        if (ends[i] < rows->offsets[i] || ends[i] > behind)
            return refuse("the end of row", i, ends[i], "from its beginning to the base + nnz");
    }
    for (int k = 0; k < rows->nnz; k++)
        if (rows->columns[k] < base || rows->columns[k] >= base + columns)
            return refuse("column", k, rows->columns[k], "from the base to the last column");
    return true;
}

bool sp_whole(const struct sp_rows *rows, int columns)
{
    const long long behind = (long long)rows->base + rows->nnz;
    if (rows->offsets[0] != rows->base)
        return refuse("row offset", 0, rows->offsets[0], "the base of the description");
    if (rows->offsets[rows->n] != behind)
        return refuse("row offset", rows->n, rows->offsets[rows->n], "the base + nnz");
    return sp_inside(rows, rows->offsets + 1, columns);
}

bool sp_valid(const struct sp_rows *rows)
{
    return sp_whole(rows, rows->n);
}

int sp_ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorts each row's neighbours and leaves each once. */
static void tidy(struct sp_graph *g)
{
    int kept = 0;
    for (int i = 0, begin = 0; i < g->n; i++) {
        int end = g->starts[i + 1], first = kept;
        qsort(g->list + begin, (size_t)(end - begin), sizeof *g->list, sp_ascending);
        for (int k = begin; k < end; k++)
            if (kept == first || g->list[kept - 1] != g->list[k])
                g->list[kept++] = g->list[k];
        begin = end;
        g->starts[i + 1] = kept;
    }
}

struct sp_graph *sp_graph_make(const struct sp_rows *rows)
{
    struct sp_graph *g = calloc(1, sizeof *g);
    size_t n = (size_t)rows->n;
    if (g)
        *g = (struct sp_graph){.n = rows->n,
                               .starts = calloc(n + 2, sizeof(int)),
                               .list = calloc(2 * (size_t)rows->nnz + 1, sizeof(int))};
    if (!g || !g->starts || !g->list) {
        sp_graph_free(g);
        return NULL;
    }
    /* Twice over the entries: counts two rows ahead, then places, which end as starts. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < rows->n; i++)
            for (int k = rows->offsets[i] - rows->base; k < rows->offsets[i + 1] - rows->base;
                 k++) {
                int j = rows->columns[k] - rows->base;
                if (i == j)
                    continue;
                if (pass == 0) {
                    g->starts[i + 2]++;
                    g->starts[j + 2]++;
                } else {
                    g->list[g->starts[i + 1]++] = j;
                    g->list[g->starts[j + 1]++] = i;
                }
            }
        for (int i = 0; i < rows->n && pass == 0; i++)
            g->starts[i + 2] += g->starts[i + 1];
    }
    tidy(g);
    return g;
}

void sp_graph_free(struct sp_graph *graph)
{
    if (!graph)
        return;
    free(graph->starts);
    free(graph->list);
    free(graph);
}

static void reach(const struct sp_rows *rows, struct sp_band *band)
{
    band->below = band->above = 0;
    for (int i = 0; i < rows->n; i++)
        for (int k = rows->offsets[i] - rows->base; k < rows->offsets[i + 1] - rows->base; k++) {
            int distance = band->places[i] - band->places[rows->columns[k] - rows->base];
            band->below = distance > band->below ? distance : band->below;
            band->above = -distance > band->above ? -distance : band->above;
        }
}

struct sp_band sp_band_of(const struct sp_rows *rows)
{
    size_t n = (size_t)rows->n + 1;
    struct sp_band given = {.places = calloc(n, sizeof(int))},
                   other = {.places = calloc(n, sizeof(int))};
    struct sp_graph *graph = sp_graph_make(rows);
    int *p = calloc(n, sizeof *p);
    bool ok = given.places && other.places && graph && p && sp_order_band(graph, p);
    for (int i = 0; i < rows->n && ok; i++) {
        given.places[i] = i;
        other.places[p[i]] = i;
    }
    if (ok) {
        reach(rows, &given);
        reach(rows, &other);
    }
    bool turns = ok && other.below + other.above < given.below + given.above;
    free(p);
    sp_graph_free(graph);
    free(turns || !ok ? given.places : other.places);
    if (!ok)
        free(other.places);
    return ok ? (turns ? other : given) : (struct sp_band){.places = NULL};
}
