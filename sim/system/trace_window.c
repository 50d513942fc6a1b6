#include "sim/system/trace_window.h"

#include <stdlib.h>

#include "sim/base/alloc.h"

struct trace_window {
    char *path;
    enum trace_trigger trigger;
    uint64_t number, length;
    const struct gpu *gpu;
    struct tile_trace *trace;
    bool open, fired, finished;
    uint64_t first, recorded;
};

struct trace_window *trace_window_create(const char *path, enum trace_trigger trigger,
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

bool trace_window_attach(struct trace_window *w, struct gpu *gpu, struct error *err)
{
    w->gpu = gpu;
    w->trace = tile_trace_create();
    if (!gpu_trace(gpu, w->trace, err) || !tile_trace_open(w->trace, w->path, err))
        return false;
    w->open = true;
    return true;
}

static bool fires(const struct trace_window *w, uint64_t cycle)
{
    struct gpu_watch watch = gpu_watch(w->gpu);
    switch (w->trigger) {
    case TRIGGER_PREEMPTION:
        return watch.preemptions > 0;
    case TRIGGER_DOORBELL:
        return watch.doorbells >= w->number;
    case TRIGGER_FE_TIMEOUT:
        return watch.fe_watches > 0;
    case TRIGGER_ERROR:
        return watch.rejected > 0;
    default:
        return cycle >= w->number;
    }
}

void trace_window_cycle(struct trace_window *w, uint64_t cycle)
{
    if (w->finished)
        return;
    if (!w->fired) {
        if (!fires(w, cycle))
            return;
        w->fired = true;
        w->first = cycle;
    }
    if (w->length && cycle - w->first >= w->length) {
        trace_window_close(w);
        return;
    }
    tile_trace_dump(w->trace, cycle);
    w->recorded++;
}

void trace_window_close(struct trace_window *w)
{
    w->finished = true;
    if (w->open)
        tile_trace_close(w->trace);
    w->open = false;
    tile_trace_destroy(w->trace);
    w->trace = NULL;
}

uint64_t trace_window_recorded(const struct trace_window *w)
{
    return w->recorded;
}
