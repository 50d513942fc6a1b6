#include "sim/guest/program/context.h"

#include <stdio.h>

#include "sim/guest/program/internal.h"
#include "sim/system/guest_region.h"

void context_expire(struct program *p)
{
    p->context.expired = true;
    if (p->attached) /* the control channel is its own, whoever else has inherited it */
        process_over(p);
}

void context_hold(struct program *p)
{
    p->context.held++;
}

void context_let(struct program *p)
{
    p->context.held--;
}

/* --- questions -------------------------------------------------------------------------------- */

static bool has_no_process(const struct program *p)
{
    return p->context.expired || process_exited(p);
}

bool context_dead(const struct program *p)
{
    return p->context.given_up;
}

bool context_quiet(const struct program *p)
{
    return !commands_outstanding(p) && !p->context.held && !guest_at_work(p->guest);
}

bool context_over(const struct program *p)
{
    return p->context.returned;
}

bool context_ending(const struct program *p)
{
    return has_no_process(p) && !p->context.returned;
}

/* Nobody reads or writes its memory any more. */
static bool may_return(const struct program *p)
{
    return context_quiet(p) && !guest_has_rows(p->guest);
}

bool context_due(const struct program *p)
{
    return context_ending(p) && (!p->context.given_up || may_return(p));
}

/* --- the end, and a new one ------------------------------------------------------------------- */

static void give_up(struct program *p, uint64_t cycle)
{
    p->context.given_up = true;
    if (may_return(p))
        return;
    char why[120];
    snprintf(why, sizeof why, "the program %s has ended, and its event kernel with it", p->name);
    guest_end_work(p->guest, why);
    guest_cut_copies(p->guest);
    host_function_forget_callers(p, cycle);
    commands_abandon(p, cycle);
    values_abandon(p, cycle);
    full_empty_unblock(p);
}

bool context_tick(struct program *p, uint64_t cycle)
{
    struct error err = {.set = false};
    if (!has_no_process(p))
        return true;
    if (!p->context.given_up)
        give_up(p, cycle);
    if (!p->context.returned && may_return(p)) {
        memory_return(p);
        guest_region_ended(p->guest);
        output_drop(p);
        p->context.returned = true;
    }
    if (!p->context.returned || process_exited(p) || !threads_any_open(p))
        return false;
    if (context_renew(p, &err))
        return true;
    failure_report(p, err.text);
    return false;
}

bool context_renew(struct program *p, struct error *err)
{
    copy_free(p);
    events_clear(p);
    modules_clear(p);
    edge_clear(p);
    threads_give_drivers(p);
    stream_release_all(p);
    p->context = (struct program_context){.expired = false};
    if (!guest_failure(p->guest)->set)
        guest_begin_work(p->guest);
    device_init(p);
    return stream_init(p, err);
}

void context_free(struct program *p)
{
    commands_free(p);
    copy_free(p);
    events_clear(p);
    modules_clear(p);
}
