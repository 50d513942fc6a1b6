#include "sim/guest/program/failure.h"

#include <stdio.h>

#include "sim/guest/program/internal.h"

#define PATIENCE_MS                                                                                \
    20000 /* real time in which a program may end whose work on the GPU has failed */
#define PATIENCE_ROUNDS   200 /* in which it may end after the machine has */
#define PATIENCE_ROUND_MS 100 /* at most: less where it says something */

/* CUDA's error for what has ended the machine, or the program's work on it. */
static uint32_t error_of(enum fault_kind kind)
{
    static const uint32_t errors[] = {[FAULT_NONE] = CUDA_ERROR_LAUNCH_TIMEOUT, /* hang, limit */
                                      [FAULT_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
                                      [FAULT_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
                                      [FAULT_INSTRUCTION] = CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                      [FAULT_STACK] = CUDA_ERROR_HARDWARE_STACK_ERROR,
                                      [FAULT_TRAP] = CUDA_ERROR_LAUNCH_FAILED,
                                      [FAULT_ASSERT] = CUDA_ERROR_ASSERT,
                                      [FAULT_MACHINE] = CUDA_ERROR_UNKNOWN};
    return errors[kind];
}

uint32_t failure_status(const struct program *p)
{
    return p->failure.status;
}

bool failure_patience_over(const struct program *p)
{
    return p->failure.status && process_now_ms() - p->failure.since_ms > PATIENCE_MS;
}

void failure_report(struct program *p, const char *text)
{
    struct error named = {.set = false};
    error_set(&named, "%s: %s", p->name, text);
    guest_fail(p->guest, &(struct guest_fault){.kind = FAULT_NONE, .text = named.text});
}

void failure_note(struct program *p, const char *text)
{
    error_set(&p->failure.fault, "%s", text);
}

/* What a process that was killed had on the GPU is nobody's any more. */
void failure_check(struct program *p)
{
    char text[200];
    if (p->failure.fault.set)
        failure_report(p, p->failure.fault.text);
    if (!process_exited(p) || !process_death(p))
        return;
    snprintf(text, sizeof text, "the program %s", process_death(p));
    failure_report(p, text);
}

/* Every thread that is in a call comes back with the error, and so will all later calls. What the
 * program has in its streams goes on without it, to the end. */
static void give_up(struct program *p, uint64_t cycle, const char *text)
{
    host_function_forget_callers(p, cycle);
    values_abandon(p, cycle);
    if (process_exited(p) || process_death(p))
        return;
    fprintf(stderr, "evgpu: %s\n", text);
    for (uint32_t i = 0; i < threads_count(p); i++) {
        struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_WAITING)
            call_reply(t, cycle);
    }
}

void failure_faulted(void *self, uint64_t cycle, const struct guest_fault *fault)
{
    struct program *p = self;
    p->failure.status = error_of(fault->kind);
    p->failure.since_ms = process_now_ms();
    give_up(p, cycle, fault->text);
    full_empty_unblock(p);
}

void failure_serve(void *self, const struct error *err)
{
    struct program *p = self;
    uint64_t cycle = machine_cycle(p->machine);
    if (!p->failure.status) {
        p->failure.status = error_of(gpu_fault(machine_gpu(p->machine))->kind);
        give_up(p, cycle, err->text);
    }
    for (int round = 0;
         round < PATIENCE_ROUNDS && !process_exited(p) && !machine_stopped(p->machine);) {
        settle_look(p, 0);
        struct host_thread *t = threads_next(p, CYCLE_NEVER - 1);
        if (t) {
            call_serve(t, cycle);
        } else { /* also when none of its threads is left: it may go on without us */
            settle_look(p, PATIENCE_ROUND_MS);
            round++;
        }
    }
}
