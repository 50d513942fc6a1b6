/* What an option of `evgpu run` needs beside it, so that none is taken which then does nothing. */
#ifndef EVGPU_CLI_RUN_OPTION_NEEDS_H
#define EVGPU_CLI_RUN_OPTION_NEEDS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What a command line has. */
enum {
    HAVE_SERVICE = 1,
    HAVE_PROGRAM = 2, /* of the user's */
    HAVE_BACKGROUND = 4,
    HAVE_CPUS = 8,
    HAVE_TRACE = 16,
    HAVE_EVENTS = 32,   /* services whose doorbells launch, or programs, which may have some */
    HAVE_RESERVED = 64, /* cores that are reserved, used or not */
    HAVE_TRIGGER = 128  /* of the waveform, other than a cycle */
};

/* The options that were given, by their keys. */
struct options_given {
    const struct argp_option *table;
    uint64_t given[8]; /* a bit for each key, of which the first is 256 */
};

void options_give(struct options_given *o, int key);
bool option_was_given(const struct options_given *o, const char *name);

/* Before anything is made: false with an error that names an option and what it needs. */
bool options_needed(const struct options_given *o, uint32_t have, struct error *err);

/* When it is known how services launch: a line for each option that does nothing then. */
void options_idle(const struct options_given *o, uint32_t have);

#endif
