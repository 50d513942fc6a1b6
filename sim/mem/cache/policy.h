/* Replacement policies of a cache (cache.h): which line of a full set goes.
 *
 * A policy is a file that defines `const struct cache_policy cache_policy_NAME`, and a line in the
 * list of policies.c. The configuration keys core.l1_replacement and l2.replacement know it then.
 */
#ifndef EVGPU_MEM_CACHE_POLICY_H
#define EVGPU_MEM_CACHE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;

/* The functions find the policy's own state in cache.state: `line_bytes` for each entry, all zero
 * at first. Free entries and pinned ones are the cache's business: `victim` alone meets pins. */
struct cache_policy {
    const char *name; /* in the configuration */
    size_t line_bytes;

    /* A request found the line of this entry. */
    void (*touch)(struct cache *c, uint32_t entry);
    /* The entry gets a new line; `evicts`: in place of another one, which `victim` named. Lines may
     * have been touched between the two. */
    void (*fill)(struct cache *c, uint32_t entry, bool evicts);
    /* Of a set without free entry, whose entries are first .. first + ways - 1: the one to evict
     * among those without pins; CACHE_NONE when all are pinned. The caller may ask often and evict
     * later or never, so nothing changes. */
    uint32_t (*victim)(const struct cache *c, uint32_t first);
};

/* Policy number `index`, NULL from their number on. Number 0 is LRU. */
const struct cache_policy *cache_policy_at(uint32_t index);
const char *cache_policy_name(uint32_t index); /* NULL likewise */

#endif
