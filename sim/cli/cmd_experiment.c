/* evgpu experiment: simulations, their tables and pictures, from a file of experiments/. */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/suggest.h"
#include "sim/cli/cli.h"
#include "sim/cli/results/about.h"
#include "sim/experiment/slurm/slurm_task.h"
#include "sim/experiment/view.h"

#define DEFAULT_OUT "build/experiments"
#define MAX_JOBS    256

struct request {
    const char *name, *out, *only, *scale;
    const char *slurm_options, *slurm_task;
    uint32_t jobs;
    bool list, again, limited, on_slurm, collect;
    char **words; /* of this command, with something in front */
    struct result_store store;
    struct slurm *slurm;
    const volatile sig_atomic_t *stop;
    struct error err;
};

enum {
    OPT_JOBS = 'j',
    OPT_LIST = 256,
    OPT_ONLY,
    OPT_OUT,
    OPT_AGAIN,
    OPT_SCALE,
    OPT_SLURM,
    OPT_SLURM_OPTIONS,
    OPT_SLURM_TASK,
    OPT_COLLECT
};

static const struct argp_option options[] = {
    {"jobs", OPT_JOBS, "N", 0, "simulations at a time (one per processor)", 0},
    {"list", OPT_LIST, NULL, 0, "list the experiments, or the rows of NAME", 0},
    {"only", OPT_ONLY, "ROW", 0,
     "run only this row, or the rows that a pattern such as '*,overlap' matches", 0},
    {"out", OPT_OUT, "FOLDER", 0, "where results go (" DEFAULT_OUT ")", 0},
    {"scale", OPT_SCALE, "SCALE", 0, "take the texts of [scale SCALE] (the first scale)", 0},
    {"again", OPT_AGAIN, NULL, 0, "discard the kept results of the rows that run", 0},
    {"slurm", OPT_SLURM, NULL, 0,
     "submit the simulations as a Slurm job array; all nodes must share FOLDER", 0},
    {"slurm-options", OPT_SLURM_OPTIONS, "TEXT", 0,
     "further options for sbatch, such as '--partition=long --time=2:00:00'", 0},
    {"collect", OPT_COLLECT, NULL, 0,
     "run and submit nothing; make the tables of the simulations that have ended", 0},
    {"slurm-task", OPT_SLURM_TASK, "FOLDER", OPTION_HIDDEN, NULL, 0},
    {0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    uint64_t jobs = 0;
    switch (key) {
    case OPT_JOBS:
        if (!parse_whole("--jobs", arg, MAX_JOBS, &jobs, &r->err))
            return EINVAL;
        r->jobs = (uint32_t)jobs;
        r->limited = true;
        if (!jobs)
            error_set(&r->err, "--jobs: must be 1 or more");
        return jobs ? 0 : EINVAL;
    case OPT_LIST:
        r->list = true;
        return 0;
    case OPT_ONLY:
        r->only = arg;
        return 0;
    case OPT_OUT:
        r->out = arg;
        return 0;
    case OPT_SCALE:
        r->scale = arg;
        return 0;
    case OPT_AGAIN:
        r->again = true;
        return 0;
    case OPT_SLURM:
        r->on_slurm = true;
        return 0;
    case OPT_SLURM_OPTIONS:
        r->slurm_options = arg;
        return slurm_check_options(arg, &r->err) ? 0 : EINVAL;
    case OPT_SLURM_TASK:
        r->slurm_task = arg;
        return 0;
    case OPT_COLLECT:
        r->collect = true;
        return 0;
    case ARGP_KEY_ARG:
        if (r->name) {
            error_set(&r->err, "only one experiment at a time; '%s' is a second one", arg);
            return EINVAL;
        }
        r->name = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The file of an experiment: as named, or in experiments, or there in the folder of its family, the
 * part of the name before the first hyphen. */
static bool find_experiment(const char *file, char *path, size_t room)
{
    char within[PATH_MAX];
    int family = (int)strcspn(file, "-.");
    return find_data(file, "experiments", path, room) ||
           ((size_t)snprintf(within, sizeof within, "%.*s/%s", family, file, file) <
                sizeof within &&
            find_data(within, "experiments", path, room));
}

/* A path was meant, not one of the experiments' names. */
static bool is_path(const char *name, struct error *err)
{
    struct stat status;
    if (stat(name, &status) == 0)
        error_set(err,
                  S_ISDIR(status.st_mode) ? "%s: is a directory, not an experiment"
                                          : "%s: an experiment's file must end in .ini",
                  name);
    else if (strchr(name, '/'))
        error_set(err, "%s: %s", name, strerror(errno));
    return err->set;
}

static void not_found(const char *name, struct error *err)
{
    char folder[PATH_MAX], pattern[PATH_MAX + 8], hint[SUGGEST_MOST + 24];
    if (is_path(name, err))
        return;
    struct suggestion near = suggest(name);
    glob_t found = {0};
    if (find_data("experiments", ".", folder, PATH_MAX)) {
        snprintf(pattern, sizeof pattern, "%s/*/*.ini", folder);
        glob(pattern, 0, NULL, &found);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *base = strrchr(found.gl_pathv[i], '/') + 1;
        base[strlen(base) - strlen(".ini")] = '\0';
        suggest_offer(&near, base);
    }
    error_set(err, "there is no experiment '%s'; `evgpu experiment --list` lists them%s", name,
              suggest_text(&near, hint, sizeof hint));
    globfree(&found);
}

/* NAME of an experiment, or a file. */
static struct experiment *load(const char *name, const char *scale, struct error *err)
{
    char file[PATH_MAX], path[PATH_MAX], title[128];
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    size_t length = strlen(base);
    bool suffix = length > 4 && !strcmp(base + length - 4, ".ini");
    snprintf(title, sizeof title, "%.*s", (int)(suffix ? length - 4 : length), base);
    snprintf(file, sizeof file, suffix ? "%s" : "%s.ini", name);
    if (!find_experiment(file, path, sizeof path)) {
        not_found(name, err);
        return NULL;
    }
    return experiment_load(path, title, scale, err);
}

static int list_experiments(struct request *r)
{
    char folder[PATH_MAX], below[PATH_MAX + 8], families[PATH_MAX + 8];
    if (!find_data("experiments", ".", folder, PATH_MAX)) {
        error_set(&r->err, "the folder `experiments` was not found");
        return complain(EXIT_BAD_INPUT, &r->err);
    }
    snprintf(below, sizeof below, "%s/*.ini", folder);
    snprintf(families, sizeof families, "%s/*/*.ini", folder);
    glob_t found;
    glob(below, 0, NULL, &found);
    if (glob(families, GLOB_APPEND, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct error err = {0};
            struct experiment *x = load(found.gl_pathv[i], NULL, &err);
            if (x)
                printf("%-16s %s\n", x->name, x->title);
            else
                complain(EXIT_BAD_INPUT, &err);
            experiment_destroy(x);
        }
    }
    globfree(&found);
    return EXIT_VERIFIED;
}

static int list_rows(const struct experiment *x)
{
    char name[256];
    if (x->members)
        printf("%s\n", x->members);
    for (uint32_t row = 0; row < x->rows; row++) {
        experiment_row_name(x, row, name, sizeof name);
        printf("%s\n", name);
    }
    return EXIT_VERIFIED;
}

/* A line on how it went, and the exit status. */
static int verdict(const struct request *r, const struct experiment *x,
                   const struct row_result *results)
{
    uint32_t counts[ROW_STOPPED + 1] = {0};
    for (uint32_t row = 0; row < x->rows; row++)
        counts[results[row].state]++;
    printf("\nEXPERIMENT %s: %s: %u run, %u kept, %u failed, %u left out%s; %s/%s\n",
           counts[ROW_FAILED] || counts[ROW_STOPPED] ? "FAILED" : "DONE", x->name, counts[ROW_RUN],
           counts[ROW_KEPT], counts[ROW_FAILED], counts[ROW_LEFT_OUT],
           !counts[ROW_STOPPED] ? ""
           : r->slurm           ? ", the others wait or run; the same command continues"
                                : ", stopped before the others; the same command continues",
           r->out, x->name);
    return counts[ROW_FAILED] || counts[ROW_STOPPED] ? EXIT_FAILED : EXIT_VERIFIED;
}

static int run_one(struct request *r, struct experiment *x, json_t *summary)
{
    char folder[PATH_MAX];
    if (r->only && !rows_match(x, r->only)) {
        error_set(&r->err, "--only %s: no row of %s; --list lists them", r->only, x->name);
        return complain(EXIT_BAD_INPUT, &r->err);
    }
    struct row_result *results = ALLOC_ARRAY(struct row_result, x->rows);
    struct row_request request = {.only = r->only,
                                  .jobs = r->jobs,
                                  .again = r->again && !r->slurm,
                                  .stop = r->stop,
                                  .slurm = r->slurm};
    snprintf(folder, sizeof folder, "%s/%s", r->out, x->name);
    rows_run(x, &r->store, &request, results);
    view_text(x, results, stdout);
    int status = verdict(r, x, results);
    const struct about about = {.kind = "experiment"};
    json_t *of = about_json(&about);
    if (!view_files(x, results, of, folder, &r->err))
        status = complain(EXIT_FAILED, &r->err);
    json_decref(of);
    if (summary) {
        json_t *mine = view_summary(x), *value;
        const char *key;
        json_object_foreach(mine, key, value)
        {
            char name[256];
            snprintf(name, sizeof name, "%s.%s", x->name, key);
            json_object_set(summary, name, value);
        }
        json_decref(mine);
    }
    free(results);
    return status;
}

/* NULL with an error also for a group, which has no simulations of its own. */
static struct experiment *load_member(const struct request *r, const char *name, struct error *err)
{
    struct experiment *x = load(name, r->scale, err);
    if (!x || !x->members)
        return x;
    error_set(err, "%s: is a group, no member of one; name its members", name);
    experiment_destroy(x);
    return NULL;
}

/* The members of a group, each with its own folder, then one summary. */
static int run_group(struct request *r, const struct experiment *group)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    char *names = alloc_string(group->members), *rest = names, *name;
    const struct about about = {.kind = "summary"};
    json_t *summary = json_pack("{s:o}", "about", about_json(&about));
    uint32_t failed = 0, count = 0;
    while ((name = strsep(&rest, " ,")) && !*r->stop) {
        if (!*name)
            continue;
        struct experiment *x = load_member(r, name, &r->err);
        if (!x)
            complain(EXIT_BAD_INPUT, &r->err);
        if (!x || !r->only || rows_match(x, r->only)) {
            count++;
            failed += !x || run_one(r, x, summary) != EXIT_VERIFIED;
        }
        experiment_destroy(x);
        r->err = (struct error){0};
    }
    free(names);
    if (!count && !*r->stop) {
        json_decref(summary);
        error_set(&r->err, "--only %s: no row of any member of %s", r->only, group->name);
        return complain(EXIT_BAD_INPUT, &r->err);
    }
    snprintf(folder, sizeof folder, "%s/%s", r->out, group->name);
    snprintf(path, sizeof path, "%s/summary.json", folder);
    bool ok = make_folder(folder, &r->err) && write_json(path, summary, &r->err);
    json_decref(summary);
    if (!ok)
        return complain(EXIT_FAILED, &r->err);
    bool done = !failed && !*r->stop;
    printf("EXPERIMENT %s: %s: %u experiments, %u failed%s; %s\n", done ? "DONE" : "FAILED",
           group->name, count, failed, *r->stop ? ", stopped; the same command continues" : "",
           path);
    return done ? EXIT_VERIFIED : EXIT_FAILED;
}

/* Tells Slurm's part what `x`, or every member of it, wants. */
static void want(struct request *r, const struct experiment *x)
{
    struct row_request request = {.only = r->only, .again = r->again && !r->collect};
    if (!x->members) {
        rows_want(x, &r->store, &request, r->slurm);
        return;
    }
    char *names = alloc_string(x->members), *rest = names, *name;
    while ((name = strsep(&rest, " ,"))) {
        struct experiment *member = *name ? load_member(r, name, NULL) : NULL;
        if (member)
            rows_want(member, &r->store, &request, r->slurm);
        experiment_destroy(member);
    }
    free(names);
}

/* The command of the job that makes the tables. */
static char **collector_words(const struct request *r)
{
    uint32_t n = 0;
    while (r->words[n])
        n++;
    char **words = ALLOC_ARRAY(char *, n + 2);
    memcpy(words, r->words, n * sizeof *words);
    words[0] = (char *)"experiment";
    words[n] = (char *)"--collect";
    return words;
}

/* All that is wanted is in Slurm's queue and waited for, or only looked for. */
static bool use_slurm(struct request *r, const struct experiment *x)
{
    char **words = collector_words(r);
    struct slurm_settings settings = {.results = r->out,
                                      .name = x->name,
                                      .options = r->slurm_options,
                                      .at_a_time = r->limited ? r->jobs : 0,
                                      .collector = words,
                                      .stop = r->stop};
    r->slurm = slurm_open(&r->store, &settings, &r->err);
    bool ok = r->slurm != NULL;
    if (ok)
        want(r, x);
    if (ok && r->collect)
        ok = slurm_look(r->slurm, &r->err);
    else if (ok && (ok = slurm_submit_wanted(r->slurm, &r->err)))
        slurm_wait(r->slurm);
    free(words);
    return ok;
}

static int run(struct request *r)
{
    char kept[PATH_MAX];
    struct experiment *x = load(r->name, r->scale, &r->err);
    if (!x)
        return complain(EXIT_BAD_INPUT, &r->err);
    int status = EXIT_BAD_INPUT;
    snprintf(kept, sizeof kept, "%s/kept", r->out);
    if (r->list)
        status = list_rows(x);
    else if (!result_store_open(&r->store, kept, &r->err))
        status = complain(EXIT_BAD_INPUT, &r->err);
    else if ((r->on_slurm || r->collect) && !use_slurm(r, x))
        status = complain(EXIT_FAILED, &r->err);
    else
        status = x->members ? run_group(r, x) : run_one(r, x, NULL);
    slurm_close(r->slurm);
    experiment_destroy(x);
    return status;
}

const struct argp experiment_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "[NAME]",
    .doc = "Runs the simulations of the experiment NAME, or of a file, as processes of their "
           "own, and writes tables, pictures and a summary of their figures below "
           "FOLDER/NAME. Results are kept: a stopped experiment continues where it was, and an "
           "unchanged one costs nothing. The exit status is 0 if every simulation was "
           "verified."};

int cmd_experiment(int argc, char **argv)
{
    struct request *r = ALLOC(struct request);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    r->out = DEFAULT_OUT;
    r->words = argv;
    r->jobs = processors > 0 && processors <= MAX_JOBS ? (uint32_t)processors : 1;
    int status = EXIT_BAD_INPUT;
    if (argp_parse(&experiment_argp, argc, argv, 0, NULL, r)) {
        complain(status, &r->err);
    } else if (r->slurm_task) {
        r->stop = catch_interrupts();
        status = slurm_task_run(r->slurm_task, r->stop, &r->err) ? EXIT_VERIFIED
                                                                 : complain(EXIT_FAILED, &r->err);
    } else if (r->slurm_options && !r->on_slurm) {
        error_set(&r->err, "--slurm-options needs --slurm");
        complain(status, &r->err);
    } else if (r->list && (r->only || r->again || r->on_slurm || r->collect || r->limited)) {
        error_set(&r->err, "--list runs nothing; leave --only, --again, --jobs, --slurm and "
                           "--collect out");
        complain(status, &r->err);
    } else if (!r->name && r->list) {
        status = list_experiments(r);
    } else if (!r->name) {
        error_set(&r->err, "name an experiment; `evgpu experiment --list` lists them");
        complain(status, &r->err);
    } else {
        r->stop = catch_interrupts();
        status = run(r);
    }
    free(r);
    return status;
}
