#include "sim/system/trace_window.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/gpu/wave/wave.h"
#include "tb/tile.h"

struct trace_window {
    char *path;
    enum wave_trigger trigger;
    uint64_t number, length;
    const struct gpu *gpu;
    struct tile_trace *trace;
    struct gpu_wave *wave;
    bool follows, met;  /* met: an event of the tag `followed` has been accepted by the end */
    bool marked, shown; /* shown: the trigger is in the file */
    uint16_t followed;
    enum wave_trigger mark;
    uint64_t mark_at;
    bool open, fired, finished;
    uint64_t first, recorded;
    struct error failure; /* of writing the file */
};

struct trace_window *trace_window_create(const char *path, enum wave_trigger trigger,
                                         uint64_t number, uint64_t length)
{
    struct trace_window *w = ALLOC(struct trace_window);
    w->path = alloc_string(path);
    w->trigger = trigger;
    w->number = number;
    w->length = length;
    return w;
}

void trace_window_destroy(struct trace_window *w)
{
    if (!w)
        return;
    trace_window_close(w);
    free(w->path);
    free(w);
}

void trace_window_follow(struct trace_window *w, uint16_t tag)
{
    w->follows = true;
    w->followed = tag;
}

void trace_window_mark(struct trace_window *w, enum wave_trigger trigger, uint64_t cycle)
{
    w->marked = true;
    w->mark = trigger;
    w->mark_at = cycle;
}

bool trace_window_attach(struct trace_window *w, struct gpu *gpu, struct error *err)
{
    w->gpu = gpu;
    w->trace = tile_trace_create(gpu_core_khz(gpu));
    if (!gpu_trace(gpu, w->trace, err))
        return false;
    w->wave = gpu_wave_create(gpu, w->trace);
    if (w->follows)
        gpu_wave_follow(w->wave, w->followed);
    if (!tile_trace_open(w->trace, w->path, err))
        return false;
    w->open = true;
    return true;
}

bool trace_trigger_fires(const struct gpu *gpu, enum wave_trigger trigger, uint64_t number,
                         uint64_t cycle)
{
    struct gpu_watch watch = gpu_watch(gpu);
    switch (trigger) {
    case WAVE_TRIGGER_PREEMPTION:
        return watch.preemptions > 0;
    case WAVE_TRIGGER_DOORBELL:
        return watch.doorbells >= number;
    case WAVE_TRIGGER_FE_TIMEOUT:
        return watch.fe_watches > 0;
    case WAVE_TRIGGER_ERROR:
        return watch.rejected > 0;
    default:
        return cycle >= number;
    }
}

static void record(struct trace_window *w, uint64_t cycle, bool trigger)
{
    w->shown |= trigger;
    gpu_wave_show(w->wave, cycle, trigger, w->marked ? w->mark : w->trigger);
    tile_trace_dump(w->trace, cycle);
    w->recorded++;
}

void trace_window_cycle(struct trace_window *w, uint64_t cycle)
{
    if (w->finished)
        return;
    gpu_wave_tick(w->wave);
    if (!w->fired) {
        if (!trace_trigger_fires(w->gpu, w->trigger, w->number, cycle))
            return;
        w->fired = true;
        w->first = cycle;
    }
    if (w->length && cycle - w->first >= w->length) {
        trace_window_close(w);
        return;
    }
    record(w, cycle, !w->shown && (!w->marked || cycle >= w->mark_at));
}

void trace_window_close(struct trace_window *w)
{
    w->finished = true;
    /* What ended the run comes after its last cycle. */
    if (w->open && w->marked && !w->shown)
        record(w, w->mark_at, true);
    if (w->open && w->recorded)
        tile_trace_close(w->trace, &w->failure);
    w->open = false;
    w->met = w->met || (w->wave && gpu_wave_met(w->wave));
    tile_trace_destroy(w->trace);
    gpu_wave_destroy(w->wave);
    w->trace = NULL;
    w->wave = NULL;
}

bool trace_window_kept(const struct trace_window *w, struct error *err)
{
    if (w->failure.set)
        return error_set(err, "--trace %s", w->failure.text);
    if (w->recorded && w->follows && !w->met)
        return error_set(err,
                         "--trace-event %u: there has been no event of this tag by the end of the "
                         "waveform; a tag is 2048 times a row plus the event's number in it",
                         w->followed);
    return w->recorded ||
           error_set(err, "--trace %s: the trigger never fired, so there is no waveform%s", w->path,
                     access(w->path, F_OK) ? "" : "; the file is an older one");
}

uint64_t trace_window_recorded(const struct trace_window *w)
{
    return w->recorded;
}
