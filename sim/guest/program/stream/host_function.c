#include "sim/guest/program/stream/host_function.h"

#include "sim/guest/program/internal.h"

void host_function_submit(struct host_thread *t, const struct stream *s)
{
    struct command *c = command_create(t, COMMAND_FUNCTION, s->id);
    struct driver_call call = {.kind = DRIVER_WORK};
    c->cookie = t->request.a[1];
    command_submit(c, &call);
}

static void give_function(struct host_thread *t, struct command *c, uint64_t cycle)
{
    t->function = c;
    t->reply.v[0] = c->cookie;
    c->started = false;
    call_reply(t, cycle);
}

/* One whose turn has come and that no thread runs yet: the oldest. */
static struct command *due_function(const struct program *p)
{
    struct command *due = NULL;
    for (struct command *c = commands_first(p); c; c = c->next) {
        if (c->kind == COMMAND_FUNCTION && c->started)
            due = c;
    }
    return due;
}

void host_function_over(struct host_thread *t, uint64_t cycle)
{
    struct command *over = t->function;
    t->function = NULL;
    if (over)
        command_work_done(over, cycle);
}

void host_function_forget_callers(struct program *p, uint64_t cycle)
{
    for (uint32_t i = 0; i < threads_count(p); i++)
        host_function_over(threads_at(p, i), cycle);
    for (struct command *c = commands_first(p); c; c = c->next) {
        c->thread = NULL;
        if (c->kind == COMMAND_FUNCTION && c->started) {
            c->started = false;
            command_work_done(c, cycle);
        }
    }
}

void host_function_start(struct command *c, uint64_t cycle)
{
    struct program *p = c->program;
    if (failure_status(p) || context_dead(p)) {
        c->started = false;
        command_work_done(c, cycle);
        return;
    }
    for (uint32_t i = 0; i < threads_count(p); i++) {
        struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_WAITING && t->request.op == WIRE_NEXT_FUNCTION && !t->function) {
            give_function(t, c, cycle);
            return;
        }
    }
}

void host_function_next(struct host_thread *t, uint64_t cycle)
{
    host_function_over(t, cycle);
    struct command *c = due_function(t->program);
    if (c)
        give_function(t, c, cycle);
}
