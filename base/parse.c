#include "base/parse.h"

#include <errno.h>
#include <stdlib.h>

bool parse_whole(const char *what, const char *text, uint64_t max, uint64_t *value,
                 struct error *err)
{
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (!*text || *end || *text == '-' || errno || *value > max)
        return error_set(err, "%s: '%s' is not a whole number up to %llu", what, text,
                         (unsigned long long)max);
    return true;
}
