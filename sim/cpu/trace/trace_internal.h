/* Between trace.c and the kinds of traces. */
#ifndef EVGPU_CPU_TRACE_TRACE_INTERNAL_H
#define EVGPU_CPU_TRACE_TRACE_INTERNAL_H

#include "sim/cpu/trace/trace.h"
#include "sim/cpu/trace/trace_input.h"

/* Each kind reads up to `n` instructions of one round into `out`. Fewer than `n`: the end of the
 * file (err not set) or a fault in it. */
struct cpu_trace_kind {
    uint32_t (*read)(void *self, struct cpu_instruction *out, uint32_t n, struct error *err);
    bool (*restart)(void *self, struct error *err); /* NULL: it never ends */
    void (*close)(void *self);
};

extern const struct cpu_trace_kind champsim_kind, ramulator_kind, generator_kind;

/* These own `in` from here on. */
void *champsim_open(struct trace_input *in);
void *ramulator_open(struct trace_input *in);

#endif
