#include "sim/guest/program/stream/stream.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

/* Handles of streams begin above the runtime's special values 0, 1 and 2. */
#define FIRST_STREAM_HANDLE 0x100u

/* --- all of them ------------------------------------------------------------------------------ */

static bool add_stream(struct program *p, uint32_t *id, struct error *err)
{
    uint32_t driver_stream = 0;
    if (!guest_stream(p->guest, &driver_stream, err))
        return false;
    ARRAY_RESERVE(p->streams.list, p->streams.count, p->streams.capacity);
    *id = p->streams.count++;
    p->streams.list[*id] = (struct stream){.id = *id, .driver_stream = driver_stream, .used = true};
    return true;
}

bool stream_init(struct program *p, struct error *err)
{
    uint32_t id = 0;
    return add_stream(p, &id, err);
}

void stream_release_all(struct program *p)
{
    for (uint32_t i = 0; i < p->streams.count; i++) {
        if (p->streams.list[i].used)
            guest_stream_end(p->guest, p->streams.list[i].driver_stream);
    }
    p->streams.count = 0;
}

void stream_free(struct program *p)
{
    free(p->streams.list);
}

static struct stream *find(const struct program *p, uint64_t handle)
{
    uint64_t id = handle ? handle - FIRST_STREAM_HANDLE + 1 : 0;
    if ((handle && handle < FIRST_STREAM_HANDLE) || id >= p->streams.count ||
        p->streams.list[id].destroyed || !p->streams.list[id].used)
        return NULL;
    return &p->streams.list[id];
}

const struct stream *stream_find(const struct program *p, uint64_t handle)
{
    return find(p, handle);
}

/* --- commands in them ------------------------------------------------------------------------- */

uint64_t stream_submit(struct program *p, uint32_t id)
{
    return ++p->streams.list[id].submitted;
}

void stream_finish(struct program *p, uint32_t id)
{
    p->streams.list[id].finished++;
}

void stream_see(struct program *p, uint32_t id)
{
    p->streams.list[id].seen++;
}

bool stream_has_finished(const struct program *p, uint32_t id, uint64_t sequence)
{
    return p->streams.list[id].finished >= sequence;
}

bool stream_has_seen(const struct program *p, uint32_t id, uint64_t sequence)
{
    return p->streams.list[id].seen >= sequence;
}

uint32_t stream_driver(const struct program *p, uint32_t id)
{
    return p->streams.list[id].driver_stream;
}

void stream_give_back(struct program *p, uint32_t id)
{
    struct stream *s = &p->streams.list[id];
    if (!s->destroyed || !s->used || s->seen < s->submitted)
        return;
    guest_stream_end(p->guest, s->driver_stream);
    s->used = false;
}

static void add_want(struct dependency *wants, uint32_t *n, const struct stream *s)
{
    if (s->finished < s->submitted)
        wants[(*n)++] = (struct dependency){s->id, s->submitted};
}

struct dependency *stream_legacy_wants(const struct program *p, uint32_t id, uint32_t *n)
{
    struct dependency *wants = ALLOC_ARRAY(struct dependency, p->streams.count);
    *n = 0;
    if (id && !p->streams.list[id].nonblocking)
        add_want(wants, n, &p->streams.list[0]);
    for (uint32_t i = 1; id == 0 && i < p->streams.count; i++) {
        if (!p->streams.list[i].nonblocking)
            add_want(wants, n, &p->streams.list[i]);
    }
    return wants;
}

/* --- marks ------------------------------------------------------------------------------------ */

bool stream_marks_seen(const struct host_thread *t)
{
    const struct program *p = t->program;
    for (uint32_t i = 0; i < t->n_marks; i++) {
        if (p->streams.list[i].seen < t->marks[i])
            return false;
    }
    return true;
}

static void clear_marks(struct host_thread *t)
{
    free(t->marks);
    t->n_marks = t->program->streams.count;
    t->marks = ALLOC_ARRAY(uint64_t, t->n_marks);
}

void stream_mark_all(struct host_thread *t)
{
    clear_marks(t);
    for (uint32_t i = 0; i < t->n_marks; i++)
        t->marks[i] = t->program->streams.list[i].submitted;
}

void stream_mark(struct host_thread *t, uint32_t id, uint64_t sequence)
{
    clear_marks(t);
    t->marks[id] = sequence;
}

static void sync_over(struct host_thread *t, uint64_t cycle)
{
    call_done_after(t, CUDA_SUCCESS, cycle, machine_config(t->program->machine)->sync_return_ns);
}

static void sync_begun(struct host_thread *t, uint64_t cycle)
{
    call_wait(t, cycle, stream_marks_seen, sync_over);
}

void stream_synchronise(struct host_thread *t, uint64_t cycle)
{
    const struct machine_config *config = machine_config(t->program->machine);
    t->wake = cycle + call_cycles(t->program, config->sync_call_ns);
    t->resume = sync_begun;
    if (t->wake <= cycle)
        sync_begun(t, cycle);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void create_stream(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct error err = {0};
    uint32_t id = 0;
    int64_t priority = (int64_t)t->request.a[1];
    if (!add_stream(p, &id, &err)) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "%s", err.text);
        return;
    }
    p->streams.list[id].nonblocking = t->request.a[0] != 0;
    p->streams.list[id].priority = (int32_t)(priority > 0 ? 0 : priority < -5 ? -5 : priority);
    t->reply.v[0] = FIRST_STREAM_HANDLE + id - 1;
    call_done(t, CUDA_SUCCESS, cycle);
}

void stream_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct stream *s = find(p, t->request.a[0]);
    uint16_t op = t->request.op;
    if (op == WIRE_STREAM_CREATE) {
        create_stream(t, cycle);
        return;
    }
    if (op == WIRE_DEVICE_SYNC) {
        stream_mark_all(t);
        stream_synchronise(t, cycle);
        return;
    }
    if (!s) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    switch (op) {
    case WIRE_STREAM_DESTROY:
        s->destroyed = true;
        stream_give_back(p, s->id);
        call_done(t, CUDA_SUCCESS, cycle);
        break;
    case WIRE_STREAM_INFO:
        t->reply.v[0] = s->nonblocking;
        t->reply.v[1] = (uint64_t)(int64_t)s->priority;
        call_done(t, CUDA_SUCCESS, cycle);
        break;
    case WIRE_STREAM_QUERY:
        call_done(t, s->seen < s->submitted ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS, cycle);
        break;
    case WIRE_STREAM_SYNC:
        stream_mark(t, s->id, s->submitted);
        stream_synchronise(t, cycle);
        break;
    case WIRE_STREAM_WAIT:
        event_wait(t, cycle, s);
        break;
    default:
        host_function_submit(t, s);
        break;
    }
}
