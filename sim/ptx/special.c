#include "sim/ptx/special.h"

#include <string.h>

static const struct {
    const char *text;
    uint32_t bytes;
} table[SPECIAL_COUNT] = {
#define X(name, text, bytes) {text, bytes},
    SPECIAL_REGISTERS(X)
#undef X
};

enum special_register special_of(const char *text, uint32_t length)
{
    uint32_t i = 0;
    while (i < SPECIAL_COUNT &&
           (strlen(table[i].text) != length || memcmp(table[i].text, text, length) != 0))
        i++;
    return (enum special_register)i;
}

uint32_t special_bytes(enum special_register special)
{
    return table[special].bytes;
}
