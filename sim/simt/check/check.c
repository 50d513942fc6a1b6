#include "sim/simt/check/check.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/simt/check/check_internal.h"

struct checker *checker_create(uint32_t checks, struct image *image, uint32_t cores,
                               uint32_t blocks)
{
    struct checker *checker = ALLOC(struct checker);
    checker->checks = checks;
    checker->image = image;
    findings_create(checker);
    checker->races = race_create(cores, blocks);
    if (checks & CHECK_UNINIT)
        image_watch(image);
    return checker;
}

void checker_destroy(struct checker *checker)
{
    if (!checker)
        return;
    race_destroy(checker->races);
    findings_destroy(checker);
    free(checker);
}

void check_block(struct slots *slots, uint32_t slot, uint32_t warps)
{
    race_block(slots, slot, warps);
    if (slots->env.check->checks & CHECK_UNINIT)
        uninit_block(slots, slot);
}

/* The shared cells are kept for both checks: what was written is known from them. */
void check_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                  const struct lane_addresses *p)
{
    if (slots->env.check->checks & CHECK_UNINIT)
        uninit_access(slots, w, inst, mask, p);
    if (p->shared)
        race_access(slots, w, inst, p);
}

void check_arrive(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                  uint32_t barrier)
{
    uint32_t away = stack_lanes(&slots->stacks, w) & ~mask;
    if (away && slots->env.check->checks & CHECK_BARRIERS)
        checker_add(slots, &(struct finding){.kind = FOUND_BARRIER,
                                             .kernel = warp_of(&slots->warps, w)->kernel,
                                             .line = inst->line,
                                             .warp = w,
                                             .lane = lowest(mask),
                                             .other_thread = lowest(away),
                                             .address = barrier});
    race_arrive(slots, w, barrier);
}

void check_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting)
{
    race_release(slots, slot, barrier, waiting);
}
