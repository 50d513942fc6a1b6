/* The options of `evgpu run` that say what goes into a waveform. */
#ifndef EVGPU_CLI_RUN_RUN_TRACE_H
#define EVGPU_CLI_RUN_RUN_TRACE_H

#include "sim/system/trace_window.h"

struct trace_request {
    const char *path; /* NULL: no waveform */
    enum wave_trigger trigger;
    uint64_t number, length; /* of trace_window_create */
    bool follows;            /* the first track is for events of this tag */
    uint32_t followed;
};

/* --trace-trigger: cycle:N, preemption, doorbell:N, fe-timeout or error. */
bool trace_take_trigger(struct trace_request *r, const char *text, struct error *err);

/* The window that was asked for; NULL: no waveform. */
struct trace_window *trace_window_of(const struct trace_request *r);

/* The window of the cycles in front of `cycle`, in which a run failed, for the same run once more.
 */
struct trace_window *trace_window_before(const struct trace_request *r, uint64_t cycle);

#endif
