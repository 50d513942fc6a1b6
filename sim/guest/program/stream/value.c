#include "sim/guest/program/stream/value.h"

#include <string.h>

#include "sim/guest/program/internal.h"

#define LOOK_CYCLES 100u /* between two looks */

/* --- one value -------------------------------------------------------------------------------- */

static uint64_t read_value(const struct program *p, const struct wire_value *v)
{
    /* The host may write it at the same time. */
    const volatile void *at = gpu_image(machine_gpu(p->machine))->base + v->address;
    return v->bytes == 4 ? *(const volatile uint32_t *)at : *(const volatile uint64_t *)at;
}

static void write_value(const struct program *p, const struct wire_value *v)
{
    struct image *image = gpu_image(machine_gpu(p->machine));
    image_set_written(image, v->address, v->bytes);
    memcpy(image->base + v->address, &v->value, v->bytes);
}

static bool holds(const struct program *p, const struct wire_value *v)
{
    uint64_t mask = v->bytes == 4 ? UINT32_MAX : UINT64_MAX;
    uint64_t there = read_value(p, v), sign = (mask >> 1) + 1;
    switch (v->action) {
    case WIRE_VALUE_GEQ: /* in a circle */
        return !((there - v->value) & sign);
    case WIRE_VALUE_EQ:
        return there == (v->value & mask);
    case WIRE_VALUE_AND:
        return (there & v->value & mask) != 0;
    default:
        return (~(there | v->value) & mask) != 0;
    }
}

/* --- a command -------------------------------------------------------------------------------- */

static const struct wire_value *value_at(const struct command *c)
{
    return (const struct wire_value *)(const void *)c->payload + c->value;
}

static bool is_over(const struct command *c)
{
    return c->value == c->n_values;
}

/* As far as it comes. */
static void run(struct command *c)
{
    for (; !is_over(c); c->value++) {
        const struct wire_value *v = value_at(c);
        if (v->action == WIRE_VALUE_WRITE)
            write_value(c->program, v);
        else if (!holds(c->program, v))
            return;
    }
}

static void end(struct command *c, uint64_t cycle)
{
    c->started = false;
    command_work_done(c, cycle);
}

void value_start(struct command *c, uint64_t cycle)
{
    struct program *p = c->program;
    bool nobody = failure_status(p) || context_dead(p);
    if (!nobody)
        run(c);
    if (nobody || is_over(c))
        end(c, cycle);
    else
        p->values.waiting++;
}

static bool waits(const struct command *c)
{
    return c->kind == COMMAND_VALUES && c->started;
}

/* Ends one that is over, or any; false: there is none. */
static bool end_one(struct program *p, uint64_t cycle, bool any)
{
    for (struct command *c = commands_first(p); c; c = c->next) {
        if (!waits(c))
            continue;
        if (!any)
            run(c);
        if (any || is_over(c)) {
            p->values.waiting--;
            end(c, cycle);
            return true;
        }
    }
    return false;
}

void values_tick(struct program *p, uint64_t cycle)
{
    p->values.looked = cycle;
    while (p->values.waiting && end_one(p, cycle, false)) {
    }
}

uint64_t values_next_event(const struct program *p)
{
    return p->values.waiting ? p->values.looked + LOOK_CYCLES : CYCLE_NEVER;
}

void values_abandon(struct program *p, uint64_t cycle)
{
    while (p->values.waiting && end_one(p, cycle, true)) {
    }
}

/* --- nobody else goes on ---------------------------------------------------------------------- */

/* Behind a wait in its stream, or one itself. */
static bool is_held(const struct command *c)
{
    for (const struct command *other = commands_first(c->program); other; other = other->next) {
        if (other->stream == c->stream && other->sequence <= c->sequence && other->started &&
            (other->kind == COMMAND_WAIT || other->kind == COMMAND_VALUES))
            return true;
    }
    return false;
}

bool values_stuck(const struct program *p)
{
    if (!p->values.waiting || machine_services_at_work(p->machine) || guest_at_work(p->guest) ||
        driver_next_event(machine_driver(p->machine)) != CYCLE_NEVER ||
        threads_next_event(p) != CYCLE_NEVER)
        return false;
    for (const struct command *c = commands_first(p); c; c = c->next) {
        if (!is_held(c) || (waits(c) && holds(p, value_at(c))))
            return false;
    }
    return true;
}

void values_describe(const struct program *p, struct error *err)
{
    static const char *const conditions[] = {[WIRE_VALUE_GEQ] = ">=",
                                             [WIRE_VALUE_EQ] = "==",
                                             [WIRE_VALUE_AND] = "&",
                                             [WIRE_VALUE_NOR] = "nor"};
    const struct command *found = NULL;
    for (const struct command *c = commands_first(p); c; c = c->next) {
        if (waits(c)) /* the oldest */
            found = c;
    }
    if (!found)
        return;
    const struct wire_value *v = value_at(found);
    error_set(
        err,
        "deadlock: stream %u waits for *0x%llx %s 0x%llx (%u bits, now 0x%llx), and no kernel, "
        "copy or thread is left that could write it",
        found->stream, (unsigned long long)v->address, conditions[v->action],
        (unsigned long long)v->value, v->bytes * 8, (unsigned long long)read_value(p, v));
}

/* --- the call --------------------------------------------------------------------------------- */

/* False: the call has been answered. */
static bool check(struct host_thread *t, uint64_t cycle, const struct wire_value *v)
{
    if ((v->bytes != 4 && v->bytes != 8) || v->action > WIRE_VALUE_NOR)
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
    else if (v->address % v->bytes)
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "stream memory operation: address 0x%llx is not a multiple of %u",
                  (unsigned long long)v->address, v->bytes);
    else if (!memory_inside(t->program, v->address, v->bytes))
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "stream memory operation: 0x%llx is neither device memory nor pinned memory of "
                  "the host",
                  (unsigned long long)v->address);
    else
        return true;
    return false;
}

void value_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const struct stream *s = stream_find(p, t->request.a[0]);
    uint64_t n = t->request.payload / sizeof(struct wire_value);
    const struct wire_value *values = (const struct wire_value *)(const void *)t->payload;
    if (!s || !n || t->request.payload % sizeof *values) {
        call_done(t, s ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (!check(t, cycle, &values[i]))
            return;
    }
    struct command *c = command_create(t, COMMAND_VALUES, s->id);
    struct driver_call call = {.kind = DRIVER_WORK};
    c->payload = t->payload;
    t->payload = NULL;
    c->n_values = (uint32_t)n;
    command_submit(c, &call);
}
