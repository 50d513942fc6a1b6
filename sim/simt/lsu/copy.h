/* cp.async: copies of device memory to shared memory that a warp does not wait for until it says
 * so. Owner: copy.c.
 *
 * A copy goes to memory as a load does, through L1 or past it. What it reads is taken when it is
 * issued, as with loads; it is written to shared memory when all lines have come and the banks have
 * had their cycles. Groups are counted per warp, as in the hardware: that of a thread has nothing
 * that is not in one of its warp, so that no thread waits for less than the PTX ISA says. */
#ifndef EVGPU_SIMT_LSU_COPY_H
#define EVGPU_SIMT_LSU_COPY_H

#include "sim/simt/lsu/access.h"
#include "sim/simt/lsu/lane_addresses.h"

/* The part of an access that only copies have. */
struct copy_access {
    uint8_t *at[WARP_SIZE]; /* in shared memory */
    uint8_t data[WARP_SIZE][COPY_BYTES];
    uint32_t group;
    uint16_t bank_cycles;
    bool writes; /* its data are there, or it needs none */
};

struct copies {
    struct slots *slots;
    struct access_pool *pool;
    struct copy_access *copy; /* by access */
    void *memory;             /* of them */
    struct access_list list;  /* in flight, in the order of issue */
    uint32_t in_flight[SLOTS];
    uint32_t group[SLOTS];      /* the one that is open */
    uint32_t awaited[SLOTS];    /* WAIT_COPY: all groups before this one */
    uint16_t arrived[ACCESSES]; /* ring of accesses whose data are there */
    uint32_t first_arrived, n_arrived;
};

/* Copies that the warp has in flight. */
static inline uint32_t copies_in_flight(const struct copies *c, uint32_t w)
{
    return c->in_flight[w];
}

/* Some wait for the banks. */
static inline bool copies_arrived(const struct copies *c)
{
    return c->n_arrived != 0;
}

void copies_create(struct copies *c, struct slots *slots, struct access_pool *pool);
void copies_destroy(struct copies *c);
/* Takes the lanes' data; the access has its lines and the cycles of its banks. */
void copies_capture(struct copies *c, struct access *a, const struct copy_addresses *p);
void copies_enter(struct copies *c, struct access *a);
/* The oldest whose data are there, and the cycles that it takes of the banks. */
struct access *copies_take_arrived(struct copies *c, uint32_t *cycles);
/* All parts of the access are done: its lines, then its banks. True: it is over. */
bool copies_part_done(struct copies *c, struct access *a);
/* INST_COPY_GROUP. The warp may wait then. */
void copies_group(struct copies *c, uint32_t w, const struct inst *inst);

/* Without time: the copy of a lane, now. */
void copy_lane(uint8_t *to, const uint8_t *from, uint32_t bytes, uint32_t size);

#endif
