#include "sim/ptx/parse/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const struct token *parser_peek(const struct parser *p)
{
    return &p->tokens[p->pos];
}

bool parser_is(const struct parser *p, char punct)
{
    const struct token *t = parser_peek(p);
    return t->kind == TOKEN_PUNCT && t->value == (uint64_t)punct;
}

bool parser_is_word(const struct parser *p, const char *word)
{
    const struct token *t = parser_peek(p);
    return t->kind == TOKEN_WORD && strlen(word) == t->length &&
           !memcmp(word, p->unit->text + t->offset, t->length);
}

bool parser_accept(struct parser *p, char punct)
{
    bool is = parser_is(p, punct);
    p->pos += is;
    return is;
}

bool parser_accept_word(struct parser *p, const char *word)
{
    bool is = parser_is_word(p, word);
    p->pos += is;
    return is;
}

bool parser_error(struct parser *p, const char *format, ...)
{
    char message[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    /* The text shown runs from the statement's first token to its end, or to where parsing stopped.
     */
    size_t last = p->pos;
    while (p->tokens[last].kind != TOKEN_END &&
           !(p->tokens[last].kind == TOKEN_PUNCT && strchr(";{}", (int)p->tokens[last].value)) &&
           last < p->pos + 16)
        last++;
    const struct token *first = &p->tokens[p->statement];
    /* The line of what was read last: the next token may be far below. */
    const struct token *at = p->pos > p->statement ? &p->tokens[p->pos - 1] : first;
    struct ast_inst where = {.line = at->line, .text = first->offset};
    where.text_length = p->tokens[last].offset + p->tokens[last].length - first->offset;
    if (parser_peek(p)->kind == TOKEN_END)
        return inst_error(p->unit, &where, p->err, "%s (the file ends here)", message);
    return inst_error(p->unit, &where, p->err, "%s", message);
}

bool parser_expect(struct parser *p, char punct)
{
    if (parser_accept(p, punct))
        return true;
    const struct token *t = parser_peek(p);
    if (t->kind == TOKEN_END)
        return parser_error(p, "'%c' expected", punct);
    int length = t->length < 40 ? (int)t->length : 40;
    return parser_error(p, "'%c' expected before '%.*s'", punct, length, p->unit->text + t->offset);
}

bool parser_skip_to(struct parser *p, char punct)
{
    while (parser_peek(p)->kind != TOKEN_END && !parser_is(p, punct))
        p->pos++;
    return parser_expect(p, punct);
}

static bool skip_section(struct parser *p)
{
    if (!parser_skip_to(p, '{'))
        return false;
    return parser_skip_to(p, '}');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 7.0, or 7. The text may end here, so that only the token's own characters are read. */
static bool parse_version(struct parser *p)
{
    const struct token *token = parser_peek(p);
    const char *text = p->unit->text + token->offset;
    uint32_t major = 0, at = 0;
    while (at < token->length && at < 3 && is_digit(text[at]))
        major = 10 * major + (uint32_t)(text[at++] - '0');
    bool minor = at + 2 == token->length && text[at] == '.' && is_digit(text[at + 1]);
    if (!at || (at != token->length && !minor))
        return parser_error(p, "version number expected");
    p->unit->version = 10 * major + (minor ? (uint32_t)(text[at + 1] - '0') : 0);
    p->pos++;
    return true;
}

/* sm_52, sm_90a */
static void note_architecture(struct parser *p, const struct token *name)
{
    const char *text = p->unit->text + name->offset;
    uint32_t number = 0;
    if (name->length <= 3 || strncmp(text, "sm_", 3) != 0)
        return;
    for (uint32_t i = 3; i < name->length && i < 6 && is_digit(text[i]); i++)
        number = 10 * number + (uint32_t)(text[i] - '0');
    p->unit->architecture = number;
}

static bool parse_target(struct parser *p)
{
    do {
        if (parser_peek(p)->kind != TOKEN_WORD)
            return parser_error(p, "target name expected");
        note_architecture(p, parser_peek(p));
        p->pos++;
    } while (parser_accept(p, ','));
    return true;
}

static bool parse_address_size(struct parser *p)
{
    int64_t size;
    if (!parse_integer(p, &size))
        return false;
    return size == 64 || parser_error(p, "only .address_size 64 is supported");
}

static bool parse_directive(struct parser *p)
{
    bool is_extern = false;
    uint8_t space;
    for (;;) {
        if (parser_accept_word(p, ".extern"))
            is_extern = true;
        else if (!parser_accept_word(p, ".visible") && !parser_accept_word(p, ".weak") &&
                 !parser_accept_word(p, ".common"))
            break;
    }
    if (parser_accept_word(p, ".version"))
        return parse_version(p);
    if (parser_accept_word(p, ".target"))
        return parse_target(p);
    if (parser_accept_word(p, ".address_size"))
        return parse_address_size(p);
    if (parse_debug(p))
        return true;
    if (parser_accept_word(p, ".section"))
        return skip_section(p);
    if (parser_accept_word(p, ".pragma"))
        return parser_skip_to(p, ';');
    if (parser_accept_word(p, ".entry"))
        return parse_function(p, true);
    if (parser_accept_word(p, ".func"))
        return parse_function(p, false);
    if (parse_space(p, &space) && space != SPACE_LOCAL && space != SPACE_PARAM)
        return parse_variables(p, space, is_extern);
    return parser_error(p, "unknown directive");
}

/* All of them. What does not begin with the version is refused before any of it is read. */
static bool parse_directives(struct parser *p)
{
    if (parser_peek(p)->kind == TOKEN_END)
        return error_set(p->err, "%s:1: not PTX: the file is empty", p->unit->name);
    if (!parser_is_word(p, ".version"))
        return parser_error(p, "not PTX: .version must come first");
    do {
        p->statement = p->pos;
        if (!parse_directive(p))
            return false;
    } while (parser_peek(p)->kind != TOKEN_END);
    return true;
}

bool parse_unit(struct unit *unit, const char *name, const char *text, size_t length,
                struct error *err)
{
    unit->name = name;
    unit->text = text;
    unit->length = length;
    unit->source = source_map_create();
    source_map_keep(unit->source, text, length);
    size_t count;
    struct token *tokens = lex(name, text, length, &count, err);
    if (!tokens)
        return false;
    struct parser p = {.unit = unit, .tokens = tokens, .err = err};
    symbols_init(&p.symbols);
    bool ok = parse_directives(&p);
    symbols_free(&p.symbols);
    free(p.refs);
    free(tokens);
    return ok;
}
