#include "sw/cuda/nvcc/brackets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/nvcc/alignments.h"
#include "sw/cuda/nvcc/assembly.h"
#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/pragmas.h"
#include "sw/cuda/nvcc/unnamed.h"

/* --- C++ as far as needed: what is no code
 * -------------------------------------------------------- */

static const char *behind_string(const char *s)
{
    char quote = *s++;
    while (*s && *s != quote && *s != '\n')
        s += *s == '\\' && s[1] ? 2 : 1;
    return *s == quote ? s + 1 : s;
}

/* R"x(...)x" */
static const char *behind_raw_string(const char *s)
{
    const char *open = strchr(s + 2, '(');
    if (!open)
        return s + 2;
    const char *end = strstr(open, text(")%.*s\"", (int)(open - s - 2), s + 2));
    return end ? strchr(end, '"') + 1 : s + strlen(s);
}

const char *brackets_behind_other(const char *s)
{
    const char *end;
    if (s[0] == '/' && s[1] == '/') {
        end = strchr(s, '\n');
        return end ? end : s + strlen(s);
    }
    if (s[0] == '/' && s[1] == '*') {
        end = strstr(s + 2, "*/");
        return end ? end + 2 : s + strlen(s);
    }
    if (s[0] == 'R' && s[1] == '"')
        return behind_raw_string(s);
    return *s == '"' || *s == '\'' ? behind_string(s) : NULL;
}

size_t brackets_round(const char *s)
{
    const char *at = s;
    int depth = 0;
    do {
        const char *other = brackets_behind_other(at);
        depth += other ? 0 : (*at == '(') - (*at == ')');
        at = other ? other : at + 1;
    } while (depth && *at);
    return depth || *s != '(' ? 0 : (size_t)(at - s);
}

/* --- brackets -----------------------------------------------------------------------------------
 */

/* Behind three of the character, with white space between or not; NULL: they are not there. */
static char *behind_three(char *s, char bracket)
{
    for (int i = 0; i < 3; i++, s++) {
        while (i && isspace((unsigned char)*s))
            s++;
        if (*s != bracket)
            return NULL;
    }
    return *s == bracket || *s == '=' ? NULL : s;
}

/* The three first, then the white space. True: there was some. */
static bool close_up(char *from, const char *end, char bracket)
{
    size_t length = (size_t)(end - from), at = 3;
    char *old = text_part(from, length);
    memset(from, bracket, 3);
    for (size_t i = 0; i < length; i++) {
        if (old[i] != bracket)
            from[at++] = old[i];
    }
    return length > 3;
}

char *brackets_close(char *s)
{
    int depth = 0;
    while (*s && (depth || *s != ';')) {
        const char *other = brackets_behind_other(s);
        if (other) {
            s += other - s;
            continue;
        }
        if (!depth && *s == '>' && behind_three(s, '>'))
            return s;
        depth += *s == '(' || *s == '[' || *s == '{';
        depth -= *s == ')' || *s == ']' || *s == '}';
        if (depth < 0)
            return NULL;
        s++;
    }
    return NULL;
}

/* True: something has changed. */
static bool mend(char *s)
{
    bool changed = false;
    while (*s) {
        const char *other = brackets_behind_other(s);
        if (other) {
            s += other - s;
            continue;
        }
        char *inside = *s == '<' ? behind_three(s, '<') : NULL;
        char *close = inside ? brackets_close(inside) : NULL;
        if (close) {
            changed |= close_up(close, behind_three(close, '>'), '>');
            changed |= close_up(s, inside, '<');
            s = close + 3;
        } else {
            s += inside ? inside - s : 1;
        }
    }
    return changed;
}

/* --- files --------------------------------------------------------------------------------------
 */

struct search {
    const struct options *options;
    struct list seen; /* files looked at, as absolute paths */
    struct overlay *overlay;
};

static void look_at(struct search *search, char *path);

static const char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? text_part(path, (size_t)(slash - path)) : ".";
}

/* `includer`: NULL of <name>, which is looked for in folders of -I alone. */
static void look_for(struct search *search, const char *includer, const char *name)
{
    const struct list *include = &search->options->include;
    char *path = includer ? text("%s/%s", folder_of(includer), name) : "";
    for (size_t i = 0; access(path, R_OK) && i < include->count; i++) {
        const char *word = include->at[i];
        const char *folder = word + 2;
        if (!starts_with(word, "-I"))
            continue;
        if (!*folder)
            folder = i + 1 < include->count ? include->at[i + 1] : ".";
        path = text("%s/%s", folder, name);
    }
    if (!access(path, R_OK))
        look_at(search, path);
}

static void look_at_includes(struct search *search, const char *path, const char *s)
{
    for (; s; s = strchr(s, '\n')) {
        s += strspn(s, "\n \t");
        if (*s != '#')
            continue;
        s += 1 + strspn(s + 1, " \t");
        if (!starts_with(s, "include"))
            continue;
        s += strlen("include");
        s += strspn(s, " \t");
        if (*s == '"')
            look_for(search, path, text_part(s + 1, strcspn(s + 1, "\"\n")));
        else if (*s == '<')
            look_for(search, NULL, text_part(s + 1, strcspn(s + 1, ">\n")));
    }
}

static void look_at(struct search *search, char *path)
{
    size_t size;
    char *name = overlay_absolute(path), *bytes;
    if (list_has(&search->seen, name))
        return;
    list_add(&search->seen, name);
    bytes = file_read(path, &size);
    if (!bytes || strlen(bytes) != size)
        return; /* clang says what is wrong with it */
    look_at_includes(search, path, bytes);
    bool changed = mend(bytes);
    changed |= alignments_mend(bytes);
    char *mended = unnamed_mend(pragmas_mend(assembly_mend(bytes)));
    if (changed || mended != bytes)
        overlay_write(search->overlay, search->options, path, mended, strlen(mended));
}

void brackets_mend(struct overlay *overlay, const struct options *options, const char *source)
{
    struct search search = {.options = options, .overlay = overlay};
    if (!options->dry_run)
        look_at(&search, text("%s", source));
}
