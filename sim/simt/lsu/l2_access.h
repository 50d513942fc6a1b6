/* Atomics and volatile loads of device memory, which L2 performs. Owner: l2_access.c. */
#ifndef EVGPU_SIMT_LSU_L2_ACCESS_H
#define EVGPU_SIMT_LSU_L2_ACCESS_H

#include "sim/simt/lsu/access.h"

/* In flight, each kind with records of its own, so that loads that wait never hold a store. */
#define L2_ACCESSES     64  /* atomics and volatile loads outside the synchronised region */
#define REGION_READS    128 /* loads and atomics that touch the region */
#define REGION_STORES   64
#define ALL_L2_ACCESSES (L2_ACCESSES + REGION_READS + REGION_STORES)
#define L2_STORE_BYTES  16 /* bytes of one lane's store */

/* Where and with what an access is performed later. */
struct l2_access {
    union {
        struct atomic_operands operands;
        uint8_t data[WARP_SIZE][L2_STORE_BYTES]; /* of a store */
    };
    uint8_t *at[WARP_SIZE];
    uint32_t version; /* of the image, when the addresses were checked */
    uint32_t owner;   /* of the kernel */
};

enum l2_access_kind { L2_OTHER, L2_REGION_READ, L2_REGION_STORE, L2_ACCESS_KINDS };

struct l2_accesses {
    struct slots *slots;
    struct access_pool *pool;
    struct l2_access *access;
    uint16_t free[L2_ACCESS_KINDS][REGION_READS];
    uint32_t n_free[L2_ACCESS_KINDS];
    uint32_t in_flight[SLOTS], unperformed[SLOTS];
    struct access_list list;     /* the unperformed */
    uint8_t region_reads[SLOTS]; /* of them, loads and atomics that touch the region */
    uint64_t reading;            /* warps that have some */
    uint64_t starved;            /* warps in WAIT_ACCESS whose lines the region has no room for */
    uint32_t region_lines;       /* lines of the region that loads and atomics wait for */
};

static inline bool l2_accesses_full(const struct l2_accesses *r)
{
    return !r->n_free[L2_OTHER];
}

static inline uint32_t l2_accesses_in_flight(const struct l2_accesses *r, uint32_t w)
{
    return r->in_flight[w];
}

static inline uint32_t l2_accesses_unperformed(const struct l2_accesses *r, uint32_t w)
{
    return r->unperformed[w];
}

/* Warps that may wait for a word of the synchronised region: with a load or an atomic there that
 * has not been performed, or without room for one. */
static inline uint64_t l2_accesses_at_words(const struct l2_accesses *r)
{
    return r->reading | r->starved;
}

/* The last reply of one has arrived. */
static inline void l2_accesses_done(struct l2_accesses *r, uint32_t w)
{
    r->in_flight[w]--;
}

/* The warp exits: it waits for no access of its own any more. */
static inline void l2_accesses_forget(struct l2_accesses *r, uint32_t w)
{
    r->starved &= ~BIT(w);
}

void l2_accesses_create(struct l2_accesses *r, struct slots *slots, struct access_pool *pool);
void l2_accesses_destroy(struct l2_accesses *r);
void l2_access_capture(struct l2_accesses *r, struct access *a, const struct lane_addresses *p);
void l2_access_accept(struct l2_accesses *r, struct access *a);
/* True: the access has to wait for an older one of its warp. */
bool l2_access_holds(struct l2_accesses *r, uint32_t w, const struct access *a);

/* --- the synchronised region ------------------------------------------------------------------ */

static inline uint64_t l2_accesses_starved(const struct l2_accesses *r)
{
    return r->starved;
}

/* Marks the transactions in the region; their lanes. */
uint32_t region_mark(const struct l2_accesses *r, struct access *a);
/* False: there is no room for the access; its warp tries again when there may be. */
bool region_admits(struct l2_accesses *r, uint32_t w, const struct access *a);
/* The access that a request is of, and the lane that touches the word at a device address; of lanes
 * that do not, the first. For messages. */
const struct access *l2_access_of(const struct l2_accesses *r, const struct mem_request *request);
uint32_t l2_access_lane(const struct l2_accesses *r, const struct mem_request *request,
                        uint64_t word);
/* The lanes' values of a store, which is performed later. */
void region_capture_store(struct l2_accesses *r, struct access *a, uint32_t lanes,
                          const struct lane_addresses *p);
/* A reply to a transaction in the region has come. */
void region_answered(struct l2_accesses *r, bool is_store);

/* L2, or the region, performs the access of a request: core_perform. */
void l2_access_perform(struct l2_accesses *r, const struct mem_request *request);

#endif
