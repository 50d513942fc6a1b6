/* Barriers of the whole block that some of its threads never reach: those of the warp that are
 * elsewhere, and those that have ended. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/check/check_internal.h"

/* By the warp's number in its block. */
struct barrier_slot {
    uint8_t index_of[SLOTS]; /* by warp slot; an event may be on it meanwhile */
    uint32_t n_warps;
    uint32_t started[SLOTS];           /* lanes that the block began with */
    uint32_t arrived[BARRIERS][SLOTS]; /* lanes at the barrier */
    uint32_t living[BARRIERS][SLOTS];  /* lanes of the warp that had not ended then */
    const struct inst *last[BARRIERS]; /* to arrive */
    bool told;                         /* of threads elsewhere, who miss later barriers too */
};

struct barrier_state {
    struct barrier_slot *slots; /* cores x blocks */
    uint32_t blocks;
};

struct barrier_state *barrier_state_create(uint32_t cores, uint32_t blocks)
{
    struct barrier_state *b = ALLOC(struct barrier_state);
    b->blocks = blocks;
    b->slots = ALLOC_ARRAY(struct barrier_slot, (size_t)cores * blocks);
    return b;
}

void barrier_state_destroy(struct barrier_state *b)
{
    if (b)
        free(b->slots);
    free(b);
}

static struct barrier_slot *slot_at(struct slots *slots, uint32_t slot)
{
    struct barrier_state *b = slots->env.check->barriers;
    return &b->slots[(size_t)slots->env.port * b->blocks + slot];
}

void barrier_check_block(struct slots *slots, uint32_t slot, uint32_t warps)
{
    struct barrier_slot *s = slot_at(slots, slot);
    memset(s, 0, sizeof *s);
    s->n_warps = warps;
    for (uint64_t m = warps_resident(&slots->warps); m; m &= m - 1) {
        uint32_t w = lowest(m);
        const struct warp *warp = warp_of(&slots->warps, w);
        if (warp->block != slot)
            continue;
        s->index_of[w] = (uint8_t)warp->index;
        s->started[warp->index] = stack_lanes(&slots->stacks, w);
    }
}

void barrier_check_arrive(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
                          uint32_t barrier)
{
    struct barrier_slot *s = slot_at(slots, warp_of(&slots->warps, w)->block);
    uint32_t index = s->index_of[w], living = stack_lanes(&slots->stacks, w), away = living & ~mask;
    s->arrived[barrier][index] |= mask;
    s->living[barrier][index] = living;
    s->last[barrier] = inst;
    s->told |= away != 0;
    if (away)
        checker_add(slots, &(struct finding){.kind = FOUND_BARRIER,
                                             .kernel = warp_of(&slots->warps, w)->kernel,
                                             .line = inst->line,
                                             .warp = w,
                                             .lane = lowest(mask),
                                             .other_thread = lowest(away),
                                             .address = barrier});
}

/* Lanes that live and are elsewhere were reported when their warp arrived. */
static void report_ended(struct slots *slots, const struct barrier_slot *s, uint32_t barrier,
                         uint32_t w)
{
    for (uint32_t i = 0; i < s->n_warps; i++) {
        uint32_t ended = s->started[i] & ~s->arrived[barrier][i] & ~s->living[barrier][i];
        if (!ended)
            continue;
        checker_add(slots, &(struct finding){.kind = FOUND_ENDED,
                                             .kernel = warp_of(&slots->warps, w)->kernel,
                                             .line = s->last[barrier]->line,
                                             .warp = w,
                                             .lane = 0,
                                             .other_thread = i * WARP_SIZE + lowest(ended),
                                             .address = barrier});
        return;
    }
}

void barrier_check_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting,
                           bool whole)
{
    struct barrier_slot *s = slot_at(slots, slot);
    uint64_t known = waiting & ~events_borrowed(&slots->events);
    if (whole && known && s->last[barrier] && !s->told)
        report_ended(slots, s, barrier, lowest(known));
    memset(s->arrived[barrier], 0, sizeof s->arrived[barrier]);
    memset(s->living[barrier], 0, sizeof s->living[barrier]);
}
