/* Guests that fail while others go on: on the GPU their kernels end in order, and their rows of the
 * event kernel table are closed. */
#include "sim/system/machine_internal.h"

static void row_closed(void *user, uint32_t code, uint32_t row)
{
    (void)user, (void)code, (void)row;
}

/* The rows drain, since their events end; a service that has bound one and still needs it has no
 * kernel any more. */
static void close_rows(struct guest *g, const char *why)
{
    struct machine *m = g->machine;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        struct guest *device = m->row_owner[row];
        if (m->row_use[row].home != g)
            continue;
        guest_command(
            g, &(struct frontend_command){.op = FRONTEND_CMD_UNREGISTER, .row = (uint8_t)row},
            row_closed, NULL);
        if (device && device != g && !device->ops->finished(device->self))
            guest_fail(device, &(struct guest_fault){.kind = FAULT_NONE, .text = why});
    }
}

void guest_end_work(struct guest *g, const char *why)
{
    if (g->ended)
        return;
    g->ended = true;
    gpu_end_owner(g->machine->gpu, g->owner);
    close_rows(g, why);
}

void guest_begin_work(struct guest *g)
{
    g->ended = false;
    gpu_begin_owner(g->machine->gpu, g->owner);
}

void guest_fail(struct guest *g, const struct guest_fault *fault)
{
    struct machine *m = g->machine;
    uint64_t cycle = gpu_cycle(m->gpu);
    if (g->failure.set)
        return;
    error_set(&g->failure, "%s", fault->text);
    if (!m->failed) {
        m->failed = g;
        m->failed_at = cycle;
    }
    guest_end_work(g, g->failure.text);
    if (g->ops->faulted)
        g->ops->faulted(g->self, cycle, fault);
}

const struct error *guest_failure(const struct guest *g)
{
    return &g->failure;
}

const struct guest *machine_failed_guest(const struct machine *m, uint64_t *cycle)
{
    if (m->failed)
        *cycle = m->failed_at;
    return m->failed;
}

bool machine_kernel_fault(struct machine *m, const struct gpu_fault *fault)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *g = m->guests[i];
        if (g->owner != fault->owner || !g->ops->faulted)
            continue;
        guest_fail(g, &(struct guest_fault){.kind = fault->what->kind,
                                            .what = fault->what,
                                            .event = fault->event,
                                            .text = fault->text});
        return true;
    }
    return false;
}

void machine_event_fault(struct machine *m, uint32_t row, const char *text)
{
    struct guest *home = m->row_use[row].home;
    if (home && home->ops->faulted)
        guest_fail(home, &(struct guest_fault){.kind = FAULT_NONE, .text = text});
    else
        error_set(&m->fault, "%s", text);
}
