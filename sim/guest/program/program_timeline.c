/* A program's calls on a timeline; what the driver and the GPU do for them is the machine's. */
#include <stdio.h>

#include "base/timeline.h"
#include "sim/guest/program/program_internal.h"

static const char *call_name(uint16_t op)
{
    static const char *const names[WIRE_OPS] = {[WIRE_RESET] = "device reset",
                                                [WIRE_ALLOC] = "allocate",
                                                [WIRE_FREE] = "free",
                                                [WIRE_POINTER] = "pointer attributes",
                                                [WIRE_MEMINFO] = "memory information",
                                                [WIRE_LIMIT] = "limit",
                                                [WIRE_MODULE] = "load module",
                                                [WIRE_UNLOAD] = "unload module",
                                                [WIRE_FUNCTION] = "find function",
                                                [WIRE_GLOBAL] = "find variable",
                                                [WIRE_OCCUPANCY] = "occupancy",
                                                [WIRE_FUNCTION_SET] = "function attribute",
                                                [WIRE_LAUNCH] = "launch",
                                                [WIRE_COPY] = "copy",
                                                [WIRE_MEMSET] = "set memory",
                                                [WIRE_STREAM_CREATE] = "create stream",
                                                [WIRE_STREAM_DESTROY] = "destroy stream",
                                                [WIRE_STREAM_QUERY] = "query stream",
                                                [WIRE_STREAM_SYNC] = "synchronise stream",
                                                [WIRE_STREAM_WAIT] = "stream waits for event",
                                                [WIRE_DEVICE_SYNC] = "synchronise device",
                                                [WIRE_HOST_FUNCTION] = "host function",
                                                [WIRE_EVENT_CREATE] = "create event",
                                                [WIRE_EVENT_DESTROY] = "destroy event",
                                                [WIRE_EVENT_RECORD] = "record event",
                                                [WIRE_EVENT_QUERY] = "query event",
                                                [WIRE_EVENT_SYNC] = "synchronise event",
                                                [WIRE_EVENT_ELAPSED] = "elapsed time",
                                                [WIRE_EDGE_COMMAND] = "event kernel command",
                                                [WIRE_EDGE_BIND] = "bind event kernel",
                                                [WIRE_EDGE_WAIT] = "wait for events",
                                                [WIRE_MARK] = "mark words",
                                                [WIRE_OVERRIDE] = "override words",
                                                [WIRE_RELEASE] = "release words"};
    return op < WIRE_OPS && names[op] ? names[op] : "call";
}

/* A thread that waits for the next host function has no call of the program. */
void program_timeline_call(struct host_thread *t, uint64_t cycle)
{
    struct guest *g = t->program->guest;
    if (!guest_timeline(g) || t->request.op == WIRE_NEXT_FUNCTION || t->request.op == WIRE_HELLO ||
        t->begun >= cycle)
        return;
    struct timeline_slice s = {.process = guest_process(g),
                               .track = guest_track(g, TRACK_HOST, t->number, "host thread"),
                               .begin = t->begun,
                               .end = cycle,
                               .category = "call",
                               .name = call_name(t->request.op)};
    if (t->reply.status)
        s.args[0] = (struct timeline_arg){"error", NULL, t->reply.status};
    timeline_slice(guest_timeline(g), &s);
}
