#include "sw/cuda/nvcc/managed.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"
#include "sw/cuda/nvcc/namespaces.h"

#define BLANKS " \t\n"

const char *managed_refused(const char *line)
{
    return strstr(line, ": error: __managed__ variable");
}

/* Behind a comment or a literal; `s` itself if there is none. */
static const char *behind_opaque(const char *s)
{
    const char *behind = brackets_behind_other(s);
    return behind ? behind : s;
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

/* Behind the word, if it is there, and white space; else NULL. */
static const char *behind_word(const char *s, const char *word)
{
    if (!declaration_has_word(s, s, word))
        return NULL;
    s += strlen(word);
    return s + strspn(s, BLANKS);
}

static const char *behind_words(const char *s, const char *const *words, size_t n)
{
    const char *behind = NULL;
    for (size_t i = 0; i < n && !behind; i++)
        behind = behind_word(s, words[i]);
    return behind ? behind : s;
}

/* Behind "struct NAME : BASE { ... }"; `s` itself where the type has no body. `unnamed`: where its
 * name is missing, or NULL. */
static const char *behind_body(const char *s, const char **unnamed)
{
    static const char *const kinds[] = {"const", "volatile", "enum", "struct", "class", "union"};
    const char *name = s, *before;
    do {
        before = name;
        name = behind_words(name, kinds, sizeof kinds / sizeof *kinds);
    } while (name != before);
    *unnamed = NULL;
    while (declaration_is_word(*name))
        name++;
    name += strspn(name, BLANKS);
    const char *final = behind_word(name, "final");
    name = final ? final : name;
    bool body = *name == '{' || (*name == ':' && name[1] != ':');
    const char *open = body ? find(name, "{", true) : NULL;
    const char *close = open ? find(open + 1, "}", false) : NULL;
    if (close && name == before)
        *unnamed = name;
    return close ? close + 1 : s;
}

struct declarator {
    const char *name, *name_end, *initial, *end; /* initial: begins with = { or (, or end */
};

/* The last word from `s` to `end`. */
static void find_name(const char *s, const char *end, struct declarator *d)
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

/* "(*name)(int)", "(&name)[4]": the brackets that open at `s` are the declarator's. */
static bool is_bracketed(const char *s)
{
    s += 1 + strspn(s + 1, BLANKS);
    return *s == '*' || *s == '&';
}

/* The declarator behind `s`; in front of the first one are the words of the type. */
static bool parse(const char *s, bool first, struct declarator *d)
{
    *d = (struct declarator){.name = NULL};
    const char *behind = find(s, "[={(;,", first);
    if (behind && *behind == '(' && is_bracketed(behind)) {
        const char *inner = find(behind + 1, "[()", false), *close = find(behind + 1, ")", false);
        find_name(behind, inner ? inner : behind, d);
        behind = close ? find(close + 1, "={;,", false) : NULL;
    } else if (behind) {
        find_name(s, behind, d);
        behind = *behind == '[' ? find(behind, "={;,", false) : behind;
    }
    d->initial = behind;
    d->end = behind ? find(behind, ";,", false) : NULL;
    return d->name && d->end;
}

/* The declarator behind that comma; a comma of template arguments is none in front of one. */
static bool parse_next(const char *comma, struct declarator *d)
{
    return parse(comma + 1, false, d) && comma + 1 + strspn(comma + 1, BLANKS "*&(") == d->name;
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
    for (const char *at = s; (at = strstr(at, word)) && at < end; at++) {
        if (declaration_has_word(s, at, word))
            return true;
    }
    return false;
}

/* What a declaration is rewritten to, as it grows; `at`: the text that follows. */
struct rewriting {
    char *made, *references;
    const char *at, *kind, *space;
};

static void add(struct rewriting *r, const struct declarator *d)
{
    char *called = text_part(d->name, (size_t)(d->name_end - d->name));
    char *label = *r->space ? text("%s%zu%s", r->space, strlen(called), called) : called;
    r->made = text("%s%.*sEVGPU_MANAGED_NAME(%s)%.*s EVGPU_MANAGED_LABEL(%s) %.*s", r->made,
                   (int)(d->name - r->at), r->at, called, (int)(d->initial - d->name_end),
                   d->name_end, label, (int)(d->end - d->initial), d->initial);
    r->references = text("%s EVGPU_MANAGED%s(%s, %s)", r->references, r->kind, called, label);
    r->at = d->end;
}

bool managed_reference(char **bytes, char *keyword)
{
    const char *s = *bytes, *first = specifiers(s, keyword), *behind = keyword;
    while (declaration_is_word(*behind))
        behind++;
    const char *type = declaration_type(behind), *unnamed;
    const char *declarators = behind_body(type, &unnamed);
    struct declarator d, next;
    if (!parse(declarators, true, &d) || d.name == type)
        return false;
    const char *words_end = declarators == type ? d.name : type;
    struct rewriting r = {.made = text("%.*s__device__", (int)(keyword - s), s),
                          .references = text("%s", ""),
                          .at = behind,
                          .kind = has_word(first, words_end, "extern")   ? "_EXTERN"
                                  : has_word(first, words_end, "static") ? "_STATIC"
                                                                         : "",
                          .space = namespaces_at(s, keyword)};
    if (unnamed) { /* which the reference's type needs */
        r.made = text("%s%.*s evgpu_type_%.*s ", r.made, (int)(unnamed - behind), behind,
                      (int)(d.name_end - d.name), d.name);
        r.at = unnamed;
    }
    while (*d.end == ',') {
        if (parse_next(d.end, &next)) {
            add(&r, &d);
            d = next;
        } else if (!(d.end = find(d.end + 1, ";,", false))) {
            return false;
        }
    }
    add(&r, &d);
    *bytes = text("%s;%s%s", r.made, r.references, r.at + 1);
    return true;
}
