#include "sw/cuda/nvcc/namespaces.h"

#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

#define KEYWORD "namespace"
#define DEEPEST 256 /* brackets within each other; deeper ones are taken for no namespace */

/* The bracket that opens the namespace whose keyword is here, or NULL: it is an alias or a using
 * declaration. */
static const char *open_of(const char *keyword, char **name)
{
    const char *s = keyword + strlen(KEYWORD);
    *name = text("%s", "");
    for (;;) {
        s += strspn(s, " \t\n:");
        size_t length = 0;
        while (declaration_is_word(s[length]))
            length++;
        if (!length)
            break;
        *name = text("%s%zu%.*s", *name, length, (int)length, s);
        s += length;
    }
    if (!**name)
        *name = text("1_"); /* without a name */
    return *s == '{' ? s : NULL;
}

char *namespaces_at(const char *begin, const char *end)
{
    char *path[DEEPEST] = {text("%s", "")}, *added = NULL;
    size_t depth = 0;
    for (const char *s = begin; s < end;) {
        const char *behind = brackets_behind_other(s), *open = NULL;
        if (!behind && declaration_has_word(begin, s, KEYWORD))
            open = open_of(s, &added);
        if (behind || open) {
            s = behind ? behind : open;
            continue;
        }
        if (*s == '{' && depth + 1 < DEEPEST) {
            path[depth + 1] = text("%s%s", path[depth], added ? added : "");
            depth++;
        }
        depth -= *s == '}' && depth;
        added = NULL;
        s++;
    }
    return path[depth];
}
