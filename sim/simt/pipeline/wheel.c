#include "sim/simt/pipeline/wheel.h"

#include <stdlib.h>

#include "base/alloc.h"

void wheel_create(struct wheel *wheel, uint32_t max_delay, uint32_t per_cycle)
{
    uint32_t size = 64;
    while (size <= max_delay)
        size *= 2;
    uint32_t nodes = size * per_cycle;
    wheel->size = size;
    wheel->bucket = ALLOC_ARRAY(uint32_t, size);
    wheel->full = ALLOC_ARRAY(uint64_t, size / 64);
    wheel->node = ALLOC_ARRAY(struct node, nodes);
    for (uint32_t i = 0; i < size; i++)
        wheel->bucket[i] = NO_NODE;
    for (uint32_t i = 0; i < nodes; i++)
        wheel->node[i].next = i + 1 < nodes ? i + 1 : NO_NODE;
}

void wheel_destroy(struct wheel *wheel)
{
    free(wheel->bucket);
    free(wheel->full);
    free(wheel->node);
}

uint64_t wheel_next(const struct wheel *wheel, uint64_t now)
{
    if (!wheel->count)
        return UINT64_MAX;
    uint32_t words = wheel->size / 64;
    uint32_t start = (uint32_t)(now + 1) & (wheel->size - 1);
    uint64_t word = wheel->full[start / 64] & (UINT64_MAX << start % 64);
    uint32_t i = start / 64;
    /* The first word is looked at twice: its low bits are the wheel's far end. */
    for (uint32_t n = 0; !word && n < words; n++) {
        i = (i + 1) & (words - 1);
        word = wheel->full[i];
    }
    uint32_t b = i * 64 + lowest(word);
    return now + 1 + ((b - start) & (wheel->size - 1));
}

void wheel_visit(const struct wheel *wheel, void (*each)(void *user, const struct node *node),
                 void *user)
{
    if (!wheel->count)
        return;
    for (uint32_t i = 0; i < (wheel->size + 63) / 64; i++) {
        for (uint64_t m = wheel->full[i]; m; m &= m - 1) {
            uint32_t n = wheel->bucket[i * 64 + lowest(m)];
            for (; n != NO_NODE; n = wheel->node[n].next)
                each(user, &wheel->node[n]);
        }
    }
}
