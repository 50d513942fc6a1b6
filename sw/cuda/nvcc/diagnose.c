#include "sw/cuda/nvcc/diagnose.h"

#include <stdio.h>
#include <string.h>

#include "sw/cuda/nvcc/absent.h"
#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/managed.h"

struct state {
    bool relocatable; /* -rdc=true */
    bool skipping;    /* the source line and the notes that belong to a message of ours */
    bool said;        /* all that is to be said: the compiler's last words follow */
    struct list held; /* "In file included from" and the like, of the next message */
};

static bool begins_message(const char *line)
{
    return strstr(line, ": error: ") || strstr(line, ": warning: ") ||
           strstr(line, ": fatal error: ") || strstr(line, " generated when compiling");
}

static bool leads_to_message(const char *line)
{
    if (strstr(line, ": In ") && !begins_message(line)) /* "FILE: In function 'f':" */
        return true;
    return starts_with(line, "In file included from ") ||
           starts_with(line, "                 from ");
}

/* A header that is not found: by clang, "'NAME' file not found", by gcc, "NAME: No such file or
 * directory". What evgpu has to say of it, and then clang's words, or NULL. */
static const char *missing_header(const char *error)
{
    const char *name = error + strlen(": fatal error: "), *end;
    if (*name == '\'') {
        end = strstr(++name, "' file not found");
    } else {
        end = strstr(name, ": No such file or directory");
    }
    const char *what = end ? absent_header(name, (size_t)(end - name)) : NULL;
    return what ? text("%s ('%.*s' file not found)", what, (int)(end - name), name) : NULL;
}

const char *diagnose_launch(const char *line)
{
    const char *error =
        strstr(line, ": error: reference to __host__ function '__cudaPushCallConfiguration' in ");
    if (error)
        return error;
    error = strstr(line, ": error: reference to __global__ function ");
    const char *where = error ? strstr(error, " in __") : NULL;
    return where && !strstr(where, "__host__") ? error : NULL;
}

/* The message in place of the compiler's, at the same place in the source. */
static bool replace(struct state *state, const char *line)
{
    const char *error = diagnose_launch(line), *what = NULL;
    if (error) {
        what = state->relocatable
                   ? "the launch of a kernel in device code is not understood; write "
                     "kernel<<<grid, block>>>(...) without macros"
                   : "a kernel is launched in device code: this needs -rdc=true";
    } else if ((error = managed_refused(line))) {
        what =
            "the declaration of a __managed__ variable is not understood; write TYPE NAME = VALUE;";
        state->said = true;
    } else if ((what = absent_name(line, &error))) {
        state->said = true;
    } else {
        error = strstr(line, ": fatal error: ");
        what = error ? missing_header(error) : NULL;
        state->said = what != NULL;
    }
    if (!what)
        return false;
    fprintf(stderr, "%.*s: error: %s\n", (int)(error - line), line, what);
    state->skipping = true;
    state->held.count = 0;
    return true;
}

static void show(char *line, void *context)
{
    struct state *state = context;
    if (state->said || (state->skipping && !begins_message(line)))
        return;
    state->skipping = false;
    if (leads_to_message(line)) {
        list_add(&state->held, text("%s", line));
        return;
    }
    if (replace(state, line))
        return;
    for (size_t i = 0; i < state->held.count; i++)
        fputs(state->held.at[i], stderr);
    state->held.count = 0;
    fputs(line, stderr);
}

void diagnose_run(const struct options *options, const struct list *words, const char *output)
{
    struct state state = {.relocatable = options->relocatable};
    command_run_filtered(options, words, output, show, &state);
}

static void show_link(char *line, void *context)
{
    bool *said = context;
    const char *name = strstr(line, "cannot find -l");
    const char *what = NULL;
    if (name) {
        name += strlen("cannot find -l");
        what = absent_library(name, strcspn(name, ":\n"));
    }
    if (what)
        fprintf(stderr, "nvcc error   : -l%.*s: %s\n", (int)strcspn(name, ":\n"), name, what);
    else if (!*said || !starts_with(line, "collect2: "))
        fputs(line, stderr);
    *said |= what != NULL;
}

void diagnose_link(const struct options *options, const struct list *words)
{
    bool said = false;
    command_run_filtered(options, words, NULL, show_link, &said);
}
