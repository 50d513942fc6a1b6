#include "sim/simt/lsu/bus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

void bus_create(struct core *c)
{
    uint32_t slots = c->config.ldst_queue;
    c->bus.slot = ALLOC_ARRAY(struct bus_slot, slots);
    c->bus.free = ALLOC_ARRAY(uint16_t, slots);
    for (uint32_t i = 0; i < slots; i++)
        c->bus.free[c->bus.n_free++] = (uint16_t)(slots - 1 - i);
}

void bus_destroy(struct core *c)
{
    free(c->bus.slot);
    free(c->bus.free);
}

static const struct bus_window *window_of(const struct core *c, uint64_t address, uint32_t bytes)
{
    const struct bus_map *map = c->env.bus;
    uint64_t at = address - BUS_WINDOW;
    for (uint32_t i = 0; map && i < map->count; i++) {
        const struct bus_window *win = &map->window[i];
        if (at >= win->base && at - win->base < win->bytes &&
            bytes <= win->bytes - (at - win->base))
            return win;
    }
    return NULL;
}

static const char *const mixed =
    "in the same instruction as lanes that go to the memory of a device on PCIe";

/* Why the kernel may not do that; NULL: it may. */
static const char *refusal(const struct core *c, uint32_t w, const struct inst *inst,
                           uint64_t address, uint32_t bytes)
{
    if (!bus_address(address))
        return mixed;
    const struct bus_window *win = window_of(c, address, bytes);
    if (!win)
        return "in the window of PCIe, where no device has memory";
    if (win->owner != warp_of(&c->warps, w)->kernel->owner)
        return "in the memory of a device on PCIe that is not this program's";
    if (inst->class != INST_STORE)
        return "in the memory of a device on PCIe, which kernels can only store to";
    return address % ((uint32_t)inst->width * inst->vec) ? "is misaligned" : NULL;
}

bool bus_resolve(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    static const char *const verbs[] = {
        [INST_LOAD] = "load", [INST_STORE] = "store", [INST_ATOMIC] = "atomic"};
    uint32_t bytes = (uint32_t)inst->width * inst->vec;
    char text[200];
    uint32_t elsewhere = p->shared | p->local;
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        const char *why = elsewhere ? mixed : refusal(c, w, inst, address, bytes);
        if (!why)
            continue;
        snprintf(text, sizeof text, "%s of %u byte%s at address 0x%" PRIx64 ", %s",
                 verbs[inst->class], bytes, bytes == 1 ? "" : "s", address, why);
        fail_access(c, w, inst, lane, address % bytes ? FAULT_MISALIGNED : FAULT_ADDRESS, address,
                    text);
        return false;
    }
    p->bus = p->global;
    p->global = 0;
    return true;
}

void bus_issue(struct core *c, uint32_t w, const struct inst *inst, struct places *p)
{
    struct access *a = access_take(c, w, inst, p->bus);
    a->bus = c->bus.free[--c->bus.n_free];
    struct bus_slot *slot = &c->bus.slot[a->bus];
    for (uint32_t m = p->bus; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        slot->address[lane] = p->address[lane] - BUS_WINDOW;
        p->at[lane] = slot->data[lane];
        a->tx[a->n_tx++] = (struct transaction){.lanes = 1u << lane};
    }
    isa_store(inst, warp_ctx(&c->warps, w), p->bus, p->at);
    a->owner = warp_of(&c->warps, w)->owner;
    a->route = ROUTE_BUS;
    a->count = COUNT_STORE;
    a->remaining = 0;
    lsu_accept(c, a);
}

bool bus_send(struct core *c, const struct access *a, uint32_t account)
{
    const struct bus_slot *slot = &c->bus.slot[a->bus];
    uint32_t lane = lowest(a->tx[a->next_tx].lanes);
    struct bus_store store = {.address = slot->address[lane],
                              .bytes = (uint32_t)a->inst->width * a->inst->vec,
                              .core = c->env.port,
                              .account = account};
    memcpy(store.data, slot->data[lane], store.bytes);
    return c->env.bus_store(c->env.user, &store);
}

void bus_release(struct core *c, const struct access *a)
{
    c->bus.free[c->bus.n_free++] = a->bus;
}

void core_bus_stored(struct core *c, uint32_t account)
{
    c->bus.stored[c->bus.n_stored++] = account;
}

void bus_take_answers(struct core *c)
{
    for (uint32_t i = 0; i < c->bus.n_stored; i++)
        lsu_store_done(c, c->bus.stored[i]);
    c->bus.n_stored = 0;
}
