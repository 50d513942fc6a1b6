#include "sim/cli/commands.h"

#include <string.h>

#include "sim/cli/cli.h"

const struct command commands[] = {
    {"run", "run services, CUDA programs and CPU cores on one machine", &run_argp, cmd_run},
    {"kernel", "run one PTX kernel by itself", &kernel_argp, cmd_kernel},
    {"bench", "measure the speed of the simulator", &bench_argp, cmd_bench},
    {"experiment", "run the simulations of a table or figure", &experiment_argp, cmd_experiment},
    {"compare", "say how two result files differ", &compare_argp, cmd_compare},
    {"stats", "print the figures of result files, or the list of all fields", &stats_argp,
     cmd_stats},
    {"timeline", "draw a timeline file", &timeline_argp, cmd_timeline},
    {"wave", "open a waveform in GTKWave with a view", &wave_argp, cmd_wave},
    {"mesh", "run a mesh network by itself under synthetic traffic", &mesh_argp, cmd_mesh},
    {"cputrace", "record a program as an instruction trace for CPU cores", &cputrace_argp,
     cmd_cputrace},
    {"pktgen", "generate a packet capture", &pktgen_argp, cmd_pktgen},
    {"routes", "generate a routing table", &routes_argp, cmd_routes},
    {"cuda-home", "print the folder to set CUDA_HOME to", &cuda_home_argp, cmd_cuda_home},
    {"config", "list every configuration key, or the values of a machine", &config_argp,
     cmd_config},
    {"manual", "print a manual page, or the completion of a shell", &manual_argp, cmd_manual},
};
const size_t n_commands = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < n_commands; i++) {
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    }
    return NULL;
}
