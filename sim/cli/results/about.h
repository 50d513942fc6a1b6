/* What a result file is of. Every JSON file of evgpu holds it under the key "about", before all
 * others: whoever compares figures bit for bit leaves this key out. */
#ifndef EVGPU_CLI_RESULTS_ABOUT_H
#define EVGPU_CLI_RESULTS_ABOUT_H

#include <jansson.h>
#include <stdint.h>

#include "sim/cli/cli.h"

/* Of all files; grows when a field gets another name or meaning, not when one is added. */
#define RESULT_SCHEMA 1

struct about {
    const char *kind;                    /* "run", "bench", ... */
    const uint64_t *seed;                /* NULL: there is none */
    const struct machine_choice *choice; /* the machine that was asked for ... */
    const struct machine_config *config; /* ... and every key of it; NULL: no machine */
    json_t *settings;                    /* of other parts, or NULL; given away */
};

/* Of now, or of SOURCE_DATE_EPOCH where it is set: "2026-11-23T19:00:00Z". */
#define ABOUT_DATE 40
const char *about_date(char text[ABOUT_DATE]);

/* Schema, kind, version, command line, date, computer, seed and
 * machine. */
json_t *about_json(const struct about *about);

/* `figures`, an object, behind `about`; takes both. */
json_t *about_before(json_t *about, json_t *figures);

/* PATH.about.json beside a file whose format has no place for it; nothing beside a device. */
bool about_beside(const char *path, const struct about *about, struct error *err);

#endif
