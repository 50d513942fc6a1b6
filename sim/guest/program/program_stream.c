/* Streams, events and host functions. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

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

void stream_give_back(struct program *p, struct stream *s)
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
        command_wait(t, s->id, wants, 1);
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
        stream_give_back(p, s);
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
