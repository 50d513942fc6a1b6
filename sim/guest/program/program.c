#include "sim/guest/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

#define FAILURE_PATIENCE                                                                           \
    200 /* rounds of 100 ms in which a program may end after the machine has                       \
         */

/* --- time ----------------------------------------------------------------------------------------
 */

/* The next thread with something to do at `cycle`; of equals, the one that was created first. */
static struct host_thread *next_thread(const struct program *p, uint64_t cycle)
{
    struct host_thread *best = NULL;
    uint64_t best_time = 0;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct host_thread *t = p->threads[i];
        uint64_t time = t->state == HOST_ASKING    ? t->clock
                        : t->state == HOST_WAITING ? t->wake
                                                   : CYCLE_NEVER;
        if (time > cycle)
            continue;
        if (!best || time < best_time || (time == best_time && t->tid < best->tid)) {
            best = t;
            best_time = time;
        }
    }
    return best;
}

static void serve(struct host_thread *t, uint64_t cycle)
{
    if (t->state == HOST_ASKING) {
        host_begin(t, cycle);
        return;
    }
    t->wake = CYCLE_NEVER;
    if (t->resume)
        t->resume(t, cycle);
}

static bool any_running(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        if (p->threads[i]->state == HOST_RUNNING)
            return true;
    }
    return false;
}

static bool dead_in_order(const struct program *p)
{
    return !p->death[0];
}

static void fail(struct program *p, const char *what)
{
    struct error text = {.set = false};
    error_set(&text, "%s: %s", p->name, what);
    guest_fail(p->guest, &(struct guest_fault){.kind = FAULT_NONE, .text = text.text});
}

/* What a process that was killed had on the GPU is nobody's any more. */
static void check_end(struct program *p)
{
    char text[200];
    if (p->fault.set)
        fail(p, p->fault.text);
    snprintf(text, sizeof text, "the program %s", p->death);
    if (p->exited && !dead_in_order(p))
        fail(p, text);
}

/* The program waits for a moment that will come; for the watchdog. */
static bool waits_for_time(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const struct host_thread *t = p->threads[i];
        if (t->state == HOST_ASKING || (t->state == HOST_WAITING && t->wake != CYCLE_NEVER))
            return true;
    }
    return command_engine_next(p) != CYCLE_NEVER;
}

static bool tick(void *self, uint64_t cycle, struct error *err)
{
    struct program *p = self;
    p->passes += waits_for_time(p);
    command_engine_tick(p, cycle);
    for (bool busy = true; busy && !p->exited;) {
        struct error why = {.set = false};
        p->unsettled = false;
        if (!process_settle(p, &why))
            fail(p, why.text);
        if (machine_stopped(p->machine))
            return true;
        struct host_thread *t = next_thread(p, cycle);
        busy = t != NULL;
        if (t)
            serve(t, cycle);
        p->figures.last_cycle = cycle;
    }
    check_end(p);
    if (p->repeat.on)
        return repeat_tick(p, cycle, err);
    if (!p->measure.on)
        return true;
    if (p->failure)
        return error_set(err, "%s", guest_failure(p->guest)->text);
    if (p->exited && !p->outstanding && !p->measure.given_up)
        return measure_completed(p, cycle, err);
    measure_look(p, cycle);
    return true;
}

static uint64_t next_event(const void *self)
{
    const struct program *p = self;
    uint64_t now = machine_cycle(p->machine);
    uint64_t next = command_engine_next(p), look = measure_next(p);
    next = look < next ? look : next;
    next = p->repeat.next_look < next ? p->repeat.next_look : next;
    if (p->exited)
        return p->repeat.on && !p->repeat.over && !p->outstanding ? now : next;
    if (p->unsettled)
        return now;
    if (p->next_look < next)
        next = p->next_look > now ? p->next_look : now;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const struct host_thread *t = p->threads[i];
        uint64_t time = t->state == HOST_ASKING    ? t->clock
                        : t->state == HOST_WAITING ? t->wake
                                                   : CYCLE_NEVER;
        next = time < next ? time : next;
    }
    return next < now ? now : next;
}

static bool start(void *self, uint64_t cycle, struct error *err)
{
    struct program *p = self;
    (void)cycle;
    p->unsettled = true;
    return process_start(p, err);
}

static bool under_way(const void *self)
{
    const struct program *p = self;
    struct gpu_stats stats;
    if (!p->figures.launches)
        return false;
    gpu_stats(machine_gpu(p->machine), &stats);
    return stats.cores.warp_instructions > 0;
}

static bool finished(const void *self)
{
    const struct program *p = self;
    if (p->repeat.on && !p->repeat.over)
        return false;
    /* Nobody but an attached program has a use for this run. */
    return p->exited && (p->attached || !p->outstanding);
}

static uint64_t work(const void *self)
{
    const struct program *p = self;
    struct pcie_direction_stats in, out;
    machine_link_stats(p->machine, &in, &out);
    return p->figures.calls + p->completed + p->passes + in.tlps + out.tlps;
}

/* --- the end
 * -------------------------------------------------------------------------------------- */

static bool verdict(void *self, char *text, size_t room)
{
    struct program *p = self;
    if (p->measure.given_up) {
        snprintf(text, room, "%s measured, completed %u times with status 0", p->name,
                 p->measure.completions);
        return true;
    }
    if (guest_failure(p->guest)->set) {
        snprintf(text, room, "%s", guest_failure(p->guest)->text);
        return false;
    }
    if (p->status || p->death[0]) {
        if (p->death[0])
            snprintf(text, room, "the program %s", p->death);
        else
            snprintf(text, room, "the program ended with status %d%s", p->status,
                     p->repeat.completed ? ", not the first time" : "");
        return false;
    }
    if (p->repeat.on)
        snprintf(text, room, "%s completed %u times with status 0", p->name, p->repeat.completed);
    else
        snprintf(text, room, "%s ended with status 0", p->name);
    return true;
}

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    const struct program *p = self;
    char text[200];
    uint32_t calls = 0, outside = 0;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        calls += p->threads[i]->state == HOST_ASKING || p->threads[i]->state == HOST_WAITING;
        outside += p->threads[i]->state == HOST_RUNNING;
    }
    if (p->exited)
        snprintf(text, sizeof text, "program %s: ended with status %d", p->name, p->status);
    else
        snprintf(text, sizeof text,
                 "program %s: %u threads in calls, %u outside, %llu commands not complete", p->name,
                 calls, outside, (unsigned long long)p->outstanding);
    line(user, text);
}

static void print(const void *self, FILE *to)
{
    const struct program *p = self;
    double khz = machine_config(p->machine)->core_khz;
    fprintf(to, "\nProgram               %s: %llu calls, %llu launches, %.3f ms\n", p->name,
            (unsigned long long)p->figures.calls, (unsigned long long)p->figures.launches,
            (double)p->figures.last_cycle / khz);
    fprintf(to, "  copies              %llu; %.3f MB in, %.3f MB out, %.3f MB on the device\n",
            (unsigned long long)p->figures.copies, (double)p->figures.bytes_in / 1e6,
            (double)p->figures.bytes_out / 1e6, (double)p->figures.bytes_device / 1e6);
    fprintf(to, "  kernels             %.3f ms\n", (double)p->figures.kernel_cycles / khz);
    kernel_figures_print(&p->kernels, p->alone.count ? &p->alone : NULL, to);
    if (p->measure.on)
        measure_print(p, to);
    if (p->repeat.on)
        repeat_print(p, to);
    fprintf(to, "  device memory       %.3f MB at most, %.3f MB not freed\n",
            (double)p->peak_bytes / 1e6, (double)(p->device_bytes + p->pinned_bytes) / 1e6);
}

static json_t *json(const void *self)
{
    const struct program *p = self;
    json_t *j = json_pack(
        "{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "status", p->status, "calls",
        (json_int_t)p->figures.calls, "launches", (json_int_t)p->figures.launches, "copies",
        (json_int_t)p->figures.copies, "bytes_in", (json_int_t)p->figures.bytes_in, "bytes_out",
        (json_int_t)p->figures.bytes_out, "bytes_on_device", (json_int_t)p->figures.bytes_device,
        "kernel_cycles", (json_int_t)p->figures.kernel_cycles, "last_cycle",
        (json_int_t)p->figures.last_cycle, "peak_bytes", (json_int_t)p->peak_bytes, "leaked_bytes",
        (json_int_t)(p->device_bytes + p->pinned_bytes));
    json_object_set_new(j, "kernels",
                        kernel_figures_json(&p->kernels, p->alone.count ? &p->alone : NULL,
                                            machine_config(p->machine)));
    json_object_set_new(j, "copies_by_kind", profile_copies_json(p->by_kind));
    if (p->measure.on)
        json_object_set_new(j, "measured", program_measured(p->guest));
    if (p->repeat.on)
        json_object_set_new(j, "repeated", repeat_json(p));
    return j;
}

/* Every thread that is in a call comes back with the error, and so will all later calls. What the
 * program has in its streams goes on without it, to the end. */
static void give_up(struct program *p, uint64_t cycle, const char *text)
{
    stream_forget_callers(p, cycle);
    if (p->exited || p->death[0])
        return;
    fprintf(stderr, "evgpu: %s\n", text);
    p->complained = true;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct host_thread *t = p->threads[i];
        if (t->state == HOST_WAITING)
            host_reply(t, cycle);
    }
}

static void faulted(void *self, uint64_t cycle, const struct guest_fault *fault)
{
    struct program *p = self;
    p->failure = host_failure(fault->kind);
    p->failed_at_ms = process_now_ms();
    give_up(p, cycle, fault->text);
    region_unblock(p);
}

/* After a failure of the machine the program is served until it ends, with nothing but the error.
 */
static void failed(void *self, const struct error *err)
{
    struct program *p = self;
    uint64_t cycle = machine_cycle(p->machine);
    if (!p->failure) {
        p->failure = host_failure(gpu_fault(machine_gpu(p->machine))->kind);
        give_up(p, cycle, err->text);
    }
    for (int round = 0; round < FAILURE_PATIENCE && !p->exited && !machine_stopped(p->machine);) {
        process_look(p, any_running(p) ? 100 : 0);
        struct host_thread *t = next_thread(p, CYCLE_NEVER - 1);
        if (t)
            serve(t, cycle);
        else
            round++;
    }
}

void program_release_process(struct program *p)
{
    process_end(p);
    for (uint32_t i = 0; i < p->n_threads; i++) {
        free(p->threads[i]->marks);
        free(p->threads[i]->text);
        free(p->threads[i]->payload);
        free(p->threads[i]);
    }
    while (p->commands) {
        struct command *c = p->commands;
        p->commands = c->next;
        if (c->event && --c->event->pending == 0 && c->event->destroyed)
            free(c->event);
        free(c->wants);
        free(c->payload);
        free(c);
    }
    while (p->landings) {
        struct landing *l = p->landings;
        p->landings = l->next;
        free(l->data);
        free(l);
    }
    for (uint32_t i = 0; i < p->n_events; i++)
        free(p->events[i]);
    module_release_all(p);
    p->n_threads = p->n_events = p->n_tasks = 0;
}

static void destroy(void *self)
{
    struct program *p = self;
    program_release_process(p);
    free(p->modules);
    free(p->functions);
    free(p->threads);
    free(p->free_driver_threads);
    free(p->tasks);
    free(p->streams);
    free(p->events);
    free(p->areas);
    free(p->free_params);
    free(p->output);
    kernel_figures_free(&p->kernels);
    kernel_figures_free(&p->alone);
    free(p->name);
    free(p->command);
    free(p->library);
    free(p->applications);
    free(p);
}

static bool init_process(struct program *p, struct error *err)
{
    p->limits[CU_LIMIT_STACK_SIZE] = 1024;
    p->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
    p->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
    p->limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
    p->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
    return stream_init(p, err);
}

bool program_fresh(struct program *p, struct error *err)
{
    program_release_process(p);
    memory_release_all(p);
    p->n_areas = 0;
    stream_release_all(p);
    p->child = 0;
    p->exited = p->reaped = false;
    p->unsettled = true;
    return init_process(p, err) && process_start(p, err);
}

static const struct guest_ops ops = {.kind = "program",
                                     .role = GUEST_LOAD,
                                     .start = start,
                                     .tick = tick,
                                     .next_event = next_event,
                                     .under_way = under_way,
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
                                     .faulted = faulted,
                                     .failed = failed,
                                     .destroy = destroy};

bool program_create(struct machine *m, const char *name, const struct program_options *options,
                    struct error *err)
{
    struct program *p = ALLOC(struct program);
    p->machine = m;
    p->name = alloc_string(name);
    p->command = options->command ? alloc_string(options->command) : NULL;
    p->library = options->client_library ? alloc_string(options->client_library) : NULL;
    p->applications = options->applications ? alloc_string(options->applications) : NULL;
    p->attached = !options->command;
    if (options->alone)
        kernel_figures_copy(&p->alone, options->alone);
    p->control = p->attached ? options->control : -1;
    p->measure = (struct program_measure){.on = options->measured, .quota = options->quota};
    repeat_init(p, options);
    p->guest = machine_add_guest(m, &ops, name, p);
    return init_process(p, err);
}

const struct kernel_figures_table *program_kernels(const struct guest *g)
{
    const struct program *p = guest_self(g);
    return &p->kernels;
}

void program_print_profile(const struct guest *g, FILE *to)
{
    const struct program *p = guest_self(g);
    uint32_t n = p->kernels.count;
    struct profile_kernel *kernels =
        profile_with_events(kernel_figures_rows(&p->kernels), &n, p->guest);
    struct profile profile = {.config = machine_config(p->machine),
                              .name = p->title[0] ? p->title : p->name,
                              .cycles = p->figures.last_cycle,
                              .kernels = kernels,
                              .n_kernels = n,
                              .copies = p->by_kind};
    if (p->figures.launches + p->figures.copies + p->figures.sets)
        profile_print(&profile, to);
    free(kernels);
}

int program_status(const struct guest *g)
{
    const struct program *p = guest_self(g);
    return p->status;
}

bool program_is(const struct guest *g)
{
    return guest_ops(g) == &ops;
}
