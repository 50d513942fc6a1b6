#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/cli.h"

#define MOST_FILTERS 64

struct request {
    struct machine_choice machine;
    const char *filters[MOST_FILTERS]; /* sections and SECTION.KEYs; none: all lines */
    uint32_t n_filters;
    struct error err;
};

/* A line begins with SECTION.KEY. */
static bool is_wanted(const struct request *r, const char *text)
{
    size_t key = strcspn(text, " :="), section = strcspn(text, ".");
    for (uint32_t i = 0; i < r->n_filters; i++) {
        size_t n = strlen(r->filters[i]);
        if ((n == key || n == section) && !strncmp(text, r->filters[i], n))
            return true;
    }
    return !r->n_filters;
}

static void print_line(void *user, const char *text)
{
    if (is_wanted(user, text))
        puts(text);
}

static bool take_word(struct request *r, const char *word)
{
    char path[PATH_MAX];
    size_t n = strlen(word);
    if ((n > 4 && !strcmp(word + n - 4, ".ini")) || strchr(word, '/') ||
        (!config_known(word, NULL) && find_data(word, "config", path, sizeof path))) {
        if (r->machine.config_name)
            return error_set(&r->err, "'%s' is a second machine; one at a time", word);
        r->machine.config_name = word;
        return true;
    }
    if (r->n_filters == MOST_FILTERS)
        return error_set(&r->err, "more than %d sections and keys", MOST_FILTERS);
    r->filters[r->n_filters++] = word;
    return config_known(word, &r->err);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    return take_word(r, arg) ? 0 : EINVAL;
}

static int print_machine(struct request *r)
{
    struct machine_config *config = ALLOC(struct machine_config);
    int status = EXIT_VERIFIED;
    if (load_machine(&r->machine, config, &r->err))
        config_print(config, print_line, r);
    else
        status = complain(EXIT_BAD_INPUT, &r->err);
    free(config);
    return status;
}

const struct argp config_argp = {
    .parser = parse_option,
    .args_doc = "[MACHINE.ini] [SECTION|SECTION.KEY...]",
    .doc = "Lists every configuration key with its range, unit and meaning; of a machine, every "
           "key with its value. With sections or keys, only these."};

int cmd_config(int argc, char **argv)
{
    struct request *r = ALLOC(struct request);
    int status = EXIT_VERIFIED;
    if (argp_parse(&config_argp, argc, argv, 0, NULL, r))
        status = complain(EXIT_BAD_INPUT, &r->err);
    else if (r->machine.config_name)
        status = print_machine(r);
    else
        config_describe(print_line, r);
    free(r);
    return status;
}
