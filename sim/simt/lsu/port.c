#include "sim/simt/lsu/port.h"

#include "sim/mem/memsys.h"

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
