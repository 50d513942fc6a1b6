#include "sw/cuda/nvcc/constants.h"

#include <string.h>

#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

const char *constants_refused(const char *line)
{
    return strstr(line, ": note: use of 'this' pointer is only allowed within the evaluation of ");
}

bool constants_member(char **bytes, char *at)
{
    if (!declaration_has_word(*bytes, at, "this"))
        return false;
    const char *arrow = at + strlen("this");
    arrow += strspn(arrow, " \t");
    if (!starts_with(arrow, "->"))
        return false;
    *bytes = text("%.*s%s", (int)(at - *bytes), *bytes, arrow + strlen("->"));
    return true;
}
