/* Host side of sw/apps/pageViewRank/pageViewRank.cu: pages with their views, and their order. */
#ifndef EVGPU_SW_PAGE_VIEW_RANK_H
#define EVGPU_SW_PAGE_VIEW_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error; /* base/error.h */

struct page {
    uint32_t views;
    uint32_t offset; /* of its URL in the text */
};

struct page_list {
    struct page *pages;
    uint32_t count;
};

/* Lines `URL TAB VIEWS`; many pages have few views. The text belongs to the caller, *bytes is its
 * size. Deterministic in `seed`. */
char *pages_generate(uint64_t seed, uint32_t lines, size_t *bytes);

/* The pages of a text that ends with a zero; `path` is for messages, which are PATH:LINE: TEXT. */
bool pages_parse(const char *path, const char *text, size_t bytes, struct page_list *list,
                 struct error *err);
void pages_free(struct page_list *list);

/* Whether `got` has the same pages, those with more views first, and whether starts[] has the first
 * of each group of equal views, of which there are `groups`, and the end. */
bool pages_check(const struct page_list *list, const struct page *got, uint32_t count,
                 const uint32_t *starts, uint32_t groups, struct error *err);

#endif
