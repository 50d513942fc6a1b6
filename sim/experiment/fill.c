/* Texts of an experiment file with {NAME} in them: variables, maps, texts of the scale. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/experiment/internal.h"

#define MAX_NESTED 4 /* a text that is taken, and those within it */
#define NAME_ROOM  64

bool experiment_variables(const struct experiment *x, const char *text, uint32_t *list,
                          uint32_t *count, struct error *err)
{
    char *copy = alloc_string(text), *rest = copy, *word;
    bool ok = true;
    while (ok && (word = strsep(&rest, " ,"))) {
        int32_t v = experiment_variable(x, word);
        if (!*word)
            continue;
        ok = v >= 0 && *count < MAX_VARIABLES;
        if (ok)
            list[(*count)++] = (uint32_t)v;
        else
            error_set(err, "no variable is named '%s'", word);
    }
    free(copy);
    return ok;
}

void experiment_free_arguments(struct argument *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free(list[i].key);
        free(list[i].text);
    }
    free(list);
}

static const char *text_of(const struct argument *texts, uint32_t n, const char *key)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!strcmp(texts[i].key, key))
            return texts[i].text;
    }
    return NULL;
}

static const struct map *find_map(const struct experiment *x, const char *name)
{
    for (uint32_t i = 0; i < x->n_maps; i++) {
        if (!strcmp(x->maps[i].name, name))
            return &x->maps[i];
    }
    return NULL;
}

/* Labels joined by commas; false when one is not bound. */
static bool map_key(const struct experiment *x, const struct map *m, const struct binding *at,
                    char *key, size_t room)
{
    size_t n = 0;
    *key = '\0';
    for (uint32_t i = 0; i < m->n_over && n < room; i++) {
        const struct variable *v = &x->variables[m->over[i]];
        int32_t label = at->label[m->over[i]];
        if (label == UNBOUND)
            return false;
        n += (size_t)snprintf(key + n, room - n, "%s%s", i ? "," : "", v->labels[label].name);
    }
    return true;
}

static const char *scale_text(const struct experiment *x, const char *name)
{
    const struct scale *s = x->n_scales ? &x->scales[x->scale] : NULL;
    if (!s)
        return NULL;
    return strcmp(name, "scale") ? text_of(s->texts, s->n_texts, name) : s->name;
}

static const char *look_up(const struct experiment *x, const char *name, const struct binding *at)
{
    char key[256];
    int32_t v = experiment_variable(x, name);
    if (v >= 0)
        return at->label[v] == UNBOUND ? NULL : x->variables[v].labels[at->label[v]].text;
    const struct map *m = find_map(x, name);
    if (m)
        return map_key(x, m, at, key, sizeof key) ? text_of(m->texts, m->n_texts, key) : NULL;
    return scale_text(x, name);
}

/* The part-th of the pieces between |, without the spaces around it; 0: all of it. */
static bool take_part(const char *text, uint32_t part, const char **begin, size_t *length)
{
    *begin = text;
    *length = strlen(text);
    if (!part)
        return true;
    while (--part) {
        const char *bar = strchr(*begin, '|');
        if (!bar)
            return false;
        *begin = bar + 1;
    }
    *begin += strspn(*begin, " ");
    *length = strcspn(*begin, "|");
    while (*length && (*begin)[*length - 1] == ' ')
        (*length)--;
    return true;
}

/* "NAME" or "NAME:2", up to `end`; false when it is neither. */
static bool read_name(const char *text, size_t length, char name[NAME_ROOM], uint32_t *part)
{
    const char *colon = memchr(text, ':', length);
    size_t n = colon ? (size_t)(colon - text) : length;
    *part = 0;
    if (!n || n >= NAME_ROOM)
        return false;
    snprintf(name, NAME_ROOM, "%.*s", (int)n, text);
    if (!colon)
        return true;
    *part = (uint32_t)(colon[1] - '0');
    return length == n + 2 && *part >= 1 && *part <= 9;
}

static bool fill(const struct experiment *x, const char *text, size_t length,
                 const struct binding *at, uint32_t depth, FILE *out)
{
    const char *end = text + length;
    if (depth > MAX_NESTED)
        return false;
    while (text < end) {
        char name[NAME_ROOM];
        uint32_t part;
        const char *close = *text == '{' ? memchr(text, '}', (size_t)(end - text)) : NULL;
        if (*text == '{' && !close)
            return false;
        if (!close) {
            fputc(*text++, out);
            continue;
        }
        const char *taken, *begin;
        size_t n;
        if (!read_name(text + 1, (size_t)(close - text - 1), name, &part) ||
            !(taken = look_up(x, name, at)) || !take_part(taken, part, &begin, &n) ||
            !fill(x, begin, n, at, depth + 1, out))
            return false;
        text = close + 1;
    }
    return true;
}

bool experiment_fill(const struct experiment *x, const char *text, const struct binding *at,
                     char **result, struct error *err)
{
    size_t bytes = 0;
    *result = NULL;
    FILE *stream = open_memstream(result, &bytes);
    bool ok = stream && fill(x, text, strlen(text), at, 0, stream);
    if (stream)
        fclose(stream);
    if (ok)
        return true;
    free(*result);
    *result = NULL;
    return error_set(err, "'%s': the simulation has no such {VARIABLE}", text);
}

void experiment_text_variables(const struct experiment *x, const char *text, uint32_t *mask)
{
    while ((text = strchr(text, '{'))) {
        char name[NAME_ROOM];
        uint32_t part;
        size_t n = strcspn(++text, "}");
        if (!read_name(text, n, name, &part))
            continue;
        int32_t v = experiment_variable(x, name);
        const struct map *m = find_map(x, name);
        if (v >= 0)
            *mask |= 1u << v;
        for (uint32_t i = 0; m && i < m->n_over; i++)
            *mask |= 1u << m->over[i];
    }
}

static bool bind_map(const struct experiment *x, struct map *m, struct error *err)
{
    struct binding at;
    char key[256];
    uint64_t combinations = 1;
    if (!m->over_text)
        return error_set(err, "over: must list the variables of the simulation");
    if (!experiment_variables(x, m->over_text, m->over, &m->n_over, err))
        return error_prefix(err, "over"), false;
    for (uint32_t i = 0; i < m->n_over; i++)
        combinations *= x->variables[m->over[i]].count;
    for (uint64_t c = 0; c < combinations; c++) {
        uint64_t rest = c;
        for (uint32_t i = m->n_over; i-- > 0; rest /= x->variables[m->over[i]].count)
            at.label[m->over[i]] = (int32_t)(rest % x->variables[m->over[i]].count);
        map_key(x, m, &at, key, sizeof key);
        if (!text_of(m->texts, m->n_texts, key))
            return error_set(err, "no text for %s", key);
    }
    return m->n_texts == combinations || error_set(err, "%u texts, but %llu combinations of labels",
                                                   m->n_texts, (unsigned long long)combinations);
}

bool experiment_bind_maps(struct experiment *x, struct error *err)
{
    for (uint32_t i = 0; i < x->n_maps; i++) {
        if (!bind_map(x, &x->maps[i], err))
            return error_prefix(err, "[map %s]", x->maps[i].name), false;
    }
    return true;
}
