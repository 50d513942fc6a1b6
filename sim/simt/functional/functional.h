/* Execution without time: blocks of grids that are not timed (grid.untimed), one warp after the
 * other, straight on. The interface of the room functional/, which knows pipeline/, lsu/, check/
 * and warp/.
 *
 * The warps are in the core's slots as all others are, with the same contexts, SIMT stacks and
 * barriers, and take the same room; only nobody fetches or issues for them. Accesses to memory
 * happen at once, in the order in which the warps run. Owner: functional.c. */
#ifndef EVGPU_SIMT_FUNCTIONAL_FUNCTIONAL_H
#define EVGPU_SIMT_FUNCTIONAL_FUNCTIONAL_H

#include "base/rng.h"
#include "sim/simt/core_untimed.h"
#include "sim/simt/functional/kept_stores.h"
#include "sim/simt/lsu/lsu.h"
#include "sim/simt/warp/slots.h"

struct pipeline;

struct functional {
    struct slots *slots;
    struct pipeline *pipeline;
    struct lsu *lsu;
    const struct kernel *fetched; /* whose instructions were warmed last */
    struct bounds_cache bounds;
    uint64_t used;         /* block slots with blocks of untimed grids, some of which may be over */
    uint64_t warps[SLOTS]; /* by block slot: the slots in which its warps started */
    uint32_t turn;         /* the block slot that is looked at first */
    uint64_t instructions; /* of warps, in all; the clock that kernels read is ahead by so much */
    uint64_t jumped;       /* and by these cycles, for which warps did not have to wait */
    uint64_t threads;      /* the same, of threads */
    struct apart_share *share; /* while blocks run apart, else NULL */
    bool asks;                 /* a warp is in front of an access that has not been granted */
    uint64_t in_turn;          /* warps in front of accesses in turn */
    struct kept_stores kept;
    const struct kernel *counted; /* whose warps ran last, and what they have executed */
    uint64_t counted_instructions;
    struct rng rng; /* how long warps poll before others have their turn */
};

/* Warp instructions that have been executed without time. */
static inline uint64_t functional_instructions(const struct functional *f)
{
    return f->instructions;
}

static inline uint64_t functional_threads(const struct functional *f)
{
    return f->threads;
}

void functional_create(struct functional *f, struct slots *slots, struct pipeline *pipeline,
                       struct lsu *lsu);
void functional_destroy(struct functional *f);
/* Block `number` of an untimed grid starts; there is room. */
void functional_launch(struct functional *f, struct grid *grid, uint64_t number);
/* As core_run_untimed. */
enum untimed_end functional_run(struct functional *f, uint64_t *budget);
/* As core_run_apart, core_runs_apart (apart.c). */
enum untimed_end functional_run_apart(struct functional *f, struct apart_share *share);
bool apart_kernel(const struct kernel *kernel);
/* As core_take_turn. */
uint32_t functional_take_turn(struct functional *f);
/* The stores of functional_run_apart take effect. */
static inline void functional_meet(struct functional *f)
{
    kept_stores_perform(&f->kept);
}
/* Slots with warps of untimed grids. */
uint64_t functional_find_warps(const struct functional *f);
static inline uint64_t functional_warps(const struct functional *f)
{
    return f->used ? functional_find_warps(f) : 0;
}

/* Instructions of the kernel whose warps ran last, since it was asked; NULL: none. */
const struct kernel *functional_take_count(struct functional *f, uint64_t *instructions);

/* --- between the files of the room ------------------------------------------------------------ */

/* Of several kernels in a slice, the last one's are counted. */
static inline void functional_count(struct functional *f, const struct kernel *kernel,
                                    uint64_t instructions)
{
    if (f->counted != kernel) {
        f->counted = kernel;
        f->counted_instructions = 0;
    }
    f->counted_instructions += instructions;
}

/* A load, store or atomic of the lanes of `mask`, which is not 0, now. False: it has not taken
 * place, since the program is at fault, the core asks for it (f->asks), or it is in turn. */
bool functional_access(struct functional *f, uint32_t w, const struct inst *inst, uint32_t mask);

/* The address of a tile (lanes_tile_address) and the load behind it, of all lanes, at once. False:
 * nothing has happened. */
bool functional_load_tile(const struct functional *f, uint32_t w, const struct inst *address);

/* While blocks run apart: may an access to `p`, which nothing is wrong with, be made now? If not,
 * it is in turn, or the core asks for it. */
bool apart_granted(struct functional *f, uint32_t w, const struct inst *inst,
                   const struct lane_addresses *p);

/* With env.warms: the caches take the lines of an access to device memory, before it is made, or
 * those of a kernel's instructions. */
void warm_access(struct functional *f, uint32_t w, const struct inst *inst, uint32_t mask);
void warm_code(struct functional *f, const struct kernel *kernel);

#endif
