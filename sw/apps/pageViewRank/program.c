/* pageViewRank: pages in the order of their views; exactly the host's order and groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sw/apps/common/mars.h"
#include "sw/apps/pageViewRank/pageViewRank.h"

enum { LINES, TOP, SORT, FILE_, OPTIONS };

static struct mars_list records(struct app *app, const struct page_list *list)
{
    uint32_t *views = APP_ARRAY(app, uint32_t, list->count);
    uint32_t *offsets = APP_ARRAY(app, uint32_t, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        views[i] = list->pages[i].views;
        offsets[i] = list->pages[i].offset;
    }
    return (struct mars_list){(uint8_t *)views, (uint8_t *)offsets, sizeof *views, sizeof *offsets,
                              list->count};
}

static struct page *pages_of(struct app *app, const struct mars_list *list)
{
    struct page *pages = APP_ARRAY(app, struct page, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        memcpy(&pages[i].views, list->keys + i * sizeof(uint32_t), sizeof(uint32_t));
        memcpy(&pages[i].offset, list->values + i * sizeof(uint32_t), sizeof(uint32_t));
    }
    return pages;
}

static void print_top(const struct app *app, const char *text, const struct page *pages,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count && i < app->options[TOP].number; i++)
        printf("%u %.*s\n", pages[i].views, (int)strcspn(text + pages[i].offset, "\t"),
               text + pages[i].offset);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [LINES] = {"lines", "pages (Mars: 1000000, 32 to 96 MB)", .number = 8192, .min = 1,
                   .max = 1u << 24},
        [TOP] = {"top", "pages to print (Mars: 10)", .number = 10, .max = UINT32_MAX},
        [SORT] = {"sort",
                  "a launch for each step, or chunks in shared memory, which Mars takes for more "
                  "than 262144 records",
                  APP_CHOICE, .choices = mars_sorts},
        [FILE_] = {"file", "pages to read instead: lines of URL and views with a tab between",
                   APP_TEXT}};
    struct app app = {
        .name = "pageViewRank",
        .doc = "Puts pages into the order of their views with the map and the group stage of "
               "MapReduce: count, prefix sums, emit, bitonic sort, group; blocks of 256 threads, a "
               "record each (Mars PageViewRank).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    const char *path = options[FILE_].text;
    size_t bytes;
    char *made = path ? NULL : pages_generate(app.seed, options[LINES].number, &bytes);
    const char *text = made ? made : app_file(&app, path, &bytes);
    struct page_list list;
    struct error err = {0};
    if (!pages_parse(made ? "the generated pages" : path, text, bytes, &list, &err))
        app_fail(&app, APP_BAD_INPUT, "%s", err.text);

    struct mars mars = mars_create(&app, NULL, 0, (enum mars_sort)options[SORT].number);
    struct mars_list in = records(&app, &list);
    struct mars_set set = mars_upload(&mars, &in);
    set = mars_map(&mars, &set);
    struct mars_groups groups = mars_group(&mars, &set);
    struct mars_list out = mars_download(&mars, &set, sizeof(uint32_t), sizeof(uint32_t));
    struct page *got = pages_of(&app, &out);
    bool right = pages_check(&list, got, out.count, mars_download_starts(&mars, &groups),
                             groups.count, &err);
    if (right)
        print_top(&app, text, got, out.count);
    else
        printf("pageViewRank: %s\n", err.text);
    pages_free(&list);
    free(made);
    return app_end(&app, right);
}
