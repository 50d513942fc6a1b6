/* The factors of LU on the host as matrices by rows. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/solver/sparse.h"

/* The entries of both that a matrix of this pattern has, with those that fill. */
struct filled {
    int *l_offsets, *u_offsets, *l, *u; /* columns of each row ascending */
    size_t l_room, u_room;
};

static bool reserve(int **list, size_t *room, size_t count)
{
    if (count <= *room)
        return true;
    size_t more = 2 * count;
    int *larger = realloc(*list, more * sizeof **list);
    if (!larger)
        return false;
    *list = larger;
    *room = more;
    return true;
}

/* Row i, whose columns are those of row `from` of the matrix, and of the rows of U that it takes
 * from itself. `mark`: i for the columns that it has. */
static bool fill_row(struct filled *f, const struct sp_host *host, const struct sp_rows *rows,
                     int i, int from, int *mark)
{
    int first = i, last = i, nl = f->l_offsets[i], nu = f->u_offsets[i];
    mark[i] = i;
    for (int k = rows->offsets[from] - rows->base; k < rows->offsets[from + 1] - rows->base; k++) {
        int at = host->places[rows->columns[k] - rows->base];
        mark[at] = i;
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    if (!reserve(&f->l, &f->l_room, (size_t)nl + (size_t)(i - first)))
        return false;
    for (int k = first; k < i; k++) {
        if (mark[k] != i)
            continue;
        f->l[nl++] = k;
        for (int m = f->u_offsets[k]; m < f->u_offsets[k + 1]; m++) {
            mark[f->u[m]] = i;
            last = f->u[m] > last ? f->u[m] : last;
        }
    }
    if (!reserve(&f->u, &f->u_room, (size_t)nu + (size_t)(last - i) + 1))
        return false;
    for (int k = i; k <= last; k++)
        if (mark[k] == i)
            f->u[nu++] = k;
    f->l_offsets[i + 1] = nl;
    f->u_offsets[i + 1] = nu;
    return true;
}

/* The rows at each place of the band after all exchanges, and the columns there. */
static void find_orders(const struct sp_host *host, int *p, int *q)
{
    for (int i = 0; i < host->n; i++)
        p[host->places[i]] = q[host->places[i]] = i;
    for (int k = 0; k < host->n; k++) {
        int row = p[k];
        p[k] = p[host->pivots[k]];
        p[host->pivots[k]] = row;
    }
}

bool sp_factors_find(struct sp_factors *to, const struct sp_host *host, const struct sp_rows *rows)
{
    size_t n = (size_t)host->n;
    struct filled f = {.l_offsets = calloc(n + 1, sizeof(int)),
                       .u_offsets = calloc(n + 1, sizeof(int))};
    int *mark = malloc((n + 1) * sizeof *mark);
    *to = (struct sp_factors){.p = malloc(n * sizeof(int)), .q = malloc(n * sizeof(int))};
    bool ok = f.l_offsets && f.u_offsets && mark && to->p && to->q;
    if (ok)
        find_orders(host, to->p, to->q);
    for (int i = 0; i < host->n && ok; i++)
        mark[i] = -1;
    for (int i = 0; i < host->n && ok; i++)
        ok = fill_row(&f, host, rows, i, to->p[i], mark);
    free(mark);
    to->l = (struct sp_entries){f.l_offsets, f.l};
    to->u = (struct sp_entries){f.u_offsets, f.u};
    return ok;
}

void sp_factors_free(struct sp_factors *f)
{
    void *const made[] = {f->p, f->q, f->l.offsets, f->l.columns, f->u.offsets, f->u.columns};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        free(made[i]);
}

static void put(enum library_precision precision, void *values, size_t at, double value)
{
    if (precision == LIBRARY_S)
        ((float *)values)[at] = (float)value;
    else
        ((double *)values)[at] = value;
}

/* Column k of L, whose rows have changed places since: what was at place i is in row row[i]. */
static void put_column(const struct sp_factors *f, const struct sp_host *host, int k,
                       const int *row, enum library_precision precision, void *values)
{
    int end = k + host->below < host->n - 1 ? k + host->below : host->n - 1;
    for (int i = k + 1; i <= end; i++) {
        const int *first = f->l.columns + f->l.offsets[row[i]];
        size_t count = (size_t)(f->l.offsets[row[i] + 1] - f->l.offsets[row[i]]);
        const int *found = count ? bsearch(&k, first, count, sizeof k, sp_ascending) : NULL;
        if (found)
            put(precision, values, (size_t)(found - f->l.columns), *sp_host_at(host, i, k));
    }
}

bool sp_factors_values(const struct sp_factors *f, const struct sp_host *host,
                       enum library_precision precision, void *l, void *u)
{
    int *row = malloc((size_t)host->n * sizeof *row);
    if (!row)
        return false;
    for (int i = 0; i < host->n; i++) {
        row[i] = i;
        for (int k = f->u.offsets[i]; k < f->u.offsets[i + 1]; k++)
            put(precision, u, (size_t)k, *sp_host_at(host, i, f->u.columns[k]));
    }
    for (int k = host->n - 1; k >= 0; k--) {
        put_column(f, host, k, row, precision, l);
        int last = row[k];
        row[k] = row[host->pivots[k]];
        row[host->pivots[k]] = last;
    }
    free(row);
    return true;
}
