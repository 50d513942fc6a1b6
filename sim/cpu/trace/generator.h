/* Generated instruction streams: a kind of trace. */
#ifndef EVGPU_CPU_TRACE_GENERATOR_H
#define EVGPU_CPU_TRACE_GENERATOR_H

#include <stdint.h>

#include "sim/cpu/trace/applications.h"

/* The state for generator_kind (trace_internal.h). The same application, core and seed give the
 * same stream on every machine. */
void *generator_open(const struct cpu_application *a, uint32_t core, uint64_t seed);

#endif
