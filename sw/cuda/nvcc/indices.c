#include "sw/cuda/nvcc/indices.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

const char *indices_refused(const char *line)
{
    static const char *const says[] = {": error: call to deleted constructor of ",
                                       ": error: incompatible operand types ("};
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        const char *error = strstr(line, says[i]);
        if (error && strstr(error, "__cuda_builtin_"))
            return error;
    }
    return NULL;
}

/* What makes a value of the name at `s`; NULL: it is another one, or one of its members is meant.
 */
static const char *value_of(const char *begin, const char *s)
{
    static const struct {
        const char *name, *value;
    } names[] = {
        {"threadIdx", ".operator uint3()"},
        {"blockIdx", ".operator uint3()"},
        {"blockDim", ".operator dim3()"},
        {"gridDim", ".operator dim3()"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *behind = s + strlen(names[i].name);
        if (declaration_has_word(begin, s, names[i].name))
            return behind[strspn(behind, " \t\n")] == '.' ? NULL : names[i].value;
    }
    return NULL;
}

bool indices_copy(char **bytes, char *at)
{
    const char *begin = *bytes;
    while (at > begin && !strchr(";{}", at[-1]))
        at--;
    const char *statement = at;
    char *made = text_part("", 0);
    bool changed = false;
    while (*at && *at != ';') {
        const char *other = brackets_behind_other(at), *value = NULL;
        size_t length = other ? (size_t)(other - at) : 1;
        if (!other && declaration_is_word(*at)) {
            value = value_of(begin, at);
            while (declaration_is_word(at[length]))
                length++;
        }
        made = text("%s%.*s%s", made, (int)length, at, value ? value : "");
        at += length;
        changed = changed || value;
    }
    if (changed)
        *bytes = text("%.*s%s%s", (int)(statement - begin), begin, made, at);
    return changed;
}
