/* L1 data cache: tags and MSHRs behind the load-store unit, and what leaves it for L2: misses,
 * which take `l1_miss_latency` cycles through a delay line, and dirty lines, which wait in a
 * buffer. The sectors of a miss, the time of its allocation and the policy of stores are choices of
 * the machine (core_config). Owner: l1.c. */
#ifndef EVGPU_SIMT_LSU_L1_H
#define EVGPU_SIMT_LSU_L1_H

#include "base/error.h"
#include "sim/mem/cache/cache.h"
#include "sim/mem/queue.h"
#include "sim/simt/lsu/port.h"

#define L1_WRITEBACKS 8 /* dirty lines on their way to the port */

/* How a transaction ended, or why it could not go on and must be tried again. */
enum l1_result {
    L1_HIT,
    L1_MISS,           /* its reply will come */
    L1_HELD_MSHR,      /* no MSHR is free */
    L1_HELD_MERGE,     /* its line's MSHR has no room */
    L1_HELD_WAY,       /* every way of the set is reserved */
    L1_HELD_WRITEBACK, /* the victim is dirty and the buffer is full */
    L1_HELD_PORT,      /* the port, or the delay line before it, is taken */
    L1_RESULTS
};

struct l1 {
    struct slots *slots;
    struct mem_port *port;
    bool exists;
    struct cache cache;
    struct mshr_table mshr;
    struct occupancy mshrs;
    uint32_t *reserved; /* cache entry that each MSHR has reserved, or CACHE_NONE */
    uint16_t *owner;    /* of the load that each MSHR was made for */
    struct delay_line out;
    struct {
        uint64_t line;
        uint32_t words;
        uint16_t owner;         /* who needed the way */
    } writeback[L1_WRITEBACKS]; /* ring */
    uint32_t writeback_head, writebacks;
    uint64_t hits, misses, merged, written_back;
};

static inline bool l1_exists(const struct l1 *l)
{
    return l->exists;
}

/* First cycle at or after `next` at which something leaves; UINT64_MAX: none. */
static inline uint64_t l1_next(const struct l1 *l, uint64_t next)
{
    if (l->writebacks)
        return next;
    uint64_t end = line_next(&l->out);
    return end > next ? end : next;
}

static inline bool l1_sends(const struct l1 *l)
{
    return (l->writebacks | l->out.count) != 0;
}

bool l1_create(struct l1 *l, struct slots *slots, struct mem_port *port, struct error *err);
void l1_destroy(struct l1 *l);

/* A load; `waiter` comes back through l1_served when its data have come. */
enum l1_result l1_load(struct l1 *l, const struct transaction *tx, uint32_t waiter);

/* A store, before it goes to L2; true when it stays here and is done. */
bool l1_store(struct l1 *l, const struct transaction *tx);

/* A load or store of words of a line of device memory without time: the tags alone become what they
 * would be, and nothing is counted. True: it goes on to L2, for the words that are left in `words`.
 */
bool l1_warm(struct l1 *l, uint64_t line, uint32_t *words, bool store);

/* Data for the MSHR with this ticket: loads whose data is complete are served one after the other.
 * False: there is none left. */
struct l1_fill {
    uint32_t mshr;
};
struct l1_fill l1_fill(struct l1 *l, uint32_t ticket, uint8_t sectors);
bool l1_served(struct l1 *l, struct l1_fill *fill, uint32_t *waiter);

/* Nobody waits any more as `waiter` for these lines. */
void l1_drop(struct l1 *l, uint32_t waiter, const struct transaction *tx, uint32_t count);

/* Sends what is due, as far as the port is free. */
void l1_send(struct l1 *l);

void l1_stats(const struct l1 *l, uint64_t now, struct core_stats *stats);

#endif
