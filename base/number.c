#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* strtoull would take blanks, signs and octal numbers. */
static bool parse(const char *text, uint64_t *value)
{
    char *end = NULL;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    errno = 0;
    *value = strtoull(digits, &end, hex ? 16 : 10);
    return isxdigit((unsigned char)*digits) && (!hex || (digits[1] != 'x' && digits[1] != 'X')) &&
           !*end && !errno;
}

bool parse_whole(const char *what, const char *text, uint64_t max, uint64_t *value,
                 struct error *err)
{
    return (parse(text, value) && *value <= max) ||
           error_set(err, "%s: '%s' is not a whole number up to %llu", what, text,
                     (unsigned long long)max);
}

bool parse_count(const char *what, const char *text, uint64_t max, uint64_t *value,
                 struct error *err)
{
    return parse_whole(what, text, max, value, err) &&
           (*value || error_set(err, "%s: must be 1 or more", what));
}

bool parse_between(const char *what, const char *text, const uint64_t range[2], uint64_t *value,
                   struct error *err)
{
    return (parse(text, value) && *value >= range[0] && *value <= range[1]) ||
           error_set(err, "%s: '%s' is not a whole number from %llu to %llu", what, text,
                     (unsigned long long)range[0], (unsigned long long)range[1]);
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
