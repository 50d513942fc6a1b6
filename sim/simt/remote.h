/* Atomics and volatile loads of device memory, which L2 performs. Owner: remote.c. */
#ifndef EVGPU_SIMT_REMOTE_H
#define EVGPU_SIMT_REMOTE_H

#include "sim/simt/lsu.h"

#define REMOTES 64 /* in flight */

struct places;

/* Where and with what an atomic or volatile load is performed later. */
struct remote {
    struct atomic_operands operands;
    uint8_t *at[WARP_SIZE];
};

struct remotes {
    struct remote *remote;
    uint16_t free[REMOTES];
    uint32_t n_free;
    uint32_t in_flight[SLOTS], unperformed[SLOTS];
    struct access_list list; /* the unperformed */
    uint64_t waiting;        /* head touches a line of the warp's own unperformed atomic */
};

static inline bool remotes_full(const struct remotes *r)
{
    return !r->n_free;
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

void remotes_create(struct core *c);
void remotes_destroy(struct core *c);
void remote_capture(struct core *c, struct access *a, const struct places *p);
void remote_accept(struct core *c, struct access *a);
/* True: the access has to wait for an older one of its warp. */
bool remote_holds(struct core *c, uint32_t w, const struct access *a);

#endif
