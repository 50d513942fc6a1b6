/* "Did you mean": of known names the one that a mistyped word is nearest to. */
#ifndef EVGPU_BASE_SUGGEST_H
#define EVGPU_BASE_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#define SUGGEST_MOST 48u /* characters of a word or name; longer ones are near to nothing */

struct suggestion {
    const char *word, *best; /* best: the nearest name so far, which must live on */
    uint32_t distance;
};

struct suggestion suggest(const char *word);
void suggest_offer(struct suggestion *s, const char *name);

/* "; did you mean `NAME`?" in `text`; "" when no name is near: further than a third of the word's
 * letters are to be changed, left out, put in or exchanged with their neighbour. */
const char *suggest_text(const struct suggestion *s, char *text, size_t room);

#endif
