/* Atomics and volatile loads of device memory, which L2 performs. Owner: l2_access.c. */
#ifndef EVGPU_SIMT_LSU_L2_ACCESS_H
#define EVGPU_SIMT_LSU_L2_ACCESS_H

#include "sim/simt/lsu/lsu.h"

/* In flight, each kind with places of its own: a store is never held by loads that wait. */
#define REMOTES       64  /* atomics and volatile loads outside the synchronised region */
#define REGION_READS  128 /* loads and atomics that touch the region */
#define REGION_STORES 64
#define ALL_REMOTES   (REMOTES + REGION_READS + REGION_STORES)
#define REMOTE_DATA   16 /* bytes of one lane's store */

struct places;

/* Where and with what an access is performed later. */
struct remote {
    union {
        struct atomic_operands operands;
        uint8_t data[WARP_SIZE][REMOTE_DATA]; /* of a store */
    };
    uint8_t *at[WARP_SIZE];
};

enum remote_kind { REMOTE_OTHER, REMOTE_READ, REMOTE_STORE, REMOTE_KINDS };

struct remotes {
    struct remote *remote;
    uint16_t free[REMOTE_KINDS][REGION_READS];
    uint32_t n_free[REMOTE_KINDS];
    uint32_t in_flight[SLOTS], unperformed[SLOTS];
    struct access_list list; /* the unperformed */
    uint64_t waiting; /* head touches a line of the warp's own unperformed access, or is starved */
    uint64_t starved; /* of them, those for which the region has no places */
    uint32_t places;  /* lines of the region that loads and atomics wait for */
};

static inline bool remotes_full(const struct remotes *r)
{
    return !r->n_free[REMOTE_OTHER];
}

static inline uint32_t remotes_in_flight(const struct remotes *r, uint32_t w)
{
    return r->in_flight[w];
}

static inline uint32_t remotes_unperformed(const struct remotes *r, uint32_t w)
{
    return r->unperformed[w];
}

static inline uint64_t remotes_waiting(const struct remotes *r)
{
    return r->waiting;
}

/* The last reply of one has arrived. */
static inline void remotes_done(struct remotes *r, uint32_t w)
{
    r->in_flight[w]--;
}

/* The warp waits for no access of its own any more. */
static inline void remotes_forget(struct remotes *r, uint32_t w)
{
    r->waiting &= ~BIT(w);
    r->starved &= ~BIT(w);
}

void remotes_create(struct core *c);
void remotes_destroy(struct core *c);
void remote_capture(struct core *c, struct access *a, const struct places *p);
void remote_accept(struct core *c, struct access *a);
/* True: the access has to wait for an older one of its warp. */
bool remote_holds(struct core *c, uint32_t w, const struct access *a);

/* --- the synchronised region ------------------------------------------------------------------ */

static inline uint64_t remotes_starved(const struct remotes *r)
{
    return r->starved;
}

/* Marks the transactions in the region; their lanes. */
uint32_t region_mark(const struct core *c, struct access *a);
/* False: there are no places for the access; its warp is tried again when there may be. */
bool region_admits(struct core *c, uint32_t w, const struct access *a);
/* The warp has an access to the region that has not been performed. */
bool region_unperformed(const struct core *c, uint32_t w);
/* The access that a request is of, and the lane that touches the word at a device address; of lanes
 * that do not, the first. For messages. */
const struct access *remote_access(const struct core *c, const struct mem_request *request);
uint32_t remote_lane(const struct core *c, const struct mem_request *request, uint64_t word);
/* The lanes' values of a store, which is performed later. */
void region_capture_store(struct core *c, struct access *a, uint32_t lanes, const struct places *p);
/* A reply to a transaction in the region has come. */
void region_answered(struct core *c, bool is_store);

#endif
