#include "sim/simt/check/check.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/simt/check/check_internal.h"

/* The checks that need the clocks of warps; what was written of shared memory is known by the same
 * cells as its races. */
#define CHECK_CELLS (CHECK_UNINIT | CHECK_RACES)

struct checker *checker_create(uint32_t checks, struct image *image, uint32_t cores,
                               uint32_t blocks)
{
    struct checker *checker = ALLOC(struct checker);
    checker->checks = checks;
    checker->image = image;
    findings_create(checker);
    if (checks & CHECK_CELLS)
        checker->races = race_create(cores, blocks);
    if (checks & CHECK_RACES)
        checker->global = global_state_create(cores, blocks);
    if (checks & CHECK_BARRIERS)
        checker->barriers = barrier_state_create(cores, blocks);
    if (checks & CHECK_UNINIT)
        image_watch(image);
    return checker;
}

void checker_destroy(struct checker *checker)
{
    if (!checker)
        return;
    race_destroy(checker->races);
    global_state_destroy(checker->global);
    barrier_state_destroy(checker->barriers);
    findings_destroy(checker);
    free(checker);
}

void check_block(struct slots *slots, uint32_t slot, uint32_t warps)
{
    uint32_t checks = slots->env.check->checks;
    if (checks & CHECK_CELLS)
        race_block(slots, slot, warps);
    if (checks & CHECK_RACES)
        global_block(slots, slot);
    if (checks & CHECK_BARRIERS)
        barrier_check_block(slots, slot, warps);
    if (checks & CHECK_UNINIT)
        uninit_block(slots, slot);
}

void check_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                  const struct lane_addresses *p)
{
    uint32_t checks = slots->env.check->checks;
    if (checks & CHECK_UNINIT)
        uninit_access(slots, w, inst, mask, p);
    if (p->shared && checks & CHECK_CELLS)
        race_access(slots, w, inst, p);
    if (p->global && checks & CHECK_RACES)
        global_access(slots, w, inst, p);
}

void check_copy(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                const struct copy_addresses *p)
{
    uint32_t checks = slots->env.check->checks, size = (uint32_t)inst->width * inst->vec;
    struct lane_addresses from = p->from; /* of lanes that read all that they write */
    for (uint32_t m = p->from.global; m; m &= m - 1)
        from.global &= p->lanes.bytes[lowest(m)] == size ? FULL_MASK : ~(1u << lowest(m));
    if (checks & CHECK_UNINIT)
        uninit_access(slots, w, inst, from.global, &from);
    if (checks & CHECK_CELLS)
        race_copy(slots, w, inst, mask, &p->to);
    if (from.global && checks & CHECK_RACES)
        global_access(slots, w, inst, &from);
}

void check_copy_group(struct slots *slots, uint32_t w, const struct inst *inst)
{
    if (slots->env.check->checks & CHECK_CELLS)
        race_copy_group(slots, w, inst);
}

void check_malloc(struct slots *slots, uint64_t address, uint64_t bytes)
{
    if (address && slots->env.check->checks & CHECK_RACES)
        global_fresh(slots, address, bytes);
}

void check_arrive(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                  uint32_t barrier)
{
    if (slots->env.check->checks & CHECK_BARRIERS)
        barrier_check_arrive(slots, w, inst, mask, barrier);
    if (slots->env.check->checks & CHECK_CELLS)
        race_arrive(slots, w, barrier);
}

void check_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting,
                   bool whole)
{
    if (slots->env.check->checks & CHECK_BARRIERS)
        barrier_check_release(slots, slot, barrier, waiting, whole);
    if (slots->env.check->checks & CHECK_CELLS)
        race_release(slots, slot, barrier, waiting);
}
