#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Messages quote files, whose bytes must not command the terminal that shows them. */
static void defuse(char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7F)
            *text = '?';
    }
}

bool error_set(struct error *err, const char *format, ...)
{
    if (!err || err->set)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    defuse(err->text);
    err->set = true;
    return false;
}

void error_prefix(struct error *err, const char *format, ...)
{
    if (!err || !err->set)
        return;
    char joined[sizeof err->text];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(joined, sizeof joined, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof joined)
        return;
    int room = (int)sizeof joined - n - 3; /* ": " and the end */
    snprintf(joined + n, sizeof joined - (size_t)n, ": %.*s", room > 0 ? room : 0, err->text);
    defuse(joined);
    memcpy(err->text, joined, sizeof joined);
}
