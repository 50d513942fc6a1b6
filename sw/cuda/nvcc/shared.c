#include "sw/cuda/nvcc/shared.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

#define KEYWORD "__shared__"

const char *shared_refused(const char *line)
{
    return strstr(line, ": error: initialization is not supported for __shared__ variables");
}

/* The keyword of the declaration that the name belongs to: the last one in front of it. */
static const char *keyword_of(const char *begin, const char *name)
{
    size_t length = strlen(KEYWORD);
    for (const char *s = name; s-- > begin && *s != ';' && *s != '{' && *s != '}';) {
        if (starts_with(s, KEYWORD) && !declaration_is_word(s[length]) &&
            (s == begin || !declaration_is_word(s[-1])))
            return s;
    }
    return NULL;
}

/* The end of the declaration, or NULL where it declares more than this name, which stays as it is.
 */
static const char *end_of(const char *s)
{
    for (; *s && *s != ';'; s++) {
        if (strchr(",=({", *s))
            return NULL;
    }
    return *s ? s : NULL;
}

/* "__shared__ TYPE name[2];" as storage of that type and a reference to it, in as many lines. */
bool shared_store(char **bytes, char *name)
{
    const char *s = *bytes, *keyword = keyword_of(s, name);
    if (!keyword)
        return false;
    const char *type = declaration_type(keyword + strlen(KEYWORD)), *suffix = name;
    while (declaration_is_word(*suffix))
        suffix++;
    const char *end = end_of(suffix);
    if (!end || type >= name || suffix == name)
        return false;
    char *called = text_part(name, (size_t)(suffix - name));
    *bytes =
        text("%.*s::evgpu_shared<%.*s%.*s> evgpu_shared_%s; auto &%s = evgpu_shared_%s.value()%s",
             (int)(type - s), s, (int)(name - type), type, (int)(end - suffix), suffix, called,
             called, called, end);
    return true;
}
