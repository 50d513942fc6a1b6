/* evgpu compare: what differs between two result files. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/cli.h"
#include "sim/cli/results/compare.h"

#define DEFAULT_LINES 40
#define TEXT          64 /* of a value in the table */

struct request {
    const char *name[2];
    uint32_t names;
    double threshold;
    uint64_t lines;
    struct leaf_filter filter;
    struct error err;
};

enum { OPT_THRESHOLD = 256, OPT_FIELD, OPT_IGNORE, OPT_HOST, OPT_LINES };

static const struct argp_option options[] = {
    {"threshold", OPT_THRESHOLD, "SHARE", 0,
     "differences up to this share of A's value are none: 2% or 0.02 (0)", 0},
    {"field", OPT_FIELD, "PATTERN", 0,
     "compare only these fields: the beginning of a path, as gpu.memory, or a pattern such as "
     "'*.latency_cycles.*.p99'; may be repeated",
     0},
    {"ignore", OPT_IGNORE, "PATTERN", 0, "leave these fields out; may be repeated", 0},
    {"host-time", OPT_HOST, NULL, 0, "compare figures of the computer, too: seconds, speed, memory",
     0},
    {"lines", OPT_LINES, "N", 0, "differences to print; 0: all (40)", 0},
    {0},
};

static bool take_threshold(struct request *r, const char *text)
{
    char *end;
    r->threshold = strtod(text, &end);
    bool number = end != text && r->threshold >= 0 && isfinite(r->threshold);
    if (number && !strcmp(end, "%"))
        r->threshold /= 100;
    return (number && (!*end || !strcmp(end, "%"))) ||
           error_set(&r->err, "--threshold %s: must be a share, as 2%% or 0.02", text);
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    bool ok = true;
    switch (key) {
    case OPT_THRESHOLD:
        ok = take_threshold(r, arg);
        break;
    case OPT_FIELD:
        ok = leaf_filter_add(r->filter.field, &r->filter.fields, arg, &r->err);
        break;
    case OPT_IGNORE:
        ok = leaf_filter_add(r->filter.ignore, &r->filter.ignored, arg, &r->err);
        break;
    case OPT_HOST:
        r->filter.host = true;
        break;
    case OPT_LINES:
        ok = parse_whole("--lines", arg, UINT32_MAX, &r->lines, &r->err);
        break;
    case ARGP_KEY_ARG:
        if (r->names == 2)
            ok = error_set(&r->err, "compare: two files at a time; '%s' is a third one", arg);
        else
            r->name[r->names++] = arg;
        break;
    case ARGP_KEY_END:
        if (r->names < 2 && !r->err.set)
            ok = error_set(&r->err, "compare: two files are needed, A.json and B.json");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

/* --- what the files are of ----------------------------------------------------------------------
 */

static const char *text_at(const json_t *about, const char *part, const char *key)
{
    const json_t *of = part ? json_object_get(about, part) : about;
    const char *text = json_string_value(json_object_get(of, key));
    return text ? text : "?";
}

static void print_file(const char *letter, const struct result_file *f)
{
    const json_t *word, *words = json_object_get(f->about, "command");
    bool dirty = json_is_true(json_object_get(json_object_get(f->about, "evgpu"), "dirty"));
    size_t i;
    printf("%s: %s\n   %s, evgpu %s (%.12s%s), %s, %s\n   $", letter, f->name, f->kind,
           text_at(f->about, "evgpu", "release"), text_at(f->about, "evgpu", "commit"),
           dirty ? ", dirty" : "", text_at(f->about, NULL, "date"),
           text_at(f->about, "host", "name"));
    json_array_foreach(words, i, word) printf(
        strpbrk(json_string_value(word), " '\"$*") ? " '%s'" : " %s", json_string_value(word));
    printf("\n");
}

/* Everything else of "about": seed, version, keys of the machine. */
static void print_origins(const struct result_file *a, const struct result_file *b,
                          struct field_list *fields)
{
    static const struct leaf_filter filter = {
        .ignore = {"about.command", "about.date", "about.host.name"}, .ignored = 3};
    struct result_file of[2];
    struct comparison c;
    result_file_part(&of[0], a->about, "about", fields);
    result_file_part(&of[1], b->about, "about", fields);
    compare(&c, &of[0], &of[1], &filter, 0);
    for (uint32_t i = 0; i < c.count; i++) {
        const struct difference *d = &c.differences[i];
        char text[2][TEXT] = {"-", "-"};
        const char *path = d->a ? d->a->path : d->b->path;
        if (d->a)
            leaf_text(d->a->value, text[0], TEXT);
        if (d->b)
            leaf_text(d->b->value, text[1], TEXT);
        printf("%s%s: %s | %s\n", i ? "   " : "   differ in ", path + strlen("about."), text[0],
               text[1]);
    }
    if (!c.count)
        printf("   of the same version, seed, machine and kind of computer\n");
    comparison_free(&c);
    result_file_free(&of[0]);
    result_file_free(&of[1]);
}

/* --- the figures --------------------------------------------------------------------------------
 */

static void print_change(const struct difference *d)
{
    if (!d->a || !d->b)
        printf("%12s", d->a ? "only in A" : "only in B");
    else if (isfinite(d->relative))
        printf("%+10.*f %%", fabs(d->relative) < 0.001 ? 5 : 2, 100 * d->relative);
    else
        printf("%12s", json_is_number(d->a->value) ? "from 0" : "changed");
}

static void print_difference(const struct difference *d)
{
    char text[3][TEXT] = {"-", "-", ""};
    if (d->a)
        leaf_text(d->a->value, text[0], TEXT);
    if (d->b)
        leaf_text(d->b->value, text[1], TEXT);
    if (d->a && d->b && json_is_number(d->a->value) && json_is_number(d->b->value))
        snprintf(text[2], TEXT, "%+.9g",
                 json_number_value(d->b->value) - json_number_value(d->a->value));
    print_change(d);
    printf(" %14s %14s %14s  %s%s%s\n", text[0], text[1], text[2], d->a ? d->a->path : d->b->path,
           *leaf_unit(d->a ? d->a : d->b) ? " | " : "", leaf_unit(d->a ? d->a : d->b));
}

static int report(const struct request *r, const struct comparison *c)
{
    uint32_t one = 0;
    if (c->count)
        printf("\n%12s %14s %14s %14s  %s\n", "change", "A", "B", "B - A", "field | unit");
    for (uint32_t i = 0; i < c->count; i++) {
        one += !c->differences[i].a || !c->differences[i].b;
        if (!r->lines || i < r->lines)
            print_difference(&c->differences[i]);
    }
    if (r->lines && c->count > r->lines)
        printf("%12s and %u more; --lines 0 prints all\n", "", c->count - (uint32_t)r->lines);
    printf(
        "\n%s: %u of %u common fields differ by more than %g %%, %u by less; %u in one file only\n",
        c->count ? "DIFFERENT" : "SAME", c->count - one, c->compared, 100 * r->threshold, c->within,
        one);
    return c->count ? EXIT_FAILED : EXIT_VERIFIED;
}

static int run(struct request *r)
{
    struct field_list fields;
    struct result_file file[2] = {{.name = NULL}};
    int status = EXIT_BAD_INPUT;
    field_list_create(&fields);
    bool ok = result_file_read(&file[0], r->name[0], &fields, &r->err) &&
              result_file_read(&file[1], r->name[1], &fields, &r->err);
    if (ok && strcmp(file[0].kind, file[1].kind) != 0)
        ok = error_set(&r->err, "%s is of evgpu %s, %s of evgpu %s: they have no figures in common",
                       r->name[0], file[0].kind, r->name[1], file[1].kind);
    if (ok) {
        struct comparison c;
        compare(&c, &file[0], &file[1], &r->filter, r->threshold);
        if (r->filter.fields && !c.compared && !c.count)
            ok = error_set(&r->err, "--field %s: no such field in either file", r->filter.field[0]);
        if (ok) {
            print_file("A", &file[0]);
            print_file("B", &file[1]);
            print_origins(&file[0], &file[1], &fields);
            status = report(r, &c);
        }
        comparison_free(&c);
    }
    result_file_free(&file[0]);
    result_file_free(&file[1]);
    field_list_free(&fields);
    return ok ? status : complain(EXIT_BAD_INPUT, &r->err);
}

const struct argp compare_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "A.json B.json",
    .doc = "Says how two result files of the same kind differ: first what they are of, then the "
           "figures, most changed first, with their units. Elements of lists are compared by name "
           "where they have one. Without --host-time, seconds and other figures of the computer "
           "do not count.\vExit status: 0 if no figure differs by more than the threshold and "
           "both files have the same ones, 1 if not, 2 for bad input."};

int cmd_compare(int argc, char **argv)
{
    struct request *r = ALLOC(struct request);
    r->lines = DEFAULT_LINES;
    int status = argp_parse(&compare_argp, argc, argv, 0, NULL, r)
                     ? complain(EXIT_BAD_INPUT, &r->err)
                     : run(r);
    free(r);
    return status;
}
