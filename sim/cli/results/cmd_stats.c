/* evgpu stats: the figures of result files as a table, and the list of all fields. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/cli.h"
#include "sim/cli/results/result_file.h"

#define MAX_FILES 256
#define TEXT      4096 /* of a value */

struct request {
    const char *name[MAX_FILES];
    uint32_t names;
    bool csv, fields, markdown;
    struct leaf_filter filter;
    struct error err;
};

enum { OPT_CSV = 256, OPT_FIELDS, OPT_MARKDOWN, OPT_FIELD, OPT_IGNORE };

static const struct argp_option options[] = {
    {"csv", OPT_CSV, NULL, 0, "write CSV: field, value of each file, unit", 0},
    {"field", OPT_FIELD, "PATTERN", 0,
     "only these fields: the beginning of a path, as gpu.memory, or a pattern such as '*.p99'; may "
     "be repeated",
     0},
    {"ignore", OPT_IGNORE, "PATTERN", 0, "leave these fields out; may be repeated", 0},
    {"fields", OPT_FIELDS, NULL, 0,
     "list fields with unit and meaning: those of the files, or without a file all there are", 0},
    {"markdown", OPT_MARKDOWN, NULL, 0, "with --fields: the list as tables for a document", 0},
    {0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    bool ok = true;
    switch (key) {
    case OPT_CSV:
        r->csv = true;
        break;
    case OPT_FIELDS:
        r->fields = true;
        break;
    case OPT_MARKDOWN:
        r->markdown = true;
        break;
    case OPT_FIELD:
        ok = leaf_filter_add(r->filter.field, &r->filter.fields, arg, &r->err);
        break;
    case OPT_IGNORE:
        ok = leaf_filter_add(r->filter.ignore, &r->filter.ignored, arg, &r->err);
        break;
    case ARGP_KEY_ARG:
        if (r->names == MAX_FILES)
            ok = error_set(&r->err, "stats: more than %d files", MAX_FILES);
        else
            r->name[r->names++] = arg;
        break;
    case ARGP_KEY_END:
        if (!r->names && !r->fields && !r->err.set)
            ok = error_set(&r->err, "stats: name a result file, or --fields");
        else if (r->markdown && (!r->fields || r->names || r->csv))
            ok = error_set(&r->err, "--markdown goes with --fields, without files and --csv");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

/* In quotes where RFC 4180 wants them. */
static void print_csv(const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

/* --- figures ------------------------------------------------------------------------------------
 */

struct row {
    const char *path, *unit;
    uint32_t order; /* of the first file that has it */
    const json_t **values;
};

static int by_path(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* One row for each path, in the order in which the files have them; free() it. The values of all
 * rows are `values`, of as many as there are leaves, times files. */
static struct row *rows_of(const struct request *r, const struct result_file *files,
                           const json_t **values, uint32_t *count)
{
    uint32_t all = 0, n = 0, rows = 0;
    for (uint32_t f = 0; f < r->names; f++)
        all += files[f].count;
    struct row *row = ALLOC_ARRAY(struct row, all + 1);
    for (uint32_t f = 0; f < r->names; f++) {
        for (uint32_t i = 0; i < files[f].count; i++) {
            const struct result_leaf *l = &files[f].leaves[i];
            if (!leaf_wanted(&r->filter, l))
                continue;
            row[n] = (struct row){l->path, leaf_unit(l), n, &values[(size_t)n * r->names]};
            row[n++].values[f] = l->value;
        }
    }
    if (n)
        qsort(row, n, sizeof *row, by_path);
    for (uint32_t i = 0; i < n; i++) {
        bool same = rows && !strcmp(row[rows - 1].path, row[i].path);
        for (uint32_t f = 0; same && f < r->names; f++) {
            if (row[i].values[f])
                row[rows - 1].values[f] = row[i].values[f];
        }
        if (!same)
            row[rows++] = row[i];
    }
    if (rows)
        qsort(row, rows, sizeof *row, by_order);
    *count = rows;
    return row;
}

static void print_row(const struct request *r, const struct row *row)
{
    static const char none[] = "";
    char text[TEXT];
    if (r->csv)
        print_csv(row->path);
    for (uint32_t f = 0; f < r->names; f++) {
        snprintf(text, sizeof text, "%s", r->csv ? none : "-");
        if (row->values[f])
            leaf_text(row->values[f], text, sizeof text);
        if (r->csv) {
            putchar(',');
            print_csv(text);
        } else {
            printf("%16s ", text);
        }
    }
    if (r->csv) {
        putchar(',');
        print_csv(row->unit);
        putchar('\n');
    } else {
        printf(" %s%s%s\n", row->path, *row->unit ? " | " : "", row->unit);
    }
}

static bool print_figures(struct request *r, const struct result_file *files)
{
    size_t leaves = 0;
    uint32_t count = 0;
    for (uint32_t f = 0; f < r->names; f++)
        leaves += files[f].count;
    const json_t **values = alloc_array(leaves * r->names + 1, sizeof *values);
    struct row *rows = rows_of(r, files, values, &count);
    bool ok = count || !r->filter.fields ||
              error_set(&r->err, "--field %s: no such field in %s", r->filter.field[0],
                        r->names > 1 ? "any of the files" : r->name[0]);
    if (ok && r->csv) {
        printf("field");
        for (uint32_t f = 0; f < r->names; f++) {
            putchar(',');
            print_csv(r->names > 1 ? r->name[f] : "value");
        }
        printf(",unit\n");
    }
    for (uint32_t i = 0; ok && i < count; i++)
        print_row(r, &rows[i]);
    free(rows);
    free(values);
    return ok;
}

/* --- the list of fields -------------------------------------------------------------------------
 */

static void print_field(const struct request *r, const struct field *f)
{
    const struct field_row *row = f->row;
    const char *cells[] = {f->path, row->unit, row->meaning, *row->files ? row->files : "all"};
    if (!r->csv) {
        printf("%s%s%s%s: %s\n", f->path, *row->unit ? " [" : "", row->unit, *row->unit ? "]" : "",
               row->meaning);
        return;
    }
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (i)
            putchar(',');
        print_csv(cells[i]);
    }
    putchar('\n');
}

/* Those of the files, or all. */
static bool print_fields(const struct request *r, const struct result_file *files,
                         struct field_list *fields, struct error *err)
{
    struct result_file about;
    uint32_t printed = 0;
    for (uint32_t f = 0; f < r->names; f++) {
        for (uint32_t i = 0; i < files[f].count; i++) {
            if (files[f].leaves[i].field)
                files[f].leaves[i].field->seen = true;
        }
        result_file_part(&about, files[f].about, "about", fields);
        for (uint32_t i = 0; i < about.count; i++) {
            if (about.leaves[i].field)
                about.leaves[i].field->seen = true;
        }
        result_file_free(&about);
    }
    if (r->csv)
        printf("field,unit,meaning,files\n");
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct result_leaf leaf = {.path = fields->fields[i].path,
                                         .field = &fields->fields[i]};
        if ((r->names && !fields->fields[i].seen) || !leaf_wanted(&r->filter, &leaf))
            continue;
        print_field(r, &fields->fields[i]);
        printed++;
    }
    return printed || !r->filter.fields ||
           error_set(err, "--field %s: no such field", r->filter.field[0]);
}

/* A table for each kind of file; the rows keep their braces. */
static void print_markdown(void)
{
    const char *files = NULL;
    for (size_t i = 0; i < n_field_rows; i++) {
        const struct field_row *row = &field_rows[i];
        if (!files || strcmp(files, row->files) != 0) {
            printf("%s| %s | unit | meaning |\n|---|---|---|\n", i ? "\n" : "",
                   *row->files ? row->files : "every file");
            files = row->files;
        }
        printf("| `%s` | %s | %s%s |\n", row->path, row->unit, row->meaning,
               row->host ? " (of the computer)" : "");
    }
}

static int run(struct request *r)
{
    struct field_list fields;
    struct result_file *files = ALLOC_ARRAY(struct result_file, r->names + 1);
    bool ok = true;
    field_list_create(&fields);
    for (uint32_t f = 0; f < r->names && ok; f++)
        ok = result_file_read(&files[f], r->name[f], &fields, &r->err);
    if (ok && r->markdown)
        print_markdown();
    else if (ok && r->fields)
        ok = print_fields(r, files, &fields, &r->err);
    else if (ok)
        ok = print_figures(r, files);
    for (uint32_t f = 0; f < r->names; f++)
        result_file_free(&files[f]);
    free(files);
    field_list_free(&fields);
    return ok ? EXIT_VERIFIED : complain(EXIT_BAD_INPUT, &r->err);
}

const struct argp stats_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "[FILE.json...]",
    .doc = "Prints the figures of result files, one line each with its unit; several files side by "
           "side."};

int cmd_stats(int argc, char **argv)
{
    struct request *r = ALLOC(struct request);
    r->filter.host = true;
    int status = argp_parse(&stats_argp, argc, argv, 0, NULL, r) ? complain(EXIT_BAD_INPUT, &r->err)
                                                                 : run(r);
    free(r);
    return status;
}
