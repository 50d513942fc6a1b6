/* evgpu wave: GTKWave with one of the views that come with evgpu. */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/cli.h"

#define DEFAULT_VIEW "events"
#define VIEWS_FOLDER "gen"
#define VIEW_ENDING  ".gtkw"

struct request {
    const char *waveform, *view;
    bool list, print;
};

enum { OPT_LIST = 256, OPT_PRINT };

static const struct argp_option options[] = {
    {"list", OPT_LIST, NULL, 0, "list the views", 0},
    {"print", OPT_PRINT, NULL, 0, "print the view in place of opening it", 0},
    {0},
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case OPT_LIST:
        r->list = true;
        return 0;
    case OPT_PRINT:
        r->print = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            return ARGP_ERR_UNKNOWN;
        *(state->arg_num ? &r->view : &r->waveform) = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int list_views(void)
{
    struct error err = {0};
    char path[PATH_MAX];
    glob_t found = {0};
    if (!find_beside(VIEWS_FOLDER "/" DEFAULT_VIEW VIEW_ENDING, path, sizeof path)) {
        error_set(&err, "wave: there are no views beside the command");
        return complain(EXIT_BAD_INPUT, &err);
    }
    memcpy(strrchr(path, '/'), "/*" VIEW_ENDING, sizeof "/*" VIEW_ENDING);
    if (glob(path, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *name = strrchr(found.gl_pathv[i], '/') + 1;
            printf("%.*s\n", (int)(strlen(name) - strlen(VIEW_ENDING)), name);
        }
    }
    globfree(&found);
    return EXIT_VERIFIED;
}

/* The view named, a file or one that comes with evgpu. */
static bool find_view(const char *name, char *path, size_t room, struct error *err)
{
    char beside[PATH_MAX];
    if (strchr(name, '/') || strchr(name, '.'))
        return (size_t)snprintf(path, room, "%s", name) < room && access(path, R_OK) == 0
                   ? true
                   : error_set(err, "wave: view %s: %s", name, strerror(errno));
    return ((size_t)snprintf(beside, sizeof beside, VIEWS_FOLDER "/%s" VIEW_ENDING, name) <
                sizeof beside &&
            find_beside(beside, path, room)) ||
           error_set(err, "wave: there is no view '%s'; `evgpu wave --list` lists them", name);
}

const struct argp wave_argp = {
    .options = options,
    .parser = on_option,
    .args_doc = "FILE.fst [VIEW]\n--list",
    .doc = "Opens a waveform of `evgpu run --trace` in GTKWave, at its trigger, with the signals "
           "of VIEW (" DEFAULT_VIEW ") in groups and under names."};

int cmd_wave(int argc, char **argv)
{
    struct request r = {.view = DEFAULT_VIEW};
    struct error err = {0};
    char view[PATH_MAX], script[PATH_MAX];
    argp_parse(&wave_argp, argc, argv, 0, NULL, &r);
    if (r.list)
        return list_views();
    if (!r.waveform)
        error_set(&err, "wave: which waveform? `evgpu run --trace FILE.fst` records one");
    else if (access(r.waveform, R_OK))
        error_set(&err, "wave: %s: %s", r.waveform, strerror(errno));
    else if (find_view(r.view, view, sizeof view, &err) &&
             !find_beside("tb/wave/show.sh", script, sizeof script))
        error_set(&err, "wave: tb/wave/show.sh is not beside the command");
    if (err.set)
        return complain(EXIT_BAD_INPUT, &err);
    if (r.print)
        setenv("SHOW", "cat", 1);
    execlp("sh", "sh", script, r.waveform, view, (char *)NULL);
    error_set(&err, "wave: sh: %s", strerror(errno));
    return complain(EXIT_FAILED, &err);
}
