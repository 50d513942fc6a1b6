/* Line requests of the host and of devices to the synchronised region. Their data move when the
 * region's tile lets them go to memory, not when they come in. */
#include <string.h>

#include "sim/gpu/gpu_internal.h"

#define NO_SLOT UINT32_MAX

void region_requests_create(struct gpu *gpu)
{
    struct region_port *port = &gpu->region;
    for (uint32_t i = 0; i < REGION_REQUESTS; i++)
        port->slot[i].next = i + 1 < REGION_REQUESTS ? i + 1 : NO_SLOT;
    for (uint32_t l = 0; l < 2; l++)
        port->list[l] = (struct region_list){.first = NO_SLOT, .last = NO_SLOT};
}

bool region_requests_has(const struct gpu *gpu, uint64_t address, uint64_t bytes)
{
    return gpu->region.open && address < gpu->region.base + gpu->region.bytes &&
           address + bytes > gpu->region.base;
}

/* Slots that requests with, or without, a trigger may still take. */
static uint32_t room(const struct gpu *gpu, bool triggered)
{
    uint32_t most = gpu->config.fe.host_requests;
    most = triggered ? most : REGION_REQUESTS - most;
    return most - gpu->region.list[triggered].places;
}

static void enqueue(struct gpu *gpu, const struct region_request *r, bool answered)
{
    struct region_port *port = &gpu->region;
    bool triggered = r->trigger != TRIGGER_NONE;
    struct region_list *list = &port->list[triggered];
    uint32_t i = port->free_slot;
    struct region_slot *slot = &port->slot[i];
    port->in_use = true;
    port->free_slot = slot->next;
    slot->to = r->write ? NULL : r->data;
    slot->moves = r->data != NULL;
    slot->address = r->address;
    slot->bytes = r->bytes;
    slot->tag = r->tag;
    slot->next = NO_SLOT;
    slot->triggered = triggered;
    slot->answered = answered;
    if (r->write && r->data)
        memcpy(slot->data, r->data, r->bytes);
    uint64_t line = r->address & ~(uint64_t)(LINE_BYTES - 1);
    port->request[i] = (struct mem_request){.line = line,
                                            .tag = HOST_TAG_REGION | i,
                                            .source = (uint16_t)gpu->host.port,
                                            .kind = r->write ? REQUEST_WRITE : REQUEST_READ,
                                            .trigger = r->trigger,
                                            .action = r->action};
    uint32_t from = (uint32_t)(r->address - line);
    host_port_cover(&port->request[i], from, from + r->bytes);
    if (list->last == NO_SLOT)
        list->first = i;
    else
        port->slot[list->last].next = i;
    list->last = i;
    list->places++;
}

static void move_now(struct gpu *gpu, const struct region_request *r)
{
    uint8_t *at = gpu->image.base + r->address;
    if (r->write)
        memcpy(at, r->data, r->bytes);
    else
        memcpy(r->data, at, r->bytes);
}

bool gpu_region_request(struct gpu *gpu, const struct region_request *r)
{
    if (!room(gpu, r->trigger != TRIGGER_NONE))
        return false;
    if (r->data && !region_requests_has(gpu, r->address, r->bytes))
        move_now(gpu, r);
    enqueue(gpu, r, true);
    return true;
}

bool region_requests_write_lines(struct gpu *gpu, uint64_t address, const uint8_t *data,
                                 uint32_t bytes)
{
    uint64_t end = address + bytes;
    uint64_t lines = (end - 1) / LINE_BYTES - address / LINE_BYTES + 1;
    if (room(gpu, false) < lines)
        return false;
    while (address < end) {
        uint64_t stop = (address & ~(uint64_t)(LINE_BYTES - 1)) + LINE_BYTES;
        stop = stop < end ? stop : end;
        uint32_t part = (uint32_t)(stop - address);
        /* The copy is the slot's; the data are not written here. */
        enqueue(gpu,
                &(struct region_request){.address = address,
                                         .bytes = part,
                                         .write = true,
                                         .action = ACTION_FILL,
                                         .data = (uint8_t *)(uintptr_t)data},
                false);
        address = stop;
        data += part;
    }
    return true;
}

const struct mem_request *region_requests_next(const struct gpu *gpu, uint32_t list)
{
    uint32_t i = gpu->region.list[list].first;
    return i == NO_SLOT ? NULL : &gpu->region.request[i];
}

void region_requests_sent(struct gpu *gpu, uint32_t list)
{
    struct region_list *l = &gpu->region.list[list];
    l->first = gpu->region.slot[l->first].next;
    if (l->first == NO_SLOT)
        l->last = NO_SLOT;
}

void region_requests_perform(struct gpu *gpu, const struct mem_request *request)
{
    if (!(request->tag & HOST_TAG_REGION))
        return; /* a read whose data are taken when it is answered */
    struct region_slot *slot = &gpu->region.slot[request->tag & ~HOST_TAG_REGION];
    uint8_t *at = gpu->image.base + slot->address;
    if (!slot->moves)
        return;
    if (request->kind == REQUEST_WRITE)
        memcpy(at, slot->data, slot->bytes);
    else
        memcpy(slot->to, at, slot->bytes);
}

void region_requests_reply(struct gpu *gpu, const struct mem_request *reply)
{
    struct region_port *port = &gpu->region;
    uint32_t i = reply->tag & ~HOST_TAG_REGION;
    struct region_slot *slot = &port->slot[i];
    bool answered = slot->answered;
    port->list[slot->triggered].places--;
    slot->next = port->free_slot;
    port->free_slot = i;
    uint32_t status = reply->failed ? REGION_FAILED : reply->released ? REGION_RELEASED : REGION_OK;
    if (answered && gpu->calls.region_done)
        gpu->calls.region_done(gpu->calls.user, slot->tag, status);
}
