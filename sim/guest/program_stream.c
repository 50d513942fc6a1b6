/* Streams, events, host functions, and the commands in streams.
 *
 * A stream is a stream of the driver, in order. What has to wait for other streams - the legacy
 * default stream for all blocking ones and they for it, cudaStreamWaitEvent - is a command of its
 * own in front, which costs nothing and ends when those have come far enough on the GPU's side. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/guest/program_internal.h"

static uint32_t call_ns(const struct program *p)
{
    return machine_config(p->machine)->call_ns;
}

/* --- streams ------------------------------------------------------------------------------------
 */

static bool add_stream(struct program *p, uint32_t *id, struct error *err)
{
    uint32_t driver_stream = 0;
    if (!guest_stream(p->guest, &driver_stream, err))
        return false;
    ARRAY_RESERVE(p->streams, p->n_streams, p->cap_streams);
    *id = p->n_streams++;
    p->streams[*id] = (struct stream){.id = *id, .driver_stream = driver_stream, .used = true};
    return true;
}

/* Handles of streams begin above the runtime's special values 0, 1 and 2. */
#define FIRST_STREAM_HANDLE 0x100u

bool stream_init(struct program *p, struct error *err)
{
    uint32_t id = 0;
    return add_stream(p, &id, err);
}

void stream_release_all(struct program *p)
{
    for (uint32_t i = 0; i < p->n_streams; i++) {
        if (p->streams[i].used)
            guest_stream_end(p->guest, p->streams[i].driver_stream);
    }
    p->n_streams = 0;
}

struct stream *stream_find(struct program *p, uint64_t handle)
{
    uint64_t id = handle ? handle - FIRST_STREAM_HANDLE + 1 : 0;
    if ((handle && handle < FIRST_STREAM_HANDLE) || id >= p->n_streams ||
        p->streams[id].destroyed || !p->streams[id].used)
        return NULL;
    return &p->streams[id];
}

/* The driver's stream goes back when the last command has been seen. */
static void give_back(struct program *p, struct stream *s)
{
    if (!s->destroyed || !s->used || s->seen < s->submitted)
        return;
    guest_stream_end(p->guest, s->driver_stream);
    s->used = false;
}

static void create_stream(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct error err = {0};
    uint32_t id = 0;
    int64_t priority = (int64_t)t->request.a[1];
    if (!add_stream(p, &id, &err)) {
        host_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "%s", err.text);
        return;
    }
    p->streams[id].nonblocking = t->request.a[0] != 0;
    p->streams[id].priority = (int32_t)(priority > 0 ? 0 : priority < -5 ? -5 : priority);
    t->reply.v[0] = FIRST_STREAM_HANDLE + id - 1;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

bool stream_marks_seen(const struct host_thread *t)
{
    for (uint32_t i = 0; i < t->n_marks; i++) {
        if (t->program->streams[i].seen < t->marks[i])
            return false;
    }
    return true;
}

static void clear_marks(struct host_thread *t)
{
    free(t->marks);
    t->n_marks = t->program->n_streams;
    t->marks = ALLOC_ARRAY(uint64_t, t->n_marks);
}

void stream_mark_all(struct host_thread *t)
{
    clear_marks(t);
    for (uint32_t i = 0; i < t->n_marks; i++)
        t->marks[i] = t->program->streams[i].submitted;
}

void stream_mark(struct host_thread *t, uint32_t stream, uint64_t sequence)
{
    clear_marks(t);
    t->marks[stream] = sequence;
}

static void sync_over(struct host_thread *t, uint64_t cycle)
{
    host_return(t, CUDA_SUCCESS, cycle, machine_config(t->program->machine)->sync_return_ns);
}

static void sync_begun(struct host_thread *t, uint64_t cycle)
{
    host_wait(t, cycle, stream_marks_seen, sync_over);
}

/* The time of the call, then the wait for the marks, then the time of the return. */
static void synchronise(struct host_thread *t, uint64_t cycle)
{
    const struct machine_config *config = machine_config(t->program->machine);
    t->wake = cycle + host_cycles(t->program, config->sync_call_ns);
    t->resume = sync_begun;
    if (t->wake <= cycle)
        sync_begun(t, cycle);
}

/* --- commands
 * ------------------------------------------------------------------------------------- */

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
    give_back(p, s);
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

static void submit_wait(struct host_thread *t, uint32_t stream, struct dependency *wants,
                        uint32_t n)
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
        submit_wait(t, c->stream, wants, n);
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

/* --- calls on streams
 * ------------------------------------------------------------------------------ */

static struct event *find_event(struct program *p, uint64_t id)
{
    return id && id <= p->n_events ? p->events[id - 1] : NULL;
}

static void wait_for_event(struct host_thread *t, uint64_t cycle, const struct stream *s)
{
    struct program *p = t->program;
    const struct event *e = find_event(p, t->request.a[1]);
    if (!e) {
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
        return;
    }
    if (e->recorded && p->streams[e->stream].finished < e->sequence) {
        struct dependency *wants = ALLOC(struct dependency);
        *wants = (struct dependency){e->stream, e->sequence};
        submit_wait(t, s->id, wants, 1);
    }
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

static void host_function(struct host_thread *t, const struct stream *s)
{
    struct command *c = command_create(t, COMMAND_FUNCTION, s->id);
    struct driver_call call = {.kind = DRIVER_WORK};
    c->cookie = t->request.a[1];
    command_submit(c, &call);
}

void stream_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct stream *s = stream_find(p, t->request.a[0]);
    uint16_t op = t->request.op;
    if (op == WIRE_STREAM_CREATE) {
        create_stream(t, cycle);
        return;
    }
    if (op == WIRE_DEVICE_SYNC) {
        stream_mark_all(t);
        synchronise(t, cycle);
        return;
    }
    if (!s) {
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
        return;
    }
    switch (op) {
    case WIRE_STREAM_DESTROY:
        s->destroyed = true;
        give_back(p, s);
        host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
        break;
    case WIRE_STREAM_INFO:
        t->reply.v[0] = s->nonblocking;
        t->reply.v[1] = (uint64_t)(int64_t)s->priority;
        host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
        break;
    case WIRE_STREAM_QUERY:
        host_return(t, s->seen < s->submitted ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS, cycle,
                    call_ns(p));
        break;
    case WIRE_STREAM_SYNC:
        stream_mark(t, s->id, s->submitted);
        synchronise(t, cycle);
        break;
    case WIRE_STREAM_WAIT:
        wait_for_event(t, cycle, s);
        break;
    default:
        host_function(t, s);
        break;
    }
}

/* --- host functions
 * -------------------------------------------------------------------------------- */

static void give_function(struct host_thread *t, struct command *c, uint64_t cycle)
{
    t->function = c;
    t->reply.v[0] = c->cookie;
    c->started = false;
    host_reply(t, cycle);
}

/* One whose turn has come and that no thread runs yet: the oldest. */
static struct command *due_function(struct program *p)
{
    struct command *due = NULL;
    for (struct command *c = p->commands; c; c = c->next) {
        if (c->kind == COMMAND_FUNCTION && c->started)
            due = c;
    }
    return due;
}

void stream_forget_callers(struct program *p, uint64_t cycle)
{
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct command *c = p->threads[i]->function;
        p->threads[i]->function = NULL;
        if (c)
            command_work_done(c, cycle);
    }
    for (struct command *c = p->commands; c; c = c->next) {
        c->thread = NULL;
        if (c->kind == COMMAND_FUNCTION && c->started) {
            c->started = false;
            command_work_done(c, cycle);
        }
    }
}

void function_start(struct command *c, uint64_t cycle)
{
    struct program *p = c->program;
    if (p->failure) {
        c->started = false;
        command_work_done(c, cycle);
        return;
    }
    for (uint32_t i = 0; i < p->n_threads; i++) {
        struct host_thread *t = p->threads[i];
        if (t->state == HOST_WAITING && t->request.op == WIRE_NEXT_FUNCTION && !t->function) {
            give_function(t, c, cycle);
            return;
        }
    }
}

void function_next(struct host_thread *t, uint64_t cycle)
{
    if (t->function) {
        struct command *over = t->function;
        t->function = NULL;
        command_work_done(over, cycle);
    }
    struct command *c = due_function(t->program);
    if (c)
        give_function(t, c, cycle);
}

/* --- events
 * ----------------------------------------------------------------------------------------- */

static void create_event(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct event *e = ALLOC(struct event);
    e->timed = t->request.a[0] != 0;
    ARRAY_RESERVE(p->events, p->n_events, p->cap_events);
    p->events[p->n_events++] = e;
    e->id = p->n_events;
    t->reply.v[0] = e->id;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

static void record(struct host_thread *t, uint64_t cycle, struct event *e)
{
    struct program *p = t->program;
    const struct stream *s = stream_find(p, t->request.a[1]);
    if (!s) {
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
        return;
    }
    struct command *c = command_create(t, COMMAND_RECORD, s->id);
    struct driver_call call = {.kind = DRIVER_WORK};
    c->event = e;
    e->pending++;
    command_submit(c, &call);
    e->recorded = true;
    e->stream = c->stream;
    e->sequence = c->sequence;
}

static bool complete(const struct program *p, const struct event *e)
{
    return !e->recorded || p->streams[e->stream].seen >= e->sequence;
}

static void elapsed(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const struct event *a = find_event(p, t->request.a[0]), *b = find_event(p, t->request.a[1]);
    uint32_t status = CUDA_SUCCESS;
    if (!a || !b || !a->timed || !b->timed || !a->recorded || !b->recorded)
        status = CUDA_ERROR_INVALID_HANDLE;
    else if (!complete(p, a) || !complete(p, b))
        status = CUDA_ERROR_NOT_READY;
    if (!status) {
        double khz = machine_config(p->machine)->core_khz;
        double cycles =
            b->cycle >= a->cycle ? (double)(b->cycle - a->cycle) : -(double)(a->cycle - b->cycle);
        t->reply.v[0] = (uint64_t)(int64_t)(cycles * 1e6 / khz);
    }
    host_return(t, status, cycle, call_ns(p));
}

void event_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint16_t op = t->request.op;
    if (op == WIRE_EVENT_CREATE) {
        create_event(t, cycle);
        return;
    }
    if (op == WIRE_EVENT_ELAPSED) {
        elapsed(t, cycle);
        return;
    }
    struct event *e = find_event(p, t->request.a[0]);
    if (!e) {
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(p));
        return;
    }
    switch (op) {
    case WIRE_EVENT_RECORD:
        record(t, cycle, e);
        break;
    case WIRE_EVENT_QUERY:
        host_return(t, complete(p, e) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY, cycle, call_ns(p));
        break;
    case WIRE_EVENT_SYNC:
        stream_mark(t, e->recorded ? e->stream : 0, e->recorded ? e->sequence : 0);
        synchronise(t, cycle);
        break;
    default:
        p->events[e->id - 1] = NULL;
        e->destroyed = true;
        if (!e->pending)
            free(e);
        host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
        break;
    }
}
