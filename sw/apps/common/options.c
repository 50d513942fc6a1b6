/* The options of an application, from its table. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/common/app.h"

#define FIRST_KEY  1024 /* of argp: no option has a letter */
#define HELP_BYTES 256

struct parse {
    struct app *app;
    size_t next; /* option of the next argument without a name */
};

static bool to_number(const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
    char *end = NULL;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long number = strtoul(text, &end, 0);
    if (*end || number < min || number > max)
        return false;
    *value = (uint32_t)number;
    return true;
}

static void take_number(const struct app *app, struct app_option *o, const char *text)
{
    if (!to_number(text, o->min, o->max, &o->number))
        app_fail(app, APP_BAD_INPUT, "--%s is '%s'; it must be %u to %u", o->name, text, o->min,
                 o->max);
}

static void take_choice(const struct app *app, struct app_option *o, const char *text)
{
    char list[HELP_BYTES] = "";
    for (uint32_t i = 0; o->choices[i]; i++) {
        if (strcmp(o->choices[i], text) == 0) {
            o->number = i;
            return;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", o->choices[i]);
    }
    app_fail(app, APP_BAD_INPUT, "--%s is '%s'; it must be one of %s", o->name, text, list);
}

static void take(const struct app *app, struct app_option *o, const char *text)
{
    switch (o->kind) {
    case APP_NUMBER:
        take_number(app, o, text);
        break;
    case APP_FLAG:
        o->number = 1;
        break;
    case APP_CHOICE:
        take_choice(app, o, text);
        break;
    case APP_TEXT:
        o->text = text;
        break;
    }
}

static void take_seed(struct app *app, const char *text)
{
    if (!to_number(text, 0, UINT32_MAX, &app->seed))
        app_fail(app, APP_BAD_INPUT, "--seed is '%s'; it must be 0 to %u", text, UINT32_MAX);
}

static void take_unnamed(struct parse *parse, const char *text)
{
    struct app *app = parse->app;
    while (parse->next < app->count && (app->options[parse->next].kind == APP_FLAG ||
                                        app->options[parse->next].kind == APP_CHOICE))
        parse->next++;
    if (parse->next > app->count)
        app_fail(app, APP_BAD_INPUT, "unexpected argument '%s'; see --help", text);
    if (parse->next == app->count)
        take_seed(app, text);
    else
        take(app, &app->options[parse->next], text);
    parse->next++;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct app *app = parse->app;
    size_t index = (size_t)key - FIRST_KEY;
    if (key == ARGP_KEY_ARG) {
        take_unnamed(parse, arg);
        return 0;
    }
    if (key < FIRST_KEY || index > app->count)
        return ARGP_ERR_UNKNOWN;
    if (index < app->count) {
        take(app, &app->options[index], arg);
        return 0;
    }
    take_seed(app, arg);
    return 0;
}

static void describe(const struct app_option *o, char text[HELP_BYTES])
{
    switch (o->kind) {
    case APP_NUMBER:
        snprintf(text, HELP_BYTES, "%s (default %u)", o->help, o->number);
        break;
    case APP_CHOICE: {
        int used = snprintf(text, HELP_BYTES, "%s:", o->help);
        for (uint32_t i = 0; o->choices[i] && used > 0 && used < HELP_BYTES; i++)
            used += snprintf(text + used, (size_t)(HELP_BYTES - used), "%s %s%s", i ? "," : "",
                             o->choices[i], i == o->number ? " (default)" : "");
        break;
    }
    default:
        snprintf(text, HELP_BYTES, "%s%s%s%s", o->help, o->text ? " (default " : "",
                 o->text ? o->text : "", o->text ? ")" : "");
    }
}

void app_start(struct app *app, int argc, char **argv)
{
    static const char *const values[] = {
        [APP_NUMBER] = "N", [APP_FLAG] = NULL, [APP_CHOICE] = "WHICH", [APP_TEXT] = "TEXT"};
    struct argp_option *table = calloc(app->count + 2, sizeof *table);
    char(*help)[HELP_BYTES] = calloc(app->count + 1, sizeof *help);
    if (!table || !help)
        app_fail(app, APP_BAD_INPUT, "out of memory for its options");
    app->seed = 1;
    for (size_t i = 0; i < app->count; i++) {
        const struct app_option *o = &app->options[i];
        describe(o, help[i]);
        table[i] = (struct argp_option){.name = o->name,
                                        .key = FIRST_KEY + (int)i,
                                        .arg = values[o->kind],
                                        .doc = help[i],
                                        .group = (int)i + 1};
    }
    table[app->count] = (struct argp_option){.name = "seed",
                                             .key = FIRST_KEY + (int)app->count,
                                             .arg = "N",
                                             .doc = "seed of the input (default 1)",
                                             .group = (int)app->count + 1};
    const struct argp argp = {.options = table, .parser = on_option, .doc = app->doc};
    struct parse parse = {.app = app};
    argp_err_exit_status = APP_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &parse);
    free(table);
    free(help);
}
