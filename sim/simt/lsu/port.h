/* The core's port to the memory system: one request per cycle, of the load-store unit, the caches,
 * instruction fetch or the save area. Owner: port.c. */
#ifndef EVGPU_SIMT_LSU_PORT_H
#define EVGPU_SIMT_LSU_PORT_H

#include "sim/mem/port_box.h"
#include "sim/simt/lsu/access.h"

struct mem_port {
    struct slots *slots;
    struct port_box *box; /* the memory system's */
    /* In this cycle: */
    bool used;
    uint8_t refusals; /* of the memory system, for lack of room */
};

/* Cycle of the next reply that the box knows of; UINT64_MAX: none. */
static inline uint64_t port_next_reply(const struct mem_port *p)
{
    return box_next_reply(p->box);
}

static inline bool port_no_reply(const struct mem_port *p)
{
    return box_no_reply(p->box, clock_now(&p->slots->clock));
}

/* The next request finds room, whatever the others do. */
static inline bool port_room(const struct mem_port *p)
{
    return box_room(p->box);
}

/* Something is left in the box. */
static inline bool port_left(const struct mem_port *p)
{
    return box_used(p->box);
}

/* A cycle begins: nothing has been sent in it. */
static inline void port_begin_cycle(struct mem_port *p)
{
    p->used = false;
    p->refusals = 0;
}

/* Requests of this cycle for which the memory system had no room. */
static inline uint8_t port_refusals(const struct mem_port *p)
{
    return p->refusals;
}

/* Something that is no memory request takes the port. */
static inline void port_take(struct mem_port *p)
{
    p->used = true;
}

void port_create(struct mem_port *p, struct slots *slots);
/* The reply of this cycle; false: there is none. */
bool port_reply(const struct mem_port *p, struct mem_request *reply);
/* Can a request go; `event`: one of an event, which may have a lane of its own? */
bool port_can_send(struct mem_port *p, bool event);
struct mem_request port_request(const struct mem_port *p, uint8_t kind,
                                const struct transaction *tx, uint32_t tag);
/* False: not sent, to be tried again. */
bool port_forward(struct mem_port *p, const struct mem_request *request);
bool port_send(struct mem_port *p, uint8_t kind, const struct transaction *tx, uint32_t tag);

#endif
