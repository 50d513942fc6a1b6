#include "tb/gen/views.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_TEXT = 512, MAX_NAME = 64, MAX_DEPTH = 12 };

struct line { /* one that is not blank, without its comment */
    char *text;
    size_t indent;
    unsigned number;
};

struct variable { /* of a `for` */
    char name[MAX_NAME];
    uint32_t value;
};

struct place {
    char scope[MAX_NAME], module[MAX_NAME];
};

struct reader {
    struct views *views;
    const struct definition *def;
    const char *path, *filters;
    struct line *lines;
    size_t n_lines, cap_lines;
    size_t line; /* that is being read */
    FILE *out;   /* the view that is being written, or NULL */
    struct place at;
    struct variable variables[MAX_DEPTH];
    size_t n_variables, depth;
    struct error *err;
};

struct body { /* of a block: lines first .. end - 1 */
    size_t first, end;
};

static bool run(struct reader *r, struct body body);

static bool fail(const struct reader *r, const char *what, const char *detail)
{
    return error_set(r->err, "%s:%u: %s%s%s%s", r->path, r->lines[r->line].number, what,
                     detail ? " '" : "", detail ? detail : "", detail ? "'" : "");
}

static char *next_word(char **rest)
{
    return strtok_r(NULL, " \t", rest);
}

static bool copy_name(const struct reader *r, const char *name, char to[MAX_NAME])
{
    if (strlen(name) >= MAX_NAME)
        return fail(r, "name too long:", name);
    strcpy(to, name);
    return true;
}

/* A number, or a constant of the definition. */
static bool read_number(const struct reader *r, const char *token, uint32_t *out)
{
    for (size_t i = 0; i < r->def->n_constants; i++) {
        if (strcmp(r->def->constants[i].name, token) != 0)
            continue;
        *out = r->def->constants[i].value;
        return true;
    }
    char *end;
    unsigned long value = strtoul(token, &end, 10);
    if (!isdigit((unsigned char)token[0]) || *end || value > DEF_MAX_WIDTH)
        return fail(r, "neither a number up to 4096 nor a constant:", token);
    *out = (uint32_t)value;
    return true;
}

/* --- signals ---------------------------------------------------------------------------------- */

struct format {
    const char *code;   /* GTKWave's flags */
    const char *filter; /* enumeration or flags, or NULL */
    uint32_t width;     /* bits of a value of the enumeration, or 0 */
};

static bool find_format(const struct reader *r, const char *word, struct format *out)
{
    static const struct {
        const char *word, *code;
    } plain[] = {{"bin", "28"}, {"dec", "24"}, {"hex", "22"}, {"text", "820"}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (!strcmp(plain[i].word, word)) {
            *out = (struct format){.code = plain[i].code};
            return true;
        }
    }
    *out = (struct format){.code = "2022"};
    for (size_t i = 0; i < r->def->n_enums; i++) {
        if (!strcmp(r->def->enums[i].name, word)) {
            out->filter = r->def->enums[i].name;
            out->width = def_enum_width(&r->def->enums[i]);
        }
    }
    for (size_t i = 0; i < r->def->n_flags; i++)
        if (!strcmp(r->def->flags[i].name, word))
            out->filter = r->def->flags[i].name;
    return out->filter != NULL;
}

/* GTKWave's number of a colour, 0 if it is none. */
static int colour_of(const char *word)
{
    static const char *const colours[] = {"red",  "orange", "yellow", "green",
                                          "blue", "indigo", "violet"};
    for (int i = 0; i < (int)(sizeof colours / sizeof *colours); i++)
        if (!strcmp(colours[i], word))
            return i + 1;
    return 0;
}

/* Bits of a port by its name in Verilog, 0 if the tile has no such port. */
static uint32_t port_width(const struct def_tile *tile, const char *name)
{
    size_t length = strlen(name);
    if (!strcmp(name, "clk_i") || !strcmp(name, "rst_i"))
        return 1;
    if (length < 3 || name[length - 2] != '_')
        return 0;
    const struct def_ports *ports = name[length - 1] == 'i'   ? &tile->in
                                    : name[length - 1] == 'o' ? &tile->out
                                                              : NULL;
    for (size_t i = 0; ports && i < ports->count; i++)
        if (strlen(ports->items[i].name) == length - 2 &&
            !strncmp(ports->items[i].name, name, length - 2))
            return ports->items[i].width;
    return 0;
}

/* The width of a port of the module of `at`, which must be a tile. */
static bool read_port(const struct reader *r, const struct format *f, const char *name,
                      uint32_t *width)
{
    const struct def_tile *tile = NULL;
    for (size_t i = 0; i < r->def->n_tiles; i++)
        if (!strcmp(r->def->tiles[i].name, r->at.module))
            tile = &r->def->tiles[i];
    if (!tile)
        return fail(r, "not a tile with ports:", r->at.module);
    *width = port_width(tile, name);
    if (!*width)
        return fail(r, "the tile has no such port:", name);
    if (f->width && f->width != *width)
        return fail(r, "the enumeration differs in width from port", name);
    return true;
}

/* [WIDTH]: of a signal inside the module. *word is the word behind the signal and becomes the next.
 */
static bool read_width(const struct reader *r, const struct format *f, char **word, char **rest,
                       uint32_t *width)
{
    *width = f->width ? f->width : 1;
    if (!*word || (*word)[0] == '.' || islower((unsigned char)(*word)[0]))
        return true;
    const char *number = *word;
    *word = next_word(rest);
    return read_number(r, number, width) &&
           (*width ? true : fail(r, "a signal has at least one bit, not", number));
}

static void put_signal(const struct reader *r, int colour, const struct format *f,
                       const char *label, const char *name, uint32_t width)
{
    fprintf(r->out, "@%s\n", f->code);
    if (colour)
        fprintf(r->out, "[color] %d\n", colour);
    if (f->filter)
        fprintf(r->out, "^1 %s/%s.filter\n", r->filters, f->filter);
    if (label)
        fprintf(r->out, "+{%s} ", label);
    fprintf(r->out, "%s.%s%s", r->at.scope, name[0] == '.' ? r->at.module : "", name);
    if (width > 1)
        fprintf(r->out, "[%u:0]", width - 1);
    fputc('\n', r->out);
}

/* [COLOUR] FORMAT SIGNAL [WIDTH] ... [= LABEL] */
static bool read_signals(struct reader *r, char *text)
{
    struct format f;
    char *rest = NULL;
    char *label = strstr(text, " = ");
    if (label) {
        *label = '\0';
        label += strlen(" = ");
    }
    char *word = strtok_r(text, " \t", &rest);
    int colour = colour_of(word);
    if (colour)
        word = next_word(&rest);
    if (!word || !find_format(r, word, &f))
        return fail(r, "neither a keyword nor a format:", word ? word : "");
    if (!r->out || !r->at.scope[0])
        return fail(r, "signals outside a view, or without `at`", NULL);
    word = next_word(&rest);
    if (!word)
        return fail(r, "a format without a signal", NULL);
    for (bool first = true; word; first = false) {
        const char *name = word;
        uint32_t width;
        word = next_word(&rest);
        if (!(name[0] == '.' ? read_width(r, &f, &word, &rest, &width)
                             : read_port(r, &f, name, &width)))
            return false;
        if (label && (word || !first))
            return fail(r, "one label for several signals:", label);
        put_signal(r, colour, &f, label, name, width);
    }
    return true;
}

/* --- statements ------------------------------------------------------------------------------- */

static bool read_at(struct reader *r, char *rest, struct body body)
{
    (void)body;
    const char *scope = strtok_r(rest, " \t", &rest);
    const char *module = next_word(&rest);
    if (next_word(&rest))
        return fail(r, "expected at SCOPE [MODULE]", NULL);
    return copy_name(r, scope, r->at.scope) && copy_name(r, module ? module : scope, r->at.module);
}

static bool read_group_as(struct reader *r, const char *name, struct body body, const char *begin,
                          const char *end)
{
    if (!r->out)
        return fail(r, "a group outside a view:", name);
    fprintf(r->out, "@%s\n-%s\n", begin, name);
    if (!run(r, body))
        return false;
    fprintf(r->out, "@%s\n-%s\n", end, name);
    return true;
}

static bool read_group(struct reader *r, char *rest, struct body body)
{
    return read_group_as(r, rest, body, "800200", "1000200");
}

static bool read_closed(struct reader *r, char *rest, struct body body)
{
    return read_group_as(r, rest, body, "c00200", "1401200");
}

static bool read_for(struct reader *r, char *rest, struct body body)
{
    const char *name = strtok_r(rest, " \t", &rest);
    const char *from = next_word(&rest);
    const char *to = from ? next_word(&rest) : NULL;
    uint32_t first = 0, end;
    if (!from || next_word(&rest))
        return fail(r, "expected for NAME [FROM] END", NULL);
    if ((to && !read_number(r, from, &first)) || !read_number(r, to ? to : from, &end))
        return false;
    if (r->n_variables == MAX_DEPTH)
        return fail(r, "too many nested loops", NULL);
    struct variable *v = &r->variables[r->n_variables++];
    bool ok = copy_name(r, name, v->name);
    for (v->value = first; ok && v->value < end; v->value++)
        ok = run(r, body);
    r->n_variables--;
    return ok;
}

static size_t body_end(const struct reader *r, size_t block)
{
    size_t end = block + 1;
    while (end < r->n_lines && r->lines[end].indent > r->lines[block].indent)
        end++;
    return end;
}

/* The first line of the part, n_lines if there is none. */
static size_t find_part(const struct reader *r, const char *name)
{
    char text[MAX_TEXT];
    size_t i = 0;
    snprintf(text, sizeof text, "part %s", name);
    while (i < r->n_lines && (r->lines[i].indent || strcmp(r->lines[i].text, text) != 0))
        i++;
    return i;
}

/* A part is read where it is used. */
static bool read_part(struct reader *r, char *rest, struct body body)
{
    return find_part(r, rest) + 1 == body.first ? true : fail(r, "not a new part:", rest);
}

static bool read_use(struct reader *r, char *rest, struct body body)
{
    (void)body;
    size_t part = find_part(r, rest);
    if (part == r->n_lines)
        return fail(r, "no such part:", rest);
    return run(r, (struct body){part + 1, body_end(r, part)});
}

static void put_head(const struct reader *r, const char *name, long zoom)
{
    fprintf(r->out,
            "[*] Generated from tb/wave/views.def. From the project's root:\n"
            "[*]   sh tb/wave/show.sh build/wave.fst %s/%s.gtkw\n"
            "[timestart] 0\n*%ld.000000",
            r->filters, name, zoom);
    for (int marker = 0; marker < 26; marker++)
        fputs(" -1", r->out);
    fputs("\n[size] 1600 1000\n[pos] -1 -1\n[sst_width] 200\n[signals_width] 260\n"
          "[sst_expanded] 0\n",
          r->out);
}

static bool read_view_text(struct reader *r, const char *name, long zoom, struct body body)
{
    static const char about[] = "about ";
    for (; body.first < body.end; body.first++) {
        const char *text = r->lines[body.first].text;
        if (strncmp(text, about, sizeof about - 1) != 0)
            break;
        fprintf(r->out, "[*] %s\n", text + sizeof about - 1);
    }
    put_head(r, name, zoom);
    r->at = (struct place){0};
    return run(r, body);
}

static bool read_view(struct reader *r, char *rest, struct body body)
{
    const char *name = strtok_r(rest, " \t", &rest);
    const char *number = next_word(&rest);
    char *end = NULL;
    long zoom = number ? strtol(number, &end, 10) : 0;
    if (!number || *end || next_word(&rest))
        return fail(r, "expected view NAME ZOOM", NULL);
    if (r->out)
        return fail(r, "a view within a view:", name);
    for (size_t i = 0; i < r->views->count; i++)
        if (!strcmp(r->views->items[i].name, name))
            return fail(r, "second view", name);
    ARRAY_RESERVE(r->views->items, r->views->count, r->views->capacity);
    struct view *view = &r->views->items[r->views->count++];
    *view = (struct view){.name = alloc_string(name)};
    r->out = open_memstream(&view->text, &view->size);
    if (!r->out)
        return fail(r, "out of memory", NULL);
    bool ok = read_view_text(r, name, zoom, body);
    if (fclose(r->out))
        ok = fail(r, "out of memory", NULL);
    r->out = NULL;
    return ok;
}

static const struct statement {
    const char *keyword;
    bool (*read)(struct reader *r, char *rest, struct body body);
    bool is_block;
} statements[] = {
    {"view", read_view, true}, {"part", read_part, true},   {"use", read_use, false},
    {"at", read_at, false},    {"group", read_group, true}, {"closed", read_closed, true},
    {"for", read_for, true},
};

/* Its text with the values of variables in place of $NAME. */
static bool expand(const struct reader *r, char out[MAX_TEXT])
{
    size_t n = 0;
    for (const char *p = r->lines[r->line].text; *p && n < MAX_TEXT - 16;) {
        if (*p != '$') {
            out[n++] = *p++;
            continue;
        }
        size_t length = 0, i = r->n_variables;
        for (p++; isalnum((unsigned char)p[length]);)
            length++;
        while (i > 0 && (strlen(r->variables[i - 1].name) != length ||
                         strncmp(r->variables[i - 1].name, p, length) != 0))
            i--;
        if (!i)
            return fail(r, "no such variable:", p);
        n += (size_t)sprintf(out + n, "%u", r->variables[i - 1].value);
        p += length;
    }
    out[n] = '\0';
    return n < MAX_TEXT - 16 ? true : fail(r, "line too long", NULL);
}

static bool read_statement(struct reader *r, struct body body)
{
    char text[MAX_TEXT];
    if (!expand(r, text))
        return false;
    size_t length = strcspn(text, " \t");
    char *rest = text + length + strspn(text + length, " \t");
    const struct statement *s = NULL;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strlen(statements[i].keyword) == length &&
            !strncmp(statements[i].keyword, text, length))
            s = &statements[i];
    bool is_empty = body.first == body.end;
    if (s && s->is_block && is_empty)
        return fail(r, "nothing is indented below", text);
    if (!(s && s->is_block) && !is_empty) {
        r->line++;
        return fail(r, "unexpected indentation", NULL);
    }
    if (s && !*rest)
        return fail(r, "a name is missing after", text);
    return s ? s->read(r, rest, body) : read_signals(r, text);
}

/* Reads lines of one indentation, each with its body; `at` holds up to their end. */
static bool run(struct reader *r, struct body body)
{
    struct place at = r->at;
    bool ok = true;
    if (r->depth == MAX_DEPTH)
        return fail(r, "blocks and parts are nested too deep", NULL);
    r->depth++;
    for (size_t i = body.first, next; ok && i < body.end; i = next) {
        next = body_end(r, i);
        r->line = i;
        ok = r->lines[i].indent == r->lines[body.first].indent
                 ? read_statement(r, (struct body){i + 1, next})
                 : fail(r, "unexpected indentation", NULL);
    }
    r->depth--;
    r->at = at;
    return ok;
}

/* --- the file --------------------------------------------------------------------------------- */

static void add_line(struct reader *r, char *text, unsigned number)
{
    text[strcspn(text, "#\r\n")] = '\0';
    size_t indent = strspn(text, " \t"), length = strlen(text);
    while (length > indent && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    if (length == indent)
        return;
    ARRAY_RESERVE(r->lines, r->n_lines, r->cap_lines);
    r->lines[r->n_lines++] =
        (struct line){.text = alloc_string(text + indent), .indent = indent, .number = number};
}

static bool read_lines(struct reader *r)
{
    FILE *file = fopen(r->path, "r");
    if (!file)
        return error_set(r->err, "%s: %s", r->path, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    for (unsigned number = 1; getline(&line, &size, file) >= 0; number++)
        add_line(r, line, number);
    bool ok = !ferror(file);
    free(line);
    fclose(file);
    return ok ? true : error_set(r->err, "%s: read error", r->path);
}

bool views_read(struct views *views, const char *path, const struct definition *def,
                const char *filters, struct error *err)
{
    *views = (struct views){0};
    struct reader r = {.views = views, .def = def, .path = path, .filters = filters, .err = err};
    bool ok = read_lines(&r) && run(&r, (struct body){0, r.n_lines});
    for (size_t i = 0; i < r.n_lines; i++)
        free(r.lines[i].text);
    free(r.lines);
    return ok;
}

void views_free(struct views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        free(views->items[i].name);
        free(views->items[i].text);
    }
    free(views->items);
    *views = (struct views){0};
}
