/* The check of matches, by a suffix automaton: another structure than the kernel's, and another
 * direction. */
#include "sw/apps/mummer/mummer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define CODES (MUMMER_GAP + 1) /* that a reference has */

struct state {
    uint32_t length; /* of the longest string of the state */
    uint32_t
        link; /* state of the longest suffix that is another one; the first state's is itself */
    uint32_t next[CODES]; /* 0: none, as nothing leads to the first state */
};

struct automaton {
    struct state *states;
    uint32_t count, last;
};

/* Blumer et al. 1985: one more letter. */
static void grow(struct automaton *a, uint8_t code)
{
    uint32_t now = a->count++, p = a->last;
    a->states[now] = (struct state){.length = a->states[p].length + 1};
    for (; !a->states[p].next[code]; p = a->states[p].link) {
        a->states[p].next[code] = now;
        if (p == 0) {
            a->last = now;
            return;
        }
    }
    uint32_t q = a->states[p].next[code];
    if (a->states[q].length == a->states[p].length + 1) {
        a->states[now].link = q;
    } else {
        uint32_t clone = a->count++;
        a->states[clone] = a->states[q];
        a->states[clone].length = a->states[p].length + 1;
        a->states[q].link = a->states[now].link = clone;
        for (; a->states[p].next[code] == q; p = a->states[p].link) {
            a->states[p].next[code] = clone;
            if (p == 0)
                break;
        }
    }
    a->last = now;
}

/* longest[i]: letters of the longest suffix of the query's first i + 1 letters that the reference
 * has. */
static void longest_suffixes(const struct automaton *a, const uint8_t *codes, uint32_t letters,
                             uint32_t *longest)
{
    uint32_t state = 0, length = 0;
    for (uint32_t i = 0; i < letters; i++) {
        if (codes[i] >= MUMMER_GAP) {
            state = length = longest[i] = 0;
            continue;
        }
        while (state && !a->states[state].next[codes[i]]) {
            state = a->states[state].link;
            length = a->states[state].length;
        }
        if (a->states[state].next[codes[i]]) {
            state = a->states[state].next[codes[i]];
            length++;
        }
        longest[i] = length;
    }
}

void mummer_places(const struct sequences *queries, uint32_t least, uint32_t *result_at)
{
    result_at[0] = 0;
    for (uint32_t q = 0; q < queries->count; q++) {
        uint32_t letters = queries->starts[q + 1] - queries->starts[q];
        result_at[q + 1] = result_at[q] + (letters >= least ? letters - least + 1 : 0);
    }
}

struct query {
    const uint8_t *codes;
    uint32_t number, letters, least;
    const uint32_t *longest; /* of longest_suffixes */
};

static bool check_match(const struct sequences *reference, const struct query *q, uint32_t start,
                        uint32_t want, const struct match *got, struct error *err)
{
    uint32_t all = reference->starts[1];
    if (got->length != want)
        return error_set(err, "query %u from letter %u matches %u letters, but the host has %u",
                         q->number, start, got->length, want);
    bool there = want == 0 ? got->at == 0
                           : got->at <= all && want <= all - got->at &&
                                 memcmp(reference->codes + got->at, q->codes + start, want) == 0;
    return there || error_set(err, "query %u from letter %u: no match of %u letters at %u",
                              q->number, start, want, got->at);
}

static bool check_query(const struct sequences *reference, const struct query *q,
                        const struct match *got, struct error *err)
{
    /* A match from `start` goes on as long as the longest suffixes begin at or before it. */
    uint32_t end = 0;
    for (uint32_t start = 0; start + q->least <= q->letters; start++) {
        if (end < start)
            end = start;
        while (end < q->letters && end + 1 - q->longest[end] <= start)
            end++;
        uint32_t want = end - start >= q->least ? end - start : 0;
        if (!check_match(reference, q, start, want, &got[start], err))
            return false;
    }
    return true;
}

bool mummer_check(const struct sequences *reference, const struct sequences *queries,
                  uint32_t least, const struct match *got, struct error *err)
{
    uint32_t letters = reference->starts[1];
    struct automaton a = {.count = 1};
    a.states = ALLOC_ARRAY(struct state, 2 * (size_t)letters + 2);
    for (uint32_t i = 0; i < letters; i++)
        grow(&a, reference->codes[i]);
    uint32_t *longest = ALLOC_ARRAY(uint32_t, (size_t)queries->starts[queries->count] + 1);
    uint32_t *result_at = ALLOC_ARRAY(uint32_t, (size_t)queries->count + 1);
    bool good = true;
    mummer_places(queries, least, result_at);
    for (uint32_t i = 0; good && i < queries->count; i++) {
        struct query q = {.codes = queries->codes + queries->starts[i],
                          .number = i,
                          .letters = queries->starts[i + 1] - queries->starts[i],
                          .least = least,
                          .longest = longest};
        longest_suffixes(&a, q.codes, q.letters, longest);
        good = check_query(reference, &q, got + result_at[i], err);
    }
    free(a.states);
    free(longest);
    free(result_at);
    return good;
}
