#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: Levenshtein's distance, with neighbours that change places as one. */
static uint32_t distance(const char *a, const char *b)
{
    uint32_t n = (uint32_t)strlen(a), m = (uint32_t)strlen(b);
    uint32_t row[3][SUGGEST_MOST + 1];
    for (uint32_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (uint32_t j = 1; j <= m; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

struct suggestion suggest(const char *word)
{
    uint32_t length = (uint32_t)strlen(word);
    uint32_t near = length > SUGGEST_MOST ? 0 : (length + 1) / 3;
    return (struct suggestion){.word = word, .distance = near + 1};
}

void suggest_offer(struct suggestion *s, const char *name)
{
    if (strlen(s->word) > SUGGEST_MOST || strlen(name) > SUGGEST_MOST)
        return;
    uint32_t d = distance(s->word, name);
    if (d >= s->distance)
        return;
    s->distance = d;
    s->best = name;
}

const char *suggest_text(const struct suggestion *s, char *text, size_t room)
{
    text[0] = '\0';
    if (s->best)
        snprintf(text, room, "; did you mean `%s`?", s->best);
    return text;
}
