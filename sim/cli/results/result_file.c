#include "sim/cli/results/result_file.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/file.h"
#include "sim/cli/results/about.h"

#define PATH_ROOM 1024
#define MAX_DEPTH 16 /* no result file is deeper */

struct walk {
    struct result_file *file;
    const struct field_list *fields;
    const char *kind; /* NULL: any */
    uint32_t skip;    /* keys that are not the field's: "statistics" of a kept result */
    char path[PATH_ROOM];
    char key[MAX_DEPTH][256]; /* of the field: "per_core[]" for an element */
    uint32_t depth;
    bool too_deep;
};

/* --- flat --------------------------------------------------------------------------------------
 */

static void add_leaf(struct walk *w, const json_t *value)
{
    struct result_file *f = w->file;
    const char *keys[MAX_DEPTH];
    for (uint32_t i = 0; i < w->depth; i++)
        keys[i] = w->key[i];
    ARRAY_RESERVE(f->leaves, f->count, f->capacity);
    f->leaves[f->count++] = (struct result_leaf){
        .path = alloc_string(w->path),
        .value = value,
        .field = field_find(w->fields, w->kind, keys + w->skip, w->depth - w->skip)};
}

static void walk(struct walk *w, const json_t *value);

/* One more part of the path, then back. */
static void walk_into(struct walk *w, const char *part, const char *key, const json_t *value)
{
    size_t length = strlen(w->path);
    w->too_deep = w->too_deep || w->depth == MAX_DEPTH;
    if (w->depth == MAX_DEPTH)
        return;
    snprintf(w->path + length, sizeof w->path - length, "%s", part);
    snprintf(w->key[w->depth++], sizeof w->key[0], "%s", key);
    walk(w, value);
    w->depth--;
    w->path[length] = '\0';
}

/* What an element of a list is called: its name, or its number. */
static void element_name(const json_t *element, size_t index, char *text, size_t room)
{
    const char *name = json_string_value(json_object_get(element, "name"));
    const char *tiles = json_string_value(json_object_get(element, "tiles"));
    const json_t *core = json_object_get(element, "core");
    if (name)
        snprintf(text, room, "[%.200s%s%.20s]", name, tiles ? ", " : "", tiles ? tiles : "");
    else if (json_is_integer(core))
        snprintf(text, room, "[%lld]", (long long)json_integer_value(core));
    else
        snprintf(text, room, "[%zu]", index);
}

static void walk_list(struct walk *w, const json_t *list)
{
    const json_t *element;
    size_t i;
    char key[256] = "";
    if (!w->depth)
        return;
    /* The list's own key gives way to that of its elements. */
    snprintf(key, sizeof key, "%.250s[]", w->key[w->depth - 1]);
    w->depth--;
    json_array_foreach(list, i, element)
    {
        char part[256];
        element_name(element, i, part, sizeof part);
        walk_into(w, part, key, element);
    }
    snprintf(w->key[w->depth++], sizeof w->key[0], "%.*s", (int)strlen(key) - 2, key);
}

static void walk(struct walk *w, const json_t *value)
{
    const char *key;
    json_t *member;
    if (json_is_array(value)) {
        walk_list(w, value);
        return;
    }
    if (!json_is_object(value)) {
        add_leaf(w, value);
        return;
    }
    json_object_foreach((json_t *)value, key, member)
    {
        char part[256];
        if (!w->depth && !strcmp(key, "about"))
            continue;
        bool kept = !w->depth && w->kind && !strcmp(w->kind, "kept") && !strcmp(key, "statistics");
        const char *kind = w->kind;
        snprintf(part, sizeof part, "%s%.250s", *w->path ? "." : "", key);
        w->kind = kept ? NULL : kind;
        w->skip += kept;
        walk_into(w, part, key, member);
        w->skip -= kept;
        w->kind = kind;
    }
}

void result_file_part(struct result_file *part, const json_t *json, const char *path,
                      struct field_list *fields)
{
    struct walk *w = ALLOC(struct walk);
    *part = (struct result_file){.name = path};
    w->file = part;
    w->fields = fields;
    walk_into(w, path, path, json);
    free(w);
}

/* --- the file -----------------------------------------------------------------------------------
 */

static bool check_about(struct result_file *f, struct error *err)
{
    const json_t *other = json_object_get(json_object_get(f->json, "otherData"), "about");
    const json_t *schema = json_object_get(f->about, "schema");
    f->kind = json_string_value(json_object_get(f->about, "kind"));
    if (other)
        return error_set(err, "%s: is a timeline; evgpu timeline draws it", f->name);
    if (!json_is_integer(schema) || !f->kind)
        return error_set(err,
                         "%s: is JSON, but no result file of evgpu: it does not say what it is of "
                         "(\"about\")",
                         f->name);
    return json_integer_value(schema) == RESULT_SCHEMA ||
           error_set(err, "%s: has schema %lld; this evgpu reads schema %d", f->name,
                     (long long)json_integer_value(schema), RESULT_SCHEMA);
}

/* Bytes of an escape of JSON, or of UTF-8, that is a control character; 0: it is none. */
static size_t control_bytes(const char *at, size_t left)
{
    bool c1 = left > 1 && at[0] == '\xC2' && (unsigned char)at[1] < 0xA0;
    if (c1 || (left > 1 && at[0] == '\\' && strchr("bfr", at[1])))
        return 2;
    if (*at == '\x7F')
        return 1;
    bool escape = left > 5 && !strncmp(at, "\\u00", 4);
    return escape && (strchr("0189", at[4]) || !strncasecmp(at + 4, "7f", 2)) ? 6 : 0;
}

/* Files come from others, and their words go to a terminal: control characters, but for tabs and
 * line ends, become '?'. The bytes that remain. */
static size_t defuse(char *text, size_t bytes)
{
    size_t to = 0;
    for (size_t from = 0; from < bytes;) {
        size_t control = control_bytes(text + from, bytes - from);
        size_t kept = text[from] == '\\' && bytes - from > 1 ? 2 : 1;
        if (control)
            text[to++] = '?';
        else
            for (size_t i = 0; i < kept; i++)
                text[to++] = text[from + i];
        from += control ? control : kept;
    }
    return to;
}

bool result_file_read(struct result_file *file, const char *name, struct field_list *fields,
                      struct error *err)
{
    json_error_t why;
    size_t bytes = 0;
    *file = (struct result_file){.name = name};
    char *text = (char *)read_file(name, &bytes, err);
    if (!text)
        return false;
    file->json = json_loadb(text, defuse(text, bytes), JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!file->json)
        return error_set(err, "%s:%d: no JSON, or cut short: %s", name, why.line, why.text);
    file->about = json_object_get(file->json, "about");
    if (!check_about(file, err))
        return false;
    struct walk *w = ALLOC(struct walk);
    w->file = file;
    w->fields = fields;
    w->kind = file->kind;
    walk(w, file->json);
    bool deep = w->too_deep;
    free(w);
    return !deep || error_set(err, "%s: is nested deeper than any result file", name);
}

void result_file_free(struct result_file *file)
{
    for (uint32_t i = 0; i < file->count; i++)
        free(file->leaves[i].path);
    free(file->leaves);
    json_decref(file->json);
    *file = (struct result_file){.name = NULL};
}

/* --- leaves -------------------------------------------------------------------------------------
 */

bool leaf_filter_add(const char **list, uint32_t *count, const char *pattern, struct error *err)
{
    if (*count == MAX_PATTERNS)
        return error_set(err, "more than %d patterns", MAX_PATTERNS);
    list[(*count)++] = pattern;
    return true;
}

static bool any_matches(const char *const *patterns, uint32_t n, const char *path)
{
    for (uint32_t i = 0; i < n; i++) {
        size_t length = strlen(patterns[i]);
        bool begins = !strncmp(path, patterns[i], length) && strchr(".[", path[length]);
        if (begins || fnmatch(patterns[i], path, 0) == 0)
            return true;
    }
    return false;
}

bool leaf_wanted(const struct leaf_filter *filter, const struct result_leaf *leaf)
{
    if (leaf->field && leaf->field->row->host && !filter->host)
        return false;
    return (!filter->fields || any_matches(filter->field, filter->fields, leaf->path)) &&
           !any_matches(filter->ignore, filter->ignored, leaf->path);
}

void leaf_text(const json_t *value, char *text, size_t room)
{
    switch (json_typeof(value)) {
    case JSON_INTEGER:
        snprintf(text, room, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return;
    case JSON_REAL:
        snprintf(text, room, "%.9g", json_real_value(value));
        return;
    case JSON_STRING:
        snprintf(text, room, "%s", json_string_value(value));
        return;
    default:
        snprintf(text, room, "%s",
                 json_is_true(value)    ? "true"
                 : json_is_false(value) ? "false"
                                        : "null");
    }
}

const char *leaf_unit(const struct result_leaf *leaf)
{
    return leaf->field ? leaf->field->row->unit : "?";
}
