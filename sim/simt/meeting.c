/* The second half of a core's cycle: what it has kept for the others (outbox.h) reaches them. */
#include "sim/mem/memsys.h"
#include "sim/simt/core_internal.h"

uint64_t core_meet_port(struct core *c)
{
    return memsys_box_empty(c->slots.env.memsys, c->slots.env.port);
}

void core_meet_stores(struct core *c)
{
    outbox_perform_stores(&c->slots.outbox);
}

static void block_done(const struct core_env *env, struct grid *grid)
{
    grid->blocks_done++;
    if (env->block_done)
        env->block_done(env->user, env->port, grid);
}

static void deliver(struct core *c, const struct out_item *item)
{
    const struct core_env *env = &c->slots.env;
    switch (item->kind) {
    case OUT_BEGUN:
        if (!item->of.grid->issue_cycle)
            item->of.grid->issue_cycle = clock_now(&c->slots.clock);
        break;
    case OUT_RELEASED:
        item->of.grid->warp_instructions += item->of.warp_instructions;
        item->of.grid->thread_instructions += item->of.thread_instructions;
        break;
    case OUT_BLOCK_DONE:
        block_done(env, item->of.grid);
        break;
    case OUT_EVENT_STARTED:
        if (env->event_started)
            env->event_started(env->user, env->port, item->tag);
        break;
    case OUT_PRINT:
        env->print(env->user, item->print.kernel, item->print.is_error,
                   outbox_text(&c->slots.outbox, item), item->print.bytes);
        break;
    case OUT_SERVICE:
        system_call_service(&c->slots, item->call.warp, item->call.inst, item->call.mask);
        break;
    case OUT_BUS_STORE:
        env->bus_store(env->user, &item->bus);
        break;
    case OUT_MARK:
        env->mark(env->user, &item->mark);
        break;
    case OUT_NONE:
        break;
    }
}

void core_meet_mail(struct core *c)
{
    for (uint32_t i = 0; i < outbox_items(&c->slots.outbox); i++)
        deliver(c, outbox_item(&c->slots.outbox, i));
    outbox_clear(&c->slots.outbox);
}

const char *core_fault_text(const struct core *c)
{
    return fault_text(&c->slots.fault);
}

bool core_tick(struct core *c, uint64_t cycle, struct error *err)
{
    uint32_t steps = core_run(c, cycle);
    if (steps & CORE_PORT)
        core_meet_port(c);
    if (steps & CORE_STORES)
        core_meet_stores(c);
    if (steps & CORE_MAIL)
        core_meet_mail(c);
    const char *fault = core_fault_text(c);
    return !fault || error_set(err, "%s", fault);
}
