/* The commands of `evgpu`. Their options stand in argp tables, from which `--help`, the manual
 * pages and the completions of shells are made (sim/cli/manual.h). */
#ifndef EVGPU_CLI_COMMANDS_H
#define EVGPU_CLI_COMMANDS_H

#include <argp.h>
#include <stddef.h>

struct command {
    const char *name, *meaning; /* the meaning without a full stop */
    const struct argp *argp;
    int (*run)(int argc, char **argv); /* argv[0] is "evgpu NAME"; returns the exit status */
};

/* In the order in which `evgpu --help` lists them. */
extern const struct command commands[];
extern const size_t n_commands;

/* NULL when there is no such command. */
const struct command *command_find(const char *name);

#endif
