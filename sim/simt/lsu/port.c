#include "sim/simt/lsu/port.h"

#include "sim/mem/memsys.h"

void port_create(struct mem_port *p, struct slots *slots)
{
    p->slots = slots;
    if (slots->env.memsys) /* or the core is made to see what its configuration says */
        p->box = memsys_box(slots->env.memsys, slots->env.port);
}

bool port_reply(const struct mem_port *p, struct mem_request *reply)
{
    return memsys_box_reply(p->slots->env.memsys, p->slots->env.port, clock_now(&p->slots->clock),
                            reply);
}

bool port_can_send(struct mem_port *p, bool event)
{
    if (p->used)
        return false;
    bool room = memsys_box_can_request(p->slots->env.memsys, p->slots->env.port, event,
                                       clock_now(&p->slots->clock));
    p->refusals = (uint8_t)(p->refusals + !room);
    return room;
}

struct mem_request port_request(const struct mem_port *p, uint8_t kind,
                                const struct transaction *tx, uint32_t tag)
{
    return (struct mem_request){.line = tx->line,
                                .tag = tag,
                                .source = (uint16_t)p->slots->env.port,
                                .kind = kind,
                                .sectors = tx->sectors,
                                .words = tx->words,
                                .partial = tx->partial,
                                .collisions = tx->collisions,
                                .event = tx->event,
                                .owner = tx->owner};
}

bool port_forward(struct mem_port *p, const struct mem_request *request)
{
    if (p->used)
        return false;
    p->used = memsys_box_request(p->slots->env.memsys, request, clock_now(&p->slots->clock));
    p->refusals = (uint8_t)(p->refusals + !p->used);
    return p->used;
}

bool port_send(struct mem_port *p, uint8_t kind, const struct transaction *tx, uint32_t tag)
{
    struct mem_request request = port_request(p, kind, tx, tag);
    return port_forward(p, &request);
}
