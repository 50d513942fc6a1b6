/* Load-store unit: memory instructions from issue to their last reply, the L1 and the constant
 * cache, and the core's port to the memory system. Owner: lsu.c. */
#ifndef EVGPU_SIMT_LSU_LSU_H
#define EVGPU_SIMT_LSU_LSU_H

#include <stddef.h>

#include "sim/mem/cache/cache.h"
#include "sim/mem/queue.h"
#include "sim/simt/core.h"
#include "sim/simt/pipeline/simt_stack.h"
#include "sim/simt/units.h"

#define ACCESSES       512 /* memory instructions between issue and their last reply */
#define ACCESS_BITS    9
#define MAX_TX         128 /* local memory: up to 4 words per lane, each in a line of its own */
#define CONST_MSHRS    8
#define MAX_LDST_QUEUE 256

struct core;
struct core_stats;
struct mem_request;

/* What a memory request was for; low bits of its tag. */
enum tag_kind {
    TAG_ICACHE, /* value: index of the miss */
    TAG_CONST,  /* MSHR ticket */
    TAG_L1,     /* MSHR ticket */
    TAG_DIRECT, /* access and its generation */
    TAG_STORE,  /* warp and account */
    TAG_REMOTE, /* access and transaction */
    TAG_SAVE,   /* PEWT entry */
    TAG_RESTORE /* PEWT entry and row */
};
#define TAG_KIND_BITS 3

/* A store that nobody waits for. */
#define TAG_OF_WRITEBACK (UINT32_MAX << TAG_KIND_BITS | TAG_STORE)

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

/* One line of a memory instruction. */
struct transaction {
    uint64_t line;
    uint32_t words, lanes;
    uint8_t sectors, partial;
    uint8_t local;      /* of a thread's local memory */
    uint8_t region;     /* of the synchronised region */
    uint8_t collisions; /* of an atomic: most lanes on one word */
    uint8_t event;      /* of an event's warp */
    uint16_t owner;     /* for whom it is counted (account.h) */
};

enum access_route {
    ROUTE_NONE,
    ROUTE_L1,
    ROUTE_DIRECT,
    ROUTE_CONST,
    ROUTE_STORE,
    ROUTE_REMOTE,
    ROUTE_BUS
};

/* How an access in flight is counted: see the cand_ and vic_ ports of sm_event_unit. */
enum access_count { COUNT_PIPE, COUNT_LOAD, COUNT_REMOTE, COUNT_STORE };

/* A memory instruction from issue to its last reply. memory.c, coalesce.c and l2_access.c fill it
 * between access_take and lsu_accept; after that it is lsu.c's. */
struct access {
    const struct inst *inst;
    uint64_t seq;        /* position in the warp's issue order */
    uint32_t generation; /* counts the uses of this record; stale replies do not match */
    uint32_t mask;
    struct stack_point point; /* of the warp before it issued, for a replay */
    uint8_t warp, account;
    uint8_t route, count; /* enum access_route, enum access_count */
    uint16_t owner;       /* for whom it is counted (account.h) */
    bool queued;          /* in a load-store queue */
    bool event;           /* of an event's warp, while these have a queue of their own */
    bool dropped;
    bool missed;    /* a constant access that waits for memory */
    bool conflicts; /* of banks of shared memory */
    uint16_t n_tx, next_tx, remaining;
    uint16_t
        unperformed; /* remote: transactions not performed at L2, or by the region's tile, yet */
    uint16_t unanswered; /* of a store: transactions in the region without a reply */
    bool region;         /* some transaction lies in the synchronised region */
    uint16_t shared_cycles;
    uint16_t remote;     /* index of struct remote */
    uint16_t bus;        /* index of struct bus_slot */
    uint64_t ready;      /* first cycle in which the unit can take it: it has its operands */
    uint16_t prev, next; /* of its kind and warp, oldest first: struct access_list */
    struct transaction tx[MAX_TX];
};

/* Accesses of one kind, per warp, oldest first. */
struct access_list {
    uint16_t first[SLOTS], last[SLOTS];
};

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
    struct access *access;
    uint16_t *free_access;
    uint32_t n_free;
    struct lsu_queue queue[2]; /* [1]: of events, with core_config.event_queue; goes first */
    uint64_t busy;             /* first cycle at which the unit takes the next transaction */
    bool port_used;            /* the memory port, in this cycle */
    uint32_t loads[SLOTS], stores[SLOTS], const_waits[SLOTS]; /* in flight */
    struct access_list load;
    struct cache constant;
    struct mshr_table const_mshr;
    uint64_t const_misses;
};

static inline struct access *lsu_access(const struct lsu *l, uint32_t index)
{
    return &l->access[index];
}

static inline uint16_t lsu_index(const struct lsu *l, const struct access *a)
{
    return (uint16_t)(a - l->access);
}

static inline uint32_t lsu_queued(const struct lsu *l)
{
    return l->queue[0].use.count + l->queue[1].use.count;
}

/* No room for another memory instruction. */
static inline bool lsu_full(const struct lsu *l, uint32_t queue_entries)
{
    return l->queue[0].use.count >= queue_entries || !l->n_free;
}

/* The same for one of an event, with a queue of their own. */
static inline bool lsu_event_full(const struct lsu *l, uint32_t queue_entries)
{
    return l->queue[1].use.count >= queue_entries || !l->n_free;
}

static inline uint32_t lsu_loads(const struct lsu *l, uint32_t w)
{
    return l->loads[w];
}

static inline uint32_t lsu_stores(const struct lsu *l, uint32_t w)
{
    return l->stores[w];
}

/* A constant access of the warp waits for memory. */
static inline bool lsu_waits_for_constant(const struct lsu *l, uint32_t w)
{
    return l->const_waits[w] != 0;
}

/* The oldest load in flight, NULL: there is none. */
static inline struct access *lsu_oldest_load(const struct lsu *l, uint32_t w)
{
    return l->loads[w] ? &l->access[l->load.first[w]] : NULL;
}

/* The load after it, NULL: it is the youngest. */
static inline struct access *lsu_next_load(const struct lsu *l, const struct access *a)
{
    return a->next == NO_ACCESS ? NULL : &l->access[a->next];
}

/* Place of the warp's youngest load in flight in its issue order; 0: there is none. */
static inline uint64_t lsu_youngest_seq(const struct lsu *l, uint32_t w)
{
    return l->loads[w] ? l->access[l->load.last[w]].seq : 0;
}

/* Stores in flight, which are then someone else's: an event starts or ends on the slot. */
static inline uint32_t lsu_swap_stores(struct lsu *l, uint32_t w, uint32_t stores)
{
    uint32_t before = l->stores[w];
    l->stores[w] = stores;
    return before;
}

/* First cycle at or after `next` at which the unit works without a reply; UINT64_MAX: none. */
static inline uint64_t lsu_next(const struct lsu *l, uint64_t next)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < 2; i++) {
        const struct lsu_queue *q = &l->queue[i];
        if (!q->use.count || q->blocked)
            continue;
        uint64_t ready = l->access[q->entry[q->head]].ready;
        uint64_t at = l->busy > ready ? l->busy : ready;
        first = at < first ? at : first;
    }
    return first > next ? first : next;
}

/* A cycle begins: nothing has been sent in it. */
static inline void lsu_begin_cycle(struct lsu *l)
{
    l->port_used = false;
}

bool lsu_create(struct core *c, struct error *err);
void lsu_destroy(struct core *c);
void lsu_tick(struct core *c);
void lsu_part_done(struct core *c, uint16_t index); /* one transaction or the shared part */
void lsu_reply(struct core *c, const struct mem_request *reply);
void lsu_store_done(struct core *c, uint32_t value);
/* The core's port: one request per cycle. */
bool lsu_can_send(const struct core *c, bool event);
struct mem_request lsu_request(const struct core *c, uint8_t kind, const struct transaction *tx,
                               uint32_t tag);
bool lsu_forward(struct core *c, const struct mem_request *request);
bool lsu_send(struct core *c, uint8_t kind, const struct transaction *tx, uint32_t tag);
struct access *access_take(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);
void access_free(struct lsu *l, struct access *a);
void access_append(struct lsu *l, struct access_list *list, struct access *a);
void access_unlink(struct lsu *l, struct access_list *list, struct access *a);
void lsu_accept(struct core *c, struct access *a); /* a complete record: counts and queues it */
void lsu_drop_loads(struct core *c, uint32_t w);   /* forgets every load in flight */
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
