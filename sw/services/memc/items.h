/* The items of a memcached server: generated, or read from a file. */
#ifndef EVGPU_SW_MEMC_ITEMS_H
#define EVGPU_SW_MEMC_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/memc/memc_get.h"

struct error; /* base/error.h */

#define MEMC_LONGEST_VALUE 1024u /* so that a reply fits into one datagram */

struct memc_pair {
    const uint8_t *key, *value;
    uint32_t key_length, value_length;
    uint32_t flags;
    uint64_t cas;
};

/* Distinct keys; of the same key, the later SET counts. */
struct memc_items {
    struct memc_pair *pair;
    uint32_t count, capacity;
    uint32_t longest_key, longest_value;
    uint8_t **blocks; /* what the pairs point into */
    uint32_t n_blocks, blocks_capacity;
};

/* `count` SETs of distinct printable keys of `key_bytes` (1..250) and values of `value_bytes`
 * (0..MEMC_LONGEST_VALUE); deterministic in `seed`. False with `err`: not so many keys. */
bool memc_items_generate(uint64_t seed, uint32_t count, uint32_t key_bytes, uint32_t value_bytes,
                         struct memc_items *items, struct error *err);

/* One item per line: key, value and optionally flags, separated by blanks; empty lines and lines
 * that start with # are skipped. Plain, gzip or xz. False with "FILE:LINE: ...". */
bool memc_items_read(const char *path, struct memc_items *items, struct error *err);

void memc_items_free(struct memc_items *items);

/* NULL: not there. `items` must be sorted (memc_items_generate and _read do so). */
const struct memc_pair *memc_items_find(const struct memc_items *items, const uint8_t *key,
                                        uint32_t length);

/* The table in device memory. */
struct memc_layout {
    uint32_t entries, item_bytes, key_room;
};

/* Whether a table of `entries` takes so many items; false with an error. */
bool memc_fits(uint32_t count, uint32_t entries, struct error *err);

/* For `entries` (a power of two, MEMC_WAYS at least), no fewer than there are items. */
bool memc_layout(const struct memc_items *items, uint32_t entries, struct memc_layout *layout,
                 struct error *err);

/* `tags`: [entries]; `table`: entries x item_bytes; zero on entry. */
void memc_fill(const struct memc_items *items, const struct memc_layout *layout, uint32_t *tags,
               uint8_t *table);

uint32_t memc_hash(const uint8_t *key, uint32_t length);

#endif
