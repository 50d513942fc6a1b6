#include "sw/cuda/nvcc/bodies.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/declaration.h"

#define KERNEL "__global__"

const char *bodies_refused(const char *line)
{
    const char *error = strstr(line, ": error: ");
    return error ? error : strstr(line, ": note: in instantiation of ");
}

/* Behind the comment, string or character that begins at `s`; `s` where none does. */
static char *skip_text(char *s)
{
    if (s[0] == '/' && s[1] == '/')
        return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        char *end = strstr(s + 2, "*/");
        return end ? end + 2 : s + strlen(s);
    }
    if (*s != '"' && *s != '\'')
        return s;
    char quote = *s++;
    while (*s && *s != quote && *s != '\n')
        s += s[0] == '\\' && s[1] ? 2 : 1;
    return *s ? s + 1 : s;
}

/* The next brace, parenthesis or semicolon from `s` on, or the end. */
static char *next_mark(char *s)
{
    while (*s && !strchr("{}();", *s)) {
        char *behind = skip_text(s);
        s = behind > s ? behind : s + 1;
    }
    return s;
}

/* The brace that opens the kernel's body; NULL: it is only declared. */
static char *body_of(char *s)
{
    int depth = 0;
    for (s = next_mark(s); *s; s = next_mark(s + 1)) {
        if (!depth && *s == '{')
            return s;
        if (!depth && *s != '(')
            return NULL;
        depth += (*s == '(') - (*s == ')');
    }
    return NULL;
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
        char *behind = skip_text(s);
        if (behind == s && declaration_has_word(*bytes, s, KERNEL)) {
            char *open = body_of(s), *end = open ? end_of(open) : NULL;
            if (end && open < at && at < end) {
                blank(open + 1, end);
                return true;
            }
            behind = end ? end : s + strlen(KERNEL);
        }
        s = behind > s ? behind : s + 1;
    }
    return false;
}
