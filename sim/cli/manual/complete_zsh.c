/* A completion function for zsh, with the options' meanings. */
#include <string.h>

#include "sim/cli/manual/manual.h"

/* Text inside of '...' and of [...] in an _arguments specification. */
static void put_quoted(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else if (strchr("[]:\\", *text))
            fprintf(to, "\\%c", *text);
        else
            fputc(*text, to);
    }
}

static void put_option(FILE *to, const struct argp_option *option)
{
    static const char *const actions[] = {[ARGUMENT_TEXT] = "", /* nothing is known */
                                          [ARGUMENT_FILE] = "_files",
                                          [ARGUMENT_FOLDER] = "_files -/"};
    enum argument_kind kind = option_argument(option);
    bool optional = option->flags & OPTION_ARG_OPTIONAL;
    fprintf(to, "            '*--%s%s[", option->name,
            kind == ARGUMENT_NONE ? ""
            : optional            ? "=-"
                                  : "=");
    put_quoted(to, option->doc ? option->doc : "");
    fputc(']', to);
    if (kind != ARGUMENT_NONE) {
        fputs(optional ? "::" : ":", to);
        put_quoted(to, option->arg);
        fprintf(to, ":%s", actions[kind]);
    }
    fputs("' \\\n", to);
}

static void put_command(FILE *to, const struct command *command)
{
    fprintf(to, "    %s)\n        _arguments -S \\\n", command->name);
    const struct argp_option *option = command->argp->options;
    for (; option && !option_is_end(option); option++) {
        if (option_is_listed(option))
            put_option(to, option);
    }
    fputs("            '--help[print the options]' \\\n", to);
    fputs(!strcmp(command->name, "experiment")
              ? "            '*: :{ local -a names; names=(${${(f)\"$(evgpu experiment --list "
                "2>/dev/null)\"}%% *}); compadd -a names; _files }' ;;\n"
              : "            '*:file:_files' ;;\n",
          to);
}

void complete_zsh(FILE *to)
{
    fputs("#compdef evgpu\n"
          "# zsh completion of evgpu, made from its option tables by `evgpu manual zsh`.\n"
          "local -a commands\ncommands=(\n",
          to);
    for (size_t i = 0; i < n_commands; i++) {
        fprintf(to, "    '%s:", commands[i].name);
        put_quoted(to, commands[i].meaning);
        fputs("'\n", to);
    }
    fputs(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
          "shift words\n(( CURRENT-- ))\ncase $words[1] in\n",
          to);
    for (size_t i = 0; i < n_commands; i++)
        put_command(to, &commands[i]);
    fputs("esac\n", to);
}
