#include "sim/simt/event/transfer.h"

#include <string.h>

#define ENTRY_BITS 3 /* of a PEWT entry in a tag */

_Static_assert(EVENTS <= 1 << ENTRY_BITS, "a tag names every entry");

void transfers_create(struct transfers *t, struct slots *slots, struct mem_port *port,
                      struct event_answers *answers)
{
    t->slots = slots;
    t->port = port;
    t->answers = answers;
}

/* One warp register is one line. */
static uint64_t row_address(const struct slots *slots, uint32_t entry, uint32_t row)
{
    return slots->env.save_area + ((uint64_t)entry * MAX_REGS + row) * LINE_BYTES;
}

void transfer_start(struct transfers *t, uint32_t entry, uint32_t slot, uint32_t rows, bool restore)
{
    struct slots *slots = t->slots;
    struct transfer *one = &t->of[entry];
    if (one->active || rows > MAX_REGS || !(warps_resident(&slots->warps) & BIT(slot))) {
        fail_with(slots, "event unit: cannot %s %u registers of warp %u",
                  restore ? "restore" : "save", rows, slot);
        return;
    }
    if (!rows) {
        answer_transfer(t->answers, restore);
        return;
    }
    *one =
        (struct transfer){.active = true, .restore = restore, .slot = (uint8_t)slot, .rows = rows};
    t->active++;
}

static void step(struct transfers *t, uint32_t entry)
{
    const struct slots *slots = t->slots;
    struct transfer *one = &t->of[entry];
    struct transaction tx = {
        .line = row_address(slots, entry, one->next), .words = FULL_MASK, .sectors = 0xF};
    uint32_t value = one->next << ENTRY_BITS | entry;
    uint32_t kind = one->restore ? TAG_RESTORE : TAG_SAVE;
    if (!port_send(t->port, one->restore ? REQUEST_READ : REQUEST_WRITE, &tx,
                   value << TAG_KIND_BITS | kind))
        return;
    if (!one->restore) {
        memcpy(slots->env.image->base + tx.line, warp_ctx(&slots->warps, one->slot)->reg[one->next],
               LINE_BYTES);
        t->saved++;
    }
    one->next++;
    one->outstanding++;
}

void transfer_tick(struct transfers *t)
{
    for (uint32_t e = 0; e < EVENTS; e++) {
        if (t->of[e].active && t->of[e].next < t->of[e].rows) {
            step(t, e);
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

void transfer_reply(struct transfers *t, uint32_t value, bool restore)
{
    uint32_t entry = value & ((1u << ENTRY_BITS) - 1), row = value >> ENTRY_BITS;
    const struct slots *slots = t->slots;
    struct transfer *one = &t->of[entry];
    if (restore) {
        memcpy(warp_ctx(&slots->warps, one->slot)->reg[row],
               slots->env.image->base + row_address(slots, entry, row), LINE_BYTES);
        t->restored++;
    }
    if (--one->outstanding || one->next < one->rows)
        return;
    one->active = false;
    t->active--;
    answer_transfer(t->answers, restore);
}

void transfer_stats(const struct transfers *t, struct core_stats *stats)
{
    stats->registers_saved = t->saved;
    stats->registers_restored = t->restored;
}
