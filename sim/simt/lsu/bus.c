#include "sim/simt/lsu/bus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void bus_create(struct bus *b, struct slots *slots)
{
    uint32_t places = slots->config.ldst_queue;
    b->slots = slots;
    b->slot = ALLOC_ARRAY(struct bus_slot, places);
    b->free = ALLOC_ARRAY(uint16_t, places);
    for (uint32_t i = 0; i < places; i++)
        b->free[b->n_free++] = (uint16_t)(places - 1 - i);
}

void bus_destroy(struct bus *b)
{
    free(b->slot);
    free(b->free);
}

static const struct bus_window *window_of(const struct slots *slots, uint64_t address,
                                          uint32_t bytes)
{
    const struct bus_map *map = slots->env.bus;
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
    "in the same instruction as lanes that access the memory of a PCIe device";

/* Why the kernel may not do that; NULL: it may. */
static const char *refusal(const struct slots *slots, uint32_t w, const struct inst *inst,
                           uint64_t address, uint32_t bytes)
{
    if (!bus_address(address))
        return mixed;
    const struct bus_window *win = window_of(slots, address, bytes);
    if (!win)
        return "in the PCIe window, where no device has memory";
    if (win->owner != warp_of(&slots->warps, w)->kernel->owner)
        return "in another program's memory on a PCIe device";
    if (inst->class != INST_STORE)
        return "in the memory of a PCIe device, which accepts only stores from kernels";
    return address % ((uint32_t)inst->width * inst->vec) ? "is misaligned" : NULL;
}

bool bus_resolve(struct slots *slots, uint32_t w, const struct inst *inst, struct lane_addresses *p)
{
    static const char *const verbs[] = {[INST_LOAD] = "load",
                                        [INST_STORE] = "store",
                                        [INST_ATOMIC] = "atomic",
                                        [INST_COPY] = "copy"};
    uint32_t bytes = (uint32_t)inst->width * inst->vec;
    char text[200];
    uint32_t elsewhere = p->shared | p->local;
    for (uint32_t m = p->global; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t address = p->address[lane];
        const char *why = elsewhere ? mixed : refusal(slots, w, inst, address, bytes);
        if (!why)
            continue;
        snprintf(text, sizeof text, "%s of %u byte%s at address 0x%" PRIx64 ", %s",
                 verbs[inst->class], bytes, bytes == 1 ? "" : "s", address, why);
        fail_access(slots, w, inst, lane, address % bytes ? FAULT_MISALIGNED : FAULT_ADDRESS,
                    address, text);
        return false;
    }
    p->bus = p->global;
    p->global = 0;
    return true;
}

void bus_capture(struct bus *b, struct access *a, struct lane_addresses *p)
{
    a->bus = b->free[--b->n_free];
    struct bus_slot *slot = &b->slot[a->bus];
    for (uint32_t m = p->bus; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        slot->address[lane] = p->address[lane] - BUS_WINDOW;
        p->at[lane] = slot->data[lane];
        a->tx[a->n_tx++] = (struct transaction){.lanes = 1u << lane};
    }
    isa_store(a->inst, warp_ctx(&b->slots->warps, a->warp), p->bus, p->at);
    a->owner = warp_of(&b->slots->warps, a->warp)->owner;
    a->route = ROUTE_BUS;
    a->count = COUNT_STORE;
    a->remaining = 0;
}

bool bus_send(struct bus *b, const struct access *a, uint32_t account)
{
    const struct core_env *env = &b->slots->env;
    const struct bus_slot *slot = &b->slot[a->bus];
    uint32_t lane = lowest(a->tx[a->next_tx].lanes);
    if (env->bus_room && !env->bus_room(env->user, env->port))
        return false;
    struct bus_store *store = &outbox_add(&b->slots->outbox, OUT_BUS_STORE)->bus;
    *store = (struct bus_store){.address = slot->address[lane],
                                .bytes = (uint32_t)a->inst->width * a->inst->vec,
                                .core = env->port,
                                .account = account};
    memcpy(store->data, slot->data[lane], store->bytes);
    return true;
}

void bus_release(struct bus *b, const struct access *a)
{
    b->free[b->n_free++] = a->bus;
}

void bus_stored(struct bus *b, uint32_t account)
{
    b->stored[b->n_stored++] = account;
}

bool bus_take_answer(struct bus *b, uint32_t *account)
{
    if (b->n_taken == b->n_stored) {
        b->n_taken = b->n_stored = 0;
        return false;
    }
    *account = b->stored[b->n_taken++];
    return true;
}
