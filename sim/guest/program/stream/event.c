#include "sim/guest/program/stream/event.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

static struct event *find_event(const struct program *p, uint64_t id)
{
    return id && id <= p->events.count ? p->events.list[id - 1] : NULL;
}

/* Its handle and its records are gone. */
static void free_if_unused(struct event *e)
{
    if (e->destroyed && !e->pending)
        free(e);
}

void event_reach(struct event *e, uint64_t cycle)
{
    e->cycle = cycle;
}

void event_record_over(struct event *e)
{
    e->pending--;
    free_if_unused(e);
}

void events_clear(struct program *p)
{
    for (uint32_t i = 0; i < p->events.count; i++)
        free(p->events.list[i]);
    p->events.count = 0;
}

void events_free(struct program *p)
{
    free(p->events.list);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void create_event(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct event *e = ALLOC(struct event);
    e->timed = t->request.a[0] != 0;
    e->shared = t->request.a[1] != 0;
    e->holders = 1;
    ARRAY_RESERVE(p->events.list, p->events.count, p->events.capacity);
    p->events.list[p->events.count++] = e;
    e->id = p->events.count;
    t->reply.v[0] = e->id;
    call_done(t, CUDA_SUCCESS, cycle);
}

static void record(struct host_thread *t, uint64_t cycle, struct event *e)
{
    struct program *p = t->program;
    const struct stream *s = stream_find(p, t->request.a[1]);
    if (!s) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
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
    return !e->recorded || stream_has_seen(p, e->stream, e->sequence);
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
    call_done(t, status, cycle);
}

void event_wait(struct host_thread *t, uint64_t cycle, const struct stream *s)
{
    struct program *p = t->program;
    const struct event *e = find_event(p, t->request.a[1]);
    if (!e) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    if (e->recorded && !stream_has_finished(p, e->stream, e->sequence)) {
        struct dependency *wants = ALLOC(struct dependency);
        *wants = (struct dependency){e->stream, e->sequence};
        command_wait(t, s->id, wants, 1);
    }
    call_done(t, CUDA_SUCCESS, cycle);
}

static void share(struct host_thread *t, uint64_t cycle, struct event *e)
{
    e->holders += e->shared && t->request.a[1];
    call_done(t, e->shared ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE, cycle);
}

/* For the last process that holds it. */
static void destroy(struct program *p, struct event *e)
{
    if (--e->holders)
        return;
    p->events.list[e->id - 1] = NULL;
    e->destroyed = true;
    free_if_unused(e);
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
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    switch (op) {
    case WIRE_EVENT_RECORD:
        record(t, cycle, e);
        break;
    case WIRE_EVENT_QUERY:
        call_done(t, complete(p, e) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY, cycle);
        break;
    case WIRE_EVENT_SYNC:
        stream_mark(t, e->recorded ? e->stream : 0, e->recorded ? e->sequence : 0);
        stream_synchronise(t, cycle);
        break;
    case WIRE_EVENT_SHARE:
        share(t, cycle, e);
        break;
    default:
        destroy(p, e);
        call_done(t, CUDA_SUCCESS, cycle);
        break;
    }
}
