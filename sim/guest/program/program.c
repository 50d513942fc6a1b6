#include "sim/guest/program/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/guest/program/internal.h"

/* --- time ------------------------------------------------------------------------------------- */

/* The program waits for a moment that will come; for the watchdog. */
static bool waits_for_time(const struct program *p)
{
    return threads_next_event(p) != CYCLE_NEVER || commands_next_event(p) != CYCLE_NEVER;
}

static bool tick(void *self, uint64_t cycle, struct error *err)
{
    struct program *p = self;
    p->passes += waits_for_time(p);
    commands_tick(p, cycle);
    values_tick(p, cycle);
    for (bool busy = true; busy && !process_exited(p);) {
        struct error why = {.set = false};
        if (!settle_wait(p, &why))
            failure_report(p, why.text);
        if (machine_stopped(p->machine))
            return true;
        struct host_thread *t = context_tick(p, cycle) ? threads_next(p, cycle) : NULL;
        busy = t != NULL;
        if (t)
            call_serve(t, cycle);
        figures_served(p, cycle);
    }
    context_tick(p, cycle);
    failure_check(p);
    if (repeat_on(p))
        return repeat_tick(p, cycle, err);
    if (!measure_on(p))
        return true;
    if (failure_status(p))
        return error_set(err, "%s", guest_failure(p->guest)->text);
    if (process_exited(p) && context_over(p) && !measure_given_up(p))
        return measure_completed(p, cycle, err);
    measure_look(p, cycle);
    return true;
}

static uint64_t next_event(const void *self)
{
    const struct program *p = self;
    uint64_t now = machine_cycle(p->machine);
    uint64_t next = commands_next_event(p), other = measure_next(p);
    next = other < next ? other : next;
    other = values_next_event(p);
    next = other < next ? other : next;
    other = repeat_next(p);
    next = other < next ? other : next;
    if (context_due(p) || (process_exited(p) && context_over(p) && repeat_pending(p)))
        return now;
    if (process_exited(p))
        return next;
    if (settle_needed(p))
        return now;
    other = settle_next_look(p);
    next = other < next ? other : next;
    other = context_ending(p) ? CYCLE_NEVER : threads_next_event(p);
    next = other < next ? other : next;
    return next < now ? now : next;
}

static bool start(void *self, uint64_t cycle, struct error *err)
{
    struct program *p = self;
    (void)cycle;
    settle_again(p);
    return process_start(p, err);
}

static bool under_way(const void *self)
{
    const struct program *p = self;
    struct gpu_stats stats;
    if (!figures_launches(p))
        return false;
    gpu_stats(machine_gpu(p->machine), &stats);
    return stats.cores.warp_instructions || stats.cores.untimed_warp_instructions;
}

static bool finished(const void *self)
{
    const struct program *p = self;
    if (repeat_pending(p))
        return false;
    /* Nobody but an attached program has a use for this run. */
    return process_exited(p) && (p->attached || context_quiet(p));
}

static uint64_t work(const void *self)
{
    const struct program *p = self;
    struct pcie_direction_stats in, out;
    machine_link_stats(p->machine, &in, &out);
    return figures_calls(p) + commands_completed(p) + p->passes + in.tlps + out.tlps;
}

/* --- the end ---------------------------------------------------------------------------------- */

static bool verdict(void *self, char *text, size_t room)
{
    const struct program *p = self;
    if (measure_given_up(p)) {
        snprintf(text, room, "%s measured, completed %u times with status 0", p->name,
                 measure_completions(p));
        return true;
    }
    if (guest_failure(p->guest)->set) {
        snprintf(text, room, "%s", guest_failure(p->guest)->text);
        return false;
    }
    if (process_death(p)) {
        snprintf(text, room, "the program %s", process_death(p));
        return false;
    }
    if (process_status(p)) {
        snprintf(text, room, "the program ended with status %d%s", process_status(p),
                 repeat_completed(p) ? " in a repetition" : "");
        return false;
    }
    if (repeat_on(p))
        snprintf(text, room, "%s completed %u times with status 0", p->name, repeat_completed(p));
    else
        snprintf(text, room, "%s ended with status 0", p->name);
    return true;
}

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    const struct program *p = self;
    char text[200];
    uint32_t calls = 0, outside = 0;
    for (uint32_t i = 0; i < threads_count(p); i++) {
        enum host_state state = threads_at(p, i)->state;
        calls += state == HOST_ASKING || state == HOST_WAITING;
        outside += state == HOST_RUNNING;
    }
    if (process_exited(p))
        snprintf(text, sizeof text, "program %s: ended with status %d", p->name, process_status(p));
    else
        snprintf(text, sizeof text,
                 "program %s: %u threads in calls, %u outside, %llu incomplete commands", p->name,
                 calls, outside, (unsigned long long)commands_outstanding(p));
    line(user, text);
}

static void print(const void *self, FILE *to)
{
    const struct program *p = self;
    figures_print(p, to);
    if (measure_on(p))
        measure_print(p, to);
    if (repeat_on(p))
        repeat_print(p, to);
    fprintf(to, "  device memory       %.3f MB at the peak, %.3f MB not freed\n",
            (double)memory_peak(p) / 1e6, (double)memory_leaked(p) / 1e6);
}

static json_t *json(const void *self)
{
    const struct program *p = self;
    json_t *j = figures_json(p);
    if (measure_on(p))
        json_object_set_new(j, "measured", program_measured(p->guest));
    if (repeat_on(p))
        json_object_set_new(j, "repeated", repeat_json(p));
    return j;
}

/* What belongs to the process, and not to the guest. */
static void release_process(struct program *p)
{
    process_end(p);
    threads_clear(p);
    settle_clear(p);
}

static void destroy(void *self)
{
    struct program *p = self;
    release_process(p);
    context_free(p);
    lives_free(p);
    modules_free(p);
    threads_free(p);
    settle_free(p);
    stream_free(p);
    events_free(p);
    mappings_end(p);
    memory_end(p);
    launch_free(p);
    output_free(p);
    figures_free(p);
    process_free(p);
    free(p->name);
    free(p);
}

bool program_restart(struct program *p, struct error *err)
{
    release_process(p);
    memory_forget(p);
    process_reset(p);
    settle_again(p);
    return context_renew(p, err) && process_start(p, err);
}

static double share(const void *self)
{
    /* A repeated one ends with the services. */
    return repeat_follows(self) ? 1 : measure_share(self);
}

static void child_over(void *self, const struct grid *grid)
{
    figures_kernel_over(self, grid);
}

static const struct guest_ops ops = {.kind = "program",
                                     .role = GUEST_LOAD,
                                     .start = start,
                                     .tick = tick,
                                     .next_event = next_event,
                                     .under_way = under_way,
                                     .share = share,
                                     .finished = finished,
                                     .held = measure_held,
                                     .measure = measure_begin,
                                     .measured = measure_done,
                                     .end = measure_end,
                                     .verdict = verdict,
                                     .work = work,
                                     .describe = describe,
                                     .print = print,
                                     .json = json,
                                     .child_over = child_over,
                                     .faulted = failure_faulted,
                                     .failed = failure_serve,
                                     .destroy = destroy};

bool program_create(struct machine *m, const char *name, const struct program_options *options,
                    struct error *err)
{
    struct program *p = ALLOC(struct program);
    p->machine = m;
    p->name = alloc_string(name);
    p->attached = !options->command;
    process_init(p, options);
    figures_init(p, options->alone);
    measure_init(p, options);
    repeat_init(p, options);
    p->guest = machine_add_guest(m, &ops, name, p);
    device_init(p);
    return stream_init(p, err);
}

int program_status(const struct guest *g)
{
    const struct program *p = guest_self(g);
    return process_status(p);
}

bool program_is(const struct guest *g)
{
    return guest_ops(g) == &ops;
}
