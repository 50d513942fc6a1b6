#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/cli/cli.h"

static void print_line(void *user, const char *text)
{
    (void)user;
    puts(text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct machine_choice *choice = state->input;
    if (key != ARGP_KEY_ARG || choice->config_name)
        return ARGP_ERR_UNKNOWN;
    choice->config_name = arg;
    return 0;
}

static int print_machine(const struct machine_choice *choice)
{
    struct machine_config *config = ALLOC(struct machine_config);
    struct error err = {0};
    int status = EXIT_VERIFIED;
    if (load_machine(choice, config, &err))
        config_print(config, print_line, NULL);
    else
        status = complain(EXIT_BAD_INPUT, &err);
    free(config);
    return status;
}

const struct argp config_argp = {
    .parser = parse_option,
    .args_doc = "[MACHINE.ini]",
    .doc = "Lists every configuration key with its range, unit and meaning; of a machine, every "
           "key with its value."};

int cmd_config(int argc, char **argv)
{
    struct machine_choice choice = {.config_name = NULL};
    argp_parse(&config_argp, argc, argv, 0, NULL, &choice);
    if (choice.config_name)
        return print_machine(&choice);
    config_describe(print_line, NULL);
    return EXIT_VERIFIED;
}
