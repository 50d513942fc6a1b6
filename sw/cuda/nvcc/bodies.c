#include "sw/cuda/nvcc/bodies.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"

#define KERNEL "__global__"

const char *bodies_refused(const char *line)
{
    const char *error = strstr(line, ": error: ");
    return error ? error : strstr(line, ": note: in instantiation of ");
}

/* Behind the comment or literal that begins here, else behind this character. */
static char *step(char *s)
{
    const char *behind = brackets_behind_other(s);
    return behind ? s + (behind - s) : s + 1;
}

/* The next brace, parenthesis or semicolon from `s` on, or the end. */
static char *next_mark(char *s)
{
    while (*s && !strchr("{}();", *s))
        s = step(s);
    return s;
}

/* The brace that opens the kernel's body; NULL: it is only declared. */
static char *body_of(char *s)
{
    size_t round;
    for (s = next_mark(s); (round = brackets_round(s)); s = next_mark(s))
        s += round;
    return *s == '{' ? s : NULL;
}

static char *end_of(char *open)
{
    int depth = 0;
    for (char *s = open; *s; s = next_mark(s + 1)) {
        depth += (*s == '{') - (*s == '}');
        if (!depth)
            return s;
    }
    return NULL;
}

/* A directive whose effect goes beyond the body; a pragma is about statements in it. */
static bool is_directive(const char *line)
{
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    return strncmp(line, "pragma", strlen("pragma")) != 0;
}

/* Directives stay, but for pragmas. */
static void blank(char *s, const char *end)
{
    while (s < end) {
        bool directive = is_directive(s + strspn(s, " \t"));
        for (bool more = true; more && s < end; s++) {
            more = *s != '\n' || (directive && s[-1] == '\\');
            if (!directive && *s != '\n')
                *s = ' ';
        }
    }
}

bool bodies_empty(char **bytes, char *at)
{
    for (char *s = *bytes; s < at;) {
        char *behind = step(s);
        if (declaration_has_word(*bytes, s, KERNEL)) {
            char *open = body_of(s), *end = open ? end_of(open) : NULL;
            if (end && open < at && at < end) {
                blank(open + 1, end);
                return true;
            }
            behind = end ? end : s + strlen(KERNEL);
        }
        s = behind;
    }
    return false;
}
