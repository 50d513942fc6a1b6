#include "sw/apps/sssp/sssp.h"

#include <stdlib.h>

#include "base/alloc.h"

/* A binary heap of (distance, node); a node that is there several times counts by its first. */
struct entry {
    uint32_t distance, node;
};

struct heap {
    struct entry *entries;
    size_t count, capacity;
};

static void push(struct heap *h, struct entry entry)
{
    ARRAY_RESERVE(h->entries, h->count, h->capacity);
    size_t at = h->count++;
    while (at && h->entries[(at - 1) / 2].distance > entry.distance) {
        h->entries[at] = h->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->entries[at] = entry;
}

static struct entry pop(struct heap *h)
{
    struct entry first = h->entries[0], last = h->entries[--h->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && h->entries[child + 1].distance < h->entries[child].distance)
            child++;
        if (h->entries[child].distance >= last.distance)
            break;
        h->entries[at] = h->entries[child];
        at = child;
    }
    h->entries[at] = last;
    return first;
}

void sssp_reference(const struct graph *graph, uint32_t source, uint32_t *distance)
{
    struct heap heap = {0};
    for (uint32_t v = 0; v < graph->nodes; v++)
        distance[v] = SSSP_FAR;
    distance[source] = 0;
    push(&heap, (struct entry){0, source});
    while (heap.count) {
        struct entry entry = pop(&heap);
        if (entry.distance > distance[entry.node])
            continue;
        for (uint32_t a = graph->rows[entry.node]; a < graph->rows[entry.node + 1]; a++) {
            uint64_t way = (uint64_t)entry.distance + graph->weights[a];
            if (way >= distance[graph->columns[a]])
                continue;
            distance[graph->columns[a]] = (uint32_t)way;
            push(&heap, (struct entry){(uint32_t)way, graph->columns[a]});
        }
    }
    free(heap.entries);
}
