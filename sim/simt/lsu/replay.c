#include "sim/simt/lsu/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void replay_create(struct replay *r, struct slots *slots)
{
    r->slots = slots;
    r->undo = alloc_array(slots->config.warps, sizeof *r->undo);
}

void replay_destroy(struct replay *r)
{
    free(r->undo);
}

static void remember_row(struct replay *r, uint32_t w, uint64_t seq, uint32_t reg,
                         const struct access *oldest)
{
    struct undo_row *rows = r->undo[w];
    uint64_t since = oldest ? oldest->seq : UINT64_MAX;
    if (r->undo_count[w] == UNDO_ROWS) {
        uint8_t kept = 0;
        for (uint32_t i = 0; i < UNDO_ROWS; i++) {
            if (rows[i].seq >= since)
                rows[kept++] = rows[i];
        }
        r->undo_count[w] = kept;
    }
    if (r->undo_count[w] == UNDO_ROWS) { /* no room: the loads can no longer be dropped */
        issue_pass(&r->slots->scoreboard, w, seq);
        return;
    }
    struct undo_row *row = &rows[r->undo_count[w]++];
    row->seq = seq;
    row->reg = reg;
    memcpy(row->value, warp_ctx(&r->slots->warps, w)->reg[reg], sizeof row->value);
}

/* A load is about to be executed. If it overwrites a register that it, or an older load in flight,
 * takes its address from, a replay needs the old value. A loaded register itself cannot be
 * overwritten: the scoreboard holds it. */
void replay_note_load(struct replay *r, uint32_t w, const struct access *a,
                      const struct access *oldest)
{
    const struct inst *inst = a->inst;
    bool own = inst->flags & INST_ADDR_IN_DST;
    uint64_t *uses = r->load_uses[w];
    for (uint32_t i = 0; i < REG_SET_WORDS - 1; i++) {
        for (uint64_t m = own ? inst->def_set[i] : inst->def_set[i] & uses[i]; m; m &= m - 1)
            remember_row(r, w, a->seq, i * 64 + lowest(m), oldest);
        uses[i] |= inst->use_set[i];
    }
}

void replay_undo(const struct replay *r, uint32_t w, uint64_t since)
{
    for (uint32_t i = r->undo_count[w]; i > 0; i--) {
        const struct undo_row *row = &r->undo[w][i - 1];
        if (row->seq >= since)
            memcpy(warp_ctx(&r->slots->warps, w)->reg[row->reg], row->value, sizeof row->value);
    }
}

void replay_stats(const struct replay *r, struct core_stats *stats)
{
    stats->loads_dropped = r->loads_dropped;
    stats->wrong_replays = r->wrong_replays;
}
