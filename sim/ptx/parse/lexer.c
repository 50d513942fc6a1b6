#include "sim/ptx/parse/lexer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct lexer {
    const char *name, *text;
    size_t length, pos;
    uint32_t line;
    struct token *tokens;
    size_t count, capacity;
    struct error *err;
};

static int peek(const struct lexer *lx, size_t ahead)
{
    return lx->pos + ahead < lx->length ? (unsigned char)lx->text[lx->pos + ahead] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

/* '%' only begins a word: "mov.u32%r1" has two. */
static bool is_word(int c)
{
    return c != '%' && (is_word_start(c) || is_digit(c));
}

static int hex_digit(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static struct token *add(struct lexer *lx, enum token_kind kind, size_t start, uint64_t value)
{
    ARRAY_RESERVE(lx->tokens, lx->count, lx->capacity);
    struct token *token = &lx->tokens[lx->count++];
    *token = (struct token){.kind = (uint8_t)kind,
                            .offset = (uint32_t)start,
                            .length = (uint32_t)(lx->pos - start),
                            .line = lx->line,
                            .value = value};
    return token;
}

static bool fail(struct lexer *lx, const char *what)
{
    return error_set(lx->err, "%s:%u: %s", lx->name, lx->line, what);
}

/* Skips white space and comments. */
static bool skip_blank(struct lexer *lx)
{
    for (;;) {
        int c = peek(lx, 0);
        if (c == '\n') {
            lx->line++;
            lx->pos++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lx->pos++;
        } else if (c == '/' && peek(lx, 1) == '/') {
            while (peek(lx, 0) != '\n' && peek(lx, 0) >= 0)
                lx->pos++;
        } else if (c == '/' && peek(lx, 1) == '*') {
            uint32_t start = lx->line;
            lx->pos += 2;
            while (peek(lx, 0) >= 0 && !(peek(lx, 0) == '*' && peek(lx, 1) == '/'))
                lx->line += lx->text[lx->pos++] == '\n';
            if (peek(lx, 0) < 0) {
                lx->line = start;
                return fail(lx, "comment without end; the file may be truncated");
            }
            lx->pos += 2;
        } else {
            return true;
        }
    }
}

/* `base` digits into `value`; false when there is none or when they exceed 64 bits. */
static bool digits(struct lexer *lx, unsigned base, uint64_t *value)
{
    size_t start = lx->pos;
    *value = 0;
    for (;;) {
        int d = hex_digit(peek(lx, 0));
        if (d < 0 || (unsigned)d >= base)
            break;
        if (*value > (UINT64_MAX - (unsigned)d) / base)
            return false;
        *value = *value * base + (unsigned)d;
        lx->pos++;
    }
    return lx->pos > start;
}

static bool float_bits(struct lexer *lx, size_t start, unsigned n_digits)
{
    uint64_t value;
    lx->pos += 2;
    size_t first = lx->pos;
    if (!digits(lx, 16, &value) || lx->pos - first != n_digits || is_word(peek(lx, 0)))
        return fail(lx, n_digits == 8 ? "0f needs exactly 8 hexadecimal digits"
                                      : "0d needs exactly 16 hexadecimal digits");
    add(lx, n_digits == 8 ? TOKEN_FLOAT : TOKEN_DOUBLE, start, value);
    return true;
}

static bool decimal_float(struct lexer *lx, size_t start)
{
    char buffer[64];
    lx->pos = start;
    while (is_digit(peek(lx, 0)) || peek(lx, 0) == '.')
        lx->pos++;
    if (peek(lx, 0) == 'e' || peek(lx, 0) == 'E') {
        lx->pos++;
        if (peek(lx, 0) == '+' || peek(lx, 0) == '-')
            lx->pos++;
        while (is_digit(peek(lx, 0)))
            lx->pos++;
    }
    size_t n = lx->pos - start;
    if (n >= sizeof buffer)
        return fail(lx, "number too long");
    memcpy(buffer, lx->text + start, n);
    buffer[n] = 0;
    char *end;
    double d = strtod(buffer, &end);
    if (*end || is_word(peek(lx, 0)))
        return fail(lx, "malformed number");
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    add(lx, TOKEN_DOUBLE, start, bits);
    return true;
}

static bool number(struct lexer *lx)
{
    size_t start = lx->pos;
    int second = peek(lx, 1);
    uint64_t value;
    bool ok;
    if (peek(lx, 0) == '0' && (second == 'f' || second == 'F'))
        return float_bits(lx, start, 8);
    if (peek(lx, 0) == '0' && (second == 'd' || second == 'D'))
        return float_bits(lx, start, 16);
    if (peek(lx, 0) == '0' && (second == 'x' || second == 'X')) {
        lx->pos += 2;
        ok = digits(lx, 16, &value);
    } else if (peek(lx, 0) == '0' && (second == 'b' || second == 'B')) {
        lx->pos += 2;
        ok = digits(lx, 2, &value);
    } else {
        size_t end = start;
        while (end < lx->length && is_digit((unsigned char)lx->text[end]))
            end++;
        int after = end < lx->length ? lx->text[end] : -1;
        if (after == '.' || after == 'e' || after == 'E')
            return decimal_float(lx, start);
        ok = digits(lx, peek(lx, 0) == '0' && is_digit(second) ? 8 : 10, &value);
    }
    if (ok && (peek(lx, 0) == 'U' || peek(lx, 0) == 'u'))
        lx->pos++;
    if (!ok || is_word(peek(lx, 0)))
        return fail(lx, "malformed number, or a number of more than 64 bits");
    add(lx, TOKEN_INT, start, value);
    return true;
}

/* A dot, or "::" as in shared::cta, continues a word when a word character follows. */
static size_t word_joint(const struct lexer *lx)
{
    if (peek(lx, 0) == '.' && is_word(peek(lx, 1)))
        return 1;
    if (peek(lx, 0) == ':' && peek(lx, 1) == ':' && is_word(peek(lx, 2)))
        return 2;
    return 0;
}

static void word(struct lexer *lx)
{
    size_t start = lx->pos;
    bool dotted = peek(lx, 0) != '.';
    lx->pos++;
    for (;;) {
        size_t step = is_word(peek(lx, 0)) ? 1 : dotted ? word_joint(lx) : 0;
        if (!step)
            break;
        lx->pos += step;
    }
    add(lx, TOKEN_WORD, start, 0);
}

static bool string(struct lexer *lx)
{
    size_t start = ++lx->pos;
    while (peek(lx, 0) >= 0 && peek(lx, 0) != '"' && peek(lx, 0) != '\n')
        lx->pos += peek(lx, 0) == '\\' && peek(lx, 1) >= 0 && peek(lx, 1) != '\n' ? 2 : 1;
    if (peek(lx, 0) != '"')
        return fail(lx, "string without end");
    add(lx, TOKEN_STRING, start, 0);
    lx->pos++;
    return true;
}

static bool next(struct lexer *lx)
{
    int c = peek(lx, 0);
    if (is_word_start(c) || (c == '.' && is_word_start(peek(lx, 1)))) {
        word(lx);
        return true;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(lx, 1))))
        return number(lx);
    if (c == '"')
        return string(lx);
    if (c > 0 && strchr("{}()[]<>,;:@!+-*/%&|^~=?.", c)) {
        lx->pos++;
        add(lx, TOKEN_PUNCT, lx->pos - 1, (uint64_t)c);
        return true;
    }
    return error_set(lx->err, "%s:%u: byte 0x%02X is not PTX", lx->name, lx->line, (unsigned)c);
}

struct token *lex(const char *name, const char *text, size_t length, size_t *count,
                  struct error *err)
{
    struct lexer lx = {.name = name, .text = text, .length = length, .line = 1, .err = err};
    if (length > UINT32_MAX - 1) {
        error_set(err, "%s: file larger than 4 GiB", name);
        return NULL;
    }
    for (;;) {
        if (!skip_blank(&lx))
            break;
        if (peek(&lx, 0) < 0) {
            add(&lx, TOKEN_END, lx.pos, 0);
            *count = lx.count;
            return lx.tokens;
        }
        if (!next(&lx))
            break;
    }
    free(lx.tokens);
    return NULL;
}
