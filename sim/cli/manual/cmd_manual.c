/* evgpu manual: manual pages and completions, made from the option tables. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/manual/manual.h"

static error_t take_page(int key, char *arg, struct argp_state *state)
{
    const char **page = state->input;
    if (key != ARGP_KEY_ARG || *page)
        return ARGP_ERR_UNKNOWN;
    *page = arg;
    return 0;
}

const struct argp manual_argp = {
    .parser = take_page,
    .args_doc = "[COMMAND|evgpu.ini|bash|zsh]",
    .doc = "Prints a manual page for `man -l -`: the overview, that of a command, or that of a "
           "machine's keys; or the completion of a shell: `source <(evgpu manual bash)`."};

int cmd_manual(int argc, char **argv)
{
    const char *page = NULL;
    struct error err = {0};
    argp_parse(&manual_argp, argc, argv, 0, NULL, &page);
    const struct command *command = page ? command_find(page, NULL) : NULL;
    if (!page)
        manual_overview(stdout);
    else if (command)
        manual_command(stdout, command);
    else if (!strcmp(page, "evgpu.ini"))
        manual_config(stdout);
    else if (!strcmp(page, "bash"))
        complete_bash(stdout);
    else if (!strcmp(page, "zsh"))
        complete_zsh(stdout);
    else
        error_set(&err, "manual: there is no page '%s': must be a command, evgpu.ini, bash or zsh",
                  page);
    return err.set ? complain(EXIT_BAD_INPUT, &err) : EXIT_VERIFIED;
}
