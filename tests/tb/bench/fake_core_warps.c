/* Background warps of the fake core: random programs, in-order issue, out-of-order completion. */
#include "tests/tb/bench/fake_core_state.h"

enum kind { ALU_DEPENDENT, ALU_INDEPENDENT, LOAD, ATOMIC, BARRIER, EXIT };

enum {
    ALU_LATENCY = 20,
    HIT_LATENCY = 30,
    MISS_LATENCY = 300,
    FETCH_LATENCY = 3,
    FETCH_MISS_LATENCY = 60,
    ISSUE_ODDS = 4, /* a warp without priority issues in 1 of so many cycles */
    RUDE_ODDS = 4,  /* a launch takes what is claimed in 1 of so many cases */
};

/* The instruction at `pc` of program `uid`. */
static enum kind kind_at(uint32_t uid, uint32_t pc)
{
    uint64_t hash = (uid * 0x9e3779b97f4a7c15ULL + pc) * 0xbf58476d1ce4e5b9ULL;
    uint32_t dice = (uint32_t)(hash >> 40) % 100;
    if (pc == 0)
        return ALU_INDEPENDENT;
    return dice < 30   ? ALU_DEPENDENT
           : dice < 50 ? ALU_INDEPENDENT
           : dice < 80 ? LOAD
           : dice < 86 ? ATOMIC
           : dice < 97 ? BARRIER
                       : EXIT;
}

uint32_t fake_core_warps(const struct fake_core *core)
{
    return core->config.groups * (uint32_t)EVG_SCAN_LANES;
}

void fake_core_launch(struct fake_core *core, uint32_t w)
{
    struct fake_warp *warp = &core->warps[w];
    uint32_t regs = 1 + rng_below(&core->rng, core->config.warp_regs);
    uint32_t claimed = rng_chance(&core->rng, 1, RUDE_ODDS) ? 0 : core->claimed;
    if (regs + claimed > core->free_regs)
        return;
    bool exited = warp->exited; /* in the same cycle: the context is launched again at once */
    *warp = (struct fake_warp){.present = true, .exited = exited, .regs = (uint8_t)regs};
    warp->uid = core->uids++;
    warp->stamp = core->now++;
    core->free_regs -= regs;
}

uint16_t fake_warp_pipe(const struct fake_warp *warp)
{
    uint16_t most = 0;
    for (uint32_t i = 0; i < warp->n_alu; i++)
        most = warp->alu[i].left > most ? warp->alu[i].left : most;
    return most;
}

static uint32_t oldest_load(const struct fake_warp *warp)
{
    uint32_t pc = UINT32_MAX;
    for (uint32_t i = 0; i < warp->n_loads; i++)
        pc = warp->loads[i].pc < pc ? warp->loads[i].pc : pc;
    return pc;
}

bool fake_warp_younger(const struct fake_warp *warp)
{
    return warp->n_loads && warp->effect_pc > oldest_load(warp);
}

bool fake_warp_flushed(const struct fake_warp *warp, bool skip_barrier)
{
    return !warp->n_ibuf && !warp->fetching && !warp->n_alu && !warp->n_loads &&
           !warp->atomic_left && (!warp->barrier || skip_barrier);
}

void fake_warp_flush(struct fake_warp *warp)
{
    warp->n_ibuf = 0;
    warp->fetch_stale = warp->fetching;
}

void fake_warp_drop(struct fake_warp *warp)
{
    for (uint32_t i = 0; i < warp->n_loads; i++)
        if (warp->loads[i].left > warp->stale_left)
            warp->stale_left = warp->loads[i].left;
    warp->next_pc = oldest_load(warp);
    warp->n_loads = 0;
    fake_warp_flush(warp);
}

static void in_flight(struct fake_inflight *list, uint8_t *n, uint32_t pc, uint32_t left)
{
    list[(*n)++] = (struct fake_inflight){.pc = pc, .left = (uint16_t)left};
}

/* Counts down and removes what is done; returns one past the youngest pc removed. */
static uint32_t count_down(struct fake_inflight *list, uint8_t *n)
{
    uint32_t done = 0;
    uint8_t kept = 0;
    for (uint8_t i = 0; i < *n; i++) {
        struct fake_inflight f = list[i];
        if (--f.left)
            list[kept++] = f;
        else if (f.pc >= done)
            done = f.pc + 1;
    }
    *n = kept;
    return done;
}

static void exit_warp(struct fake_core *core, struct fake_warp *warp)
{
    core->free_regs += warp->regs;
    warp->present = false;
    warp->exited = true;
    if (warp->held)
        core->counts[FAKE_EXIT_IN_FLUSH]++;
}

static void issue(struct fake_core *core, struct fake_warp *warp)
{
    uint32_t pc = warp->next_pc;
    struct rng *rng = &core->rng;
    bool idle = !warp->n_loads && !warp->n_alu;
    switch (kind_at(warp->uid, pc)) {
    case ALU_DEPENDENT:
        if (warp->n_loads)
            return;
        /* fall through */
    case ALU_INDEPENDENT:
        if (warp->n_alu == FAKE_INFLIGHT)
            return;
        in_flight(warp->alu, &warp->n_alu, pc, 1 + rng_below(rng, ALU_LATENCY));
        warp->effect_pc = pc + 1;
        break;
    case LOAD:
        if (warp->n_loads == FAKE_INFLIGHT)
            return;
        in_flight(warp->loads, &warp->n_loads, pc,
                  1 + rng_below(rng, rng_chance(rng, 1, core->config.miss_rate) ? MISS_LATENCY
                                                                                : HIT_LATENCY));
        break;
    case ATOMIC: /* may have older loads beside it, and younger ones */
        if (warp->n_alu)
            return;
        warp->atomic_left = (uint16_t)(1 + rng_below(rng, MISS_LATENCY));
        warp->effect_pc = pc + 1;
        break;
    case BARRIER:
        if (warp->n_alu)
            return;
        warp->barrier = true;
        warp->effect_pc = pc + 1;
        break;
    case EXIT:
        if (!idle)
            return;
        exit_warp(core, warp);
        break;
    }
    warp->next_pc = pc + 1;
    warp->n_ibuf--;
}

static void fetch(struct fake_core *core, struct fake_warp *warp)
{
    if (warp->fetching) {
        if (--warp->fetch_left)
            return;
        warp->fetching = false;
        if (!warp->fetch_stale)
            warp->n_ibuf++;
    } else if (!warp->held && warp->n_ibuf < FAKE_IBUF && !warp->barrier) {
        warp->fetching = true;
        warp->fetch_stale = false;
        warp->fetch_left =
            (uint8_t)(1 + rng_below(&core->rng, rng_chance(&core->rng, 1, 16) ? FETCH_MISS_LATENCY
                                                                              : FETCH_LATENCY));
    }
}

static void run_warp(struct fake_core *core, struct fake_warp *warp)
{
    if (warp->stale_left && --warp->stale_left == 0 && warp->borrowed)
        core->counts[FAKE_STALE]++;
    if (warp->borrowed)
        return;
    if (warp->n_loads) {
        uint32_t done = count_down(warp->loads, &warp->n_loads);
        if (done > warp->effect_pc)
            warp->effect_pc = done;
    }
    if (warp->n_alu)
        count_down(warp->alu, &warp->n_alu);
    if (warp->atomic_left)
        warp->atomic_left--;
    bool waits = warp->atomic_left && kind_at(warp->uid, warp->next_pc) != LOAD;
    if (warp->n_ibuf && !warp->barrier && !waits &&
        (warp->prio || rng_chance(&core->rng, 1, ISSUE_ODDS)))
        issue(core, warp);
    if (warp->present)
        fetch(core, warp);
}

/* A block's barrier completes when all its warps wait there. */
static void complete_barriers(struct fake_core *core)
{
    core->bar_done = 0;
    for (uint32_t first = 0; first < fake_core_warps(core); first += FAKE_BLOCK_WARPS) {
        uint64_t waiting = 0;
        bool complete = true;
        for (uint32_t w = first; w < first + FAKE_BLOCK_WARPS; w++) {
            if (core->warps[w].barrier)
                waiting |= 1ULL << w;
            else if (core->warps[w].present)
                complete = false;
        }
        if (!complete || !waiting)
            continue;
        core->bar_done |= waiting;
        for (uint32_t w = first; w < first + FAKE_BLOCK_WARPS; w++)
            core->warps[w].barrier = false;
    }
}

void fake_core_execute(struct fake_core *core, bool may_launch)
{
    for (uint32_t w = 0; w < fake_core_warps(core); w++) {
        struct fake_warp *warp = &core->warps[w];
        warp->exited = false;
        if (warp->present)
            run_warp(core, warp);
        if (!warp->present && !warp->event && may_launch &&
            rng_chance(&core->rng, 1, core->config.launch_rate))
            fake_core_launch(core, w);
    }
    complete_barriers(core);
}
