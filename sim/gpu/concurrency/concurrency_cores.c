/* The cores' tiles: their inputs from the cores, kept as runs, and their limits to the cores. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/concurrency/concurrency_internal.h"
#include "sim/mem/memsys.h"
#include "sm_concurrency_unit_next.h"
#include "tb/serial.h"

/* Edges after that of the tick at which the averages are as the decision sees them (cm_bal_core).
 */
enum { READ_OWN = 3, READ_LOWER = 4, READ_UPPER = 5, READ_VALID = 6 };

/* The tile's count stops here. */
#define COUNT_MOST 2047u

/* --- set-up ----------------------------------------------------------------------------------- */

static bool boot_step(struct concurrency *c, struct core_side *s, struct error *err)
{
    c->core_steps++;
    return tile_step(s->tile, &s->in, &s->out, err);
}

/* The mode, and the limit of FIXED, in the cycles before the first. */
static bool boot(struct concurrency *c, struct core_side *s, struct error *err)
{
    tile_reset(s->tile, &s->out);
    s->in = (struct sm_concurrency_unit_in){.cm_set = 1,
                                            .cm_mode = c->unit_out.cm_mode,
                                            .cm_k = c->unit_out.cm_k,
                                            .cm_patience = c->unit_out.cm_patience,
                                            .cm_pivot = c->unit_out.cm_pivot};
    if (!boot_step(c, s, err))
        return false;
    s->in.cm_set = 0;
    if (c->config.choice.policy == CONCURRENCY_FIXED) {
        s->in.reg_valid = s->in.reg_write = 1;
        s->in.reg_addr = CM_CORE_REG_LIMIT;
        s->in.reg_data = (uint16_t)c->config.choice.limit;
        if (!boot_step(c, s, err))
            return false;
        s->in.reg_valid = s->in.reg_write = 0;
    }
    while (!s->out.idle)
        if (!boot_step(c, s, err))
            return false;
    return true;
}

/* The highest level is every warp of the core. */
static void obey(struct core_side *s)
{
    s->limit = s->out.limit;
    core_set_warp_limit(s->core, s->limit == EVG_CM_LEVEL_8 ? 0 : s->limit);
}

bool cores_create(struct concurrency *c, struct error *err)
{
    bool next = c->config.choice.policy == CONCURRENCY_CM_NEXT;
    /* Lockstep gives every edge, so that the tile counts itself; cm_next_core has more counts. */
    c->adds_up = !next && c->env.backend != TILE_LOCKSTEP;
    c->core = ALLOC_ARRAY(struct core_side, c->env.cores);
    for (uint32_t i = 0; i < c->env.cores; i++) {
        struct core_side *s = &c->core[i];
        char name[16];
        snprintf(name, sizeof name, "cm%u", i);
        s->core = c->env.core[i];
        s->tile = tile_create_on(next ? &sm_concurrency_unit_next_kind : &sm_concurrency_unit_kind,
                                 c->env.backend, c->env.place, name, err);
        if (!s->tile || !boot(c, s, err))
            return false;
        core_watch_signals(s->core, c->config.choice.policy == CONCURRENCY_DYNCTA);
        obey(s);
    }
    return true;
}

void cores_destroy(struct concurrency *c)
{
    for (uint32_t i = 0; c->core && i < c->env.cores; i++) {
        tile_destroy(c->core[i].tile);
        free(c->core[i].runs);
    }
    free(c->core);
}

/* --- inputs ----------------------------------------------------------------------------------- */

static void push(struct core_side *s, uint8_t inputs, uint64_t edges)
{
    struct input_run *last = s->n_runs ? &s->runs[s->n_runs - 1] : NULL;
    s->known += edges;
    if (last && last->inputs == inputs && last->edges + edges <= UINT32_MAX) {
        last->edges += (uint32_t)edges;
        return;
    }
    ARRAY_RESERVE(s->runs, s->n_runs, s->cap_runs);
    s->runs[s->n_runs++] = (struct input_run){(uint32_t)edges, inputs};
}

/* Counted for DYNCTA and for the means, as the edges become known. */
static void account(struct concurrency *c, struct core_side *s, uint8_t inputs, bool memory,
                    uint64_t edges)
{
    if (!(inputs & INPUT_ACTIVE))
        return;
    c->sums.active_cycles += edges;
    c->sums.active_limit_cycles += edges * s->limit;
    if (inputs & (c->env.schedulers == 1 ? INPUT_READY : 3 * INPUT_READY))
        return;
    if (memory)
        s->dyncta.memory += edges;
    else
        s->dyncta.idle += edges;
}

void core_settle(struct concurrency *c, struct core_side *s, uint64_t edge)
{
    if (s->known >= edge)
        return;
    account(c, s, s->rest, s->rest_memory, edge - s->known);
    push(s, s->rest, edge - s->known);
}

static uint8_t inputs_of(const struct concurrency *c, const struct core_signals *signals)
{
    uint32_t absent = c->env.schedulers == 1 ? 2 : 0;
    return (uint8_t)((signals->active ? INPUT_ACTIVE : 0) |
                     (signals->ready | absent) * INPUT_READY | signals->full * INPUT_FULL);
}

void concurrency_core_ticked(struct concurrency *c, uint32_t core, uint64_t cycle)
{
    struct core_side *s = &c->core[core];
    struct core_signals signals = core_signals(s->core);
    uint8_t inputs = inputs_of(c, &signals);
    core_settle(c, s, cycle);
    account(c, s, inputs, signals.memory, 1);
    push(s, inputs, 1);
    /* A core that is not ticked issues nothing. */
    signals = core_signals_at_rest(s->core);
    s->rest = inputs_of(c, &signals);
    s->rest_memory = signals.memory;
}

void cores_pulse(struct concurrency *c)
{
    for (uint32_t i = 0; c->pulses && i < c->env.cores; i++) {
        struct core_side *s = &c->core[i];
        core_settle(c, s, c->now + 1);
        struct input_run *last = &s->runs[s->n_runs - 1];
        uint8_t inputs = last->inputs | c->pulses;
        s->known--;
        if (!--last->edges)
            s->n_runs--;
        push(s, inputs, 1);
    }
    c->pulses = 0;
}

/* --- edges ------------------------------------------------------------------------------------ */

/* The tile would stand still at an edge with these inputs. */
static bool still(const struct core_side *s, uint8_t inputs)
{
    return s->out.idle && !(inputs & (INPUT_ACTIVE | INPUT_BEGIN | INPUT_END)) &&
           !s->in.core_active;
}

/* Stalls at an edge: each scheduler without a ready warp, or whose register is full. */
static uint32_t stalls_at(uint8_t inputs)
{
    uint32_t ready = inputs / INPUT_READY & 3, full = inputs / INPUT_FULL & 3;
    return inputs & INPUT_ACTIVE ? (uint32_t)__builtin_popcount((~ready | full) & 3) : 0;
}

static void count_stalls(struct core_side *s, uint8_t inputs, uint64_t edges)
{
    uint64_t sum = s->counted + edges * stalls_at(inputs);
    s->counted = (uint32_t)(sum < COUNT_MOST ? sum : COUNT_MOST);
}

static bool step_tile(struct concurrency *c, struct core_side *s, uint8_t inputs, struct error *err)
{
    s->in.core_active = inputs & INPUT_ACTIVE;
    s->in.sched_ready = inputs / INPUT_READY & 3;
    s->in.sched_full = inputs / INPUT_FULL & 3;
    s->in.kernel_begin = (inputs & INPUT_BEGIN) != 0;
    s->in.kernel_end = (inputs & INPUT_END) != 0;
    c->core_steps++;
    return tile_step(s->tile, &s->in, &s->out, err);
}

static bool step(struct concurrency *c, struct core_side *s, uint8_t inputs, struct error *err)
{
    count_stalls(s, inputs, 1);
    s->fed++;
    return step_tile(c, s, inputs, err);
}

/* The first edges have been given. */
static void consume(struct core_side *s, uint32_t edges)
{
    struct input_run *run = &s->runs[s->first_run];
    run->edges -= edges;
    s->first_run += !run->edges;
    if (s->first_run == s->n_runs)
        s->first_run = s->n_runs = 0;
}

/* Edges of the first run that lie before `edge`. */
static uint32_t first_edges(const struct core_side *s, uint64_t edge)
{
    uint64_t left = edge - s->fed;
    uint32_t edges = s->runs[s->first_run].edges;
    return edges < left ? edges : (uint32_t)left;
}

/* At the edges before `edge`, up to a pulse, the tile does nothing but count: true when they were
 * given to it as one, the last of them, with their sum written to STALL. */
static bool give_sum(struct concurrency *c, struct core_side *s, uint64_t edge, struct error *err)
{
    uint8_t inputs = 0;
    while (s->fed < edge && !(s->runs[s->first_run].inputs & (INPUT_BEGIN | INPUT_END))) {
        uint32_t edges = first_edges(s, edge);
        inputs = s->runs[s->first_run].inputs;
        count_stalls(s, inputs, edges);
        s->fed += edges;
        consume(s, edges);
    }
    s->in.reg_valid = s->in.reg_write = 1;
    s->in.reg_addr = CM_CORE_REG_STALL;
    s->in.reg_data = (uint16_t)s->counted;
    bool ok = step_tile(c, s, inputs, err);
    s->in.reg_valid = s->in.reg_write = 0;
    return ok;
}

/* ... which takes the place of several edges, and is exact, in cm_bal_core: between a decision and
 * the next tick only STALL changes. */
static bool adds_up(const struct concurrency *c, const struct core_side *s, uint64_t edge)
{
    return c->adds_up && s->out.state == CM_CORE_STATE_IDLE && edge - s->fed > 1 &&
           !(s->runs[s->first_run].inputs & (INPUT_BEGIN | INPUT_END));
}

/* The runs up to `edge`, without a command. */
static bool give_runs(struct concurrency *c, struct core_side *s, uint64_t edge, struct error *err)
{
    while (s->fed < edge) {
        uint32_t edges = first_edges(s, edge);
        uint8_t inputs = s->runs[s->first_run].inputs;
        if (still(s, inputs)) {
            s->fed += edges;
            consume(s, edges);
        } else if (adds_up(c, s, edge)) {
            if (!give_sum(c, s, edge, err))
                return false;
        } else {
            if (!step(c, s, inputs, err))
                return false;
            consume(s, 1);
        }
    }
    return true;
}

/* The registers that are read, or written, at this edge. LIMIT and STALL are the same in every
 * tile; cm_next_core has no averages of levels. */
static void use_registers(struct concurrency *c, struct core_side *s, uint64_t since_tick)
{
    uint32_t level = concurrency_level(s->limit);
    s->in.reg_valid = s->in.reg_write = 0;
    if (since_tick == 0) {
        s->in.reg_valid = 1;
        s->in.reg_addr = CM_CORE_REG_STALL;
    } else if (s == &c->core[c->config.watched_core] && since_tick >= READ_OWN &&
               since_tick <= READ_VALID && level < EVG_CM_LEVELS &&
               c->config.choice.policy != CONCURRENCY_CM_NEXT) {
        static const int8_t beside[] = {0, -1, 1};
        s->in.reg_valid = 1;
        s->in.reg_addr = CM_CORE_REG_VALID;
        if (since_tick < READ_VALID)
            s->in.reg_addr =
                (uint8_t)(CM_CORE_REG_AVERAGE_0 + (int)level + beside[since_tick - READ_OWN]);
    } else if (s->wanted && s->out.state == CM_CORE_STATE_IDLE) {
        s->in.reg_valid = s->in.reg_write = 1;
        s->in.reg_addr = CM_CORE_REG_LIMIT;
        s->in.reg_data = s->wanted;
        s->wanted = 0;
    }
}

static bool take_registers(struct concurrency *c, struct core_side *s, uint64_t since_tick,
                           struct error *err)
{
    if (since_tick == 0) {
        s->stalls = s->out.reg_rdata;
        return s->stalls == s->ended ||
               error_set(err, "core %u: sm_concurrency_unit has counted %u stalls, the core had %u",
                         (uint32_t)(s - c->core), s->stalls, s->ended);
    }
    if (s->in.reg_valid && !s->in.reg_write)
        series_average(c, (uint32_t)since_tick - READ_OWN, s->out.reg_rdata);
    return true;
}

static bool give_edge(struct concurrency *c, struct core_side *s, uint64_t edge, struct error *err)
{
    core_settle(c, s, edge + 1);
    if (!give_runs(c, s, edge, err))
        return false;
    uint64_t since_tick = edge - c->tick_edge;
    use_registers(c, s, since_tick);
    s->in.cm_tick = c->unit_out.cm_tick;
    s->in.cm_decision = c->unit_out.cm_decision;
    uint8_t inputs = s->runs[s->first_run].inputs;
    if (!s->in.reg_valid && !s->in.cm_tick)
        return give_runs(c, s, edge + 1, err);
    if (s->in.cm_tick) {
        s->ended = s->counted;
        s->counted = 0;
    }
    if (!step(c, s, inputs, err))
        return false;
    consume(s, 1);
    if (!take_registers(c, s, since_tick, err))
        return false;
    s->in.cm_tick = s->in.reg_valid = s->in.reg_write = 0;
    return true;
}

bool cores_give(struct concurrency *c, uint64_t edge, struct error *err)
{
    if (c->unit_out.cm_tick)
        c->tick_edge = edge;
    for (uint32_t i = 0; i < c->env.cores; i++) {
        struct core_side *s = &c->core[i];
        if (!give_edge(c, s, edge, err))
            return false;
        if (s->out.limit == s->limit)
            continue;
        series_limit(c, i, edge + 1);
        obey(s);
        c->env.core_wake[i] = edge + 1;
    }
    return true;
}

bool cores_decide(const struct concurrency *c)
{
    for (uint32_t i = 0; i < c->env.cores; i++)
        if (c->core[i].out.state != CM_CORE_STATE_IDLE || c->core[i].wanted)
            return true;
    return false;
}
