#include "sim/simt/pipeline/print_format.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_STRING 4096 /* of one %s */

struct printer {
    const struct thread_memory *memory;
    uint64_t format, next; /* addresses */
    char *text;
    size_t used, size;
    int arguments;
    bool lost; /* something was not in memory */
};

struct directive {
    char flags[8], type;
    int width, precision; /* -1: none */
    int longs;            /* l: 1, ll: 2, h: -1, hh: -2 */
};

static char peek(struct printer *p)
{
    const uint8_t *at = p->memory->at(p->memory->user, p->format, 1);
    if (!at)
        p->lost = true;
    return at ? (char)*at : '\0';
}

static uint64_t argument(struct printer *p, uint32_t bytes)
{
    uint64_t value = 0;
    p->next = (p->next + bytes - 1) / bytes * bytes;
    const uint8_t *at = p->memory->at(p->memory->user, p->next, bytes);
    p->next += bytes;
    p->arguments++;
    if (at)
        memcpy(&value, at, bytes);
    else
        p->lost = true;
    return value;
}

static void put(struct printer *p, const char *text, size_t bytes)
{
    size_t room = p->size - 1 - p->used;
    size_t n = bytes < room ? bytes : room;
    memcpy(p->text + p->used, text, n);
    p->used += n;
}

static int number(struct printer *p)
{
    int value = 0;
    if (peek(p) == '*') {
        p->format++;
        int32_t given = (int32_t)argument(p, 4);
        return given < -INT32_MAX ? -INT32_MAX : given; /* so that it can be negated */
    }
    for (char c = peek(p); c >= '0' && c <= '9'; c = peek(p)) {
        value = value < 100000 ? 10 * value + (c - '0') : value;
        p->format++;
    }
    return value;
}

static void parse(struct printer *p, struct directive *d)
{
    size_t n = 0;
    *d = (struct directive){.width = -1, .precision = -1};
    for (char c = peek(p); c && strchr("#0 +-", c); c = peek(p)) {
        if (n + 2 < sizeof d->flags)
            d->flags[n++] = c;
        p->format++;
    }
    d->width = number(p);
    if (d->width < 0) { /* of a negative *: left-justified */
        d->flags[n] = '-';
        d->width = -d->width;
    }
    if (peek(p) == '.') {
        p->format++;
        d->precision = number(p);
    }
    for (char c = peek(p); c == 'l' || c == 'h' || c == 'z' || c == 'j' || c == 't'; c = peek(p)) {
        d->longs += c == 'h' ? -1 : 1;
        p->format++;
    }
    d->type = peek(p);
    p->format += d->type != '\0';
}

/* The directive for the host's printf, `modifier` being the size of its value there. */
static const char *spell(const struct directive *d, const char *modifier, char out[64])
{
    char width[16] = "", precision[16] = "";
    if (d->width > 0)
        snprintf(width, sizeof width, "%d", d->width);
    if (d->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", d->precision);
    snprintf(out, 64, "%%%s%s%s%s%c", d->flags, width, precision, modifier, d->type);
    return out;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_integer(struct printer *p, const struct directive *d, bool is_signed)
{
    char buffer[2048], spec[64];
    uint64_t raw = argument(p, d->longs > 0 ? 8 : 4);
    if (d->longs <= 0 && is_signed)
        raw = (uint64_t)(int64_t)(int32_t)raw;
    if (d->longs == -1)
        raw = is_signed ? (uint64_t)(int64_t)(int16_t)raw : (uint16_t)raw;
    if (d->longs < -1)
        raw = is_signed ? (uint64_t)(int64_t)(int8_t)raw : (uint8_t)raw;
    int n = snprintf(buffer, sizeof buffer, spell(d, "ll", spec), (unsigned long long)raw);
    if (n > 0)
        put(p, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

static void put_double(struct printer *p, const struct directive *d)
{
    char buffer[2048], spec[64];
    uint64_t raw = argument(p, 8);
    double value;
    memcpy(&value, &raw, sizeof value);
    int n = snprintf(buffer, sizeof buffer, spell(d, "", spec), value);
    if (n > 0)
        put(p, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

static void put_text(struct printer *p, const struct directive *d)
{
    static const size_t longest = LONGEST_STRING;
    char value[LONGEST_STRING], buffer[LONGEST_STRING + 64], spec[64];
    uint64_t address = argument(p, 8);
    if (!address)
        snprintf(value, sizeof value, "(null)");
    else if (!print_string(p->memory, address, value, longest))
        p->lost = true;
    int n = snprintf(buffer, sizeof buffer, spell(d, "", spec), value);
    if (n > 0)
        put(p, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

static void put_pointer(struct printer *p, const struct directive *d)
{
    char buffer[2048], spec[64];
    int n = snprintf(buffer, sizeof buffer, spell(d, "", spec), (void *)(uintptr_t)argument(p, 8));
    if (n > 0)
        put(p, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

static void put_character(struct printer *p, const struct directive *d)
{
    char buffer[2048], spec[64];
    int n = snprintf(buffer, sizeof buffer, spell(d, "", spec), (int)argument(p, 4));
    if (n > 0)
        put(p, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}
#pragma GCC diagnostic pop

static void put_directive(struct printer *p)
{
    uint64_t start = p->format;
    struct directive d;
    parse(p, &d);
    /* No text is longer than what the largest buffer below takes. */
    d.width = d.width > 1024 ? 1024 : d.width;
    d.precision = d.precision > 512 ? 512 : d.precision;
    if (d.type && strchr("di", d.type)) {
        put_integer(p, &d, true);
    } else if (d.type && strchr("ouxX", d.type)) {
        put_integer(p, &d, false);
    } else if (d.type == 'p') {
        put_pointer(p, &d);
    } else if (d.type && strchr("eEfFgGaA", d.type)) {
        put_double(p, &d);
    } else if (d.type == 's') {
        put_text(p, &d);
    } else if (d.type == 'c') {
        put_character(p, &d);
    } else if (d.type == '%') {
        put(p, "%", 1);
    } else { /* not a directive: as it stands */
        put(p, "%", 1);
        p->format = start;
    }
}

int print_format(const struct thread_memory *memory, uint64_t format, uint64_t arguments,
                 char *text, size_t size)
{
    struct printer p = {
        .memory = memory, .format = format, .next = arguments, .text = text, .size = size};
    text[0] = '\0';
    if (!format)
        return -1;
    for (char c = peek(&p); c; c = peek(&p)) {
        p.format++;
        if (c == '%')
            put_directive(&p);
        else
            put(&p, &c, 1);
        if (p.lost)
            return -2;
    }
    text[p.used] = '\0';
    return p.lost ? -2 : p.arguments;
}

bool print_string(const struct thread_memory *memory, uint64_t address, char *text, size_t size)
{
    size_t n = 0;
    for (; n + 1 < size; n++) {
        const uint8_t *at = memory->at(memory->user, address + n, 1);
        if (!at) {
            text[n] = '\0';
            return false;
        }
        text[n] = (char)*at;
        if (!*at)
            return true;
    }
    text[n] = '\0';
    return true;
}
