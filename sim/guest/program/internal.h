/* A program from the inside: one struct per subject, in the header of the file that owns it. A file
 * reads and writes the struct of its own subject only and asks the others by their functions
 * (tests/e2e/project/subjects.sh checks it). host/ has the process, its threads and their calls;
 * stream/ what they put into streams; device/ what they own on the GPU. Three records are passed
 * around by pointer: a host thread (host/threads.h), a command (stream/command.h) and its event
 * (stream/event.h). */
#ifndef EVGPU_GUEST_PROGRAM_INTERNAL_H
#define EVGPU_GUEST_PROGRAM_INTERNAL_H

#include "sim/guest/program/context.h"
#include "sim/guest/program/device/device.h"
#include "sim/guest/program/device/edge.h"
#include "sim/guest/program/device/full_empty.h"
#include "sim/guest/program/device/launch.h"
#include "sim/guest/program/device/mapping.h"
#include "sim/guest/program/device/memory.h"
#include "sim/guest/program/device/module.h"
#include "sim/guest/program/device/texture.h"
#include "sim/guest/program/failure.h"
#include "sim/guest/program/figures.h"
#include "sim/guest/program/host/call.h"
#include "sim/guest/program/host/channel.h"
#include "sim/guest/program/host/executable.h"
#include "sim/guest/program/host/lives.h"
#include "sim/guest/program/host/notice.h"
#include "sim/guest/program/host/output.h"
#include "sim/guest/program/host/process.h"
#include "sim/guest/program/host/settle.h"
#include "sim/guest/program/host/threads.h"
#include "sim/guest/program/host/timeline.h"
#include "sim/guest/program/measure.h"
#include "sim/guest/program/program.h"
#include "sim/guest/program/repeat.h"
#include "sim/guest/program/stream/command.h"
#include "sim/guest/program/stream/copy.h"
#include "sim/guest/program/stream/event.h"
#include "sim/guest/program/stream/host_function.h"
#include "sim/guest/program/stream/move.h"
#include "sim/guest/program/stream/stream.h"
#include "sim/guest/program/stream/value.h"
#include "sw/cuda/include/cuda.h"
#include "sw/cuda/protocol.h"

struct program {
    struct guest *guest; /* program.c's, read by all, as the next three */
    struct machine *machine;
    char *name;
    bool attached;   /* the process has started the simulator */
    uint64_t passes; /* program.c's: ticks while a thread waits for a moment in time */
    struct program_context context;
    struct program_process process;
    struct program_lives lives;
    struct program_threads threads;
    struct program_settle settle;
    struct program_output output;
    struct program_streams streams;
    struct program_events events;
    struct program_commands commands;
    struct program_landings landings;
    struct program_values values;
    struct program_limits limits;
    struct program_memory memory;
    struct program_mappings mappings;
    struct program_modules modules;
    struct program_parameters parameters, large_parameters;
    struct program_ports ports;
    struct program_unblock unblock;
    struct program_failure failure;
    struct program_figures figures;
    struct program_measure measure;
    struct program_repeat repeat;
};

/* Everything of the ended process is given back, and the next one starts. */
bool program_restart(struct program *p, struct error *err);

#endif
