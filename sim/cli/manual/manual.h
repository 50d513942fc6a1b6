/* Texts made from the commands' option tables: manual pages (man(7) macros) and completions of
 * shells. They hold no date, so that two builds of one source are equal. */
#ifndef EVGPU_CLI_MANUAL_MANUAL_H
#define EVGPU_CLI_MANUAL_MANUAL_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/cli/commands.h"

/* evgpu.1: the commands, exit statuses, files and environment. */
void manual_overview(FILE *to);
/* evgpu-NAME.1: one command's arguments and options. */
void manual_command(FILE *to, const struct command *command);
/* evgpu.ini.5: the keys of a machine's description. */
void manual_config(FILE *to);

void complete_bash(FILE *to);
void complete_zsh(FILE *to);

/* The rows that a user sees: false for the end, a group's title or a hidden option. */
bool option_is_listed(const struct argp_option *option);
bool option_is_end(const struct argp_option *option);

/* The kind of an option's argument, from its name in the table: FILE, FILE.json, FOLDER. */
enum argument_kind { ARGUMENT_NONE, ARGUMENT_TEXT, ARGUMENT_FILE, ARGUMENT_FOLDER };
enum argument_kind option_argument(const struct argp_option *option);

#endif
