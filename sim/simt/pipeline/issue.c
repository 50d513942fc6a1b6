/* Issue: greedy-then-oldest schedulers over ready masks, execution units, and functional execution.
 *
 * A scheduler issues one warp instruction per cycle. Victims being flushed and running events come
 * first (EDGE IV-D), then the warp it issued from last, then the oldest ready warp. */
#include "sim/simt/pipeline/issue.h"

#include <stdio.h>

#include "sim/simt/core_internal.h"

void issue_create(struct core *c)
{
    c->issue.allowed = UINT64_MAX;
    c->issue.limit_stale = true;
    for (uint32_t w = 0; w < c->config.warps; w++)
        c->issue.sched_mask[w % c->config.schedulers] |= BIT(w);
}

void issue_pipe(struct core *c, uint32_t w, const struct inst *inst, uint32_t latency)
{
    uint64_t done =
        clock_now(&c->clock) + c->config.operand_cycles + latency + c->config.writeback_cycles;
    struct node *n = wheel_add(&c->wheel, done);
    n->kind = NODE_PIPE;
    n->warp = (uint8_t)w;
    n->inst = inst;
    pending_set(&c->scoreboard, w, inst);
    pipe_enter(&c->scoreboard, w, done);
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
    stack_polls(&c->stacks, w);
    stack_advance(c, w);
    c->issue.at_fence |= BIT(w);
    warp_settle(c, w);
}

/* nanosleep: PTX allows any time up to twice what is asked for; the timing wheel limits ours. */
static void issue_sleep(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    if (mask) {
        uint64_t ns = isa_sleep(inst, warp_ctx(&c->warps, w), mask);
        uint64_t cycles = ns * c->env.core_khz / 1000000 + 1;
        uint32_t most = wheel_reach(&c->wheel);
        issue_pipe(c, w, inst, cycles < most ? (uint32_t)cycles : most);
        c->issue.asleep |= BIT(w);
        stack_polls(&c->stacks, w);
    }
    stack_advance(c, w);
}

/* Lanes may call different functions by address; each must be there and have room for its frame. */
static void issue_call(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = warp_ctx(&c->warps, w);
    const struct kernel *kernel = warp_of(&c->warps, w)->kernel;
    uint32_t function[WARP_SIZE], target[WARP_SIZE];
    char text[256];
    isa_call(inst, ctx, mask, function);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m), n = function[lane];
        const struct kernel_function *f =
            n < kernel->n_functions && kernel->functions[n].present ? &kernel->functions[n] : NULL;
        if (f && !f->defect && ctx->frame[lane] + (uint64_t)f->frame_bytes <= ctx->local_bytes) {
            target[lane] = f->first;
            continue;
        }
        if (!f)
            snprintf(text, sizeof text, "call of an address that is not a function's");
        else if (f->defect)
            snprintf(text, sizeof text, "function %.60s cannot run: %.160s", f->name, f->defect);
        else
            snprintf(text, sizeof text,
                     "stack overflow: function %.80s needs %u bytes, %u of %u are in use", f->name,
                     f->frame_bytes, ctx->frame[lane], (uint32_t)ctx->local_bytes);
        fail_at(c, w, inst, lane, f && !f->defect ? FAULT_STACK : FAULT_INSTRUCTION, text);
        return;
    }
    stack_call(c, w, mask, target);
}

/* Polls in a row, atomics or volatile loads, after which a warp waits for others. */
#define SPINNING 8u

static void note_access(struct core *c, uint32_t w, const struct inst *inst)
{
    struct issue *s = &c->issue;
    bool polls = inst->class == INST_ATOMIC || inst->flags & (INST_VOLATILE | INST_CACHE_GLOBAL);
    if (polls)
        stack_polls(&c->stacks, w);
    if (!c->config.warp_limit)
        return;
    s->polls[w] = polls ? (uint8_t)(s->polls[w] + (s->polls[w] < SPINNING)) : 0;
    uint64_t spinning = s->polls[w] == SPINNING ? BIT(w) : 0;
    if ((s->spinning & BIT(w)) == spinning)
        return;
    s->spinning ^= BIT(w);
    s->limit_stale = true;
}

/* pmevent of a kernel; events have none. */
static void mark(const struct core *c, uint32_t w, const struct inst *inst)
{
    const struct warp *warp = warp_of(&c->warps, w);
    const struct lane_ctx *ctx = warp_ctx(&c->warps, w);
    if (!warp->grid)
        return;
    struct core_mark m = {.owner = warp->kernel->owner,
                          .events = (uint32_t)inst->op.imm,
                          .warp = warp->index,
                          .warp_instructions = warp->warp_instructions};
    m.block =
        (ctx->ctaid[2] * (uint64_t)ctx->nctaid[1] + ctx->ctaid[1]) * ctx->nctaid[0] + ctx->ctaid[0];
    c->env.mark(c->env.user, &m);
}

/* Everything that an instruction does, except for its unit. False: it has not been issued. */
static bool execute(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = warp_ctx(&c->warps, w);
    switch (inst->class) {
    case INST_ALU:
        ctx->clock = clock_now(&c->clock);
        ctx->globaltimer = clock_nanoseconds(&c->clock);
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
        note_access(c, w, inst);
        stack_advance(c, w);
        return true;
    case INST_BRANCH:
        stack_branch(c, w, inst, mask);
        return true;
    case INST_EXIT:
        issue_exit(c, w, mask);
        return true;
    case INST_CALL:
        issue_call(c, w, inst, mask);
        return true;
    case INST_RET:
        if (mask)
            stack_return(c, w, mask);
        else
            stack_advance(c, w);
        return true;
    case INST_BARRIER:
        stack_advance(c, w);
        if (mask && inst->bar_kind != BAR_WARP)
            barrier_arrive(c, w, inst, mask);
        return true;
    case INST_SERVICE:
        if (mask && !service_issue(c, w, inst, mask))
            return false;
        issue_pipe(c, w, inst, c->config.latency[inst->timing]);
        stack_advance(c, w);
        return true;
    case INST_SLEEP:
        issue_sleep(c, w, inst, mask);
        return true;
    case INST_FENCE:
        issue_fence(c, w);
        return true;
    case INST_MARK:
        if (mask && c->env.mark)
            mark(c, w, inst);
        issue_pipe(c, w, inst, c->config.latency[inst->timing]);
        stack_advance(c, w);
        return true;
    default:
        if (mask)
            fail_at(c, w, inst, lowest(mask), FAULT_TRAP, "trap");
        else
            stack_advance(c, w);
        return !mask;
    }
}

static void take_unit(struct core *c, const struct inst *inst)
{
    uint32_t u = inst->unit, copies = c->config.units[u];
    uint64_t *busy = c->issue.unit_busy[u];
    uint32_t i = 0;
    while (busy[i] > clock_now(&c->clock))
        i++;
    busy[i] = clock_now(&c->clock) + c->config.interval[inst->timing];
    uint64_t first = busy[0];
    for (i = 1; i < copies; i++)
        first = busy[i] < first ? busy[i] : first;
    c->issue.unit_free[u] = first;
    if (first > clock_now(&c->clock))
        c->issue.units_taken |= 1u << u;
}

static void free_units(struct core *c)
{
    for (uint32_t m = c->issue.units_taken; m; m &= m - 1) {
        uint32_t u = lowest(m);
        if (c->issue.unit_free[u] <= clock_now(&c->clock))
            c->issue.units_taken &= ~(1u << u);
    }
}

static bool issue_warp(struct core *c, uint32_t w)
{
    const struct inst *inst = warp_code(&c->warps, w) + stack_pc(&c->stacks, w);
    if ((inst->flags & INST_CONVERGENT) && !stack_gather(c, w, inst)) {
        issue_refresh(c, w);
        return false;
    }
    uint32_t mask = inst_guard(inst, warp_ctx(&c->warps, w), stack_active(&c->stacks, w));
    uint64_t seq = ++c->issue.issued[w];
    uint32_t lanes = lanes_count(mask);
    bool is_event = event_on(&c->events, w);
    /* Counted first: executing exit may give the warp back, and end the grid. */
    struct grid *begins = warp_count(&c->warps, w, lanes);
    begins = begins && !begins->issue_cycle ? begins : NULL;
    if (begins)
        begins->issue_cycle = clock_now(&c->clock);
    if (!execute(c, w, inst, mask)) {
        if (begins)
            begins->issue_cycle = 0;
        c->issue.issued[w]--;
        warp_uncount(&c->warps, w, lanes);
        issue_refresh(c, w);
        return false;
    }
    /* A load in flight takes the number with it (memory.c); everything else is a younger
     * instruction for the loads before it. */
    if (lsu_youngest_seq(&c->lsu, w) != seq)
        replay_pass(&c->replay, w, seq);
    take_unit(c, inst);
    issue_refresh(c, w);
    c->issue.warp_instructions++;
    c->issue.thread_instructions += lanes;
    if (is_event) {
        c->issue.event_instructions++;
        event_issued(c, w);
    }
    return true;
}

/* Events whose next instruction is one for memory do not wait for room among the others'. */
static uint64_t event_memory_ready(const struct core *c, uint64_t ready)
{
    uint64_t events = c->issue.head[UNIT_LDST] & events_running(&c->events);
    bool full = lsu_event_full(&c->lsu, c->config.event_queue) || remotes_full(&c->remotes);
    return full || c->issue.units_taken >> UNIT_LDST & 1 ? ready & ~events : ready | events;
}

/* Warps whose next instruction has operands and a unit. The warp limit does not hold those of
 * `prio` back. */
static uint64_t unit_ready(const struct core *c, uint64_t prio)
{
    uint32_t taken = c->issue.units_taken;
    if (lsu_full(&c->lsu, c->config.ldst_queue) || remotes_full(&c->remotes))
        taken |= 1u << UNIT_LDST;
    uint64_t ready = 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++)
        ready |= taken >> u & 1 ? 0 : c->issue.head[u];
    if (c->config.event_queue)
        ready = event_memory_ready(c, ready);
    return ready & (c->issue.allowed | prio);
}

static enum stall_kind classify(const struct core *c, uint32_t s)
{
    uint64_t mine = c->issue.sched_mask[s];
    if (issue_ready(&c->issue) & mine)
        return STALL_UNIT;
    if (fetch_some(&c->fetch) & mine & ~barriers_waiting(&c->barriers) & ~events_frozen(&c->events))
        return STALL_SCOREBOARD;
    return barriers_waiting(&c->barriers) & mine ? STALL_BARRIER : STALL_EMPTY;
}

static void count_stall(struct core *c, uint32_t s, uint64_t cycles)
{
    c->issue.stall[classify(c, s)] += cycles;
}

void issue_skipped(struct core *c, uint64_t cycles)
{
    for (uint32_t s = 0; s < c->config.schedulers; s++)
        count_stall(c, s, cycles);
}

static bool schedule(struct core *c, uint32_t s, uint64_t prio)
{
    uint64_t ready = unit_ready(c, prio) & c->issue.sched_mask[s];
    while (ready) {
        uint32_t w;
        if (ready & prio)
            w = warps_oldest(&c->warps, ready & prio);
        else if (ready >> c->issue.last[s] & 1)
            w = c->issue.last[s];
        else
            w = warps_oldest(&c->warps, ready);
        if (issue_warp(c, w)) {
            c->issue.last[s] = (uint8_t)w;
            c->issue.now |= BIT(w);
            return true;
        }
        ready &= ~BIT(w);
    }
    return false;
}

/* The oldest warps that can run, up to the limit. Warps that wait at a barrier do not count, or the
 * younger warps of their block would never reach it; nor do those that wait by polling, as for a
 * lock or for all blocks of a grid: they may issue beside the others. Events are exempt. */
static void update_limit(struct core *c)
{
    struct issue *s = &c->issue;
    s->limit_stale = false;
    s->allowed = UINT64_MAX;
    if (!c->config.warp_limit)
        return;
    uint64_t events = events_running(&c->events);
    uint64_t able = warps_alive(&c->warps) & ~(barriers_waiting(&c->barriers) | events |
                                               events_frozen(&c->events) | s->spinning);
    s->allowed = events | s->spinning;
    for (uint64_t m = able; m; m &= m - 1) {
        uint32_t w = lowest(m);
        uint64_t older = warps_older(&c->warps, w) & able;
        if ((uint32_t)__builtin_popcountll(older) < c->config.warp_limit)
            s->allowed |= BIT(w);
    }
}

/* A warp within the limit that has passed the scoreboard, whatever its unit does. */
static bool has_ready(const struct core *c, uint32_t s, uint64_t prio)
{
    const struct issue *issue = &c->issue;
    return (issue_ready(issue) & (issue->allowed | prio) & issue->sched_mask[s]) != 0;
}

void issue_tick(struct core *c)
{
    if (c->issue.limit_stale)
        update_limit(c);
    if (c->issue.units_taken)
        free_units(c);
    c->issue.now = 0;
    uint64_t prio = events_running(&c->events) | port_urgent(&c->port);
    c->issue.signal_ready = c->issue.signal_full = 0;
    for (uint32_t s = 0; s < c->config.schedulers; s++) {
        bool ready = c->issue.watched && has_ready(c, s, prio);
        bool issued = schedule(c, s, prio);
        if (!issued && warps_resident(&c->warps))
            count_stall(c, s, 1);
        c->issue.signal_ready |= (uint8_t)(ready << s);
        c->issue.signal_full |= (uint8_t)((ready && !issued) << s);
    }
}

bool issue_all_wait_for_memory(const struct core *c)
{
    const struct issue *s = &c->issue;
    if (!s->watched_memory || (issue_ready(s) & s->allowed))
        return false;
    uint64_t able = warps_alive(&c->warps) & s->allowed &
                    ~(barriers_waiting(&c->barriers) | events_frozen(&c->events));
    for (uint64_t m = able; m; m &= m - 1) {
        uint32_t w = lowest(m);
        if (!lsu_loads(&c->lsu, w) && !remotes_in_flight(&c->remotes, w))
            return false;
    }
    return able != 0;
}

void issue_stats(const struct issue *s, struct core_stats *stats)
{
    stats->warp_instructions = s->warp_instructions;
    stats->thread_instructions = s->thread_instructions;
    stats->event_warp_instructions = s->event_instructions;
    stats->stall_empty = s->stall[STALL_EMPTY];
    stats->stall_barrier = s->stall[STALL_BARRIER];
    stats->stall_scoreboard = s->stall[STALL_SCOREBOARD];
    stats->stall_unit = s->stall[STALL_UNIT];
}
