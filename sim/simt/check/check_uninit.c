/* Reads of memory never written. What was written is a bit per byte of device memory (image.h),
 * where local memory has its place too, and the cells of the race check for shared memory. */
#include "sim/simt/check/check_internal.h"

/* A block's threads begin with nothing written in their local memory. */
void uninit_block(struct slots *slots, uint32_t slot)
{
    for (uint64_t m = warps_resident(&slots->warps); m; m &= m - 1) {
        const struct warp *warp = warp_of(&slots->warps, lowest(m));
        if (warp->block == slot && warp->local_lane)
            image_clear_written(slots->env.image, warp->local,
                                (uint64_t)warp->local_lane * WARP_SIZE);
    }
}

static bool reads(const struct inst *inst)
{
    return inst->class != INST_STORE;
}

static bool means_something(const struct image *image, uint64_t address)
{
    struct image_block block;
    uint64_t distance;
    return image_locate(image, address, &block, &distance) != IMAGE_INSIDE ||
           block.note.initialised;
}

/* One lane; `local`: of the thread's own memory. */
static void lane_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                        const struct lane_addresses *p)
{
    struct image *image = slots->env.image;
    uint64_t address = (uint64_t)(p->at[lane] - image->base);
    bool local = p->local >> lane & 1;
    for (uint32_t e = 0; e < inst->vec; e++, address += inst->width) {
        if (reads(inst) && !image_written(image, address, inst->width) &&
            (local || !means_something(image, address)))
            checker_add(
                slots,
                &(struct finding){.kind = FOUND_UNINIT,
                                  .kernel = warp_of(&slots->warps, w)->kernel,
                                  .line = inst->line,
                                  .space = local ? SPACE_LOCAL : SPACE_GLOBAL,
                                  .warp = w,
                                  .lane = lane,
                                  .bytes = inst->width,
                                  .address = local ? p->address[lane] + e * inst->width : address});
        if (!inst_reads(inst))
            image_set_written(image, address, inst->width);
    }
}

static void shared_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                          const struct lane_addresses *p)
{
    uint64_t offset = p->address[lane];
    for (uint32_t e = 0; e < inst->vec && reads(inst); e++, offset += inst->width) {
        if (!race_written(slots, w, offset, inst->width))
            checker_add(slots, &(struct finding){.kind = FOUND_UNINIT,
                                                 .kernel = warp_of(&slots->warps, w)->kernel,
                                                 .line = inst->line,
                                                 .space = SPACE_SHARED,
                                                 .warp = w,
                                                 .lane = lane,
                                                 .bytes = inst->width,
                                                 .address = offset});
    }
}

/* Events keep their local memory from one to the next, so it is not looked at. */
void uninit_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                   const struct lane_addresses *p)
{
    bool event = !warp_of(&slots->warps, w)->grid;
    if (inst->space == SPACE_PARAM || inst->space == SPACE_CONST)
        return;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        if (p->shared >> lane & 1)
            shared_access(slots, w, inst, lane, p);
        else if (!event || !(p->local >> lane & 1))
            lane_access(slots, w, inst, lane, p);
    }
}
