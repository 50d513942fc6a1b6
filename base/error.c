#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Messages quote files and words of the command, whose bytes must neither command the terminal
 * that shows them nor make two lines of one. */
static void defuse(char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c < ' ' && c != '\t') || c == 0x7F)
            *text = '?';
    }
}

/* What a quoted word of any length leaves no room for is cut out of the middle: the beginning names
 * file and line, the end says what to do. */
static void keep(struct error *err, const char *text)
{
    static const char gap[] = " ... ";
    const size_t room = sizeof err->text - 1, length = strlen(text);
    const size_t first = room / 2, last = room - first - (sizeof gap - 1);
    if (length <= room)
        snprintf(err->text, sizeof err->text, "%s", text);
    else
        snprintf(err->text, sizeof err->text, "%.*s%s%s", (int)first, text, gap,
                 text + length - last);
    defuse(err->text);
}

static char *formatted(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t room = n < 0 ? 1 : (size_t)n + 1;
    char *text = alloc_array(room, 1);
    vsnprintf(text, room, format, args);
    return text;
}

bool error_set(struct error *err, const char *format, ...)
{
    if (!err || err->set)
        return false;
    va_list args;
    va_start(args, format);
    char *text = formatted(format, args);
    va_end(args);
    keep(err, text);
    err->set = true;
    free(text);
    return false;
}

void error_prefix(struct error *err, const char *format, ...)
{
    if (!err || !err->set)
        return;
    va_list args;
    va_start(args, format);
    char *prefix = formatted(format, args);
    va_end(args);
    size_t room = strlen(prefix) + sizeof err->text + 2;
    char *joined = alloc_array(room, 1);
    snprintf(joined, room, "%s: %s", prefix, err->text);
    keep(err, joined);
    free(joined);
    free(prefix);
}
