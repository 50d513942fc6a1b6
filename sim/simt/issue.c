/* Issue: greedy-then-oldest schedulers over ready masks, execution units, and functional execution.
 *
 * A scheduler issues one warp instruction per cycle. Victims being flushed and running events come
 * first (EDGE IV-D), then the warp it issued from last, then the oldest ready warp. */
#include "sim/simt/core_internal.h"

enum stall_kind { STALL_EMPTY, STALL_BARRIER, STALL_SCOREBOARD, STALL_UNIT };

void issue_pipe(struct core *c, uint32_t w, const struct inst *inst, uint32_t latency)
{
    uint64_t done = c->cycle + latency;
    struct node *n = wheel_add(&c->wheel, done);
    n->kind = NODE_PIPE;
    n->warp = (uint8_t)w;
    n->inst = inst;
    pending_set(c, w, inst);
    c->pipe[w]++;
    if (done > c->pipe_until[w])
        c->pipe_until[w] = done;
}

static void issue_exit(struct core *c, uint32_t w, uint32_t mask)
{
    if (mask && stack_exit(c, w, mask))
        return;
    if (!mask) {
        stack_advance(c, w);
        return;
    }
    warp_exited(c, w);
    warp_settle(c, w);
}

static void issue_fence(struct core *c, uint32_t w)
{
    stack_advance(c, w);
    c->at_fence |= BIT(w);
    warp_settle(c, w);
}

/* Everything that an instruction does, except for its unit. False: it has not been issued. */
static bool execute(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = c->ctx[w];
    switch (inst->class) {
    case INST_ALU:
        ctx->clock = c->cycle;
        ctx->globaltimer = c->nanoseconds;
        if (mask)
            inst->exec(inst, ctx, mask);
        issue_pipe(c, w, inst, c->config.latency[inst->timing]);
        stack_advance(c, w);
        return true;
    case INST_LOAD:
    case INST_STORE:
    case INST_ATOMIC:
        if (!mask)
            issue_pipe(c, w, inst, c->config.latency[TIMING_MEM]);
        else if (!memory_issue(c, w, inst, mask))
            return false;
        stack_advance(c, w);
        return true;
    case INST_BRANCH:
        stack_branch(c, w, inst, mask);
        return true;
    case INST_EXIT:
        issue_exit(c, w, mask);
        return true;
    case INST_BARRIER:
        stack_advance(c, w);
        if (mask)
            barrier_arrive(c, w, inst, mask);
        return true;
    case INST_FENCE:
        issue_fence(c, w);
        return true;
    default:
        if (mask)
            fail_at(c, w, inst, lowest(mask), "trap");
        else
            stack_advance(c, w);
        return !mask;
    }
}

static void take_unit(struct core *c, const struct inst *inst)
{
    uint32_t u = inst->unit, copies = c->config.units[u];
    uint64_t *busy = c->unit_busy[u];
    uint32_t i = 0;
    while (busy[i] > c->cycle)
        i++;
    busy[i] = c->cycle + c->config.interval[inst->timing];
    uint64_t first = busy[0];
    for (i = 1; i < copies; i++)
        first = busy[i] < first ? busy[i] : first;
    c->unit_free[u] = first;
    if (first > c->cycle)
        c->units_taken |= 1u << u;
}

static void free_units(struct core *c)
{
    for (uint32_t m = c->units_taken; m; m &= m - 1) {
        uint32_t u = lowest(m);
        if (c->unit_free[u] <= c->cycle)
            c->units_taken &= ~(1u << u);
    }
}

static bool issue_warp(struct core *c, uint32_t w)
{
    const struct inst *inst = c->code[w] + c->pc[w];
    uint32_t mask = inst_guard(inst, c->ctx[w], c->active[w]);
    uint64_t seq = ++c->issued[w];
    uint32_t lanes = lanes_count(mask);
    struct warp *warp = &c->warp[w];
    bool is_event = warp_is_event(c, w);
    /* Counted first: executing exit may give the warp back. */
    warp->warp_instructions++;
    warp->thread_instructions += lanes;
    if (!execute(c, w, inst, mask)) {
        c->issued[w]--;
        warp->warp_instructions--;
        warp->thread_instructions -= lanes;
        warp_refresh(c, w);
        return false;
    }
    /* A load in flight takes the number with it (memory.c); everything else is a younger
     * instruction for the loads before it. */
    if (!c->loads[w] || c->access[c->last_load[w]].seq != seq)
        c->other_seq[w] = seq;
    take_unit(c, inst);
    warp_refresh(c, w);
    c->stats.warp_instructions++;
    c->stats.thread_instructions += lanes;
    if (is_event) {
        c->stats.event_warp_instructions++;
        event_issued(c, w);
    }
    return true;
}

/* Warps whose next instruction has operands and a unit. The warp limit does not hold those of
 * `prio` back. */
static uint64_t unit_ready(const struct core *c, uint64_t prio)
{
    uint32_t taken = c->units_taken;
    if (c->queue_count >= c->config.ldst_queue || !c->n_free_access || !c->n_free_remote)
        taken |= 1u << UNIT_LDST;
    uint64_t ready = 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++)
        ready |= taken >> u & 1 ? 0 : c->head[u];
    return ready & (c->allowed | prio);
}

static enum stall_kind classify(const struct core *c, uint32_t s)
{
    uint64_t mine = c->sched_mask[s], ready = 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++)
        ready |= c->head[u];
    if (ready & mine)
        return STALL_UNIT;
    if (c->ibuf_some & mine & ~c->at_barrier & ~c->frozen)
        return STALL_SCOREBOARD;
    return c->at_barrier & mine ? STALL_BARRIER : STALL_EMPTY;
}

static void count_stall(struct core *c, uint32_t s, uint64_t cycles)
{
    switch (classify(c, s)) {
    case STALL_EMPTY:
        c->stats.stall_empty += cycles;
        break;
    case STALL_BARRIER:
        c->stats.stall_barrier += cycles;
        break;
    case STALL_SCOREBOARD:
        c->stats.stall_scoreboard += cycles;
        break;
    case STALL_UNIT:
        c->stats.stall_unit += cycles;
        break;
    }
}

/* Cycles in which the core was not ticked: nothing was ready, and nothing has changed since. */
void issue_skipped(struct core *c, uint64_t cycles)
{
    for (uint32_t s = 0; c->last_warps && s < c->config.schedulers; s++)
        count_stall(c, s, cycles);
}

static bool schedule(struct core *c, uint32_t s, uint64_t prio)
{
    uint64_t ready = unit_ready(c, prio) & c->sched_mask[s];
    while (ready) {
        uint32_t w;
        if (ready & prio)
            w = oldest(c, ready & prio);
        else if (ready >> c->last[s] & 1)
            w = c->last[s];
        else
            w = oldest(c, ready);
        if (issue_warp(c, w)) {
            c->last[s] = (uint8_t)w;
            return true;
        }
        ready &= ~BIT(w);
    }
    return false;
}

void issue_tick(struct core *c)
{
    if (c->limit_stale)
        warp_update_limit(c);
    if (c->units_taken)
        free_units(c);
    uint64_t prio = c->is_event;
    if (c->vic_valid && c->cmd_prio)
        prio |= BIT(c->vic_slot);
    for (uint32_t s = 0; s < c->config.schedulers; s++) {
        if (!schedule(c, s, prio) && c->resident)
            count_stall(c, s, 1);
    }
}
