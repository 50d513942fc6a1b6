#include "sim/experiment/slurm/slurm_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

struct text {
    char *bytes;
    size_t count, capacity;
};

/* False at the end of the file. */
static bool read_some(int file, struct text *t)
{
    char part[4096];
    ssize_t n = read(file, part, sizeof part);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    t->bytes = alloc_resize(t->bytes, t->count + (size_t)n + 1, 1);
    memcpy(t->bytes + t->count, part, (size_t)n);
    t->count += (size_t)n;
    t->bytes[t->count] = '\0';
    return true;
}

static void read_both(const int *files, struct text *texts)
{
    struct pollfd wait[2] = {{.fd = files[0], .events = POLLIN},
                             {.fd = files[1], .events = POLLIN}};
    while (wait[0].fd >= 0 || wait[1].fd >= 0) {
        if (poll(wait, 2, -1) < 0 && errno != EINTR)
            return;
        for (uint32_t i = 0; i < 2; i++) {
            if (wait[i].fd >= 0 && wait[i].revents && !read_some(files[i], &texts[i]))
                wait[i].fd = -1;
            wait[i].revents = 0;
        }
    }
}

/* In the child: what it prints goes into the pipes. */
static void become(const char *const *words, int out, int err)
{
    int in = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    if (in >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
        execvp(words[0], (char *const *)words);
    _exit(errno == ENOENT ? 127 : 126);
}

/* The last line that says something, without the command's own name in front. */
static void last_line(const char *text, char *line, size_t room)
{
    const char *end = text + strlen(text);
    while (end > text && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    const char *begin = end;
    while (begin > text && begin[-1] != '\n')
        begin--;
    snprintf(line, room, "%.*s", (int)(end - begin), begin);
}

/* What the command printed, of memory of its own; NULL with `err`. */
static char *ask(const char *const *words, struct error *err)
{
    int out[2], errors[2], status = 0;
    struct text texts[2] = {{0}};
    if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC)) {
        error_set(err, "%s: %s", words[0], strerror(errno));
        return NULL;
    }
    pid_t child = fork();
    if (child == 0)
        become(words, out[1], errors[1]);
    close(out[1]);
    close(errors[1]);
    if (child > 0)
        read_both((int[]){out[0], errors[0]}, texts);
    close(out[0]);
    close(errors[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    bool ok = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok && child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        error_set(err,
                  "%s is not found: --slurm needs Slurm's commands; install the Debian package "
                  "slurm-client",
                  words[0]);
    } else if (!ok) {
        char line[512];
        last_line(texts[1].bytes ? texts[1].bytes : "it cannot be run", line, sizeof line);
        error_set(err, "%s%s%s", strncmp(line, words[0], strlen(words[0])) ? words[0] : "",
                  strncmp(line, words[0], strlen(words[0])) ? ": " : "", line);
    }
    free(texts[1].bytes);
    if (!ok) {
        free(texts[0].bytes);
        return NULL;
    }
    return texts[0].bytes ? texts[0].bytes : alloc_string("");
}

bool slurm_array_size(uint32_t *tasks, struct error *err)
{
    static const char *const words[] = {"scontrol", "show", "config", NULL};
    static const char key[] = "MaxArraySize";
    char *text = ask(words, err);
    if (!text)
        return false;
    const char *line = strstr(text, key);
    *tasks =
        line ? (uint32_t)strtoul(line + strlen(key) + strspn(line + strlen(key), " ="), NULL, 10)
             : 0;
    free(text);
    return *tasks > 0 || error_set(err, "this Slurm accepts no job arrays (MaxArraySize = 0)");
}

bool slurm_submit(const char *const *words, uint32_t *job, struct error *err)
{
    char *text = ask(words, err), *end;
    if (!text)
        return false;
    *job = (uint32_t)strtoul(text, &end, 10);
    bool ok = *job > 0 && (*end == '\n' || *end == '\0');
    if (!ok)
        error_set(
            err,
            "sbatch answers '%.*s' instead of a job number; does it submit to another cluster?",
            (int)strcspn(text, "\n"), text);
    free(text);
    return ok;
}

void slurm_cancel_waiting(uint32_t job)
{
    char number[16];
    snprintf(number, sizeof number, "%u", job);
    free(ask((const char *const[]){"scancel", "--state=PENDING", number, NULL}, NULL));
}

static bool has_ended(const char *state)
{
    static const char *const ends[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                       "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                       "REVOKED",   "TIMEOUT"};
    for (uint32_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (!strcmp(state, ends[i]))
            return true;
    }
    return false;
}

/* "JOB|TASK|STATE|REASON|NAME" */
static bool parse_entry(const char *line, struct queue_entry *e)
{
    char task[24];
    if (sscanf(line, "%u|%23[^|]|%23[^|]|%47[^|]|%159[^\n]", &e->job, task, e->state, e->reason,
               e->name) != 5)
        return false;
    char *end;
    unsigned long number = strtoul(task, &end, 10);
    e->task = *end ? UINT32_MAX : (uint32_t)number;
    e->live = !has_ended(e->state);
    e->running = !strcmp(e->state, "RUNNING");
    return true;
}

bool queue_read(struct queue *q, const char *prefix, struct error *err)
{
    char user[24];
    snprintf(user, sizeof user, "--user=%u", (unsigned)getuid());
    const char *const words[] = {
        "squeue", "--noheader", "--array", "--states=all", user, "--format=%F|%K|%T|%r|%j", NULL};
    char *text = ask(words, err), *rest = text, *line;
    if (!text)
        return false;
    q->count = 0;
    while ((line = strsep(&rest, "\n"))) {
        struct queue_entry e;
        if (!parse_entry(line, &e) || strncmp(e.name, prefix, strlen(prefix)) != 0)
            continue;
        ARRAY_RESERVE(q->entries, q->count, q->capacity);
        q->entries[q->count++] = e;
    }
    free(text);
    return true;
}

void queue_free(struct queue *q)
{
    free(q->entries);
    *q = (struct queue){0};
}
