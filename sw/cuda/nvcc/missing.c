#include "sw/cuda/nvcc/missing.h"

#include <stddef.h>
#include <string.h>

#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

#define DEVICE "__device__ "
#define BOTH   "__host__ __device__ "

const char *missing_word(const char *line, const char **word)
{
    static const struct {
        const char *says, *word;
    } words[] = {
        {": error: explicit qualification required to use member ", "this->"},
        {": error: use 'template' keyword to treat ", "template "},
        {": error: missing 'typename' prior to dependent type name ", "typename "},
        {": error: unexpected type name ", "typename "},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *error = strstr(line, words[i].says);
        *word = words[i].word;
        if (error)
            return error;
    }
    return NULL;
}

const char *missing_attribute(const char *line, const char *of, const char **word, bool *there)
{
    /* clang tells functions of host, of device and of both apart, and takes the last for no
     * overloads of the others. A template keeps what other specializations have. */
    static const struct {
        const char *error, *note, *word;
        bool there;
    } pairs[] = {
        {": error: out-of-line definition of ", ": note: member declaration nearly matches", DEVICE,
         true},
        {" cannot overload __", ": note: previous declaration is here", BOTH, true},
        {": error: no function template matches function template specialization ",
         ": note: candidate template ignored: target attributes do not match", BOTH, false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *note = strstr(line, pairs[i].note);
        *word = pairs[i].word;
        *there = pairs[i].there;
        if (note && strstr(of, pairs[i].error))
            return note;
    }
    return NULL;
}

const char *missing_host(const char *line, const char *of)
{
    const char *note = strstr(line, ": note: candidate ");
    if (note && strstr(note, " not viable: call to __device__ function from __host__ function"))
        return note;
    note = strstr(line, "' declared here");
    note = note ? strstr(line, ": note: '") : NULL;
    const char *error = note ? strstr(of, ": error: reference to __device__ function '") : NULL;
    return error && strstr(error, "' in __host__ function") ? note : NULL;
}

const char *missing_template(const char *line)
{
    static const char *const says[] = {
        ": error: reference to non-static member function must be called",
        ": error: reference to overloaded function could not be resolved",
        ": error: missing 'template' keyword prior to dependent template name "};
    const char *error = NULL;
    for (size_t i = 0; !error && i < sizeof says / sizeof says[0]; i++)
        error = strstr(line, says[i]);
    return error;
}

static const char *skip_back(const char *begin, const char *s)
{
    while (s > begin && strchr(" \t\n", s[-1]))
        s--;
    return s;
}

/* The name in front of `s`, with its template arguments. */
static const char *class_before(const char *begin, const char *s)
{
    int depth = 0;
    while (s > begin && (depth || s[-1] == '>' || declaration_is_word(s[-1]))) {
        s--;
        depth += (*s == '>') - (*s == '<');
        if (!depth && *s == '<')
            s = skip_back(begin, s);
    }
    return s;
}

static const char *qualified(const char *begin, const char *name)
{
    for (const char *s; s = skip_back(begin, name), s >= begin + 2 && s[-1] == ':' && s[-2] == ':';)
        name = class_before(begin, skip_back(begin, s - 2));
    return name;
}

bool missing_name(const char *line)
{
    static const char *const says[] = {": error: use of undeclared identifier ",
                                       ": error: unknown type name ", ": error: no member named ",
                                       ": error: no matching function for call to "};
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        if (strstr(line, says[i]))
            return true;
    }
    return false;
}

char *missing_put(char *bytes, char *name, const char *word)
{
    bool whole = starts_with(word, "__") || starts_with(word, "typename");
    const char *at = whole ? qualified(bytes, name) : name;
    return text("%.*s%s%s", (int)(at - bytes), bytes, word, at);
}

bool missing_put_template(char **bytes, char *at)
{
    const char *s = at;
    while (declaration_is_word(*s))
        s++;
    if (starts_with(s, "::")) /* of a class */
        return missing_put_template(bytes, at + (s - at) + 2);
    if (declaration_has_word(*bytes, at, "operator")) {
        s += strspn(s, " \t\n");
        s += starts_with(s, "()") ? strlen("()") : 0;
    }
    s += strspn(s, " \t\n");
    if (*s != '<')
        return false;
    while (*s && *s != ';' && !(s[0] == '>' && s[1 + strspn(s + 1, " \t\n")] == '('))
        s++;
    if (*s != '>')
        return false;
    *bytes = missing_put(*bytes, at, "template ");
    return true;
}

/* Whether the code before `at` differs by the side that it is compiled for. */
static bool has_sides(const char *bytes, const char *at)
{
    const char *side = strstr(bytes, "__CUDA_ARCH__");
    return side && side < at;
}

bool missing_put_host(char **bytes, char *at)
{
    if (!has_sides(*bytes, at))
        return false;
    *bytes = missing_put(*bytes, at, "__evgpu_host__ ");
    return true;
}
