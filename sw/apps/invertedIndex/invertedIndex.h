/* Host side of sw/apps/invertedIndex/invertedIndex.cu: documents, their pieces, and who links to
 * what. */
#ifndef EVGPU_SW_INVERTED_INDEX_H
#define EVGPU_SW_INVERTED_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/apps/common/slice.h"

struct error; /* base/error.h */

#define INDEX_PIECE 1024u /* bytes: Mars's block */

/* One text with all documents behind each other. */
struct documents {
    char *text;
    size_t bytes;
    uint32_t *starts; /* count + 1 */
    uint32_t count;
};

/* Documents of about `bytes` bytes each, lines of words with links to `urls` pages; deterministic
 * in `seed`. Their sum is less than 2^32. */
void documents_generate(uint64_t seed, uint32_t count, uint32_t bytes, uint32_t urls,
                        struct documents *documents);

/* All files of a directory, in the order of their names. */
bool documents_read(const char *directory, struct documents *documents, struct error *err);
void documents_free(struct documents *documents);

/* Whole lines of one document, at least INDEX_PIECE bytes where there are as many. */
struct piece {
    uint32_t offset, bytes, document;
};
struct piece *documents_pieces(const struct documents *documents, uint32_t *count);

/* A link, and the document that has it. */
struct posting {
    struct slice url;
    uint32_t document;
};

/* Every <a href="URL"> of the documents, in the order of URLs and documents; the array belongs to
 * the caller, *count is its length. A link is written as the kernel reads it: spaces may follow
 * '<', 'a', 'href' and '=', it does not go beyond its line, and letters are small. */
struct posting *postings_reference(const struct documents *documents, uint32_t *count);

/* Whether `got`, groups of one URL each that begin at starts[], is what the reference says. */
bool postings_check(const struct documents *documents, const struct posting *got, uint32_t count,
                    const uint32_t *starts, uint32_t groups, struct error *err);

#endif
