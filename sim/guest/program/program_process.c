/* The process of a program: starting it, waiting for its threads, noticing its end. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

/* All in milliseconds of real time. */
#define POLL_MS         100   /* between two looks at a process that is running */
#define STEADY_MS       2     /* asleep for so long, and not woken meanwhile: it sleeps */
#define SPIN_LIMIT_MS   2000  /* computing for so long beside a thread in a call */
#define DEADLOCK_MS     3000  /* all threads asleep on futexes without a time limit */
#define END_PATIENCE_MS 2000  /* from SIGTERM to SIGKILL */
#define FAILED_MS       20000 /* in which a program may end whose work on the GPU has failed */
#define MAX_WORDS       256
#define RESTLESS_US     200     /* between two looks at threads that are on their way */
#define LOOK_CYCLES     200000u /* while nothing is expected of the process */

uint64_t process_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- starting
 * --------------------------------------------------------------------------------------- */

static void append_path(const char *variable, const char *folder)
{
    const char *old = getenv(variable);
    char *path = NULL;
    if (!folder)
        return;
    if (asprintf(&path, "%s%s%s", old && *old ? old : "", old && *old ? ":" : "", folder) > 0)
        setenv(variable, path, 1);
}

/* Plain words need no shell between us and the program. */
static void become_program(const char *command)
{
    if (!strpbrk(command, "|&;<>()$`\\\"'*?[#~=%\n")) {
        char *words[MAX_WORDS + 1];
        int n = 0;
        char *copy = strdup(command);
        for (char *word = strtok(copy, " \t"); word && n < MAX_WORDS; word = strtok(NULL, " \t"))
            words[n++] = word;
        words[n] = NULL;
        if (n)
            execvp(words[0], words);
        dprintf(STDERR_FILENO, "evgpu: %s: %s\n", n ? words[0] : "--program",
                n ? strerror(errno) : "no command");
        _exit(127);
    }
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* A repetition has nothing to say that the first one has not said. */
static void hide_output(void)
{
    int nothing = open("/dev/null", O_WRONLY);
    if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0)
        _exit(126);
}

bool process_start(struct program *p, struct error *err)
{
    int ends[2];
    char number[16];
    if (p->attached)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        return error_set(err, "cannot make a socket: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    p->control = ends[0];
    fflush(NULL);
    p->child = fork();
    if (p->child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        snprintf(number, sizeof number, "%d", ends[1]);
        setenv(WIRE_CONTROL_ENV, number, 1);
        append_path("LD_LIBRARY_PATH", p->library);
        append_path("PATH", p->applications);
        if (p->measure.completions + p->repeat.completed)
            hide_output();
        become_program(p->command);
    }
    close(ends[1]);
    if (p->child < 0) {
        p->child = 0;
        return error_set(err, "cannot start a process: %s", strerror(errno));
    }
    return true;
}

/* --- the end
 * ------------------------------------------------------------------------------------------ */

static void reap(struct program *p, int options)
{
    int status = 0;
    if (p->reaped || !p->child || waitpid(p->child, &status, options) != p->child)
        return;
    p->reaped = true;
    if (WIFSIGNALED(status)) {
        p->status = 128 + WTERMSIG(status);
        snprintf(p->death, sizeof p->death, "was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        p->status = WEXITSTATUS(status);
        if (p->status > 128 && p->status < 128 + NSIG) /* a shell's way to say it */
            snprintf(p->death, sizeof p->death, "was ended by signal %d (%s)", p->status - 128,
                     strsignal(p->status - 128));
    }
}

void process_close(struct program *p, struct host_thread *t)
{
    if (t->state == HOST_GONE)
        return;
    close(t->fd);
    t->fd = -1;
    if (t->has_driver_thread && t->state == HOST_RUNNING) { /* idle: for the next thread */
        ARRAY_RESERVE(p->free_driver_threads, p->n_free_driver_threads, p->cap_free_driver_threads);
        p->free_driver_threads[p->n_free_driver_threads++] = t->driver_thread;
    }
    t->state = HOST_GONE;
    t->resume = NULL;
    t->ready = NULL;
    if (t->function) { /* it ended within a host function */
        struct command *c = t->function;
        t->function = NULL;
        command_work_done(c, machine_cycle(p->machine));
    }
    for (struct command *c = p->commands; c; c = c->next) {
        if (c->thread == t)
            c->thread = NULL;
    }
    free(t->payload);
    t->payload = NULL;
}

static bool any_channel(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        if (p->threads[i]->state != HOST_GONE)
            return true;
    }
    return false;
}

static void new_thread(struct program *p, int fd)
{
    struct host_thread *t = ALLOC(struct host_thread);
    t->program = p;
    t->fd = fd;
    t->number = p->n_threads;
    t->wake = CYCLE_NEVER;
    t->clock = machine_cycle(p->machine);
    ARRAY_RESERVE(p->threads, p->n_threads, p->cap_threads);
    p->threads[p->n_threads++] = t;
}

static void look_at_control(struct program *p)
{
    bool closed = false;
    while (p->control >= 0 && !closed) {
        int fd = channel_accept(p->control, &closed);
        if (fd < 0)
            break;
        new_thread(p, fd);
    }
    if (closed && p->attached && !any_channel(p))
        p->exited = true;
}

static void look_at_thread(struct program *p, struct host_thread *t)
{
    if (t->state != HOST_RUNNING) {
        process_close(p, t); /* nobody speaks while it waits: this is the end */
        return;
    }
    if (!channel_request(t)) {
        process_close(p, t);
        return;
    }
    if (t->request.op == WIRE_HELLO) {
        t->pid = (pid_t)t->request.a[0];
        t->tid = (pid_t)t->request.a[1];
    }
    uint64_t now = machine_cycle(p->machine);
    if (t->clock < now)
        t->clock = now;
    t->clock += host_cycles(p, t->request.host_ns);
    t->state = HOST_ASKING;
}

/* Takes what the channels hold, waiting up to `ms` for the first thing. */
static void look(struct program *p, int ms)
{
    uint32_t n = 0;
    struct pollfd *fds = ALLOC_ARRAY(struct pollfd, p->n_threads + 1);
    struct host_thread **who = ALLOC_ARRAY(struct host_thread *, p->n_threads + 1);
    fds[n++] = (struct pollfd){.fd = p->control, .events = POLLIN};
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct host_thread *t = p->threads[i];
        if (t->state == HOST_GONE || t->state == HOST_ASKING)
            continue;
        who[n] = t;
        fds[n++] = (struct pollfd){.fd = t->fd, .events = POLLIN};
    }
    if (poll(fds, n, ms) > 0) {
        for (uint32_t i = 1; i < n; i++) {
            if (fds[i].revents)
                look_at_thread(p, who[i]);
        }
        if (fds[0].revents)
            look_at_control(p);
        if ((fds[0].revents & POLLHUP) && p->child)
            usleep(1000); /* its end is near */
    }
    free(fds);
    free(who);
    reap(p, WNOHANG);
    if (p->reaped && !any_channel(p))
        p->exited = true;
}

void process_look(struct program *p, int ms)
{
    look(p, ms);
    p->next_look = machine_cycle(p->machine) + LOOK_CYCLES;
}

static void stop_child(struct program *p)
{
    if (!p->child || p->reaped)
        return;
    kill(p->child, SIGTERM);
    for (uint64_t since = process_now_ms();
         !p->reaped && process_now_ms() - since < END_PATIENCE_MS;) {
        reap(p, WNOHANG);
        if (!p->reaped)
            usleep(1000);
    }
    if (!p->reaped) {
        kill(p->child, SIGKILL);
        reap(p, 0);
    }
}

void process_end(struct program *p)
{
    for (uint32_t i = 0; i < p->n_threads; i++)
        process_close(p, p->threads[i]);
    stop_child(p);
    if (p->control >= 0)
        close(p->control);
    p->control = -1;
    p->exited = true;
}

/* --- which threads are to be waited for
 * ------------------------------------------------------------------ */

static struct host_thread *thread_of(const struct program *p, pid_t pid, pid_t tid)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct host_thread *t = p->threads[i];
        if (t->state != HOST_GONE && t->pid == pid && t->tid == tid)
            return t;
    }
    return NULL;
}

static struct task *task_of(struct program *p, pid_t pid, pid_t tid)
{
    for (uint32_t i = 0; i < p->n_tasks; i++) {
        if (p->tasks[i].pid == pid && p->tasks[i].tid == tid)
            return &p->tasks[i];
    }
    ARRAY_RESERVE(p->tasks, p->n_tasks, p->cap_tasks);
    struct task *task = &p->tasks[p->n_tasks++];
    *task = (struct task){.pid = pid, .tid = tid, .since_ms = process_now_ms()};
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
static enum sleep_kind sleep_kind(const struct task *task)
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

/* Brings the record of a task up to date. */
static void look_at_task(struct task *task)
{
    char state = 'R';
    uint64_t switches = 0, now = process_now_ms();
    task->seen = read_status(task->pid, task->tid, &state, &switches);
    if (!task->seen)
        return;
    bool asleep = state != 'R';
    if (asleep != task->asleep || (asleep && switches != task->switches)) {
        task->asleep = asleep;
        task->switches = switches;
        task->since_ms = now;
        task->steady = task->patient = false;
    }
    uint64_t ms = now - task->since_ms;
    task->steady = task->steady || (asleep && ms >= STEADY_MS);
    if (task->patient)
        return;
    /* Only another thread ends a wait on a futex, and then this one is no longer asleep. */
    enum sleep_kind kind = asleep ? sleep_kind(task) : SLEEP_UNKNOWN;
    task->patient = ms >= SPIN_LIMIT_MS || (asleep && kind == SLEEP_FUTEX) ||
                    (task->steady && kind != SLEEP_TIMED);
}

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
        const struct host_thread *t = tid ? thread_of(p, pid, tid) : NULL;
        if (!tid)
            continue;
        if (t && t->state != HOST_RUNNING) {
            census->waiting++;
            continue;
        }
        struct task *task = task_of(p, pid, tid);
        look_at_task(task);
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
    for (uint32_t i = 0; i < p->n_tasks; i++) {
        if (p->tasks[i].seen)
            p->tasks[kept++] = p->tasks[i];
    }
    p->n_tasks = kept;
}

static void take_census(struct program *p, struct census *census)
{
    *census = (struct census){.futexes = true};
    for (uint32_t i = 0; i < p->n_tasks; i++)
        p->tasks[i].seen = false;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        bool first = p->threads[i]->state != HOST_GONE;
        for (uint32_t k = 0; k < i && first; k++)
            first = p->threads[k]->state == HOST_GONE || p->threads[k]->pid != p->threads[i]->pid;
        if (first && p->threads[i]->pid)
            look_at_tasks(p, p->threads[i]->pid, census);
    }
    forget_tasks(p);
}

/* The common case, for the price of one system call: every task of every process is in a call. */
static bool all_in_calls(const struct program *p)
{
    pid_t pid = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const struct host_thread *t = p->threads[i];
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
    if (p->outstanding)
        return true;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const struct host_thread *t = p->threads[i];
        if (t->state == HOST_ASKING ||
            (t->state == HOST_WAITING && t->request.op != WIRE_NEXT_FUNCTION))
            return true;
    }
    return false;
}

static bool waits_in_call(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        if (p->threads[i]->state == HOST_ASKING || p->threads[i]->state == HOST_WAITING)
            return true;
    }
    return false;
}

/* Threads that wait for each other cannot be told anything any more. */
static void end_threads(const struct program *p, int signal_number)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        if (p->threads[i]->state != HOST_GONE && p->threads[i]->pid)
            kill(p->threads[i]->pid, signal_number);
    }
}

void process_kill(struct program *p)
{
    end_threads(p, SIGKILL);
    process_end(p);
}

bool process_settle(struct program *p, struct error *err)
{
    struct census census = {0};
    look(p, 0);
    while (!p->exited && !machine_stopped(p->machine)) {
        if (p->failure && process_now_ms() - p->failed_at_ms > FAILED_MS) {
            process_end(p);
            break;
        }
        bool matters = time_matters(p);
        if (matters && all_in_calls(p))
            break;
        int ms = POLL_MS;
        if (any_channel(p)) {
            take_census(p, &census);
            bool may_pass = matters && waits_in_call(p) && !census.restless;
            if (may_pass)
                break;
            if (!matters && census.outside && census.futexes) {
                end_threads(p, SIGTERM);
                return error_set(err,
                                 "deadlock: all %u threads of %s wait for each other outside the "
                                 "library, and nothing is left to do on the GPU",
                                 census.outside, p->name);
            }
            ms = matters && waits_in_call(p) ? 0 : POLL_MS;
            if (!ms)
                usleep(RESTLESS_US);
        }
        look(p, ms);
    }
    p->next_look = machine_cycle(p->machine) + LOOK_CYCLES;
    return true;
}
