#include "sim/mem/stall_monitor.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mem_frontend_counters.h"
#include "sim/mem/region/fe.h"
#include "tb/serial.h"

/* Equal L2 cycles, one after the other. */
struct run {
    uint64_t cycles;
    bool memory, network;
};

struct stall_monitor {
    struct fe *fe;
    struct tile *tile;
    struct mem_frontend_in in;
    struct mem_frontend_out out;
    struct run *runs; /* not yet given to the tile */
    uint32_t n_runs, cap_runs;
    uint64_t next; /* L2 cycle */
    bool asked, answered, at_once;
    uint16_t memory, network; /* as they were read */
    uint64_t steps;
};

/* The tile without its scheduler. A board has the whole tile and none of its variants, and what is
 * recorded is replayed there. */
static struct tile *create_tile(const struct stall_monitor_config *config, struct error *err)
{
    const struct tile_place *place = config->place;
    bool whole =
        place->ports || (place->board && serial_link_has(place->board, &mem_frontend_kind));
    char name[24];
    snprintf(name, sizeof name, "partition%u", config->partition);
    return tile_create_on(whole ? &mem_frontend_kind : &mem_frontend_counters_kind, config->backend,
                          place, name, err);
}

struct stall_monitor *stall_monitor_create(const struct stall_monitor_config *config,
                                           struct error *err)
{
    struct stall_monitor *m = ALLOC(struct stall_monitor);
    m->fe = config->fe;
    if (m->fe)
        return m;
    m->tile = create_tile(config, err);
    if (!m->tile) {
        stall_monitor_destroy(m);
        return NULL;
    }
    tile_reset(m->tile, &m->out);
    while (!m->out.idle) { /* the whole tile marks the words of a region that nobody uses */
        if (!tile_step(m->tile, &m->in, &m->out, err)) {
            stall_monitor_destroy(m);
            return NULL;
        }
    }
    return m;
}

void stall_monitor_destroy(struct stall_monitor *m)
{
    if (!m)
        return;
    tile_destroy(m->tile);
    free(m->runs);
    free(m);
}

/* A request, or a reply, stands before a queue that cannot take it. */
static bool give_edge(struct stall_monitor *m, bool memory, bool network, bool read,
                      struct error *err)
{
    m->in.mc_valid = memory;
    m->in.net_valid = network;
    m->in.stall_read = read;
    m->steps++;
    return tile_step(m->tile, &m->in, &m->out, err);
}

static bool give_runs(struct stall_monitor *m, struct error *err)
{
    for (uint32_t i = 0; i < m->n_runs; i++) {
        const struct run *run = &m->runs[i];
        bool stalls = run->memory || run->network;
        for (uint64_t n = run->cycles; n && (stalls || !m->out.idle); n--)
            if (!give_edge(m, run->memory, run->network, false, err))
                return false;
    }
    m->n_runs = 0;
    return true;
}

static void note(struct stall_monitor *m, bool memory, bool network, uint64_t cycles)
{
    struct run *last = m->n_runs ? &m->runs[m->n_runs - 1] : NULL;
    m->next += cycles;
    if (last && last->memory == memory && last->network == network) {
        last->cycles += cycles;
        return;
    }
    ARRAY_RESERVE(m->runs, m->n_runs, m->cap_runs);
    m->runs[m->n_runs++] = (struct run){cycles, memory, network};
}

bool stall_monitor_tick(struct stall_monitor *m, uint64_t l2_cycle, bool memory, bool network,
                        struct error *err)
{
    if (m->fe) {
        m->answered |= fe_stalls(m->fe, memory, network, m->asked, &m->memory, &m->network);
        m->asked &= !m->answered;
        return true;
    }
    if (l2_cycle > m->next)
        note(m, false, false, l2_cycle - m->next);
    if (!m->asked) {
        note(m, memory, network, 1);
        return !m->at_once || give_runs(m, err);
    }
    if (!give_runs(m, err))
        return false;
    m->memory = m->out.stall_mc;
    m->network = m->out.stall_net;
    m->asked = false;
    m->answered = true;
    m->next++;
    return give_edge(m, memory, network, true, err);
}

void stall_monitor_ask(struct stall_monitor *m)
{
    m->asked = true;
}

bool stall_monitor_asked(const struct stall_monitor *m)
{
    return m->asked;
}

bool stall_monitor_answer(struct stall_monitor *m, uint16_t *memory, uint16_t *network)
{
    if (!m->answered)
        return false;
    m->answered = false;
    *memory = m->memory;
    *network = m->network;
    return true;
}

struct tile *stall_monitor_tile(struct stall_monitor *m)
{
    m->at_once = true;
    return m->tile;
}

uint64_t stall_monitor_steps(const struct stall_monitor *m)
{
    return m->steps;
}
