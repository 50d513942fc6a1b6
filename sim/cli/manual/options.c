#include <string.h>

#include "sim/cli/manual/manual.h"

bool option_is_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc && !option->group;
}

bool option_is_listed(const struct argp_option *option)
{
    return option->name && !(option->flags & (OPTION_HIDDEN | OPTION_DOC));
}

enum argument_kind option_argument(const struct argp_option *option)
{
    if (!option->arg)
        return ARGUMENT_NONE;
    if (!strncmp(option->arg, "FILE", strlen("FILE")))
        return ARGUMENT_FILE;
    return !strcmp(option->arg, "FOLDER") ? ARGUMENT_FOLDER : ARGUMENT_TEXT;
}
