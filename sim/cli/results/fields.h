/* Every field that a result file may have: where it is, its unit and meaning. The section "gpu" is
 * written from the same list (sim/cli/run/gpu_fields.h); of the others, tests/e2e/project/fields.sh
 * compares the list with the files of runs of every kind. */
#ifndef EVGPU_CLI_RESULTS_FIELDS_H
#define EVGPU_CLI_RESULTS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct field_row {
    const char *files; /* kinds of file that may have it: "run kernel"; "": all */
    const char *path;  /* "a.b[].*.{c,d}": keys, elements of a list, any key, one of several keys */
    const char *unit;  /* "": none */
    const char *meaning;
    bool host; /* of the computer, not of what it simulates */
};
extern const struct field_row field_rows[];
extern const size_t n_field_rows;

/* A row without braces: one for each choice. */
struct field {
    const struct field_row *row;
    char *path;
    bool seen; /* for whoever looks fields up */
};
struct field_list {
    struct field *fields;
    uint32_t count, capacity;
};
void field_list_create(struct field_list *list);
void field_list_free(struct field_list *list);

/* The field of the keys from a file's root on, where a list's elements are "KEY[]"; NULL: it is not
 * listed. `file`: the kind, or NULL for any. */
struct field *field_find(const struct field_list *list, const char *file, const char *const *keys,
                         uint32_t n);

#endif
