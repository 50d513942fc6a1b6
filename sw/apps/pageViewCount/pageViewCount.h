/* Host side of sw/apps/pageViewCount/pageViewCount.cu: web logs, and the views of their pages. */
#ifndef EVGPU_SW_PAGE_VIEW_COUNT_H
#define EVGPU_SW_PAGE_VIEW_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/apps/common/slice.h"

struct error; /* base/error.h */

/* Lines `URL TAB IP TAB COOKIE`. */
struct weblog {
    const char *text;
    struct slice *lines; /* without their ends */
    uint32_t count;
};

/* `lines` lines of `pages` pages; a quarter of them repeats an earlier one. The text belongs to the
 * caller; *bytes is its size. Deterministic in `seed`. */
char *weblog_generate(uint64_t seed, uint32_t lines, uint32_t pages, size_t *bytes);

/* The lines of a text that ends with a zero; `path` is for messages, which are PATH:LINE: TEXT. */
bool weblog_parse(const char *path, const char *text, size_t bytes, struct weblog *log,
                  struct error *err);
void weblog_free(struct weblog *log);

struct page_views {
    struct slice url;
    uint32_t views; /* lines that differ from each other */
};

/* In the order of their URLs; the array belongs to the caller, *count is its length. */
struct page_views *page_views_reference(const struct weblog *log, uint32_t *count);

/* Whether `got`, in any order, is what the reference says. Sorts it. */
bool page_views_check(const struct weblog *log, struct page_views *got, uint32_t count,
                      struct error *err);

#endif
