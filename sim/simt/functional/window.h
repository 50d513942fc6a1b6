/* The window of memory that an instruction last accessed: what the next access of it most probably
 * is in. Owner: access.c. */
#ifndef EVGPU_SIMT_FUNCTIONAL_WINDOW_H
#define EVGPU_SIMT_FUNCTIONAL_WINDOW_H

#include "sim/simt/functional/functional.h"

/* Generic addresses from this one on are most probably all in shared memory. */
static inline bool begins_in_shared(uint64_t first)
{
    return first >= SHARED_WINDOW && first < LOCAL_WINDOW;
}

/* The block's shared memory from address `low` on. */
static inline struct memory_window shared_window(const struct functional *f, uint32_t w,
                                                 uint64_t low)
{
    const struct warp *warp = warp_of(&f->slots->warps, w);
    return (struct memory_window){warp->shared, low, warp->shared_bytes};
}

/* `inst` in `space`. False: it is not known. */
static inline bool find_window(const struct functional *f, uint32_t w, const struct inst *inst,
                               enum mem_space space, struct memory_window *window)
{
    const struct warp *warp = warp_of(&f->slots->warps, w);
    const struct image *image = f->slots->env.image;
    if (space == SPACE_SHARED) {
        *window = shared_window(f, w, 0);
        return true;
    }
    const struct bounds *b = bounds_known(&f->bounds, inst, image->version);
    if (!b || b->low >= b->high)
        return false;
    if (space == SPACE_PARAM) {
        *window = (struct memory_window){image->base + warp->param, 0, warp->kernel->param_bytes};
        return warp->param >= b->low && warp->param < b->high &&
               window->bytes <= b->high - warp->param;
    }
    *window = (struct memory_window){image->base + b->low, b->low, b->high - b->low};
    return true;
}

/* Its stores wait for the meeting of the cores. */
static inline bool keeps_store(const struct functional *f, enum mem_space space)
{
    return f->share && f->share->keeps && (space == SPACE_GLOBAL || space == SPACE_GENERIC);
}

#endif
