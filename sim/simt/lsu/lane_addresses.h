/* Where the lanes of a memory instruction point to, checked; and the allocation that each memory
 * instruction accessed last, so that two comparisons check its next access. Owner:
 * lane_addresses.c. */
#ifndef EVGPU_SIMT_LSU_LANE_ADDRESSES_H
#define EVGPU_SIMT_LSU_LANE_ADDRESSES_H

#include "sim/simt/warp/slots.h"

#define BOUNDS 1024 /* a power of two; by the instruction's address */

struct bounds {
    const struct inst *inst;
    uint64_t low, high; /* low > high: nothing */
    uint32_t version;   /* of the image */
    uint32_t epoch;     /* of the cache */
};

struct bounds_cache {
    uint32_t epoch; /* what is of another one is forgotten */
    struct bounds of[BOUNDS];
};

/* An instruction takes an odd number of these units, so that as many instructions as there are
 * places in a row have different ones. */
#define BOUNDS_UNIT 32u
_Static_assert(sizeof(struct inst) / BOUNDS_UNIT % 2 && sizeof(struct inst) % BOUNDS_UNIT == 0,
               "instructions in a row have different places");

static inline uint32_t bounds_place(const struct inst *inst)
{
    return (uint32_t)((uintptr_t)inst / BOUNDS_UNIT % BOUNDS);
}

/* What the instruction accessed last, if that is still allocated; NULL: not known. */
static inline const struct bounds *bounds_known(const struct bounds_cache *cache,
                                                const struct inst *inst, uint32_t version)
{
    const struct bounds *b = &cache->of[bounds_place(inst)];
    return b->inst == inst && b->version == version && b->epoch == cache->epoch ? b : NULL;
}

/* The instruction's next access is not known. */
static inline void bounds_forget(struct bounds_cache *cache, const struct inst *inst)
{
    cache->of[bounds_place(inst)].inst = NULL;
}

static inline void bounds_forget_all(struct bounds_cache *cache)
{
    cache->epoch++;
}

/* False: the program is at fault. */
bool lane_addresses_resolve(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                            const struct inst *inst, uint32_t mask, struct lane_addresses *p);
/* The same for an INST_COPY. */
bool lane_addresses_of_copy(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                            const struct inst *inst, uint32_t mask, struct copy_addresses *p);
/* Fills in the lanes of a pattern, for those who look at each. */
void lane_addresses_list(struct lane_addresses *p);

#endif
