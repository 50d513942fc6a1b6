#include "sim/experiment/slurm/slurm_store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

void store_path(const struct store *s, const struct submission *u, const char *file,
                char path[PATH_MAX])
{
    int n = snprintf(path, PATH_MAX, "%s/slurm/%s%s%s", s->results, u ? u->id : "", file ? "/" : "",
                     file ? file : "");
    if (n >= PATH_MAX) /* store_open has left room */
        path[0] = '\0';
}

static void free_tasks(struct slurm_task *tasks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t w = 0; tasks[i].words && tasks[i].words[w]; w++)
            free(tasks[i].words[w]);
        free(tasks[i].words);
        free(tasks[i].row);
    }
    free(tasks);
}

static bool read_task(const json_t *json, struct slurm_task *t)
{
    const char *key = json_string_value(json_object_get(json, "key"));
    const char *row = json_string_value(json_object_get(json, "row"));
    const json_t *words = json_object_get(json, "command");
    if (!key || strlen(key) + 1 != KEY_TEXT || !row || !json_array_size(words))
        return false;
    strcpy(t->key, key);
    t->row = alloc_string(row);
    t->words = ALLOC_ARRAY(char *, json_array_size(words) + 1);
    for (size_t w = 0; w < json_array_size(words); w++) {
        const char *word = json_string_value(json_array_get(words, w));
        if (!word)
            return false;
        t->words[w] = alloc_string(word);
    }
    return true;
}

static bool read_tasks(const struct store *s, struct submission *u)
{
    char path[PATH_MAX];
    store_path(s, u, "tasks.json", path);
    json_t *json = json_load_file(path, 0, NULL);
    const json_t *tasks = json_object_get(json, "tasks");
    u->n_tasks = (uint32_t)json_array_size(tasks);
    u->tasks = ALLOC_ARRAY(struct slurm_task, u->n_tasks + 1);
    bool ok = u->n_tasks > 0;
    for (uint32_t i = 0; i < u->n_tasks && ok; i++)
        ok = read_task(json_array_get(tasks, i), &u->tasks[i]);
    json_decref(json);
    return ok;
}

static void read_jobs(const struct store *s, struct submission *u)
{
    char path[PATH_MAX];
    store_path(s, u, "job", path);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%u %u", &u->job, &u->collect) < 1)
        u->job = 0;
    if (file)
        fclose(file);
}

bool store_write_jobs(const struct store *s, const struct submission *u, struct error *err)
{
    char path[PATH_MAX], text[32];
    store_path(s, u, "job", path);
    int n = snprintf(text, sizeof text, "%u %u\n", u->job, u->collect);
    return write_file(path, text, (size_t)n, err);
}

static struct submission *append(struct store *s, const char *id)
{
    ARRAY_RESERVE(s->submissions, s->count, s->capacity);
    struct submission *u = &s->submissions[s->count++];
    *u = (struct submission){0};
    snprintf(u->id, sizeof u->id, "%s", id);
    return u;
}

bool store_open(struct store *s, const char *results, struct error *err)
{
    char folder[PATH_MAX];
    *s = (struct store){0};
    if (!realpath(results, s->results))
        return error_set(err, "%s: %s", results, strerror(errno));
    if (strlen(s->results) + 2 * SUBMISSION_ID > sizeof s->results)
        return error_set(err, "%s: the name is too long", results);
    store_path(s, NULL, NULL, folder);
    DIR *all = opendir(folder);
    for (struct dirent *e; all && (e = readdir(all));) {
        if (e->d_name[0] == '.' || strlen(e->d_name) + 1 > SUBMISSION_ID ||
            !strcmp(e->d_name, "lock"))
            continue;
        struct submission *u = append(s, e->d_name);
        if (read_tasks(s, u))
            read_jobs(s, u);
        else
            store_remove(s, u);
    }
    if (all)
        closedir(all);
    return true;
}

void store_close(struct store *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        free_tasks(s->submissions[i].tasks, s->submissions[i].n_tasks);
    free(s->submissions);
    *s = (struct store){0};
}

static bool write_tasks(const struct store *s, const struct submission *u, struct error *err)
{
    char path[PATH_MAX], folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder))
        return error_set(err, "the working directory: %s", strerror(errno));
    json_t *tasks = json_array();
    for (uint32_t i = 0; i < u->n_tasks; i++) {
        json_t *words = json_array();
        for (uint32_t w = 0; u->tasks[i].words[w]; w++)
            json_array_append_new(words, json_string(u->tasks[i].words[w]));
        json_array_append_new(tasks, json_pack("{s:s, s:s, s:o}", "key", u->tasks[i].key, "row",
                                               u->tasks[i].row, "command", words));
    }
    json_t *json =
        json_pack("{s:s, s:s, s:o}", "folder", folder, "results", s->results, "tasks", tasks);
    store_path(s, u, "tasks.json", path);
    bool ok = json && json_array_size(tasks) == u->n_tasks
                  ? write_json(path, json, err)
                  : error_set(err, "a command or folder is not UTF-8: it cannot be submitted");
    json_decref(json);
    return ok;
}

struct submission *store_add(struct store *s, struct slurm_task *tasks, uint32_t n,
                             struct error *err)
{
    char id[SUBMISSION_ID], path[PATH_MAX];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(id, sizeof id, "%llx%05lx-%x", (unsigned long long)now.tv_sec,
             (unsigned long)now.tv_nsec >> 10, (unsigned)getpid());
    struct submission *u = append(s, id);
    u->tasks = tasks;
    u->n_tasks = n;
    store_path(s, u, NULL, path);
    if (make_folder(path, err) && write_tasks(s, u, err))
        return u;
    store_remove(s, u);
    return NULL;
}

void store_remove(struct store *s, struct submission *u)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    store_path(s, u, NULL, folder);
    DIR *files = opendir(folder);
    for (struct dirent *e; files && (e = readdir(files));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlink(path);
    }
    if (files)
        closedir(files);
    rmdir(folder);
    free_tasks(u->tasks, u->n_tasks);
    *u = s->submissions[--s->count];
}

static bool ends_with(const char *name, const char *id)
{
    size_t n = strlen(name), m = strlen(id);
    return n > m && name[n - m - 1] == '-' && !strcmp(name + n - m, id);
}

void store_mark(struct store *s, const struct queue *q)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct submission *u = &s->submissions[i];
        for (uint32_t t = 0; t < u->n_tasks; t++)
            u->tasks[t].live = u->tasks[t].running = false;
        for (uint32_t e = 0; e < q->count; e++) {
            const struct queue_entry *entry = &q->entries[e];
            if (entry->task >= u->n_tasks || !ends_with(entry->name, u->id))
                continue;
            u->job = entry->job;
            u->tasks[entry->task].live = entry->live;
            u->tasks[entry->task].running = entry->running;
        }
    }
}

/* The folder is read again, not what a network file system remembers of it. */
static bool is_there(const char *folder, const char *file)
{
    bool found = false;
    DIR *files = opendir(folder);
    for (struct dirent *e; files && !found && (e = readdir(files));)
        found = !strcmp(e->d_name, file);
    if (files)
        closedir(files);
    return found;
}

enum outcome store_outcome(const struct store *s, const struct result_store *k,
                           const struct submission *u, uint32_t index, struct error *message)
{
    char folder[PATH_MAX], file[64], path[PATH_MAX];
    snprintf(file, sizeof file, "%s.json", u->tasks[index].key);
    if (is_there(k->folder, file))
        return OUTCOME_KEPT;
    store_path(s, u, NULL, folder);
    snprintf(file, sizeof file, "%u.failed", index);
    if (!is_there(folder, file))
        return OUTCOME_NONE;
    size_t bytes = 0;
    store_path(s, u, file, path);
    uint8_t *text = read_file(path, &bytes, NULL);
    error_set(message, "%.*s (job %u_%u)", (int)bytes, text ? (const char *)text : "", u->job,
              index);
    free(text);
    return OUTCOME_FAILED;
}

void store_lost(const struct store *s, const struct submission *u, uint32_t index,
                struct error *message)
{
    char path[PATH_MAX], file[64], said[512] = "", *line = NULL;
    size_t room = 0;
    snprintf(file, sizeof file, "%u.out", index);
    store_path(s, u, file, path);
    FILE *out = fopen(path, "r");
    while (out && getline(&line, &room, out) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (*line)
            snprintf(said, sizeof said, "%s", line);
    }
    free(line);
    if (!out && !u->job)
        error_set(message, "its submission was interrupted");
    else if (!out)
        error_set(message,
                  "job %u_%u left nothing in %s/slurm: it was cancelled before it began, or the "
                  "nodes cannot write this folder",
                  u->job, index, s->results);
    else
        error_set(message, "job %u_%u ended without a result: %s", u->job, index,
                  *said ? said : "it was killed");
    if (out)
        fclose(out);
}
