/* The core's side of the sm_event_unit tile: its commands and the answers to them. Owner:
 * event_port.c. */
#ifndef EVGPU_SIMT_EVENT_EVENT_PORT_H
#define EVGPU_SIMT_EVENT_EVENT_PORT_H

#include "sim/simt/core.h"
#include "sim/simt/units.h"

struct event_port {
    bool tile_active, vic_valid, cmd_hold, cmd_prio, cmd_skip, cand_req;
    uint8_t vic_slot, cand_group;
    bool now_req;     /* cand_now is asked for, ... */
    uint8_t now_regs; /* ... for an event with as many registers, in units */
    uint32_t claim;   /* free registers for the event that is being placed */
    bool push_ok, push_fail, save_done, restore_done;
    uint64_t bar_done, died;
    uint8_t exits[SLOTS];
    uint32_t exit_count;
    uint64_t flush_cycles[CAUSES];
    uint64_t flush_timeouts;
};

static inline bool port_active(const struct event_port *p)
{
    return p->tile_active;
}

/* Registers for the event that is being placed. */
static inline uint32_t port_claim(const struct event_port *p)
{
    return p->claim;
}

/* The victim that is being flushed, as a mask. */
static inline uint64_t port_victim(const struct event_port *p)
{
    return p->vic_valid ? BIT(p->vic_slot) : 0;
}

/* The victim must not be fetched for. */
static inline uint64_t port_held(const struct event_port *p)
{
    return p->cmd_hold ? port_victim(p) : 0;
}

/* The victim issues before others. */
static inline uint64_t port_urgent(const struct event_port *p)
{
    return p->cmd_prio ? port_victim(p) : 0;
}

/* Answers, seen by the tile at its next clock edge. */
static inline void port_pushed(struct event_port *p, bool ok)
{
    *(ok ? &p->push_ok : &p->push_fail) = true;
}

/* An event has been pushed since the tile's last clock edge. */
static inline bool port_push_unseen(const struct event_port *p)
{
    return p->push_ok;
}

static inline void port_transferred(struct event_port *p, bool restore)
{
    *(restore ? &p->restore_done : &p->save_done) = true;
}

static inline void port_barrier_done(struct event_port *p, uint32_t w)
{
    p->bar_done |= BIT(w);
}

static inline void port_died(struct event_port *p, uint32_t w)
{
    p->died |= BIT(w);
}

/* All of the event's instructions, stores included, are done: reported one per clock edge. */
static inline void port_event_finished(struct event_port *p, uint32_t w)
{
    p->exits[p->exit_count++] = (uint8_t)w;
}

void port_stats(const struct event_port *p, struct core_stats *stats);

#endif
