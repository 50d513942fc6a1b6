/* Warp slots: what runs in each, since when, and its registers. Owner: warp.c. */
#ifndef EVGPU_SIMT_WARP_WARP_H
#define EVGPU_SIMT_WARP_WARP_H

#include <stddef.h>

#include "base/alloc.h"
#include "sim/simt/core_env.h"
#include "sim/simt/warp/units.h"

struct slots;

/* Whatever runs in a warp slot: a warp of a block or an event. The first 64 bytes are what every
 * instruction needs. */
struct warp {
    const struct kernel *kernel;
    const struct inst *code; /* the kernel's; set when it comes to a slot */
    struct lane_ctx *ctx;
    struct grid *grid; /* NULL: an event */
    uint64_t warp_instructions, thread_instructions;
    uint8_t *shared;
    uint32_t shared_bytes;
    uint16_t owner; /* for whom it is counted (account.h) */
    uint16_t tag;   /* event: the tag that it came with */

    uint64_t param;      /* device address of argument 0 */
    uint64_t local;      /* device address of the warp's local memory */
    uint32_t local_lane; /* bytes per lane */
    uint32_t block;      /* block slot or NO_BLOCK */
    uint32_t index;      /* number of the warp in its block */
    uint8_t entry;       /* event: its PEWT entry */
    bool doomed;         /* executes nothing any more, see retire_doomed */
};
_Static_assert(offsetof(struct warp, param) == CACHE_LINE, "the part of every instruction");

struct warp_slot {
    _Alignas(CACHE_LINE) struct warp warp;
};

struct warps {
    struct warp_slot slot[SLOTS];
    uint64_t slots; /* that exist */
    uint64_t resident, alive;
    uint64_t doomed;       /* of the alive: exit when their slot is their own */
    uint64_t kept;         /* contexts of warps that are gone, not free before their block ends */
    uint64_t older[SLOTS]; /* of resident ones: those that started earlier */
    uint64_t launches;
    uint64_t stamp[SLOTS];       /* `launches` at the start */
    uint32_t (*file)[WARP_SIZE]; /* physical registers: slot w starts at row w * FILE_ROWS */
    uint32_t (*event_file)[WARP_SIZE];
    void *file_memory, *event_file_memory;
    struct lane_ctx *slot_ctx, *event_ctx;
    uint32_t (*slot_preds)[MAX_PREDS], (*event_preds)[MAX_PREDS];
};

/* The masks that every cycle looks at come to the host's cache. */
static inline void warps_expect(const struct warps *s)
{
    __builtin_prefetch(&s->alive);
}

static inline uint64_t warps_free(const struct warps *s)
{
    return s->slots & ~(s->resident | s->kept);
}

static inline void warps_keep(struct warps *s, uint64_t mask)
{
    s->kept |= mask;
}

static inline void warps_give_back(struct warps *s, uint64_t mask)
{
    s->kept &= ~mask;
}

static inline uint64_t warps_resident(const struct warps *s)
{
    return s->resident;
}

static inline uint32_t warps_count(const struct warps *s)
{
    return (uint32_t)__builtin_popcountll(s->resident);
}

static inline uint64_t warps_alive(const struct warps *s)
{
    return s->alive;
}

static inline uint64_t warps_doomed(const struct warps *s)
{
    return s->doomed;
}

static inline uint64_t warps_launched(const struct warps *s)
{
    return s->launches;
}

static inline uint64_t warp_stamp(const struct warps *s, uint32_t w)
{
    return s->stamp[w];
}

static inline uint64_t warps_older(const struct warps *s, uint32_t w)
{
    return s->older[w];
}

static inline uint32_t warps_oldest(const struct warps *s, uint64_t mask)
{
    uint32_t w = lowest(mask);
    for (uint64_t m = mask & s->older[w]; m; m = mask & s->older[w])
        w = lowest(m);
    return w;
}

static inline const struct inst *warp_code(const struct warps *s, uint32_t w)
{
    return s->slot[w].warp.code;
}

static inline struct lane_ctx *warp_ctx(const struct warps *s, uint32_t w)
{
    return s->slot[w].warp.ctx;
}

static inline const struct warp *warp_of(const struct warps *s, uint32_t w)
{
    return &s->slot[w].warp;
}

/* An instruction of so many lanes is counted for the kernel. True: it is the warp's first. */
static inline bool warp_count(struct warps *s, uint32_t w, uint32_t lanes)
{
    s->slot[w].warp.thread_instructions += lanes;
    return !s->slot[w].warp.warp_instructions++;
}

/* The same of a run of instructions. */
static inline void warp_count_run(struct warps *s, uint32_t w, uint64_t instructions,
                                  uint64_t lanes)
{
    s->slot[w].warp.warp_instructions += instructions;
    s->slot[w].warp.thread_instructions += lanes;
}

/* It has not issued after all. */
static inline void warp_uncount(struct warps *s, uint32_t w, uint32_t lanes)
{
    s->slot[w].warp.warp_instructions--;
    s->slot[w].warp.thread_instructions -= lanes;
}

/* The last lane of the warp has executed exit. */
static inline void warps_exit(struct warps *s, uint32_t w)
{
    s->alive &= ~BIT(w);
}

/* The slot is free again. */
static inline void warps_leave(struct warps *s, uint32_t w)
{
    s->resident &= ~BIT(w);
}

/* The doomed warp exits now. */
static inline void warps_reaped(struct warps *s, uint32_t w)
{
    s->doomed &= ~BIT(w);
}

/* An event may borrow it, as far as its grid is concerned: nobody fetches or issues for one that is
 * not timed, and no event interrupts another one, of one warp (whose grid is NULL) or of more. */
static inline bool warp_is_background(const struct warps *s, uint32_t w)
{
    const struct grid *grid = s->slot[w].warp.grid;
    return grid && !grid->untimed && !grid->is_event;
}

void warps_create(struct slots *slots);
void warps_destroy(struct slots *slots);

/* Where a warp's special registers, registers and predicates are kept. */
enum warp_home {
    HOME_SLOT,  /* all of them in the slot's own */
    HOME_SPARE, /* all of them in those of the event's entry */
    HOME_VICTIM /* those of the entry, but the registers of the slot */
};

/* A context for the kernel, registers cleared; `entry` counts for HOME_SPARE and HOME_VICTIM. */
struct lane_ctx *warp_make_ctx(struct slots *slots, const struct kernel *kernel, uint32_t slot,
                               enum warp_home home, uint32_t entry);
void warp_thread_ids(struct lane_ctx *ctx, const uint32_t block[3], uint32_t first);

/* A warp comes to a free slot, younger than all others. */
void warps_enter(struct warps *s, uint32_t w, const struct warp *warp);
/* Sets the runner of the slot: an event on its victim, or the victim again. */
void warp_replace(struct warps *s, uint32_t w, const struct warp *warp);
/* The warp executes nothing any more, and exits when its slot is its own: its kernel is at fault,
 * or its owner has ended. */
void warp_doom(struct slots *slots, uint32_t w);

#endif
