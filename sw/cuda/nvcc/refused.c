#include "sw/cuda/nvcc/refused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/attributes.h"
#include "sw/cuda/nvcc/bodies.h"
#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/diagnose.h"
#include "sw/cuda/nvcc/launches.h"
#include "sw/cuda/nvcc/managed.h"
#include "sw/cuda/nvcc/missing.h"
#include "sw/cuda/nvcc/pragmas.h"
#include "sw/cuda/nvcc/shared.h"

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

static void note(char *line, void *context)
{
    struct places *places = context;
    bool (*rewrite)(char **, char *) = launches_choose;
    const char *error = places->choices ? launches_ambiguous(line) : NULL;
    if (!error && !places->choices && places->launches) {
        rewrite = launches_rewrite;
        error = diagnose_launch(line);
        error = error ? error : launches_unmatched(line);
    }
    if (!error && !places->choices) {
        rewrite = shared_store;
        error = shared_refused(line);
    }
    if (!error && !places->choices) {
        rewrite = managed_reference;
        error = managed_refused(line);
    }
    if (!error && !places->choices) {
        rewrite = attributes_move;
        error = attributes_refused(line);
    }
    if (!error && !places->choices) {
        rewrite = pragmas_unroll;
        error = pragmas_refused(line);
    }
    if (error)
        add(places, line, error, (struct place){.rewrite = rewrite});
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
    if (places->names)
        overlay->late = true;
    if (!places->count)
        return places->names;
    bool changed = places->names;
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
    struct places places = {.launches = options->relocatable};
    struct places choices = {.choices = true};
    if (try_out(options, words, output, overlay, &places))
        return;
    mend(options, overlay, &places);
    if (places.count || places.names) { /* templates are read further now */
        if (try_out(options, words, output, overlay, &choices))
            return;
        mend(options, overlay, &choices);
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
