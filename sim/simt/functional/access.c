/* Memory instructions of untimed warps: the window that an instruction last accessed, and a warp's
 * access in it at once; everything else by the way that timed instructions take, with its checks
 * and messages. */
#include "sim/simt/check/check.h"
#include "sim/simt/functional/window.h"

static void perform(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                    const struct lane_addresses *p)
{
    if (inst->class == INST_LOAD) {
        isa_load(inst, ctx, mask, (const uint8_t *const *)p->at);
    } else if (inst->class == INST_STORE) {
        isa_store(inst, ctx, mask, p->at);
    } else {
        struct atomic_operands operands;
        isa_atomic_capture(inst, ctx, mask, &operands);
        isa_atomic_perform(inst, ctx, mask, &operands, p->at);
    }
}

/* Each lane's word at the same place of its local memory, as spilled registers are: lane after
 * lane. False: it is another access, and nothing has happened. */
static bool access_local(const struct functional *f, uint32_t w, const struct inst *inst,
                         struct lane_ctx *ctx, uint32_t mask)
{
    const struct warp *warp = warp_of(&f->slots->warps, w);
    uint32_t size = (uint32_t)inst->width * inst->vec, used = warp->kernel->local_used;
    struct lane_pattern p;
    if (mask != FULL_MASK || !isa_address_pattern(inst, ctx, &p) || p.step || p.half ||
        p.first & (size - 1) || used < size || p.first > used - size)
        return false;
    uint8_t *first = f->slots->env.image->base + warp->local + p.first;
    p.step = warp->local_lane;
    p.half = warp->local_lane * WARP_SIZE / 2;
    if (inst->class == INST_LOAD)
        isa_load_pattern(inst, ctx, first, &p);
    else
        isa_store_pattern(inst, ctx, first, &p);
    return true;
}

static bool access_at_once(const struct functional *f, uint32_t w, const struct inst *inst,
                           struct lane_ctx *ctx, uint32_t mask)
{
    struct memory_window window;
    if (inst->class == INST_ATOMIC || f->slots->env.check)
        return false;
    if (inst->space == SPACE_LOCAL)
        return access_local(f, w, inst, ctx, mask);
    if (inst->space == SPACE_GENERIC && begins_in_shared(isa_first_address(inst, ctx, mask)))
        window = shared_window(f, w, SHARED_WINDOW);
    else if ((inst->class == INST_STORE && keeps_store(f, inst->space)) ||
             !find_window(f, w, inst, inst->space, &window))
        return false;
    return (inst->class == INST_LOAD ? isa_load_window(inst, ctx, mask, &window)
                                     : isa_store_window(inst, ctx, mask, &window));
}

bool functional_load_tile(const struct functional *f, uint32_t w, const struct inst *address)
{
    const struct inst *load = address + 1;
    struct lane_ctx *ctx = warp_ctx(&f->slots->warps, w);
    struct memory_window window;
    if (load->class != INST_LOAD || inst_polls(load) || f->slots->env.check || f->slots->env.warms)
        return false;
    if (load->space == SPACE_GENERIC && begins_in_shared(isa_tile_first(address, ctx)))
        window = shared_window(f, w, SHARED_WINDOW);
    else if (load->space == SPACE_LOCAL || !find_window(f, w, load, load->space, &window))
        return false;
    return isa_load_tile(address, ctx, &window);
}

/* False: it is no whole copy of all lanes between places that are known. */
static bool copy_at_once(const struct functional *f, uint32_t w, const struct inst *inst,
                         uint32_t mask)
{
    const struct memory_window to = shared_window(f, w, 0);
    struct memory_window from;
    return mask == FULL_MASK && !f->slots->env.check &&
           find_window(f, w, inst, SPACE_GLOBAL, &from) &&
           isa_copy_window(inst, warp_ctx(&f->slots->warps, w), &from, &to);
}

/* cp.async: what it copies is there at once. */
static bool copy_now(struct functional *f, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct copy_addresses p;
    uint32_t size = (uint32_t)inst->width * inst->vec;
    if (!lane_addresses_of_copy(f->slots, &f->bounds, w, inst, mask, &p))
        return false;
    if (f->share && p.from.global && !apart_granted(f, w, inst, &p.from))
        return false;
    if (f->slots->env.check)
        check_copy(f->slots, w, inst, mask, &p);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        copy_lane(p.to.at[lane], p.from.at[lane], p.lanes.bytes[lane], size);
    }
    return true;
}

/* With room for each lane's address, which functional_access does without. */
__attribute__((noinline)) static bool access_by_lanes(struct functional *f, uint32_t w,
                                                      const struct inst *inst, struct lane_ctx *ctx,
                                                      uint32_t mask)
{
    struct slots *slots = f->slots;
    struct lane_addresses p;
    if (inst->class == INST_COPY)
        return copy_at_once(f, w, inst, mask) || copy_now(f, w, inst, mask);
    if (!lane_addresses_resolve(slots, &f->bounds, w, inst, mask, &p))
        return false;
    if (f->share && p.global && !apart_granted(f, w, inst, &p))
        return false;
    if (f->share && f->share->keeps && p.global && inst->class == INST_STORE) {
        kept_stores_add(&f->kept, inst, ctx, mask, &p);
        return true;
    }
    if (p.regular)
        lane_addresses_list(&p);
    if (slots->env.check)
        check_access(slots, w, inst, mask, &p);
    perform(inst, ctx, mask, &p);
    return true;
}

bool functional_access(struct functional *f, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct slots *slots = f->slots;
    struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    if (slots->env.warms)
        warm_access(f, w, inst, mask);
    return (inst->class != INST_COPY && access_at_once(f, w, inst, ctx, mask)) ||
           access_by_lanes(f, w, inst, ctx, mask);
}
