/* Events on warp slots: pushed onto a victim's SIMT stack or into a free context, and taken off
 * again (EDGE IV-D, Figure 9). The victim keeps its program counter and divergence state on its
 * stack; its predicates, special registers and kernel are those of its own warp record. */
#include "sim/simt/event/event_run.h"

#include "sim/simt/event/event.h"
#include "sm_event_unit.h"

#define DIM_BITS 6

static bool is_flushed(const struct event_unit *e, uint32_t w)
{
    uint64_t bit = BIT(w);
    return !pipe_count(&e->slots->scoreboard, w) && !lsu_loads(e->lsu, w) &&
           !lsu_keeps(e->lsu, w) && !ibuffer_entries(&e->slots->ibuffers, w) &&
           !((ready_held(&e->slots->ready, WAIT_FENCE) | ibuffers_busy(&e->slots->ibuffers)) & bit);
}

/* Room for the event? Accounts for it. False: push_fail. */
static bool reserve(struct event_unit *e, const struct sm_event_unit_out *out, struct borrow *b)
{
    uint64_t bit = BIT(out->push_warp);
    uint32_t units = (uint32_t)out->push_regs * EVG_REG_UNIT;
    if (out->push_fresh) {
        if (!(warps_free(&e->slots->warps) & bit))
            return false;
    } else {
        if (!(warps_alive(&e->slots->warps) & bit) ||
            ((events_running(&e->slots->events) | events_borrowed(&e->slots->events)) & bit) ||
            (!out->push_spare && warp_of(&e->slots->warps, out->push_warp)->kernel->regs < units))
            return false;
    }
    uint32_t registers = out->push_fresh || out->push_spare ? units * WARP_SIZE : 0;
    if (!blocks_take_registers(&e->pipeline->blocks, registers))
        return false;
    b->registers = registers;
    if (out->push_fresh)
        blocks_take_context(&e->pipeline->blocks);
    return true;
}

static struct lane_ctx *make_ctx(struct event_unit *e, const struct sm_event_unit_out *out,
                                 const struct kernel *kernel)
{
    enum warp_home home = out->push_fresh ? HOME_SLOT : out->push_spare ? HOME_SPARE : HOME_VICTIM;
    struct lane_ctx *ctx = warp_make_ctx(e->slots, kernel, out->push_warp, home, out->push_entry);
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

static void borrow_victim(struct event_unit *e, uint32_t w, struct borrow *b,
                          const struct warp *event, uint32_t lanes)
{
    b->victim = *warp_of(&e->slots->warps, w);
    lsu_borrow(e->lsu, w, (uint8_t)(event->entry + 1));
    events_borrow(&e->slots->events, w, barrier_suspend(&e->pipeline->barriers, w));
    warp_replace(&e->slots->warps, w, event);
    ready_limit_stale(&e->slots->ready);
    account_enter(&e->slots->accounts, w, event->owner);
    account_settle(&e->slots->accounts, clock_now(&e->slots->clock) + 1);
    stack_push_event(e->slots, w, lanes);
}

static const struct kernel *event_kernel(struct event_unit *e, const struct sm_event_unit_out *out)
{
    const struct kernel *kernel = e->slots->env.kernel_at(e->slots->env.user, out->push_kernel);
    if (!kernel)
        fail_with(e->slots, "event %u: no kernel at code address 0x%llx", out->push_tag,
                  (unsigned long long)out->push_kernel);
    else if (kernel->regs > (uint32_t)out->push_regs * EVG_REG_UNIT)
        fail_with(e->slots, "event %u: kernel %s needs %u registers, but its table row has %u",
                  out->push_tag, kernel->name, kernel->regs, out->push_regs * EVG_REG_UNIT);
    else if (kernel->local_bytes > e->slots->env.event_local_bytes)
        fail_with(
            e->slots, "event %u: kernel %s needs %u bytes of local memory, but its area has %u",
            out->push_tag, kernel->name, kernel->local_bytes, e->slots->env.event_local_bytes);
    return fault_of_machine(&e->slots->fault) ? NULL : kernel;
}

void event_push(struct event_unit *e, const struct sm_event_unit_out *out)
{
    uint32_t w = out->push_warp;
    uint64_t bit = BIT(w);
    struct borrow *b = &e->run.borrow[out->push_entry];
    const struct kernel *kernel = event_kernel(e, out);
    if (!kernel)
        return;
    if (b->used ||
        (!out->push_fresh && (warps_alive(&e->slots->warps) & bit) && !is_flushed(e, w))) {
        fail_with(e->slots, "event unit: event pushed on warp %u, which is not flushed", w);
        return;
    }
    if (!reserve(e, out, b)) {
        answer_push(&e->answers, false);
        return;
    }
    b->used = true;
    b->fresh = out->push_fresh;
    b->over = b->aborted = false;
    b->slot = (uint8_t)w;
    struct warp event = {.kernel = kernel,
                         .ctx = make_ctx(e, out, kernel),
                         .block = NO_BLOCK,
                         .param = out->push_param + PARAM_HEADER_BYTES,
                         .local = e->slots->env.event_local + (uint64_t)out->push_entry *
                                                                  WARP_SIZE *
                                                                  e->slots->env.event_local_bytes,
                         .local_lane = e->slots->env.event_local_bytes,
                         .entry = out->push_entry,
                         .tag = out->push_tag,
                         .doomed = e->slots->env.owner_ended &&
                                   e->slots->env.owner_ended(e->slots->env.user, kernel->owner),
                         .owner = e->slots->env.event_owner
                                      ? e->slots->env.event_owner(e->slots->env.user, out->push_tag)
                                      : 0};
    if (b->fresh)
        warp_start(e->pipeline, w, &event, out->push_mask);
    else
        borrow_victim(e, w, b, &event, out->push_mask);
    events_start(&e->slots->events, w);
    answer_push(&e->answers, true);
}

uint32_t events_victims(const struct event_run *r, const struct kernel **kernel)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        const struct borrow *b = &r->borrow[i];
        if (!b->used || b->fresh)
            continue;
        *kernel = b->victim.kernel;
        n++;
    }
    return n;
}

void events_end_owner(struct event_run *r, uint32_t owner)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct borrow *b = &r->borrow[i];
        if (b->used && !b->fresh && b->victim.kernel->owner == owner)
            b->victim.doomed = true;
    }
}

void events_end_grid(struct event_run *r, const struct grid *grid)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct borrow *b = &r->borrow[i];
        if (b->used && !b->fresh && b->victim.grid == grid)
            b->victim.doomed = true;
    }
}

/* The row is the upper part of the tag (rtl/edge/doorbell_decoder.v). */
static bool is_event(const struct warps *warps, const struct borrow *b, uint32_t row,
                     uint64_t entry)
{
    if (!b->used)
        return false;
    const struct warp *event = warp_of(warps, b->slot);
    return event->tag >> EVG_ROW_EVENT_BITS == row && event->param == entry + PARAM_HEADER_BYTES;
}

bool event_abort(struct event_unit *e, uint32_t row, uint64_t entry, bool *begun)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct borrow *b = &e->run.borrow[i];
        if (b->over || !is_event(&e->slots->warps, b, row, entry))
            continue;
        *begun = !b->aborted;
        b->aborted = true;
        warp_doom(e->slots, b->slot);
        ready_limit_stale(&e->slots->ready);
        return true;
    }
    return false;
}

bool event_aborted(const struct event_unit *e, uint32_t w)
{
    return event_on(&e->slots->events, w) &&
           e->run.borrow[warp_of(&e->slots->warps, w)->entry].aborted;
}

void event_finished(struct event_unit *e, uint32_t w)
{
    e->run.borrow[warp_of(&e->slots->warps, w)->entry].over = true;
    answer_exit(&e->answers, w);
}

void event_pop(struct event_unit *e, uint32_t slot, uint32_t entry)
{
    struct borrow *b = &e->run.borrow[entry];
    uint64_t bit = BIT(slot);
    if (!b->used || b->slot != slot || (warps_alive(&e->slots->warps) & bit)) {
        fail_with(e->slots, "event unit: entry %u popped off warp %u, where it has not ended",
                  entry, slot);
        return;
    }
    b->used = false;
    blocks_give_registers(&e->pipeline->blocks, b->registers);
    const struct warp *event = warp_of(&e->slots->warps, slot);
    account_instructions(&e->slots->accounts, event->owner, event->warp_instructions,
                         event->thread_instructions);
    events_stop(&e->slots->events, slot);
    if (b->fresh) {
        blocks_give_context(&e->pipeline->blocks);
        retire_vacate(e->pipeline, slot);
        return;
    }
    fetch_forget(&e->pipeline->fetch, slot);
    account_leave(&e->slots->accounts, slot, event->owner);
    account_settle(&e->slots->accounts, clock_now(&e->slots->clock) + 1);
    warp_replace(&e->slots->warps, slot, &b->victim);
    ready_limit_stale(&e->slots->ready);
    lsu_return(e->lsu, slot);
    events_freeze(&e->slots->events, slot);
    stack_pop_event(e->slots, slot);
    ibuffer_flush(&e->slots->ibuffers, slot);
}

void event_release(struct event_unit *e, uint32_t slot, bool barrier)
{
    uint64_t bit = BIT(slot);
    bool waits = event_victim_waits(&e->slots->events, slot);
    if (!(events_frozen(&e->slots->events) & bit)) {
        fail_with(e->slots, "event unit: warp %u released, which is not held", slot);
        return;
    }
    if (waits != barrier) {
        fail_with(e->slots, "event unit: warp %u released %s", slot,
                  waits ? "early from a barrier that has not completed"
                        : "into a barrier that has completed");
        return;
    }
    events_release(&e->slots->events, slot);
    if (barrier)
        barrier_reenter(&e->pipeline->barriers, slot);
    barrier_apply_result(&e->pipeline->barriers, slot);
    ready_limit_stale(&e->slots->ready);
    ready_refresh(e->slots, slot);
}

void event_resume(struct event_unit *e, uint32_t slot)
{
    uint64_t bit = BIT(slot);
    events_resume(&e->slots->events, slot);
    if ((warps_resident(&e->slots->warps) & bit) && !(events_borrowed(&e->slots->events) & bit))
        barrier_apply_result(&e->pipeline->barriers, slot);
}

/* A victim on hold stays until the tile lets it go or has had its event on it: once flushed it must
 * not exit (warp_take_ctrl.v). An event exits only when the tile has seen that it runs. */
uint64_t events_not_to_reap(const struct event_unit *e)
{
    uint64_t running = events_running(&e->slots->events);
    uint64_t off = events_displaced(&e->slots->events) | events_held(&e->slots->events);
    off = events_frozen(&e->slots->events) | (off & ~running);
    return answer_push_unseen(&e->answers) ? off | running : off;
}
