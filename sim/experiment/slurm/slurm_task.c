#include "sim/experiment/slurm/slurm_task.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "sim/experiment/command.h"

struct task {
    struct result_store store;
    const char *key, *row;
    char *words[MAX_WORDS]; /* of the JSON */
    const volatile sig_atomic_t *stop;
};

static bool read_command(struct task *t, const json_t *json, struct error *err)
{
    const json_t *words = json_object_get(json, "command");
    size_t n = json_array_size(words);
    t->key = json_string_value(json_object_get(json, "key"));
    t->row = json_string_value(json_object_get(json, "row"));
    if (!t->key || !t->row || n == 0 || n >= MAX_WORDS)
        return error_set(err, "tasks.json has no command for this task");
    for (size_t w = 0; w < n; w++)
        t->words[w] = (char *)json_string_value(json_array_get(words, w));
    t->words[n] = NULL;
    return true;
}

/* The same words on this node, now, must be the simulation that was submitted. */
static bool is_the_same(const struct task *t, struct error *err)
{
    char key[KEY_TEXT];
    result_store_key(&t->store, (const char *const *)t->words, key);
    return !strcmp(key, t->key) ||
           error_set(err,
                     "%s or a file of this simulation differs from the one submitted; submit it "
                     "again, and share the tree with all nodes",
                     t->store.evgpu);
}

static bool simulate(const struct task *t, struct error *err)
{
    int status = 0;
    double since = command_seconds();
    pid_t child = command_start(&t->store, t->words, t->key), ended = 0;
    if (child < 0)
        return error_set(err, "the host cannot start a process: %s", strerror(errno));
    while (!*t->stop && (ended = waitpid(child, &status, WNOHANG)) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (ended != child) {
        kill(-child, SIGTERM);
        waitpid(child, &status, 0);
    }
    bool ok = command_end(&t->store, t->key, t->row, status, command_seconds() - since, err);
    if (*t->stop && !ok) {
        *err = (struct error){0};
        error_set(err, "ended by SIGTERM: its job was cancelled or reached a limit");
    }
    return ok;
}

static bool run(const json_t *json, unsigned long index, const volatile sig_atomic_t *stop,
                struct error *err)
{
    struct task t = {.stop = stop};
    char kept[PATH_MAX];
    const char *folder = json_string_value(json_object_get(json, "folder"));
    const char *results = json_string_value(json_object_get(json, "results"));
    if (!folder || !results)
        return error_set(err, "tasks.json names no folder");
    if (chdir(folder))
        return error_set(err, "%s: %s", folder, strerror(errno));
    snprintf(kept, sizeof kept, "%s/kept", results);
    return read_command(&t, json_array_get(json_object_get(json, "tasks"), index), err) &&
           result_store_open(&t.store, kept, err) && is_the_same(&t, err) && simulate(&t, err);
}

bool slurm_task_run(const char *folder, const volatile sig_atomic_t *stop, struct error *err)
{
    const char *number = getenv("SLURM_ARRAY_TASK_ID");
    char path[PATH_MAX], failed[PATH_MAX], *end = NULL;
    unsigned long index = number ? strtoul(number, &end, 10) : 0;
    json_error_t wrong;
    if (!number || end == number || *end)
        return error_set(
            err,
            "--slurm-task runs only as a task of a job array: SLURM_ARRAY_TASK_ID is not a number");
    if (snprintf(path, sizeof path, "%s/tasks.json", folder) >= (int)sizeof path - 32)
        return error_set(err, "%s: the name is too long", folder);
    snprintf(failed, sizeof failed, "%s/%lu.failed", folder, index);
    unlink(failed); /* of an earlier try that Slurm has requeued */
    json_t *json = json_load_file(path, 0, &wrong);
    bool ok = json ? run(json, index, stop, err) : error_set(err, "%s: %s", path, wrong.text);
    json_decref(json);
    return ok || (write_file(failed, err->text, strlen(err->text), err), false);
}
