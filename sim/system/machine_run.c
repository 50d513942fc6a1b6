/* A run of the machine: its steps (measure.h), and what the run loop asks of it. */
#include "sim/gpu/gpu_stats.h"
#include "sim/system/machine_internal.h"

static bool target_tick(void *self, struct error *err)
{
    return machine_tick(self, err);
}

static uint64_t target_cycle(const void *self)
{
    return machine_cycle(self);
}

static uint64_t target_next_event(const void *self)
{
    return machine_next_event(self);
}

static void target_skip(void *self, uint64_t cycle)
{
    gpu_skip_to(((struct machine *)self)->gpu, cycle);
}

static uint64_t target_work(const void *self)
{
    const struct machine *m = self;
    struct gpu_stats stats;
    gpu_stats(m->gpu, &stats);
    uint64_t work = stats.cores.warp_instructions + stats.cores.untimed_warp_instructions +
                    stats.events + stats.doorbells;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->work)
            work += g->ops->work(g->self);
        if (g->ops->polls)
            work -= g->ops->polls(g->self);
    }
    return work;
}

static double target_share(const void *self, bool *whole)
{
    const struct machine *m = self;
    double least = 1;
    uint32_t known = 0;
    *whole = true;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->finished(g->self))
            continue;
        double share = g->ops->share ? g->ops->share(g->self) : -1;
        known += share >= 0;
        *whole = *whole && share >= 0;
        if (share >= 0 && share < least)
            least = share;
    }
    return known ? least : -1;
}

static const char *target_current(const void *self, double *share, uint32_t *id)
{
    return gpu_running_kernel(((const struct machine *)self)->gpu, share, id);
}

static void target_describe(const void *self, void (*line)(void *user, const char *text),
                            void *user)
{
    const struct machine *m = self;
    gpu_describe_warps(m->gpu, line, user);
    for (uint32_t i = 0; i < m->n_guests; i++)
        m->guests[i]->ops->describe(m->guests[i]->self, line, user);
    line(user, driver_idle(m->driver) ? "driver idle" : "driver has calls outstanding");
    gpu_describe(m->gpu, line, user);
}

static bool run_until(struct machine *m, bool (*done)(const void *self),
                      const struct run_control *control, enum run_end *end, struct error *err)
{
    struct run_target target = {.self = m,
                                .tick = target_tick,
                                .cycle = target_cycle,
                                .next_event = target_next_event,
                                .skip_to = target_skip,
                                .done = done,
                                .work = target_work,
                                .describe = target_describe,
                                .share = target_share,
                                .current = target_current};
    *end = run_loop(&target, control, err);
    return *end == RUN_DONE;
}

/* --- the steps -------------------------------------------------------------------------------- */

static bool is_load(const struct guest *g)
{
    return g->ops->role == GUEST_LOAD && !g->bound && !g->ops->finished(g->self);
}

static bool loads_held(const void *self)
{
    const struct machine *m = self;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (is_load(g) && g->ops->held && !g->ops->held(g->self))
            return false;
    }
    return true;
}

static bool cores_warm(const void *self)
{
    const struct machine *m = self;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->warm && !g->ops->warm(g->self))
            return false;
    }
    return true;
}

static bool loads_under_way(const void *self)
{
    const struct machine *m = self;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (is_load(g) && g->ops->under_way && !g->ops->under_way(g->self))
            return false;
    }
    return true;
}

bool machine_measuring(const struct machine *m)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->measured ? !g->ops->measured(g->self) : !g->ops->finished(g->self))
            return true;
    }
    return false;
}

static bool all_measured(const void *self)
{
    return !machine_measuring(self);
}

static bool start_guests(struct machine *m, enum guest_role role, struct error *err)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *g = m->guests[i];
        if (g->ops->role != role)
            continue;
        g->started = true;
        if (!g->ops->start(g->self, gpu_cycle(m->gpu), err)) {
            error_prefix(err, "%s", g->name);
            return false;
        }
    }
    return true;
}

static bool has_role(const struct machine *m, enum guest_role role)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        if (m->guests[i]->ops->role == role)
            return true;
    }
    return false;
}

/* CPU cores warm up on an empty GPU in front of which the loads wait. */
static bool warm_up(struct machine *m, const struct run_control *control, enum run_end *end,
                    struct error *err)
{
    bool warm = run_until(m, loads_held, control, end, err) && start_guests(m, GUEST_CPU, err) &&
                run_until(m, cores_warm, control, end, err);
    gpu_hold(m->gpu, false);
    return warm;
}

static void begin_measurement(struct machine *m)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->measure)
            g->ops->measure(g->self, gpu_cycle(m->gpu));
    }
}

static void give_up_rest(struct machine *m)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->end && !g->ops->finished(g->self))
            g->ops->end(g->self, gpu_cycle(m->gpu));
    }
}

static enum run_end run_steps(struct machine *m, const struct run_control *control,
                              struct error *err)
{
    enum run_end end = RUN_FAILED;
    bool cpus = has_role(m, GUEST_CPU);
    gpu_hold(m->gpu, cpus);
    if (!start_guests(m, GUEST_LOAD, err) || (cpus && !warm_up(m, control, &end, err)) ||
        !run_until(m, loads_under_way, control, &end, err))
        return end == RUN_DONE ? RUN_FAILED : end;
    begin_measurement(m);
    if (!start_guests(m, GUEST_SERVICE, err))
        return RUN_FAILED;
    if (run_until(m, all_measured, control, &end, err))
        give_up_rest(m);
    return end;
}

enum run_end machine_run(struct machine *m, const struct run_control *control, struct error *err)
{
    m->stop = control->stop;
    enum run_end end = run_steps(m, control, err);
    if (end == RUN_DONE && !gpu_settle(m->gpu, err))
        return RUN_FAILED;
    for (uint32_t i = 0; i < m->n_guests && end != RUN_DONE && end != RUN_STOPPED; i++) {
        if (m->guests[i]->ops->failed && m->guests[i]->started)
            m->guests[i]->ops->failed(m->guests[i]->self, err);
    }
    return end;
}
