/* The core's side of the sm_event_unit tile: its input ports from the core's state, and its
 * commands. Owner: event_port.c. */
#ifndef EVGPU_SIMT_EVENT_EVENT_PORT_H
#define EVGPU_SIMT_EVENT_EVENT_PORT_H

#include "sim/simt/warp/slots.h"

struct event_unit;
struct lsu;
struct pipeline;
struct sm_event_unit_in;
struct sm_event_unit_out;

struct event_port {
    bool tile_active, vic_valid, cmd_hold, cmd_skip, cand_req;
    uint8_t vic_slot, cand_group;
    bool now_req;     /* cand_now is asked for, ... */
    uint8_t now_regs; /* ... for an event with as many registers, in units */
    uint64_t flush_cycles[CAUSES];
    uint64_t flush_timeouts;
};

static inline bool port_active(const struct event_port *p)
{
    return p->tile_active;
}

void event_unit_create(struct event_unit *e, struct slots *slots, struct lsu *lsu,
                       struct pipeline *pipeline);
/* As the functions of the core (core.h) of the same names. */
bool event_inputs(const struct event_unit *e, struct sm_event_unit_in *in);
bool event_lends(const struct slots *slots, uint32_t units);
bool event_pending(const struct event_unit *e);
void event_commands(struct event_unit *e, const struct sm_event_unit_out *out);
void port_stats(const struct event_port *p, struct core_stats *stats);

#endif
