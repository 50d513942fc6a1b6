/* Events on warp slots: pushed onto a victim's SIMT stack or into a free context, and taken off
 * again (EDGE IV-D, Figure 9). The victim keeps its program counter and divergence state on its
 * stack; its predicates, special registers and kernel are those of its own warp record. */
#include "sim/simt/core_internal.h"

#include <string.h>

#include "sm_event_unit.h"

#define DIM_BITS 6

static bool is_flushed(const struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    return !c->pipe[w] && !c->loads[w] && !c->remotes[w] && !c->ibuf[w] &&
           !((c->at_fence | c->fetch_busy) & bit);
}

/* Room for the event? Accounts for it. False: push_fail. */
static bool reserve(struct core *c, const struct sm_event_unit_out *out, struct borrow *b)
{
    uint64_t bit = BIT(out->push_warp);
    uint32_t units = (uint32_t)out->push_regs * EVG_REG_UNIT;
    if (out->push_fresh) {
        if (!(c->slots & ~c->resident & bit))
            return false;
    } else {
        if (!(c->alive & bit) || ((c->is_event | c->borrowed) & bit) ||
            c->warp[out->push_warp].kernel->regs < units)
            return false;
    }
    uint32_t registers = out->push_fresh || out->push_spare ? units * WARP_SIZE : 0;
    if (registers > c->free_registers)
        return false;
    c->free_registers -= registers;
    b->registers = registers;
    return true;
}

static struct lane_ctx *make_ctx(struct core *c, const struct sm_event_unit_out *out,
                                 const struct kernel *kernel)
{
    uint32_t w = out->push_warp, e = out->push_entry;
    struct lane_ctx *ctx = out->push_fresh ? &c->slot_ctx[w] : &c->event_ctx[e];
    uint32_t block[3];
    for (uint32_t i = 0; i < 3; i++) {
        block[i] = out->push_dims >> i * DIM_BITS & ((1u << DIM_BITS) - 1);
        block[i] += !block[i]; /* a dimension of 0 cannot be registered; never divide by it */
        ctx->ctaid[i] = 0;
        ctx->nctaid[i] = 1;
    }
    if (out->push_spare)
        ctx->reg = c->event_file + (size_t)e * FILE_ROWS;
    else
        ctx->reg = c->file + (size_t)w * FILE_ROWS;
    ctx->pred = out->push_fresh ? c->slot_preds[w] : c->event_preds[e];
    ctx_common(c, ctx, kernel, w);
    ctx_thread_ids(ctx, block, 0);
    ctx->gridid = out->push_tag;
    ctx->dynamic_smem = ctx->total_smem = 0;
    return ctx;
}

static void borrow_victim(struct core *c, uint32_t w, struct borrow *b, uint32_t mask)
{
    uint64_t bit = BIT(w);
    b->victim = c->warp[w];
    b->victim_stores = c->stores[w];
    c->stores[w] = 0;
    c->borrowed |= bit;
    c->saving &= ~bit;
    c->victim_waits |= c->at_barrier & bit;
    c->at_barrier &= ~bit;
    c->limit_stale = true;
    stack_push_event(c, w, mask);
}

static const struct kernel *event_kernel(struct core *c, const struct sm_event_unit_out *out)
{
    const struct kernel *kernel = c->env.kernel_at(c->env.user, out->push_kernel);
    if (!kernel)
        error_set(&c->failure, "event %u: no kernel at code address 0x%llx", out->push_tag,
                  (unsigned long long)out->push_kernel);
    else if (kernel->regs > (uint32_t)out->push_regs * EVG_REG_UNIT)
        error_set(&c->failure, "event %u: kernel %s needs %u registers, %u are registered",
                  out->push_tag, kernel->name, kernel->regs, out->push_regs * EVG_REG_UNIT);
    else if (kernel->local_bytes > c->env.event_local_bytes)
        error_set(&c->failure, "event %u: kernel %s needs %u bytes of local memory, %u are there",
                  out->push_tag, kernel->name, kernel->local_bytes, c->env.event_local_bytes);
    return c->failure.set ? NULL : kernel;
}

void event_push(struct core *c, const struct sm_event_unit_out *out)
{
    uint32_t w = out->push_warp;
    uint64_t bit = BIT(w);
    struct borrow *b = &c->event[out->push_entry];
    const struct kernel *kernel = event_kernel(c, out);
    if (!kernel)
        return;
    if (b->used || (!out->push_fresh && (c->alive & bit) && !is_flushed(c, w))) {
        error_set(&c->failure, "event unit: event pushed on warp %u, which is not flushed", w);
        return;
    }
    if (!reserve(c, out, b)) {
        c->push_fail = true;
        return;
    }
    b->used = true;
    b->fresh = out->push_fresh;
    b->started = false;
    b->slot = (uint8_t)w;
    b->tag = out->push_tag;
    if (b->fresh)
        warp_start(c, w);
    else
        borrow_victim(c, w, b, out->push_mask);
    c->active[w] = out->push_mask;
    c->is_event |= bit;
    c->ctx[w] = make_ctx(c, out, kernel);
    c->code[w] = kernel->code;
    c->warp[w] = (struct warp){.kernel = kernel,
                               .ctx = c->ctx[w],
                               .block = NO_BLOCK,
                               .param = out->push_param + PARAM_HEADER_BYTES,
                               .local = c->env.event_local + (uint64_t)out->push_entry * WARP_SIZE *
                                                                 c->env.event_local_bytes,
                               .local_lane = c->env.event_local_bytes,
                               .entry = out->push_entry};
    c->push_ok = true;
}

void event_issued(struct core *c, uint32_t w)
{
    struct borrow *b = &c->event[c->warp[w].entry];
    if (b->started)
        return;
    b->started = true;
    if (c->env.event_started)
        c->env.event_started(c->env.user, c->env.port, b->tag);
}

/* All its instructions, stores included, are done: to be reported, one per clock edge. */
void event_finished(struct core *c, uint32_t w)
{
    c->exits[c->exit_count++] = (uint8_t)w;
}

void event_pop(struct core *c, uint32_t slot, uint32_t entry)
{
    struct borrow *b = &c->event[entry];
    uint64_t bit = BIT(slot);
    if (!b->used || b->slot != slot || (c->alive & bit)) {
        error_set(&c->failure, "event unit: entry %u popped off warp %u, where it has not ended",
                  entry, slot);
        return;
    }
    b->used = false;
    c->free_registers += b->registers;
    c->is_event &= ~bit;
    fetch_forget(c, slot);
    if (b->fresh) {
        c->resident &= ~bit;
        return;
    }
    c->warp[slot] = b->victim;
    c->stores[slot] = b->victim_stores;
    c->ctx[slot] = b->victim.ctx;
    c->code[slot] = b->victim.kernel->code;
    c->alive |= bit;
    c->frozen |= bit;
    stack_pop_event(c, slot);
    warp_flush_ibuf(c, slot);
    c->limit_stale = true;
}

void event_release(struct core *c, uint32_t slot, bool barrier)
{
    uint64_t bit = BIT(slot);
    bool waits = c->victim_waits & bit;
    if (!(c->frozen & bit)) {
        error_set(&c->failure, "event unit: warp %u released, which is not held", slot);
        return;
    }
    if (waits != barrier) {
        error_set(&c->failure, "event unit: warp %u released %s", slot,
                  waits ? "early from a barrier that has not completed"
                        : "into a barrier that has completed");
        return;
    }
    c->frozen &= ~bit;
    c->borrowed &= ~bit;
    c->victim_waits &= ~bit;
    if (barrier)
        c->at_barrier |= bit;
    barrier_apply_result(c, slot);
    c->limit_stale = true;
    warp_refresh(c, slot);
}

void event_resume(struct core *c, uint32_t slot)
{
    uint64_t bit = BIT(slot);
    c->saving &= ~bit;
    if ((c->resident & bit) && !(c->borrowed & bit))
        barrier_apply_result(c, slot);
}
