#include "sim/experiment/run.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/alloc.h"
#include "sim/experiment/result.h"

#define MAX_WORDS 256

struct job {
    uint32_t row;
    pid_t child;
    double since;
};

struct pool {
    struct experiment *x;
    const struct keeper *k;
    struct row_result *results;
    char (*keys)[KEY_TEXT];
    struct job *jobs;
    uint32_t n_jobs, to_run, ended, failed;
    bool terminal;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

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

static void free_words(char **words)
{
    for (uint32_t i = 0; words[i]; i++)
        free(words[i]);
}

/* The command's words up to a NULL; false with `err`. */
static bool row_words(const struct experiment *x, uint32_t row, char **words, struct error *err)
{
    struct binding at;
    const struct simulation *s = experiment_row(x, row, &at);
    uint32_t n = 0;
    words[n++] = alloc_string(s->command ? s->command : "run");
    for (uint32_t i = 0; i < s->n_options; i++) {
        char key[80], *text;
        if (n + 5 > MAX_WORDS)
            return error_set(err, "more than %d words in a command", MAX_WORDS);
        if (!experiment_fill(x, s->options[i].text, &at, &text, err))
            return false;
        snprintf(key, sizeof key, "--%s", s->options[i].key);
        words[n++] = alloc_string(key);
        if (*text)
            words[n++] = text;
        else
            free(text);
    }
    words[n] = NULL;
    return true;
}

/* In the child: the applications of this build are found by their names. */
static void become(const struct keeper *k, char **words, const char *log)
{
    char path[2 * PATH_MAX];
    const char *slash = strrchr(k->evgpu, '/');
    const char *old = getenv("PATH");
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int in = open("/dev/null", O_RDONLY);
    snprintf(path, sizeof path, "%.*s/apps:%s", (int)(slash - k->evgpu), k->evgpu, old ? old : "");
    setenv("PATH", path, 1);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* no simulation outlives the experiment */
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(126);
    execv(k->evgpu, words);
    _exit(127);
}

static bool start(struct pool *p, uint32_t row)
{
    char *words[MAX_WORDS + 4] = {NULL}, log[PATH_MAX], statistics[PATH_MAX];
    char *argv[MAX_WORDS + 4];
    uint32_t n = 0;
    if (!row_words(p->x, row, words, NULL)) {
        free_words(words);
        return false;
    }
    keeper_path(p->k, p->keys[row], "log", log);
    keeper_path(p->k, p->keys[row], "statistics", statistics);
    argv[n++] = (char *)"evgpu";
    for (uint32_t i = 0; words[i]; i++)
        argv[n++] = words[i];
    argv[n++] = (char *)"--json";
    argv[n++] = statistics;
    argv[n] = NULL;
    pid_t child = fork();
    if (child == 0)
        become(p->k, argv, log);
    free_words(words);
    if (child < 0)
        return false;
    setpgid(child, child);
    p->jobs[p->n_jobs++] = (struct job){.row = row, .child = child, .since = seconds()};
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

static void show_end(const struct pool *p, uint32_t row)
{
    char name[256];
    const struct row_result *r = &p->results[row];
    experiment_row_name(p->x, row, name, sizeof name);
    clear_line(p);
    fprintf(stderr, "[%u/%u] %s: %.1f s%s%s\n", p->ended, p->to_run, name, r->wall_s,
            r->state == ROW_FAILED ? ", FAILED: " : "", r->message);
}

static void show_progress(const struct pool *p)
{
    char name[256];
    if (!p->terminal || !p->n_jobs)
        return;
    experiment_row_name(p->x, p->jobs[0].row, name, sizeof name);
    fprintf(stderr, "\r%s: %u of %u ended, %u failed; now %.40s  ", p->x->name, p->ended, p->to_run,
            p->failed, name);
}

/* The simulation of `row` has ended with this status of waitpid. */
static void end(struct pool *p, uint32_t row, int status, double wall)
{
    struct row_result *r = &p->results[row];
    struct error err = {0};
    char name[256], message[256];
    p->ended++;
    r->wall_s = wall;
    r->state = ROW_RUN;
    experiment_row_name(p->x, row, name, sizeof name);
    if (WIFSIGNALED(status)) {
        snprintf(message, sizeof message, "killed by signal %d", WTERMSIG(status));
        fail(p, row, message);
    } else if (WEXITSTATUS(status) != 0) {
        result_message(p->k, p->keys[row], message, sizeof message);
        fail(p, row, message);
    } else if (!result_keep(p->k, p->keys[row], name, wall, &err) ||
               !result_load(p->x, p->k, row, p->keys[row], &err)) {
        fail(p, row, err.text);
    }
    result_forget_statistics(p->k, p->keys[row]);
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
        end(p, j->row, status, seconds() - j->since);
        p->jobs[i] = p->jobs[--p->n_jobs];
    }
}

static void stop_all(struct pool *p)
{
    for (uint32_t i = 0; i < p->n_jobs; i++)
        kill(-p->jobs[i].child, SIGTERM);
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        waitpid(p->jobs[i].child, NULL, 0);
        result_forget_statistics(p->k, p->keys[p->jobs[i].row]);
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
    char *words[MAX_WORDS + 4];
    for (uint32_t r = 0; r < p->x->rows; r++) {
        struct error err = {0};
        bool asked = matches(p->x, r, request->only);
        memset(words, 0, sizeof words);
        p->results[r] = (struct row_result){.state = ROW_LEFT_OUT};
        bool ok = row_words(p->x, r, words, &err);
        if (ok) {
            keeper_key(p->k, (const char *const *)words, p->keys[r]);
            if (!(request->again && asked) && result_load(p->x, p->k, r, p->keys[r], &err))
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

void rows_run(struct experiment *x, const struct keeper *k, const struct row_request *request,
              struct row_result *results)
{
    struct pool p = {.x = x, .k = k, .results = results, .terminal = isatty(STDERR_FILENO)};
    p.keys = alloc_array(x->rows, sizeof *p.keys);
    p.jobs = ALLOC_ARRAY(struct job, request->jobs);
    prepare(&p, request);
    uint32_t next = 0;
    while (!*request->stop) {
        while (next < x->rows && p.n_jobs < request->jobs) {
            if (results[next].state == ROW_STOPPED && first_like(&p, next) == next &&
                !start(&p, next))
                fail(&p, next, "no process can be started for it");
            next++;
        }
        if (!p.n_jobs && next == x->rows)
            break;
        show_progress(&p);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        collect(&p);
    }
    stop_all(&p);
    copy_twins(&p);
    free(p.jobs);
    free(p.keys);
}
