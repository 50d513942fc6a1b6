/* Manual pages, in the macros of man(7). */
#include <ctype.h>
#include <string.h>

#include "sim/cli/manual/manual.h"
#include "sim/system/config.h"

/* Characters of a table as roff: what stands in `backquotes` is bold. */
static void put_characters(FILE *to, const char *text, size_t length)
{
    bool bold = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '`') {
            bold = !bold;
            fputs(bold ? "\\fB" : "\\fR", to);
        } else if (c == '\\') {
            fputs("\\e", to);
        } else if (c == '-') {
            fputs("\\-", to);
        } else {
            /* A line that begins so would be a request. */
            if ((c == '.' || c == '\'') && (!i || text[i - 1] == '\n'))
                fputs("\\&", to);
            fputc(c, to);
        }
    }
}

static void put_text(FILE *to, const char *text)
{
    put_characters(to, text, strlen(text));
    fputc('\n', to);
}

/* What a table holds as a phrase: the first letter large, a full stop at the end. */
static void put_sentence(FILE *to, const char *text)
{
    size_t length = strlen(text);
    if (!length)
        return;
    fputc(toupper((unsigned char)text[0]), to);
    put_characters(to, text + 1, length - 1);
    fputs(text[length - 1] == '.' ? "\n" : ".\n", to);
}

static void put_head(FILE *to, const char *page, int section, const char *meaning)
{
    fputs(".\\\" Made from the option tables by `evgpu manual`.\n", to);
    fprintf(to, ".TH \"%s\" %d \"\" \"evgpu\" \"evgpu manual\"\n.SH NAME\n", page, section);
    put_characters(to, page, strlen(page));
    fputs(" \\- ", to);
    put_text(to, meaning);
}

static void put_exit_status(FILE *to)
{
    fputs(".SH EXIT STATUS\n"
          ".TP\n.B 0\nEverything was verified.\n"
          ".TP\n.B 1\nA run failed, a result differs or a file could not be written.\n"
          ".TP\n.B 2\nBad input: nothing was run.\n",
          to);
}

static void put_names(FILE *to, const struct argp_option *option)
{
    fputs(".TP\n\\fB", to);
    if (isgraph(option->key) && option->key < 128)
        fprintf(to, "\\-%c\\fR, \\fB", option->key);
    fputs("\\-\\-", to);
    put_characters(to, option->name, strlen(option->name));
    fputs("\\fR", to);
    if (option->arg) {
        bool optional = option->flags & OPTION_ARG_OPTIONAL;
        fprintf(to, "%s=\\fI", optional ? "[" : "");
        put_characters(to, option->arg, strlen(option->arg));
        fprintf(to, "\\fR%s", optional ? "]" : "");
    }
    fputc('\n', to);
}

static void put_options(FILE *to, const struct argp_option *options)
{
    fputs(".SH OPTIONS\n", to);
    for (; options && !option_is_end(options); options++) {
        if (option_is_listed(options)) {
            put_names(to, options);
            put_sentence(to, options->doc ? options->doc : "");
        } else if (!options->name && options->doc) {
            fputs(".SS \"", to);
            put_characters(to, options->doc, strlen(options->doc));
            fputs("\"\n", to);
        }
    }
    fputs(".TP\n\\fB\\-?\\fR, \\fB\\-\\-help\\fR\nPrint the options and end.\n"
          ".TP\n\\fB\\-\\-usage\\fR\nPrint the options without their meanings and end.\n",
          to);
}

/* A line for each form of the arguments; argp separates them with line feeds. */
static void put_synopsis(FILE *to, const struct command *command)
{
    const char *form = command->argp->args_doc ? command->argp->args_doc : "";
    fputs(".SH SYNOPSIS\n", to);
    do {
        size_t length = strcspn(form, "\n");
        fputs("\\fBevgpu ", to);
        put_characters(to, command->name, strlen(command->name));
        fputs("\\fR [\\fIOPTION\\fR...] ", to);
        put_characters(to, form, length);
        fputs("\n.br\n", to);
        form += length + (form[length] == '\n');
    } while (*form);
}

/* argp's text has a part above the options and one below, behind a vertical tab. */
static void put_description(FILE *to, const char *doc)
{
    size_t above = strcspn(doc, "\v");
    fputs(".SH DESCRIPTION\n", to);
    put_characters(to, doc, above);
    fputc('\n', to);
    if (doc[above]) {
        fputs(".PP\n", to);
        put_text(to, doc + above + 1);
    }
}

void manual_command(FILE *to, const struct command *command)
{
    char page[64];
    snprintf(page, sizeof page, "evgpu-%s", command->name);
    put_head(to, page, 1, command->meaning);
    put_synopsis(to, command);
    put_description(to, command->argp->doc ? command->argp->doc : command->meaning);
    put_options(to, command->argp->options);
    put_exit_status(to);
    fputs(".SH SEE ALSO\n.BR evgpu (1),\n.BR evgpu.ini (5)\n", to);
}

void manual_overview(FILE *to)
{
    put_head(to, "evgpu", 1, "cycle-level simulator of a GPU that devices start by themselves");
    fputs(".SH SYNOPSIS\n\\fBevgpu\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n", to);
    fputs(
        ".SH DESCRIPTION\n"
        "A network card writes a doorbell, and a kernel registered beforehand runs within tens of "
        "cycles, on a warp borrowed from the program that occupies the GPU. The event hardware "
        "is Verilog, the rest of the machine is C, and kernels execute for real: every result is "
        "checked against a host reference.\n.SH COMMANDS\n",
        to);
    for (size_t i = 0; i < n_commands; i++) {
        fputs(".TP\n.BR evgpu\\-", to);
        put_characters(to, commands[i].name, strlen(commands[i].name));
        fputs(" (1)\n", to);
        put_sentence(to, commands[i].meaning);
    }
    fputs(".SH OPTIONS\n"
          ".TP\n\\fB\\-\\-help\\fR\nPrint the commands and end.\n"
          ".TP\n\\fB\\-\\-version\\fR\nPrint the source that this evgpu was built from and end.\n",
          to);
    put_exit_status(to);
    fputs(".SH FILES\n"
          "A machine or an experiment that is named without a folder is looked for in the working "
          "directory, and below the directories that hold the command.\n"
          ".SH SEE ALSO\n.BR evgpu.ini (5)\n",
          to);
}

/* "section.key range unit: meaning" */
static void put_key(void *user, const char *line)
{
    FILE *to = user;
    size_t key = strcspn(line, " "), head = strcspn(line, ":");
    fputs(".TP\n\\fB", to);
    put_characters(to, line, key);
    fputs("\\fR", to);
    if (head > key)
        put_characters(to, line + key, head - key);
    fputc('\n', to);
    put_sentence(to, line[head] ? line + head + 1 + strspn(line + head + 1, " ") : "");
}

void manual_config(FILE *to)
{
    put_head(to, "evgpu.ini", 5, "description of a machine");
    fputs(".SH DESCRIPTION\n"
          "A machine is a file of sections and keys. `include = FILE` in front of the sections "
          "takes over another file. `evgpu run \\-\\-set SECTION.KEY=VALUE` overrides a key, and "
          "`evgpu config MACHINE.ini` prints each key with its value.\n.SH KEYS\n",
          to);
    config_describe(put_key, to);
    fputs(".SH SEE ALSO\n.BR evgpu\\-config (1),\n.BR evgpu\\-run (1)\n", to);
}
