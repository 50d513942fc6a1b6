/* Numbers as people type and read them. */
#ifndef EVGPU_BASE_NUMBER_H
#define EVGPU_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define NUMBER_ROOM 27 /* of 20 digits with their commas and the final NUL */

/* Unsigned decimal or 0x number and nothing else, with an upper limit; `what` names it in the
 * error. */
bool parse_whole(const char *what, const char *text, uint64_t max, uint64_t *value,
                 struct error *err);

/* The same for a number that is not 0. */
bool parse_count(const char *what, const char *text, uint64_t max, uint64_t *value,
                 struct error *err);

/* The same for a number from range[0] to range[1]; the error names both. */
bool parse_between(const char *what, const char *text, const uint64_t range[2], uint64_t *value,
                   struct error *err);

/* The number with commas between thousands, as 2,002,944, in `text`. */
const char *number_grouped(uint64_t value, char text[NUMBER_ROOM]);

#endif
