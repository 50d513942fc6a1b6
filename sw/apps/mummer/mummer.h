/* Host side of sw/apps/mummer/mummer.cu: sequences, the reference's suffix tree, and the check of
 * matches. */
#ifndef EVGPU_SW_MUMMER_H
#define EVGPU_SW_MUMMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error; /* base/error.h */

/* Codes of letters: A, C, G, T are 0 to 3. Any other is a gap, which matches nothing. */
#define MUMMER_GAP      4u /* in a reference, and between its sequences */
#define MUMMER_END      5u /* behind a reference */
#define MUMMER_UNKNOWN  6u /* in a query */
#define MUMMER_LETTERS  6u /* that a tree knows */
#define MUMMER_MAX_TEXT (1u << 22)

/* Sequences behind each other: sequence i has the codes starts[i] .. starts[i + 1] - 1. */
struct sequences {
    uint8_t *codes;
    uint32_t *starts; /* count + 1 */
    uint32_t count;
};

/* One random sequence. Deterministic in `seed`. */
void sequences_random(uint64_t seed, uint32_t letters, struct sequences *sequences);

/* Pieces of the reference of `letters` letters, of which one in 50 is another one: reads of a
 * machine that makes mistakes. A reference that is shorter is repeated. Deterministic in `seed`. */
void sequences_reads(uint64_t seed, const struct sequences *reference, uint32_t count,
                     uint32_t letters, struct sequences *sequences);

/* FASTA: a line with '>' begins a sequence, the following ones are its letters. `other` is the code
 * of letters that are not A, C, G or T. `path` is for messages, which are PATH:LINE: TEXT. */
bool sequences_parse(const char *path, const char *text, uint8_t other, struct sequences *sequences,
                     struct error *err);

/* All in one, with gaps between. */
void sequences_join(struct sequences *sequences);
void sequences_free(struct sequences *sequences);

/* Node 0 is the root; nodes lie in the order of a breadth-first walk, so that those which all
 * queries pass lie together. */
struct tree_node {
    uint32_t link, first, end, depth; /* a texel of mummer.cu's nodes */
};

struct suffix_tree {
    uint32_t count;
    struct tree_node *nodes;
    uint32_t (*children)[4]; /* 0: none */
};

/* Of the only sequence. */
void suffix_tree_build(const struct sequences *reference, struct suffix_tree *tree);
void suffix_tree_free(struct suffix_tree *tree);

/* Where the longest match from one start of a query begins in the reference, and its letters. */
struct match {
    uint32_t at, length;
};

/* result_at[q]: the first of query q's results; count + 1 numbers, deterministic. A query of n
 * letters has n - least + 1 starts, none if it is shorter. */
void mummer_places(const struct sequences *queries, uint32_t least, uint32_t *result_at);

/* Whether every result is right: its length exactly that of the longest match, which a suffix
 * automaton says, and its place one where the reference has these letters; of several each is
 * right. Shorter than `least`: {0, 0}. */
bool mummer_check(const struct sequences *reference, const struct sequences *queries,
                  uint32_t least, const struct match *got, struct error *err);

#endif
