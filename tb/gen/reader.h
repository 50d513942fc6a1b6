/* Words of a line of rtl/evgpu.def, cut by strtok; errors name FILE:LINE. */
#ifndef EVGPU_TB_GEN_READER_H
#define EVGPU_TB_GEN_READER_H

#include "tb/gen/definition.h"

struct reader {
    struct definition *def;
    const char *path;
    unsigned line;
    char *comment; /* text after '#' on this line, or NULL */
    bool in_block; /* ports are of the last block, not of the last tile */
    struct error *err;
};

/* Always false; `detail` may be NULL. */
bool reader_fail(const struct reader *r, const char *what, const char *detail);

bool reader_is_name(const char *text);

/* The next word, a name; `kind` is the word before it. */
bool reader_name(const struct reader *r, const char *kind, char **out);

/* A number in low..high: `token`, or the next word after `name`. */
bool reader_number_of(const struct reader *r, const char *token, uint32_t low, uint32_t high,
                      uint32_t *out);
bool reader_number(const struct reader *r, const char *name, uint32_t low, uint32_t high,
                   uint32_t *out);

/* No word is left. */
bool reader_end(const struct reader *r);

/* A copy of the line's comment, or NULL. */
char *reader_comment(const struct reader *r);

#endif
