#include "base/number.h"

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

const char *number_grouped(uint64_t value, char text[NUMBER_ROOM])
{
    char *at = text + NUMBER_ROOM - 1;
    *at = '\0';
    for (uint32_t digits = 0; !digits || value; digits++) {
        if (digits && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + value % 10);
        value /= 10;
    }
    return at;
}
