/* PTX ISA, debugging directives:
 *   .file NUMBER "NAME" [, time, size]
 *   .loc FILE LINE COLUMN [, function_name LABEL [+ offset], inlined_at FILE LINE COLUMN] */
#include <string.h>

#include "sim/ptx/parse/parser.h"

/* The token if it is on the directive's line. */
static const struct token *on_line(const struct parser *p, uint32_t line)
{
    const struct token *t = parser_peek(p);
    return t->kind != TOKEN_END && t->line == line ? t : NULL;
}

static bool number(struct parser *p, uint32_t line, uint32_t *value)
{
    const struct token *t = on_line(p, line);
    if (!t || t->kind != TOKEN_INT || t->value > UINT32_MAX)
        return false;
    *value = (uint32_t)t->value;
    p->pos++;
    return true;
}

static void take_file(struct parser *p, uint32_t line)
{
    uint32_t n;
    if (!number(p, line, &n))
        return;
    const struct token *name = on_line(p, line);
    if (name && name->kind == TOKEN_STRING)
        source_map_file(p->unit->source, n, p->unit->text + name->offset, name->length);
}

static void take_outer(struct parser *p, uint32_t line, struct source_loc *loc)
{
    static const char word[] = "inlined_at";
    for (const struct token *t; (t = on_line(p, line)) != NULL; p->pos++) {
        if (t->kind != TOKEN_WORD || t->length != sizeof word - 1 ||
            memcmp(p->unit->text + t->offset, word, sizeof word - 1) != 0)
            continue;
        p->pos++;
        if (!number(p, line, &loc->outer_file) || !number(p, line, &loc->outer_line))
            loc->outer_file = 0;
        return;
    }
}

/* Line 0 is what the compiler made by itself: it counts to the line before. */
static void take_loc(struct parser *p, uint32_t line)
{
    struct source_loc loc = {0};
    if (!number(p, line, &loc.file) || !number(p, line, &loc.line) || !loc.line)
        return;
    (void)number(p, line, &loc.column);
    take_outer(p, line, &loc);
    source_map_loc(p->unit->source, line, &loc);
}

bool parse_debug(struct parser *p)
{
    uint32_t line = parser_peek(p)->line;
    if (parser_accept_word(p, ".file"))
        take_file(p, line);
    else if (parser_accept_word(p, ".loc"))
        take_loc(p, line);
    else
        return false;
    while (on_line(p, line))
        p->pos++;
    return true;
}

void parse_debug_end(struct parser *p)
{
    source_map_loc(p->unit->source, parser_peek(p)->line, &(struct source_loc){0});
}
