#include "sw/cuda/nvcc/diagnose.h"

#include <stdio.h>
#include <string.h>

#include "sw/cuda/nvcc/command.h"

struct state {
    bool skipping; /* the source line and the notes that belong to a message of ours */
};

static bool begins_message(const char *line)
{
    return strstr(line, ": error: ") || strstr(line, ": warning: ") ||
           strstr(line, ": fatal error: ") || strstr(line, " generated when compiling");
}

/* A kernel that starts a kernel looks to clang like a call of a function that may not be called. */
static void show(char *line, void *context)
{
    struct state *state = context;
    if (state->skipping && !begins_message(line))
        return;
    state->skipping = false;
    char *error = strstr(line, ": error: reference to __global__ function ");
    const char *where = error ? strstr(error, " in __") : NULL;
    if (where && !strstr(where, "__host__")) {
        fprintf(stderr,
                "%.*s: error: a kernel is launched in device code: evgpu does not support dynamic "
                "parallelism; launch from the host\n",
                (int)(error - line), line);
        state->skipping = true;
        return;
    }
    fputs(line, stderr);
}

void diagnose_run(const struct options *options, const struct list *words)
{
    struct state state = {0};
    command_run_filtered(options, words, show, &state);
}
