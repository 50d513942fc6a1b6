#include "sw/cuda/nvcc/refused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/attributes.h"
#include "sw/cuda/nvcc/bodies.h"
#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/constants.h"
#include "sw/cuda/nvcc/diagnose.h"
#include "sw/cuda/nvcc/indices.h"
#include "sw/cuda/nvcc/launches.h"
#include "sw/cuda/nvcc/managed.h"
#include "sw/cuda/nvcc/missing.h"
#include "sw/cuda/nvcc/pragmas.h"
#include "sw/cuda/nvcc/shared.h"

/* Templates are read further in each. */
#define ROUNDS 5

/* Where clang has refused something, and what rewrites that. */
struct place {
    char *file;
    unsigned long line, column;              /* from 1 */
    bool (*rewrite)(char **bytes, char *at); /* or NULL: */
    const char *word;                        /* is to be put there (missing.h) */
};

struct places {
    bool launches; /* are looked for */
    bool choices;  /* the second time: among kernels of one name, and words */
    struct place *at;
    size_t count;
    bool names;        /* clang does not know are among the errors */
    const char *error; /* the last line with one */
    struct list said;  /* of host code: all lines */
};

/* The place that ends at `end` in the line. */
static void add(struct places *places, const char *line, const char *end, struct place made)
{
    char *head = text_part(line, (size_t)(end - line)), *column = strrchr(head, ':');
    if (!column)
        return;
    *column++ = '\0';
    char *number = strrchr(head, ':');
    if (!number)
        return;
    *number++ = '\0';
    made.file = head;
    made.line = strtoul(number, NULL, 10);
    made.column = strtoul(column, NULL, 10);
    for (size_t i = 0; i < places->count; i++) {
        const struct place *p = &places->at[i];
        if (p->line == made.line && p->column == made.column && !strcmp(p->file, made.file))
            return; /* of another instance of the template */
    }
    places->at = reallocate(places->at, (places->count + 1) * sizeof *places->at);
    places->at[places->count++] = made;
}

static void note_missing(struct places *places, const char *line)
{
    struct place made = {0};
    const char *end = missing_word(line, &made.word);
    if (missing_name(line))
        places->names = true;
    if (end)
        add(places, line, end, made);
    end = missing_template(line);
    if (end)
        add(places, line, end, (struct place){.rewrite = missing_put_template});
    if (strstr(line, ": error: "))
        places->error = text("%s", line);
    end = places->error ? missing_host(line, places->error) : NULL;
    if (end)
        add(places, line, end, (struct place){.rewrite = missing_put_host});
    bool there;
    end = places->error ? missing_attribute(line, places->error, &made.word, &there) : NULL;
    if (!end)
        return;
    if (there)
        add(places, line, end, made);
    add(places, places->error, strstr(places->error, ": error: "), made);
}

/* Of functions of one name: a kernel to launch, or a template that is not called one. */
static bool choose(char **bytes, char *at)
{
    return launches_choose(bytes, at) || missing_put_template(bytes, at);
}

/* The place of what clang refuses in this line, or NULL, and what rewrites it. */
static const char *refused(const struct places *places, const char *line,
                           bool (**rewrite)(char **bytes, char *at))
{
    static const struct {
        const char *(*refused)(const char *line);
        bool (*rewrite)(char **bytes, char *at);
    } kinds[] = {
        {diagnose_launch, launches_rewrite},   {launches_unmatched, launches_rewrite},
        {shared_refused, shared_store},        {managed_refused, managed_reference},
        {attributes_refused, attributes_move}, {pragmas_refused, pragmas_unroll},
        {indices_refused, indices_copy},       {constants_refused, constants_member},
    };
    *rewrite = choose;
    const char *ambiguous = places->choices ? launches_ambiguous(line) : NULL;
    if (ambiguous)
        return ambiguous;
    for (size_t i = places->launches ? 0 : 2; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *error = kinds[i].refused(line);
        *rewrite = kinds[i].rewrite;
        if (error)
            return error;
    }
    return NULL;
}

static void note(char *line, void *context)
{
    struct places *places = context;
    struct place made = {0};
    const char *error = refused(places, line, &made.rewrite);
    if (error)
        add(places, line, error, made);
    else
        note_missing(places, line);
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

/* True: the overlay shows something else now. */
static bool mend(const struct options *options, struct overlay *overlay, struct places *places)
{
    bool changed = places->names && !overlay->late;
    overlay->late = overlay->late || places->names;
    if (!places->count)
        return changed;
    qsort(places->at, places->count, sizeof *places->at, compare);
    for (size_t i = 0; i < places->count; i++) {
        size_t size;
        char *bytes = overlay_read(overlay, places->at[i].file, &size);
        char *at = bytes ? offset_of(bytes, &places->at[i]) : NULL;
        if (!at)
            continue;
        if (!places->at[i].rewrite)
            bytes = missing_put(bytes, at, places->at[i].word);
        if (places->at[i].rewrite && !places->at[i].rewrite(&bytes, at))
            continue;
        overlay_write(overlay, options, places->at[i].file, bytes, strlen(bytes));
        changed = true;
    }
    return changed;
}

/* Compiles with what the overlay shows. True: without errors. */
static bool try_out(const struct options *options, const struct list *words, const char *output,
                    const struct overlay *overlay, struct places *places)
{
    struct list all = {0};
    list_add_all(&all, words);
    overlay_add(&all, options, overlay);
    list_add(&all, "-ferror-limit=0");
    return command_try(options, &all, output, note, places);
}

void refused_compile(const struct options *options, const struct list *words, const char *output,
                     struct overlay *overlay)
{
    struct list last = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct places places = {.launches = !round && options->relocatable, .choices = round};
        if (try_out(options, words, output, overlay, &places))
            return;
        if (!mend(options, overlay, &places))
            break;
    }
    list_add_all(&last, words);
    overlay_add(&last, options, overlay);
    diagnose_run(options, &last, output);
}

static void note_host(char *line, void *context)
{
    struct places *places = context;
    const char *end = bodies_refused(line);
    if (end)
        add(places, line, end, (struct place){.rewrite = bodies_empty});
    list_add(&places->said, text("%s", line));
}

void refused_compile_host(const struct options *options, struct list *words,
                          struct overlay *overlay)
{
    struct places places = {0};
    struct list first = {0};
    list_add_all(&first, words);
    list_add(&first, "-ferror-limit=0");
    if (command_try(options, &first, NULL, note_host, &places)) {
        for (size_t i = 0; i < places.said.count; i++)
            fputs(places.said.at[i], stderr);
        return;
    }
    if (mend(options, overlay, &places))
        overlay_add(words, options, overlay);
    command_run(options, words);
}
