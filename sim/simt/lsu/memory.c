/* Issue of memory instructions: addresses, functional access, and the record that the load-store
 * unit works off. Loads happen here, at issue; stores to device memory at the end of the cycle of
 * their issue (outbox.h); atomics and volatile loads of device memory, and what touches the
 * synchronised region, when memory performs them (l2_access.c). */
#include "sim/simt/lsu/memory.h"

#include "sim/simt/check/check.h"
#include "sim/simt/lsu/lsu.h"

/* Lanes that go to device memory take a route; lanes in shared memory take bank cycles. */
static void set_route(struct access *a, const struct inst *inst, bool at_l2, bool has_l1)
{
    if (at_l2)
        a->route = ROUTE_L2;
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
    else if (a->route == ROUTE_L2)
        a->count = COUNT_L2;
    else
        a->count = a->route == ROUTE_L1 || a->route == ROUTE_DIRECT ? COUNT_LOAD : COUNT_PIPE;
}

/* A warp's local memory and its block's shared memory are seen by this core alone. */
static void store(struct lsu *l, uint32_t w, const struct inst *inst, uint32_t mask,
                  const struct lane_addresses *p)
{
    const struct lane_ctx *ctx = warp_ctx(&l->slots->warps, w);
    if (mask & p->global)
        outbox_store(&l->slots->outbox, inst, ctx, mask & p->global, p->at);
    if (mask & ~p->global)
        isa_store(inst, ctx, mask & ~p->global, p->at);
}

/* The lanes that are performed now, or at the end of the cycle. */
static void perform(struct lsu *l, uint32_t w, const struct inst *inst, uint32_t mask,
                    const struct lane_addresses *p)
{
    struct lane_ctx *ctx = warp_ctx(&l->slots->warps, w);
    if (inst->class == INST_LOAD && p->regular) {
        isa_load_pattern(inst, ctx, p->first, &p->pattern);
    } else if (inst->class == INST_LOAD) {
        isa_load(inst, ctx, mask, (const uint8_t *const *)p->at);
    } else if (inst->class == INST_STORE) {
        store(l, w, inst, mask, p);
    } else {
        struct atomic_operands operands;
        isa_atomic_capture(inst, ctx, mask, &operands);
        isa_atomic_perform(inst, ctx, mask, &operands, p->at);
        l->memory.atomics++;
    }
}

static void take_banks(struct lsu *l, struct access *a, struct lane_addresses *p, uint32_t size)
{
    uint64_t conflicts = 0;
    a->conflicts = false;
    a->shared_cycles = 1;
    if (p->regular && a->inst->class != INST_ATOMIC &&
        shared_pattern_free(l->slots->config.shared_banks, &p->pattern, size))
        return;
    if (p->regular)
        lane_addresses_list(p);
    a->shared_cycles = (uint16_t)shared_cycles(l->slots->config.shared_banks, p->address, p->shared,
                                               size, a->inst->class == INST_ATOMIC, &conflicts);
    a->conflicts = conflicts != 0;
    if (!conflicts)
        return;
    l->memory.bank_conflicts += conflicts;
    account_conflicts(&l->slots->accounts, warp_of(&l->slots->warps, a->warp)->owner, conflicts);
}

/* All lanes load from, or store to, shared memory in a pattern: no line, no other access to wait
 * for. */
static void issue_shared(struct lsu *l, uint32_t w, const struct inst *inst,
                         struct lane_addresses *p)
{
    struct access *a = access_take(&l->pool, w, inst, FULL_MASK);
    take_banks(l, a, p, (uint32_t)inst->width * inst->vec);
    a->remaining = 1;
    if (inst->class == INST_STORE) {
        a->count = COUNT_STORE;
        lane_addresses_list(p);
    } else {
        a->count = COUNT_PIPE;
        pending_set(&l->slots->scoreboard, w, inst);
    }
    perform(l, w, inst, FULL_MASK, p);
    lsu_accept(l, a);
}

/* Shared memory is written later, also by lanes that read nothing. */
static bool issue_copy(struct lsu *l, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct copy_addresses p;
    uint32_t size = (uint32_t)inst->width * inst->vec;
    if (!lane_addresses_of_copy(l->slots, &l->memory.bounds, w, inst, mask, &p))
        return false;
    struct access *a = access_take(&l->pool, w, inst, mask);
    a->owner = warp_of(&l->slots->warps, w)->owner;
    coalesce_global(a, &p.from, size);
    if (l->slots->env.region_bytes && region_mark(&l->l2_accesses, a)) {
        access_free(&l->pool, a);
        fail_at(l->slots, w, inst, lowest(p.from.global), FAULT_INSTRUCTION,
                "cp.async does not wait for full/empty bits; load from the synchronised region");
        return false;
    }
    if (l2_accesses_unperformed(&l->l2_accesses, w) && l2_access_holds(&l->l2_accesses, w, a)) {
        access_free(&l->pool, a);
        return false;
    }
    take_banks(l, a, &p.to, size);
    if (a->n_tx)
        set_route(a, inst, false, l1_exists(&l->l1));
    a->count = COUNT_COPY;
    copies_capture(&l->copies, a, &p);
    if (l->slots->env.check)
        check_copy(l->slots, w, inst, mask, &p);
    lsu_accept(l, a);
    l->memory.transactions += a->n_tx;
    return true;
}

bool memory_issue(struct lsu *l, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_addresses p;
    if (inst->class == INST_COPY)
        return issue_copy(l, w, inst, mask);
    if (!lane_addresses_resolve(l->slots, &l->memory.bounds, w, inst, mask, &p))
        return false;
    if (p.regular && p.shared && inst->class != INST_ATOMIC && !l->slots->env.check) {
        issue_shared(l, w, inst, &p);
        return true;
    }
    if (p.bus) {
        struct access *stores = access_take(&l->pool, w, inst, p.bus);
        bus_capture(&l->bus, stores, &p);
        lsu_accept(l, stores);
        return true;
    }
    struct access *a = access_take(&l->pool, w, inst, mask);
    uint32_t size = (uint32_t)inst->width * inst->vec;
    if (p.global | p.local)
        a->owner = warp_of(&l->slots->warps, w)->owner;
    if (p.global)
        coalesce_global(a, &p, size);
    if (p.local)
        coalesce_local(a, &p, size, warp_of(&l->slots->warps, w)->local);
    uint32_t region = l->slots->env.region_bytes && p.global ? region_mark(&l->l2_accesses, a) : 0;
    if (region && !region_admits(&l->l2_accesses, w, a)) {
        access_free(&l->pool, a);
        return false;
    }
    if (l2_accesses_unperformed(&l->l2_accesses, w) && l2_access_holds(&l->l2_accesses, w, a)) {
        access_free(&l->pool, a);
        return false;
    }
    if (p.shared)
        take_banks(l, a, &p, size);
    bool at_l2 =
        p.global && (inst->class == INST_ATOMIC ||
                     (inst->class == INST_LOAD && (inst->flags & INST_VOLATILE || region)));
    if (a->n_tx)
        set_route(a, inst, at_l2, l1_exists(&l->l1));
    set_count(a, inst);
    if (a->count == COUNT_LOAD)
        replay_note_load(&l->replay, w, a, lsu_oldest_load(l, w));
    if (p.regular && (inst->class != INST_LOAD || at_l2 || l->slots->env.check))
        lane_addresses_list(&p);
    if (at_l2) {
        l2_access_capture(&l->l2_accesses, a, &p);
        if (inst->class == INST_ATOMIC)
            coalesce_collisions(a, &p);
        l->memory.atomics += inst->class == INST_ATOMIC;
    }
    bool store_region = region && inst->class == INST_STORE;
    if (store_region)
        region_capture_store(&l->l2_accesses, a, region, &p);
    uint32_t now = at_l2 ? mask & ~p.global : store_region ? mask & ~region : mask;
    if (l->slots->env.check)
        check_access(l->slots, w, inst, mask, &p);
    if (now)
        perform(l, w, inst, now, &p);
    if (inst->class != INST_STORE)
        pending_set(&l->slots->scoreboard, w, inst);
    a->remaining = (uint16_t)((a->route == ROUTE_STORE ? 0 : a->n_tx) + (a->shared_cycles != 0));
    lsu_accept(l, a);
    if (a->route != ROUTE_CONST)
        l->memory.transactions += a->n_tx;
    return true;
}

void memory_stats(const struct memory *m, struct core_stats *stats)
{
    stats->atomics = m->atomics;
    stats->global_transactions = m->transactions;
    stats->shared_conflicts = m->bank_conflicts;
}
