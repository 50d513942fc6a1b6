/* Events on warp slots: pushed onto a victim's SIMT stack or into a free context, and taken off
 * again (EDGE IV-D, Figure 9). The victim keeps its program counter and divergence state on its
 * stack; its predicates, special registers and kernel are those of its own warp record. */
#include "sim/simt/event/event_run.h"

#include "sim/simt/core_internal.h"
#include "sm_event_unit.h"

#define DIM_BITS 6

static bool is_flushed(const struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    return !pipe_count(&c->scoreboard, w) && !lsu_loads(&c->lsu, w) &&
           !remotes_in_flight(&c->remotes, w) && !fetch_ibuf(&c->fetch, w) &&
           !((issue_fences(&c->issue) | fetch_busy(&c->fetch)) & bit);
}

/* Room for the event? Accounts for it. False: push_fail. */
static bool reserve(struct core *c, const struct sm_event_unit_out *out, struct borrow *b)
{
    uint64_t bit = BIT(out->push_warp);
    uint32_t units = (uint32_t)out->push_regs * EVG_REG_UNIT;
    if (out->push_fresh) {
        if (!(warps_free(&c->warps) & bit))
            return false;
    } else {
        if (!(warps_alive(&c->warps) & bit) || ((c->events.running | c->events.borrowed) & bit) ||
            (!out->push_spare && warp_of(&c->warps, out->push_warp)->kernel->regs < units))
            return false;
    }
    uint32_t registers = out->push_fresh || out->push_spare ? units * WARP_SIZE : 0;
    if (!blocks_take_registers(&c->blocks, registers))
        return false;
    b->registers = registers;
    return true;
}

static struct lane_ctx *make_ctx(struct core *c, const struct sm_event_unit_out *out,
                                 const struct kernel *kernel)
{
    enum warp_home home = out->push_fresh ? HOME_SLOT : out->push_spare ? HOME_SPARE : HOME_VICTIM;
    struct lane_ctx *ctx = warp_make_ctx(c, kernel, out->push_warp, home, out->push_entry);
    uint32_t block[3];
    for (uint32_t i = 0; i < 3; i++) {
        block[i] = out->push_dims >> i * DIM_BITS & ((1u << DIM_BITS) - 1);
        block[i] += !block[i]; /* a dimension of 0 cannot be registered; never divide by it */
        ctx->ctaid[i] = 0;
        ctx->nctaid[i] = 1;
    }
    warp_thread_ids(ctx, block, 0);
    ctx->gridid = out->push_tag;
    ctx->dynamic_smem = ctx->total_smem = 0;
    return ctx;
}

static void borrow_victim(struct core *c, uint32_t w, struct borrow *b, const struct warp *event,
                          uint32_t lanes)
{
    uint64_t bit = BIT(w);
    b->victim = *warp_of(&c->warps, w);
    b->victim_stores = lsu_swap_stores(&c->lsu, w, 0);
    c->events.borrowed |= bit;
    c->events.saving &= ~bit;
    if (barrier_suspend(&c->barriers, w))
        c->events.victim_waits |= bit;
    warp_replace(c, w, event);
    account_enter(&c->accounts, w, event->owner);
    account_settle(&c->accounts, clock_now(&c->clock) + 1);
    stack_push_event(c, w, lanes);
}

static const struct kernel *event_kernel(struct core *c, const struct sm_event_unit_out *out)
{
    const struct kernel *kernel = c->env.kernel_at(c->env.user, out->push_kernel);
    if (!kernel)
        fail_with(c, "event %u: no kernel at code address 0x%llx", out->push_tag,
                  (unsigned long long)out->push_kernel);
    else if (kernel->regs > (uint32_t)out->push_regs * EVG_REG_UNIT)
        fail_with(c, "event %u: kernel %s needs %u registers, %u are registered", out->push_tag,
                  kernel->name, kernel->regs, out->push_regs * EVG_REG_UNIT);
    else if (kernel->local_bytes > c->env.event_local_bytes)
        fail_with(c, "event %u: kernel %s needs %u bytes of local memory, %u are there",
                  out->push_tag, kernel->name, kernel->local_bytes, c->env.event_local_bytes);
    return fault_of_machine(&c->fault) ? NULL : kernel;
}

void event_push(struct core *c, const struct sm_event_unit_out *out)
{
    uint32_t w = out->push_warp;
    uint64_t bit = BIT(w);
    struct borrow *b = &c->events.borrow[out->push_entry];
    const struct kernel *kernel = event_kernel(c, out);
    if (!kernel)
        return;
    if (b->used || (!out->push_fresh && (warps_alive(&c->warps) & bit) && !is_flushed(c, w))) {
        fail_with(c, "event unit: event pushed on warp %u, which is not flushed", w);
        return;
    }
    if (!reserve(c, out, b)) {
        port_pushed(&c->port, false);
        return;
    }
    b->used = true;
    b->fresh = out->push_fresh;
    b->started = b->over = b->aborted = false;
    b->slot = (uint8_t)w;
    b->tag = out->push_tag;
    struct warp event = {
        .kernel = kernel,
        .ctx = make_ctx(c, out, kernel),
        .block = NO_BLOCK,
        .param = out->push_param + PARAM_HEADER_BYTES,
        .local =
            c->env.event_local + (uint64_t)out->push_entry * WARP_SIZE * c->env.event_local_bytes,
        .local_lane = c->env.event_local_bytes,
        .entry = out->push_entry,
        .doomed = c->env.owner_ended && c->env.owner_ended(c->env.user, kernel->owner),
        .owner = c->env.event_owner ? c->env.event_owner(c->env.user, out->push_tag) : 0};
    if (b->fresh)
        warp_start(c, w, &event, out->push_mask);
    else
        borrow_victim(c, w, b, &event, out->push_mask);
    c->events.running |= bit;
    port_pushed(&c->port, true);
}

void event_issued(struct core *c, uint32_t w)
{
    struct borrow *b = &c->events.borrow[warp_of(&c->warps, w)->entry];
    if (b->started)
        return;
    b->started = true;
    if (c->env.event_started)
        c->env.event_started(c->env.user, c->env.port, b->tag);
}

void events_end_owner(struct events *e, uint32_t owner)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct borrow *b = &e->borrow[i];
        if (b->used && !b->fresh && b->victim.kernel->owner == owner)
            b->victim.doomed = true;
    }
}

void events_end_grid(struct events *e, const struct grid *grid)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct borrow *b = &e->borrow[i];
        if (b->used && !b->fresh && b->victim.grid == grid)
            b->victim.doomed = true;
    }
}

/* The row is the upper part of the tag (rtl/edge/doorbell_decoder.v). */
static bool is_event(const struct core *c, const struct borrow *b, uint32_t row, uint64_t entry)
{
    return b->used && b->tag >> EVG_ROW_EVENT_BITS == row &&
           warp_of(&c->warps, b->slot)->param == entry + PARAM_HEADER_BYTES;
}

bool core_abort_event(struct core *c, uint32_t row, uint64_t entry, bool *begun)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct borrow *b = &c->events.borrow[i];
        if (b->over || !is_event(c, b, row, entry))
            continue;
        *begun = !b->aborted;
        b->aborted = true;
        warp_doom(c, b->slot);
        issue_limit_stale(&c->issue);
        return true;
    }
    return false;
}

bool event_aborted(const struct core *c, uint32_t w)
{
    return event_on(&c->events, w) && c->events.borrow[warp_of(&c->warps, w)->entry].aborted;
}

void event_finished(struct core *c, uint32_t w)
{
    c->events.borrow[warp_of(&c->warps, w)->entry].over = true;
    port_event_finished(&c->port, w);
}

void event_pop(struct core *c, uint32_t slot, uint32_t entry)
{
    struct borrow *b = &c->events.borrow[entry];
    uint64_t bit = BIT(slot);
    if (!b->used || b->slot != slot || (warps_alive(&c->warps) & bit)) {
        fail_with(c, "event unit: entry %u popped off warp %u, where it has not ended", entry,
                  slot);
        return;
    }
    b->used = false;
    blocks_give_registers(&c->blocks, b->registers);
    const struct warp *event = warp_of(&c->warps, slot);
    account_instructions(&c->accounts, event->owner, event->warp_instructions,
                         event->thread_instructions);
    c->events.running &= ~bit;
    if (b->fresh) {
        warp_vacate(c, slot);
        return;
    }
    fetch_forget(&c->fetch, slot);
    account_leave(&c->accounts, slot, event->owner);
    account_settle(&c->accounts, clock_now(&c->clock) + 1);
    warp_replace(c, slot, &b->victim);
    lsu_swap_stores(&c->lsu, slot, b->victim_stores);
    c->events.frozen |= bit;
    stack_pop_event(c, slot);
    fetch_flush(&c->fetch, slot);
}

void event_release(struct core *c, uint32_t slot, bool barrier)
{
    uint64_t bit = BIT(slot);
    bool waits = c->events.victim_waits & bit;
    if (!(c->events.frozen & bit)) {
        fail_with(c, "event unit: warp %u released, which is not held", slot);
        return;
    }
    if (waits != barrier) {
        fail_with(c, "event unit: warp %u released %s", slot,
                  waits ? "early from a barrier that has not completed"
                        : "into a barrier that has completed");
        return;
    }
    c->events.frozen &= ~bit;
    c->events.borrowed &= ~bit;
    c->events.victim_waits &= ~bit;
    if (barrier)
        barrier_reenter(&c->barriers, slot);
    barrier_apply_result(c, slot);
    issue_limit_stale(&c->issue);
    issue_refresh(c, slot);
}

void event_saves(struct core *c, uint32_t slot)
{
    c->events.saving |= BIT(slot);
}

void event_resume(struct core *c, uint32_t slot)
{
    uint64_t bit = BIT(slot);
    c->events.saving &= ~bit;
    if ((warps_resident(&c->warps) & bit) && !(c->events.borrowed & bit))
        barrier_apply_result(c, slot);
}
