/* The options of `evgpu run` that say what goes into a waveform. */
#ifndef EVGPU_CLI_RUN_RUN_TRACE_H
#define EVGPU_CLI_RUN_RUN_TRACE_H

#include "sim/system/trace_window.h"

struct trace_request {
    const char *path; /* NULL: no waveform */
    enum wave_trigger trigger;
    uint64_t number, length; /* of trace_window_create */
    uint64_t before; /* cycles kept in front of a trigger that is found; see trace_window_at */
    bool follows;    /* the first track is for events of this tag */
    uint32_t followed;
};

/* --trace-trigger: cycle:N, preemption, doorbell:N, fe-timeout or error. */
bool trace_take_trigger(struct trace_request *r, const char *text, struct error *err);

/* The window that was asked for; NULL: no waveform. */
struct trace_window *trace_window_of(const struct trace_request *r);

#define TRACE_BEFORE 2000 /* cycles, unless --trace-before says another number */

/* Whether the window begins before the trigger, so that a run without it has to find the trigger
 * first. */
bool trace_looks_back(const struct trace_request *r);

/* Where the trigger is, found by such a run. */
struct trace_place {
    uint64_t cycle;   /* of the trigger */
    uint64_t waiting; /* arrival of the oldest doorbell whose event has no warp at that cycle */
};

/* The window around it: from `before` cycles in front of the trigger, or from the doorbell that
 * waits, whichever is earlier. */
struct trace_window *trace_window_at(const struct trace_request *r, const struct trace_place *at);

/* The window of the cycles in front of `cycle`, in which a run failed, for the same run once more.
 */
struct trace_window *trace_window_before(const struct trace_request *r, uint64_t cycle);

#endif
