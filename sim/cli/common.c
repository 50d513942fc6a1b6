#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/threads/team.h"
#include "sim/cli/cli.h"

int complain(int status, const struct error *err)
{
    fprintf(stderr, "evgpu: %s\n", err->text);
    return status;
}

/* As in a file, a key has one value. */
static bool all_different(const struct machine_choice *choice, struct error *err)
{
    for (uint32_t i = 1; i < choice->n_overrides; i++) {
        const char *text = choice->overrides[i];
        size_t n = strcspn(text, "=");
        for (uint32_t k = 0; k < i; k++) {
            if (!strncmp(choice->overrides[k], text, n + 1))
                return error_set(err, "--set %.*s: given twice, as %s and %s", (int)n, text,
                                 choice->overrides[k], text);
        }
    }
    return true;
}

bool parse_threads(const char *what, const char *text, uint32_t *threads, struct error *err)
{
    uint64_t n = 0;
    cpu_set_t set;
    if (!strcmp(text, "auto")) {
        n = sched_getaffinity(0, sizeof set, &set) ? 1 : (uint64_t)CPU_COUNT(&set);
        n = n < TEAM_THREADS ? n : TEAM_THREADS;
    } else if (!parse_whole(what, text, TEAM_THREADS, &n, err)) {
        return false;
    }
    *threads = (uint32_t)n;
    return n != 0 || error_set(err, "%s: must be auto, or 1 to %u", what, TEAM_THREADS);
}

bool parse_native(const char *text, enum native_when *when, struct error *err)
{
    static const char *const names[] = {
        [NATIVE_LATER] = "auto", [NATIVE_NEVER] = "off", [NATIVE_FIRST] = "first"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(text, names[i])) {
            *when = (enum native_when)i;
            return true;
        }
    }
    return error_set(err, "--native: must be auto, first or off");
}

static bool choose_threads(const struct machine_choice *choice, uint32_t *threads,
                           struct error *err)
{
    const char *text = getenv("EVGPU_THREADS");
    *threads = choice->threads ? choice->threads : 1;
    return choice->threads || !text || !*text || parse_threads("EVGPU_THREADS", text, threads, err);
}

bool load_machine(const struct machine_choice *choice, struct machine_config *config,
                  struct error *err)
{
    char path[PATH_MAX];
    if (!*choice->config_name)
        return error_set(err, "the name of the machine's file is empty");
    if (!find_data(choice->config_name, "config", path, sizeof path))
        return error_set(err, "%s: no such configuration file, nor config/%s", choice->config_name,
                         choice->config_name);
    if (!config_load(config, path, err))
        return false;
    if (!all_different(choice, err))
        return false;
    for (uint32_t i = 0; i < choice->n_overrides; i++) {
        const char *option = choice->options[i] ? choice->options[i] : "--set";
        if (!config_override_by(config, option, choice->overrides[i], err))
            return false;
    }
    if (!choose_threads(choice, &config->threads, err))
        return false;
    if (config_check(config, err))
        return true;
    error_prefix(err, "%s", path);
    return false;
}

static bool find_backend(const char *text, enum tile_backend *backend)
{
    static const char *const names[] = {"verilator", "model", "lockstep"};
    for (uint32_t i = 0; i < 3; i++) {
        if (!strcmp(text, names[i])) {
            *backend = (enum tile_backend)i;
            return true;
        }
    }
    return false;
}

bool parse_backend(const char *text, enum tile_backend *backend, struct error *err)
{
    return find_backend(text, backend) ||
           error_set(err, "--tiles %s: must be verilator, model or lockstep", text);
}

bool parse_tiles(const char *text, enum tile_backend *backend, const char **port, struct error *err)
{
    static const char serial[] = "serial:", mixed[] = "serial+verilator:";
    *backend = !strncmp(text, serial, strlen(serial)) ? TILE_SERIAL : TILE_MIXED;
    if (*backend == TILE_MIXED && strncmp(text, mixed, strlen(mixed)) != 0)
        return find_backend(text, backend) ||
               error_set(err,
                         "--tiles %s: must be verilator, model, lockstep, serial:PORT[@BAUD], "
                         "serial:eth:INTERFACE or serial+verilator:PORT",
                         text);
    *port = strchr(text, ':') + 1;
    return **port ? true : error_set(err, "--tiles serial: needs a port, as serial:/dev/ttyUSB0");
}

/* --- standard streams, signals --------------------------------------------------------------- */

static void close_standard_output(int status, void *unused)
{
    struct error err = {0};
    (void)unused;
    if (!output_close_standard(&err)) {
        complain(EXIT_FAILED, &err);
        _exit(status ? status : EXIT_FAILED);
    }
}

/* A handler, which a program that is started does not inherit, as it would SIG_IGN. */
static void on_size_limit(int number)
{
    (void)number;
}

void guard_outputs(void)
{
    struct sigaction action = {.sa_handler = on_size_limit};
    while (fcntl(STDERR_FILENO, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0 ||
           fcntl(STDIN_FILENO, F_GETFD) < 0) {
        if (open("/dev/null", O_RDONLY) < 0) /* the lowest one: writing to it fails */
            break;
    }
    sigaction(SIGXFSZ, &action, NULL);
    on_exit(close_standard_output, NULL);
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

const volatile sig_atomic_t *catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    return &interrupted;
}

double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint64_t peak_memory_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss / 1024;
}

void progress_start(struct progress *p, const char *what)
{
    p->what = what;
    p->start = wall_seconds();
    p->last = p->start;
    p->terminal = isatty(STDERR_FILENO);
    p->shown = false;
    p->kernel = 0;
}

/* ", kernel srad 43 %, 12 s left": of programs no more is known than the blocks of the kernel at
 * work. */
static void describe_kernel(struct progress *p, const struct run_target *target, double now,
                            char *text, size_t room)
{
    double share = 0;
    uint32_t id = 0;
    const char *name = target->current ? target->current(target->self, &share, &id) : NULL;
    text[0] = '\0';
    if (!name)
        return;
    if (id + 1 != p->kernel) {
        p->kernel = id + 1;
        p->kernel_since = now;
        p->kernel_share = share;
    }
    double done = share - p->kernel_share;
    int n = snprintf(text, room, ", kernel %.40s %.0f %%", name, 100 * share);
    if (done > 0 && n > 0 && (size_t)n < room)
        snprintf(text + n, room - (size_t)n, ", %.0f s left",
                 (now - p->kernel_since) * (1 - share) / done);
}

/* ", 43 %, 12 s left"; the time when every guest's end is known. */
static void describe_share(const struct progress *p, const struct run_target *target, double now,
                           char *text, size_t room)
{
    bool whole = false;
    double share = target->share ? target->share(target->self, &whole) : -1;
    text[0] = '\0';
    if (share >= 0 && whole && share > 0)
        snprintf(text, room, ", %.0f %%, %.0f s left", 100 * share,
                 (now - p->start) * (1 - share) / share);
    else if (share >= 0)
        snprintf(text, room, ", %.0f %%", 100 * share);
}

void progress_update(void *user, const struct run_target *target)
{
    struct progress *p = user;
    double now = wall_seconds();
    if (now - p->last < (p->terminal ? 0.5 : 5.0))
        return;
    p->last = now;
    p->shown = true;
    char share[128];
    uint64_t cycle = target->cycle(target->self);
    describe_share(p, target, now, share, sizeof share);
    if (!*share)
        describe_kernel(p, target, now, share, sizeof share);
    fprintf(stderr, "%s%s: cycle %llu, %.0f kcycle/s%s%s", p->terminal ? "\r" : "", p->what,
            (unsigned long long)cycle, (double)cycle / (now - p->start) / 1000.0, share,
            p->terminal ? "   " : "\n");
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->shown && p->terminal)
        fprintf(stderr, "\r%79s\r", "");
}
