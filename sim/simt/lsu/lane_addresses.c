/* Where the lanes of a memory instruction point to, checked. */
#include "sim/simt/lsu/lane_addresses.h"

#include "sim/simt/check/check.h"
#include "sim/simt/lsu/bus.h"

static uint32_t access_bytes(const struct inst *inst)
{
    return (uint32_t)inst->width * inst->vec;
}

/* The instruction's bounds; empty when it is another's, or older than what is allocated now. */
static struct bounds *bounds_of(const struct slots *slots, struct bounds_cache *cache,
                                const struct inst *inst)
{
    uint32_t version = slots->env.image->version;
    struct bounds *bounds = &cache->of[bounds_place(inst)];
    if (!bounds_known(cache, inst, version))
        *bounds = (struct bounds){inst, 1, 0, version, cache->epoch};
    return bounds;
}

/* Moves the bounds to what holds the address; false when the kernel may not access that. */
static bool move_bounds(const struct slots *slots, uint32_t w, struct bounds *bounds,
                        uint64_t address)
{
    const struct inst *inst = bounds->inst;
    return image_span(slots->env.image, warp_of(&slots->warps, w)->kernel->owner, address,
                      inst->space == SPACE_CONST, !inst_reads(inst), &bounds->low, &bounds->high);
}

/* [first, first + bytes) is inside; in this form for addresses near the end of 64 bits. */
static inline bool in_bounds(const struct bounds *bounds, uint64_t first, uint64_t bytes)
{
    return first >= bounds->low && first < bounds->high && bytes <= bounds->high - first;
}

/* A bad read that goes on: below the lowest allocation everything is 0. */
static void read_zeros(const struct slots *slots, struct lane_addresses *p, uint32_t lane)
{
    const struct image *image = slots->env.image;
    uint32_t bit = 1u << lane;
    p->shared &= ~bit;
    p->local &= ~bit;
    p->global |= bit;
    p->address[lane] = image->start;
    p->at[lane] = image->base + image->start;
}

static bool resolve_global(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                           const struct inst *inst, struct lane_addresses *p)
{
    uint8_t *base = slots->env.image->base;
    struct bounds *bounds = bounds_of(slots, cache, inst);
    uint32_t size = access_bytes(inst);
    uint64_t first = p->address[lowest(p->global)];
    if (!in_bounds(bounds, first, size) && !move_bounds(slots, w, bounds, first) &&
        bus_address(first))
        return bus_resolve(slots, w, inst, p);
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        if ((address & (size - 1)) ||
            (!in_bounds(bounds, address, size) &&
             (!move_bounds(slots, w, bounds, address) || !in_bounds(bounds, address, size)))) {
            if (!bad_global(slots, w, inst, lane, address))
                return false;
            read_zeros(slots, p, lane);
            continue;
        }
        p->at[lane] = base + address;
    }
    return true;
}

/* Parameters lie in memory of the kernel's owner that only their own instructions reach. */
static bool resolve_param(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                          const struct inst *inst, struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    const struct image *image = slots->env.image;
    struct bounds *bounds = bounds_of(slots, cache, inst);
    uint32_t size = access_bytes(inst), bytes = warp->kernel->param_bytes;
    if (!in_bounds(bounds, warp->param, bytes) &&
        !(image_holds(image, warp->kernel->owner, warp->param, &bounds->low, &bounds->high) &&
          in_bounds(bounds, warp->param, bytes)))
        return bad_global(slots, w, inst, lowest(p->global), warp->param);
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t offset = p->address[lane];
        if (offset >= bytes || size > bytes - offset || offset & (size - 1))
            return bad_offset(slots, w, inst, lane,
                              &(struct bad_offset){SPACE_PARAM, offset, bytes});
        p->address[lane] = warp->param + offset;
        p->at[lane] = image->base + p->address[lane];
    }
    return true;
}

/* The usual case: every lane, and even all their offsets' bits together are inside and aligned. */
static bool all_inside(const struct lane_addresses *p, uint32_t mask, uint64_t bytes, uint32_t size)
{
    if (mask != FULL_MASK)
        return false;
    uint64_t any = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        any |= p->address[i];
    return bytes >= size && any <= bytes - size && !(any & (size - 1));
}

static bool resolve_shared(struct slots *slots, uint32_t w, const struct inst *inst,
                           struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
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
            offset > warp->shared_bytes - size) {
            if (!bad_offset(slots, w, inst, lane,
                            &(struct bad_offset){SPACE_SHARED, offset, warp->shared_bytes}))
                return false;
            read_zeros(slots, p, lane);
            continue;
        }
        p->at[lane] = warp->shared + offset;
    }
    return true;
}

/* The contents of local memory lie lane after lane, so that a lane's bytes are contiguous; only
 * the addresses that the memory system sees are interleaved (coalesce_local). */
static bool resolve_local(struct slots *slots, uint32_t w, const struct inst *inst,
                          struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    uint32_t bytes = warp->kernel->local_used;
    uint32_t size = access_bytes(inst);
    for (uint32_t m = p->local; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t offset = p->address[lane];
        if ((offset & (size - 1)) || bytes < size || offset > bytes - size) {
            if (!bad_offset(slots, w, inst, lane, &(struct bad_offset){SPACE_LOCAL, offset, bytes}))
                return false;
            read_zeros(slots, p, lane);
            continue;
        }
        if (inst->class == INST_ATOMIC)
            return bad_atomic(slots, w, inst, lane, offset);
        p->at[lane] =
            slots->env.image->base + warp->local + (uint64_t)lane * warp->local_lane + offset;
    }
    return true;
}

static void split_generic(struct lane_addresses *p, uint32_t mask)
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

/* --- all lanes in a pattern ------------------------------------------------------------------- */

static bool regular_global(struct slots *slots, struct bounds *bounds, uint32_t w, uint64_t bytes,
                           struct lane_addresses *p)
{
    uint64_t first = p->pattern.first;
    if (!in_bounds(bounds, first, bytes) &&
        (!move_bounds(slots, w, bounds, first) || !in_bounds(bounds, first, bytes)))
        return false;
    p->global = FULL_MASK;
    p->first = slots->env.image->base + first;
    return true;
}

static bool regular_param(struct slots *slots, struct bounds *bounds, uint32_t w, uint64_t bytes,
                          struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    uint64_t offset = p->pattern.first;
    if (offset >= warp->kernel->param_bytes || bytes > warp->kernel->param_bytes - offset ||
        !in_bounds(bounds, warp->param, warp->kernel->param_bytes))
        return false;
    p->global = FULL_MASK;
    p->pattern.first = warp->param + offset;
    p->first = slots->env.image->base + p->pattern.first;
    return true;
}

static bool regular_shared(const struct slots *slots, uint32_t w, uint64_t bytes,
                           struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    uint64_t offset = p->pattern.first;
    if (offset >= warp->shared_bytes || bytes > warp->shared_bytes - offset)
        return false;
    p->shared = FULL_MASK;
    p->first = warp->shared + offset;
    return true;
}

/* Looks at the pattern alone. False: the lanes have none, or something about them needs a look at
 * each: an error, two allocations, local memory. */
static bool resolve_regular(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                            const struct inst *inst, struct lane_addresses *p)
{
    struct lane_pattern *pattern = &p->pattern;
    uint32_t size = access_bytes(inst), space = inst->space;
    if (space == SPACE_LOCAL || !isa_address_pattern(inst, warp_ctx(&slots->warps, w), pattern) ||
        (pattern->first | pattern->step | pattern->half) & (size - 1))
        return false;
    uint64_t bytes = pattern_address(pattern, WARP_SIZE - 1) - pattern->first + size;
    if (space == SPACE_GENERIC && pattern->first >= SHARED_WINDOW) {
        if (pattern->first >= LOCAL_WINDOW)
            return false;
        pattern->first -= SHARED_WINDOW;
        space = SPACE_SHARED;
    }
    if (space == SPACE_SHARED)
        return regular_shared(slots, w, bytes, p);
    struct bounds *bounds = bounds_of(slots, cache, inst);
    return space == SPACE_PARAM ? regular_param(slots, bounds, w, bytes, p)
                                : regular_global(slots, bounds, w, bytes, p);
}

void lane_addresses_list(struct lane_addresses *p)
{
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        p->address[i] = pattern_address(&p->pattern, i);
        p->at[i] = p->first + (p->address[i] - p->pattern.first);
    }
}

/* --- any lanes -------------------------------------------------------------------------------- */

bool lane_addresses_resolve(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                            const struct inst *inst, uint32_t mask, struct lane_addresses *p)
{
    p->global = p->shared = p->local = p->bus = 0;
    p->regular = mask == FULL_MASK && resolve_regular(slots, cache, w, inst, p);
    if (p->regular)
        return true;
    isa_address(inst, warp_ctx(&slots->warps, w), mask, p->address);
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
        return resolve_param(slots, cache, w, inst, p);
    default:
        p->global = mask;
        break;
    }
    return (!p->global || resolve_global(slots, cache, w, inst, p)) &&
           (!p->shared || resolve_shared(slots, w, inst, p)) &&
           (!p->local || resolve_local(slots, w, inst, p));
}

/* --- cp.async ----------------------------------------------------------------------------------
 */

/* Lanes that read less than they write: only that has to be there. */
static bool resolve_partial(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                            const struct inst *inst, uint32_t mask, struct copy_addresses *p)
{
    struct bounds *bounds = bounds_of(slots, cache, inst);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m), bytes = p->lanes.bytes[lane];
        uint64_t address = p->from.address[lane];
        if ((address & (access_bytes(inst) - 1)) ||
            (!in_bounds(bounds, address, bytes) &&
             (!move_bounds(slots, w, bounds, address) || !in_bounds(bounds, address, bytes)))) {
            if (!bad_global(slots, w, inst, lane, address))
                return false;
            read_zeros(slots, &p->from, lane);
            continue;
        }
        p->from.at[lane] = slots->env.image->base + address;
        p->from.global |= 1u << lane;
    }
    return true;
}

bool lane_addresses_of_copy(struct slots *slots, struct bounds_cache *cache, uint32_t w,
                            const struct inst *inst, uint32_t mask, struct copy_addresses *p)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    uint32_t size = access_bytes(inst), whole = 0;
    isa_copy(inst, ctx, mask, &p->lanes);
    p->to.regular = p->from.regular = false;
    p->to.global = p->to.local = p->to.bus = 0;
    p->from.shared = p->from.local = p->from.bus = 0;
    p->to.shared = mask;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        p->to.address[lane] = p->lanes.to[lane];
        whole |= p->lanes.bytes[lane] == size ? 1u << lane : 0;
    }
    p->from.global = whole;
    isa_address(inst, ctx, p->lanes.reads, p->from.address);
    return resolve_shared(slots, w, inst, &p->to) &&
           (!whole || resolve_global(slots, cache, w, inst, &p->from)) &&
           resolve_partial(slots, cache, w, inst, p->lanes.reads & ~whole, p);
}
