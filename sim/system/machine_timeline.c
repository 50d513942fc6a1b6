/* What the machine itself writes to a timeline: the driver's stages and what streams execute, on
 * tracks of the guest whose it is; doorbells and events; preemptions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/timeline.h"
#include "sim/system/machine_internal.h"

#define GPU_PROCESS 1u
#define MAX_TRACKS  8192u

/* First cycle and last of a grid, by the driver's number. */
struct span {
    uint64_t begin, end;
};

struct machine_timeline {
    struct span *grid;
    uint32_t n_grids;
    bool gpu_named, driver_named, bells_named, words_named;
    bool has_region, looked, waits;
    uint64_t waits_since;
    struct timeline_lanes preemptions;
};

struct guest_timeline {
    uint32_t process;
    char title[64];
    bool named;
    uint8_t has_track[MAX_TRACKS / 8];
    struct timeline_lanes events;
};

/* --- names ------------------------------------------------------------------------------------ */

static struct guest_timeline *tracks_of(struct guest *g)
{
    if (!g->timeline) {
        uint32_t index = 0;
        while (g->machine->guests[index] != g)
            index++;
        g->timeline = ALLOC(struct guest_timeline);
        g->timeline->process = GPU_PROCESS + 1 + index;
    }
    return g->timeline;
}

struct timeline *guest_timeline(struct guest *g)
{
    return g->machine->options.timeline;
}

void guest_timeline_title(struct guest *g, const char *title)
{
    snprintf(tracks_of(g)->title, sizeof tracks_of(g)->title, "%s", title);
}

uint32_t guest_process(struct guest *g)
{
    struct guest_timeline *t = tracks_of(g);
    if (!t->named)
        timeline_process(guest_timeline(g), t->process, t->title[0] ? t->title : g->name);
    t->named = true;
    return t->process;
}

uint32_t guest_track(struct guest *g, uint32_t first, uint32_t number, const char *name)
{
    struct guest_timeline *t = tracks_of(g);
    uint32_t process = guest_process(g), track = first + number;
    if (track >= MAX_TRACKS)
        track = MAX_TRACKS - 1;
    if (t->has_track[track / 8] >> track % 8 & 1)
        return track;
    char text[80];
    t->has_track[track / 8] |= (uint8_t)(1u << track % 8);
    snprintf(text, sizeof text, "%s %u", name, number);
    timeline_track(guest_timeline(g), process, track, text);
    return track;
}

static struct machine_timeline *machine_tracks(struct machine *m)
{
    if (!m->timeline) {
        m->timeline = ALLOC(struct machine_timeline);
        m->timeline->preemptions = (struct timeline_lanes){
            .process = GPU_PROCESS, .first_track = TRACK_EVENTS, .name = "preemptions"};
    }
    return m->timeline;
}

static uint32_t gpu_process(struct machine *m)
{
    struct machine_timeline *t = machine_tracks(m);
    if (!t->gpu_named)
        timeline_process(m->options.timeline, GPU_PROCESS, "GPU");
    t->gpu_named = true;
    return GPU_PROCESS;
}

/* --- calls of the driver ---------------------------------------------------------------------- */

static const char *call_name(const struct machine *m, const struct driver_call *call)
{
    static const char *const names[] = {
        [DRIVER_COPY_IN] = "copy to device", [DRIVER_COPY_OUT] = "copy to host",
        [DRIVER_BULK_IN] = "copy to device", [DRIVER_BULK_OUT] = "copy to host",
        [DRIVER_LAUNCH] = "kernel",          [DRIVER_WORK] = "work",
        [DRIVER_OP] = "memory operation",    [DRIVER_SYNC] = "synchronisation"};
    if (call->note.label)
        return call->note.label;
    if (call->kind == DRIVER_LAUNCH && gpu_kernel_at(m->gpu, call->kernel.code))
        return gpu_kernel_at(m->gpu, call->kernel.code)->name;
    return names[call->kind];
}

static void write_enqueue(struct guest *g, const struct driver_call *call,
                          const struct driver_times *times, uint32_t track)
{
    struct timeline_slice s = {.process = guest_process(g),
                               .track = track,
                               .begin = times->called,
                               .end = times->enqueued,
                               .category = "driver",
                               .name = "enqueue"};
    s.args[0] = (struct timeline_arg){"stream", NULL, call->note.stream};
    timeline_slice(guest_timeline(g), &s);
}

/* One driver for all, or one for each thread. */
static void write_prepare(struct guest *g, const struct driver_call *call,
                          const struct driver_times *times, const char *name)
{
    struct machine *m = g->machine;
    struct timeline_slice s = {
        .begin = times->preparing, .end = times->prepared, .category = "driver", .name = name};
    if (m->config.one_driver) {
        s.process = gpu_process(m);
        s.track = TRACK_DRIVER;
        if (!m->timeline->driver_named)
            timeline_track(m->options.timeline, s.process, s.track, "driver");
        m->timeline->driver_named = true;
    } else {
        s.process = guest_process(g);
        s.track = guest_track(g, TRACK_DRIVER, call->note.thread, "driver for host thread");
    }
    s.args[0] = (struct timeline_arg){"stage", "prepare", 0};
    timeline_slice(m->options.timeline, &s);
}

static void write_grid(struct guest *g, uint32_t id, const struct timeline_slice *outer)
{
    const struct machine_timeline *t = machine_tracks(g->machine);
    if (id >= t->n_grids || t->grid[id].begin < outer->begin || t->grid[id].end > outer->end)
        return;
    struct timeline_slice s = *outer;
    s.begin = t->grid[id].begin;
    s.end = t->grid[id].end;
    s.name = "blocks run";
    s.args[0].key = NULL;
    timeline_slice(guest_timeline(g), &s);
}

static void dims_text(char *text, size_t room, const uint32_t dims[3])
{
    snprintf(text, room, "%u x %u x %u", dims[0], dims[1], dims[2]);
}

static void write_execution(struct guest *g, uint32_t id, const struct driver_call *call,
                            const struct driver_times *times, const char *name)
{
    char grid[40], block[40];
    bool kernel = call->kind == DRIVER_LAUNCH;
    struct timeline_slice s = {.process = guest_process(g),
                               .track = guest_track(g, TRACK_STREAM, call->note.stream, "stream"),
                               .begin = times->started,
                               .end = times->finished,
                               .category = kernel ? "kernel" : "copy",
                               .name = name};
    if (call->kind == DRIVER_WORK)
        s.category = "stream";
    if (kernel) {
        dims_text(grid, sizeof grid, call->kernel.grid);
        dims_text(block, sizeof block, call->kernel.block);
        s.args[0] = (struct timeline_arg){"grid", grid, 0};
        s.args[1] = (struct timeline_arg){"block", block, 0};
    } else if (call->bytes) {
        s.args[0] = (struct timeline_arg){"bytes", NULL, call->bytes};
    }
    timeline_slice(guest_timeline(g), &s);
    if (kernel)
        write_grid(g, id, &s);
    if (!times->moving)
        return;
    s.name = "data";
    s.begin = times->moving;
    s.args[0].key = NULL;
    timeline_slice(guest_timeline(g), &s);
}

void timeline_call(void *user, uint32_t id, const struct driver_call *call,
                   const struct driver_times *times)
{
    struct machine *m = user;
    struct guest *g = m->thread_guest[call->thread];
    if (call->immediate || !g) /* a wait between streams, which takes no time of anybody */
        return;
    const char *name = call_name(m, call);
    uint32_t thread = guest_track(g, TRACK_HOST, call->note.thread, "host thread");
    if (call->kind == DRIVER_SYNC)
        return;
    write_enqueue(g, call, times, thread);
    write_prepare(g, call, times, name);
    write_execution(g, id, call, times, name);
    timeline_arrow(m->options.timeline, "call",
                   (struct timeline_place){guest_process(g), thread, times->called},
                   (struct timeline_place){guest_process(g), TRACK_STREAM + call->note.stream,
                                           times->started});
}

void timeline_grid(struct machine *m, uint32_t id, const struct grid *grid)
{
    struct machine_timeline *t = machine_tracks(m);
    if (id >= t->n_grids) {
        uint32_t n = t->n_grids ? t->n_grids : 64;
        while (n <= id)
            n *= 2;
        t->grid = alloc_resize(t->grid, n, sizeof *t->grid);
        memset(t->grid + t->n_grids, 0, (n - t->n_grids) * sizeof *t->grid);
        t->n_grids = n;
    }
    t->grid[id] = (struct span){grid->start_cycle, grid->end_cycle};
}

/* --- words of the synchronised region --------------------------------------------------------- */

static void write_wait(struct machine *m, uint64_t cycle)
{
    struct machine_timeline *t = machine_tracks(m);
    struct timeline_slice s = {.process = gpu_process(m),
                               .track = TRACK_DEVICE,
                               .begin = t->waits_since,
                               .end = cycle,
                               .category = "region",
                               .name = "wait for words"};
    if (!t->words_named)
        timeline_track(m->options.timeline, s.process, s.track, "synchronised region");
    t->words_named = true;
    timeline_slice(m->options.timeline, &s);
}

void timeline_tick(struct machine *m, uint64_t cycle)
{
    struct machine_timeline *t = machine_tracks(m);
    struct gpu_region region;
    if (!t->looked)
        t->has_region = gpu_region(m->gpu, &region);
    t->looked = true;
    bool waits = t->has_region && gpu_waits_for_words(m->gpu);
    if (waits == t->waits)
        return;
    if (t->waits)
        write_wait(m, cycle);
    t->waits = waits;
    t->waits_since = cycle;
}

/* --- events ----------------------------------------------------------------------------------- */

static const char *const path_names[EVENT_PATHS] = {"free warp", "preempted, spare registers",
                                                    "preempted, registers saved", "thread blocks"};

static void write_parts(struct timeline *file, struct timeline_slice s,
                        const struct event_times *times)
{
    const struct {
        const char *name;
        uint64_t begin, end;
    } parts[] = {{"launch", times->arrived, times->taken},
                 {"to a warp", times->taken, times->pushed},
                 {"run", times->pushed, times->exited},
                 {"completion", times->exited, times->flagged}};
    s.args[0].key = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].begin > parts[i].end)
            continue;
        s.name = parts[i].name;
        s.begin = parts[i].begin;
        s.end = parts[i].end;
        timeline_slice(file, &s);
    }
}

void timeline_event(struct machine *m, struct guest *g, const struct event_times *times)
{
    struct timeline *file = m->options.timeline;
    struct guest_timeline *t = tracks_of(g);
    t->events.process = guest_process(g);
    t->events.first_track = TRACK_EVENTS;
    t->events.name = "events";
    const struct kernel *kernel = m->row_use[times->row].kernel;
    struct timeline_slice s = {.begin = times->arrived,
                               .end = times->flagged,
                               .category = "event",
                               .name = kernel ? kernel->name : "event"};
    s.args[0] = (struct timeline_arg){"doorbell", NULL, times->index};
    s.args[1] = (struct timeline_arg){"core", NULL, times->core};
    s.args[2] = (struct timeline_arg){"way", path_names[times->path], 0};
    timeline_lane(file, &t->events, &s);
    write_parts(file, s, times);
    struct timeline_slice bell = {.process = gpu_process(m),
                                  .track = TRACK_HOST,
                                  .begin = times->arrived,
                                  .category = "doorbell",
                                  .name = "doorbell"};
    bell.args[0] = (struct timeline_arg){"row", NULL, times->row};
    if (!machine_tracks(m)->bells_named)
        timeline_track(file, bell.process, bell.track, "doorbells");
    machine_tracks(m)->bells_named = true;
    timeline_instant(file, &bell);
    if (times->path != EVENT_SPARE && times->path != EVENT_SAVED)
        return;
    struct timeline_slice taken = {.begin = times->taken,
                                   .end = times->pushed,
                                   .category = "preemption",
                                   .name = path_names[times->path]};
    taken.args[0] = (struct timeline_arg){"core", NULL, times->core};
    timeline_lane(file, &machine_tracks(m)->preemptions, &taken);
}

/* --- the end ---------------------------------------------------------------------------------- */

/* What had not ended is drawn up to now. */
static void unfinished(void *user, uint32_t id, const struct driver_call *call,
                       const struct driver_times *times)
{
    struct machine *m = user;
    struct driver_call cut = *call;
    struct driver_times until = *times;
    uint64_t now = gpu_cycle(m->gpu);
    char name[160];
    struct guest *g = m->thread_guest[call->thread];
    if (call->immediate || call->kind == DRIVER_SYNC || !g)
        return;
    snprintf(name, sizeof name, "%.120s (not ended)", call_name(m, call));
    cut.note.label = name;
    if (!until.started)
        return;
    until.finished = now;
    write_execution(g, id, &cut, &until, name);
}

void machine_end_timeline(struct machine *m)
{
    if (m->options.timeline)
        driver_outstanding(m->driver, unfinished, m);
    if (m->options.timeline && machine_tracks(m)->waits)
        write_wait(m, gpu_cycle(m->gpu));
    m->options.timeline = NULL;
}

void timeline_destroy_machine(struct machine *m)
{
    if (m->timeline) {
        timeline_lanes_free(&m->timeline->preemptions);
        free(m->timeline->grid);
    }
    free(m->timeline);
}

void timeline_destroy_guest(struct guest *g)
{
    if (g->timeline)
        timeline_lanes_free(&g->timeline->events);
    free(g->timeline);
}
