/* The way of kernels' stores to devices on PCIe: through the GPU's network in a fixed time, half of
 * the round trip to L2 and without contention (they are few), then to the link in order. The store
 * is acknowledged when the link has taken it. Writes that kernels poll, of devices, go the other
 * way: they change memory when L2 performs them. */
#include <string.h>

#include "sim/gpu/gpu_internal.h"
#include "sim/simt/core_env.h"

bool bus_port_room_for_all(const struct gpu *gpu)
{
    return gpu->bus.count + gpu->config.cores <= BUS_STORES;
}

static bool on_room(void *user, uint32_t core)
{
    struct gpu *gpu = user;
    struct bus_port *port = &gpu->bus;
    (void)core;
    if (bus_port_room_for_all(gpu))
        return true;
    if (port->count + port->granted == BUS_STORES)
        return false;
    port->granted++;
    return true;
}

static void on_store(void *user, const struct bus_store *store)
{
    struct gpu *gpu = user;
    struct bus_port *port = &gpu->bus;
    struct queued_store *q = &port->queue[(port->head + port->count++) % BUS_STORES];
    q->store = *store;
    q->due = gpu->cycle + port->latency;
}

static void on_mark(void *user, const struct core_mark *mark)
{
    struct gpu *gpu = user;
    if (gpu->calls.mark)
        gpu->calls.mark(gpu->calls.user, mark);
}

void bus_port_connect(struct gpu *gpu, struct core_env *env)
{
    env->bus = &gpu->bus.map;
    env->bus_room = on_room;
    env->bus_store = on_store;
    env->mark = on_mark;
}

void bus_port_create(struct gpu *gpu)
{
    gpu->bus.latency = memsys_least_latency(gpu->memsys) / 2;
}

bool gpu_map_bus(struct gpu *gpu, const struct bus_window *window, struct error *err)
{
    struct bus_map *map = &gpu->bus.map;
    if (map->count == BUS_WINDOWS)
        return error_set(err, "more than %u devices have memory for stores of kernels",
                         BUS_WINDOWS);
    map->window[map->count++] = *window;
    return true;
}

void bus_port_tick(struct gpu *gpu)
{
    struct bus_port *port = &gpu->bus;
    const struct bus_store *store = &port->queue[port->head].store;
    if (!port->count || port->queue[port->head].due > gpu->cycle ||
        !gpu->calls.bus_write(gpu->calls.user, store->address, store->data, store->bytes))
        return;
    core_bus_stored(gpu->sm[store->core].core, store->account);
    gpu->core_wake[store->core] = gpu->cycle;
    port->head = (port->head + 1) % BUS_STORES;
    port->count--;
}

uint64_t bus_port_next(const struct gpu *gpu)
{
    const struct bus_port *port = &gpu->bus;
    return port->count ? port->queue[port->head].due : UINT64_MAX;
}

/* --- words that kernels poll -------------------------------------------------------------------
 */

bool gpu_polled_write(struct gpu *gpu, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    struct bus_port *port = &gpu->bus;
    if (!port->n_free_words && !port->words_made) {
        for (uint32_t i = 0; i < POLLED_WRITES; i++)
            port->free_word[port->n_free_words++] = (uint16_t)(POLLED_WRITES - 1 - i);
        port->words_made = true;
    }
    if (!port->n_free_words)
        return false;
    uint32_t i = port->free_word[port->n_free_words - 1];
    if (!host_port_send(gpu, REQUEST_ATOMIC, address, bytes, HOST_TAG_POLLED | i))
        return false;
    port->n_free_words--;
    port->word[i] = (struct polled_write){.address = address, .bytes = bytes};
    memcpy(port->word[i].data, data, bytes);
    return true;
}

void bus_port_perform(struct gpu *gpu, const struct mem_request *request)
{
    const struct polled_write *w = &gpu->bus.word[request->tag & ~HOST_TAG_POLLED];
    memcpy(gpu->image.base + w->address, w->data, w->bytes);
}

void bus_port_reply(struct gpu *gpu, const struct mem_request *reply)
{
    gpu->bus.free_word[gpu->bus.n_free_words++] = (uint16_t)(reply->tag & ~HOST_TAG_POLLED);
}
