#include "sim/guest/program/host/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

#define MOST_NS 1000000000000000000u /* decades; rate.h takes no more */

uint64_t call_cycles(const struct program *p, uint64_t ns)
{
    ns = ns < MOST_NS ? ns : MOST_NS;
    return rate_ns_to_cycles(ns, machine_config(p->machine)->core_khz);
}

uint64_t call_clock_ns(const struct program *p, uint64_t cycles)
{
    uint64_t khz = machine_config(p->machine)->core_khz;
    return cycles / khz * 1000000 + cycles % khz * 1000000 / khz;
}

/* --- returning -------------------------------------------------------------------------------- */

void call_reply(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    t->resume = NULL;
    t->ready = NULL;
    t->wake = CYCLE_NEVER;
    if (t->state == HOST_GONE)
        return;
    if (failure_status(p) && t->request.op != WIRE_HELLO)
        t->reply.status = failure_status(p);
    t->reply.output = output_collect(p);
    program_timeline_call(t, cycle);
    t->reply.clock_ns = call_clock_ns(p, cycle);
    t->clock = cycle;
    t->state = HOST_RUNNING;
    settle_again(p);
    if (!channel_write(t, &t->reply, sizeof t->reply) || !output_send(t) ||
        (t->reply.payload && !channel_write(t, t->text, t->reply.payload)))
        thread_close(t);
    output_forget(p);
    free(t->text);
    t->text = NULL;
}

void call_done_after(struct host_thread *t, uint32_t status, uint64_t cycle, uint32_t ns)
{
    if (t->state == HOST_GONE)
        return;
    t->reply.status = status;
    t->wake = cycle + call_cycles(t->program, ns);
    t->resume = call_reply;
    t->state = HOST_WAITING;
    if (t->wake <= cycle)
        call_reply(t, cycle);
}

void call_done(struct host_thread *t, uint32_t status, uint64_t cycle)
{
    call_done_after(t, status, cycle, machine_config(t->program->machine)->call_ns);
}

void call_answer(struct host_thread *t, uint64_t cycle, const void *data, size_t bytes)
{
    t->text = alloc_array(bytes, 1);
    memcpy(t->text, data, bytes);
    t->reply.payload = bytes;
    call_done(t, CUDA_SUCCESS, cycle);
}

void call_fail(struct host_thread *t, uint32_t status, uint64_t cycle, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vasprintf(&t->text, format, args) < 0)
        t->text = NULL;
    va_end(args);
    t->reply.payload = t->text ? strlen(t->text) + 1 : 0;
    call_done(t, status, cycle);
}

/* --- waiting ---------------------------------------------------------------------------------- */

static void begin_wait(struct host_thread *t, uint64_t cycle)
{
    t->wake = CYCLE_NEVER;
    if (t->ready(t)) {
        void (*then)(struct host_thread *, uint64_t) = t->resume;
        t->ready = NULL;
        then(t, cycle);
    }
}

void call_wait(struct host_thread *t, uint64_t cycle, bool (*ready)(const struct host_thread *t),
               void (*then)(struct host_thread *t, uint64_t cycle))
{
    t->ready = ready;
    t->resume = then;
    t->state = HOST_WAITING;
    begin_wait(t, cycle);
}

void call_check_waits(struct program *p, uint64_t cycle)
{
    for (uint32_t i = 0; i < threads_count(p); i++) {
        struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_WAITING && t->ready)
            begin_wait(t, cycle);
    }
}

/* --- beginning -------------------------------------------------------------------------------- */

typedef void (*call_function)(struct host_thread *t, uint64_t cycle);

static const call_function functions[WIRE_OPS] = {
    [WIRE_HELLO] = device_hello,
    [WIRE_RESET] = device_reset,
    [WIRE_ALLOC] = memory_alloc,
    [WIRE_FREE] = memory_free,
    [WIRE_POINTER] = memory_pointer,
    [WIRE_MEMINFO] = memory_info,
    [WIRE_LIMIT] = device_limit,
    [WIRE_MODULE] = module_call,
    [WIRE_UNLOAD] = module_call,
    [WIRE_FUNCTION] = module_call,
    [WIRE_GLOBAL] = module_call,
    [WIRE_OCCUPANCY] = module_call,
    [WIRE_FUNCTION_SET] = module_call,
    [WIRE_LAUNCH] = launch_call,
    [WIRE_COPY] = copy_call,
    [WIRE_MEMSET] = set_call,
    [WIRE_STREAM_CREATE] = stream_call,
    [WIRE_STREAM_DESTROY] = stream_call,
    [WIRE_STREAM_INFO] = stream_call,
    [WIRE_STREAM_QUERY] = stream_call,
    [WIRE_STREAM_SYNC] = stream_call,
    [WIRE_STREAM_WAIT] = stream_call,
    [WIRE_DEVICE_SYNC] = stream_call,
    [WIRE_HOST_FUNCTION] = stream_call,
    [WIRE_NEXT_FUNCTION] = host_function_next,
    [WIRE_EDGE_LIMITS] = edge_call,
    [WIRE_EDGE_PORT] = edge_call,
    [WIRE_EDGE_FUNCTION] = edge_call,
    [WIRE_EDGE_COMMAND] = edge_call,
    [WIRE_EDGE_BIND] = edge_call,
    [WIRE_EDGE_WAIT] = edge_call,
    [WIRE_SERVICES] = edge_call,
    [WIRE_TEXTURE] = texture_call,
    [WIRE_TEXTURE_DESTROY] = texture_call,
    [WIRE_TEXTURE_BIND] = texture_call,
    [WIRE_REGION_INFO] = full_empty_call,
    [WIRE_MARK] = full_empty_call,
    [WIRE_OVERRIDE] = full_empty_call,
    [WIRE_RELEASE] = full_empty_call,
    [WIRE_WAIT_LIMIT] = full_empty_call,
    [WIRE_RESERVE] = mapping_call,
    [WIRE_UNRESERVE] = mapping_call,
    [WIRE_HANDLE_CREATE] = mapping_call,
    [WIRE_HANDLE_RELEASE] = mapping_call,
    [WIRE_HANDLE_HOLD] = mapping_call,
    [WIRE_HANDLE_INFO] = mapping_call,
    [WIRE_MAP] = mapping_call,
    [WIRE_UNMAP] = mapping_call,
    [WIRE_MAP_ACCESS] = mapping_call,
    [WIRE_STREAM_VALUES] = value_call,
    [WIRE_EVENT_CREATE] = event_call,
    [WIRE_EVENT_DESTROY] = event_call,
    [WIRE_EVENT_RECORD] = event_call,
    [WIRE_EVENT_QUERY] = event_call,
    [WIRE_EVENT_SYNC] = event_call,
    [WIRE_EVENT_ELAPSED] = event_call,
    [WIRE_EVENT_SHARE] = event_call,
};

static bool submits(uint16_t op)
{
    return op == WIRE_LAUNCH || op == WIRE_COPY || op == WIRE_MEMSET || op == WIRE_STREAM_WAIT ||
           op == WIRE_HOST_FUNCTION || op == WIRE_EVENT_RECORD || op == WIRE_MARK ||
           op == WIRE_STREAM_VALUES;
}

static bool has_room(const struct host_thread *t)
{
    return commands_have_room(t->program);
}

static void begin(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint16_t op = t->request.op;
    t->state = HOST_WAITING;
    t->wake = CYCLE_NEVER;
    t->reply = (struct wire_reply){0};
    copy_land_waiting(t);
    t->begun = cycle;
    figures_call(p);
    if (op == WIRE_TIME) {
        call_done_after(t, CUDA_SUCCESS, cycle, 0);
        return;
    }
    if (failure_status(p) && op != WIRE_HELLO) {
        call_done_after(t, failure_status(p), cycle, 0);
        return;
    }
    if (op >= WIRE_OPS || !functions[op]) {
        call_done(t, CUDA_ERROR_NOT_SUPPORTED, cycle);
        return;
    }
    if (!submits(op)) {
        functions[op](t, cycle);
        return;
    }
    if (!thread_take_driver(t))
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle,
                  "the program has more than %u host threads at a time", DRIVER_MAX_THREADS);
    else
        call_wait(t, cycle, has_room, functions[op]);
}

void call_serve(struct host_thread *t, uint64_t cycle)
{
    if (t->state == HOST_ASKING) {
        begin(t, cycle);
        return;
    }
    t->wake = CYCLE_NEVER;
    if (t->resume)
        t->resume(t, cycle);
}
