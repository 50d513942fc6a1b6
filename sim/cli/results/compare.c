#include "sim/cli/results/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct leaves {
    const struct result_leaf **leaf;
    uint32_t count;
};

/* Leaves of one path stay in the file's order, in which they are in one array. */
static int by_path(const void *a, const void *b)
{
    const struct result_leaf *const *x = a, *const *y = b;
    int order = strcmp((*x)->path, (*y)->path);
    return order ? order : *x < *y ? -1 : 1;
}

static struct leaves wanted(const struct result_file *f, const struct leaf_filter *filter)
{
    struct leaves l = {.leaf = alloc_array(f->count + 1, sizeof(struct result_leaf *))};
    for (uint32_t i = 0; i < f->count; i++) {
        if (leaf_wanted(filter, &f->leaves[i]))
            l.leaf[l.count++] = &f->leaves[i];
    }
    if (l.count)
        qsort(l.leaf, l.count, sizeof *l.leaf, by_path);
    return l;
}

static double relative(const json_t *a, const json_t *b)
{
    if (!json_is_number(a) || !json_is_number(b))
        return json_equal(a, b) ? 0 : INFINITY;
    if (json_is_integer(a) && json_is_integer(b) && json_integer_value(a) == json_integer_value(b))
        return 0;
    double from = json_number_value(a), to = json_number_value(b);
    if (from == to) /* or whole numbers that differ beyond a double's precision */
        return json_is_integer(a) && json_is_integer(b) ? 1e-16 : 0;
    return from != 0 ? (to - from) / fabs(from) : to > 0 ? INFINITY : -INFINITY;
}

static void add(struct comparison *c, const struct result_leaf *a, const struct result_leaf *b,
                double change)
{
    ARRAY_RESERVE(c->differences, c->count, c->capacity);
    c->differences[c->count++] = (struct difference){a, b, change};
}

static void add_both(struct comparison *c, const struct result_leaf *a, const struct result_leaf *b,
                     double threshold)
{
    double change = relative(a->value, b->value);
    c->compared++;
    if (fabs(change) > threshold)
        add(c, a, b, change);
    else if (change != 0)
        c->within++;
}

static int by_change(const void *a, const void *b)
{
    const struct difference *x = a, *y = b;
    bool one_x = !x->a || !x->b, one_y = !y->a || !y->b;
    double dx = fabs(x->relative), dy = fabs(y->relative);
    if (one_x != one_y)
        return one_x ? 1 : -1;
    if (!one_x && (dx > dy || dx < dy))
        return dx > dy ? -1 : 1;
    return strcmp(x->a ? x->a->path : x->b->path, y->a ? y->a->path : y->b->path);
}

void compare(struct comparison *c, const struct result_file *a, const struct result_file *b,
             const struct leaf_filter *filter, double threshold)
{
    *c = (struct comparison){.differences = NULL};
    struct leaves left = wanted(a, filter), right = wanted(b, filter);
    uint32_t i = 0, k = 0;
    while (i < left.count || k < right.count) {
        int order = i == left.count    ? 1
                    : k == right.count ? -1
                                       : strcmp(left.leaf[i]->path, right.leaf[k]->path);
        if (order == 0)
            add_both(c, left.leaf[i++], right.leaf[k++], threshold);
        else if (order < 0)
            add(c, left.leaf[i++], NULL, INFINITY);
        else
            add(c, NULL, right.leaf[k++], INFINITY);
    }
    free(left.leaf);
    free(right.leaf);
    if (c->count)
        qsort(c->differences, c->count, sizeof *c->differences, by_change);
}

void comparison_free(struct comparison *c)
{
    free(c->differences);
    *c = (struct comparison){.differences = NULL};
}
