#include "sim/guest/program/stream/command.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

#define MAX_OUTSTANDING                                                                            \
    1024u /* commands of a program that are not complete; further calls wait                       \
           */

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
    c->next = p->commands.first;
    if (p->commands.first)
        p->commands.first->previous = c;
    p->commands.first = c;
    p->commands.outstanding++;
    return c;
}

/* --- waits for other streams ------------------------------------------------------------------ */

static bool satisfied(const struct command *c)
{
    for (uint32_t i = 0; i < c->n_wants; i++) {
        if (!stream_has_finished(c->program, c->wants[i].stream, c->wants[i].sequence))
            return false;
    }
    return true;
}

/* Ends the waits that may end; `finished` may call this again. */
static void release_waits(struct program *p, uint64_t cycle)
{
    for (bool again = true; again;) {
        again = false;
        for (struct command *c = p->commands.first; c && !again; c = c->next) {
            if (c->kind == COMMAND_WAIT && c->started && satisfied(c)) {
                c->started = false;
                command_work_done(c, cycle);
                again = true;
            }
        }
    }
}

/* --- the life of a command, as the driver tells it -------------------------------------------- */

static void reach_event(struct command *c, uint64_t cycle)
{
    event_reach(c->event, cycle);
    command_work_done(c, cycle);
}

static void start_engine(struct command *c, uint64_t cycle)
{
    struct program *p = c->program;
    if (context_dead(p)) {
        command_work_done(c, cycle);
        return;
    }
    uint64_t bytes = c->kind == COMMAND_SET ? c->set.width * c->set.height * c->set.depth
                                            : c->copy.width * c->copy.height * c->copy.depth;
    if (c->kind == COMMAND_SET)
        move_set(p, &c->set);
    else
        copy_move(c);
    uint64_t begin = p->commands.engine_free > cycle ? p->commands.engine_free : cycle;
    uint32_t times = c->kind == COMMAND_SET ? 1 : 2; /* read and written */
    p->commands.engine_free = begin + copy_device_cycles(p, bytes, times);
    if (p->commands.engine_free < begin) /* thousands of years */
        p->commands.engine_free = CYCLE_NEVER - 1;
    c->end = p->commands.engine_free;
    p->commands.on_engine++;
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
        host_function_start(c, cycle);
        break;
    case COMMAND_SET:
        start_engine(c, cycle);
        break;
    case COMMAND_MARK:
        full_empty_mark(c);
        break;
    case COMMAND_VALUES:
        value_start(c, cycle);
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
    stream_finish(c->program, c->stream);
    release_waits(c->program, cycle);
}

static void on_returned(void *user, uint64_t cycle)
{
    struct command *c = user;
    struct host_thread *t = c->thread;
    c->thread = NULL;
    if (t)
        call_reply(t, cycle);
}

static void count_copy(const struct command *c, const struct driver_times *times)
{
    const struct copy_plan *copy = &c->copy;
    const struct set_plan *set = &c->set;
    uint64_t cycles = times->finished - times->started;
    if (c->kind == COMMAND_COPY)
        figures_copy_over(c->program, c->copy_kind, copy->width * copy->height * copy->depth,
                          cycles);
    else if (c->kind == COMMAND_SET)
        figures_copy_over(c->program, COPY_SET, set->width * set->height * set->depth, cycles);
}

static void free_command(struct command *c)
{
    if (c->event)
        event_record_over(c->event);
    free(c->wants);
    free(c->payload);
    free(c);
}

static void take_out(struct command *c)
{
    if (c->previous)
        c->previous->next = c->next;
    else
        c->program->commands.first = c->next;
    if (c->next)
        c->next->previous = c->previous;
}

static void on_done(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct command *c = user;
    struct program *p = c->program;
    count_copy(c, times);
    if (c->lands)
        copy_land(c);
    stream_see(p, c->stream);
    p->commands.outstanding--;
    p->commands.completed++;
    if (c->parameters)
        launch_give_parameters(p, c->parameters, c->parameter_room);
    take_out(c);
    stream_give_back(p, c->stream);
    free_command(c);
    call_check_waits(p, cycle);
}

/* --- handing over ----------------------------------------------------------------------------- */

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
    case COMMAND_VALUES:
        return "values";
    case COMMAND_COPY:
        return c->copy_kind == COPY_DEVICE ? "copy on device" : NULL;
    default:
        return NULL;
    }
}

static void hand_over(struct command *c, struct driver_call *call)
{
    struct program *p = c->program;
    struct error err = {0};
    c->sequence = stream_submit(p, c->stream);
    call->stream = stream_driver(p, c->stream);
    call->note = (struct driver_note){.thread = c->caller, .stream = c->stream, .label = label(c)};
    call->started = on_started;
    call->finished = on_finished;
    call->returned = on_returned;
    call->done = on_done;
    call->user = c;
    if (!guest_call(p->guest, call, &err)) /* the machine has room for all programs' commands */
        failure_note(p, err.text);
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
    struct dependency *wants = stream_legacy_wants(c->program, c->stream, &n);
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

/* --- the copy engine -------------------------------------------------------------------------- */

uint64_t commands_next_event(const struct program *p)
{
    uint64_t next = CYCLE_NEVER;
    const struct command *c = p->commands.on_engine ? p->commands.first : NULL;
    for (; c; c = c->next)
        next = c->end < next ? c->end : next;
    return next;
}

void commands_tick(struct program *p, uint64_t cycle)
{
    for (bool again = p->commands.on_engine; again;) {
        again = false;
        for (struct command *c = p->commands.first; c && !again; c = c->next) {
            if (c->end <= cycle) {
                c->end = CYCLE_NEVER;
                p->commands.on_engine--;
                command_work_done(c, cycle);
                again = true;
            }
        }
    }
}

void commands_abandon(struct program *p, uint64_t cycle)
{
    for (struct command *c = p->commands.first; c; c = c->next) {
        if (c->end != CYCLE_NEVER)
            c->end = cycle;
    }
    p->commands.engine_free = cycle;
    commands_tick(p, cycle);
}

/* --- all of them ------------------------------------------------------------------------------ */

struct command *commands_first(const struct program *p)
{
    return p->commands.first;
}

bool commands_have_room(const struct program *p)
{
    return p->commands.outstanding < MAX_OUTSTANDING;
}

static bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b ? b - a < a_bytes : a - b < b_bytes;
}

bool commands_use(const struct program *p, uint64_t address, uint64_t bytes)
{
    for (const struct command *c = p->commands.first; c; c = c->next) {
        const struct copy_plan *copy = &c->copy;
        if ((c->kind == COMMAND_SET || c->kind == COMMAND_MARK) &&
            overlap(c->set.dst, set_extent(&c->set), address, bytes))
            return true;
        if (c->kind == COMMAND_COPY &&
            ((!(copy->flags & WIRE_COPY_DST_HOST) &&
              overlap(copy->dst, copy_extent(copy, true), address, bytes)) ||
             (!(copy->flags & (WIRE_COPY_SRC_HOST | WIRE_COPY_PAYLOAD)) &&
              overlap(copy->src, copy_extent(copy, false), address, bytes))))
            return true;
    }
    return false;
}

uint64_t commands_outstanding(const struct program *p)
{
    return p->commands.outstanding;
}

uint64_t commands_completed(const struct program *p)
{
    return p->commands.completed;
}

void commands_forget_thread(struct program *p, const struct host_thread *t)
{
    for (struct command *c = p->commands.first; c; c = c->next) {
        if (c->thread == t)
            c->thread = NULL;
    }
}

void commands_free(struct program *p)
{
    while (p->commands.first) {
        struct command *c = p->commands.first;
        p->commands.first = c->next;
        free_command(c);
    }
}
