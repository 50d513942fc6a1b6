#include "sw/cuda/nvcc/attributes.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

const char *attributes_refused(const char *line)
{
    const char *error = strstr(line, ": error: an attribute list cannot appear here");
    if (error)
        return error;
    error = strstr(line, ": error: '");
    return error && strstr(error, "' attribute cannot be applied to types") ? error : NULL;
}

/* Where the list begins that holds this place; NULL: nowhere on its line. */
static char *list_around(char *begin, char *at)
{
    for (; at >= begin && *at != '\n'; at--) {
        if (starts_with(at, "[["))
            return at;
    }
    return NULL;
}

static const char *skip_back(const char *begin, const char *s)
{
    while (s > begin && isspace((unsigned char)s[-1]))
        s--;
    return s;
}

static const char *word_before(const char *begin, const char *s)
{
    while (s > begin && declaration_is_word(s[-1]))
        s--;
    return s;
}

/* Words that stand in front of a type: specifiers, what begins with "__", and macros by their
 * capitals. */
static bool may_lead(const char *word, const char *end)
{
    static const char *const specifiers[] = {"static", "inline",   "constexpr", "extern",
                                             "friend", "explicit", "virtual"};
    for (size_t i = 0; i < sizeof specifiers / sizeof specifiers[0]; i++) {
        if (strlen(specifiers[i]) == (size_t)(end - word) &&
            !strncmp(word, specifiers[i], (size_t)(end - word)))
            return true;
    }
    if (word == end || isdigit((unsigned char)*word))
        return false;
    if (starts_with(word, "__"))
        return true;
    for (const char *s = word; s < end; s++) {
        if (islower((unsigned char)*s))
            return false;
    }
    return true;
}

/* In front of the words, with their arguments, that lead up to `s`. */
static const char *declaration_begin(const char *begin, const char *s)
{
    for (;;) {
        const char *end = skip_back(begin, s), *word;
        if (end > begin && end[-1] == ')') {
            int depth = 0;
            do {
                end--;
                depth += (*end == ')') - (*end == '(');
            } while (depth && end > begin);
            end = skip_back(begin, end);
        }
        word = word_before(begin, end);
        if (!may_lead(word, end))
            return s;
        s = word;
    }
}

bool attributes_move(char **bytes, char *at)
{
    char *list = list_around(*bytes, at);
    char *end = list ? strstr(list, "]]") : NULL;
    if (!end)
        return false;
    end += strlen("]]");
    const char *to = declaration_begin(*bytes, list);
    if (to == list)
        return false;
    *bytes = text("%.*s%.*s %.*s%s", (int)(to - *bytes), *bytes, (int)(end - list), list,
                  (int)(list - to), to, end);
    return true;
}
