/* What event kernels have cost, for the guests that have registered them: a row of the event kernel
 * table is counted from its registration on. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/system/machine_internal.h"

static struct guest_event_kernel *entry_of(struct guest *g, const struct kernel *kernel)
{
    for (uint32_t i = 0; i < g->n_event_kernels; i++) {
        if (!strcmp(g->event_kernels[i].name, kernel->name))
            return &g->event_kernels[i];
    }
    ARRAY_RESERVE(g->event_kernels, g->n_event_kernels, g->cap_event_kernels);
    struct guest_event_kernel *e = &g->event_kernels[g->n_event_kernels++];
    *e = (struct guest_event_kernel){.name = kernel->name};
    return e;
}

/* What has been counted for the row goes to whoever has registered it. */
static void collect(struct machine *m, uint32_t row)
{
    struct row_use *use = &m->row_use[row];
    if (!use->home)
        return;
    struct guest_event_kernel *e = entry_of(use->home, use->kernel);
    e->calls += use->calls;
    e->cycles += use->cycles;
    gpu_take_event_counts(m->gpu, row, &e->counts);
    use->calls = use->cycles = 0;
}

void machine_row_registered(struct machine *m, uint32_t row, struct guest *g,
                            const struct kernel *kernel)
{
    struct grid_counts before = {.memory = {0}};
    gpu_take_event_counts(m->gpu, row, &before);
    m->row_use[row] = (struct row_use){.home = kernel ? g : NULL, .kernel = kernel};
}

void machine_row_over(struct machine *m, uint32_t row)
{
    collect(m, row);
    m->row_use[row].home = NULL;
}

void machine_count_event(struct machine *m, const struct event_times *times)
{
    m->row_use[times->row].calls++;
    m->row_use[times->row].cycles += times->exited - times->pushed;
}

uint32_t guest_event_kernels(struct guest *g, const struct guest_event_kernel **list)
{
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        collect(g->machine, row);
    *list = g->event_kernels;
    return g->n_event_kernels;
}
