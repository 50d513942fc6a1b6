/* One L2 cache bank of a memory partition, from the request network to the memory side and the
 * reply network:
 *
 *   ingress queue -> delay line -> tags, MSHRs -> reply queue -> reply network
 *                                       |  ^
 *                            access queue  fetched data (memory_side.h)
 *
 * Every queue has a stated size and refuses when full. A lane is one ingress queue, delay line and
 * access queue; with two lanes CPU requests have the second to themselves, with an output of the
 * request network of its own, so that neither class waits behind the other's head. Events' misses
 * have `event_mshrs` MSHRs while a request of the first lane is held or waits for its turn: what
 * fast events take of DRAM is bounded, and they still use what nobody else wants.
 *
 * The bank is write-back with one valid and one dirty bit per 4-byte word. It decides at
 * most one request per cycle, `latency` cycles after it entered the delay line, each lane in order.
 * A head that cannot be decided is held, and counted by cause (enum bank_hold).
 *
 *  READ     hit when every word of its sectors is valid.
 *  WRITE    never waits for DRAM, and is acknowledged at once. Where the line or its words are not
 *           there, `write_miss` says what happens. In every case a write of parts of words that are
 *           not valid (`partial`) fetches their sectors and merges when they arrive.
 *  ATOMIC, POLL  like a read, and performed when all the words are there: in the order of decision,
 *           and oldest first after a fetch. One that finds older requests waiting for its line
 * waits behind them. An atomic makes its words dirty, and keeps the bank for as many cycles as it
 * has lanes on one word.
 *
 * A fetch covers the sectors that miss or the whole line (`fetch_line`), in whole DRAM columns. The
 * line's way is taken when it misses (allocate_on_miss: it is then reserved until the data come) or
 * when the data come; a dirty victim's dirty sectors are written back, adjacent ones in one access.
 * When data arrive, the waiting requests are answered one per cycle, before new ones are decided.
 *
 * A request to the synchronised region goes from its lane to the full/empty scheduler (fe.h): it
 * looks at no tag, takes no line and no MSHR, and is never performed here. Where a machine has no
 * such region, a request with a trigger may be blocked when it is performed (full/empty paper,
 * section 4). It is then parked: it holds a parking place, which it was promised when it was
 * decided, and neither its line nor an MSHR. It is tried again after every write, atomic or action
 * on its line and after bank_wake, for the words that are left, and fails `park_timeout` cycles
 * after it was first parked. */
#ifndef EVGPU_MEM_BANK_H
#define EVGPU_MEM_BANK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/address_map.h"
#include "sim/mem/cache/cache.h"
#include "sim/mem/memory_side.h"
#include "sim/mem/net/net.h"

#define MAX_LANES 2u

enum write_miss {
    WRITE_MISS_LAZY,  /* a line without a fetch; words that are read later are fetched then */
    WRITE_MISS_FETCH, /* the touched sectors, or the line, are fetched at once */
    WRITE_MISS_AROUND /* no line: the write goes to DRAM */
};

struct bank_config {
    struct cache_shape shape;
    uint32_t latency;          /* L2 cycles, >= 1 */
    uint32_t ingress, replies; /* entries of the queues */
    uint32_t accesses;         /* entries of each access queue, >= MIN_ACCESSES */
    uint32_t mshrs, merges;    /* entries, and requests in one of them */
    uint32_t reserved_mshrs;   /* of lane 0: entries that it leaves free for lane 1 */
    uint32_t event_mshrs;      /* of CLASS_EVENT: no more while lane 0 waits; 0: no bound */
    uint32_t lanes;            /* 1 or 2 */
    uint32_t second_lane;      /* classes that take the second, bit per class */
    uint32_t write_miss;       /* enum write_miss */
    bool allocate_on_miss;
    bool fetch_line;
    uint32_t parked;                  /* parking places */
    uint64_t park_timeout;            /* cycles; 0: never */
    uint32_t column_bytes;            /* of DRAM */
    const uint32_t *flit_bytes;       /* by enum request_class, not owned */
    struct net *requests, *reply_net; /* not owned */
    uint32_t ports;                   /* of the bank on the request network: its lane 0 */
    uint32_t port;                    /* of the bank on the reply network */
    const struct address_map *map;    /* not owned */
    struct fe *fe;                    /* takes requests to the region; NULL: there is none */
    uint32_t index;                   /* of the bank in its partition */
    perform_request perform;
    void *user;
};

/* An access queue must have room for what one decision may cause. */
#define MIN_ACCESSES 4u /* two runs fetched, two written back */

/* Why a decided request could not go on, in cycles. */
enum bank_hold {
    HOLD_REPLY,  /* the reply queue is full */
    HOLD_MSHR,   /* no MSHR is free, or an event has its share */
    HOLD_MERGE,  /* its line's MSHR has no room for another request */
    HOLD_WAY,    /* every way of the set is reserved */
    HOLD_ACCESS, /* the queue to the memory side is full */
    HOLD_PARKED, /* no parking place */
    HOLD_TAKEN,  /* the bank answers fetched data or a parked request, or performs an atomic */
    BANK_HOLDS
};

struct fe;

/* Of the requests of a class. */
struct bank_class {
    uint64_t requests, hits, misses;
    uint64_t
        cycles; /* from the ingress queue to the reply network, summed (under way: until now) */
    uint64_t dram_read, dram_written; /* bytes, as in traffic.h */
};

struct bank_stats {
    struct bank_class of[REQUEST_CLASSES];
    uint64_t hits, misses;  /* hit: line present and nothing to wait for or fetch */
    uint64_t writebacks;    /* dirty lines evicted */
    uint64_t stalled_reply; /* cycles in which a reply was held because its network was full */
    uint64_t held[BANK_HOLDS];
    struct queue_stats ingress, accesses, mshrs, replies;
    uint64_t stood;    /* cycles that a delay line stood */
    uint64_t parked;   /* requests parked, times */
    uint64_t timeouts; /* parked requests that failed */
};

struct bank;
struct traffic; /* sim/mem/traffic.h */

/* `queues`: `lanes` access queues, not owned, that the memory side empties. */
struct bank *bank_create(const struct bank_config *config, struct access_queue *queues,
                         struct error *err);
void bank_destroy(struct bank *b);

/* L2 cycle number `now`; it may be left out when bank_quiet says so. */
void bank_tick(struct bank *b, struct mem_side *side, uint64_t now);

bool bank_idle(const struct bank *b);
uint64_t bank_quiet(const struct bank *b, uint64_t now);

/* Whether a reply was held in the last bank_tick because the reply network was full. */
bool bank_stalled_reply(const struct bank *b);

/* A reply to a request that went to the full/empty scheduler; false: the reply queue is full. */
bool bank_answer(struct bank *b, const struct mem_request *reply, uint64_t now);

/* Lines are named by their address within the bank (address_map.h). Forgetting drops a line, dirty
 * or not, unless it is reserved; waking tries the requests parked for a line again. */
void bank_forget(struct bank *b, uint64_t bank_line);
void bank_wake(struct bank *b, uint64_t bank_line);
/* Words of a line are read or written without time: the tags alone become what they would be, and
 * nothing is counted, fetched or written back. A line that is on its way stays as it is. */
void bank_warm(struct bank *b, uint64_t bank_line, uint32_t words, bool write);
/* By owner (traffic.h); clearing begins it anew. */
const struct traffic *bank_traffic(const struct bank *b, uint32_t owner);
void bank_clear_traffic(struct bank *b, uint32_t owner);

void bank_stats(const struct bank *b, uint64_t now, struct bank_stats *stats);
void bank_stats_add(struct bank_stats *sum, const struct bank_stats *one);

#endif
