/* Pieces of a text, compared and sorted by their bytes. */
#ifndef EVGPU_SW_SLICE_H
#define EVGPU_SW_SLICE_H

#include <stdint.h>
#include <string.h>

struct slice {
    const char *at;
    uint32_t bytes;
};

static inline int slice_compare(const struct slice *a, const struct slice *b)
{
    int order = memcmp(a->at, b->at, a->bytes < b->bytes ? a->bytes : b->bytes);
    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

#endif
