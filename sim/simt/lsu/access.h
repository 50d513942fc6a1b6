/* Memory instructions between issue and their last reply: their records, and lists of them. Owner:
 * access.c. */
#ifndef EVGPU_SIMT_LSU_ACCESS_H
#define EVGPU_SIMT_LSU_ACCESS_H

#include <stddef.h>

#include "sim/simt/warp/slots.h"

#define ACCESSES    512 /* records */
#define ACCESS_BITS 9
#define MAX_TX      128 /* local memory: up to 4 words per lane, each in a line of its own */

/* The purpose of a memory request; low bits of its tag. */
enum tag_kind {
    TAG_ICACHE, /* value: index of the miss */
    TAG_CONST,  /* MSHR ticket */
    TAG_L1,     /* MSHR ticket */
    TAG_DIRECT, /* access and its generation */
    TAG_STORE,  /* warp and account */
    TAG_L2,     /* access and transaction */
    TAG_SAVE,   /* PEWT entry */
    TAG_RESTORE /* PEWT entry and row */
};
#define TAG_KIND_BITS 3

/* A store that nobody waits for. */
#define TAG_OF_WRITEBACK (UINT32_MAX << TAG_KIND_BITS | TAG_STORE)

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
    ROUTE_L2,
    ROUTE_BUS
};

/* How an access in flight is counted: see the cand_ and vic_ ports of sm_event_unit. */
enum access_count { COUNT_PIPE, COUNT_LOAD, COUNT_L2, COUNT_STORE, COUNT_COPY };

/* A memory instruction from issue to its last reply. memory.c, coalesce.c and l2_access.c fill it
 * between access_take and lsu_accept; after that it is lsu.c's. */
struct access {
    _Alignas(CACHE_LINE) const struct inst *inst;
    uint64_t seq;        /* position in the warp's issue order */
    uint64_t ready;      /* first cycle in which the unit can take it: it has its operands */
    uint32_t generation; /* counts the uses of this record; stale replies do not match */
    uint16_t prev, next; /* of its kind and warp, oldest first: struct access_list */
    uint8_t warp, account;
    uint8_t route, count; /* enum access_route, enum access_count */
    uint16_t n_tx, next_tx, remaining;
    uint16_t shared_cycles;
    uint16_t
        unperformed; /* ROUTE_L2: transactions not performed at L2, or by the region's tile, yet */
    uint16_t unanswered; /* of a store: transactions in the region without a reply */
    uint16_t owner;      /* for whom it is counted (account.h) */
    uint16_t l2_access;  /* index of struct l2_access */
    uint16_t bus;        /* index of struct bus_slot */
    bool queued;         /* in a load-store queue */
    bool event;          /* of an event's warp, while these have a queue of their own */
    bool dropped;
    bool missed;    /* a constant access that waits for memory */
    bool conflicts; /* of banks of shared memory */
    bool region;    /* some transaction lies in the synchronised region */
    uint32_t mask;
    struct stack_point point; /* of the warp before it issued, for a replay */
    struct transaction tx[MAX_TX];
};
_Static_assert(offsetof(struct access, point) == CACHE_LINE, "what the unit looks at is together");

/* Accesses of one kind, per warp, oldest first. */
struct access_list {
    uint16_t first[SLOTS], last[SLOTS];
};

struct access_pool {
    struct slots *slots;
    struct access *access;
    void *memory; /* of them */
    uint16_t *free;
    uint32_t n_free;
};

static inline struct access *access_at(const struct access_pool *p, uint32_t index)
{
    return &p->access[index];
}

static inline uint16_t access_index(const struct access_pool *p, const struct access *a)
{
    return (uint16_t)(a - p->access);
}

static inline bool access_none_free(const struct access_pool *p)
{
    return !p->n_free;
}

void accesses_create(struct access_pool *p, struct slots *slots);
void accesses_destroy(struct access_pool *p);
/* A record for an instruction of the warp, without transactions and route. */
struct access *access_take(struct access_pool *p, uint32_t w, const struct inst *inst,
                           uint32_t mask);
void access_free(struct access_pool *p, struct access *a);

void access_list_create(struct access_list *list);
void access_append(struct access_pool *p, struct access_list *list, struct access *a);
void access_unlink(struct access_pool *p, struct access_list *list, struct access *a);

#endif
