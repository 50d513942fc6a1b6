#include "sim/gpu/timing.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* "PREFIX:N". */
static bool take_number(const char *text, const char *prefix, uint64_t least, uint64_t *number,
                        struct error *err)
{
    return (parse_whole(prefix, text + strlen(prefix), UINT64_MAX, number, NULL) &&
            *number >= least) ||
           error_set(err,
                     "--timing %s: after %s there must be a whole number, %" PRIu64
                     " or more, of at most 64 bits",
                     text, prefix, least);
}

static bool take_names(const char *text, struct timing_choice *choice, struct error *err)
{
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        if (!length || strcspn(word, ":") < length)
            return error_set(err,
                             "--timing %s: must be all, none, every:N, after:CYCLE, or names of "
                             "kernels with commas between them",
                             text);
        if (choice->n_names == TIMED_NAMES)
            return error_set(err, "--timing: more than %u kernels", TIMED_NAMES);
        choice->name[choice->n_names] = word;
        choice->length[choice->n_names++] = (uint32_t)length;
        word += length;
        if (!*word)
            return true;
    }
}

bool timing_parse(const char *text, struct timing_choice *choice, struct error *err)
{
    *choice = (struct timing_choice){.kind = TIMED_ALL};
    if (!strcmp(text, "all"))
        return true;
    if (!strcmp(text, "none")) {
        choice->kind = TIMED_NONE;
        return true;
    }
    if (!strncmp(text, "every:", 6)) {
        choice->kind = TIMED_EVERY;
        return take_number(text, "every:", 1, &choice->number, err);
    }
    if (!strncmp(text, "after:", 6)) {
        choice->kind = TIMED_AFTER;
        return take_number(text, "after:", 0, &choice->number, err);
    }
    choice->kind = TIMED_NAMED;
    return take_names(text, choice, err);
}

bool timing_names(const char *name, uint32_t length, const char *kernel)
{
    if (strlen(kernel) == length && !memcmp(kernel, name, length))
        return true;
    if (strncmp(kernel, "_Z", 2) != 0)
        return false;
    /* The last identifier of a name, each with its length in front: _ZN5space3addEPf. */
    const char *at = kernel + 2;
    if (*at == 'N')
        at++;
    bool found = false;
    while (*at == 'L' || isdigit((unsigned char)*at)) {
        if (*at == 'L') {
            at++;
            continue;
        }
        char *word;
        unsigned long n = strtoul(at, &word, 10);
        if (n > strlen(word))
            return false;
        found = n == length && !memcmp(word, name, length);
        at = word + n;
    }
    return found;
}

uint32_t timing_named(const struct timing_choice *choice, const char *kernel)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < choice->n_names; i++)
        named |= (uint32_t)timing_names(choice->name[i], choice->length[i], kernel) << i;
    return named;
}

bool timing_selects(const struct timing_choice *choice, const char *kernel, uint64_t launch,
                    uint64_t cycle)
{
    switch (choice->kind) {
    case TIMED_ALL:
        return true;
    case TIMED_NONE:
        return false;
    case TIMED_EVERY:
        return launch % choice->number == 0;
    case TIMED_AFTER:
        return cycle >= choice->number;
    default:
        return timing_named(choice, kernel) != 0;
    }
}
