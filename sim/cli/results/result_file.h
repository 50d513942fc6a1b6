/* A result file as a flat list of its figures, each with its place, unit and meaning. */
#ifndef EVGPU_CLI_RESULTS_RESULT_FILE_H
#define EVGPU_CLI_RESULTS_RESULT_FILE_H

#include <jansson.h>

#include "base/error.h"
#include "sim/cli/results/fields.h"

/* A list's elements are "[NAME]" where they have names, else "[NUMBER]": "jobs[BFS 4096,
 * model].cycles". */
struct result_leaf {
    char *path;
    const json_t *value; /* number, text, truth value or null */
    struct field *field; /* NULL: it is not listed */
};

struct result_file {
    const char *name; /* as given */
    const char *kind;
    json_t *json;
    const json_t *about;
    struct result_leaf *leaves; /* without those of "about", in the file's order */
    uint32_t count, capacity;
};

/* False with `err`: no such file, no JSON, no result file, or one of another schema. */
bool result_file_read(struct result_file *file, const char *name, struct field_list *fields,
                      struct error *err);
void result_file_free(struct result_file *file);

/* The leaves of a part alone, "about" for one. */
void result_file_part(struct result_file *part, const json_t *json, const char *path,
                      struct field_list *fields);

/* Which leaves somebody wants: patterns of paths (fnmatch, where * is any text), or the beginning
 * of a path up to a part of it. Without --field all, less those of --ignore. */
#define MAX_PATTERNS 64
struct leaf_filter {
    const char *field[MAX_PATTERNS], *ignore[MAX_PATTERNS];
    uint32_t fields, ignored;
    bool host; /* those of the computer, too */
};
bool leaf_filter_add(const char **list, uint32_t *count, const char *pattern, struct error *err);
bool leaf_wanted(const struct leaf_filter *filter, const struct result_leaf *leaf);

/* Numbers as JSON has them, texts without quotes. */
void leaf_text(const json_t *value, char *text, size_t room);
const char *leaf_unit(const struct result_leaf *leaf); /* "?": it is not listed */

#endif
