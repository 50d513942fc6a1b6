#include "sw/apps/pageViewRank/pageViewRank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"

#define LINE_MAX_BYTES 64u /* of a generated line */

char *pages_generate(uint64_t seed, uint32_t lines, size_t *bytes)
{
    struct rng rng;
    char *text = alloc_array((size_t)lines * LINE_MAX_BYTES + 1, 1);
    *bytes = 0;
    rng_seed(&rng, seed);
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t page = rng_below(&rng, 1024), views = UINT32_MAX >> rng_below(&rng, 32);
        *bytes +=
            (size_t)snprintf(text + *bytes, LINE_MAX_BYTES, "http://www.example.com/%u.html\t%u\n",
                             page, (uint32_t)rng_u64(&rng) & views);
    }
    return text;
}

/* The number behind the line's only tab. */
static bool views_of(const char *line, const char *end, uint32_t *views)
{
    const char *tab = memchr(line, '\t', (size_t)(end - line));
    char *after = NULL;
    if (!tab || tab == line || tab + 1 == end || tab[1] < '0' || tab[1] > '9')
        return false;
    unsigned long long value = strtoull(tab + 1, &after, 10);
    if (after < end && *after == '\r')
        after++;
    *views = (uint32_t)value;
    return after == end && value <= UINT32_MAX;
}

bool pages_parse(const char *path, const char *text, size_t bytes, struct page_list *list,
                 struct error *err)
{
    uint32_t capacity = 0;
    const char *at = text, *end = text + bytes;
    *list = (struct page_list){0};
    if (bytes > UINT32_MAX)
        return error_set(err, "%s: the file has %zu bytes; the most is 4 GiB", path, bytes);
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        ARRAY_RESERVE(list->pages, list->count, capacity);
        struct page *page = &list->pages[list->count++];
        page->offset = (uint32_t)(at - text);
        if (!views_of(at, newline ? newline : end, &page->views)) {
            error_set(err, "%s:%u: expected URL and views, separated by a tab", path, list->count);
            pages_free(list);
            return false;
        }
        at = newline ? newline + 1 : end;
    }
    return list->count || error_set(err, "%s: no lines", path);
}

void pages_free(struct page_list *list)
{
    free(list->pages);
    *list = (struct page_list){0};
}

/* More views first; of equal views, which the GPU may leave in any order, the one that is first in
 * the text. */
static int by_rank(const void *a, const void *b)
{
    const struct page *x = a, *y = b;
    if (x->views != y->views)
        return x->views > y->views ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static bool check_groups(const struct page *got, uint32_t count, const uint32_t *starts,
                         uint32_t groups, struct error *err)
{
    uint32_t group = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i && got[i].views == got[i - 1].views)
            continue;
        if (group >= groups || starts[group] != i)
            return error_set(err,
                             "a group begins at position %u, which is not group start %u of %u", i,
                             group, groups);
        group++;
    }
    if (group != groups || starts[groups] != count)
        return error_set(err, "%u groups up to position %u, but the host has %u up to %u", groups,
                         starts[groups], group, count);
    return true;
}

bool pages_check(const struct page_list *list, const struct page *got, uint32_t count,
                 const uint32_t *starts, uint32_t groups, struct error *err)
{
    if (count != list->count)
        return error_set(err, "%u pages, but the host has %u", count, list->count);
    struct page *mine = ALLOC_ARRAY(struct page, count), *want = ALLOC_ARRAY(struct page, count);
    bool good = true;
    memcpy(mine, got, count * sizeof *mine);
    memcpy(want, list->pages, count * sizeof *want);
    qsort(mine, count, sizeof *mine, by_rank);
    qsort(want, count, sizeof *want, by_rank);
    for (uint32_t i = 0; good && i < count; i++)
        if (got[i].views != want[i].views)
            good = error_set(err, "position %u has %u views, but the host has %u", i, got[i].views,
                             want[i].views);
    for (uint32_t i = 0; good && i < count; i++)
        if (by_rank(&mine[i], &want[i]) != 0)
            good =
                error_set(err, "position %u is page %u with %u views, but the host has %u with %u",
                          i, mine[i].offset, mine[i].views, want[i].offset, want[i].views);
    free(mine);
    free(want);
    return good && check_groups(got, count, starts, groups, err);
}
