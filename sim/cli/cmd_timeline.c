/* evgpu timeline: a picture of a timeline file in the manner of the full/empty paper. */
#include <argp.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/picture.h"
#include "sim/cli/cli.h"
#include "sim/cli/named_files.h"
#include "sim/cli/timeline_rows.h"

struct request {
    const char *path, *picture, *title;
    struct timeline_view view;
    bool to_given, from_given;
    struct error err;
};

#define LEAST_US 0.001 /* of a picture, whose axis has four decimals */

enum { OPT_PROCESS = 256, OPT_FROM, OPT_TO, OPT_LEAST, OPT_TITLE };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "write the picture to this .svg, .png or .pdf file", 0},
    {"process", OPT_PROCESS, "NAME", 0, "draw only this program or service", 0},
    {"from", OPT_FROM, "US", 0,
     "begin at this simulated time, in microseconds (the recording's first)", 0},
    {"to", OPT_TO, "US", 0, "end at this simulated time, in microseconds (the recording's last)",
     0},
    {"least", OPT_LEAST, "US", 0, "leave out GPU waits shorter than this many microseconds (0.5)",
     0},
    {"title", OPT_TITLE, "TEXT", 0, "title of the picture (the file's name)", 0},
    {0},
};

static bool take_time(struct request *r, const char *option, const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0 && *value < 1e15)
        return true;
    return error_set(&r->err, "%s %s: must be a number of microseconds, 0 or more", option, text);
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    bool ok = true;
    switch (key) {
    case 'o':
        r->picture = arg;
        break;
    case OPT_PROCESS:
        r->view.process = arg;
        break;
    case OPT_FROM:
        r->from_given = true;
        ok = take_time(r, "--from", arg, &r->view.from);
        break;
    case OPT_TO:
        r->to_given = true;
        ok = take_time(r, "--to", arg, &r->view.to);
        break;
    case OPT_LEAST:
        ok = take_time(r, "--least", arg, &r->view.least);
        break;
    case OPT_TITLE:
        r->title = arg;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            return ARGP_ERR_UNKNOWN;
        r->path = arg;
        break;
    case ARGP_KEY_END:
        if (!r->path || !r->picture)
            ok = error_set(&r->err, "timeline: FILE.json and -o PICTURE are needed");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static bool check(struct request *r)
{
    size_t n = strlen(r->picture);
    if (n < 5 || !picture_suffix(r->picture))
        return error_set(&r->err, "-o %s: must end in .svg, .png or .pdf", r->picture);
    if (r->to_given && r->view.to < r->view.from + LEAST_US)
        return error_set(&r->err, "--to %g: must be after --from %g, by %g us at least", r->view.to,
                         r->view.from, LEAST_US);
    const struct named_file files[] = {{"FILE.json", r->path, false, NULL},
                                       {"-o", r->picture, true, NULL}};
    return check_output("-o", r->picture, &r->err) && files_distinct(files, 2, &r->err);
}

/* Without --from and --to: from the first box to the last. */
static void fit(struct request *r, const struct timeline_rows *rows)
{
    double first, last;
    bool any = timeline_rows_span(rows, &first, &last);
    if (!r->from_given && any)
        r->view.from = first;
    if (!r->to_given)
        r->view.to = last > r->view.from ? last : r->view.from + 1;
}

const struct argp timeline_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "FILE.json",
    .doc = "Draws a file of `evgpu run --timeline` as five rows: calls, driver, transfers, "
           "waits and execution on the GPU."};

int cmd_timeline(int argc, char **argv)
{
    struct request r = {.view = {.to = DBL_MAX, .least = 0.5}};
    struct timeline_rows rows;
    if (argp_parse(&timeline_argp, argc, argv, 0, NULL, &r) || !check(&r))
        return complain(EXIT_BAD_INPUT, &r.err);
    bool drawn = timeline_rows_read(&rows, r.path, &r.view, &r.err);
    if (drawn) {
        fit(&r, &rows);
        drawn = timeline_draw(&rows, r.title ? r.title : r.path, &r.view, r.picture, &r.err);
    }
    timeline_rows_free(&rows);
    return drawn ? EXIT_VERIFIED : complain(EXIT_BAD_INPUT, &r.err);
}
