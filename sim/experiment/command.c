#include "sim/experiment/command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/experiment/result.h"

double command_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void free_words(char **words)
{
    for (uint32_t i = 0; words[i]; i++)
        free(words[i]);
}

bool row_words(const struct experiment *x, uint32_t row, char *words[MAX_WORDS], struct error *err)
{
    struct binding at;
    const struct simulation *s = experiment_row(x, row, &at);
    uint32_t n = 0;
    memset(words, 0, MAX_WORDS * sizeof *words);
    words[n++] = alloc_string(s->command ? s->command : "run");
    for (uint32_t i = 0; i < s->n_options; i++) {
        char key[80], *text;
        if (n + 3 > MAX_WORDS)
            return error_set(err, "more than %d words in a command", MAX_WORDS - 1);
        if (!experiment_fill(x, s->options[i].text, &at, &text, err))
            return false;
        snprintf(key, sizeof key, "--%s", s->options[i].key);
        words[n++] = alloc_string(key);
        if (*text)
            words[n++] = text;
        else
            free(text);
    }
    return true;
}

/* What ends this process in order. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

/* In the child, where they were held: a handler of the parent's would take a signal and end
 * nothing. */
static void take_signals(const sigset_t *before)
{
    struct sigaction action;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(ending[i], SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* In the child: the applications of this build are found by their names. */
static void become(const struct result_store *k, char **words, const char *log)
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

pid_t command_start(const struct result_store *k, char *const *words, const char *key)
{
    char log[PATH_MAX], statistics[PATH_MAX];
    char *argv[MAX_WORDS + 4];
    uint32_t n = 0;
    result_store_own_path(k, key, "log", log);
    result_store_own_path(k, key, "statistics", statistics);
    argv[n++] = (char *)"evgpu";
    for (uint32_t i = 0; words[i] && i < MAX_WORDS; i++)
        argv[n++] = words[i];
    argv[n++] = (char *)"--json";
    argv[n++] = statistics;
    argv[n] = NULL;
    sigset_t before;
    hold_signals(&before);
    pid_t child = fork();
    if (child == 0) {
        take_signals(&before);
        become(k, argv, log);
    }
    if (child > 0)
        setpgid(child, child);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}

bool command_end(const struct result_store *k, const char *key, const char *row, int status,
                 double wall_s, struct error *err)
{
    char message[sizeof err->text];
    bool ok = false;
    if (WIFSIGNALED(status)) {
        error_set(err, "killed by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        result_message(k, key, message, sizeof message);
        error_set(err, "%s", message);
    } else {
        ok = result_keep(k, key, row, wall_s, err);
    }
    result_leave(k, key);
    return ok;
}
