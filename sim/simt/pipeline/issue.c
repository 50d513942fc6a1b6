/* Issue: schedulers over ready masks, execution units, and functional execution.
 *
 * A scheduler issues one warp instruction per cycle. Victims being flushed and running events come
 * first (EDGE IV-D), the oldest of them; then the policy picks (scheduler.h). */
#include "sim/simt/pipeline/issue.h"

#include "sim/simt/check/check.h"
#include "sim/simt/pipeline/control.h"
#include "sim/simt/pipeline/pipeline.h"
#include "sim/simt/pipeline/retire.h"
#include "sim/simt/pipeline/system_call.h"

void issue_create(struct issue *s, const struct core_config *config)
{
    s->allowed = UINT64_MAX;
    s->policy = warp_scheduler_at(config->scheduler);
    for (uint32_t w = 0; w < config->warps; w++) {
        struct scheduler *of = &s->scheduler[w % config->schedulers];
        of->stride = config->schedulers;
        of->slots |= BIT(w);
    }
}

static void issue_pipe(struct pipeline *p, uint32_t w, const struct inst *inst, uint32_t latency)
{
    uint64_t done = clock_now(&p->slots->clock) + p->slots->config.operand_cycles + latency +
                    p->slots->config.writeback_cycles;
    struct node *n = wheel_add(&p->slots->wheel, done);
    n->kind = NODE_PIPE;
    n->warp = (uint8_t)w;
    n->inst = inst;
    pending_set(&p->slots->scoreboard, w, inst);
    pipe_enter(&p->slots->scoreboard, w, done);
}

static void issue_exit(struct pipeline *p, uint32_t w, uint32_t mask)
{
    if (mask && stack_exit(p->slots, w, mask))
        return;
    if (!mask) {
        stack_advance(p->slots, w);
        return;
    }
    retire_exited(p, w);
    warp_settle(p->slots, w);
}

static void issue_fence(struct pipeline *p, uint32_t w)
{
    stack_polls(&p->slots->stacks, w);
    stack_advance(p->slots, w);
    ready_hold(&p->slots->ready, WAIT_FENCE, w);
    warp_settle(p->slots, w);
}

/* nanosleep: PTX allows any time up to twice what is asked for; the timing wheel limits ours. */
static void issue_sleep(struct pipeline *p, uint32_t w, const struct inst *inst, uint32_t mask)
{
    if (mask) {
        uint64_t ns = isa_sleep(inst, warp_ctx(&p->slots->warps, w), mask);
        uint64_t cycles = ns * p->slots->env.core_khz / 1000000 + 1;
        uint32_t most = wheel_reach(&p->slots->wheel);
        issue_pipe(p, w, inst, cycles < most ? (uint32_t)cycles : most);
        ready_hold(&p->slots->ready, WAIT_SLEEP, w);
        stack_polls(&p->slots->stacks, w);
    }
    stack_advance(p->slots, w);
}

#define LOOK_CYCLES 100u

/* A look at what the block has launched: the answer takes its time, so that whoever waits for the
 * end leaves the core to others. */
static void issue_look(struct pipeline *p, uint32_t w, const struct inst *inst)
{
    uint32_t most = wheel_reach(&p->slots->wheel);
    issue_pipe(p, w, inst, LOOK_CYCLES < most ? LOOK_CYCLES : most);
    stack_polls(&p->slots->stacks, w);
}

/* Polls in a row, atomics or volatile loads, after which a warp waits for others. */
#define SPINNING 8u

static void note_access(struct pipeline *p, uint32_t w, const struct inst *inst)
{
    struct issue *s = &p->issue;
    bool polls = inst_polls(inst);
    if (polls)
        stack_polls(&p->slots->stacks, w);
    if (!p->slots->config.warp_limit)
        return;
    s->polls[w] = polls ? (uint8_t)(s->polls[w] + (s->polls[w] < SPINNING)) : 0;
    uint64_t spinning = s->polls[w] == SPINNING ? BIT(w) : 0;
    if ((s->spinning & BIT(w)) == spinning)
        return;
    s->spinning ^= BIT(w);
    ready_limit_stale(&p->slots->ready);
}

static void issue_copy_group(struct pipeline *p, uint32_t w, const struct inst *inst)
{
    copies_group(&p->lsu->copies, w, inst);
    if (p->slots->env.check)
        check_copy_group(p->slots, w, inst);
}

/* Everything that an instruction does, except for its unit. False: it has not been issued. */
static bool execute(struct pipeline *p, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = warp_ctx(&p->slots->warps, w);
    switch (inst->class) {
    case INST_ALU:
        if (inst->reads_clock) {
            ctx->clock = clock_now(&p->slots->clock);
            ctx->globaltimer = clock_nanoseconds(&p->slots->clock);
        }
        if (mask)
            inst->exec(inst, ctx, mask);
        issue_pipe(p, w, inst, p->slots->config.latency[inst->timing]);
        stack_advance(p->slots, w);
        return true;
    case INST_LOAD:
    case INST_STORE:
    case INST_ATOMIC:
    case INST_COPY:
        if (!mask)
            issue_pipe(p, w, inst, p->slots->config.latency[TIMING_MEM]);
        else if (!memory_issue(p->lsu, w, inst, mask))
            return false;
        note_access(p, w, inst);
        stack_advance(p->slots, w);
        return true;
    case INST_COPY_GROUP:
        if (mask)
            issue_copy_group(p, w, inst);
        stack_advance(p->slots, w);
        return true;
    case INST_BRANCH:
        stack_branch(p->slots, w, inst, mask);
        return true;
    case INST_EXIT:
        issue_exit(p, w, mask);
        return true;
    case INST_CALL:
        control_call(p->slots, w, inst, mask);
        return true;
    case INST_RET:
        if (mask)
            stack_return(p->slots, w, mask);
        else
            stack_advance(p->slots, w);
        return true;
    case INST_BARRIER:
        stack_advance(p->slots, w);
        if (mask && inst->bar_kind != BAR_WARP)
            barrier_arrive(&p->barriers, w, inst, mask);
        return true;
    case INST_SYSTEM_CALL:
        if (mask && !system_call_issue(p->slots, w, inst, mask))
            return false;
        if (inst->op.sub == SYSTEM_CALL_LAUNCHES)
            issue_look(p, w, inst);
        else
            issue_pipe(p, w, inst, p->slots->config.latency[inst->timing]);
        stack_advance(p->slots, w);
        return true;
    case INST_SLEEP:
        issue_sleep(p, w, inst, mask);
        return true;
    case INST_FENCE:
        issue_fence(p, w);
        return true;
    case INST_MARK:
        if (mask && p->slots->env.mark)
            control_mark(p->slots, w, inst);
        issue_pipe(p, w, inst, p->slots->config.latency[inst->timing]);
        stack_advance(p->slots, w);
        return true;
    default:
        if (mask)
            fail_at(p->slots, w, inst, lowest(mask), FAULT_TRAP, "trap");
        else
            stack_advance(p->slots, w);
        return !mask;
    }
}

/* One of the free copies is busy until then; the first cycle in which any is free. */
static inline uint64_t take_copy(uint64_t *busy, uint32_t copies, uint64_t now, uint64_t until)
{
    if (copies <= 2) { /* the usual case, without a loop */
        uint32_t taken = busy[0] > now, other = copies - 1 - taken;
        busy[taken] = until;
        return busy[other] < until ? busy[other] : until;
    }
    uint32_t i = 0;
    while (busy[i] > now)
        i++;
    busy[i] = until;
    uint64_t first = until;
    for (i = 0; i < copies; i++)
        first = busy[i] < first ? busy[i] : first;
    return first;
}

static void take_unit(struct pipeline *p, const struct inst *inst)
{
    uint32_t u = inst->unit;
    uint64_t now = clock_now(&p->slots->clock);
    uint64_t first = take_copy(p->issue.unit_busy[u], p->slots->config.units[u], now,
                               now + p->slots->config.interval[inst->timing]);
    p->issue.unit_free[u] = first;
    if (first > now)
        p->issue.units_taken |= 1u << u;
}

static void free_units(struct pipeline *p)
{
    for (uint32_t m = p->issue.units_taken; m; m &= m - 1) {
        uint32_t u = lowest(m);
        if (p->issue.unit_free[u] <= clock_now(&p->slots->clock))
            p->issue.units_taken &= ~(1u << u);
    }
}

static bool issue_warp(struct pipeline *p, uint32_t w)
{
    const struct inst *inst = warp_code(&p->slots->warps, w) + stack_pc(&p->slots->stacks, w);
    if ((inst->flags & INST_CONVERGENT) && !stack_gather(p->slots, w, inst)) {
        ready_refresh(p->slots, w);
        return false;
    }
    uint32_t mask =
        inst_guard(inst, warp_ctx(&p->slots->warps, w), stack_active(&p->slots->stacks, w));
    uint64_t seq = issue_count(&p->slots->scoreboard, w);
    uint32_t lanes = lanes_count(mask);
    bool is_event = event_on(&p->slots->events, w);
    /* Counted first: executing exit may give the warp back, and end the grid. */
    bool first = warp_count(&p->slots->warps, w, lanes);
    uint32_t item = outbox_items(&p->slots->outbox);
    bool begins = first && !is_event && !warp_of(&p->slots->warps, w)->grid->issue_cycle;
    if (begins)
        outbox_add(&p->slots->outbox, OUT_BEGUN)->of.grid = warp_of(&p->slots->warps, w)->grid;
    if (!execute(p, w, inst, mask)) {
        if (begins)
            outbox_take_back(&p->slots->outbox, item);
        issue_uncount(&p->slots->scoreboard, w);
        warp_uncount(&p->slots->warps, w, lanes);
        ready_refresh(p->slots, w);
        return false;
    }
    /* A load in flight takes the number with it (memory.c); everything else is a younger
     * instruction for the loads before it. */
    if (inst->class != INST_LOAD || lsu_youngest_seq(p->lsu, w) != seq)
        issue_pass(&p->slots->scoreboard, w, seq);
    take_unit(p, inst);
    ready_refresh(p->slots, w);
    p->issue.warp_instructions++;
    p->issue.thread_instructions += lanes;
    if (is_event) {
        p->issue.event_instructions++;
        if (first)
            outbox_add(&p->slots->outbox, OUT_EVENT_STARTED)->tag =
                warp_of(&p->slots->warps, w)->tag;
    }
    return true;
}

/* Events whose next instruction is one for memory do not wait for room among the others'. */
static uint64_t event_memory_ready(const struct pipeline *p, uint64_t ready)
{
    uint64_t events = ready_for(&p->slots->ready, UNIT_LDST) & events_running(&p->slots->events);
    bool full = lsu_event_full(p->lsu, p->slots->config.event_queue) ||
                l2_accesses_full(&p->lsu->l2_accesses);
    return full || p->issue.units_taken >> UNIT_LDST & 1 ? ready & ~events : ready | events;
}

/* Of `ready`, the warps whose next instruction has a unit, too. The warp limit does not hold those
 * of `prio` back. */
static uint64_t unit_ready(const struct pipeline *p, uint64_t ready, uint64_t prio)
{
    uint32_t taken = p->issue.units_taken;
    if (lsu_full(p->lsu, p->slots->config.ldst_queue) || l2_accesses_full(&p->lsu->l2_accesses))
        taken |= 1u << UNIT_LDST;
    for (uint32_t m = taken; m; m &= m - 1)
        ready &= ~ready_for(&p->slots->ready, lowest(m));
    if (p->slots->config.event_queue)
        ready = event_memory_ready(p, ready);
    return ready & (p->issue.allowed | prio);
}

static enum stall_kind classify(const struct pipeline *p, uint32_t s)
{
    uint64_t mine = p->issue.scheduler[s].slots;
    if (ready_warps(&p->slots->ready) & mine)
        return STALL_UNIT;
    if (ibuffers_some(&p->slots->ibuffers) & mine & ~ready_held(&p->slots->ready, WAIT_BARRIER) &
        ~events_frozen(&p->slots->events))
        return STALL_SCOREBOARD;
    return ready_held(&p->slots->ready, WAIT_BARRIER) & mine ? STALL_BARRIER : STALL_EMPTY;
}

static void count_stall(struct pipeline *p, uint32_t s, uint64_t cycles)
{
    p->issue.stall[classify(p, s)] += cycles;
}

void issue_skipped(struct pipeline *p, uint64_t cycles)
{
    for (uint32_t s = 0; s < p->slots->config.schedulers; s++)
        count_stall(p, s, cycles);
}

static bool schedule(struct pipeline *p, uint32_t s, uint64_t prio)
{
    uint64_t mine = p->issue.scheduler[s].slots, ready = ready_warps(&p->slots->ready);
    ready = ready & mine ? unit_ready(p, ready, prio) & mine : 0;
    while (ready) {
        uint32_t w;
        if (ready & prio)
            w = warps_oldest(&p->slots->warps, ready & prio);
        else
            w = p->issue.policy->pick(&p->issue.scheduler[s], &p->slots->warps, ready);
        if (issue_warp(p, w)) {
            p->issue.scheduler[s].last = (uint8_t)w;
            p->issue.now |= BIT(w);
            return true;
        }
        ready &= ~BIT(w);
    }
    return false;
}

/* The oldest warps that can run, up to the limit. Warps that wait at a barrier do not count, or the
 * younger warps of their block would never reach it; nor do those that wait for a word with a
 * full/empty bit, which a younger warp may write, or by polling, as for a lock or for all blocks of
 * a grid: the latter may issue beside the others. Events are exempt. */
static void update_limit(struct pipeline *p)
{
    struct issue *s = &p->issue;
    s->allowed = UINT64_MAX;
    if (!p->slots->config.warp_limit)
        return;
    uint64_t events = events_running(&p->slots->events);
    uint64_t at_words = l2_accesses_at_words(&p->lsu->l2_accesses);
    uint64_t able = warps_alive(&p->slots->warps) &
                    ~(ready_held(&p->slots->ready, WAIT_BARRIER) | events |
                      events_frozen(&p->slots->events) | s->spinning | at_words);
    s->allowed = events | s->spinning | at_words;
    for (uint64_t m = able; m; m &= m - 1) {
        uint32_t w = lowest(m);
        uint64_t older = warps_older(&p->slots->warps, w) & able;
        if ((uint32_t)__builtin_popcountll(older) < p->slots->config.warp_limit)
            s->allowed |= BIT(w);
    }
}

/* A warp within the limit that has passed the scoreboard, whatever its unit does. */
static bool has_ready(const struct pipeline *p, uint32_t s, uint64_t prio)
{
    const struct issue *issue = &p->issue;
    return (ready_warps(&p->slots->ready) & (issue->allowed | prio) & issue->scheduler[s].slots) !=
           0;
}

/* Events and their victims, which the limit does not hold back. */
static uint64_t prior(const struct pipeline *p)
{
    return events_running(&p->slots->events) | events_urgent(&p->slots->events);
}

void issue_tick(struct pipeline *p)
{
    if (ready_take_limit_stale(&p->slots->ready))
        update_limit(p);
    if (p->issue.units_taken)
        free_units(p);
    p->issue.now = 0;
    uint64_t prio = prior(p);
    p->issue.signal_ready = p->issue.signal_full = 0;
    for (uint32_t s = 0; s < p->slots->config.schedulers; s++) {
        bool ready = p->issue.watched && has_ready(p, s, prio);
        bool issued = schedule(p, s, prio);
        if (!issued && warps_resident(&p->slots->warps))
            count_stall(p, s, 1);
        if (!ready)
            continue;
        p->issue.signal_ready |= (uint8_t)(1u << s);
        p->issue.signal_full |= (uint8_t)(!issued << s);
    }
}

uint64_t issue_next_unit(const struct pipeline *p, uint64_t next)
{
    const struct issue *s = &p->issue;
    if (ready_limit_is_stale(&p->slots->ready) ||
        (p->slots->config.event_queue && events_running(&p->slots->events)))
        return next;
    uint64_t able = ready_warps(&p->slots->ready) & (s->allowed | prior(p)), first = UINT64_MAX;
    if (lsu_full(p->lsu, p->slots->config.ldst_queue) || l2_accesses_full(&p->lsu->l2_accesses))
        able &= ~ready_for(&p->slots->ready, UNIT_LDST);
    for (uint32_t m = s->units_taken; m; m &= m - 1) {
        uint32_t u = lowest(m);
        uint64_t of = able & ready_for(&p->slots->ready, u);
        if (!of || s->unit_free[u] <= next)
            continue;
        able &= ~of;
        first = s->unit_free[u] < first ? s->unit_free[u] : first;
    }
    return able ? next : first;
}

uint8_t issue_signals_at_rest(const struct pipeline *p)
{
    uint64_t prio = prior(p);
    uint8_t signals = 0;
    for (uint32_t s = 0; p->issue.watched && s < p->slots->config.schedulers; s++)
        signals |= (uint8_t)(has_ready(p, s, prio) << s);
    return signals;
}

bool issue_all_wait_for_memory(const struct pipeline *p)
{
    const struct issue *s = &p->issue;
    if (!s->watched_memory || (ready_warps(&p->slots->ready) & s->allowed))
        return false;
    uint64_t able =
        warps_alive(&p->slots->warps) & s->allowed &
        ~(ready_held(&p->slots->ready, WAIT_BARRIER) | events_frozen(&p->slots->events));
    for (uint64_t m = able; m; m &= m - 1) {
        uint32_t w = lowest(m);
        if (!lsu_loads(p->lsu, w) && !lsu_keeps(p->lsu, w))
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
