/* The state with which a warp repeats its loads in flight (EDGE IV-D). Owner: replay.c. */
#ifndef EVGPU_SIMT_LSU_REPLAY_H
#define EVGPU_SIMT_LSU_REPLAY_H

#include "sim/simt/lsu/access.h"

#define UNDO_ROWS 16

/* Rows that a load overwrote although an older load in flight took its address from them. */
struct undo_row {
    uint64_t seq;
    uint32_t reg;
    uint32_t value[WARP_SIZE];
};

struct replay {
    struct slots *slots;
    uint64_t load_uses[SLOTS][REG_SET_WORDS];
    uint8_t undo_count[SLOTS];
    struct undo_row (*undo)[UNDO_ROWS];
    uint64_t loads_dropped;
    uint64_t wrong_replays; /* of core_config.drop_unsafe, in victims */
};

/* No load is in flight any more. */
static inline void replay_clear(struct replay *r, uint32_t w)
{
    r->undo_count[w] = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        r->load_uses[w][i] = 0;
}

static inline void replay_start(struct replay *r, uint32_t w)
{
    r->undo_count[w] = 0;
}

static inline void replay_dropped(struct replay *r)
{
    r->loads_dropped++;
}

static inline void replay_wrong(struct replay *r)
{
    r->wrong_replays++;
}

void replay_create(struct replay *r, struct slots *slots);
void replay_destroy(struct replay *r);
/* A load is about to be executed; `oldest` in flight, NULL: there is none. */
void replay_note_load(struct replay *r, uint32_t w, const struct access *a,
                      const struct access *oldest);
/* Registers of the warp are again as they were before load number `since`. */
void replay_undo(const struct replay *r, uint32_t w, uint64_t since);
void replay_stats(const struct replay *r, struct core_stats *stats);

#endif
