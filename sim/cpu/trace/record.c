#include "sim/cpu/trace/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/compressed_output.h"
#include "sim/cpu/trace/record_code.h"
#include "sim/cpu/trace/record_hold.h"

enum {
    TEXT_BYTES = 256 * 1024,
    PIPE_BYTES = 1024 * 1024,
    BATCH = 256,
    EXIT_NOT_STARTED = 127,
    LOOK_MS = 20
};

/* lackey writes each line by itself: a reader that is asleep meanwhile need not be woken for each.
 */
static const struct timespec pause_for_more = {.tv_nsec = 2000000};

struct recorder {
    const struct cpu_record_options *options;
    struct cpu_record_result *result;
    struct compressed_output *output;
    struct process_code *code;
    struct exit_hold process; /* valgrind with the program, whose code is read from its memory */
    int from;                 /* what lackey says */
    struct cpu_instruction current; /* its accesses are being read */
    uint32_t size;                  /* of it in bytes; 0: there is none yet */
    struct cpu_instruction batch[BATCH];
    uint32_t batched;
    char text[TEXT_BYTES];
    size_t held; /* bytes of text without their line's end */
};

/* --- instructions ------------------------------------------------------------------------------
 */

static bool flush(struct recorder *r, struct error *err)
{
    bool ok = compressed_output_write(r->output, r->batch, r->batched * sizeof *r->batch, err);
    r->result->kept += r->batched;
    r->batched = 0;
    return ok;
}

/* The current instruction is complete; the next one's address tells whether a branch was taken. */
static bool end_instruction(struct recorder *r, uint64_t next, struct error *err)
{
    if (!r->size)
        return true;
    bool kept = r->result->executed++ >= r->options->skip;
    if (!kept)
        return true;
    if (!process_code_decode(r->code, r->size, &r->current))
        r->result->undecoded++;
    r->current.taken = r->current.branch && next && next != r->current.ip + r->size;
    r->batch[r->batched++] = r->current;
    return r->batched < BATCH || flush(r, err);
}

static void add_access(struct recorder *r, uint64_t *places, uint32_t n, uint64_t address)
{
    uint32_t i = 0;
    while (i < n && places[i])
        i++;
    if (i < n)
        places[i] = address;
    else
        r->result->dropped += r->result->executed >= r->options->skip;
}

static bool enough(const struct recorder *r)
{
    return r->result->kept + r->batched >= r->options->keep;
}

/* --- lackey's lines: "I  ADDRESS,SIZE", " L ADDRESS,SIZE", " S ..", " M .." ----------------------
 */

static uint64_t hex(const char **text)
{
    uint64_t v = 0;
    for (;; (*text)++) {
        uint32_t c = (uint8_t) * *text, digit = c - '0';
        if (digit > 9)
            digit = (c | 32) - 'a' < 6 ? (c | 32) - 'a' + 10 : 99;
        if (digit == 99)
            return v;
        v = v << 4 | digit;
    }
}

static bool take_line(struct recorder *r, const char *line, struct error *err)
{
    bool instruction = line[0] == 'I' && line[1] == ' ';
    char what = instruction ? 'I' : line[0] == ' ' ? line[1] : 0;
    if (!what || !strchr("ILSM", what))
        return true; /* valgrind's own words */
    const char *p = line + 3;
    uint64_t address = hex(&p);
    if (*p != ',')
        return true;
    if (instruction) {
        if (!end_instruction(r, address, err))
            return false;
        r->current = (struct cpu_instruction){.ip = address};
        r->size = (uint32_t)strtoul(p + 1, NULL, 10);
        return true;
    }
    if (what != 'S')
        add_access(r, r->current.load, CPU_LOADS, address);
    if (what != 'L')
        add_access(r, r->current.store, CPU_STORES, address);
    return true;
}

/* The lines that have come; the rest of the last one is kept. */
static bool take_text(struct recorder *r, size_t n, struct error *err)
{
    char *line = r->text, *end = r->text + n, *newline;
    while ((newline = memchr(line, '\n', (size_t)(end - line))) && !enough(r)) {
        *newline = '\0';
        if (!take_line(r, line, err))
            return false;
        line = newline + 1;
    }
    r->held = (size_t)(end - line);
    if (r->held == TEXT_BYTES)
        r->held = 0; /* no line of lackey's is that long */
    memmove(r->text, line, r->held);
    return true;
}

static bool interrupted(const struct recorder *r, struct error *err)
{
    return error_set(err, "%s: interrupted", r->options->path);
}

/* Waits for text; false: no more comes. What a process at its exit has written is in the pipe. */
static bool text_comes(struct recorder *r)
{
    struct pollfd wait = {.fd = r->from, .events = POLLIN};
    int ready = 0;
    bool all_written = false;
    while (ready <= 0 && !all_written && !*r->options->stop) {
        all_written = exit_hold_look(&r->process);
        ready = poll(&wait, 1, all_written ? 0 : LOOK_MS);
    }
    return ready > 0;
}

static bool take_all(struct recorder *r, struct error *err)
{
    while (!enough(r)) {
        bool more = text_comes(r);
        if (*r->options->stop)
            return interrupted(r, err);
        ssize_t got = !more ? 0 : read(r->from, r->text + r->held, TEXT_BYTES - r->held);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(err, "valgrind's output: %s", strerror(errno));
        if (!got) {
            r->result->ended = true;
            return end_instruction(r, 0, err);
        }
        if (!take_text(r, r->held + (size_t)got, err))
            return false;
        if (got < TEXT_BYTES / 4)
            nanosleep(&pause_for_more, NULL);
    }
    return true;
}

/* --- the process -------------------------------------------------------------------------------
 */

/* The file that a shell would start; free() it. NULL: there is none. */
static char *find_program(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) ? NULL : alloc_string(name);
    const char *path = getenv("PATH");
    char *list = alloc_string(path ? path : "/usr/bin:/bin"), *rest = list, *folder, *found = NULL;
    while (!found && (folder = strsep(&rest, ":"))) {
        size_t room = strlen(folder) + strlen(name) + 2;
        char *file = alloc_array(room, 1);
        snprintf(file, room, "%s/%s", *folder ? folder : ".", name);
        if (access(file, X_OK))
            free(file);
        else
            found = file;
    }
    free(list);
    return found;
}

static _Noreturn void become_valgrind(const char *valgrind, int to, char *const *program)
{
    char log[32];
    uint32_t n = 0;
    while (program[n])
        n++;
    const char **args = ALLOC_ARRAY(const char *, n + 6);
    snprintf(log, sizeof log, "--log-fd=%d", to);
    args[0] = "valgrind";
    args[1] = "--tool=lackey";
    args[2] = "--trace-mem=yes";
    args[3] = "--basic-counts=no";
    args[4] = log;
    memcpy(args + 5, program, n * sizeof *args);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(valgrind, (char *const *)(uintptr_t)args);
    _exit(EXIT_NOT_STARTED);
}

static bool start(struct recorder *r, struct error *err)
{
    int ends[2], held[2]; /* the program waits until it is held */
    char byte;
    char *valgrind = find_program("valgrind"), *program = find_program(r->options->program[0]);
    bool ok = (valgrind ||
               error_set(err, "valgrind is not installed; install the Debian package valgrind")) &&
              (program || error_set(err, "%s: no such program", r->options->program[0])) &&
              ((!pipe(ends) && !pipe(held)) || error_set(err, "pipe: %s", strerror(errno)));
    if (ok) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            close(held[1]);
            while (read(held[0], &byte, 1) < 0 && errno == EINTR)
                continue;
            close(held[0]);
            become_valgrind(valgrind, ends[1], r->options->program);
        }
        if (child > 0)
            exit_hold_attach(&r->process, child);
        close(held[0]);
        close(held[1]);
        close(ends[1]);
        fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* a smaller one is slower */
        r->from = ends[0];
        ok = child > 0 || error_set(err, "fork: %s", strerror(errno));
    }
    free(valgrind);
    free(program);
    return ok;
}

/* How the program ended, once everything it did has been read. */
static bool check_end(const struct recorder *r, int status, struct error *err)
{
    const char *name = r->options->program[0];
    unsigned long long n = r->result->executed;
    if (!r->result->ended)
        return true;
    /* A terminal interrupts the program as well. */
    if (*r->options->stop)
        return interrupted(r, err);
    if (WIFSIGNALED(status))
        return error_set(err, "%s was killed by signal %d after %llu instructions", name,
                         WTERMSIG(status), n);
    if (WEXITSTATUS(status))
        return error_set(err, "%s ended with status %d after %llu instructions", name,
                         WEXITSTATUS(status), n);
    if (!r->result->kept)
        return error_set(err, "%s ended after %llu instructions, before --skip %llu", name, n,
                         (unsigned long long)r->options->skip);
    return true;
}

static bool record(struct recorder *r, struct error *err)
{
    r->code = process_code_open(r->process.pid);
    bool ok = take_all(r, err) && flush(r, err);
    process_code_close(r->code);
    close(r->from);
    if (!r->result->ended)
        kill(r->process.pid, SIGKILL);
    exit_hold_finish(&r->process);
    return ok && check_end(r, r->process.status, err);
}

bool cpu_record(const struct cpu_record_options *options, struct cpu_record_result *result,
                struct error *err)
{
    struct recorder *r = ALLOC(struct recorder);
    *result = (struct cpu_record_result){0};
    r->options = options;
    r->result = result;
    r->output = compressed_output_open(options->path, err);
    bool ok = r->output && start(r, err) && record(r, err);
    if (ok)
        ok = compressed_output_finish(r->output, err);
    else if (r->output)
        compressed_output_abandon(r->output);
    free(r);
    return ok;
}
