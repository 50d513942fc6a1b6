/* Issue of memory instructions: addresses, functional access, and the record that the load-store
 * unit works off. Loads and stores happen here, at issue; atomics and volatile loads of device
 * memory, and what touches the synchronised region, when memory performs them (l2_access.c). */
#include "sim/simt/lsu/memory.h"

#include "sim/simt/check/check.h"
#include "sim/simt/core_internal.h"

/* Lanes that go to device memory take a route; lanes in shared memory take bank cycles. */
static void set_route(struct access *a, const struct inst *inst, bool remote, bool has_l1)
{
    if (remote)
        a->route = ROUTE_REMOTE;
    else if (inst->class == INST_STORE)
        a->route = ROUTE_STORE;
    else if (inst->space == SPACE_CONST || inst->space == SPACE_PARAM)
        a->route = ROUTE_CONST;
    else
        a->route = inst->flags & INST_CACHE_GLOBAL || !has_l1 ? ROUTE_DIRECT : ROUTE_L1;
}

static void set_count(struct access *a, const struct inst *inst)
{
    if (inst->class == INST_STORE)
        a->count = COUNT_STORE;
    else if (a->route == ROUTE_REMOTE)
        a->count = COUNT_REMOTE;
    else
        a->count = a->route == ROUTE_L1 || a->route == ROUTE_DIRECT ? COUNT_LOAD : COUNT_PIPE;
}

/* The lanes that are performed now. */
static void perform(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                    const struct places *p)
{
    struct lane_ctx *ctx = warp_ctx(&c->warps, w);
    if (inst->class == INST_LOAD) {
        isa_load(inst, ctx, mask, (const uint8_t *const *)p->at);
    } else if (inst->class == INST_STORE) {
        isa_store(inst, ctx, mask, p->at);
    } else {
        struct atomic_operands operands;
        isa_atomic_capture(inst, ctx, mask, &operands);
        isa_atomic_perform(inst, ctx, mask, &operands, p->at);
        c->memory.atomics++;
    }
}

static void take_banks(struct core *c, struct access *a, const struct places *p, uint32_t size)
{
    uint64_t conflicts = 0;
    a->shared_cycles = (uint16_t)shared_cycles(c->config.shared_banks, p->address, p->shared, size,
                                               a->inst->class == INST_ATOMIC, &conflicts);
    a->conflicts = conflicts != 0;
    if (!conflicts)
        return;
    c->memory.bank_conflicts += conflicts;
    account_conflicts(&c->accounts, warp_of(&c->warps, a->warp)->owner, conflicts);
}

bool memory_issue(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct places p;
    if (!places_resolve(c, w, inst, mask, &p))
        return false;
    if (p.bus) {
        bus_issue(c, w, inst, &p);
        return true;
    }
    struct access *a = access_take(c, w, inst, mask);
    uint32_t size = (uint32_t)inst->width * inst->vec;
    if (p.global | p.local)
        a->owner = warp_of(&c->warps, w)->owner;
    if (p.global)
        coalesce_global(a, &p, size);
    if (p.local)
        coalesce_local(a, &p, size, warp_of(&c->warps, w)->local);
    uint32_t region = c->env.region_bytes && p.global ? region_mark(c, a) : 0;
    if (region && !region_admits(c, w, a)) {
        access_free(&c->lsu, a);
        return false;
    }
    if (remotes_unperformed(&c->remotes, w) && remote_holds(c, w, a)) {
        access_free(&c->lsu, a);
        return false;
    }
    if (p.shared)
        take_banks(c, a, &p, size);
    bool remote =
        p.global && (inst->class == INST_ATOMIC ||
                     (inst->class == INST_LOAD && (inst->flags & INST_VOLATILE || region)));
    if (a->n_tx)
        set_route(a, inst, remote, l1_exists(&c->l1));
    set_count(a, inst);
    if (a->count == COUNT_LOAD)
        preempt_note_load(c, w, a);
    if (remote) {
        remote_capture(c, a, &p);
        if (inst->class == INST_ATOMIC)
            coalesce_collisions(a, &p);
        c->memory.atomics += inst->class == INST_ATOMIC;
    }
    bool store_region = region && inst->class == INST_STORE;
    if (store_region)
        region_capture_store(c, a, region, &p);
    uint32_t now = remote ? mask & ~p.global : store_region ? mask & ~region : mask;
    if (c->env.check)
        check_access(c, w, inst, mask, &p);
    if (now)
        perform(c, w, inst, now, &p);
    if (inst->class != INST_STORE)
        pending_set(&c->scoreboard, w, inst);
    a->remaining = (uint16_t)((a->route == ROUTE_STORE ? 0 : a->n_tx) + (a->shared_cycles != 0));
    lsu_accept(c, a);
    if (a->route != ROUTE_CONST)
        c->memory.transactions += a->n_tx;
    return true;
}

void memory_stats(const struct memory *m, struct core_stats *stats)
{
    stats->atomics = m->atomics;
    stats->global_transactions = m->transactions;
    stats->shared_conflicts = m->bank_conflicts;
}
