/* A name expression becomes the initialiser of a variable behind the program's source. That makes
 * the compiler instantiate a template, and the PTX of the variable has the name. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvrtc/program.h"

#define VARIABLE "evgpu_name_expression_"

char *names_source(const struct _nvrtcProgram *prog)
{
    char *all = words_text("%s", "");
    for (size_t i = 0; i < prog->n_expressions; i++) {
        char *more = words_text("%s#line 1 \"name expression %zu\"\n"
                                "__device__ const void *" VARIABLE "%zu = (const void *)(%s);\n",
                                all, i, i, prog->expressions[i].text);
        free(all);
        all = more;
    }
    return all;
}

/* Of ".visible .global .align 8 .u64 VARIABLE0 = generic(NAME);" NAME, to be freed. */
static char *name_in(const char *line)
{
    const char *from = strchr(line, '=');
    if (!from)
        return NULL;
    from += strspn(from, "= ");
    if (!strncmp(from, "generic(", 8))
        from += 8;
    size_t length = strcspn(from, ");\n");
    return length ? words_text("%.*s", (int)length, from) : NULL;
}

bool names_take(nvrtcProgram prog)
{
    for (size_t i = 0; i < prog->n_expressions; i++) {
        char *variable = words_text(" " VARIABLE "%zu ", i);
        char *found = strstr(prog->ptx, variable);
        free(variable);
        if (!found)
            return false;
        char *line = found, *end = strchr(found, '\n');
        while (line > prog->ptx && line[-1] != '\n')
            line--;
        prog->expressions[i].lowered = name_in(found);
        if (!prog->expressions[i].lowered || !end)
            return false;
        memmove(line, end + 1, strlen(end + 1) + 1);
    }
    return true;
}
