/* evgpu report: a page about runs. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/html.h"
#include "base/output.h"
#include "sim/cli/cli.h"
#include "sim/cli/named_files.h"
#include "sim/cli/report/report.h"

#define MAX_FILES (2 * REPORT_RUNS)

struct request {
    const char *name[MAX_FILES], *page;
    uint32_t names;
    bool style;
    struct error err;
};

enum { OPT_STYLE = 256 };

static const struct argp_option options[] = {
    {"output", 'o', "FILE.html", 0, "write the page here", 0},
    {"style", OPT_STYLE, NULL, 0, "print the style of its pages, for pages of your own", 0},
    {0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    bool ok = true;
    switch (key) {
    case 'o':
        r->page = arg;
        break;
    case OPT_STYLE:
        r->style = true;
        break;
    case ARGP_KEY_ARG:
        if (r->names == MAX_FILES)
            ok = error_set(&r->err, "%s: at most %u files", arg, MAX_FILES);
        else
            r->name[r->names++] = arg;
        break;
    case ARGP_KEY_END:
        if (!r->style && (!r->names || !r->page))
            ok = error_set(&r->err, "report: RUN.json and -o PAGE.html are needed");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool check_page(struct request *r)
{
    struct named_file files[1 + MAX_FILES] = {{"-o", r->page, true, NULL}};
    for (uint32_t i = 0; i < r->names; i++)
        files[1 + i] = (struct named_file){"RUN.json", r->name[i], false, NULL};
    return check_output("-o", r->page, &r->err) && files_distinct(files, 1 + r->names, &r->err);
}

/* What a file is of, if it is a timeline; NULL: it is not. */
static json_t *timeline_about(const char *path)
{
    json_t *file = json_load_file(path, 0, NULL);
    json_t *about = NULL;
    if (json_is_array(json_object_get(file, "traceEvents")))
        about = json_incref(json_object_get(json_object_get(file, "otherData"), "about"));
    json_decref(file);
    return about;
}

static bool add_run(struct report *p, const char *path, struct error *err)
{
    if (p->runs == REPORT_RUNS)
        return error_set(err, "%s: at most %u runs", path, REPORT_RUNS);
    struct report_run *run = &p->run[p->runs];
    if (!result_file_read(&run->file, path, &p->fields, err))
        return false;
    snprintf(run->name, sizeof run->name, "%c", 'A' + p->runs++);
    if (strcmp(run->file.kind, "run") != 0)
        return error_set(err, "%s: is of evgpu %s; a report is of evgpu run --json", path,
                         run->file.kind);
    run->json = run->file.json;
    run->khz = report_number(run->json, "about.config.values.gpu.core_clock_khz");
    run->series = report_at(run->json, "details.series");
    if (!json_array_size(json_object_get(run->series, "cycle")))
        run->series = NULL; /* nothing has happened */
    return run->khz > 0 || error_set(err,
                                     "%s: about.config.values.gpu.core_clock_khz: must be a "
                                     "number above 0",
                                     path);
}

/* A run writes its command into both of its files. */
static bool add_timeline(struct report *p, const char *path, const json_t *about, struct error *err)
{
    const struct report_run *other = NULL; /* of the same command, with a timeline */
    for (uint32_t i = 0; i < p->runs; i++) {
        struct report_run *run = &p->run[i];
        if (!json_equal(json_object_get(run->file.about, "command"),
                        json_object_get(about, "command")))
            continue;
        if (!run->timeline) {
            run->timeline = path;
            return true;
        }
        other = run;
    }
    if (other)
        return error_set(err, "%s: is a second timeline of run %s, beside %s", path, other->name,
                         other->timeline);
    return error_set(err, "%s: is a timeline of none of the runs; the commands differ", path);
}

static bool read_files(struct request *r, struct report *p)
{
    json_t *timeline[MAX_FILES] = {NULL};
    bool ok = true;
    for (uint32_t i = 0; i < r->names && ok; i++) {
        timeline[i] = timeline_about(r->name[i]);
        if (!timeline[i])
            ok = add_run(p, r->name[i], &r->err);
    }
    if (ok && !p->runs)
        ok = error_set(&r->err, "%s: a timeline needs its run: give the file of --json, too",
                       r->name[0]);
    for (uint32_t i = 0; i < r->names && ok; i++)
        ok = !timeline[i] || add_timeline(p, r->name[i], timeline[i], &r->err);
    for (uint32_t i = 0; i < r->names; i++)
        json_decref(timeline[i]);
    return ok;
}

/* --- the page --------------------------------------------------------------------------------- */

static bool write_sections(struct report *p, struct error *err)
{
    html_begin(p->page, p->runs == 1 ? p->run[0].file.name : "Runs of evgpu");
    report_overview(p);
    report_latencies(p);
    if (!report_timelines(p, err))
        return false;
    report_stalls(p);
    report_concurrency(p);
    report_memory(p);
    report_kernels(p);
    report_lines(p);
    report_differences(p);
    report_foot(p);
    html_end(p->page);
    return true;
}

/* A signal stops it, so that nothing is left in the folder of the pictures. */
static bool write_page(struct report *p, const char *path, const volatile sig_atomic_t *stop,
                       struct error *err)
{
    p->page = tmpfile();
    if (!p->page)
        return error_set(err, "no temporary file for the page");
    p->charts = charts_create(err);
    if (!p->charts || !write_sections(p, err))
        return false;
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    bool drawn = charts_finish(p->charts, p->page, output_stream(out), err);
    if (drawn && !*stop)
        return output_finish(out, err);
    output_abandon(out);
    return error_set(err, "%s: not written, a signal has stopped the report", path);
}

const struct argp report_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "RUN.json... [TIMELINE.json...]",
    .doc = "Writes a page (HTML, with everything in it) about runs: verdicts, latencies, stalls, "
           "memory, network, kernels and source lines; of two runs, what differs. Runs come from "
           "`evgpu run --json`, with histograms, series and lines if they had --details; timelines "
           "from `evgpu run --timeline`, each for the run with the same command."};

int cmd_report(int argc, char **argv)
{
    struct request r = {.names = 0};
    if (argp_parse(&report_argp, argc, argv, 0, NULL, &r))
        return complain(EXIT_BAD_INPUT, &r.err);
    if (r.style) {
        html_style(stdout);
        return EXIT_VERIFIED;
    }
    struct report *p = ALLOC(struct report);
    field_list_create(&p->fields);
    const volatile sig_atomic_t *stop = catch_interrupts();
    bool ok = check_page(&r) && read_files(&r, p) && write_page(p, r.page, stop, &r.err);
    for (uint32_t i = 0; i < p->runs; i++)
        result_file_free(&p->run[i].file);
    charts_destroy(p->charts);
    if (p->page)
        fclose(p->page);
    field_list_free(&p->fields);
    free(p);
    return ok ? EXIT_VERIFIED : complain(*stop ? EXIT_FAILED : EXIT_BAD_INPUT, &r.err);
}
