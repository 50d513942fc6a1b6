#include "sim/host/driver.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/driver_internal.h"

static bool check_config(const struct driver_config *c, struct error *err)
{
    if (c->core_khz == 0)
        return error_set(err, "driver: the core clock must not be 0");
    if (c->threads > 64)
        return error_set(err, "driver: there must be 0 to 64 CPU threads, not %u", c->threads);
    if (c->streams > 64)
        return error_set(err, "driver: there must be 0 to 64 streams, not %u", c->streams);
    if (c->prepare_units > 64 || (c->threads && !c->prepare_units))
        return error_set(err, "driver: there must be 1 to 64 prepare units, not %u",
                         c->prepare_units);
    if (c->copy_engines < 1 || c->copy_engines > 2)
        return error_set(err, "driver: there must be 1 or 2 copy engines, not %u", c->copy_engines);
    if (c->max_calls == 0 || c->max_calls > 65535)
        return error_set(err, "driver: there must be room for 1 to 65535 calls, not %u",
                         c->max_calls);
    return true;
}

struct driver *driver_create(const struct driver_config *config, struct error *err)
{
    if (!check_config(config, err))
        return NULL;

    struct driver *d = ALLOC(struct driver);
    uint32_t khz = config->core_khz;

    d->config = *config;
    d->copy_enqueue = rate_ns_to_cycles(config->copy_enqueue_ns, khz);
    d->copy_prepare = rate_ns_to_cycles(config->copy_prepare_ns, khz);
    d->copy_wait = rate_ns_to_cycles(config->copy_wait_ns, khz);
    d->bulk_memory = rate_ns_to_cycles(config->bulk_memory_ns, khz);
    d->launch_enqueue = rate_ns_to_cycles(config->launch_enqueue_ns, khz);
    d->launch_prepare = rate_ns_to_cycles(config->launch_prepare_ns, khz);
    d->op_enqueue = rate_ns_to_cycles(config->op_enqueue_ns, khz);
    d->sync_call = rate_ns_to_cycles(config->sync_call_ns, khz);
    d->sync_return = rate_ns_to_cycles(config->sync_return_ns, khz);
    d->commands = ALLOC_ARRAY(struct command, config->max_calls + 1);
    d->free_commands = ALLOC_ARRAY(uint32_t, config->max_calls);
    d->n_free = config->max_calls;
    for (uint32_t i = 0; i < d->n_free; i++)
        d->free_commands[i] = d->n_free - i;
    d->threads = ALLOC_ARRAY(struct thread, DRIVER_MAX_THREADS);
    d->units = ALLOC_ARRAY(struct unit, DRIVER_MAX_THREADS);
    d->streams = ALLOC_ARRAY(struct stream, DRIVER_MAX_STREAMS);
    d->n_threads = config->threads;
    d->n_units = config->prepare_units;
    d->n_streams = config->streams;
    for (uint32_t i = 0; i < d->n_threads; i++)
        d->threads[i].unit = i % d->n_units;
    for (uint32_t i = 1; i <= DRIVER_MAX_REQUESTS; i++)
        d->requests[i].next = i < DRIVER_MAX_REQUESTS ? i + 1 : 0;
    d->free_requests = (struct entry_list){1, DRIVER_MAX_REQUESTS};
    d->next = CYCLE_NEVER;
    return d;
}

void driver_destroy(struct driver *d)
{
    if (!d)
        return;
    free(d->commands);
    free(d->free_commands);
    free(d->threads);
    free(d->units);
    free(d->streams);
    free(d);
}

bool driver_add_thread(struct driver *d, uint32_t *thread, struct error *err)
{
    if (d->n_threads == DRIVER_MAX_THREADS || d->n_units == DRIVER_MAX_THREADS)
        return error_set(err, "driver: more than %u CPU threads", DRIVER_MAX_THREADS);
    *thread = d->n_threads++;
    if (!d->config.one_unit || !d->n_units)
        d->n_units++;
    d->threads[*thread].unit = d->config.one_unit ? 0 : d->n_units - 1;
    return true;
}

bool driver_add_stream(struct driver *d, uint32_t *stream, struct error *err)
{
    if (d->n_streams == DRIVER_MAX_STREAMS)
        return error_set(err, "driver: more than %u streams", DRIVER_MAX_STREAMS);
    *stream = d->n_streams++;
    return true;
}

/* --- threads and the enqueue stage --- */

/* The thread starts the call at the front of its list. */
static void begin_call(struct driver *d, struct thread *t, uint64_t cycle)
{
    struct command *c = &d->commands[t->calls.first];
    uint64_t time = d->copy_enqueue;

    if (c->call.immediate)
        time = 0;
    else if (c->call.kind == DRIVER_SYNC)
        time = d->sync_call;
    else if (c->call.kind == DRIVER_LAUNCH)
        time = d->launch_enqueue;
    else if (c->call.kind == DRIVER_OP)
        time = d->op_enqueue;
    c->times.called = cycle;
    t->state = THREAD_CALL;
    t->until = cycle + time;
    driver_wake(d, t->until);
}

bool driver_call(struct driver *d, uint64_t cycle, const struct driver_call *call)
{
    bool requests = call->kind <= DRIVER_COPY_OUT;

    if (d->n_free == 0 || call->thread >= d->n_threads || call->stream >= d->n_streams ||
        (is_copy(call->kind) && call->bytes == 0) || (requests && !d->config.request))
        return false;

    uint32_t id = d->free_commands[--d->n_free];
    struct thread *t = &d->threads[call->thread];

    d->commands[id] = (struct command){.call = *call, .times.seen = CYCLE_NEVER};
    list_push(d, &t->calls, LIST_CALLS, id);
    if (t->state == THREAD_IDLE)
        begin_call(d, t, cycle);
    return true;
}

/* The thread is through with a call, which is no longer in its list. */
static void end_call(struct driver *d, struct thread *t, uint64_t cycle,
                     const struct driver_call *call)
{
    t->state = THREAD_IDLE;
    if (t->calls.first)
        begin_call(d, t, cycle);
    if (call->returned)
        call->returned(call->user, cycle);
}

/* The enqueue time of a copy or launch is over. */
static void enqueue(struct driver *d, struct thread *t, uint64_t cycle)
{
    uint32_t id = list_pop(d, &t->calls, LIST_CALLS);
    struct command *c = &d->commands[id];
    struct stream *s = &d->streams[c->call.stream];
    struct driver_call call = c->call;

    c->times.enqueued = cycle;
    s->enqueued++;
    list_push(d, &s->commands, LIST_STREAM, id);
    list_push(d, &d->units[t->unit].calls, LIST_CALLS, id);
    if (call.blocking) {
        t->state = THREAD_BLOCKED;
        t->blocked_on = id;
    } else {
        end_call(d, t, cycle, &call);
    }
}

static void check_sync(struct driver *d, struct thread *t, uint64_t cycle)
{
    const struct command *c = &d->commands[t->calls.first];

    if (d->streams[c->call.stream].completed < t->sync_count)
        return;
    t->state = THREAD_RETURN;
    t->until = cycle + d->sync_return;
    driver_wake(d, t->until);
}

static void return_from_sync(struct driver *d, struct thread *t, uint64_t cycle)
{
    uint32_t id = list_pop(d, &t->calls, LIST_CALLS);
    struct driver_call call = d->commands[id].call;
    struct driver_times times = d->commands[id].times;

    times.seen = cycle;
    d->free_commands[d->n_free++] = id;
    d->stats.syncs++;
    end_call(d, t, cycle, &call);
    if (call.done)
        call.done(call.user, cycle, &times);
}

static void tick_thread(struct driver *d, struct thread *t, uint64_t cycle)
{
    while ((t->state == THREAD_CALL || t->state == THREAD_RETURN) && t->until <= cycle) {
        struct command *c = &d->commands[t->calls.first];

        if (t->state == THREAD_RETURN) {
            return_from_sync(d, t, cycle);
        } else if (c->call.kind == DRIVER_SYNC) {
            c->times.enqueued = cycle;
            t->state = THREAD_SYNC;
            t->sync_count = d->streams[c->call.stream].enqueued;
            check_sync(d, t, cycle);
        } else {
            enqueue(d, t, cycle);
        }
    }
}

void driver_seen(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct driver_call call = d->commands[id].call;
    struct driver_times times = d->commands[id].times;

    times.seen = cycle;
    d->streams[call.stream].completed++;
    d->free_commands[d->n_free++] = id;
    for (uint32_t i = 0; i < d->n_threads; i++) {
        struct thread *t = &d->threads[i];

        if (t->state == THREAD_SYNC)
            check_sync(d, t, cycle);
        else if (t->state == THREAD_BLOCKED && t->blocked_on == id)
            end_call(d, t, cycle, &call);
    }
    if (d->config.watch)
        d->config.watch(d->config.user, id, &call, &times);
    if (call.done)
        call.done(call.user, cycle, &times);
}

/* --- the prepare stage --- */

static uint64_t prepare_time(const struct driver *d, const struct driver_call *call)
{
    if (call->immediate || call->kind == DRIVER_OP)
        return 0;
    if (call->kind == DRIVER_LAUNCH)
        return d->launch_prepare;
    return is_copy(call->kind) && call->blocking ? d->copy_wait : d->copy_prepare;
}

/* The earlier calls of the stream are complete, or copies that have been handed over. */
static bool in_turn(const struct driver *d, uint32_t id)
{
    const struct command *c;

    for (uint32_t i = d->streams[d->commands[id].call.stream].commands.first; i != id;
         i = c->link[LIST_STREAM]) {
        c = &d->commands[i];
        if (!is_copy(c->call.kind) || c->moved != c->call.bytes)
            return false;
    }
    return true;
}

static bool may_prepare(const struct driver *d, uint32_t id)
{
    const struct driver_call *call = &d->commands[id].call;

    if (d->config.in_turn && !in_turn(d, id))
        return false;
    return !d->config.copy_alone || !is_copy(call->kind) ||
           !d->untriggered[engine_of(d, call->kind)];
}

/* The driver knows that the engine becomes free when the last bytes leave, not when they arrive. */
static uint64_t prepare_from(const struct driver *d, uint32_t id, uint64_t cycle)
{
    const struct command *c = &d->commands[id];
    uint64_t left = d->config.copy_alone && is_copy(c->call.kind)
                        ? d->engine_left[engine_of(d, c->call.kind)]
                        : 0;
    bool just_now = left < cycle && cycle - left <= pcie_latency(d->config.link) + 1;

    return c->waited && just_now ? left : cycle;
}

/* The oldest call that may be prepared, taken out of the list; 0: none. */
static uint32_t next_call(struct driver *d, struct unit *u)
{
    uint32_t before = 0, id = u->calls.first;

    while (id && !may_prepare(d, id)) {
        d->commands[id].waited = true;
        before = id;
        id = d->commands[id].link[LIST_CALLS];
    }
    if (id)
        list_remove(d, &u->calls, LIST_CALLS, before, id);
    return id;
}

static void tick_unit(struct driver *d, struct unit *u, uint64_t cycle)
{
    for (;;) {
        if (u->current && u->until > cycle) {
            driver_wake(d, u->until);
            return;
        }
        if (u->current) {
            d->commands[u->current].times.prepared = cycle;
            driver_prepared(d, u->current);
        }
        u->current = next_call(d, u);
        if (!u->current)
            return;
        d->commands[u->current].times.preparing = prepare_from(d, u->current, cycle);
        u->until = d->commands[u->current].times.preparing +
                   prepare_time(d, &d->commands[u->current].call);
    }
}

/* --- the whole --- */

void driver_tick(struct driver *d, uint64_t cycle)
{
    uint64_t next;

    d->next = CYCLE_NEVER;
    for (uint32_t i = 0; i < d->n_threads; i++) {
        struct thread *t = &d->threads[i];

        tick_thread(d, t, cycle);
        if (t->state == THREAD_CALL || t->state == THREAD_RETURN)
            driver_wake(d, t->until);
    }
    for (uint32_t i = 0; i < d->n_units; i++)
        tick_unit(d, &d->units[i], cycle);
    next = driver_execute(d, cycle);
    driver_wake(d, next);
}

uint64_t driver_next_event(const struct driver *d)
{
    return d->next;
}

void driver_outstanding(const struct driver *d,
                        void (*each)(void *user, uint32_t id, const struct driver_call *call,
                                     const struct driver_times *times),
                        void *user)
{
    for (uint32_t i = 0; i < d->n_streams; i++) {
        for (uint32_t id = d->streams[i].commands.first; id; id = d->commands[id].link[LIST_STREAM])
            each(user, id, &d->commands[id].call, &d->commands[id].times);
    }
}

uint32_t driver_room(const struct driver *d)
{
    return d->n_free;
}

bool driver_idle(const struct driver *d)
{
    return d->n_free == d->config.max_calls;
}

void driver_get_stats(const struct driver *d, struct driver_stats *stats)
{
    *stats = d->stats;
}
