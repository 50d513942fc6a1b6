#include "sim/experiment/result.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* The element at a place, which is digits: a name would be that of no element. */
static const json_t *at_place(const json_t *list, const char *place)
{
    char *end;
    unsigned long at = strtoul(place, &end, 10);
    return *place >= '0' && *place <= '9' && !*end ? json_array_get(list, at) : NULL;
}

/* a.b.c of objects and lists; NULL when there is none. */
static const json_t *at_path(const json_t *json, const char *path)
{
    char word[128];
    while (json && *path) {
        size_t n = strcspn(path, ".");
        snprintf(word, sizeof word, "%.*s", (int)n, path);
        json = json_is_array(json) ? at_place(json, word) : json_object_get(json, word);
        path += n + (path[n] == '.');
    }
    return json;
}

/* False with `err` when the figure is not there. */
static bool find_value(const struct figure *f, const char *source, const json_t *kept,
                       double *result, struct error *err)
{
    const json_t *value = f->printed ? json_object_get(json_object_get(kept, "printed"), source)
                                     : at_path(json_object_get(kept, "statistics"), source);
    *result = json_is_number(value) ? json_number_value(value) : f->otherwise;
    return json_is_number(value) || f->optional ||
           error_set(err,
                     f->printed ? "the program printed no line `figure %s VALUE UNIT`"
                                : "its statistics contain no number %s",
                     source);
}

static bool take_figure(struct experiment *x, const struct figure *f, uint32_t row,
                        const json_t *kept, struct error *err)
{
    struct binding at;
    char *source;
    experiment_row(x, row, &at);
    for (uint32_t i = 0; i < f->per_row; i++) {
        uint32_t rest = i;
        for (uint32_t e = f->n_extra; e-- > 0; rest /= x->variables[f->extra[e]].count)
            at.label[f->extra[e]] = (int32_t)(rest % x->variables[f->extra[e]].count);
        if (!experiment_fill(x, f->source, &at, &source, err))
            return false;
        bool found = find_value(f, source, kept, experiment_value(x, f, row, &at), err);
        free(source);
        if (!found)
            return false;
    }
    return true;
}

/* NULL: there is none. A file without statistics is damaged: it is removed, for others take a file
 * that is there for a result. */
static json_t *load_kept(const char *path)
{
    json_error_t why;
    json_t *kept = json_load_file(path, 0, &why);
    if (json_is_object(json_object_get(kept, "statistics")))
        return kept;
    if (kept || json_error_code(&why) != json_error_cannot_open_file)
        unlink(path);
    json_decref(kept);
    return NULL;
}

/* A pipe in its place would be waited for. */
bool result_place(const struct result_store *k, const char *key, char path[PATH_MAX],
                  struct error *err)
{
    struct stat status;
    result_store_path(k, key, "json", path);
    return stat(path, &status) != 0 || S_ISREG(status.st_mode) ||
           error_set(err, "%s: a result is kept there, and it is no regular file; remove it", path);
}

/* No run of ours writes it: somebody has changed the file. */
static bool is_possible(const json_t *kept)
{
    const json_t *cycles = json_object_get(json_object_get(kept, "statistics"), "cycles");
    return !json_is_number(cycles) || json_number_value(cycles) >= 0;
}

bool result_is_kept(const struct result_store *k, const char *key)
{
    char path[PATH_MAX];
    if (!result_place(k, key, path, NULL))
        return true;
    json_t *kept = load_kept(path);
    json_decref(kept);
    return kept != NULL;
}

bool result_load(struct experiment *x, const struct result_store *k, uint32_t row, const char *key,
                 struct error *err)
{
    char path[PATH_MAX];
    struct binding at;
    const struct simulation *s = experiment_row(x, row, &at);
    if (!result_place(k, key, path, err))
        return false;
    json_t *kept = load_kept(path);
    if (!kept)
        return false;
    struct error why = {.set = false};
    bool ok = is_possible(kept) || error_set(&why, "its cycles are negative");
    for (uint32_t i = 0; i < x->n_figures && ok; i++) {
        if (x->figures[i].simulation == (uint32_t)(s - x->simulations))
            ok = take_figure(x, &x->figures[i], row, kept, &why);
    }
    json_decref(kept);
    return ok || error_set(err, "%s; they are in %s, which --again makes anew", why.text, path);
}

static json_t *printed_figures(const char *log)
{
    json_t *figures = json_object();
    FILE *file = fopen(log, "r");
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) > 0) {
        char name[64];
        double value;
        if (sscanf(line, "figure %63s %lf", name, &value) == 2)
            json_object_set_new(figures, name, json_real(value));
    }
    free(line);
    if (file)
        fclose(file);
    return figures;
}

bool result_keep(const struct result_store *k, const char *key, const char *row, double wall_s,
                 struct error *err)
{
    char statistics[PATH_MAX], log[PATH_MAX], path[PATH_MAX];
    result_store_own_path(k, key, "statistics", statistics);
    result_store_own_path(k, key, "log", log);
    if (!result_place(k, key, path, err))
        return false;
    json_t *json = json_load_file(statistics, 0, NULL);
    if (!json)
        return error_set(err, "%s: the simulation wrote no statistics", statistics);
    /* What the statistics are of is what the kept file is of. */
    json_object_set_new(json_object_get(json, "about"), "kind", json_string("kept"));
    json_t *kept =
        json_pack("{s:O?, s:s, s:f, s:o, s:o}", "about", json_object_get(json, "about"), "row", row,
                  "wall_s", wall_s, "printed", printed_figures(log), "statistics", json);
    json_object_del(json, "about");
    bool ok = write_json(path, kept, err);
    json_decref(kept);
    return ok;
}

void result_leave(const struct result_store *k, const char *key)
{
    char own[PATH_MAX], log[PATH_MAX];
    result_store_own_path(k, key, "statistics", own);
    unlink(own);
    result_store_own_path(k, key, "log", own);
    result_store_path(k, key, "log", log);
    rename(own, log);
}

/* False with the cause in `text` when the log takes no further byte, for then nothing in it need be
 * the last that the simulation said. */
static bool log_takes_more(const char *path, char *text, size_t room)
{
    FILE *log = fopen(path, "a");
    bool ok = log && fputc('\n', log) != EOF && fflush(log) == 0;
    if (!ok)
        snprintf(text, room, "%s: cannot be written: %s", path, strerror(errno));
    if (log)
        fclose(log);
    return ok;
}

/* What programs print comes before the report, which begins with its machine; what was wrong with
 * one that ended with a status is in its own last line. */
void result_message(const struct result_store *k, const char *key, char *text, size_t room)
{
    static const char verdict[] = "NOT VERIFIED: ", report[] = "Machine  ";
    char path[PATH_MAX], said[256] = "";
    result_store_own_path(k, key, "log", path);
    if (!log_takes_more(path, text, room))
        return;
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t line_room = 0;
    bool found = false, reported = false;
    snprintf(text, room, "it printed nothing");
    while (file && !found && getline(&line, &line_room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        found = !strncmp(line, verdict, strlen(verdict));
        reported = reported || !strncmp(line, report, strlen(report));
        if (*line && !reported)
            snprintf(said, sizeof said, "%s", line);
        if (*line)
            snprintf(text, room, "%s%s%s", found ? line + strlen(verdict) : line,
                     found && *said ? "; " : "", found ? said : "");
    }
    free(line);
    if (file)
        fclose(file);
}
