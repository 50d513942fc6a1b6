#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *err, const char *format, ...)
{
    if (!err || err->set)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
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
    memcpy(err->text, joined, sizeof joined);
}
