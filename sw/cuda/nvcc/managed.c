#include "sw/cuda/nvcc/managed.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

const char *managed_refused(const char *line)
{
    return strstr(line, ": error: __managed__ variable");
}

/* Behind a comment or a literal; `s` itself if there is none. */
static const char *behind_opaque(const char *s)
{
    if (starts_with(s, "//"))
        return s + strcspn(s, "\n");
    if (starts_with(s, "/*")) {
        const char *end = strstr(s + 2, "*/");
        return end ? end + 2 : s + strlen(s);
    }
    if (*s != '"' && *s != '\'')
        return s;
    char quote = *s++;
    while (*s && *s != quote)
        s += *s == '\\' && s[1] ? 2 : 1;
    return *s ? s + 1 : s;
}

/* The first of `ends` outside of brackets, or NULL; angles count as brackets in a type. */
static const char *find(const char *s, const char *ends, bool in_type)
{
    int depth = 0;
    while (*s) {
        const char *behind = behind_opaque(s);
        if (behind != s) {
            s = behind;
            continue;
        }
        if (!depth && strchr(ends, *s))
            return s;
        depth += strchr("([{", *s) || (in_type && *s == '<');
        depth -= strchr(")]}", *s) || (in_type && *s == '>');
        s++;
    }
    return NULL;
}

struct declaration {
    const char *type, *name, *name_end, *initial, *end; /* initial: begins with = or {, or end */
};

/* The last word in front of `end`. */
static void find_name(const char *s, const char *end, struct declaration *d)
{
    while (s < end) {
        const char *behind = behind_opaque(s);
        if (behind == s && declaration_is_word(*s)) {
            d->name = s;
            while (declaration_is_word(*behind))
                behind++;
            d->name_end = behind;
        }
        s = behind == s ? s + 1 : behind;
    }
}

/* One variable, declared behind `s`. */
static bool parse(const char *s, struct declaration *d)
{
    *d = (struct declaration){.type = declaration_type(s)};
    const char *behind = find(d->type, "[={(;,", true);
    if (!behind || *behind == '(' || *behind == ',')
        return false;
    find_name(d->type, behind, d);
    d->initial = find(behind, "={;", false);
    d->end = d->initial ? find(d->initial, ";,", false) : NULL;
    return d->name > d->type && d->end && *d->end == ';';
}

/* Where the words in front of the keyword, in its line, begin. */
static const char *specifiers(const char *begin, const char *keyword)
{
    const char *s = keyword;
    while (s > begin && (declaration_is_word(s[-1]) || s[-1] == ' ' || s[-1] == '\t'))
        s--;
    return s;
}

static bool has_word(const char *s, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = s; (at = strstr(at, word)) && at < end; at += length) {
        if ((at == s || !declaration_is_word(at[-1])) && !declaration_is_word(at[length]))
            return true;
    }
    return false;
}

bool managed_reference(char **bytes, char *keyword)
{
    const char *s = *bytes, *first = specifiers(s, keyword), *behind = keyword;
    struct declaration d;
    while (declaration_is_word(*behind))
        behind++;
    if (!parse(behind, &d))
        return false;
    const char *kind = has_word(first, d.name, "extern")   ? "_EXTERN"
                       : has_word(first, d.name, "static") ? "_STATIC"
                                                           : "";
    char *called = text_part(d.name, (size_t)(d.name_end - d.name));
    *bytes = text("%.*s__device__%.*sEVGPU_MANAGED_NAME(%s)%.*s EVGPU_MANAGED_LABEL(%s) %.*s; "
                  "EVGPU_MANAGED%s(%s)%s",
                  (int)(keyword - s), s, (int)(d.name - behind), behind, called,
                  (int)(d.initial - d.name_end), d.name_end, called, (int)(d.end - d.initial),
                  d.initial, kind, called, d.end + 1);
    return true;
}
