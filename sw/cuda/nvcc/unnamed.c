#include "sw/cuda/nvcc/unnamed.h"

#include <stdbool.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

#define BLANKS  " \t\n"
#define DEEPEST 256 /* brackets within each other; what is deeper stays as it is */

enum inside { OTHER, NAMED, UNNAMED };

struct walk {
    const char *begin, *statement; /* the text, and where the present declaration begins in it */
    enum inside inside[DEEPEST];
    size_t depth, others, unnamed; /* open brackets; how many of them are OTHER, and UNNAMED */
};

/* A whole word from `s` to `end`, comments and literals aside. */
static bool has_word(const char *s, const char *end, const char *const *words, size_t n)
{
    for (const char *at = s; at < end;) {
        const char *other = brackets_behind_other(at);
        for (size_t i = 0; i < n && !other; i++) {
            if (declaration_has_word(s, at, words[i]))
                return true;
        }
        at = other ? other : at + 1;
    }
    return false;
}

/* Where the declarator's name ends: at one of ; = [ { or at the bracket of a function. */
static const char *behind_name(const char *s)
{
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", "decltype"};
    const char *word = s;
    while (*s && !strchr(";=[{", *s)) {
        const char *other = brackets_behind_other(s);
        if (other) {
            s = other;
        } else if (*s == '(') {
            size_t length = brackets_round(s);
            if (!length || !has_word(word, s, attributes, sizeof attributes / sizeof *attributes))
                return s;
            s += length;
            word = s;
        } else {
            s++;
        }
    }
    return s;
}

/* Does `s` begin the words of a variable that is to be static? */
static bool is_variable(const struct walk *w, const char *s)
{
    static const char *const no[] = {"static",      "extern", "template", "typedef",   "using",
                                     "__managed__", "friend", "operator", "__global__"};
    static const char *const kinds[] = {"struct", "class", "union", "enum"};
    if (!w->unnamed || w->others ||
        (!declaration_has_word(w->begin, s, "__device__") &&
         !declaration_has_word(w->begin, s, "__constant__")))
        return false;
    const char *end = behind_name(s);
    if (*end == '(' || !*end || has_word(w->statement, end, no, sizeof no / sizeof *no))
        return false;
    return *end != '{' || !has_word(w->statement, end, kinds, sizeof kinds / sizeof *kinds);
}

/* What the curly bracket at `s` opens. */
static enum inside opened(const struct walk *w, const char *s)
{
    static const char *const space[] = {"namespace"};
    const char *at = w->statement + strspn(w->statement, BLANKS);
    if (declaration_has_word(w->begin, at, "extern")) { /* "C" { ... } */
        const char *language = strchr(at, '"');
        return language && language < s && !memchr(at, '(', (size_t)(s - at)) ? NAMED : OTHER;
    }
    if (!has_word(at, s, space, 1))
        return OTHER;
    at = strstr(at, space[0]) + strlen(space[0]);
    return at + strspn(at, BLANKS) == s ? UNNAMED : NAMED;
}

static void open(struct walk *w, enum inside what)
{
    if (w->depth < DEEPEST)
        w->inside[w->depth] = what;
    w->depth++;
    w->others += what == OTHER || w->depth > DEEPEST;
    w->unnamed += what == UNNAMED && w->depth <= DEEPEST;
}

static void close(struct walk *w)
{
    if (!w->depth)
        return;
    w->depth--;
    enum inside what = w->depth < DEEPEST ? w->inside[w->depth] : OTHER;
    w->others -= what == OTHER;
    w->unnamed -= what == UNNAMED;
}

/* Behind a directive of the preprocessor, if `s` begins a line of one. */
static const char *behind_directive(const char *begin, const char *s)
{
    const char *line = s;
    while (line > begin && (line[-1] == ' ' || line[-1] == '\t'))
        line--;
    if (*s != '#' || (line > begin && line[-1] != '\n'))
        return NULL;
    while (*s && *s != '\n')
        s += *s == '\\' && s[1] ? 2 : 1;
    return s;
}

char *unnamed_mend(char *bytes)
{
    struct walk w = {.begin = bytes, .statement = bytes};
    const char *copied = bytes, *behind;
    char *made = NULL;
    for (const char *s = bytes; *s;) {
        if ((behind = behind_directive(bytes, s))) {
            s = w.statement = behind;
        } else if ((behind = brackets_behind_other(s))) {
            s = behind;
        } else if (is_variable(&w, s)) {
            made = text("%s%.*sstatic ", made ? made : "", (int)(s - copied), copied);
            copied = s;
            s = w.statement = behind_name(s);
        } else {
            if (*s == '{')
                open(&w, opened(&w, s));
            if (*s == '}')
                close(&w);
            w.statement = strchr("{};", *s) ? s + 1 : w.statement;
            s++;
        }
    }
    return made ? text("%s%s", made, copied) : bytes;
}
