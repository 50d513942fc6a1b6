#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/cli.h"

static const struct command {
    const char *name, *meaning;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "run services, CUDA programs and CPU cores on one machine", cmd_run},
    {"kernel", "run one PTX kernel by itself", cmd_kernel},
    {"bench", "measure the speed of the simulator", cmd_bench},
    {"experiment", "run the simulations of a table or figure", cmd_experiment},
    {"timeline", "draw a timeline file", cmd_timeline},
    {"mesh", "run a mesh network by itself under synthetic traffic", cmd_mesh},
    {"cputrace", "record a program as an instruction trace for CPU cores", cmd_cputrace},
    {"pktgen", "generate a packet capture", cmd_pktgen},
    {"routes", "generate a routing table", cmd_routes},
    {"cuda-home", "print the folder to set CUDA_HOME to", cmd_cuda_home},
    {"config", "list every configuration key", cmd_config},
};

static void usage(FILE *to)
{
    fprintf(to, "Usage: evgpu COMMAND [OPTION...]\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].meaning);
    fprintf(to, "\n`evgpu COMMAND --help` lists a command's options.\n");
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_BAD_INPUT;
    if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))) {
        usage(stdout);
        return EXIT_VERIFIED;
    }
    for (size_t i = 0; argc >= 2 && i < sizeof commands / sizeof commands[0]; i++) {
        if (!strcmp(argv[1], commands[i].name)) {
            char name[64];
            snprintf(name, sizeof name, "evgpu %s", commands[i].name);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    if (argc >= 2)
        fprintf(stderr, "evgpu: there is no command '%s'\n", argv[1]);
    usage(stderr);
    return EXIT_BAD_INPUT;
}
