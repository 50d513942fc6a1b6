/* The keys of a machine's configuration, one line each: name, field that takes the value, range,
 * unit and meaning. A new key is a line in config_keys.c, the field of the struct that its readers
 * have, and its value in config/base.ini. */
#ifndef EVGPU_SYSTEM_CONFIG_KEYS_H
#define EVGPU_SYSTEM_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/system/config.h"

struct config_key {
    const char *section, *name;
    size_t offset; /* of a uint32_t in struct machine_config */
    uint32_t min, max;
    const char *unit, *meaning;
    const char *const *words; /* named values 0, 1, ..., or from max + 1 on; NULL: a number */
    bool map;                 /* the placement, in as many lines as it has rows */
    /* Named values from the table of the part that has them: the name of value `index`, NULL from
     * their number on. */
    const char *(*policy)(uint32_t index);
};

extern const struct config_key config_keys[];
extern const size_t config_key_count;

#endif
