#include "sw/cuda/nvcc/launches.h"

#include <ctype.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"

#define LAUNCH "::evgpu::launch<decltype("

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
    *bytes = text("%.*s" LAUNCH "&%s), &%s>(%.*s)%s", (int)(begin - *bytes), *bytes, kernel, kernel,
                  (int)(close - open - 3), open + 3, close + 3);
    return true;
}

/* --- of kernels that have one name --------------------------------------------------------------
 */

const char *launches_unmatched(const char *line)
{
    return strstr(line, ": error: no matching function for call to ");
}

const char *launches_ambiguous(const char *line)
{
    return strstr(line, ": error: reference to overloaded function could not be resolved");
}

bool launches_choose(char **bytes, char *name)
{
    size_t before = strlen(LAUNCH);
    char *begin = name - before, *comma = strstr(name, "), &");
    if ((size_t)(name - *bytes) < before || !starts_with(begin, LAUNCH) || !comma)
        return false;
    char *kernel = text_part(name + 1, (size_t)(comma - name - 1));
    char *shape = comma + strlen("), &") + strlen(kernel) + 1,
         *behind = shape + brackets_round(shape);
    char *arguments = behind + strspn(behind, " \t\n"),
         *end = arguments + brackets_round(arguments);
    if (behind == shape || end == arguments)
        return false;
    /* A class, since clang lets no device function choose among kernels. */
    *bytes = text("%.*s({ struct evgpu_chosen { typedef decltype(::evgpu::overload(&%s, "
                  "::evgpu::types_of%.*s, ::evgpu::first_choice())) kernel; typedef "
                  "::evgpu::launcher<kernel, &%s> launcher; }; "
                  "::evgpu::launch_as<evgpu_chosen>%.*s; })%s",
                  (int)(begin - *bytes), *bytes, kernel, (int)(end - arguments), arguments, kernel,
                  (int)(end - shape), shape, end);
    return true;
}
