/* A completion function for bash. Names of experiments come from the command itself when they are
 * asked for. */
#include <string.h>

#include "sim/cli/manual/manual.h"

static void put_long_options(FILE *to, const struct argp_option *options)
{
    for (; options && !option_is_end(options); options++) {
        if (option_is_listed(options))
            fprintf(to, "--%s%s ", options->name,
                    options->arg && !(options->flags & OPTION_ARG_OPTIONAL) ? "=" : "");
    }
    fputs("--help --usage", to);
}

/* "--json|--out" of a command's options with such an argument; false when it has none. */
static bool put_options_of_kind(FILE *to, const struct argp_option *options,
                                enum argument_kind kind)
{
    bool any = false;
    for (; options && !option_is_end(options); options++) {
        if (option_is_listed(options) && option_argument(options) == kind) {
            fprintf(to, "%s--%s", any ? "|" : "        ", options->name);
            any = true;
        }
    }
    return any;
}

static void put_command(FILE *to, const struct command *command)
{
    const struct argp_option *options = command->argp->options;
    fprintf(to, "    %s)\n        options='", command->name);
    put_long_options(to, options);
    fputs("'\n        case $previous in\n", to);
    if (put_options_of_kind(to, options, ARGUMENT_FILE))
        fputs(") kind=file ;;\n", to);
    if (put_options_of_kind(to, options, ARGUMENT_FOLDER))
        fputs(") kind=folder ;;\n", to);
    if (put_options_of_kind(to, options, ARGUMENT_TEXT))
        fputs(") kind=text ;;\n", to);
    fputs("        esac ;;\n", to);
}

void complete_bash(FILE *to)
{
    fputs("# bash completion of evgpu, made from its option tables by `evgpu manual bash`.\n"
          "_evgpu()\n{\n"
          "    local current previous options= kind=word\n"
          "    COMPREPLY=()\n"
          "    current=${COMP_WORDS[COMP_CWORD]}\n"
          "    previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    # `=` is a word of its own.\n"
          "    if [ \"$current\" = = ]; then\n"
          "        current=\n"
          "    elif [ \"$previous\" = = ]; then\n"
          "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          to);
    for (size_t i = 0; i < n_commands; i++)
        fprintf(to, "%s ", commands[i].name);
    fputs("--help' -- \"$current\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", to);
    for (size_t i = 0; i < n_commands; i++)
        put_command(to, &commands[i]);
    fputs("    esac\n"
          "    case $kind,$current in\n"
          "    word,-*)\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
          "        case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac ;;\n"
          "    folder,*) COMPREPLY=($(compgen -d -- \"$current\")) ;;\n"
          "    text,*) ;;\n"
          "    word,*)\n"
          "        [ \"${COMP_WORDS[1]}\" != experiment ] ||\n"
          "            COMPREPLY=($(compgen -W \"$(evgpu experiment --list 2>/dev/null |\n"
          "                awk '{ print $1 }')\" -- \"$current\"))\n"
          "        COMPREPLY+=($(compgen -f -- \"$current\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _evgpu evgpu\n",
          to);
}
