#include "sim/guest/program/host/settle.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

/* All in milliseconds of real time. */
#define POLL_MS       100  /* between two looks at a process that is running */
#define STEADY_MS     2    /* asleep for so long, and not woken meanwhile: it sleeps */
#define SPIN_LIMIT_MS 2000 /* of processor time and sleep together, beside a thread in a call */
#define DEADLOCK_MS   3000 /* all threads asleep on futexes without a time limit */

/* Microseconds of real time between two looks at threads that are on their way. */
#define RESTLESS_US 200
/* While nothing is expected of the process; a cycle of blocks without time takes about a
 * millisecond. */
#define LOOK_CYCLES  200000u
#define LOOK_UNTIMED 200u

/* --- tasks of the operating system ------------------------------------------------------------ */

/* Processor time of a task, in ms; 0 when it has ended. */
static uint64_t used_ms(pid_t pid, pid_t tid)
{
    char path[64], line[512];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)tid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    const char *behind_name = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    if (behind_name)
        sscanf(behind_name, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system);
    return (uint64_t)(user + system) * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

static struct program_task *task_of(struct program *p, pid_t pid, pid_t tid)
{
    struct program_settle *s = &p->settle;
    for (uint32_t i = 0; i < s->n_tasks; i++) {
        if (s->tasks[i].pid == pid && s->tasks[i].tid == tid)
            return &s->tasks[i];
    }
    ARRAY_RESERVE(s->tasks, s->n_tasks, s->cap_tasks);
    struct program_task *task = &s->tasks[s->n_tasks++];
    uint64_t used = used_ms(pid, tid), now = process_now_ms();
    *task = (struct program_task){.pid = pid,
                                  .tid = tid,
                                  .since_ms = now,
                                  .since_used_ms = used,
                                  .begun_used_ms = used,
                                  .looked_ms = now};
    return task;
}

/* State letter and number of times that the task has gone to sleep; false when it has ended. */
static bool read_status(pid_t pid, pid_t tid, char *state, uint64_t *switches)
{
    char path[64], line[128];
    bool has_switches = false;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)tid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    *state = 'R';
    *switches = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned long long n;
        if (!strncmp(line, "State:", 6))
            sscanf(line + 6, " %c", state);
        else if (sscanf(line, "voluntary_ctxt_switches: %llu", &n) == 1) {
            *switches = n;
            has_switches = true;
        }
    }
    fclose(file);
    return has_switches && *state != 'Z' && *state != 'X';
}

enum sleep_kind { SLEEP_UNKNOWN, SLEEP_TIMED, SLEEP_FUTEX };

/* What a sleeping task waits for: a clock, a futex without a time limit, or something else. */
static enum sleep_kind sleep_kind(const struct program_task *task)
{
    char path[64], line[256];
    unsigned long long args[4] = {0};
    long number = -1;
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", (int)task->pid, (int)task->tid);
    FILE *file = fopen(path, "r");
    if (!file)
        return SLEEP_UNKNOWN;
    bool read =
        fgets(line, sizeof line, file) && sscanf(line, "%ld %llx %llx %llx %llx", &number, &args[0],
                                                 &args[1], &args[2], &args[3]) == 5;
    fclose(file);
#if defined(__x86_64__)
    enum { CALL_NANOSLEEP = 35, CALL_FUTEX = 202, CALL_CLOCK_NANOSLEEP = 230 };
    if (read && (number == CALL_NANOSLEEP || number == CALL_CLOCK_NANOSLEEP))
        return SLEEP_TIMED;
    if (read && number == CALL_FUTEX)
        return args[3] ? SLEEP_TIMED : SLEEP_FUTEX;
#endif
    (void)read;
    return SLEEP_UNKNOWN;
}

/* It has made a call, or waited for another thread: its patience begins anew. */
static void begin_patience(struct program_task *task, uint64_t used)
{
    task->slept_ms = 0;
    task->begun_used_ms = used;
}

/* A thread that polls sleeps again and again, and no single sleep is long. */
static void count_sleep(struct program_task *task, bool asleep, uint64_t now)
{
    uint64_t ms = now - task->looked_ms;
    if (asleep && task->dozes)
        task->slept_ms += ms < POLL_MS ? ms : POLL_MS;
    task->dozes = asleep;
    task->looked_ms = now;
}

/* Brings the record of a task up to date; `calls`: that it has made. */
static void look_at_task(struct program_task *task, uint32_t calls)
{
    char state = 'R';
    uint64_t switches = 0, now = process_now_ms();
    task->seen = read_status(task->pid, task->tid, &state, &switches);
    if (!task->seen)
        return;
    bool asleep = state != 'R' && state != 'D'; /* what waits for a disk is on its way */
    uint64_t used = asleep ? 0 : used_ms(task->pid, task->tid);
    if (used < task->since_used_ms) /* asleep, or just ended */
        used = task->since_used_ms;
    if (calls != task->calls)
        begin_patience(task, used);
    task->calls = calls;
    if (asleep != task->asleep || (asleep && switches != task->switches)) {
        task->asleep = asleep;
        task->switches = switches;
        task->since_ms = now;
        task->since_used_ms = used;
        task->steady = task->patient = false;
    }
    task->steady = task->steady || (asleep && now - task->since_ms >= STEADY_MS);
    if (task->patient)
        return;
    /* Only another thread ends a wait on a futex, and then this one is no longer asleep. */
    enum sleep_kind kind = asleep ? sleep_kind(task) : SLEEP_UNKNOWN;
    count_sleep(task, asleep && kind != SLEEP_FUTEX, now);
    if (task->steady && kind != SLEEP_TIMED)
        begin_patience(task, used);
    task->patient = task->slept_ms + used - task->begun_used_ms >= SPIN_LIMIT_MS ||
                    kind == SLEEP_FUTEX || (task->steady && kind != SLEEP_TIMED);
}

/* --- all of them ------------------------------------------------------------------------------ */

struct census {
    uint32_t waiting, outside, restless; /* tasks in a call, others, others to be waited for */
    bool futexes; /* all of `outside` sleep on futexes, and have for DEADLOCK_MS */
};

static bool look_at_tasks(struct program *p, pid_t pid, struct census *census)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        pid_t tid = (pid_t)atoi(entry->d_name);
        const struct host_thread *t = tid ? threads_find(p, pid, tid) : NULL;
        if (!tid)
            continue;
        if (t && t->state != HOST_RUNNING) {
            census->waiting++;
            continue;
        }
        struct program_task *task = task_of(p, pid, tid);
        look_at_task(task, t ? t->calls : 0);
        if (!task->seen)
            continue;
        census->outside++;
        census->restless += !task->patient;
        census->futexes = census->futexes && task->steady &&
                          process_now_ms() - task->since_ms >= DEADLOCK_MS &&
                          sleep_kind(task) == SLEEP_FUTEX;
    }
    closedir(folder);
    return true;
}

static void forget_tasks(struct program *p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->settle.n_tasks; i++) {
        if (p->settle.tasks[i].seen)
            p->settle.tasks[kept++] = p->settle.tasks[i];
    }
    p->settle.n_tasks = kept;
}

/* Whether no thread before this one is of the same process. */
static bool is_first_of_process(const struct program *p, uint32_t index)
{
    const struct host_thread *t = threads_at(p, index);
    for (uint32_t i = 0; i < index; i++) {
        const struct host_thread *other = threads_at(p, i);
        if (other->state != HOST_GONE && other->pid == t->pid)
            return false;
    }
    return t->state != HOST_GONE && t->pid;
}

static void take_census(struct program *p, struct census *census)
{
    *census = (struct census){.futexes = true};
    for (uint32_t i = 0; i < p->settle.n_tasks; i++)
        p->settle.tasks[i].seen = false;
    for (uint32_t i = 0; i < threads_count(p); i++) {
        if (is_first_of_process(p, i))
            look_at_tasks(p, threads_at(p, i)->pid, census);
    }
    forget_tasks(p);
}

/* The common case, for the price of one system call: every task of every process is in a call. */
static bool all_in_calls(const struct program *p)
{
    pid_t pid = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < threads_count(p); i++) {
        const struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_GONE)
            continue;
        if (t->state == HOST_RUNNING || (pid && t->pid != pid))
            return false;
        pid = t->pid;
        n++;
    }
    char path[32];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return n && pid && stat(path, &info) == 0 && info.st_nlink == n + 2;
}

/* Something will happen in simulated time: a call goes on, or work is under way. */
static bool time_matters(const struct program *p)
{
    if (commands_outstanding(p))
        return !values_stuck(p);
    for (uint32_t i = 0; i < threads_count(p); i++) {
        const struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_ASKING ||
            (t->state == HOST_WAITING && t->request.op != WIRE_NEXT_FUNCTION))
            return true;
    }
    return false;
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* Nobody of the program is left to go on. */
static bool deadlocked(const struct program *p, const struct census *census, struct error *err)
{
    bool stuck = values_stuck(p);
    if (!census->futexes || (!census->outside && !stuck))
        return false;
    if (census->outside)
        threads_signal(p, SIGTERM);
    if (stuck)
        values_describe(p, err);
    else
        error_set(err,
                  "deadlock: all %u threads of %s wait for each other outside the library, and the "
                  "GPU has no work left",
                  census->outside, p->name);
    return true;
}

bool settle_wait(struct program *p, struct error *err)
{
    struct census census = {0};
    struct notice notice = notice_begin();
    p->settle.unsettled = false;
    process_receive(p, 0);
    while (!process_exited(p) && !machine_stopped(p->machine)) {
        if (failure_patience_over(p)) {
            process_end(p);
            break;
        }
        bool matters = time_matters(p);
        if (matters && all_in_calls(p))
            break;
        int ms = POLL_MS;
        if (threads_any_open(p)) {
            take_census(p, &census);
            bool may_pass = matters && threads_any_in_call(p) && !census.restless;
            if (may_pass)
                break;
            if (!matters && deadlocked(p, &census, err))
                return false;
            ms = matters && threads_any_in_call(p) ? 0 : POLL_MS;
            if (!ms)
                usleep(RESTLESS_US);
        }
        process_receive(p, ms);
        notice_look(p, &notice);
    }
    p->settle.looked = machine_cycle(p->machine);
    return true;
}

void settle_look(struct program *p, int ms)
{
    process_receive(p, ms);
    p->settle.looked = machine_cycle(p->machine);
}

void settle_again(struct program *p)
{
    p->settle.unsettled = true;
}

bool settle_needed(const struct program *p)
{
    return p->settle.unsettled;
}

uint64_t settle_next_look(const struct program *p)
{
    bool untimed = gpu_runs_untimed(machine_gpu(p->machine));
    return p->settle.looked + (untimed ? LOOK_UNTIMED : LOOK_CYCLES);
}

void settle_clear(struct program *p)
{
    p->settle.n_tasks = 0;
}

void settle_free(struct program *p)
{
    free(p->settle.tasks);
}
