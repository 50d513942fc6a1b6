/* The commands of `evgpu`. Their options stand in argp tables, from which `--help`, the manual
 * pages and the completions of shells are made (sim/cli/manual.h). */
#ifndef EVGPU_CLI_COMMANDS_H
#define EVGPU_CLI_COMMANDS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct command {
    const char *name, *meaning; /* the meaning without a full stop */
    const struct argp *argp;
    int (*run)(int argc, char **argv); /* argv[0] is "evgpu NAME"; returns the exit status */
};

/* In the order in which `evgpu --help` lists them. */
extern const struct command commands[];
extern const size_t n_commands;

/* NULL with an error that names a near one when there is no such command. */
const struct command *command_find(const char *name, struct error *err);

/* False with an error that names a near one when the words hold a long option that the command does
 * not have. Behind "--", or the first word of a command that takes the words of another one, all is
 * taken. */
bool command_knows(const struct command *command, int argc, char **argv, struct error *err);

#endif
