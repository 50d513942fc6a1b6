/* A ChampSim trace being written: plain, or packed when the name ends in .gz or .xz. The file gets
 * its name when it is finished. */
#ifndef EVGPU_CPU_TRACE_TRACE_WRITER_H
#define EVGPU_CPU_TRACE_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/cpu/trace/trace.h"

struct trace_writer;

struct trace_writer *trace_writer_open(const char *path, struct error *err);
bool trace_writer_add(struct trace_writer *w, const struct cpu_instruction *in, uint32_t n,
                      struct error *err);

/* Both free `w`. */
bool trace_writer_finish(struct trace_writer *w, struct error *err);
void trace_writer_abandon(struct trace_writer *w);

#endif
