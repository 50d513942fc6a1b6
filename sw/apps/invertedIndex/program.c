/* invertedIndex: which documents link to each URL; exactly the host's index. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "sw/apps/common/mars.h"
#include "sw/apps/invertedIndex/invertedIndex.h"

enum { DOCUMENTS, BYTES, URLS, SORT, DIRECTORY, OPTIONS };

static struct mars_list records(struct app *app, const struct documents *documents)
{
    uint32_t count;
    struct piece *pieces = documents_pieces(documents, &count);
    struct mars_string *keys = APP_ARRAY(app, struct mars_string, count);
    uint32_t *values = APP_ARRAY(app, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (struct mars_string){.offset = pieces[i].offset, .bytes = pieces[i].bytes};
        values[i] = pieces[i].document;
    }
    free(pieces);
    return (struct mars_list){(uint8_t *)keys, (uint8_t *)values, sizeof *keys, sizeof *values,
                              count};
}

/* NULL: a posting is not in the text. */
static struct posting *postings_of(struct app *app, const struct documents *documents,
                                   const struct mars_list *list)
{
    struct posting *postings = APP_ARRAY(app, struct posting, list->count);
    const struct mars_string *urls = (const struct mars_string *)(const void *)list->keys;
    for (uint32_t i = 0; i < list->count; i++) {
        if (urls[i].offset > documents->bytes ||
            urls[i].bytes > documents->bytes - urls[i].offset) {
            printf("invertedIndex: posting %u is not in the documents\n", i);
            return NULL;
        }
        postings[i].url = (struct slice){documents->text + urls[i].offset, urls[i].bytes};
        memcpy(&postings[i].document, list->values + i * sizeof(uint32_t), sizeof(uint32_t));
    }
    return postings;
}

static bool index_and_check(struct app *app, const struct documents *documents)
{
    struct mars mars = mars_create(app, documents->text, documents->bytes,
                                   (enum mars_sort)app->options[SORT].number);
    struct mars_list in = records(app, documents);
    struct mars_set set = mars_upload(&mars, &in);
    set = mars_map(&mars, &set);
    struct mars_groups groups = mars_group(&mars, &set);
    struct mars_list out = mars_download(&mars, &set, sizeof(struct mars_string), sizeof(uint32_t));
    printf("%u documents in %u pieces, %u links to %u pages; %u launches\n", documents->count,
           in.count, out.count, groups.count, mars.launches);

    struct error err = {0};
    struct posting *got = postings_of(app, documents, &out);
    if (!got)
        return false;
    bool right = postings_check(documents, got, out.count, mars_download_starts(&mars, &groups),
                                groups.count, &err);
    if (!right)
        printf("invertedIndex: %s\n", err.text);
    return right;
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [DOCUMENTS] = {"documents", "documents", .number = 64, .min = 1, .max = 1u << 16},
        [BYTES] = {"bytes", "bytes of each (Mars: 16 to 64 MB together)", .number = 4096, .min = 1,
                   .max = 65000},
        [URLS] = {"urls", "pages that they link to", .number = 512, .min = 1, .max = 1u << 24},
        [SORT] = {"sort",
                  "a launch for each step, or chunks in shared memory, which Mars takes for more "
                  "than 262144 records",
                  APP_CHOICE, .choices = mars_sorts},
        [DIRECTORY] = {"directory", "read the files of this one instead, a document each",
                       APP_TEXT}};
    struct app app = {
        .name = "invertedIndex",
        .doc =
            "Finds the links in HTML documents and the documents of every link, with the map and "
            "the group stage of MapReduce; a thread takes at least 1024 bytes in whole lines "
            "(Mars InvertedIndex).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    struct documents documents;
    struct error err = {0};
    if (!options[DIRECTORY].text)
        documents_generate(app.seed, options[DOCUMENTS].number, options[BYTES].number,
                           options[URLS].number, &documents);
    else if (!documents_read(options[DIRECTORY].text, &documents, &err))
        app_fail(&app, APP_BAD_INPUT, "%s", err.text);
    bool right = index_and_check(&app, &documents);
    documents_free(&documents);
    return app_end(&app, right);
}
