/* MSHR table: entries found through a chained hash over dense arrays, free entries in a LIFO list
 * threaded through the same links. */
#include "sim/mem/cache/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ENTRY_BITS 10u
_Static_assert(1u << ENTRY_BITS == MSHR_MAX_ENTRIES, "ticket layout");
#define GENERATION_MASK ((1u << (MSHR_TICKET_BITS - ENTRY_BITS)) - 1)

static uint32_t bucket_of(const struct mshr_table *t, uint64_t line)
{
    uint64_t n = line / LINE_BYTES;
    return (uint32_t)(n ^ n >> 7 ^ n >> 15) & t->bucket_mask;
}

bool mshr_create(struct mshr_table *t, uint32_t entries, uint32_t merges, struct error *err)
{
    *t = (struct mshr_table){0};
    if (!entries || entries > MSHR_MAX_ENTRIES)
        return error_set(err, "%" PRIu32 " MSHRs: must be 1..%u", entries, MSHR_MAX_ENTRIES);
    if (!merges || merges > UINT16_MAX)
        return error_set(err, "%" PRIu32 " MSHR merges: must be 1..%u", merges, UINT16_MAX);
    uint32_t buckets = 1;
    while (buckets < 2 * entries)
        buckets *= 2;
    t->entries = entries;
    t->merges = merges;
    t->bucket_mask = buckets - 1;
    t->line = ALLOC_ARRAY(uint64_t, entries);
    t->asked = ALLOC_ARRAY(uint8_t, entries);
    t->waiters = ALLOC_ARRAY(uint16_t, entries);
    t->generation = ALLOC_ARRAY(uint16_t, entries);
    t->waiter = ALLOC_ARRAY(struct mshr_waiter, (size_t)entries * merges);
    t->bucket = ALLOC_ARRAY(uint32_t, buckets);
    t->next = ALLOC_ARRAY(uint32_t, entries);
    for (uint32_t b = 0; b < buckets; b++)
        t->bucket[b] = MSHR_NONE;
    for (uint32_t e = 0; e < entries; e++)
        t->next[e] = e + 1 < entries ? e + 1 : MSHR_NONE;
    t->free = 0;
    return true;
}

void mshr_destroy(struct mshr_table *t)
{
    free(t->line);
    free(t->asked);
    free(t->waiters);
    free(t->generation);
    free(t->waiter);
    free(t->bucket);
    free(t->next);
    *t = (struct mshr_table){0};
}

uint32_t mshr_find(const struct mshr_table *t, uint64_t line)
{
    uint32_t e = t->bucket[bucket_of(t, line)];
    while (e != MSHR_NONE && t->line[e] != line)
        e = t->next[e];
    return e;
}

static enum mshr_result check(const struct mshr_table *t, uint32_t found)
{
    if (found == MSHR_NONE)
        return t->free == MSHR_NONE ? MSHR_FULL : MSHR_NEW;
    return t->waiters[found] == t->merges ? MSHR_FULL : MSHR_MERGED;
}

enum mshr_result mshr_check(const struct mshr_table *t, uint64_t line)
{
    return check(t, mshr_find(t, line));
}

enum mshr_result mshr_add(struct mshr_table *t, uint64_t line, uint8_t sectors, uint32_t waiter,
                          uint32_t *entry, uint8_t *fetch)
{
    uint32_t e = mshr_find(t, line);
    enum mshr_result result = check(t, e);
    if (result == MSHR_FULL)
        return result;
    if (result == MSHR_NEW) {
        uint32_t *bucket = &t->bucket[bucket_of(t, line)];
        e = t->free;
        t->free = t->next[e];
        t->next[e] = *bucket;
        *bucket = e;
        t->line[e] = line;
        t->asked[e] = 0;
        t->generation[e]++;
        t->used++;
    }
    t->waiter[e * t->merges + t->waiters[e]++] = (struct mshr_waiter){waiter, sectors};
    *entry = e;
    *fetch = (uint8_t)(sectors & ~t->asked[e]);
    t->asked[e] |= sectors;
    return result;
}

uint32_t mshr_ticket(const struct mshr_table *t, uint32_t entry)
{
    return (t->generation[entry] & GENERATION_MASK) << ENTRY_BITS | entry;
}

uint32_t mshr_entry(const struct mshr_table *t, uint32_t ticket)
{
    uint32_t e = ticket & (MSHR_MAX_ENTRIES - 1);
    return e < t->entries && t->waiters[e] && mshr_ticket(t, e) == ticket ? e : MSHR_NONE;
}

void mshr_arrived(struct mshr_table *t, uint32_t entry, uint8_t sectors)
{
    struct mshr_waiter *w = &t->waiter[entry * t->merges];
    for (uint32_t i = 0; i < t->waiters[entry]; i++)
        w[i].sectors = (uint8_t)(w[i].sectors & ~sectors);
    t->asked[entry] = (uint8_t)(t->asked[entry] & ~sectors);
}

static void release(struct mshr_table *t, uint32_t entry)
{
    uint32_t *link = &t->bucket[bucket_of(t, t->line[entry])];
    while (*link != entry)
        link = &t->next[*link];
    *link = t->next[entry];
    t->next[entry] = t->free;
    t->free = entry;
    t->used--;
}

static void remove_waiter(struct mshr_table *t, uint32_t entry, uint32_t index)
{
    struct mshr_waiter *w = &t->waiter[entry * t->merges];
    uint32_t last = --t->waiters[entry];
    memmove(&w[index], &w[index + 1], (last - index) * sizeof *w);
    if (!last)
        release(t, entry);
}

bool mshr_next(struct mshr_table *t, uint32_t entry, uint32_t *waiter)
{
    const struct mshr_waiter *w = &t->waiter[entry * t->merges];
    for (uint32_t i = 0; i < t->waiters[entry]; i++) {
        if (w[i].sectors)
            continue;
        *waiter = w[i].id;
        remove_waiter(t, entry, i);
        return true;
    }
    return false;
}

bool mshr_remove(struct mshr_table *t, uint32_t entry, uint32_t waiter)
{
    for (uint32_t i = 0; i < t->waiters[entry]; i++) {
        if (t->waiter[entry * t->merges + i].id == waiter) {
            remove_waiter(t, entry, i);
            return true;
        }
    }
    return false;
}
