#include "sim/experiment/slurm/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "sim/experiment/command.h"
#include "sim/experiment/slurm/slurm_script.h"
#include "sim/experiment/slurm/slurm_store.h"

#define JOB_PREFIX "evgpu-"
#define NOWHERE    UINT32_MAX
#define GRACE      3.0 /* seconds after which a task that is gone and left nothing is lost */

struct wanted {
    char key[KEY_TEXT];
    char *row, *message;
    char **words; /* until they are submitted */
    enum slurm_state state;
    bool again;
    uint32_t submission, task; /* in the store; NOWHERE */
    double gone;               /* when it was first not in the queue, 0: it is */
};

struct slurm {
    const struct result_store *k;
    struct slurm_settings settings;
    struct store store;
    struct queue queue;
    struct wanted *wanted;
    uint32_t n_wanted, capacity;
    uint32_t collector;
    uint32_t ended, failed;
    int lock;
    bool terminal;
    char reason[48]; /* why nothing runs, as it was last told */
};

static void pause_for(double seconds, const volatile sig_atomic_t *stop)
{
    for (double end = command_seconds() + seconds; !*stop && command_seconds() < end;)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

static bool lock(struct slurm *s, struct error *err)
{
    bool told = false;
    while (flock(s->lock, LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return error_set(err, "%s/slurm/lock: %s", s->store.results, strerror(errno));
        if (*s->settings.stop)
            return error_set(err, "stopped");
        if (!told)
            fprintf(stderr, "another command submits or collects in %s; waiting for it\n",
                    s->store.results);
        told = true;
        pause_for(0.2, s->settings.stop);
    }
    return true;
}

struct slurm *slurm_open(const struct result_store *k, const struct slurm_settings *settings,
                         struct error *err)
{
    char path[PATH_MAX];
    struct slurm *s = ALLOC(struct slurm);
    *s = (struct slurm){
        .k = k, .settings = *settings, .lock = -1, .terminal = isatty(STDERR_FILENO)};
    bool ok = snprintf(path, sizeof path, "%s/slurm", settings->results) < PATH_MAX - 8;
    ok =
        ok ? make_folder(path, err) : error_set(err, "%s: the name is too long", settings->results);
    strcat(path, "/lock");
    if (ok && (s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) < 0)
        ok = error_set(err, "%s: %s", path, strerror(errno));
    if (ok && lock(s, err) && store_open(&s->store, settings->results, err))
        return s;
    slurm_close(s);
    return NULL;
}

void slurm_close(struct slurm *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        if (s->wanted[i].words)
            free_words(s->wanted[i].words);
        free(s->wanted[i].words);
        free(s->wanted[i].row);
        free(s->wanted[i].message);
    }
    free(s->wanted);
    store_close(&s->store);
    queue_free(&s->queue);
    if (s->lock >= 0)
        close(s->lock);
    free(s);
}

static struct wanted *find(const struct slurm *s, const char *key)
{
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        if (!strcmp(s->wanted[i].key, key))
            return &s->wanted[i];
    }
    return NULL;
}

void slurm_want(struct slurm *s, const char *key, const char *row, char *const *words, bool again)
{
    if (find(s, key))
        return;
    uint32_t n = 0;
    while (words[n])
        n++;
    ARRAY_RESERVE(s->wanted, s->n_wanted, s->capacity);
    struct wanted *w = &s->wanted[s->n_wanted++];
    *w = (struct wanted){.row = alloc_string(row), .again = again, .submission = NOWHERE};
    strcpy(w->key, key);
    w->words = ALLOC_ARRAY(char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        w->words[i] = alloc_string(words[i]);
}

enum slurm_state slurm_state(const struct slurm *s, const char *key, const char **message)
{
    const struct wanted *w = find(s, key);
    *message = w && w->message ? w->message : "";
    return w ? w->state : SLURM_UNKNOWN;
}

/* Where every wanted one is: in its queue, else in the latest submission that has it. */
static void locate(struct slurm *s)
{
    for (uint32_t i = 0; i < s->n_wanted; i++)
        s->wanted[i].submission = NOWHERE;
    for (uint32_t u = 0; u < s->store.count; u++) {
        const struct submission *now = &s->store.submissions[u];
        for (uint32_t t = 0; t < now->n_tasks; t++) {
            struct wanted *w = find(s, now->tasks[t].key);
            if (!w)
                continue;
            const struct submission *old =
                w->submission == NOWHERE ? NULL : &s->store.submissions[w->submission];
            if (old && !now->tasks[t].live &&
                (old->tasks[w->task].live || strcmp(old->id, now->id) > 0))
                continue;
            w->submission = u;
            w->task = t;
        }
    }
}

static bool is_live(const struct slurm *s, const struct wanted *w)
{
    return w->submission != NOWHERE && s->store.submissions[w->submission].tasks[w->task].live;
}

static void say(struct wanted *w, const struct error *message)
{
    free(w->message);
    w->message = alloc_string(message->text);
}

/* The state of one that is not in the queue; `patient`: it may still leave something. */
static void settle(struct slurm *s, struct wanted *w, bool patient)
{
    struct error message = {0};
    const struct submission *u = &s->store.submissions[w->submission];
    switch (store_outcome(&s->store, s->k, u, w->task, &message)) {
    case OUTCOME_KEPT:
        w->state = SLURM_ENDED;
        return;
    case OUTCOME_FAILED:
        break;
    case OUTCOME_NONE:
        w->gone = w->gone > 0.0 ? w->gone : command_seconds();
        if (patient && command_seconds() - w->gone < GRACE)
            return;
        store_lost(&s->store, u, w->task, &message);
        break;
    }
    w->state = SLURM_FAILED;
    say(w, &message);
}

bool slurm_look(struct slurm *s, struct error *err)
{
    if (!s->store.count)
        return true;
    if (!queue_read(&s->queue, JOB_PREFIX, err))
        return false;
    store_mark(&s->store, &s->queue);
    locate(s);
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        struct wanted *w = &s->wanted[i];
        if (is_live(s, w))
            w->state = SLURM_LIVE;
        else if (w->submission != NOWHERE)
            settle(s, w, false);
    }
    return true;
}

/* What has no use any more: nothing of it waits or runs, and every result of it is kept or, where
 * this command submits again, wanted. */
static void tidy(struct slurm *s, bool submits)
{
    for (uint32_t i = 0; i < s->store.count;) {
        struct submission *u = &s->store.submissions[i];
        bool needed = false;
        for (uint32_t t = 0; t < u->n_tasks && !needed; t++) {
            struct error err = {0};
            needed =
                u->tasks[t].live || (!(submits && find(s, u->tasks[t].key)) &&
                                     store_outcome(&s->store, s->k, u, t, &err) != OUTCOME_KEPT);
        }
        if (needed)
            i++;
        else
            store_remove(&s->store, u);
    }
    locate(s);
}

/* How many are to be submitted. Names those that earlier submissions left without a result. */
static uint32_t choose(struct slurm *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        struct wanted *w = &s->wanted[i];
        if (w->state == SLURM_LIVE || (w->state == SLURM_ENDED && !w->again))
            continue;
        if (w->state == SLURM_FAILED)
            fprintf(stderr, "FAILED %s: %s; it is submitted again\n", w->row, w->message);
        w->state = SLURM_UNKNOWN;
        n++;
    }
    return n;
}

/* The next `most` that are to be submitted, as tasks. */
static struct slurm_task *take(struct slurm *s, uint32_t most, uint32_t *n)
{
    struct slurm_task *tasks = ALLOC_ARRAY(struct slurm_task, most);
    *n = 0;
    for (uint32_t i = 0; i < s->n_wanted && *n < most; i++) {
        struct wanted *w = &s->wanted[i];
        if (w->state != SLURM_UNKNOWN || !w->words)
            continue;
        struct slurm_task *t = &tasks[(*n)++];
        strcpy(t->key, w->key);
        t->row = alloc_string(w->row);
        t->words = w->words;
        w->words = NULL;
        w->state = SLURM_LIVE;
    }
    return tasks;
}

/* An sbatch that reports an error may have been heard all the same. */
static bool was_heard(struct slurm *s, struct submission *u)
{
    if (!queue_read(&s->queue, JOB_PREFIX, NULL))
        return false;
    store_mark(&s->store, &s->queue);
    return u->job != 0;
}

/* Kept results of simulations that are run again: away before their tasks begin, or back where they
 * were because there is no array. */
static void move_kept(const struct slurm *s, const struct submission *u, bool away)
{
    char kept[PATH_MAX], aside[PATH_MAX];
    for (uint32_t t = 0; t < u->n_tasks; t++) {
        result_store_path(s->k, u->tasks[t].key, "json", kept);
        result_store_path(s->k, u->tasks[t].key, "before", aside);
        rename(away ? kept : aside, away ? aside : kept);
    }
}

static void forget_kept(const struct slurm *s, const struct submission *u)
{
    char aside[PATH_MAX];
    for (uint32_t t = 0; t < u->n_tasks; t++) {
        result_store_path(s->k, u->tasks[t].key, "before", aside);
        unlink(aside);
    }
}

static bool submit_array(struct slurm *s, uint32_t most, struct error *err)
{
    uint32_t n;
    struct slurm_task *tasks = take(s, most, &n);
    struct submission *u = store_add(&s->store, tasks, n, err);
    if (!u)
        return false;
    struct error refused = {0};
    move_kept(s, u, true);
    if (!script_submit_array(&s->store, u, s->k, &s->settings, &u->job, &refused) &&
        !was_heard(s, u)) {
        move_kept(s, u, false);
        store_remove(&s->store, u);
        return error_set(err, "%s", refused.text);
    }
    forget_kept(s, u);
    fprintf(stderr, "job %u: %u simulation%s submitted\n", u->job, n, n == 1 ? "" : "s");
    return store_write_jobs(&s->store, u, err);
}

/* Arrays that wanted ones wait or run in. */
static uint32_t live_arrays(const struct slurm *s, uint32_t *jobs)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < s->store.count; u++) {
        bool waits = false;
        for (uint32_t i = 0; i < s->n_wanted; i++)
            waits = waits || (s->wanted[i].submission == u && s->wanted[i].state == SLURM_LIVE);
        if (waits && s->store.submissions[u].job)
            jobs[n++] = s->store.submissions[u].job;
    }
    return n;
}

/* The job that makes the tables, behind every array that has something for them. */
static bool submit_collector(struct slurm *s, struct error *err)
{
    uint32_t *jobs = ALLOC_ARRAY(uint32_t, s->store.count + 1);
    uint32_t n = live_arrays(s, jobs);
    bool ok = true;
    if (n > 0) {
        struct submission *u = &s->store.submissions[0];
        for (uint32_t i = 1; i < s->store.count; i++) /* the latest */
            u = strcmp(s->store.submissions[i].id, u->id) > 0 ? &s->store.submissions[i] : u;
        ok = script_submit_collector(&s->store, u, s->k, &s->settings, jobs, &s->collector, err);
        if (ok) {
            u->collect = s->collector;
            fprintf(stderr, "job %u: makes the tables after all simulations\n", s->collector);
            ok = store_write_jobs(&s->store, u, err);
        }
    }
    free(jobs);
    return ok;
}

bool slurm_submit_wanted(struct slurm *s, struct error *err)
{
    uint32_t most = 0;
    struct error refused = {0};
    if (!s->n_wanted)
        return true;
    if (!slurm_array_size(&most, err) || !slurm_look(s, err))
        return false;
    uint32_t left = choose(s), live = 0;
    for (uint32_t i = 0; i < s->n_wanted; i++)
        live += s->wanted[i].state == SLURM_LIVE;
    if (live)
        fprintf(stderr, "%u simulation%s in Slurm's queue already\n", live,
                live == 1 ? " is" : "s are");
    tidy(s, true);
    bool ok = true;
    while (left > 0 && ok && !*s->settings.stop) {
        uint32_t n = left < most ? left : most;
        ok = submit_array(s, n, &refused);
        left -= n;
        live += ok ? n : 0;
    }
    locate(s);
    ok = ok && (*s->settings.stop || submit_collector(s, &refused));
    if (ok)
        return true;
    return error_set(err, "%s%s", refused.text,
                     live ? "; submitted simulations continue, and the same command resumes" : "");
}

static void clear_line(const struct slurm *s)
{
    if (s->terminal)
        fprintf(stderr, "\r%79s\r", "");
}

static double kept_seconds(const struct slurm *s, const struct wanted *w)
{
    char path[PATH_MAX];
    result_store_path(s->k, w->key, "json", path);
    json_t *json = json_load_file(path, 0, NULL);
    double seconds = json_number_value(json_object_get(json, "wall_s"));
    json_decref(json);
    return seconds;
}

static void show_end(struct slurm *s, const struct wanted *w)
{
    s->ended++;
    s->failed += w->state == SLURM_FAILED;
    clear_line(s);
    fprintf(stderr, "[%u/%u] %s: ", s->ended, s->n_wanted, w->row);
    if (w->state == SLURM_FAILED)
        fprintf(stderr, "FAILED: %s\n", w->message);
    else
        fprintf(stderr, "%.1f s\n", kept_seconds(s, w));
}

/* Why the first of our tasks waits, while none runs. */
static const char *waiting_reason(const struct slurm *s)
{
    for (uint32_t e = 0; e < s->queue.count; e++) {
        const struct queue_entry *q = &s->queue.entries[e];
        if (q->live && !strcmp(q->state, "PENDING") && q->task != UINT32_MAX)
            return q->reason;
    }
    return "";
}

static void show_progress(struct slurm *s, uint32_t live)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        const struct wanted *w = &s->wanted[i];
        running += is_live(s, w) && s->store.submissions[w->submission].tasks[w->task].running;
    }
    const char *reason = running ? "" : waiting_reason(s);
    if (s->terminal)
        fprintf(stderr, "\r%.20s: %u of %u ended, %u failed; %u run, %u wait %.20s  ",
                s->settings.name, s->ended, s->n_wanted, s->failed, running, live - running,
                reason);
    else if (*reason && strcmp(reason, s->reason) != 0 && strcmp(reason, "None") != 0)
        fprintf(stderr, "%u wait: %s\n", live, reason);
    snprintf(s->reason, sizeof s->reason, "%s", reason);
}

/* How many of the wanted ones still wait or run. */
static uint32_t poll_once(struct slurm *s)
{
    uint32_t live = 0;
    struct error err = {0};
    if (!queue_read(&s->queue, JOB_PREFIX, &err)) {
        clear_line(s);
        if (strcmp(s->reason, "squeue") != 0)
            fprintf(stderr, "%s; trying again\n", err.text);
        snprintf(s->reason, sizeof s->reason, "squeue");
        return 1;
    }
    store_mark(&s->store, &s->queue);
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        struct wanted *w = &s->wanted[i];
        if (w->state == SLURM_LIVE && !is_live(s, w)) {
            settle(s, w, true);
            if (w->state != SLURM_LIVE)
                show_end(s, w);
        }
        live += w->state == SLURM_LIVE;
    }
    if (live)
        show_progress(s, live);
    return live;
}

static void say_how_to_go_on(struct slurm *s, uint32_t live)
{
    uint32_t *jobs = ALLOC_ARRAY(uint32_t, s->store.count + 1);
    uint32_t n = live_arrays(s, jobs);
    fprintf(stderr, "%u simulation%s left in Slurm's queue; the same command resumes,", live,
            live == 1 ? " is" : "s are");
    fprintf(stderr, " `scancel");
    for (uint32_t i = 0; i < n; i++)
        fprintf(stderr, " %u", jobs[i]);
    if (s->collector)
        fprintf(stderr, " %u", s->collector);
    fprintf(stderr, "` ends them\n");
    free(jobs);
}

void slurm_wait(struct slurm *s)
{
    uint32_t live = 0;
    double since = command_seconds();
    for (uint32_t i = 0; i < s->n_wanted; i++) {
        live += s->wanted[i].state == SLURM_LIVE;
        s->ended += s->wanted[i].state == SLURM_ENDED;
    }
    flock(s->lock, LOCK_UN);
    while (live && !*s->settings.stop) {
        live = poll_once(s);
        if (live) /* seldom where it takes long: others ask the controller too */
            pause_for(fmin(fmax((command_seconds() - since) / 20.0, 0.3), 10.0), s->settings.stop);
    }
    clear_line(s);
    if (live)
        say_how_to_go_on(s, live);
    else if (s->collector)
        slurm_cancel_waiting(s->collector); /* this command makes the tables */
    if (lock(s, NULL) && !live)
        tidy(s, false);
}
