/* Registers of victims on their way to and from the save area (EDGE IV-D). Owner: transfer.c. */
#ifndef EVGPU_SIMT_EVENT_TRANSFER_H
#define EVGPU_SIMT_EVENT_TRANSFER_H

#include "sim/simt/event/answers.h"
#include "sim/simt/lsu/lsu.h"

struct transfer {
    bool active, restore;
    uint8_t slot;
    uint32_t rows, next, outstanding;
};

struct transfers {
    struct slots *slots;
    struct mem_port *port;
    struct event_answers *answers;
    struct transfer of[EVENTS];
    uint32_t active;
    uint64_t saved, restored; /* warp registers */
};

static inline uint32_t transfers_active(const struct transfers *t)
{
    return t->active;
}

void transfers_create(struct transfers *t, struct slots *slots, struct mem_port *port,
                      struct event_answers *answers);
void transfer_start(struct transfers *t, uint32_t entry, uint32_t slot, uint32_t rows,
                    bool restore);
void transfer_tick(struct transfers *t);
bool transfer_sends(const struct transfers *t); /* is there a row to send? */
void transfer_reply(struct transfers *t, uint32_t value, bool restore);
void transfer_stats(const struct transfers *t, struct core_stats *stats);

#endif
