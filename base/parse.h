/* Numbers that a person typed. */
#ifndef EVGPU_BASE_PARSE_H
#define EVGPU_BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Unsigned decimal or 0x number with an upper limit; `what` names it in the error. */
bool parse_whole(const char *what, const char *text, uint64_t max, uint64_t *value,
                 struct error *err);

#endif
