/* pageViewCount: the views of each page in a web log; exactly the host's pages and counts. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "sw/apps/common/mars.h"
#include "sw/apps/pageViewCount/pageViewCount.h"

enum { LINES, PAGES, SORT, FILE_, OPTIONS };

static struct mars_list entries(struct app *app, const struct weblog *log)
{
    struct mars_string *keys = APP_ARRAY(app, struct mars_string, log->count);
    uint32_t *sizes = APP_ARRAY(app, uint32_t, log->count);
    for (uint32_t i = 0; i < log->count; i++) {
        keys[i].offset = (uint32_t)(log->lines[i].at - log->text);
        keys[i].bytes = sizes[i] = log->lines[i].bytes;
    }
    return (struct mars_list){(uint8_t *)keys, (uint8_t *)sizes, sizeof *keys, sizeof *sizes,
                              log->count};
}

/* One round of MapReduce; as in Mars, records come from the host and go back to it. */
static struct mars_list round_of(struct mars *mars, const struct mars_list *in, uint64_t phase)
{
    mars->context.phase = phase;
    struct mars_set set = mars_upload(mars, in);
    set = mars_map(mars, &set);
    struct mars_groups groups = mars_group(mars, &set);
    set = mars_reduce(mars, &set, &groups);
    return mars_download(mars, &set, sizeof(struct mars_string), sizeof(uint32_t));
}

static bool check(struct app *app, const struct weblog *log, const struct mars_list *got)
{
    struct page_views *views = APP_ARRAY(app, struct page_views, got->count);
    const struct mars_string *urls = (const struct mars_string *)(const void *)got->keys;
    const uint32_t *counts = (const uint32_t *)(const void *)got->values;
    size_t bytes =
        (size_t)(log->lines[log->count - 1].at - log->text) + log->lines[log->count - 1].bytes;
    struct error err = {0};
    for (uint32_t i = 0; i < got->count; i++) {
        if (urls[i].offset > bytes || urls[i].bytes > bytes - urls[i].offset) {
            printf("pageViewCount: page %u is not in the log\n", i);
            return false;
        }
        views[i] = (struct page_views){{log->text + urls[i].offset, urls[i].bytes}, counts[i]};
    }
    if (page_views_check(log, views, got->count, &err))
        return true;
    printf("pageViewCount: %s\n", err.text);
    return false;
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [LINES] = {"lines", "lines of the log (Mars: 1000000, 32 to 96 MB)", .number = 2048,
                   .min = 1, .max = 1u << 24},
        [PAGES] = {"pages", "pages in it (Mars: 1024)", .number = 1024, .min = 1, .max = 1u << 24},
        [SORT] = {"sort",
                  "a launch for each step, or chunks in shared memory, which Mars takes for more "
                  "than 262144 records",
                  APP_CHOICE, .choices = mars_sorts},
        [FILE_] = {"file", "log to read instead: lines of URL, IP and cookie with tabs between",
                   APP_TEXT}};
    struct app app = {
        .name = "pageViewCount",
        .doc = "Counts the page views of a web log, equal lines once, in two rounds of MapReduce: "
               "count, prefix sums, emit, bitonic sort, group, reduce; blocks of 256 threads, a "
               "record each (Mars PageViewCount).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    const char *path = options[FILE_].text;
    size_t bytes;
    char *made =
        path ? NULL
             : weblog_generate(app.seed, options[LINES].number, options[PAGES].number, &bytes);
    const char *text = made ? made : app_file(&app, path, &bytes);
    struct weblog log;
    struct error err = {0};
    if (!weblog_parse(made ? "the generated log" : path, text, bytes, &log, &err))
        app_fail(&app, APP_BAD_INPUT, "%s", err.text);

    struct mars mars = mars_create(&app, text, bytes, (enum mars_sort)options[SORT].number);
    struct mars_list list = entries(&app, &log);
    list = round_of(&mars, &list, 0);
    uint32_t distinct = list.count;
    list = round_of(&mars, &list, 1);
    printf("%u lines, %u of them distinct, %u pages; %u launches\n", log.count, distinct,
           list.count, mars.launches);
    bool right = check(&app, &log, &list);
    weblog_free(&log);
    free(made);
    return app_end(&app, right);
}
