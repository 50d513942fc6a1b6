/* Where the lanes of a memory instruction point to, checked. */
#include "sim/simt/check/bad_access.h"
#include "sim/simt/core_internal.h"

static uint32_t access_bytes(const struct inst *inst)
{
    return (uint32_t)inst->width * inst->vec;
}

/* The instruction's window; empty when it is another's, or older than what is allocated now. */
static struct window *window_of(struct core *c, const struct inst *inst)
{
    struct window *win = &c->windows.of[((uintptr_t)inst >> 6) % WINDOWS];
    if (win->inst != inst || win->version != c->env.image->version)
        *win = (struct window){inst, 1, 0, c->env.image->version};
    return win;
}

/* Moves the window to what holds the address; false when the kernel may not access that. */
static bool move_window(const struct core *c, uint32_t w, struct window *win, uint64_t address)
{
    const struct inst *inst = win->inst;
    return image_span(c->env.image, warp_of(&c->warps, w)->kernel->owner, address,
                      inst->space == SPACE_CONST, inst->class != INST_LOAD, &win->low, &win->high);
}

/* [first, first + bytes) is inside; in this form for addresses near the end of 64 bits. */
static inline bool in_window(const struct window *win, uint64_t first, uint64_t bytes)
{
    return first >= win->low && first < win->high && bytes <= win->high - first;
}

static bool resolve_global(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    uint8_t *base = c->env.image->base;
    struct window *win = window_of(c, inst);
    uint32_t size = access_bytes(inst);
    uint64_t first = p->address[lowest(p->global)];
    uint64_t differ = 1;
    if (p->global == FULL_MASK) {
        differ = 0;
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            differ |= p->address[i] ^ (first + (uint64_t)i * size);
    }
    p->unit_stride = !differ;
    if (!in_window(win, first, size) && !move_window(c, w, win, first))
        return bus_address(first) ? bus_resolve(c, w, inst, p)
                                  : bad_global(c, w, inst, lowest(p->global), first);
    if (p->unit_stride && first % size == 0 && in_window(win, first, (uint64_t)WARP_SIZE * size)) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            p->at[i] = base + p->address[i];
        return true;
    }
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        if ((address & (size - 1)) ||
            (!in_window(win, address, size) &&
             (!move_window(c, w, win, address) || !in_window(win, address, size))))
            return bad_global(c, w, inst, lane, address);
        p->at[lane] = base + address;
    }
    return true;
}

/* Parameters lie in memory that only their own instructions reach. */
static bool resolve_param(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    const struct warp *warp = warp_of(&c->warps, w);
    const struct image *image = c->env.image;
    uint32_t size = access_bytes(inst), bytes = warp->kernel->param_bytes;
    if (!image_valid(image, warp->param, bytes))
        return bad_global(c, w, inst, lowest(p->global), warp->param);
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t offset = p->address[lane];
        if (offset >= bytes || size > bytes - offset || offset & (size - 1))
            return bad_offset(c, w, inst, lane, &(struct bad_offset){SPACE_PARAM, offset, bytes});
        p->address[lane] = warp->param + offset;
        p->at[lane] = image->base + p->address[lane];
    }
    return true;
}

/* The usual case: every lane, and even all their offsets' bits together are inside and aligned. */
static bool all_inside(const struct places *p, uint32_t mask, uint64_t bytes, uint32_t size)
{
    if (mask != FULL_MASK)
        return false;
    uint64_t any = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        any |= p->address[i];
    return bytes >= size && any <= bytes - size && !(any & (size - 1));
}

static bool resolve_shared(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    const struct warp *warp = warp_of(&c->warps, w);
    uint32_t size = access_bytes(inst);
    if (all_inside(p, p->shared, warp->shared_bytes, size)) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            p->at[i] = warp->shared + p->address[i];
        return true;
    }
    for (uint32_t m = p->shared; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t offset = p->address[lane];
        if ((offset & (size - 1)) || warp->shared_bytes < size ||
            offset > warp->shared_bytes - size)
            return bad_offset(c, w, inst, lane,
                              &(struct bad_offset){SPACE_SHARED, offset, warp->shared_bytes});
        p->at[lane] = warp->shared + offset;
    }
    return true;
}

/* The contents of local memory lie lane after lane, so that a lane's bytes are contiguous; only
 * the addresses that the memory system sees are interleaved (coalesce_local). */
static bool resolve_local(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    const struct warp *warp = warp_of(&c->warps, w);
    uint32_t bytes = warp->kernel->local_used;
    uint32_t size = access_bytes(inst);
    for (uint32_t m = p->local; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t offset = p->address[lane];
        if ((offset & (size - 1)) || bytes < size || offset > bytes - size)
            return bad_offset(c, w, inst, lane, &(struct bad_offset){SPACE_LOCAL, offset, bytes});
        if (inst->class == INST_ATOMIC)
            return bad_atomic(c, w, inst, lane, offset);
        p->at[lane] = c->env.image->base + warp->local + (uint64_t)lane * warp->local_lane + offset;
    }
    return true;
}

static void split_generic(struct places *p, uint32_t mask)
{
    uint64_t all = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        all |= p->address[lowest(m)];
    if (all < SHARED_WINDOW) {
        p->global = mask;
        return;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        /* Above the windows there is nothing: left to the check of device addresses. */
        if (address < SHARED_WINDOW || address >= LOCAL_WINDOW + (LOCAL_WINDOW - SHARED_WINDOW)) {
            p->global |= 1u << lane;
        } else if (address < LOCAL_WINDOW) {
            p->shared |= 1u << lane;
            p->address[lane] = address - SHARED_WINDOW;
        } else {
            p->local |= 1u << lane;
            p->address[lane] = address - LOCAL_WINDOW;
        }
    }
}

bool places_resolve(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                    struct places *p)
{
    p->global = p->shared = p->local = p->bus = 0;
    p->unit_stride = false;
    isa_address(inst, warp_ctx(&c->warps, w), mask, p->address);
    switch (inst->space) {
    case SPACE_SHARED:
        p->shared = mask;
        break;
    case SPACE_LOCAL:
        p->local = mask;
        break;
    case SPACE_GENERIC:
        split_generic(p, mask);
        break;
    case SPACE_PARAM:
        p->global = mask;
        return resolve_param(c, w, inst, p);
    default:
        p->global = mask;
        break;
    }
    return (!p->global || resolve_global(c, w, inst, p)) &&
           (!p->shared || resolve_shared(c, w, inst, p)) &&
           (!p->local || resolve_local(c, w, inst, p));
}
