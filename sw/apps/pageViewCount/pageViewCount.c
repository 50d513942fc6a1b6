#include "sw/apps/pageViewCount/pageViewCount.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"

#define LINE_MAX_BYTES 80u /* of a generated line */

static int by_text(const void *a, const void *b)
{
    return slice_compare(a, b);
}

static int by_url(const void *a, const void *b)
{
    return slice_compare(&((const struct page_views *)a)->url,
                         &((const struct page_views *)b)->url);
}

char *weblog_generate(uint64_t seed, uint32_t lines, uint32_t pages, size_t *bytes)
{
    struct rng rng;
    char *text = alloc_array((size_t)lines * LINE_MAX_BYTES + 1, 1);
    size_t *starts = ALLOC_ARRAY(size_t, (size_t)lines + 1), at = 0;
    rng_seed(&rng, seed);
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t earlier = i ? rng_below(&rng, i) : 0, ip = (uint32_t)rng_u64(&rng);
        starts[i] = at;
        if (i && rng_chance(&rng, 1, 4)) {
            size_t length = starts[earlier + 1] - starts[earlier];
            memcpy(text + at, text + starts[earlier], length);
            at += length;
        } else {
            at += (size_t)snprintf(text + at, LINE_MAX_BYTES,
                                   "http://www.example.com/%u.html\t%u.%u.%u.%u\t%u\n",
                                   rng_below(&rng, pages), ip >> 24, ip >> 16 & 255, ip >> 8 & 255,
                                   ip & 255, rng_below(&rng, 1000));
        }
        starts[i + 1] = at;
    }
    free(starts);
    *bytes = at;
    return text;
}

static bool is_entry(const struct slice *line)
{
    const char *end = line->at + line->bytes;
    const char *first = memchr(line->at, '\t', line->bytes);
    const char *second = first ? memchr(first + 1, '\t', (size_t)(end - first - 1)) : NULL;
    return second && first > line->at && second > first + 1 &&
           !memchr(second + 1, '\t', (size_t)(end - second - 1));
}

bool weblog_parse(const char *path, const char *text, size_t bytes, struct weblog *log,
                  struct error *err)
{
    uint32_t capacity = 0;
    const char *end = text + bytes;
    *log = (struct weblog){.text = text};
    if (bytes > UINT32_MAX)
        return error_set(err, "%s: the file has %zu bytes; the most is 4 GiB", path, bytes);
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *next = newline ? newline + 1 : end;
        struct slice line = {text, (uint32_t)((newline ? newline : end) - text)};
        ARRAY_RESERVE(log->lines, log->count, capacity);
        log->lines[log->count++] = line;
        text = next;
        if (is_entry(&line))
            continue;
        error_set(err, "%s:%u: expected URL, IP and cookie, separated by tabs", path, log->count);
        weblog_free(log);
        return false;
    }
    return log->count || error_set(err, "%s: no lines", path);
}

void weblog_free(struct weblog *log)
{
    free(log->lines);
    *log = (struct weblog){0};
}

struct page_views *page_views_reference(const struct weblog *log, uint32_t *count)
{
    struct slice *lines = ALLOC_ARRAY(struct slice, log->count);
    struct page_views *views = ALLOC_ARRAY(struct page_views, log->count);
    memcpy(lines, log->lines, log->count * sizeof *lines);
    qsort(lines, log->count, sizeof *lines, by_text);
    *count = 0;
    /* Lines that begin with the same URL and tab lie together. */
    for (uint32_t i = 0; i < log->count; i++) {
        if (i && slice_compare(&lines[i], &lines[i - 1]) == 0)
            continue;
        struct slice url = lines[i];
        url.bytes = (uint32_t)((const char *)memchr(url.at, '\t', url.bytes) - url.at);
        if (*count == 0 || slice_compare(&url, &views[*count - 1].url) != 0)
            views[(*count)++].url = url;
        views[*count - 1].views++;
    }
    free(lines);
    qsort(views, *count, sizeof *views, by_url);
    return views;
}

bool page_views_check(const struct weblog *log, struct page_views *got, uint32_t count,
                      struct error *err)
{
    uint32_t want_count;
    struct page_views *want = page_views_reference(log, &want_count);
    bool good = true;
    qsort(got, count, sizeof *got, by_url);
    for (uint32_t i = 0; good && i < count && i < want_count; i++)
        if (by_url(&got[i], &want[i]) != 0 || got[i].views != want[i].views)
            good = error_set(err, "page %u is %.*s with %u views, but the host has %.*s with %u", i,
                             (int)got[i].url.bytes, got[i].url.at, got[i].views,
                             (int)want[i].url.bytes, want[i].url.at, want[i].views);
    if (good && count != want_count)
        good = error_set(err, "%u pages, but the host has %u", count, want_count);
    free(want);
    return good;
}
