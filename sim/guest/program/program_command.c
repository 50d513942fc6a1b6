/* The commands in streams.
 *
 * A stream is a stream of the driver, in order. What has to wait for other streams - the legacy
 * default stream for all blocking ones and they for it, cudaStreamWaitEvent - is a command of its
 * own in front, which costs nothing and ends when those have come far enough on the GPU's side. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

struct command *command_create(struct host_thread *t, enum command_kind kind, uint32_t stream)
{
    struct program *p = t->program;
    struct command *c = ALLOC(struct command);
    c->program = p;
    c->caller = t->number;
    c->kind = kind;
    c->stream = stream;
    c->end = CYCLE_NEVER;
    c->thread = t;
    c->next = p->commands;
    if (p->commands)
        p->commands->previous = c;
    p->commands = c;
    p->outstanding++;
    return c;
}

static bool satisfied(const struct command *c)
{
    for (uint32_t i = 0; i < c->n_wants; i++) {
        if (c->program->streams[c->wants[i].stream].finished < c->wants[i].sequence)
            return false;
    }
    return true;
}

/* Ends the waits that may end; `finished` may call this again. */
static void release_waits(struct program *p, uint64_t cycle)
{
    for (bool again = true; again;) {
        again = false;
        for (struct command *c = p->commands; c && !again; c = c->next) {
            if (c->kind == COMMAND_WAIT && c->started && satisfied(c)) {
                c->started = false;
                command_work_done(c, cycle);
                again = true;
            }
        }
    }
}

static void reach_event(struct command *c, uint64_t cycle)
{
    c->event->cycle = cycle;
    command_work_done(c, cycle);
}

static void start_engine(struct command *c, uint64_t cycle)
{
    struct program *p = c->program;
    uint64_t bytes = c->kind == COMMAND_SET ? c->set.width * c->set.height * c->set.depth
                                            : c->copy.width * c->copy.height * c->copy.depth * 2;
    if (c->kind == COMMAND_SET)
        set_perform(c);
    else
        copy_move(c);
    uint64_t begin = p->engine_free > cycle ? p->engine_free : cycle;
    p->engine_free = begin + copy_device_cycles(p, bytes);
    c->end = p->engine_free;
}

static void on_started(void *user, uint64_t cycle, uint32_t id)
{
    struct command *c = user;
    c->driver_id = id;
    c->started = true;
    switch (c->kind) {
    case COMMAND_WAIT:
        if (satisfied(c)) {
            c->started = false;
            command_work_done(c, cycle);
        }
        break;
    case COMMAND_RECORD:
        reach_event(c, cycle);
        break;
    case COMMAND_FUNCTION:
        function_start(c, cycle);
        break;
    case COMMAND_SET:
        start_engine(c, cycle);
        break;
    case COMMAND_MARK:
        bits_mark(c);
        break;
    case COMMAND_COPY:
        if (c->copy.flags & WIRE_COPY_ON_DEVICE)
            start_engine(c, cycle);
        else
            copy_move(c);
        break;
    case COMMAND_KERNEL:
        break;
    }
}

static void on_finished(void *user, uint64_t cycle)
{
    struct command *c = user;
    c->program->streams[c->stream].finished++;
    release_waits(c->program, cycle);
}

static void on_returned(void *user, uint64_t cycle)
{
    struct command *c = user;
    struct host_thread *t = c->thread;
    c->thread = NULL;
    if (t)
        host_reply(t, cycle);
}

static void count_copy(const struct command *c, const struct driver_times *times)
{
    const struct copy_plan *copy = &c->copy;
    struct profile_copies *kind = &c->program->by_kind[COPY_SET];
    uint64_t bytes = c->set.width * c->set.height * c->set.depth;
    if (c->kind == COMMAND_COPY) {
        kind = &c->program->by_kind[c->copy_kind];
        bytes = copy->width * copy->height * copy->depth;
    } else if (c->kind != COMMAND_SET) {
        return;
    }
    kind->calls++;
    kind->bytes += bytes;
    kind->cycles += times->finished - times->started;
}

static void on_done(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct command *c = user;
    struct program *p = c->program;
    struct stream *s = &p->streams[c->stream];
    count_copy(c, times);
    if (c->lands)
        copy_land(c);
    s->seen++;
    p->outstanding--;
    p->completed++;
    if (c->event && --c->event->pending == 0 && c->event->destroyed)
        free(c->event);
    if (c->parameters) {
        ARRAY_RESERVE(p->free_params, p->n_free_params, p->cap_free_params);
        p->free_params[p->n_free_params++] = c->parameters;
    }
    if (c->previous)
        c->previous->next = c->next;
    else
        p->commands = c->next;
    if (c->next)
        c->next->previous = c->previous;
    stream_give_back(p, s);
    free(c->wants);
    free(c->payload);
    free(c);
    host_check_waits(p, cycle);
}

static const char *label(const struct command *c)
{
    switch (c->kind) {
    case COMMAND_SET:
        return "set memory";
    case COMMAND_MARK:
        return "mark words";
    case COMMAND_RECORD:
        return "event";
    case COMMAND_FUNCTION:
        return "host function";
    case COMMAND_COPY:
        return c->copy_kind == COPY_DEVICE ? "copy on device" : NULL;
    default:
        return NULL;
    }
}

static void hand_over(struct command *c, struct driver_call *call)
{
    struct program *p = c->program;
    struct stream *s = &p->streams[c->stream];
    struct error err = {0};
    c->sequence = ++s->submitted;
    call->stream = s->driver_stream;
    call->note = (struct driver_note){.thread = c->caller, .stream = c->stream, .label = label(c)};
    call->started = on_started;
    call->finished = on_finished;
    call->returned = on_returned;
    call->done = on_done;
    call->user = c;
    if (!guest_call(p->guest, call, &err)) /* the machine has room for all programs' commands */
        error_set(&p->fault, "%s", err.text);
}

static void add_want(struct dependency *wants, uint32_t *n, const struct stream *s)
{
    if (s->finished < s->submitted)
        wants[(*n)++] = (struct dependency){s->id, s->submitted};
}

/* What the next command of the stream has to wait for, by the rules of the legacy default stream.
 */
static struct dependency *legacy_wants(struct program *p, uint32_t stream, uint32_t *n)
{
    struct dependency *wants = ALLOC_ARRAY(struct dependency, p->n_streams);
    *n = 0;
    if (stream && !p->streams[stream].nonblocking)
        add_want(wants, n, &p->streams[0]);
    for (uint32_t i = 1; stream == 0 && i < p->n_streams; i++) {
        if (!p->streams[i].nonblocking)
            add_want(wants, n, &p->streams[i]);
    }
    return wants;
}

void command_wait(struct host_thread *t, uint32_t stream, struct dependency *wants, uint32_t n)
{
    struct command *wait = command_create(t, COMMAND_WAIT, stream);
    struct driver_call call = {.kind = DRIVER_WORK, .thread = t->driver_thread, .immediate = true};
    wait->thread = NULL;
    wait->wants = wants;
    wait->n_wants = n;
    hand_over(wait, &call);
}

void command_submit(struct command *c, struct driver_call *call)
{
    struct host_thread *t = c->thread;
    uint32_t n = 0;
    struct dependency *wants = legacy_wants(c->program, c->stream, &n);
    if (n)
        command_wait(t, c->stream, wants, n);
    else
        free(wants);
    call->thread = t->driver_thread;
    t->state = HOST_WAITING;
    t->wake = CYCLE_NEVER;
    t->ready = NULL;
    t->resume = NULL;
    hand_over(c, call);
}

void command_work_done(struct command *c, uint64_t cycle)
{
    driver_work_done(machine_driver(c->program->machine), cycle, c->driver_id);
}

uint64_t command_engine_next(const struct program *p)
{
    uint64_t next = CYCLE_NEVER;
    if (p->engine_free < machine_cycle(p->machine) && !p->outstanding)
        return next;
    for (const struct command *c = p->commands; c; c = c->next)
        next = c->end < next ? c->end : next;
    return next;
}

void command_engine_tick(struct program *p, uint64_t cycle)
{
    for (bool again = true; again;) {
        again = false;
        for (struct command *c = p->commands; c && !again; c = c->next) {
            if (c->end <= cycle) {
                c->end = CYCLE_NEVER;
                command_work_done(c, cycle);
                again = true;
            }
        }
    }
}
