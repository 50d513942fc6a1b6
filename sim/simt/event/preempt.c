/* Dropping loads so that they are replayed, and the save area of registers (EDGE IV-D). */
#include "sim/simt/event/preempt.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

#define POISON     0xDEADDEADu
#define ENTRY_BITS 3 /* of a PEWT entry in a tag */

_Static_assert(EVENTS <= 1 << ENTRY_BITS, "a tag names every entry");

void replay_create(struct core *c)
{
    c->replay.undo = alloc_array(c->config.warps, sizeof *c->replay.undo);
}

void replay_destroy(struct core *c)
{
    free(c->replay.undo);
}

static void remember_row(struct core *c, uint32_t w, uint64_t seq, uint32_t reg)
{
    struct undo_row *rows = c->replay.undo[w];
    const struct access *oldest = lsu_oldest_load(&c->lsu, w);
    uint64_t since = oldest ? oldest->seq : UINT64_MAX;
    if (c->replay.undo_count[w] == UNDO_ROWS) {
        uint8_t kept = 0;
        for (uint32_t i = 0; i < UNDO_ROWS; i++) {
            if (rows[i].seq >= since)
                rows[kept++] = rows[i];
        }
        c->replay.undo_count[w] = kept;
    }
    if (c->replay.undo_count[w] == UNDO_ROWS) { /* no room: the loads can no longer be dropped */
        c->replay.other_seq[w] = seq;
        return;
    }
    struct undo_row *row = &rows[c->replay.undo_count[w]++];
    row->seq = seq;
    row->reg = reg;
    memcpy(row->value, warp_ctx(&c->warps, w)->reg[reg], sizeof row->value);
}

/* A load is about to be executed. If it overwrites a register that it, or an older load in flight,
 * takes its address from, a replay needs the old value. A loaded register itself cannot be
 * overwritten: the scoreboard holds it. */
void preempt_note_load(struct core *c, uint32_t w, const struct access *a)
{
    const struct inst *inst = a->inst;
    bool own = inst->flags & INST_ADDR_IN_DST;
    uint64_t *uses = c->replay.load_uses[w];
    for (uint32_t i = 0; i < REG_SET_WORDS - 1; i++) {
        for (uint64_t m = own ? inst->def_set[i] : inst->def_set[i] & uses[i]; m; m &= m - 1)
            remember_row(c, w, a->seq, i * 64 + lowest(m));
        uses[i] |= inst->use_set[i];
    }
}

/* The load's data never arrived. */
static void poison(struct core *c, const struct access *a)
{
    struct lane_ctx *ctx = warp_ctx(&c->warps, a->warp);
    for (uint32_t i = 0; i < REG_SET_WORDS - 1; i++) {
        for (uint64_t m = a->inst->def_set[i]; m; m &= m - 1) {
            uint32_t *row = ctx->reg[i * 64 + lowest(m)];
            for (uint32_t lanes = a->mask; lanes; lanes &= lanes - 1)
                row[lowest(lanes)] = POISON;
        }
    }
}

static void undo_rows(struct core *c, uint32_t w, uint64_t since)
{
    for (uint32_t i = c->replay.undo_count[w]; i > 0; i--) {
        const struct undo_row *row = &c->replay.undo[w][i - 1];
        if (row->seq >= since)
            memcpy(warp_ctx(&c->warps, w)->reg[row->reg], row->value, sizeof row->value);
    }
}

void preempt_drop_loads(struct core *c, uint32_t w)
{
    const struct access *first = lsu_oldest_load(&c->lsu, w);
    if (!first)
        return;
    if (c->replay.other_seq[w] > first->seq) {
        fail_with(
            c, "event unit: loads of warp %u dropped after a younger instruction has completed", w);
        return;
    }
    stack_go_back(c, w, &first->point);
    uint64_t since = first->seq;
    for (const struct access *a = first; a; a = lsu_next_load(&c->lsu, a)) {
        pending_clear(&c->scoreboard, w, a->inst);
        poison(c, a);
        c->replay.loads_dropped++;
    }
    undo_rows(c, w, since);
    lsu_drop_loads(c, w);
    replay_clear(&c->replay, w);
    fetch_flush(&c->fetch, w);
    issue_refresh(c, w);
    warp_settle(c, w);
}

/* --- registers to and from the save area: one warp register is one line ------------------------
 */

static uint64_t row_address(const struct core *c, uint32_t entry, uint32_t row)
{
    return c->env.save_area + ((uint64_t)entry * MAX_REGS + row) * LINE_BYTES;
}

void transfer_start(struct core *c, uint32_t entry, uint32_t slot, uint32_t rows, bool restore)
{
    struct transfer *t = &c->transfers.of[entry];
    if (t->active || rows > MAX_REGS || !(warps_resident(&c->warps) & BIT(slot))) {
        fail_with(c, "event unit: cannot %s %u registers of warp %u", restore ? "restore" : "save",
                  rows, slot);
        return;
    }
    if (!rows) {
        port_transferred(&c->port, restore);
        return;
    }
    *t = (struct transfer){.active = true, .restore = restore, .slot = (uint8_t)slot, .rows = rows};
    c->transfers.active++;
}

static void step(struct core *c, uint32_t entry)
{
    struct transfer *t = &c->transfers.of[entry];
    struct transaction tx = {
        .line = row_address(c, entry, t->next), .words = FULL_MASK, .sectors = 0xF};
    uint32_t value = t->next << ENTRY_BITS | entry;
    uint32_t kind = t->restore ? TAG_RESTORE : TAG_SAVE;
    if (!lsu_send(c, t->restore ? REQUEST_READ : REQUEST_WRITE, &tx, value << TAG_KIND_BITS | kind))
        return;
    if (!t->restore) {
        memcpy(c->env.image->base + tx.line, warp_ctx(&c->warps, t->slot)->reg[t->next],
               LINE_BYTES);
        c->transfers.saved++;
    }
    t->next++;
    t->outstanding++;
}

void transfer_tick(struct core *c)
{
    for (uint32_t e = 0; e < EVENTS; e++) {
        if (c->transfers.of[e].active && c->transfers.of[e].next < c->transfers.of[e].rows) {
            step(c, e);
            return;
        }
    }
}

bool transfer_sends(const struct transfers *t)
{
    for (uint32_t e = 0; e < EVENTS; e++) {
        if (t->of[e].active && t->of[e].next < t->of[e].rows)
            return true;
    }
    return false;
}

void transfer_reply(struct core *c, uint32_t value, bool restore)
{
    uint32_t entry = value & ((1u << ENTRY_BITS) - 1), row = value >> ENTRY_BITS;
    struct transfer *t = &c->transfers.of[entry];
    if (restore) {
        memcpy(warp_ctx(&c->warps, t->slot)->reg[row],
               c->env.image->base + row_address(c, entry, row), LINE_BYTES);
        c->transfers.restored++;
    }
    if (--t->outstanding || t->next < t->rows)
        return;
    t->active = false;
    c->transfers.active--;
    port_transferred(&c->port, restore);
}

void preempt_stats(const struct replay *r, const struct transfers *t, struct core_stats *stats)
{
    stats->loads_dropped = r->loads_dropped;
    stats->registers_saved = t->saved;
    stats->registers_restored = t->restored;
}
