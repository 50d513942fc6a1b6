#include "sw/cuda/nvcc/launches.h"

#include <ctype.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static char *before_spaces(const char *bytes, char *s)
{
    while (s > bytes && isspace((unsigned char)s[-1]))
        s--;
    return s;
}

/* In front of the template arguments that end here, if any do. */
static char *before_arguments(const char *bytes, char *s)
{
    int depth = 0, round = 0;
    char *end = s;
    if (s == bytes || s[-1] != '>')
        return s;
    while (s > bytes && s[-1] != ';') {
        s--;
        round += (*s == ')') - (*s == '(');
        if (!round)
            depth += (*s == '>') - (*s == '<');
        if (!depth && !round)
            return before_spaces(bytes, s);
    }
    return end;
}

/* Where the name that ends here begins, with its qualifiers: "space::k<1>". */
static char *begin_of(const char *bytes, char *s)
{
    for (;;) {
        s = before_arguments(bytes, s);
        while (s > bytes && is_name(s[-1]))
            s--;
        char *at = before_spaces(bytes, s);
        if (at - bytes < 2 || at[-1] != ':' || at[-2] != ':')
            return s;
        s = at - 2;
        at = before_spaces(bytes, s);
        if (at == bytes || !(is_name(at[-1]) || at[-1] == '>'))
            return s;
        s = at;
    }
}

/* Behind a name and its template arguments. */
static char *behind_name(char *s)
{
    while (is_name(*s))
        s++;
    char *end = s;
    s += strspn(s, " \t\n");
    if (*s != '<' || starts_with(s, "<<<"))
        return end;
    int depth = 0, round = 0;
    for (; *s && *s != ';'; s++) {
        round += (*s == '(') - (*s == ')');
        if (!round)
            depth += (*s == '<') - (*s == '>');
        if (!depth && !round)
            return s + 1;
    }
    return end;
}

bool launches_rewrite(char **bytes, char *open)
{
    if (is_name(*open)) {
        open = behind_name(open);
        open += strspn(open, " \t\n");
    }
    char *close = starts_with(open, "<<<") ? brackets_close(open + 3) : NULL;
    if (!close)
        return false;
    char *end = before_spaces(*bytes, open), *begin = begin_of(*bytes, end);
    if (begin == end)
        return false;
    char *kernel = text_part(begin, (size_t)(end - begin));
    for (char *s = kernel; *s; s++)
        *s = *s == '\n' ? ' ' : *s;
    *bytes = text("%.*s::evgpu::launch<decltype(&%s), &%s>(%.*s)%s", (int)(begin - *bytes), *bytes,
                  kernel, kernel, (int)(close - open - 3), open + 3, close + 3);
    return true;
}
