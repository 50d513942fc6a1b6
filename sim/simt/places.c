/* Where the lanes of a memory instruction point to, checked. */
#include <stdio.h>

#include "sim/simt/core_internal.h"

static bool outside(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                    uint64_t address, const char *what)
{
    char text[160];
    uint32_t size = (uint32_t)inst->width * inst->vec;
    const char *verb = inst->class == INST_LOAD    ? "load"
                       : inst->class == INST_STORE ? "store"
                                                   : "atomic";
    snprintf(text, sizeof text, "%s of %u bytes at address 0x%llx %s", verb, size,
             (unsigned long long)address, address % size ? "is misaligned" : what);
    fail_at(c, w, inst, lane, address % size ? FAULT_MISALIGNED : FAULT_ADDRESS, text);
    return false;
}

static bool resolve_global(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    const struct image *image = c->env.image;
    uint32_t size = (uint32_t)inst->width * inst->vec;
    uint64_t first = p->address[0];
    uint64_t differ = 1;
    if (p->global == FULL_MASK) {
        differ = 0;
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            differ |= p->address[i] ^ (first + (uint64_t)i * size);
    }
    p->unit_stride = !differ;
    if (p->unit_stride && first % size == 0 &&
        image_valid(image, first, (uint64_t)WARP_SIZE * size)) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            p->at[i] = image->base + p->address[i];
        return true;
    }
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        if ((address & (size - 1)) || !image_valid(image, address, size))
            return outside(c, w, inst, lane, address, "is outside allocated memory");
        p->at[lane] = image->base + address;
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
    uint32_t size = (uint32_t)inst->width * inst->vec;
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
            return outside(c, w, inst, lane, offset, "is outside the block's shared memory");
        p->at[lane] = warp->shared + offset;
    }
    return true;
}

/* The contents of local memory lie lane after lane, so that a lane's bytes are contiguous; only
 * the addresses that the memory system sees are interleaved (coalesce_local). */
static bool resolve_local(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    const struct warp *warp = warp_of(&c->warps, w);
    uint32_t bytes = warp->kernel->local_bytes;
    uint32_t size = (uint32_t)inst->width * inst->vec;
    for (uint32_t m = p->local; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t offset = p->address[lane];
        if ((offset & (size - 1)) || bytes < size || offset > bytes - size)
            return outside(c, w, inst, lane, offset, "is outside the thread's local memory");
        if (inst->class == INST_ATOMIC)
            return outside(c, w, inst, lane, offset, "is in local memory");
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
    p->global = p->shared = p->local = 0;
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
        for (uint32_t m = mask; m; m &= m - 1)
            p->address[lowest(m)] += warp_of(&c->warps, w)->param;
        p->global = mask;
        break;
    default:
        p->global = mask;
        break;
    }
    return (!p->global || resolve_global(c, w, inst, p)) &&
           (!p->shared || resolve_shared(c, w, inst, p)) &&
           (!p->local || resolve_local(c, w, inst, p));
}
