/* evgpu bench: the simulator's own speed. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/bench_jobs.h"
#include "sim/cli/bench_threads.h"
#include "base/number.h"
#include "sim/cli/cli.h"
#include "sim/cli/results/about.h"

#define MOST_REPEATS 100

struct request {
    const char *json;
    const char *only, *job;
    uint64_t repeat;
    uint32_t threads; /* 0: those of each way */
    bool list, threads_model;
    struct error err;
};

/* A way of a job after all its runs; seconds in ascending order. */
struct outcome {
    const struct bench_job *job;
    struct bench_way way;
    struct bench_measure m; /* of the last run */
    uint32_t runs;
    double wall[MOST_REPEATS], user[MOST_REPEATS];
};

#define MOST_OUTCOMES 128
struct outcomes {
    uint32_t count;
    struct outcome of[MOST_OUTCOMES];
};

static const char *tiles_of(const struct bench_way *way)
{
    return way->backend == TILE_MODEL ? "model" : "verilator";
}

static bool chosen(const struct request *r, const struct bench_way *way)
{
    return (!r->only || strstr(way->name, r->only)) && (!r->job || !strcmp(way->name, r->job));
}

/* --- runs ------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *sorted, uint32_t n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static bool measure(struct outcome *o, uint64_t repeat, struct error *err)
{
    while (o->runs < repeat) {
        bench_run(o->job, &o->way, &o->m);
        if (!o->m.ok)
            return error_set(err, "%s, tiles %s: %s", o->way.name, tiles_of(&o->way), o->m.text);
        o->wall[o->runs] = o->m.wall;
        o->user[o->runs++] = o->m.user;
    }
    qsort(o->wall, o->runs, sizeof o->wall[0], by_value);
    qsort(o->user, o->runs, sizeof o->user[0], by_value);
    return true;
}

static json_t *record(const struct outcome *o)
{
    double wall = median(o->wall, o->runs);
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:b, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I}",
        "name", o->way.name, "config", o->job->config, "tiles", tiles_of(&o->way), "threads",
        (json_int_t)o->way.threads, "timed", !o->way.untimed, "repeats", (json_int_t)o->runs,
        "cycles", (json_int_t)o->m.cycles, "warp_instructions", (json_int_t)o->m.warp_instructions,
        "cpu_instructions", (json_int_t)o->m.cpu_instructions, "wall_s", wall, "wall_least_s",
        o->wall[0], "wall_most_s", o->wall[o->runs - 1], "user_s", median(o->user, o->runs),
        "kcycle_per_s", (double)o->m.cycles / wall / 1e3, "warp_inst_per_s",
        (double)o->m.warp_instructions / wall, "cpu_inst_per_s",
        (double)o->m.cpu_instructions / wall, "peak_mib", (json_int_t)o->m.peak);
}

static void print_outcome(const struct outcome *o)
{
    double wall = median(o->wall, o->runs);
    printf("%-31s %-11s %-10s %10llu %12llu %8.2f %8.2f %8.2f %10.1f %14.0f %13.0f %9llu\n",
           o->way.name, o->job->config, tiles_of(&o->way), (unsigned long long)o->m.cycles,
           (unsigned long long)o->m.warp_instructions, wall, o->wall[0], o->wall[o->runs - 1],
           (double)o->m.cycles / wall / 1e3, (double)o->m.warp_instructions / wall,
           (double)o->m.cpu_instructions / wall, (unsigned long long)o->m.peak);
    fflush(stdout);
}

static bool bench_all(const struct request *r, struct outcomes *all, json_t *records,
                      struct error *err)
{
    printf("%-31s %-11s %-10s %10s %12s %8s %8s %8s %10s %14s %13s %9s\n", "job", "config", "tiles",
           "cycles", "warp inst.", "wall s", "least", "most", "kcycle/s", "warp inst./s",
           "CPU inst./s", "peak MiB");
    for (size_t i = 0; i < bench_job_count; i++) {
        struct bench_way way;
        for (uint32_t w = 0; bench_way(&bench_jobs[i], w, &way); w++) {
            if (!chosen(r, &way) || all->count == MOST_OUTCOMES || (r->threads && way.threads > 1))
                continue;
            way.threads = r->threads ? r->threads : way.threads;
            struct outcome *o = &all->of[all->count++];
            *o = (struct outcome){.job = &bench_jobs[i], .way = way};
            if (!measure(o, r->repeat, err))
                return false;
            print_outcome(o);
            json_array_append_new(records, record(o));
        }
    }
    return true;
}

/* --- what one of something costs -------------------------------------------------------------- */

enum unit { WARP_INSTRUCTION, CYCLE, FLIT, EVENT };

/* With model tiles; rows of one title are of one job in several sizes. Of a job with a long start
 * the smaller one `less` is taken away, in time and in number. */
static const struct cost {
    const char *title;
    enum unit unit;
    const char *job, *size, *less;
} costs[] = {
    {"warp instruction, by cores", WARP_INSTRUCTION, "matmul 512, 4 cores", "4", NULL},
    {"warp instruction, by cores", WARP_INSTRUCTION, "matmul 512", "15", NULL},
    {"warp instruction, by cores", WARP_INSTRUCTION, "matmul 512, 60 cores", "60", NULL},
    {"warp instruction, by nodes of a graph", WARP_INSTRUCTION, "BFS 1024", "1024", NULL},
    {"warp instruction, by nodes of a graph", WARP_INSTRUCTION, "BFS 4096", "4096", NULL},
    {"warp instruction, by nodes of a graph", WARP_INSTRUCTION, "BFS 16384", "16384", NULL},
    {"warp instruction, not timed", WARP_INSTRUCTION, "matrixMul 512, not timed", "512", NULL},
    {"warp instruction, not timed", WARP_INSTRUCTION, "bfs 65536, not timed", "65536", NULL},
    {"cycle with little work", CYCLE, "lud", "128", NULL},
    {"cycle of the heterogeneous machine", CYCLE, "bfs 65536 beside H1", "65536", NULL},
    {"flit, by nodes of a mesh", FLIT, "mesh 4 x 4 pair", "16", NULL},
    {"flit, by nodes of a mesh", FLIT, "mesh 6 x 6 pair", "36", NULL},
    {"flit, by nodes of a mesh", FLIT, "mesh 8 x 8 pair", "64", NULL},
    {"event of 32 packets, by packets", EVENT, "events alone", "12800",
     "events alone, 800 packets"},
    {"event of 32 packets, by packets", EVENT, "events alone, 51200 packets", "51200",
     "events alone, 800 packets"},
};

static uint64_t count_of(const struct bench_measure *m, enum unit unit)
{
    const uint64_t counts[] = {m->warp_instructions, m->cycles, m->flits, m->events};
    return counts[unit];
}

static const struct outcome *outcome_of(const struct outcomes *all, const char *name)
{
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->of[i].way.backend == TILE_MODEL && !strcmp(all->of[i].way.name, name))
            return &all->of[i];
    }
    return NULL;
}

/* ns */
struct price {
    double median, least, most;
};

/* Wall time of the whole job, start and check included, by one of its units; false: not all of the
 * jobs have been run. */
static bool price_of(const struct outcomes *all, const struct cost *c, struct price *p)
{
    const struct outcome *o = outcome_of(all, c->job);
    const struct outcome *less = c->less ? outcome_of(all, c->less) : NULL;
    if (!o || (c->less && !less))
        return false;
    uint64_t count = count_of(&o->m, c->unit) - (less ? count_of(&less->m, c->unit) : 0);
    double each = 1e9 / (double)count;
    *p = (struct price){median(o->wall, o->runs), o->wall[0], o->wall[o->runs - 1]};
    if (less)
        *p = (struct price){p->median - median(less->wall, less->runs),
                            p->least - less->wall[less->runs - 1], p->most - less->wall[0]};
    *p = (struct price){p->median * each, p->least * each, p->most * each};
    return count != 0;
}

static void print_costs(const struct outcomes *all, json_t *json)
{
    const char *title = NULL;
    double first = 0;
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        const struct cost *c = &costs[i];
        struct price p;
        if (!price_of(all, c, &p))
            continue;
        if (!title)
            printf("\n%-38s %8s %10s %10s %10s %8s  %s\n", "ns for one", "size", "median", "least",
                   "most", "growth", "job");
        first = !title || strcmp(title, c->title) != 0 ? p.median : first;
        title = c->title;
        printf("%-38s %8s %10.1f %10.1f %10.1f %8.2f  %s%s%s\n", title, c->size, p.median, p.least,
               p.most, p.median / first, c->job, c->less ? ", without " : "",
               c->less ? c->less : "");
        json_array_append_new(json, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f}", "name", c->job,
                                              "of", title, "size", c->size, "ns", p.median,
                                              "ns_least", p.least, "ns_most", p.most));
    }
}

/* --- the model of threads --------------------------------------------------------------------- */

/* Tiles in C: they cost the same with any number of threads. */
static bool model_one(const struct bench_job *job, const struct thread_costs *each, json_t *records,
                      struct error *err)
{
    const struct bench_way ways[3] = {{.backend = TILE_MODEL, .threads = 1},
                                      {.backend = TILE_MODEL, .threads = 2},
                                      {.backend = TILE_MODEL, .threads = 1, .core_by_core = true}};
    struct bench_measure m[3];
    for (uint32_t i = 0; i < 3; i++) {
        bench_run(job, &ways[i], &m[i]);
        if (!m[i].ok)
            return error_set(err, "%s: %s", job->name, m[i].text);
    }
    const struct thread_runs runs = {job->name, m[0].wall, m[1].wall, m[2].model};
    json_array_append_new(records, thread_model_line(&runs, each));
    return true;
}

static bool model_all(const struct request *r, json_t *records, struct error *err)
{
    const struct thread_costs each = thread_costs_measure();
    thread_model_head(&each);
    for (size_t i = 0; i < bench_job_count; i++) {
        const struct bench_job *job = &bench_jobs[i];
        struct bench_way way = {.backend = TILE_MODEL};
        snprintf(way.name, sizeof way.name, "%s", job->name);
        /* Others have no SIMT cores at work, or are one of these in another size. */
        bool cores = job->ways & BENCH_THREADS && (job->program || !job->cpus);
        if (cores && chosen(r, &way) && !model_one(job, &each, records, err))
            return false;
    }
    return true;
}

/* --- the command ------------------------------------------------------------------------------ */

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case 'j':
        r->json = arg;
        return 0;
    case 'o':
        r->only = arg;
        return 0;
    case 'n':
        r->job = arg;
        return 0;
    case 'r':
        if (parse_whole("--repeat", arg, MOST_REPEATS, &r->repeat, &r->err) && !r->repeat)
            error_set(&r->err, "--repeat: must be 1 to %d", MOST_REPEATS);
        return 0;
    case 'l':
        r->list = true;
        return 0;
    case 'm':
        r->threads_model = true;
        return 0;
    case 't':
        return parse_threads("--threads", arg, &r->threads, &r->err) ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "write the records as JSON", 0},
    {"only", 'o', "TEXT", 0, "run only the jobs whose name contains TEXT", 0},
    {"job", 'n', "NAME", 0, "run only the job with this name", 0},
    {"repeat", 'r', "N", 0, "runs of each job (3); the table shows median, least and most", 0},
    {"list", 'l', NULL, 0, "print the names of the jobs and run none", 0},
    {"threads-model", 'm', NULL, 0,
     "instead, run each job on one thread and say what speed-up to expect from 2 to 32 threads, "
     "and what limits it; measured with 2",
     0},
    {"threads", 't', "N", 0, THREADS_HELP, 0},
    {0},
};

const struct argp bench_argp = {
    .options = options,
    .parser = on_option,
    .doc = "Measures the speed of the simulator, and prints what one warp instruction, cycle, flit "
           "and event cost. Jobs run with the RTL in the loop (tiles verilator) and without (tiles "
           "model), on one thread and on two, with and without timing; their times include "
           "start-up and the check of the results."};

static bool has_jobs(struct request *r)
{
    bool any = false;
    for (size_t i = 0; i < bench_job_count; i++) {
        struct bench_way way;
        char last[sizeof way.name] = ""; /* one name for both tiles */
        for (uint32_t w = 0; bench_way(&bench_jobs[i], w, &way); w++) {
            if (chosen(r, &way) && r->list && strcmp(way.name, last) != 0)
                puts(way.name);
            any |= chosen(r, &way);
            memcpy(last, way.name, sizeof last);
        }
    }
    static const char remedy[] = "`evgpu bench --list` prints the names";
    if (!any && r->job)
        return error_set(&r->err, "--job %s: no job has this name; %s", r->job, remedy);
    return any || error_set(&r->err, "--only %s: no job has this in its name; %s", r->only, remedy);
}

int cmd_bench(int argc, char **argv)
{
    struct request r = {.repeat = 3};
    argp_parse(&bench_argp, argc, argv, 0, NULL, &r);
    if (r.err.text[0] || !has_jobs(&r) || (r.json && !check_output("--json", r.json, &r.err)))
        return complain(EXIT_BAD_INPUT, &r.err);
    if (r.list)
        return EXIT_VERIFIED;
    static const uint64_t seed = 1;
    const struct about about = {.kind = "bench", .seed = &seed};
    struct outcomes *all = ALLOC(struct outcomes);
    json_t *records = json_array(), *costs_json = json_array();
    json_t *json = about_before(about_json(&about),
                                json_pack("{s:o, s:o}", "jobs", records, "costs", costs_json));
    bool ok =
        r.threads_model ? model_all(&r, records, &r.err) : bench_all(&r, all, records, &r.err);
    if (ok)
        print_costs(all, costs_json);
    ok = ok && (!r.json || write_json(r.json, json, &r.err));
    json_decref(json);
    free(all);
    return ok ? EXIT_VERIFIED : complain(EXIT_FAILED, &r.err);
}
