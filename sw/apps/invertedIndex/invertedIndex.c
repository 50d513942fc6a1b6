#include "sw/apps/invertedIndex/invertedIndex.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

struct piece *documents_pieces(const struct documents *documents, uint32_t *count)
{
    struct piece *pieces = NULL;
    uint32_t capacity = 0;
    *count = 0;
    for (uint32_t d = 0; d < documents->count; d++)
        for (uint32_t at = documents->starts[d], end = documents->starts[d + 1]; at < end;) {
            uint32_t bytes = end - at;
            if (bytes > INDEX_PIECE) {
                const char *from = documents->text + at;
                const char *line = memchr(from + INDEX_PIECE, '\n', bytes - INDEX_PIECE);
                bytes = line ? (uint32_t)(line + 1 - from) : bytes;
            }
            ARRAY_RESERVE(pieces, *count, capacity);
            pieces[(*count)++] = (struct piece){at, bytes, d};
            at += bytes;
        }
    return pieces;
}

static const char *spaces(const char *at, const char *end, const char *which)
{
    while (at < end && *at && strchr(which, *at))
        at++;
    return at;
}

/* The link whose '<' is at `at`, or where to look on: behind the character that it stumbled over.
 */
static bool link_at(const char *at, const char *end, struct slice *url, const char **next)
{
    at = spaces(at + 1, end, " ");
    *next = at < end ? at + 1 : end;
    if (at == end || *at != 'a')
        return false;
    at = spaces(at + 1, end, " ");
    *next = at < end ? at + 1 : end;
    if (end - at < 4 || strncmp(at, "href", 4) != 0)
        return false;
    at = spaces(at + 4, end, " =");
    *next = at < end ? at + 1 : end;
    if (at == end || *at != '"')
        return false;
    const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
    *next = close ? close + 1 : end;
    *url = (struct slice){at + 1, (uint32_t)(*next - at - 2)};
    return close;
}

static int by_url(const void *a, const void *b)
{
    const struct posting *x = a, *y = b;
    int order = slice_compare(&x->url, &y->url);
    return order ? order : (x->document > y->document) - (x->document < y->document);
}

struct posting *postings_reference(const struct documents *documents, uint32_t *count)
{
    struct posting *postings = NULL;
    uint32_t capacity = 0;
    *count = 0;
    for (uint32_t d = 0; d < documents->count; d++) {
        const char *at = documents->text + documents->starts[d];
        const char *end = documents->text + documents->starts[d + 1];
        while (at < end) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            const char *line_end = newline ? newline : end;
            for (const char *c; (c = memchr(at, '<', (size_t)(line_end - at)));) {
                struct posting posting = {.document = d};
                if (!link_at(c, line_end, &posting.url, &at))
                    continue;
                ARRAY_RESERVE(postings, *count, capacity);
                postings[(*count)++] = posting;
            }
            at = newline ? newline + 1 : end;
        }
    }
    if (*count)
        qsort(postings, *count, sizeof *postings, by_url);
    return postings;
}

static bool check_groups(const struct posting *got, uint32_t count, const uint32_t *starts,
                         uint32_t groups, struct error *err)
{
    uint32_t group = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i && slice_compare(&got[i].url, &got[i - 1].url) == 0)
            continue;
        if (group >= groups || starts[group] != i)
            return error_set(err, "a URL begins at posting %u, which is not group start %u of %u",
                             i, group, groups);
        group++;
    }
    if (group != groups || starts[groups] != count)
        return error_set(err, "%u groups up to posting %u, but the host has %u up to %u", groups,
                         starts[groups], group, count);
    return true;
}

bool postings_check(const struct documents *documents, const struct posting *got, uint32_t count,
                    const uint32_t *starts, uint32_t groups, struct error *err)
{
    uint32_t want_count;
    bool good = check_groups(got, count, starts, groups, err);
    struct posting *want = postings_reference(documents, &want_count);
    struct posting *mine = ALLOC_ARRAY(struct posting, count ? count : 1);
    if (good && count != want_count)
        good = error_set(err, "%u postings, but the host has %u", count, want_count);
    if (count) {
        memcpy(mine, got, count * sizeof *mine);
        qsort(mine, count, sizeof *mine, by_url);
    }
    for (uint32_t i = 0; good && i < count; i++)
        if (by_url(&mine[i], &want[i]) != 0)
            good = error_set(err, "posting %u is %.*s in document %u, but the host has %.*s in %u",
                             i, (int)mine[i].url.bytes, mine[i].url.at, mine[i].document,
                             (int)want[i].url.bytes, want[i].url.at, want[i].document);
    /* Every group has one URL, and as many URLs as groups: no URL is in two. */
    for (uint32_t i = 1, urls = count ? 1 : 0; good && i <= count; i++) {
        if (i < count)
            urls += slice_compare(&mine[i].url, &mine[i - 1].url) != 0;
        else if (urls != groups)
            good = error_set(err, "%u groups of %u URLs", groups, urls);
    }
    free(want);
    free(mine);
    return good;
}
