/* Preempting a warp: dropping its loads so that they are replayed, and moving its registers to and
 * from the save area. Owner: preempt.c. */
#ifndef EVGPU_SIMT_EVENT_PREEMPT_H
#define EVGPU_SIMT_EVENT_PREEMPT_H

#include "sim/simt/lsu/lsu.h"

#define UNDO_ROWS 16

/* Rows that a load overwrote although an older load in flight took its address from them. */
struct undo_row {
    uint64_t seq;
    uint32_t reg;
    uint32_t value[WARP_SIZE];
};

struct replay {
    uint64_t other_seq[SLOTS]; /* youngest instruction that a replay must not repeat */
    uint64_t load_uses[SLOTS][REG_SET_WORDS];
    uint8_t undo_count[SLOTS];
    struct undo_row (*undo)[UNDO_ROWS];
    uint64_t loads_dropped;
};

/* Register rows on their way to or from the save area. */
struct transfer {
    bool active, restore;
    uint8_t slot;
    uint32_t rows, next, outstanding;
};

struct transfers {
    struct transfer of[EVENTS];
    uint32_t active;
    uint64_t saved, restored; /* warp registers */
};

static inline uint64_t replay_other(const struct replay *r, uint32_t w)
{
    return r->other_seq[w];
}

/* An instruction that cannot be repeated has issued, or a load in front of it has completed. */
static inline void replay_pass(struct replay *r, uint32_t w, uint64_t seq)
{
    if (seq > r->other_seq[w])
        r->other_seq[w] = seq;
}

/* No load is in flight any more. */
static inline void replay_clear(struct replay *r, uint32_t w)
{
    r->undo_count[w] = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        r->load_uses[w][i] = 0;
}

static inline void replay_start(struct replay *r, uint32_t w)
{
    r->other_seq[w] = 0;
    r->undo_count[w] = 0;
}

static inline uint32_t transfers_active(const struct transfers *t)
{
    return t->active;
}

void replay_create(struct core *c);
void replay_destroy(struct core *c);
void preempt_drop_loads(struct core *c, uint32_t w);
void preempt_note_load(struct core *c, uint32_t w, const struct access *a);
void transfer_start(struct core *c, uint32_t entry, uint32_t slot, uint32_t rows, bool restore);
void transfer_tick(struct core *c);
bool transfer_sends(const struct transfers *t); /* is there a row to send? */
void transfer_reply(struct core *c, uint32_t value, bool restore);
void preempt_stats(const struct replay *r, const struct transfers *t, struct core_stats *stats);

#endif
