#include "sw/cuda/nvcc/command.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/cuda/nvcc/options.h"

/* The signal handlers need it, so it is not in struct options. */
static char temporary_folder[4096];

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    remove(path);
    return 0;
}

void leave_clean(void)
{
    if (*temporary_folder)
        nftw(temporary_folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    *temporary_folder = 0;
}

/* The tools get the signal too, being in the same group: nothing more is started. */
static void on_signal(int number)
{
    leave_clean();
    signal(number, SIG_DFL);
    raise(number);
}

char *temporary(const struct options *options, const char *name)
{
    static unsigned made;
    if (options->keep) {
        const char *folder = options->keep_folder ? options->keep_folder : ".";
        if (options->keep_folder && mkdir(folder, 0777) && errno != EEXIST)
            fatal("cannot create directory %s: %s", folder, strerror(errno));
        return text("%s/%s", folder, name);
    }
    if (options->dry_run)
        return text("/tmp/nvcc/%u-%s", made++, name);
    if (!*temporary_folder) {
        const char *where = getenv("TMPDIR");
        snprintf(temporary_folder, sizeof temporary_folder, "%s/nvcc-XXXXXX",
                 where && *where ? where : "/tmp");
        if (!mkdtemp(temporary_folder)) {
            char *path = text("%s", temporary_folder);
            *temporary_folder = 0;
            fatal("cannot create a directory for temporary files like %s: %s", path,
                  strerror(errno));
        }
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        signal(SIGHUP, on_signal);
        signal(SIGPIPE, on_signal); /* nobody reads the messages to their end: nvcc ... | head */
    }
    return text("%s/%u-%s", temporary_folder, made++, name);
}

/* A word as a shell would need it. */
static void print_word(const char *word)
{
    if (*word && !strpbrk(word, " \t\n\"'\\$`&|;<>()*?[]#~!{}")) {
        fputs(word, stderr);
        return;
    }
    fputc('\'', stderr);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*word, stderr);
    }
    fputc('\'', stderr);
}

static void print_command(const struct list *words)
{
    fputs("#$ ", stderr);
    for (size_t i = 0; i < words->count; i++) {
        if (i)
            fputc(' ', stderr);
        print_word(words->at[i]);
    }
    fputc('\n', stderr);
}

/* Starts the command, with stderr into `pipe` and standard output into `output`, unless NULL. */
static pid_t start(const struct list *words, const int *pipe, const char *output)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fatal("cannot start %s: %s", words->at[0], strerror(errno));
    if (child)
        return child;
    if (pipe) {
        dup2(pipe[1], STDERR_FILENO);
        close(pipe[0]);
        close(pipe[1]);
    }
    int file = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        dup2(file, STDOUT_FILENO);
        close(file);
    }
    execvp(words->at[0], (char *const *)(void *)words->at);
    fprintf(stderr, "nvcc fatal   : cannot run %s: %s\n", words->at[0], strerror(errno));
    _exit(127);
}

static int status_of(pid_t child, const char *name)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            fatal("cannot wait for %s: %s", name, strerror(errno));
    }
    return status;
}

static void finish(pid_t child, const char *name)
{
    int status = status_of(child, name);
    if (WIFEXITED(status) && !WEXITSTATUS(status))
        return;
    leave_clean();
    if (WIFSIGNALED(status))
        fprintf(stderr, "nvcc error   : '%s' died due to signal %d\n", name, WTERMSIG(status));
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void command_run(const struct options *options, const struct list *words)
{
    if (options->verbose || options->dry_run)
        print_command(words);
    if (!options->dry_run)
        finish(start(words, NULL, NULL), words->at[0]);
}

/* The process, all of whose lines have been read. */
static pid_t run_filtered(const struct list *words, const char *output,
                          void (*line)(char *text, void *context), void *context)
{
    int ends[2];
    if (pipe(ends))
        fatal("cannot create a pipe: %s", strerror(errno));
    pid_t child = start(words, ends, output);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    if (!from)
        fatal("cannot read from %s: %s", words->at[0], strerror(errno));
    char *read = NULL;
    size_t room = 0;
    while (getline(&read, &room, from) > 0)
        line(read, context);
    free(read);
    fclose(from);
    return child;
}

void command_run_filtered(const struct options *options, const struct list *words,
                          const char *output, void (*line)(char *text, void *context),
                          void *context)
{
    if (options->verbose || options->dry_run)
        print_command(words);
    if (!options->dry_run)
        finish(run_filtered(words, output, line, context), words->at[0]);
}

bool command_try(const struct options *options, const struct list *words, const char *output,
                 void (*line)(char *text, void *context), void *context)
{
    if (options->verbose || options->dry_run)
        print_command(words);
    return options->dry_run || !status_of(run_filtered(words, output, line, context), words->at[0]);
}
