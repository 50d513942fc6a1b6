/* Settings of services from the command line, by their tables (sw/services/common/service.h). */
#ifndef EVGPU_GUEST_SERVICE_SETTINGS_H
#define EVGPU_GUEST_SERVICE_SETTINGS_H

#include <stdio.h>

#include "base/error.h"
#include "sw/services/common/service.h"

/* key=value; the value is NULL when there is no "=". Both stay the caller's. */
struct setting {
    const char *key, *value;
};

/* The next item of a list with commas, in place: `\,` is a comma within it, `\\` a backslash. NULL
 * behind the last one, when *rest is NULL. */
char *settings_next(char **rest);

/* An item as key and value, in place. */
struct setting setting_of(char *item);

/* A table and its values, one for each row. */
struct settings {
    const struct setting_row *rows;
    struct setting_value *values;
};

uint32_t settings_count(const struct setting_row *rows);

/* Every row's default. */
void settings_default(const struct settings *s);

/* Puts the setting into the table that has its key; of the same key, the later one counts. False
 * with an error that names the key and its range, or all keys. */
bool settings_take(const struct settings *tables, uint32_t n_tables, const struct setting *setting,
                   struct error *err);

/* When all are taken: false with an error that names a setting which does nothing beside another.
 */
bool settings_apply(const struct settings *tables, uint32_t n_tables, struct error *err);

/* For people: a line or two per row, with range and default. */
void settings_print(const struct setting_row *rows, FILE *to);

#endif
