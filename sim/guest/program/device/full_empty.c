#include "sim/guest/program/device/full_empty.h"

#include "sim/guest/program/internal.h"
#include "sim/system/guest_region.h"

/* False: the call has been answered. */
static bool has_region(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint64_t available = 0, total = 0;
    if (guest_region(p->guest, &available, &total))
        return true;
    call_fail(t, CUDA_ERROR_NOT_SUPPORTED, cycle,
              "machine %s has no memory with full/empty bits; set fe.region_kib, or take "
              "gtx580.ini",
              machine_config(p->machine)->name);
    return false;
}

bool full_empty_check(struct host_thread *t, uint64_t cycle, const char *what, uint64_t address,
                      uint64_t bytes)
{
    if (!has_region(t, cycle))
        return false;
    const struct area *area = memory_find(t->program, address);
    if (!area || area->kind != WIRE_FULL_EMPTY)
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "%s: cudaMallocFullEmpty did not allocate 0x%llx", what,
                  (unsigned long long)address);
    else if (!memory_inside(t->program, address, bytes))
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "%s: %llu bytes at 0x%llx exceed the allocation at 0x%llx of %llu bytes", what,
                  (unsigned long long)bytes, (unsigned long long)address,
                  (unsigned long long)area->address, (unsigned long long)area->bytes);
    else if (address % 4 || bytes % 4)
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "%s: %llu bytes at 0x%llx are not aligned 4-byte words", what,
                  (unsigned long long)bytes, (unsigned long long)address);
    else
        return true;
    return false;
}

/* --- jobs of the region's schedulers ---------------------------------------------------------- */

static void job_over(void *user, uint64_t cycle)
{
    struct host_thread *t = user;
    context_let(t->program);
    if (!failure_status(t->program)) /* otherwise it has been answered */
        call_done(t, CUDA_SUCCESS, cycle);
}

/* The call returns when the job is done. */
static void wait_for_job(struct host_thread *t, struct region_job job)
{
    job.done = job_over;
    job.user = t;
    t->wake = CYCLE_NEVER;
    t->resume = NULL;
    context_hold(t->program);
    guest_region_job(t->program->guest, &job);
}

static void mark_over(void *user, uint64_t cycle)
{
    command_work_done(user, cycle);
}

void full_empty_mark(struct command *c)
{
    guest_region_job(c->program->guest, &(struct region_job){.kind = REGION_MARK,
                                                             .full = c->set.value == ACTION_FILL,
                                                             .address = c->set.dst,
                                                             .bytes = c->set.width,
                                                             .done = mark_over,
                                                             .user = c});
}

static void unblocked(void *user, uint64_t cycle)
{
    struct program *p = user;
    (void)cycle;
    context_let(p);
    if (!--p->unblock.marks && (commands_outstanding(p) || guest_at_work(p->guest)))
        full_empty_unblock(p);
}

/* Waits are for full and for empty words, and end in the order of their queues. */
void full_empty_unblock(struct program *p)
{
    if (p->unblock.marks)
        return;
    p->unblock.full = !p->unblock.full;
    for (uint32_t i = 0; i < memory_count(p); i++)
        p->unblock.marks += memory_at(p, i)->kind == WIRE_FULL_EMPTY;
    for (uint32_t i = 0; i < memory_count(p); i++) {
        const struct area *area = memory_at(p, i);
        if (area->kind != WIRE_FULL_EMPTY)
            continue;
        context_hold(p);
        guest_region_job(p->guest, &(struct region_job){.kind = REGION_MARK,
                                                        .full = p->unblock.full,
                                                        .address = area->address,
                                                        .bytes = (area->bytes + 3) / 4 * 4,
                                                        .done = unblocked,
                                                        .user = p});
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

void full_empty_alloc(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct error err = {0};
    uint64_t bytes = t->request.a[0];
    bool used = false;
    if (!has_region(t, cycle))
        return;
    uint64_t address = guest_region_alloc(p->guest, bytes, &used, &err);
    if (!address) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "%s", err.text);
        return;
    }
    memory_add(p, &(struct area){address, bytes, WIRE_FULL_EMPTY, 0, t->pid});
    t->reply.v[0] = address;
    if (used)
        wait_for_job(t, (struct region_job){.kind = REGION_MARK,
                                            .full = true,
                                            .address = address,
                                            .bytes = (bytes + 3) / 4 * 4});
    else
        call_done(t, CUDA_SUCCESS, cycle);
}

static void mark(struct host_thread *t, uint64_t cycle)
{
    const uint64_t *a = t->request.a;
    const struct stream *s = stream_find(t->program, a[3]);
    if (!s) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    if (!full_empty_check(t, cycle, "mark", a[0], a[1]))
        return;
    struct command *c = command_create(t, COMMAND_MARK, s->id);
    struct driver_call call = {.kind = DRIVER_WORK};
    c->set = (struct set_plan){
        .dst = a[0], .width = a[1], .height = 1, .depth = 1, .value = (uint32_t)a[2]};
    command_submit(c, &call);
}

static void override(struct host_thread *t, uint64_t cycle)
{
    const uint64_t *a = t->request.a;
    if (full_empty_check(t, cycle, "override", a[0], a[1]))
        wait_for_job(t, (struct region_job){.kind = REGION_MARK,
                                            .full = a[2] == ACTION_FILL,
                                            .address = a[0],
                                            .bytes = a[1]});
}

static void info(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    guest_region(p->guest, &t->reply.v[0], &t->reply.v[1]);
    call_done(t, CUDA_SUCCESS, cycle);
}

/* Its effect reaches the requests of all guests; false: there are others, and the call has been
 * answered. */
static bool is_alone(struct host_thread *t, uint64_t cycle, const char *what, const char *instead)
{
    if (guest_region_alone(t->program->guest))
        return true;
    call_fail(t, CUDA_ERROR_NOT_PERMITTED, cycle,
              "%s: another guest has memory with full/empty bits, and the call would reach its "
              "requests; %s",
              what, instead);
    return false;
}

/* Nothing to do: no words are named. The rest of the call must be in order. */
static bool is_empty(struct host_thread *t, uint64_t cycle)
{
    const uint64_t *a = t->request.a;
    bool names_words = t->request.op == WIRE_MARK || t->request.op == WIRE_OVERRIDE;
    if (names_words && a[2] != ACTION_FILL && a[2] != ACTION_EMPTY)
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
    else if (names_words && !a[1])
        call_done(t, CUDA_SUCCESS, cycle);
    else
        return false;
    return true;
}

void full_empty_call(struct host_thread *t, uint64_t cycle)
{
    if (!has_region(t, cycle) || is_empty(t, cycle))
        return;
    switch (t->request.op) {
    case WIRE_REGION_INFO:
        info(t, cycle);
        break;
    case WIRE_MARK:
        mark(t, cycle);
        break;
    case WIRE_OVERRIDE:
        override(t, cycle);
        break;
    case WIRE_RELEASE:
        if (is_alone(t, cycle, "release", "mark words with cudaOverrideFullEmpty"))
            wait_for_job(t, (struct region_job){.kind = REGION_RELEASE});
        break;
    default:
        if (is_alone(t, cycle, "time-out", "set fe.timeout_us"))
            wait_for_job(
                t, (struct region_job){.kind = REGION_TIMEOUT, .nanoseconds = t->request.a[0]});
        break;
    }
}
