#include "sim/cli/run/run_trace.h"

#include <string.h>

#include "base/number.h"

/* Of a failing run, where no number is given. */
#define CYCLES_BEFORE_ERROR 2000

/* Of a doorbell with which a window begins, so that its write is seen to rise. */
#define CYCLES_BEFORE_DOORBELL 20

bool trace_take_trigger(struct trace_request *r, const char *text, struct error *err)
{
    static const struct {
        const char *name;
        enum wave_trigger trigger;
    } plain[] = {{"preemption", WAVE_TRIGGER_PREEMPTION},
                 {"error", WAVE_TRIGGER_ERROR},
                 {"fe-timeout", WAVE_TRIGGER_FE_TIMEOUT}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (strcmp(text, plain[i].name))
            continue;
        r->trigger = plain[i].trigger;
        return true;
    }
    bool doorbell = !strncmp(text, "doorbell:", 9);
    if (!doorbell && strncmp(text, "cycle:", 6))
        return error_set(
            err, "--trace-trigger %s: must be cycle:N, preemption, doorbell:N, fe-timeout or error",
            text);
    r->trigger = doorbell ? WAVE_TRIGGER_DOORBELL : WAVE_TRIGGER_CYCLE;
    const char *number = strchr(text, ':') + 1;
    return doorbell ? parse_count("--trace-trigger doorbell", number, UINT64_MAX, &r->number, err)
                    : parse_whole("--trace-trigger cycle", number, UINT64_MAX, &r->number, err);
}

static struct trace_window *create(const struct trace_request *r, enum wave_trigger trigger,
                                   uint64_t number, uint64_t length)
{
    struct trace_window *w = trace_window_create(r->path, trigger, number, length);
    if (r->follows)
        trace_window_follow(w, (uint16_t)r->followed);
    return w;
}

struct trace_window *trace_window_of(const struct trace_request *r)
{
    return r->path ? create(r, r->trigger, r->number, r->length) : NULL;
}

bool trace_looks_back(const struct trace_request *r)
{
    return r->path && r->before && r->trigger != WAVE_TRIGGER_CYCLE &&
           r->trigger != WAVE_TRIGGER_ERROR;
}

struct trace_window *trace_window_at(const struct trace_request *r, const struct trace_place *at)
{
    uint64_t from = at->cycle > r->before ? at->cycle - r->before : 0;
    if (at->waiting < from + CYCLES_BEFORE_DOORBELL)
        from = at->waiting > CYCLES_BEFORE_DOORBELL ? at->waiting - CYCLES_BEFORE_DOORBELL : 0;
    uint64_t length = r->length ? at->cycle - from + r->length : 0;
    struct trace_window *w = create(r, WAVE_TRIGGER_CYCLE, from, length);
    trace_window_mark(w, r->trigger, at->cycle);
    return w;
}

struct trace_window *trace_window_before(const struct trace_request *r, uint64_t cycle)
{
    uint64_t length = r->length ? r->length : CYCLES_BEFORE_ERROR;
    struct trace_window *w = create(r, WAVE_TRIGGER_CYCLE, cycle > length ? cycle - length : 0, 0);
    trace_window_mark(w, WAVE_TRIGGER_ERROR, cycle ? cycle - 1 : 0);
    return w;
}
