#include "sw/cuda/nvcc/launches.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/diagnose.h"

/* Where clang has refused a launch. */
struct place {
    char *file;
    unsigned long line, column; /* from 1 */
};

struct places {
    struct place *at;
    size_t count;
};

static void note(char *line, void *context)
{
    struct places *places = context;
    const char *error = diagnose_launch(line);
    if (!error)
        return;
    char *head = text_part(line, (size_t)(error - line)), *column = strrchr(head, ':');
    if (!column)
        return;
    *column++ = '\0';
    char *number = strrchr(head, ':');
    if (!number)
        return;
    *number++ = '\0';
    struct place made = {head, strtoul(number, NULL, 10), strtoul(column, NULL, 10)};
    for (size_t i = 0; i < places->count; i++) {
        const struct place *p = &places->at[i];
        if (p->line == made.line && p->column == made.column && !strcmp(p->file, made.file))
            return; /* of another instance of the template */
    }
    places->at = reallocate(places->at, (places->count + 1) * sizeof *places->at);
    places->at[places->count++] = made;
}

/* The last of a file first, so that the places of the others stay. */
static int compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? 1 : -1;
    return a->column < b->column ? 1 : -1;
}

static char *offset_of(char *bytes, const struct place *place)
{
    char *s = bytes;
    for (unsigned long line = 1; line < place->line; line++) {
        s = strchr(s, '\n');
        if (!s)
            return NULL;
        s++;
    }
    return strcspn(s, "\n") >= place->column ? s + place->column - 1 : NULL;
}

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

/* The place is that of the brackets, or of the name in front of them. False: there is no launch. */
static bool rewrite(char **bytes, const struct place *place)
{
    char *open = offset_of(*bytes, place);
    if (open && is_name(*open)) {
        open = behind_name(open);
        open += strspn(open, " \t\n");
    }
    char *close = open && starts_with(open, "<<<") ? brackets_close(open + 3) : NULL;
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

static void mend(const struct options *options, struct overlay *overlay, struct places *places)
{
    qsort(places->at, places->count, sizeof *places->at, compare);
    for (size_t i = 0; i < places->count; i++) {
        size_t size;
        char *bytes = overlay_read(overlay, places->at[i].file, &size);
        if (bytes && rewrite(&bytes, &places->at[i]))
            overlay_write(overlay, options, places->at[i].file, bytes, strlen(bytes));
    }
}

void launches_compile(const struct options *options, const struct list *words,
                      struct overlay *overlay)
{
    struct list first = {0}, second = {0};
    struct places places = {0};
    list_add_all(&first, words);
    overlay_add(&first, options, overlay);
    if (!options->relocatable) {
        diagnose_run(options, &first);
        return;
    }
    list_add(&first, "-ferror-limit=0");
    if (command_try(options, &first, note, &places))
        return;
    list_add_all(&second, words);
    mend(options, overlay, &places);
    overlay_add(&second, options, overlay);
    diagnose_run(options, &second);
}
