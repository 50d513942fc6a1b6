/* Preempting a warp: dropping its loads so that they are replayed, and moving its registers to and
 * from the save area through the memory system (EDGE IV-D). */
#include "sim/simt/core_internal.h"

#include <string.h>

#define POISON     0xDEADDEADu
#define ENTRY_BITS 3 /* of a PEWT entry in a tag */

_Static_assert(EVENTS <= 1 << ENTRY_BITS, "a tag names every entry");

static uint64_t oldest_seq(const struct core *c, uint32_t w)
{
    return c->loads[w] ? c->access[c->first_load[w]].seq : UINT64_MAX;
}

static void remember_row(struct core *c, uint32_t w, uint64_t seq, uint32_t reg)
{
    struct undo_row *rows = c->undo[w];
    uint64_t since = oldest_seq(c, w);
    if (c->undo_count[w] == UNDO_ROWS) {
        uint8_t kept = 0;
        for (uint32_t i = 0; i < UNDO_ROWS; i++) {
            if (rows[i].seq >= since)
                rows[kept++] = rows[i];
        }
        c->undo_count[w] = kept;
    }
    if (c->undo_count[w] == UNDO_ROWS) { /* no room: the loads can no longer be dropped */
        c->other_seq[w] = seq;
        return;
    }
    struct undo_row *row = &rows[c->undo_count[w]++];
    row->seq = seq;
    row->reg = reg;
    memcpy(row->value, c->ctx[w]->reg[reg], sizeof row->value);
}

/* A load is about to be executed. If it overwrites a register that it, or an older load in flight,
 * takes its address from, a replay needs the old value. A loaded register itself cannot be
 * overwritten: the scoreboard holds it. */
void preempt_note_load(struct core *c, uint32_t w, const struct access *a)
{
    const struct inst *inst = a->inst;
    bool own = inst->flags & INST_ADDR_IN_DST;
    uint64_t *uses = c->load_uses[w];
    for (uint32_t i = 0; i < REG_SET_WORDS - 1; i++) {
        for (uint64_t m = own ? inst->def_set[i] : inst->def_set[i] & uses[i]; m; m &= m - 1)
            remember_row(c, w, a->seq, i * 64 + lowest(m));
        uses[i] |= inst->use_set[i];
    }
}

static void drop(struct core *c, struct access *a)
{
    uint32_t w = a->warp;
    uint16_t index = (uint16_t)(a - c->access);
    struct lane_ctx *ctx = c->ctx[w];
    pending_clear(c, w, a->inst);
    /* The data never arrived. */
    for (uint32_t i = 0; i < REG_SET_WORDS - 1; i++) {
        for (uint64_t m = a->inst->def_set[i]; m; m &= m - 1) {
            uint32_t *row = ctx->reg[i * 64 + lowest(m)];
            for (uint32_t lanes = a->mask; lanes; lanes &= lanes - 1)
                row[lowest(lanes)] = POISON;
        }
    }
    if (a->route == ROUTE_L1)
        mshr_drop(&c->l1_mshr, index);
    c->stats.loads_dropped++;
    if (a->queued) {
        a->dropped = true;
        a->generation++;
    } else {
        access_free(c, a);
    }
}

void preempt_drop_loads(struct core *c, uint32_t w)
{
    if (!c->loads[w])
        return;
    struct access *first = &c->access[c->first_load[w]];
    if (c->other_seq[w] > first->seq) {
        error_set(&c->failure,
                  "event unit: loads of warp %u dropped after a younger instruction has completed",
                  w);
        return;
    }
    c->pc[w] = first->pc;
    c->active[w] = first->active;
    c->rpc[w] = first->rpc;
    c->depth[w] = first->depth;
    uint64_t since = first->seq;
    for (uint16_t i = c->first_load[w]; i != NO_ACCESS;) {
        struct access *a = &c->access[i];
        i = a->next;
        drop(c, a);
    }
    for (uint32_t i = c->undo_count[w]; i > 0; i--) {
        const struct undo_row *row = &c->undo[w][i - 1];
        if (row->seq >= since)
            memcpy(c->ctx[w]->reg[row->reg], row->value, sizeof row->value);
    }
    c->first_load[w] = c->last_load[w] = NO_ACCESS;
    c->loads[w] = 0;
    c->undo_count[w] = 0;
    memset(c->load_uses[w], 0, sizeof c->load_uses[w]);
    c->lsu_blocked = false;
    warp_flush_ibuf(c, w);
    warp_refresh(c, w);
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
    struct transfer *t = &c->transfer[entry];
    if (t->active || rows > MAX_REGS || !(c->resident & BIT(slot))) {
        error_set(&c->failure, "event unit: cannot %s %u registers of warp %u",
                  restore ? "restore" : "save", rows, slot);
        return;
    }
    if (!rows) {
        *(restore ? &c->restore_done : &c->save_done) = true;
        return;
    }
    *t = (struct transfer){.active = true, .restore = restore, .slot = (uint8_t)slot, .rows = rows};
    c->transfers++;
}

static void step(struct core *c, uint32_t entry)
{
    struct transfer *t = &c->transfer[entry];
    struct transaction tx = {
        .line = row_address(c, entry, t->next), .words = FULL_MASK, .sectors = 0xF};
    uint32_t value = t->next << ENTRY_BITS | entry;
    uint32_t kind = t->restore ? TAG_RESTORE : TAG_SAVE;
    if (!send_request(c, t->restore ? REQUEST_READ : REQUEST_WRITE, &tx,
                      value << TAG_KIND_BITS | kind))
        return;
    if (!t->restore) {
        memcpy(c->env.image->base + tx.line, c->ctx[t->slot]->reg[t->next], LINE_BYTES);
        c->stats.registers_saved++;
    }
    t->next++;
    t->outstanding++;
}

void transfer_tick(struct core *c)
{
    for (uint32_t e = 0; e < EVENTS; e++) {
        if (c->transfer[e].active && c->transfer[e].next < c->transfer[e].rows) {
            step(c, e);
            return;
        }
    }
}

void transfer_reply(struct core *c, uint32_t value, bool restore)
{
    uint32_t entry = value & ((1u << ENTRY_BITS) - 1), row = value >> ENTRY_BITS;
    struct transfer *t = &c->transfer[entry];
    if (restore) {
        memcpy(c->ctx[t->slot]->reg[row], c->env.image->base + row_address(c, entry, row),
               LINE_BYTES);
        c->stats.registers_restored++;
    }
    if (--t->outstanding || t->next < t->rows)
        return;
    t->active = false;
    c->transfers--;
    *(restore ? &c->restore_done : &c->save_done) = true;
}
