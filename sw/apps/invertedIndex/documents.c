/* Where documents come from. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/invertedIndex/invertedIndex.h"

#define LINE_MAX_BYTES 160u /* of a generated line */

/* A line of words, one of eight with a link, now and then one that is cut off or written with
 * spaces. */
static uint32_t make_line(struct rng *rng, uint32_t urls, char *text)
{
    static const char *const links[] = {"<a href=\"http://www.example.com/%u.html\">%u</a>",
                                        "< a  href = \"http://www.example.com/%u.html\">%u</a>",
                                        "<a href=\"http://www.example.com/%u.html>%u</a>",
                                        "<a name=\"%u\">%u</a>"};
    uint32_t at = 0, words = 4 + rng_below(rng, 6);
    for (uint32_t i = 0; i < words; i++) {
        uint32_t letters = 2 + rng_below(rng, 8);
        for (uint32_t l = 0; l < letters; l++)
            text[at++] = (char)('a' + rng_below(rng, 26));
        text[at++] = ' ';
    }
    if (rng_chance(rng, 1, 2)) {
        uint32_t kind = rng_below(rng, 16), url = rng_below(rng, urls);
        at += (uint32_t)snprintf(text + at, LINE_MAX_BYTES - at, links[kind < 4 ? kind : 0], url,
                                 rng_below(rng, 1000));
    }
    text[at++] = '\n';
    return at;
}

void documents_generate(uint64_t seed, uint32_t count, uint32_t bytes, uint32_t urls,
                        struct documents *documents)
{
    struct rng rng;
    rng_seed(&rng, seed);
    *documents = (struct documents){.count = count};
    documents->text = alloc_array((size_t)count * (bytes + LINE_MAX_BYTES) + 1, 1);
    documents->starts = ALLOC_ARRAY(uint32_t, (size_t)count + 1);
    for (uint32_t d = 0; d < count; d++) {
        while (documents->bytes - documents->starts[d] < bytes)
            documents->bytes += make_line(&rng, urls, documents->text + documents->bytes);
        documents->starts[d + 1] = (uint32_t)documents->bytes;
    }
}

static bool append(const char *path, struct documents *documents, struct error *err)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        if (file)
            fclose(file);
        return error_set(err, "%s cannot be opened", path);
    }
    size_t bytes = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
    bool good = S_ISREG(status.st_mode) || error_set(err, "%s is not a file", path);
    if (good && documents->bytes + bytes > UINT32_MAX)
        good = error_set(err, "%s: the documents exceed 4 GiB", path);
    if (good) {
        documents->text = alloc_resize(documents->text, documents->bytes + bytes + 1, 1);
        good = fread(documents->text + documents->bytes, 1, bytes, file) == bytes ||
               error_set(err, "%s cannot be read", path);
        documents->bytes += bytes;
        documents->starts = alloc_resize(documents->starts, (size_t)documents->count + 2,
                                         sizeof *documents->starts);
        documents->starts[++documents->count] = (uint32_t)documents->bytes;
    }
    fclose(file);
    return good;
}

bool documents_read(const char *directory, struct documents *documents, struct error *err)
{
    struct dirent **names;
    int count = scandir(directory, &names, NULL, alphasort);
    *documents = (struct documents){0};
    if (count < 0)
        return error_set(err, "%s is not a directory that can be read", directory);
    documents->starts = ALLOC_ARRAY(uint32_t, 1);
    bool good = true;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(directory) + strlen(names[i]->d_name) + 2;
        char *path = alloc_array(length, 1);
        snprintf(path, length, "%s/%s", directory, names[i]->d_name);
        if (good && names[i]->d_name[0] != '.')
            good = append(path, documents, err);
        free(path);
        free(names[i]);
    }
    free(names);
    if (good && documents->bytes == 0)
        good = error_set(err, "%s contains no text", directory);
    if (!good)
        documents_free(documents);
    return good;
}

void documents_free(struct documents *documents)
{
    free(documents->text);
    free(documents->starts);
    *documents = (struct documents){0};
}
