#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/version.h"
#include "sim/cli/cli.h"
#include "sim/cli/commands.h"

static void usage(FILE *to)
{
    fprintf(to, "Usage: evgpu COMMAND [OPTION...]\n\n");
    for (size_t i = 0; i < n_commands; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].meaning);
    fprintf(to,
            "\n`evgpu COMMAND --help` lists a command's options, `evgpu --version` says what this "
            "evgpu was built from.\n");
}

static int run(const struct command *command, int argc, char **argv)
{
    /* Commands cut their words into pieces and put them into another order; those that the process
     * was started with stay whole for result files (sim/cli/results/about.h). */
    char name[64];
    char **copies = ALLOC_ARRAY(char *, (size_t)argc),
         **words = ALLOC_ARRAY(char *, (size_t)argc + 1);
    snprintf(name, sizeof name, "evgpu %s", command->name);
    for (int i = 0; i < argc; i++)
        copies[i] = alloc_string(argv[i]);
    memcpy(words, copies, (size_t)argc * sizeof *words);
    words[1] = name;
    int status = command->run(argc - 1, words + 1);
    for (int i = 0; i < argc; i++)
        free(copies[i]);
    free(copies);
    free(words);
    return status;
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_BAD_INPUT;
    guard_outputs();
    if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))) {
        usage(stdout);
        return EXIT_VERIFIED;
    }
    if (argc >= 2 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
        char text[VERSION_TEXT];
        printf("evgpu %s\n", version_text(text));
        return EXIT_VERIFIED;
    }
    struct error err = {0};
    const struct command *command = argc >= 2 ? command_find(argv[1], &err) : NULL;
    if (command && !command_knows(command, argc - 1, argv + 1, &err))
        return complain(EXIT_BAD_INPUT, &err);
    if (command)
        return run(command, argc, argv);
    if (argc >= 2)
        return complain(EXIT_BAD_INPUT, &err);
    usage(stderr);
    return EXIT_BAD_INPUT;
}
