#include "sim/cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "sim/cli/cli.h"

const struct command commands[] = {
    {"run", "run services, CUDA programs and CPU cores on one machine", &run_argp, cmd_run},
    {"kernel", "run one PTX kernel by itself", &kernel_argp, cmd_kernel},
    {"bench", "measure the speed of the simulator", &bench_argp, cmd_bench},
    {"experiment", "run the simulations of a table or figure", &experiment_argp, cmd_experiment},
    {"compare", "say how two result files differ", &compare_argp, cmd_compare},
    {"stats", "print the figures of result files, or the list of all fields", &stats_argp,
     cmd_stats},
    {"report", "write a page about runs", &report_argp, cmd_report},
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

const struct command *command_find(const char *name, struct error *err)
{
    char hint[SUGGEST_MOST + 24];
    struct suggestion near = suggest(name);
    for (size_t i = 0; i < n_commands; i++) {
        if (!strcmp(commands[i].name, name))
            return &commands[i];
        suggest_offer(&near, commands[i].name);
    }
    suggest_text(&near, hint, sizeof hint);
    error_set(err, "there is no command '%s'%s", name,
              near.best ? hint : "; `evgpu help` lists them");
    return NULL;
}

/* --- options -----------------------------------------------------------------------------------
 */

static const struct argp_option built_in[] = {
    {"help", '?', NULL, 0, NULL, 0}, {"usage", 'u', NULL, 0, NULL, 0}, {0}};

static bool at_end(const struct argp_option *o)
{
    return !o->name && !o->key && !o->doc && !o->group;
}

/* The option that the first `n` letters of `name` begin. An alias has the argument of what it is an
 * alias of. */
static const struct argp_option *option_of(const struct argp_option *table, const char *name,
                                           size_t n, struct suggestion *near)
{
    const struct argp_option *own = table;
    for (const struct argp_option *o = table; o && !at_end(o); o++) {
        own = o->flags & OPTION_ALIAS ? own : o;
        if (!o->name)
            continue;
        if (!strncmp(o->name, name, n))
            return own;
        if (!(o->flags & OPTION_HIDDEN))
            suggest_offer(near, o->name);
    }
    return NULL;
}

bool command_knows(const struct command *command, int argc, char **argv, struct error *err)
{
    char word[SUGGEST_MOST + 2];
    bool others = command->run == cmd_cputrace;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (others && *argv[i] != '-')
            return true;
        if (strncmp(argv[i], "--", 2) != 0)
            continue;
        size_t n = strcspn(argv[i] + 2, "=");
        snprintf(word, sizeof word, "%.*s", (int)n, argv[i] + 2);
        struct suggestion near = suggest(word);
        const struct argp_option *o = option_of(command->argp->options, argv[i] + 2, n, &near);
        if (!o)
            o = option_of(built_in, argv[i] + 2, n, &near);
        if (!o)
            return error_set(err, "there is no option --%s; %s%s%s`evgpu %s --help` lists them",
                             word, near.best ? "did you mean --" : "", near.best ? near.best : "",
                             near.best ? "? " : "", command->name);
        i += o->arg && !(o->flags & OPTION_ARG_OPTIONAL) && !argv[i][2 + n];
    }
    return true;
}
