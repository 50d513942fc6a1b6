#include "sim/gpu/event_rooms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sm_room_unit.h"
#include "tb/serial.h"

struct room_unit {
    struct tile *tile;
    struct sm_room_unit_in in;
    struct sm_room_unit_out out;
    bool touched;   /* since its last tick */
    uint64_t since; /* cycle from which on its room has been what it is */
};

struct event_rooms {
    struct room_unit *unit; /* of each core */
    uint64_t awake;         /* bit per core: a tick can change what its unit says */
    uint64_t interval;
    uint64_t context_cycles, register_cycles, steps;
};

bool event_rooms_create(struct gpu *gpu, struct error *err)
{
    const struct gpu_config *c = &gpu->config;
    if (!c->events.room.on)
        return true;
    struct event_rooms *rooms = gpu->rooms = ALLOC(struct event_rooms);
    rooms->interval = (uint64_t)1 << c->events.room.interval;
    rooms->unit = ALLOC_ARRAY(struct room_unit, c->cores);
    for (uint32_t i = 0; i < c->cores; i++) {
        struct room_unit *u = &rooms->unit[i];
        char name[16];
        snprintf(name, sizeof name, "room%u", i);
        u->tile = tile_create_on(&sm_room_unit_kind, c->backend, &gpu->place, name, err);
        if (!u->tile)
            return false;
        tile_reset(u->tile, &u->out);
        u->in.cfg_shift = (uint8_t)c->events.room.interval;
        u->in.cfg_margin = (uint8_t)c->events.room.margin;
    }
    return true;
}

void event_rooms_destroy(struct event_rooms *rooms, uint32_t cores)
{
    if (!rooms)
        return;
    for (uint32_t i = 0; i < cores; i++)
        tile_destroy(rooms->unit[i].tile);
    free(rooms->unit);
    free(rooms);
}

static void account(struct event_rooms *rooms, const struct room_unit *u, uint64_t now)
{
    rooms->context_cycles += u->out.warps * (now - u->since);
    rooms->register_cycles += (uint64_t)u->out.regs * EVG_REG_UNIT * WARP_SIZE * (now - u->since);
}

static bool step(struct gpu *gpu, uint32_t core, struct error *err)
{
    struct event_rooms *rooms = gpu->rooms;
    struct room_unit *u = &rooms->unit[core];
    const struct sm_room_unit_out before = u->out;
    struct sm_room_unit_out now;
    rooms->steps++;
    if (!tile_step(u->tile, &u->in, &now, err))
        return false;
    if (now.warps != before.warps || now.regs != before.regs) {
        account(rooms, u, gpu->cycle);
        u->since = gpu->cycle;
        core_keep_room(gpu->sm[core].core, now.warps,
                       (uint32_t)now.regs * EVG_REG_UNIT * WARP_SIZE);
        gpu->kmu.dirty = true;
    }
    u->out = now;
    return true;
}

static bool is_tick(const struct gpu *gpu)
{
    return gpu->cycle % gpu->rooms->interval == 0;
}

/* An interval without events, at whose end there is no mean, and all that follow may be left out.
 */
static void end_interval(struct event_rooms *rooms, uint32_t core)
{
    struct room_unit *u = &rooms->unit[core];
    if (!u->touched && !u->out.mean && !u->in.events)
        rooms->awake &= ~((uint64_t)1 << core);
    u->touched = false;
}

bool event_rooms_tick(struct gpu *gpu, struct error *err)
{
    struct event_rooms *rooms = gpu->rooms;
    bool tick = is_tick(gpu);
    for (uint64_t left = gpu->active_units | rooms->awake; left; left &= left - 1) {
        uint32_t core = (uint32_t)__builtin_ctzll(left);
        struct room_unit *u = &rooms->unit[core];
        const struct sm_unit *sm = &gpu->sm[core];
        bool changed = sm->in.ev_valid || sm->out.occupancy != u->in.events;
        if (changed) {
            rooms->awake |= (uint64_t)1 << core;
            u->touched = true;
        }
        if (!changed && !tick && u->out.idle)
            continue;
        if (tick)
            end_interval(rooms, core);
        u->in.events = sm->out.occupancy;
        u->in.take = sm->in.ev_valid;
        u->in.regs = sm->in.ev_regs;
        u->in.tick = tick;
        u->in.at = (uint32_t)((gpu->cycle - 1) % rooms->interval + 1);
        if (!step(gpu, core, err))
            return false;
    }
    return true;
}

uint64_t event_rooms_next(const struct gpu *gpu)
{
    const struct event_rooms *rooms = gpu->rooms;
    if (!rooms->awake)
        return UINT64_MAX;
    for (uint64_t left = rooms->awake; left; left &= left - 1) {
        uint32_t core = (uint32_t)__builtin_ctzll(left);
        if (!rooms->unit[core].out.idle ||
            rooms->unit[core].in.events != gpu->sm[core].out.occupancy)
            return gpu->cycle;
    }
    return (gpu->cycle + rooms->interval - 1) / rooms->interval * rooms->interval;
}

bool event_rooms_trace(const struct gpu *gpu, struct tile_trace *trace, struct error *err)
{
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (!tile_trace_add(trace, gpu->rooms->unit[i].tile, err))
            return false;
    }
    return true;
}

void event_rooms_stats(const struct gpu *gpu, struct event_rooms_stats *stats)
{
    *stats = (struct event_rooms_stats){.on = gpu->rooms != NULL};
    if (!gpu->rooms)
        return;
    struct event_rooms now = *gpu->rooms;
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        account(&now, &now.unit[i], gpu->cycle);
    stats->context_cycles = now.context_cycles;
    stats->register_cycles = now.register_cycles;
    stats->steps = now.steps;
}
