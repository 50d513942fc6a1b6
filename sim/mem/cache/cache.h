/* The two tables every cache level is made of: a set-associative tag array and an MSHR table.
 * Timing and policy (write-through or write-back, when to allocate) are the owner's.
 *
 * Lines are LINE_BYTES long. A line's contents are tracked as one bit per 4-byte word; a sector
 * (SECTOR_BYTES) is valid when its eight words are. All state is in dense arrays indexed by entry
 * (set * ways + way) and may be read directly; it changes through the functions only, except for
 * `valid` and `dirty`, which belong to the owner once the entry is allocated.
 *
 * Nothing is allocated after creation. */
#ifndef EVGPU_MEM_CACHE_CACHE_H
#define EVGPU_MEM_CACHE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/cache/policy.h"
#include "sim/mem/request.h"

#define CACHE_NONE UINT32_MAX /* no such entry */
#define MSHR_NONE  UINT32_MAX

/* The word mask of a sector mask, and the sectors that a word mask touches. */
static inline uint32_t sector_words(uint32_t sectors)
{
    return ((sectors & 1u) | (sectors & 2u) << 7 | (sectors & 4u) << 14 | (sectors & 8u) << 21) *
           0xffu;
}

static inline uint8_t word_sectors(uint32_t words)
{
    return (uint8_t)(((words & 0xffu) != 0) | ((words & 0xff00u) != 0) << 1 |
                     ((words & 0xff0000u) != 0) << 2 | ((words & 0xff000000u) != 0) << 3);
}

/* --- tags ------------------------------------------------------------------------------------- */

/* How a line chooses its set. */
enum cache_index {
    INDEX_PLAIN,  /* line number modulo sets */
    INDEX_HASHED, /* line number modulo a polynomial over GF(2), Rau 1991: no stride that is a power
                   * of two, or near one, stays in a few sets; otherwise folded by addition */
    INDEX_FERMI   /* Fermi's, as found by Nugteren et al., HPCA 2014; 32 or 64 sets */
};

struct cache {
    uint32_t sets, ways;
    const uint16_t (*folded)[256]; /* hashed, sets a power of two: what each byte of the line number
                                    * adds to the set; otherwise NULL */
    uint32_t index;                /* enum cache_index */
    uint32_t set_mask; /* sets - 1 when a power of two, otherwise 0 and a modulo is taken */
    uint64_t *line;    /* line address; UINT64_MAX: entry free */
    uint32_t *valid;   /* words */
    uint32_t *dirty;   /* words */
    uint16_t *pins;    /* > 0: must not be evicted */
    const struct cache_policy *policy;
    void *state;    /* the policy's, one element per entry */
    uint64_t clock; /* the policy's, of the whole cache; 0 at first */
};

struct cache_shape {
    uint64_t bytes; /* a multiple of ways * LINE_BYTES; any number of sets */
    uint32_t ways;
    uint32_t index;  /* enum cache_index */
    uint32_t policy; /* number of the replacement policy (policy.h), 0: LRU */
};

/* False with `err` when the shape is impossible. */
bool cache_create(struct cache *c, const struct cache_shape *shape, struct error *err);
void cache_destroy(struct cache *c);

/* First entry of the set that `line` (an address, multiple of LINE_BYTES) belongs to. */
static inline uint32_t cache_set(const struct cache *c, uint64_t line)
{
    uint64_t n = line / LINE_BYTES;
    if (c->index == INDEX_FERMI) {
        uint64_t upper = (n >> 6 & 7) | (n >> 10 & 1) << 3 | (n >> 12 & 1) << 4;
        return (uint32_t)((n & c->set_mask) ^ upper) * c->ways;
    }
    if (c->set_mask || c->sets == 1) {
        if (c->folded)
            n = c->folded[0][n & 0xff] ^ c->folded[1][n >> 8 & 0xff] ^
                c->folded[2][n >> 16 & 0xff] ^ c->folded[3][n >> 24 & 0xff];
        return ((uint32_t)n & c->set_mask) * c->ways;
    }
    if (c->index == INDEX_HASHED)
        n += n / c->sets + n / c->sets / c->sets;
    return (uint32_t)(n % c->sets) * c->ways;
}

/* The line's entry or CACHE_NONE. Does not count as a use. */
static inline uint32_t cache_find(const struct cache *c, uint64_t line)
{
    uint32_t first = cache_set(c, line);
    for (uint32_t e = first; e < first + c->ways; e++)
        if (c->line[e] == line)
            return e;
    return CACHE_NONE;
}

/* The line will be asked for: what says where it is comes closer. */
static inline void cache_expect(const struct cache *c, uint64_t line)
{
    uint32_t first = cache_set(c, line);
    for (uint32_t e = first; e < first + c->ways; e += 8)
        __builtin_prefetch(&c->line[e]);
    __builtin_prefetch(&c->valid[first]);
}

/* Counts as a use of the line in the entry. */
static inline void cache_touch(struct cache *c, uint32_t entry)
{
    c->policy->touch(c, entry);
}

/* True when all these sectors of the line are valid; then it counts as a use. */
static inline bool cache_hit(struct cache *c, uint64_t line, uint32_t sectors)
{
    uint32_t e = cache_find(c, line);
    if (e == CACHE_NONE || (sector_words(sectors) & ~c->valid[e]))
        return false;
    cache_touch(c, e);
    return true;
}

/* The entry that a new line would take: the first free one of its set, otherwise the policy's
 * choice among those that are not pinned; CACHE_NONE when all are pinned. Changes nothing. */
uint32_t cache_victim(const struct cache *c, uint64_t line);

/* Gives the entry, which is free or cache_victim named, to `line`, empty and clean. Its old
 * contents are forgotten: the owner of a write-back cache looks at dirty[entry] first. */
void cache_allocate(struct cache *c, uint32_t entry, uint64_t line);

/* For caches that allocate when the data arrives and hold no dirty data: marks the sectors valid,
 * replacing a victim if the line is not there. Dropped silently when the whole set is pinned. */
void cache_fill(struct cache *c, uint64_t line, uint32_t sectors);

void cache_invalidate(struct cache *c, uint64_t line);
void cache_invalidate_all(struct cache *c);

/* --- MSHRs ------------------------------------------------------------------------------------ */

/* An entry is a line with sectors asked for and up to `merges` waiters. A waiter is a number of the
 * owner's and the sectors it needs; it leaves when all of them have arrived, or when it is removed.
 * An entry without waiters is free at once, also when sectors asked for have not arrived: a reply
 * for them is then recognised as stale by its ticket (cf. EDGE IV-D, dropping a victim's loads). */

#define MSHR_TICKET_BITS 24u
#define MSHR_MAX_ENTRIES 1024u

enum mshr_result {
    MSHR_NEW,    /* a new entry */
    MSHR_MERGED, /* the line had an entry */
    MSHR_FULL    /* no entry or no waiter slot free; nothing changed */
};

struct mshr_waiter {
    uint32_t id;
    uint8_t sectors; /* still to arrive */
};

struct mshr_table {
    uint32_t entries, merges;
    uint32_t used; /* entries in use */
    uint64_t *line;
    uint8_t *asked;             /* sectors requested and not arrived */
    uint16_t *waiters;          /* number of waiters; 0: entry free */
    uint16_t *generation;       /* counts the uses of the entry, part of the ticket */
    struct mshr_waiter *waiter; /* [entry * merges + i], oldest first */
    uint32_t *bucket, *next;    /* hash chains by line; `next` also links the free entries */
    uint32_t bucket_mask, free;
};

/* entries 1..MSHR_MAX_ENTRIES, merges (waiters per entry) 1..65535. */
bool mshr_create(struct mshr_table *t, uint32_t entries, uint32_t merges, struct error *err);
void mshr_destroy(struct mshr_table *t);

/* The entry of a line or MSHR_NONE. */
uint32_t mshr_find(const struct mshr_table *t, uint64_t line);

/* The answer that mshr_add would give; for checking before anything is changed. */
enum mshr_result mshr_check(const struct mshr_table *t, uint64_t line);

/* Adds a waiter for the sectors of a line. On success `entry` is its entry and `fetch` the sectors
 * that nobody has asked for yet: the owner must request them (0: nothing to send). */
enum mshr_result mshr_add(struct mshr_table *t, uint64_t line, uint8_t sectors, uint32_t waiter,
                          uint32_t *entry, uint8_t *fetch);

/* A number below 1 << MSHR_TICKET_BITS that names this use of the entry: send it in the request's
 * tag, and turn the reply's back into the entry; MSHR_NONE when that use is over. */
uint32_t mshr_ticket(const struct mshr_table *t, uint32_t entry);
uint32_t mshr_entry(const struct mshr_table *t, uint32_t ticket);

/* Sectors have arrived. Follow it with mshr_next until that returns false: it takes out, oldest
 * first, the waiters that have all their sectors. The entry may be free afterwards. */
void mshr_arrived(struct mshr_table *t, uint32_t entry, uint8_t sectors);
bool mshr_next(struct mshr_table *t, uint32_t entry, uint32_t *waiter);

/* Takes a waiter out of an entry, whatever has arrived; false when it is not in it. The entry may
 * be free afterwards. */
bool mshr_remove(struct mshr_table *t, uint32_t entry, uint32_t waiter);

#endif
