/* Reads an experiment file, section by section; what refers to what is bound in bind.c. */
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ini_line.h"
#include "base/number.h"
#include "sim/experiment/internal.h"

#define MAX_INCLUDES 4 /* files within files */

struct growing {
    char *text; /* NULL: none */
    size_t length, room;
};

struct reader {
    struct experiment *x;
    struct growing *last; /* shared by a file and those that it includes */
    struct error *err;
    const char *path; /* of the file that is being read */
    struct ini_stream stream;
    int line, fault_line; /* 0: no pair has been wrong */
    uint32_t depth;       /* of the experiment's own file: 1 */
};

static bool read_file(const struct reader *from, const char *path, struct error *err);

/* A key that stands twice, or goes on in an indented line, is one text. `last` is the text that the
 * line before went to: its length is known, so that a text of many lines costs what it is long. */
static void add_text(const struct reader *r, char **field, const char *text)
{
    struct growing *last = r->last;
    size_t length = strlen(text);
    if (!*field) {
        *field = alloc_string(text);
        *last = (struct growing){*field, length, length + 1};
        return;
    }
    if (*field != last->text) {
        size_t old = strlen(*field);
        *last = (struct growing){*field, old, old + 1};
    }
    if (last->length + length + 2 > last->room) {
        last->room = 2 * last->room + length + 1;
        last->text = *field = alloc_resize(*field, last->room, 1);
    }
    last->text[last->length] = ' ';
    memcpy(last->text + last->length + 1, text, length + 1);
    last->length += length + 1;
}

struct field {
    const char *key;
    char **text;
};

static bool take_field(const struct reader *r, const struct field *fields, uint32_t n,
                       const char *key, const char *text)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!strcmp(fields[i].key, key)) {
            add_text(r, fields[i].text, text);
            return true;
        }
    }
    return false;
}

static bool unknown(struct reader *r, const char *key, const char *allowed)
{
    return error_set(r->err, "unknown key '%s'; there are %s", key, allowed);
}

static bool read_number(struct reader *r, const char *key, const char *text, uint64_t max,
                        uint32_t *value)
{
    uint64_t number;
    if (!parse_whole(key, text, max, &number, r->err))
        return false;
    *value = (uint32_t)number;
    return true;
}

/* As if the other file's lines stood here. */
static bool read_include(const struct reader *r, const char *text)
{
    char path[PATH_MAX];
    const char *slash = strrchr(r->path, '/');
    int folder = slash && *text != '/' ? (int)(slash - r->path + 1) : 0;
    if ((size_t)snprintf(path, sizeof path, "%.*s%s", folder, r->path, text) >= sizeof path)
        return error_set(r->err, "include: the path is too long");
    if (r->depth == MAX_INCLUDES + 1)
        return error_set(r->err, "include: more than %d nested files", MAX_INCLUDES);
    return read_file(r, path, r->err);
}

static bool read_experiment(struct reader *r, const char *key, const char *text)
{
    struct experiment *x = r->x;
    if (!strcmp(key, "include"))
        return read_include(r, text);
    const struct field fields[] = {{"title", &x->title},
                                   {"source", &x->source},
                                   {"members", &x->members},
                                   {"scale", &x->default_scale},
                                   {"over", &x->over_text}};
    return take_field(r, fields, 5, key, text) ||
           unknown(r, key, "title, source, over, members, scale, include");
}

static void add_argument(const struct reader *r, struct argument **list, uint32_t *n,
                         uint32_t *capacity, const char *key, const char *text)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (!strcmp((*list)[i].key, key)) {
            add_text(r, &(*list)[i].text, text);
            return;
        }
    }
    ARRAY_RESERVE(*list, *n, *capacity);
    (*list)[(*n)++] = (struct argument){alloc_string(key), alloc_string(text)};
}

static bool read_map(struct reader *r, const char *name, const char *key, const char *text)
{
    struct experiment *x = r->x;
    uint32_t i = 0;
    while (i < x->n_maps && strcmp(x->maps[i].name, name) != 0)
        i++;
    if (i == x->n_maps) {
        ARRAY_RESERVE(x->maps, x->n_maps, x->maps_capacity);
        x->maps[x->n_maps++] = (struct map){.name = alloc_string(name)};
    }
    struct map *m = &x->maps[i];
    if (!strcmp(key, "over"))
        add_text(r, &m->over_text, text);
    else
        add_argument(r, &m->texts, &m->n_texts, &m->capacity, key, text);
    return true;
}

static bool read_scale(struct reader *r, const char *name, const char *key, const char *text)
{
    struct experiment *x = r->x;
    uint32_t i = 0;
    while (i < x->n_scales && strcmp(x->scales[i].name, name) != 0)
        i++;
    if (i == x->n_scales) {
        ARRAY_RESERVE(x->scales, x->n_scales, x->scales_capacity);
        x->scales[x->n_scales++] = (struct scale){.name = alloc_string(name)};
    }
    struct scale *s = &x->scales[i];
    add_argument(r, &s->texts, &s->n_texts, &s->capacity, key, text);
    return true;
}

/* A..B or A..B/STEP: a label for each of these numbers, which is its own text. */
static bool add_numbers(struct reader *r, uint32_t variable, const char *key)
{
    struct variable *v = &r->x->variables[variable];
    unsigned first = 0, last = 0, step = 1;
    int end = 0;
    char number[16];
    bool read = strspn(key, "0123456789./") == strlen(key) &&
                sscanf(key, "%9u..%9u%n/%9u%n", &first, &last, &end, &step, &end) >= 2 && !key[end];
    if (!read || first > last || !step || (last - first) / step >= 4096)
        return error_set(r->err,
                         "labels %s: must be A..B or A..B/STEP, at most 4096 ascending numbers of "
                         "up to 9 digits",
                         key);
    for (unsigned n = first; n <= last; n += step) {
        snprintf(number, sizeof number, "%u", n);
        if (experiment_label(r->x, variable, number) >= 0)
            return error_set(r->err, "labels %s: there is a label %s already", key, number);
        ARRAY_RESERVE(v->labels, v->count, v->capacity);
        v->labels[v->count++] = (struct label){alloc_string(number), alloc_string(number), true};
    }
    return true;
}

static bool read_label(struct reader *r, const char *name, const char *key, const char *text)
{
    struct experiment *x = r->x;
    int32_t index = experiment_variable(x, name);
    if (index < 0) {
        if (!*name || strcspn(name, " {}[]=,:") != strlen(name))
            return error_set(r->err, "a variable needs a name of one word: [vary NAME]");
        if (x->n_variables == MAX_VARIABLES)
            return error_set(r->err, "more than %d variables", MAX_VARIABLES);
        index = (int32_t)x->n_variables++;
        x->variables[index].name = alloc_string(name);
    }
    struct variable *v = &x->variables[index];
    if (isdigit((unsigned char)*key) && strstr(key, ".."))
        return add_numbers(r, (uint32_t)index, key);
    if (strpbrk(key, ",]/"))
        return error_set(r->err, "label '%s': must not contain a comma, / or ]", key);
    int32_t known = experiment_label(x, (uint32_t)index, key);
    if (known >= 0 && v->labels[known].of_range)
        return error_set(r->err, "label %s: is one of the numbers A..B above", key);
    if (known >= 0) {
        add_text(r, &v->labels[known].text, text);
        return true;
    }
    ARRAY_RESERVE(v->labels, v->count, v->capacity);
    v->labels[v->count++] = (struct label){alloc_string(key), alloc_string(text), false};
    return true;
}

static struct simulation *find_simulation(struct experiment *x, const char *name)
{
    for (uint32_t i = 0; i < x->n_simulations; i++) {
        if (!strcmp(x->simulations[i].name, name))
            return &x->simulations[i];
    }
    ARRAY_RESERVE(x->simulations, x->n_simulations, x->simulations_capacity);
    x->simulations[x->n_simulations] = (struct simulation){.name = alloc_string(name)};
    return &x->simulations[x->n_simulations++];
}

static bool read_simulation(struct reader *r, const char *name, const char *key, const char *text)
{
    struct simulation *s = find_simulation(r->x, name);
    const struct field fields[] = {{"over", &s->over_text}, {"command", &s->command}};
    if (take_field(r, fields, 2, key, text))
        return true;
    ARRAY_RESERVE(s->options, s->n_options, s->capacity);
    s->options[s->n_options++] = (struct argument){alloc_string(key), alloc_string(text)};
    return true;
}

/* NAME = SOURCE UNIT; printed:NAME is a line that a program printed; PATH?NUMBER: else the number,
 * PATH?-: else nothing. */
static bool read_figure(struct reader *r, const char *simulation, const char *key, const char *text)
{
    struct experiment *x = r->x;
    char source[128], unit[32] = "";
    int read = 0;
    if (sscanf(text, "%127s%n %31[^\n]%n", source, &read, unit, &read) < 1 || text[read])
        return error_set(
            r->err, "%s: must be PATH UNIT or printed:NAME UNIT, of at most 127 and 31 letters",
            key);
    bool printed = !strncmp(source, "printed:", 8);
    char *otherwise = strchr(source, '?'), *end = NULL;
    double value = otherwise ? strtod(otherwise + 1, &end) : NAN;
    bool nothing = otherwise && !strcmp(otherwise, "?-");
    if (otherwise && !nothing && (end == otherwise + 1 || *end))
        return error_set(r->err, "%s: ? must be followed by a number or -", key);
    if (otherwise)
        *otherwise = '\0';
    struct simulation *s = find_simulation(x, simulation);
    ARRAY_RESERVE(x->figures, x->n_figures, x->figures_capacity);
    x->figures[x->n_figures++] =
        (struct figure){.name = alloc_string(key),
                        .unit = alloc_string(unit),
                        .source = alloc_string(printed ? source + 8 : source),
                        .printed = printed,
                        .optional = otherwise != NULL,
                        .otherwise = nothing ? NAN : value,
                        .simulation = (uint32_t)(s - x->simulations)};
    return true;
}

static bool read_formula(const struct reader *r, struct formula **list, uint32_t *count,
                         uint32_t *capacity, const char *key, const char *text)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (!strcmp((*list)[i].name, key)) {
            add_text(r, &(*list)[i].text, text);
            return true;
        }
    }
    ARRAY_RESERVE(*list, *count, *capacity);
    (*list)[(*count)++] = (struct formula){.name = alloc_string(key), .text = alloc_string(text)};
    return true;
}

static bool read_table(struct reader *r, const char *name, const char *key, const char *text)
{
    struct experiment *x = r->x;
    uint32_t i = 0;
    while (i < x->n_tables && strcmp(x->tables[i].name, name) != 0)
        i++;
    if (i == x->n_tables) {
        ARRAY_RESERVE(x->tables, x->n_tables, x->tables_capacity);
        x->tables[x->n_tables++] = (struct table){.name = alloc_string(name), .decimals = 2};
    }
    struct table *t = &x->tables[i];
    const struct field fields[] = {{"title", &t->title},    {"unit", &t->unit},
                                   {"rows", &t->rows_text}, {"columns", &t->columns_text},
                                   {"over", &t->over_text}, {"fold", &t->fold}};
    if (take_field(r, fields, 6, key, text))
        return true;
    if (!strcmp(key, "decimals"))
        return read_number(r, key, text, 9, &t->decimals);
    if (!strcmp(key, "cell"))
        return read_formula(r, &t->columns, &t->n_columns, &t->capacity, "cell", text);
    if (!strncmp(key, "column ", 7))
        return read_formula(r, &t->columns, &t->n_columns, &t->capacity, key + 7, text);
    return unknown(r, key, "title, unit, rows, columns, over, cell, column NAME, fold, decimals");
}

static bool read_picture(struct reader *r, const char *name, const char *key, const char *text)
{
    struct experiment *x = r->x;
    uint32_t i = 0;
    while (i < x->n_pictures && strcmp(x->pictures[i].name, name) != 0)
        i++;
    if (i == x->n_pictures) {
        ARRAY_RESERVE(x->pictures, x->n_pictures, x->pictures_capacity);
        x->pictures[x->n_pictures++] = (struct picture){.name = alloc_string(name), .paper = true};
    }
    struct picture *p = &x->pictures[i];
    const struct field fields[] = {{"title", &p->title}, {"table", &p->table_name},
                                   {"kind", &p->kind},   {"x", &p->x_label},
                                   {"y", &p->y_label},   {"without", &p->without}};
    if (take_field(r, fields, 6, key, text))
        return true;
    if (!strcmp(key, "log_x"))
        return read_number(r, key, text, 10, &p->log_x);
    if (!strcmp(key, "log_y"))
        return read_number(r, key, text, 10, &p->log_y);
    if (strcmp(key, "paper") != 0)
        return unknown(r, key, "title, table, kind, x, y, without, log_x, log_y, paper");
    p->paper = !strcmp(text, "yes");
    return p->paper || !strcmp(text, "no") || error_set(r->err, "paper: must be yes or no");
}

static bool read_paper(struct reader *r, const char *table, const char *key, const char *text)
{
    struct experiment *x = r->x;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end)
        return error_set(r->err, "%s: '%s' is not a number", key, text);
    ARRAY_RESERVE(x->paper, x->n_paper, x->paper_capacity);
    x->paper[x->n_paper++] = (struct paper_value){
        .table_name = alloc_string(table), .cell = alloc_string(key), .value = value};
    return true;
}

static bool read_reason(struct reader *r, const char *key, const char *text)
{
    struct experiment *x = r->x;
    for (uint32_t i = 0; i < x->n_reasons; i++) {
        if (!strcmp(x->reasons[i].key, key)) {
            add_text(r, &x->reasons[i].text, text);
            return true;
        }
    }
    ARRAY_RESERVE(x->reasons, x->n_reasons, x->reasons_capacity);
    x->reasons[x->n_reasons++] = (struct argument){alloc_string(key), alloc_string(text)};
    return true;
}

static bool read_pair(struct reader *r, const char *kind, const char *name, const char *key,
                      const char *text)
{
    struct experiment *x = r->x;
    if (!strcmp(kind, "experiment"))
        return read_experiment(r, key, text);
    if (!strcmp(kind, "vary"))
        return read_label(r, name, key, text);
    if (!strcmp(kind, "map"))
        return read_map(r, name, key, text);
    if (!strcmp(kind, "scale"))
        return read_scale(r, name, key, text);
    if (!strcmp(kind, "simulation"))
        return read_simulation(r, name, key, text);
    if (!strcmp(kind, "figures"))
        return read_figure(r, name, key, text);
    if (!strcmp(kind, "define"))
        return read_formula(r, &x->definitions, &x->n_definitions, &x->definitions_capacity, key,
                            text);
    if (!strcmp(kind, "table"))
        return read_table(r, name, key, text);
    if (!strcmp(kind, "picture"))
        return read_picture(r, name, key, text);
    if (!strcmp(kind, "summary"))
        return read_formula(r, &x->summary, &x->n_summary, &x->summary_capacity, key, text);
    if (!strcmp(kind, "paper"))
        return read_paper(r, name, key, text);
    if (!strcmp(kind, "why"))
        return read_reason(r, key, text);
    return error_set(r->err, "no such section exists");
}

static int on_pair(void *user, const char *section, const char *key, const char *text)
{
    struct reader *r = user;
    char kind[32], name[64] = "";
    int end = 0;
    if (sscanf(section, "%31s%n %63s%n", kind, &end, name, &end) < 1 || section[end])
        snprintf(kind, sizeof kind, "no section");
    if (!r->err->set && !read_pair(r, kind, name, key, text))
        error_prefix(r->err, "[%s]", section);
    if (r->err->set && !r->fault_line)
        r->fault_line = r->line;
    return !r->err->set;
}

static char *next_line(char *text, int size, void *user)
{
    struct reader *r = user;
    r->line++;
    return ini_line(text, size, &r->stream);
}

/* For `from`, a file that includes this one. False with `err`, which names the file and the line.
 */
static bool read_file(const struct reader *from, const char *path, struct error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    struct error problem = {0};
    struct reader reader = {.x = from->x,
                            .last = from->last,
                            .err = &problem,
                            .path = path,
                            .stream = ini_stream_of(file),
                            .depth = from->depth + 1};
    int line = ini_parse_stream(next_line, &reader, on_pair, &reader);
    bool unread = ferror(file) != 0;
    int cause = errno;
    bool ended = line || unread || ini_stream_ended(&reader.stream, path, err);
    fclose(file);
    if (unread)
        return error_set(err, "%s: cannot be read: %s", path, strerror(cause));
    if (!ended)
        return false;
    if (line > 0 && line != reader.fault_line) /* and not of a pair behind this line */
        return error_set(err,
                         "%s:%d: neither `[section]` nor `key = value` of less than 200 characters",
                         path, line);
    if (line > 0)
        return error_set(err, "%s:%d: %s", path, line, problem.text);
    return !line || error_set(err, "%s: cannot be read", path);
}

static bool choose_scale(struct experiment *x, const char *asked, struct error *err)
{
    const char *name = asked ? asked : x->default_scale;
    while (name && x->scale < x->n_scales && strcmp(x->scales[x->scale].name, name) != 0)
        x->scale++;
    return !name || x->members || x->scale < x->n_scales ||
           error_set(err,
                     x->n_scales ? "no section [scale %s] exists"
                                 : "no section [scale %s] exists, nor any other; leave --scale out",
                     name);
}

struct experiment *experiment_load(const char *path, const char *name, const char *scale,
                                   struct error *err)
{
    struct experiment *x = ALLOC(struct experiment);
    struct error problem = {0};
    x->path = alloc_string(path);
    x->name = alloc_string(name);
    struct growing last = {0};
    const struct reader nothing = {.x = x, .last = &last};
    if (!read_file(&nothing, path, err)) {
        experiment_destroy(x);
        return NULL;
    }
    if (choose_scale(x, scale, &problem) && experiment_bind(x, &problem))
        return x;
    error_set(err, "%s: %s", path, problem.text);
    experiment_destroy(x);
    return NULL;
}

static void free_formulas(struct formula *formulas, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(formulas[i].name);
        free(formulas[i].text);
        expression_free(formulas[i].expression);
    }
    free(formulas);
}

static void free_texts(char **const texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(texts[i]);
}

static void free_variable(struct variable *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        free(v->labels[i].name);
        free(v->labels[i].text);
    }
    free(v->labels);
    free(v->name);
}

static void free_views(struct experiment *x)
{
    for (uint32_t i = 0; i < x->n_tables; i++) {
        struct table *t = &x->tables[i];
        free_texts((char *[]){t->name, t->title, t->unit, t->rows_text, t->columns_text,
                              t->over_text, t->fold},
                   7);
        free_formulas(t->columns, t->n_columns);
    }
    for (uint32_t i = 0; i < x->n_pictures; i++) {
        struct picture *p = &x->pictures[i];
        free_texts((char *[]){p->name, p->title, p->table_name, p->kind, p->x_label, p->y_label,
                              p->without},
                   7);
    }
    for (uint32_t i = 0; i < x->n_paper; i++)
        free_texts((char *[]){x->paper[i].table_name, x->paper[i].cell}, 2);
    free(x->tables);
    free(x->pictures);
    free(x->paper);
}

void experiment_destroy(struct experiment *x)
{
    if (!x)
        return;
    for (uint32_t i = 0; i < x->n_variables; i++)
        free_variable(&x->variables[i]);
    for (uint32_t i = 0; i < x->n_simulations; i++) {
        struct simulation *s = &x->simulations[i];
        free_texts((char *[]){s->name, s->over_text, s->command}, 3);
        experiment_free_arguments(s->options, s->n_options);
    }
    for (uint32_t i = 0; i < x->n_figures; i++)
        free_texts((char *[]){x->figures[i].name, x->figures[i].unit, x->figures[i].source}, 3);
    for (uint32_t i = 0; i < x->n_maps; i++) {
        free_texts((char *[]){x->maps[i].name, x->maps[i].over_text}, 2);
        experiment_free_arguments(x->maps[i].texts, x->maps[i].n_texts);
    }
    for (uint32_t i = 0; i < x->n_scales; i++) {
        free(x->scales[i].name);
        experiment_free_arguments(x->scales[i].texts, x->scales[i].n_texts);
    }
    free(x->maps);
    free(x->scales);
    free_formulas(x->definitions, x->n_definitions);
    free_formulas(x->summary, x->n_summary);
    experiment_free_arguments(x->reasons, x->n_reasons);
    free_views(x);
    free(x->simulations);
    free(x->figures);
    free(x->values);
    free_texts((char *[]){x->name, x->path, x->title, x->source, x->members, x->default_scale,
                          x->over_text},
               7);
    free(x);
}
