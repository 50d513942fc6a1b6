#include "sw/services/ipv4/dir24.h"

#include <stdlib.h>

#include "base/alloc.h"

uint32_t dir24_blocks(const struct route_list *list)
{
    uint64_t *seen = ALLOC_ARRAY(uint64_t, FWD_LEVEL1_ENTRIES / 64);
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->routes[i].length <= 24)
            continue;
        uint32_t at = route_ipv4(&list->routes[i]) >> 8;
        uint64_t bit = UINT64_C(1) << (at & 63);
        blocks += !(seen[at / 64] & bit);
        seen[at / 64] |= bit;
    }
    free(seen);
    return blocks;
}

static void fill_range(uint32_t *entries, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        entries[i] = value;
}

/* Indexes of the routes, shortest prefix first, file order within a length: a longer prefix, and a
 * later duplicate, then simply overwrites. */
static uint32_t *by_length(const struct route_list *list)
{
    uint32_t *order = ALLOC_ARRAY(uint32_t, list->count ? list->count : 1);
    uint32_t at[33] = {0};
    for (uint32_t length = 1; length <= 32; length++)
        at[length] = at[length - 1] + list->by_length[length - 1];
    for (uint32_t i = 0; i < list->count; i++)
        order[at[list->routes[i].length]++] = i;
    return order;
}

void dir24_fill(const struct route_list *list, uint32_t *level1, uint32_t *level2)
{
    uint32_t *order = by_length(list);
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct route *r = &list->routes[order[i]];
        uint32_t *entry = &level1[route_ipv4(r) >> 8];
        if (r->length <= 24) {
            fill_range(entry, UINT32_C(1) << (24 - r->length), r->hop);
            continue;
        }
        if (!(*entry & FWD_BLOCK_FLAG)) {
            fill_range(level2 + (uint64_t)blocks * FWD_BLOCK_ENTRIES, FWD_BLOCK_ENTRIES, *entry);
            *entry = FWD_BLOCK_FLAG | blocks++;
        }
        uint64_t block = *entry & ~FWD_BLOCK_FLAG;
        fill_range(level2 + block * FWD_BLOCK_ENTRIES + (route_ipv4(r) & 0xFF),
                   UINT32_C(1) << (32 - r->length), r->hop);
    }
    free(order);
}
