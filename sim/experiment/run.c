#include "sim/experiment/run.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/experiment/command.h"
#include "sim/experiment/result.h"

struct job {
    uint32_t row;
    pid_t child;
    double since;
};

struct pool {
    struct experiment *x;
    const struct result_store *k;
    struct row_result *results;
    char (*keys)[KEY_TEXT];
    struct job *jobs;
    uint32_t n_jobs, to_run, ended, failed;
    bool terminal;
    double since; /* the first row's start */
};

static bool matches(const struct experiment *x, uint32_t row, const char *only)
{
    char name[256];
    experiment_row_name(x, row, name, sizeof name);
    return !only || !strcmp(name, only) || fnmatch(only, name, 0) == 0;
}

bool rows_match(const struct experiment *x, const char *only)
{
    for (uint32_t r = 0; r < x->rows; r++) {
        if (matches(x, r, only))
            return true;
    }
    return false;
}

static bool start(struct pool *p, uint32_t row)
{
    char *words[MAX_WORDS];
    pid_t child = -1;
    if (row_words(p->x, row, words, NULL))
        child = command_start(p->k, words, p->keys[row]);
    free_words(words);
    if (child < 0)
        return false;
    p->jobs[p->n_jobs++] = (struct job){.row = row, .child = child, .since = command_seconds()};
    return true;
}

static void fail(struct pool *p, uint32_t row, const char *message)
{
    struct row_result *r = &p->results[row];
    r->state = ROW_FAILED;
    snprintf(r->message, sizeof r->message, "%s", message);
    p->failed++;
}

static void clear_line(const struct pool *p)
{
    if (p->terminal)
        fprintf(stderr, "\r%79s\r", "");
}

/* ", 4 min left", from the rows that have ended; nothing before the first one. */
static void describe_rest(const struct pool *p, char *text, size_t room)
{
    double rest = p->ended ? (command_seconds() - p->since) / p->ended * (p->to_run - p->ended) : 0;
    text[0] = '\0';
    if (rest >= 120)
        snprintf(text, room, ", %.0f min left", rest / 60);
    else if (rest > 0)
        snprintf(text, room, ", %.0f s left", rest);
}

static void show_end(const struct pool *p, uint32_t row)
{
    char name[256], rest[32];
    const struct row_result *r = &p->results[row];
    experiment_row_name(p->x, row, name, sizeof name);
    clear_line(p);
    describe_rest(p, rest, sizeof rest);
    fprintf(stderr, "[%u/%u] %s: %.1f s%s%s%s\n", p->ended, p->to_run, name, r->wall_s, rest,
            r->state == ROW_FAILED ? ", FAILED: " : "", r->message);
}

static void show_progress(const struct pool *p)
{
    char name[256], rest[32];
    if (!p->terminal || !p->n_jobs)
        return;
    experiment_row_name(p->x, p->jobs[0].row, name, sizeof name);
    describe_rest(p, rest, sizeof rest);
    fprintf(stderr, "\r%s: %u of %u ended, %u failed%s; now %.40s  ", p->x->name, p->ended,
            p->to_run, p->failed, rest, name);
}

/* The simulation of `row` has ended with this status of waitpid. */
static void end(struct pool *p, uint32_t row, int status, double wall)
{
    struct row_result *r = &p->results[row];
    struct error err = {0};
    char name[256];
    p->ended++;
    r->wall_s = wall;
    r->state = ROW_RUN;
    experiment_row_name(p->x, row, name, sizeof name);
    if (!command_end(p->k, p->keys[row], name, status, wall, &err) ||
        !result_load(p->x, p->k, row, p->keys[row], &err))
        fail(p, row, err.text);
    show_end(p, row);
}

static void collect(struct pool *p)
{
    for (uint32_t i = 0; i < p->n_jobs;) {
        struct job *j = &p->jobs[i];
        int status;
        if (waitpid(j->child, &status, WNOHANG) != j->child) {
            i++;
            continue;
        }
        end(p, j->row, status, command_seconds() - j->since);
        p->jobs[i] = p->jobs[--p->n_jobs];
    }
}

static void stop_all(struct pool *p)
{
    for (uint32_t i = 0; i < p->n_jobs; i++)
        kill(-p->jobs[i].child, SIGTERM);
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        waitpid(p->jobs[i].child, NULL, 0);
        result_leave(p->k, p->keys[p->jobs[i].row]);
    }
    p->n_jobs = 0;
    clear_line(p);
}

/* A row before this one that is the same simulation, or the row itself. */
static uint32_t first_like(const struct pool *p, uint32_t row)
{
    uint32_t r = 0;
    while (strcmp(p->keys[r], p->keys[row]) != 0)
        r++;
    return r;
}

/* What is kept is taken, and what cannot even be said fails; the rest is left to run. */
static void prepare(struct pool *p, const struct row_request *request)
{
    char *words[MAX_WORDS];
    for (uint32_t r = 0; r < p->x->rows; r++) {
        struct error err = {0};
        bool asked = matches(p->x, r, request->only);
        p->results[r] = (struct row_result){.state = ROW_LEFT_OUT};
        bool ok = row_words(p->x, r, words, &err);
        if (ok) {
            result_store_key(p->k, (const char *const *)words, p->keys[r]);
            char path[PATH_MAX];
            if (result_place(p->k, p->keys[r], path, &err) && !(request->again && asked) &&
                result_load(p->x, p->k, r, p->keys[r], &err))
                p->results[r].state = ROW_KEPT;
            ok = !err.set;
        }
        if (!ok)
            fail(p, r, err.text);
        else if (p->results[r].state != ROW_KEPT && asked)
            p->results[r].state = ROW_STOPPED;
        p->to_run += p->results[r].state == ROW_STOPPED && first_like(p, r) == r;
        free_words(words);
    }
}

/* Rows that are the same simulation as another one. */
static void copy_twins(struct pool *p)
{
    for (uint32_t r = 0; r < p->x->rows; r++) {
        uint32_t twin = first_like(p, r);
        if (twin == r || p->results[r].state != ROW_STOPPED)
            continue;
        struct error err = {0};
        p->results[r] = p->results[twin];
        if (p->results[r].state == ROW_RUN && !result_load(p->x, p->k, r, p->keys[r], &err))
            fail(p, r, err.text);
    }
}

void rows_want(const struct experiment *x, const struct result_store *k,
               const struct row_request *request, struct slurm *slurm)
{
    for (uint32_t r = 0; r < x->rows; r++) {
        char *words[MAX_WORDS], key[KEY_TEXT], name[256];
        if (!matches(x, r, request->only))
            continue;
        if (row_words(x, r, words, NULL)) {
            result_store_key(k, (const char *const *)words, key);
            experiment_row_name(x, r, name, sizeof name);
            if (request->again || !result_is_kept(k, key))
                slurm_want(slurm, key, name, words, request->again);
        }
        free_words(words);
    }
}

/* Every row as Slurm has it. */
static void take_rows(struct pool *p, const struct row_request *request)
{
    for (uint32_t r = 0; r < p->x->rows; r++) {
        const char *message;
        struct row_result *result = &p->results[r];
        enum slurm_state state = slurm_state(request->slurm, p->keys[r], &message);
        if (result->state == ROW_KEPT && state == SLURM_ENDED)
            result->state = ROW_RUN;
        else if (result->state == ROW_STOPPED && state == SLURM_FAILED)
            fail(p, r, message);
        else if (result->state == ROW_STOPPED && state == SLURM_UNKNOWN && !*request->stop)
            result->state = ROW_LEFT_OUT;
    }
}

static void run_rows(struct pool *p, const struct row_request *request)
{
    uint32_t next = 0;
    while (!*request->stop) {
        while (next < p->x->rows && p->n_jobs < request->jobs) {
            if (p->results[next].state == ROW_STOPPED && first_like(p, next) == next &&
                !start(p, next))
                fail(p, next, "the host cannot start a process for it");
            next++;
        }
        if (!p->n_jobs && next == p->x->rows)
            break;
        show_progress(p);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        collect(p);
    }
    stop_all(p);
    copy_twins(p);
}

void rows_run(struct experiment *x, const struct result_store *k, const struct row_request *request,
              struct row_result *results)
{
    struct pool p = {.x = x,
                     .k = k,
                     .results = results,
                     .terminal = isatty(STDERR_FILENO),
                     .since = command_seconds()};
    p.keys = alloc_array(x->rows, sizeof *p.keys);
    p.jobs = ALLOC_ARRAY(struct job, request->jobs);
    prepare(&p, request);
    if (request->slurm)
        take_rows(&p, request);
    else
        run_rows(&p, request);
    free(p.jobs);
    free(p.keys);
}
