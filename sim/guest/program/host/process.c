#include "sim/guest/program/host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"
#include "sw/cuda/socket.h"

#define END_PATIENCE_MS  2000 /* of real time, from SIGTERM to SIGKILL */
#define MAX_WORDS        256
#define CHANNELS_AT_ONCE 64 /* taken from the control channel between two looks at the others */

uint64_t process_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void process_init(struct program *p, const struct program_options *options)
{
    struct program_process *q = &p->process;
    q->command = options->command ? alloc_string(options->command) : NULL;
    q->library = options->client_library ? alloc_string(options->client_library) : NULL;
    q->applications = options->applications ? alloc_string(options->applications) : NULL;
    q->silent = options->silent;
    q->control = p->attached ? options->control : -1;
}

void process_free(struct program *p)
{
    free(p->process.command);
    free(p->process.library);
    free(p->process.applications);
}

/* --- starting --------------------------------------------------------------------------------- */

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
    if (executable_is_plain(command)) {
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
static void hide_output(bool errors)
{
    int nothing = open("/dev/null", O_WRONLY);
    if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
        (errors && dup2(nothing, STDERR_FILENO) < 0))
        _exit(126);
}

bool process_start(struct program *p, struct error *err)
{
    int ends[2];
    char number[16];
    if (p->attached)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        return error_set(err, "cannot create a socket: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    p->process.control = ends[0];
    fflush(NULL);
    p->process.child = fork();
    if (p->process.child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        snprintf(number, sizeof number, "%d", ends[1]);
        setenv(WIRE_CONTROL_ENV, number, 1);
        append_path("LD_LIBRARY_PATH", p->process.library);
        append_path("PATH", p->process.applications);
        if (p->process.silent || measure_completions(p) + repeat_completed(p))
            hide_output(p->process.silent);
        become_program(p->process.command);
    }
    close(ends[1]);
    if (p->process.child < 0) {
        p->process.child = 0;
        return error_set(err, "cannot start a process: %s", strerror(errno));
    }
    return true;
}

void process_reset(struct program *p)
{
    p->process.child = 0;
    p->process.exited = p->process.reaped = p->process.killed = false;
}

/* A program that has started us is known by the file it runs. */
void process_take_title(struct program *p, pid_t pid)
{
    char *title = p->process.title, link[40], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
    ssize_t n = p->attached && !title[0] ? readlink(link, path, sizeof path - 1) : 0;
    if (n <= 0)
        return;
    path[n] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(title, sizeof p->process.title, "%.60s", slash ? slash + 1 : path);
    if (guest_timeline(p->guest))
        guest_timeline_title(p->guest, title);
}

/* --- messages --------------------------------------------------------------------------------- */

static void take_status(struct program *p, int status)
{
    struct program_process *q = &p->process;
    int number = status - WIRE_SIGNAL;
    q->status = status;
    if (number > 0 && number < NSIG)
        snprintf(q->death, sizeof q->death, "was killed by signal %d (%s)", number,
                 strsignal(number));
}

/* An attached program says which signal ends it. */
static void take_signal(struct program *p, uint8_t status)
{
    if (status > WIRE_SIGNAL)
        take_status(p, status);
}

static void look_at_control(struct program *p)
{
    bool closed = false;
    for (int i = 0; i < CHANNELS_AT_ONCE && p->process.control >= 0 && !closed; i++) {
        char what = 0;
        int fd = socket_take_fd(p->process.control, &what, &closed);
        if (fd < 0 && !closed && p->attached)
            take_signal(p, (uint8_t)what);
        if (fd < 0)
            break;
        if (what == WIRE_LIFE_LINE)
            lives_join(p, lives_owner(fd), fd);
        else
            thread_add(p, fd);
    }
    if (closed && p->attached && !threads_any_open(p))
        p->process.exited = true;
}

static void reap(struct program *p, int options)
{
    struct program_process *q = &p->process;
    int status = 0;
    if (q->reaped || !q->child || waitpid(q->child, &status, options) != q->child)
        return;
    q->reaped = true;
    q->killed = WIFSIGNALED(status);
    /* A status above 128 is a shell's way to report a signal. */
    take_status(p, WIFSIGNALED(status) ? WIRE_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status));
}

void process_receive(struct program *p, int ms)
{
    uint32_t n = 0, lives = lives_count(p);
    struct pollfd *fds = ALLOC_ARRAY(struct pollfd, threads_count(p) + LIFE_POLLS * lives + 1);
    struct host_thread **who = ALLOC_ARRAY(struct host_thread *, threads_count(p) + 1);
    fds[n++] = (struct pollfd){.fd = p->process.control, .events = POLLIN};
    for (uint32_t i = 0; i < threads_count(p); i++) {
        struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_GONE || t->state == HOST_ASKING)
            continue;
        who[n] = t;
        fds[n++] = (struct pollfd){.fd = t->fd, .events = POLLIN};
    }
    lives_watch(p, fds + n);
    if (poll(fds, n + LIFE_POLLS * lives, ms) > 0) {
        for (uint32_t i = 1; i < n; i++) {
            if (fds[i].revents)
                thread_receive(who[i]);
        }
        lives_look(p, fds + n);
        if (fds[0].revents)
            look_at_control(p);
        if ((fds[0].revents & POLLHUP) && p->process.child)
            usleep(1000); /* its end is near */
    }
    free(fds);
    free(who);
    reap(p, WNOHANG);
    if (p->process.killed) { /* what it has started is not waited for */
        threads_close_all(p);
        lives_end(p);
    }
    if (p->process.reaped && !threads_any_open(p) && !lives_count(p))
        p->process.exited = true;
}

/* --- the end ---------------------------------------------------------------------------------- */

static void stop_child(struct program *p)
{
    if (!p->process.child || p->process.reaped)
        return;
    kill(p->process.child, SIGTERM);
    for (uint64_t since = process_now_ms();
         !p->process.reaped && process_now_ms() - since < END_PATIENCE_MS;) {
        reap(p, WNOHANG);
        if (!p->process.reaped)
            usleep(1000);
    }
    if (!p->process.reaped) {
        kill(p->process.child, SIGKILL);
        reap(p, 0);
    }
}

void process_over(struct program *p)
{
    p->process.exited = true;
}

void process_end(struct program *p)
{
    threads_close_all(p);
    stop_child(p);
    lives_end(p);
    if (p->process.control >= 0)
        close(p->process.control);
    p->process.control = -1;
    p->process.exited = true;
}

void process_dismiss(struct program *p)
{
    threads_signal(p, SIGKILL);
    process_end(p);
    p->process.status = 0;
    p->process.death[0] = '\0';
}

/* --- questions -------------------------------------------------------------------------------- */

const char *process_title(const struct program *p)
{
    return p->process.title[0] ? p->process.title : p->name;
}

bool process_exited(const struct program *p)
{
    return p->process.exited;
}

int process_status(const struct program *p)
{
    return p->process.status;
}

const char *process_death(const struct program *p)
{
    return p->process.death[0] ? p->process.death : NULL;
}
