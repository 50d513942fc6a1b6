/* Load-store unit: memory instructions from issue to their last reply. The interface of the room
 * lsu/, which knows warp/ and check/: the port to the memory system, L1 and constant cache, what is
 * performed at L2, devices on the bus, and what a drop of loads needs. Owner: lsu.c. */
#ifndef EVGPU_SIMT_LSU_LSU_H
#define EVGPU_SIMT_LSU_LSU_H

#include <stddef.h>

#include "sim/mem/cache/cache.h"
#include "sim/mem/queue.h"
#include "sim/simt/lsu/access.h"
#include "sim/simt/lsu/bus.h"
#include "sim/simt/lsu/copy.h"
#include "sim/simt/lsu/l1.h"
#include "sim/simt/lsu/l2_access.h"
#include "sim/simt/lsu/memory.h"
#include "sim/simt/lsu/port.h"
#include "sim/simt/lsu/replay.h"

#define CONST_MSHRS    8
#define MAX_LDST_QUEUE 256

/* Why the head of the queue does not go on. */
enum lsu_hold {
    LSU_FREE,
    LSU_MSHR,      /* no MSHR is free */
    LSU_MERGE,     /* its line's MSHR has no room */
    LSU_WAY,       /* every way of its set is reserved */
    LSU_WRITEBACK, /* the victim of its set is dirty, and too many wait already */
    LSU_NETWORK,   /* the port is taken, or the request network is full */
    LSU_HOLDS
};
_Static_assert(LSU_HOLDS == LSU_CAUSES, "core_stats counts every cause");

/* Memory instructions that wait for the unit, in issue order. */
struct lsu_queue {
    uint16_t entry[MAX_LDST_QUEUE];
    uint32_t head;
    struct occupancy use; /* use.count are in the queue */
    bool blocked;         /* until a reply arrives */
    uint8_t held;         /* enum lsu_hold, since that cycle */
    uint64_t held_since;
    uint64_t hold_cycles[LSU_HOLDS];
};

struct lsu {
    struct slots *slots;
    struct access_pool pool;
    struct mem_port port;
    struct l1 l1;
    struct l2_accesses l2_accesses;
    struct copies copies;
    struct bus bus;
    struct replay replay;
    struct memory memory;
    struct lsu_queue queue[2]; /* [1]: of events, with core_config.event_queue; goes first */
    uint64_t busy;             /* first cycle at which the unit takes the next transaction */
    uint32_t loads[SLOTS], stores[SLOTS], const_waits[SLOTS]; /* in flight */
    uint32_t victim_stores[SLOTS];                            /* of the victim under an event */
    uint8_t
        account[SLOTS]; /* whose stores those of the slot are: 0 its own warp's, or the event's */
    struct access_list load;
    struct cache constant;
    struct mshr_table const_mshr;
    uint64_t const_misses;
};

static inline uint32_t lsu_queued(const struct lsu *l)
{
    return l->queue[0].use.count + l->queue[1].use.count;
}

/* No room for another memory instruction. */
static inline bool lsu_full(const struct lsu *l, uint32_t queue_entries)
{
    return l->queue[0].use.count >= queue_entries || access_none_free(&l->pool);
}

/* The same for one of an event, with a queue of their own. */
static inline bool lsu_event_full(const struct lsu *l, uint32_t queue_entries)
{
    return l->queue[1].use.count >= queue_entries || access_none_free(&l->pool);
}

static inline uint32_t lsu_loads(const struct lsu *l, uint32_t w)
{
    return l->loads[w];
}

static inline uint32_t lsu_stores(const struct lsu *l, uint32_t w)
{
    return l->stores[w];
}

/* Accesses in flight that the warp cannot drop, other than those in its pipelines and its stores.
 */
static inline bool lsu_keeps(const struct lsu *l, uint32_t w)
{
    return l2_accesses_in_flight(&l->l2_accesses, w) || copies_in_flight(&l->copies, w);
}

/* A constant access of the warp waits for memory. */
static inline bool lsu_waits_for_constant(const struct lsu *l, uint32_t w)
{
    return l->const_waits[w] != 0;
}

/* The oldest load in flight, NULL: there is none. */
static inline struct access *lsu_oldest_load(const struct lsu *l, uint32_t w)
{
    return l->loads[w] ? access_at(&l->pool, l->load.first[w]) : NULL;
}

/* The load after it, NULL: it is the youngest. */
static inline struct access *lsu_next_load(const struct lsu *l, const struct access *a)
{
    return a->next == NO_ACCESS ? NULL : access_at(&l->pool, a->next);
}

/* Place of the warp's youngest load in flight in its issue order; 0: there is none. */
static inline uint64_t lsu_youngest_seq(const struct lsu *l, uint32_t w)
{
    return l->loads[w] ? access_at(&l->pool, l->load.last[w])->seq : 0;
}

/* All that the unit did in this cycle was to ask once, in vain, for room in the request network;
 * and that is all that it will do until there is some, or a reply. Events have a lane of their own.
 */
static inline bool lsu_waits_for_room(const struct lsu *l)
{
    const struct lsu_queue *q = &l->queue[0];
    if (port_refusals(&l->port) != 1 || q->held != LSU_NETWORK || !q->use.count ||
        l1_sends(&l->l1) || l->queue[1].use.count || copies_arrived(&l->copies))
        return false;
    const struct access *a = access_at(&l->pool, q->entry[q->head]);
    return !a->event && !a->tx[a->next_tx].event;
}

/* First cycle at or after `next` at which the unit works without a reply and without waiting for
 * room; UINT64_MAX: none. */
static inline uint64_t lsu_next(const struct lsu *l, uint64_t next)
{
    uint64_t first = UINT64_MAX;
    if (lsu_waits_for_room(l))
        return first;
    if (copies_arrived(&l->copies))
        first = l->busy;
    for (uint32_t i = 0; i < 2; i++) {
        const struct lsu_queue *q = &l->queue[i];
        if (!q->use.count || q->blocked)
            continue;
        uint64_t ready = access_at(&l->pool, q->entry[q->head])->ready;
        uint64_t at = l->busy > ready ? l->busy : ready;
        first = at < first ? at : first;
    }
    return first > next ? first : next;
}

/* Nothing of the warp is on its way that a fence waits for. */
static inline bool lsu_idle(const struct lsu *l, uint32_t w)
{
    return !l->loads[w] && !l->stores[w] && !l2_accesses_in_flight(&l->l2_accesses, w);
}

/* The unit, or what it sends through L1, has work. */
static inline bool lsu_busy(const struct lsu *l)
{
    return lsu_queued(l) || l1_sends(&l->l1) || copies_arrived(&l->copies);
}

/* An event takes the slot of a victim: stores of the slot are accounted as its own, for `account`,
 * which is not 0, until lsu_return. */
static inline void lsu_borrow(struct lsu *l, uint32_t w, uint8_t account)
{
    l->victim_stores[w] = l->stores[w];
    l->stores[w] = 0;
    l->account[w] = account;
}

static inline void lsu_return(struct lsu *l, uint32_t w)
{
    l->stores[w] = l->victim_stores[w];
    l->account[w] = 0;
}

bool lsu_create(struct lsu *l, struct slots *slots, struct error *err);
void lsu_destroy(struct lsu *l);
void lsu_tick(struct lsu *l);
void lsu_part_done(struct lsu *l, uint16_t index); /* one transaction or the shared part */
void lsu_reply(struct lsu *l, const struct mem_request *reply);
void lsu_store_done(struct lsu *l, uint32_t value);
void lsu_take_bus_answers(struct lsu *l);
void lsu_accept(struct lsu *l, struct access *a); /* a complete record: counts and queues it */
void lsu_forget_loads(struct lsu *l, uint32_t w); /* every load in flight; see drop_loads */
/* drop_loads.c: the warp is again where its oldest load in flight was issued. */
void drop_loads(struct lsu *l, uint32_t w);
/* The state of the warp of an access of known time (COUNT_PIPE) when its next instruction waits for
 * what the access brings; WARP_DEPENDENCE: it does not. */
enum warp_state lsu_late(const struct access *a, const struct inst *next);
/* The warp's load that its next instruction waits for; NULL: none. */
const struct access *lsu_late_load(const struct lsu *l, uint32_t w, const struct inst *next);
/* The n-th memory instruction of the queue, n < lsu_queued(). */
const struct access *lsu_queue_at(const struct lsu *l, uint32_t n);
/* The queue is full: what its head is at. */
enum warp_state lsu_taken_by(const struct lsu *l, uint64_t now);
void lsu_stats(const struct lsu *l, uint64_t now, struct core_stats *stats);

#endif
