#include <argp.h>
#include <stdio.h>

#include "sim/cli/cli.h"

static void print_line(void *user, const char *text)
{
    (void)user;
    puts(text);
}

int cmd_config(int argc, char **argv)
{
    static const struct argp argp = {
        .doc = "Lists every configuration key with its range, unit and meaning."};
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    config_describe(print_line, NULL);
    return EXIT_VERIFIED;
}
