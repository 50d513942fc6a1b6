/* The pattern of L + U, from that of both. */
#include <stdlib.h>

#include "sw/cuda/solver/rf.h"

/* The place of each element; false: `of` is no permutation. */
static bool inverse(int n, const int *of, int *place)
{
    for (int i = 0; i < n; i++)
        place[i] = -1;
    for (int i = 0; i < n; i++) {
        if (of[i] < 0 || of[i] >= n || place[of[i]] >= 0)
            return false;
        place[of[i]] = i;
    }
    return true;
}

/* Row i of both. False: an entry is on the wrong side, or there twice, or the diagonal is not. */
static bool join_row(struct rf_pattern *to, const struct rf_given *g, int i)
{
    int first = to->offsets[i], end = first, diagonal = 0;
    for (int k = g->l.offsets[i]; k < g->l.offsets[i + 1]; k++) {
        int column = g->l.columns[k];
        if (column > i || (column == i && !g->stored))
            return false;
        if (column < i)
            to->columns[end++] = column;
    }
    for (int k = g->u.offsets[i]; k < g->u.offsets[i + 1]; k++) {
        if (g->u.columns[k] < i)
            return false;
        diagonal += g->u.columns[k] == i;
        to->columns[end++] = g->u.columns[k];
    }
    qsort(to->columns + first, (size_t)(end - first), sizeof(int), sp_ascending);
    for (int k = first + 1; k < end; k++)
        if (to->columns[k] == to->columns[k - 1])
            return false;
    to->offsets[i + 1] = end;
    return diagonal == 1;
}

static bool join(struct rf_pattern *to, const struct rf_given *g)
{
    for (int i = 0; i < g->n; i++)
        if (!join_row(to, g, i))
            return false;
    to->nnz = to->offsets[g->n];
    return true;
}

/* False: an entry of A has no place. */
static bool place(struct rf_pattern *to, const struct rf_given *g, const int *row,
                  const int *column)
{
    for (int i = 0; i < g->n; i++)
        for (int k = g->a.offsets[i]; k < g->a.offsets[i + 1]; k++) {
            const int *first = to->columns + to->offsets[row[i]];
            int count = to->offsets[row[i] + 1] - to->offsets[row[i]];
            const int *found =
                bsearch(&column[g->a.columns[k]], first, (size_t)count, sizeof(int), sp_ascending);
            if (!found)
                return false;
            to->places[k] = (int)(found - to->columns);
        }
    return true;
}

static cusolverStatus_t fill(struct rf_pattern *to, const struct rf_given *g, int *row, int *column)
{
    const bool permuted = inverse(g->n, g->p, row) && inverse(g->n, g->q, column);
    SOLVER_VALID(permuted);
    const bool factors_are_triangles = join(to, g);
    SOLVER_VALID(factors_are_triangles);
    const bool factors_have_place_for_a = place(to, g, row, column);
    SOLVER_VALID(factors_have_place_for_a);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t rf_pattern_make(struct rf_pattern *pattern, const struct rf_given *g)
{
    SOLVER_VALID(sp_valid(&g->a) && sp_valid(&g->l) && sp_valid(&g->u));
    size_t n = (size_t)g->n, most = (size_t)g->l.nnz + (size_t)g->u.nnz;
    int *row = calloc(n, sizeof(int)), *column = calloc(n, sizeof(int));
    *pattern = (struct rf_pattern){.n = g->n,
                                   .nnz_a = g->a.nnz,
                                   .offsets = calloc(n + 1, sizeof(int)),
                                   .columns = calloc(most + 1, sizeof(int)),
                                   .places = calloc((size_t)g->a.nnz + 1, sizeof(int))};
    bool made = row && column && pattern->offsets && pattern->columns && pattern->places;
    cusolverStatus_t status = made ? fill(pattern, g, row, column) : CUSOLVER_STATUS_ALLOC_FAILED;
    free(row);
    free(column);
    if (status)
        rf_pattern_free(pattern);
    return status;
}

void rf_pattern_free(struct rf_pattern *pattern)
{
    free(pattern->offsets);
    free(pattern->columns);
    free(pattern->places);
    *pattern = (struct rf_pattern){0};
}
