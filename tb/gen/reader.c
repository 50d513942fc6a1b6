#include "tb/gen/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool reader_fail(const struct reader *r, const char *what, const char *detail)
{
    return error_set(r->err, "%s:%u: %s%s%s%s", r->path, r->line, what, detail ? " '" : "",
                     detail ? detail : "", detail ? "'" : "");
}

bool reader_is_name(const char *text)
{
    if (!isalpha((unsigned char)text[0]))
        return false;
    for (const char *p = text; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    return true;
}

bool reader_name(const struct reader *r, const char *kind, char **out)
{
    char what[64];
    const char *token = strtok(NULL, " \t");
    if (!token) {
        snprintf(what, sizeof what, "%s without a name", kind);
        return reader_fail(r, what, NULL);
    }
    if (!reader_is_name(token)) {
        snprintf(what, sizeof what, "%s: not a name (letter, then letters, digits, _):", kind);
        return reader_fail(r, what, token);
    }
    *out = (char *)token;
    return true;
}

/* A number in low..high. */
bool reader_number_of(const struct reader *r, const char *token, uint32_t low, uint32_t high,
                      uint32_t *out)
{
    char *end;
    unsigned long long value = strtoull(token, &end, 0);
    if (!isdigit((unsigned char)token[0]) || *end || value < low || value > high) {
        char what[80];
        snprintf(what, sizeof what, "expected a number in %u..%u, found", low, high);
        return reader_fail(r, what, token);
    }
    *out = (uint32_t)value;
    return true;
}

bool reader_number(const struct reader *r, const char *name, uint32_t low, uint32_t high,
                   uint32_t *out)
{
    const char *token = strtok(NULL, " \t");
    return token ? reader_number_of(r, token, low, high, out)
                 : reader_fail(r, "number missing after", name);
}

bool reader_end(const struct reader *r)
{
    const char *token = strtok(NULL, " \t");
    return token ? reader_fail(r, "unexpected text", token) : true;
}

char *reader_comment(const struct reader *r)
{
    return r->comment ? alloc_string(r->comment) : NULL;
}
