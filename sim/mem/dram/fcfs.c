/* FCFS: requests start in the order of their arrival, those of classes with priority before all
 * others. Only the next one may start, and only the first of a bank keeps its row open; so banks
 * are made ready for their own first requests meanwhile, but data moves in order. */
#include "sim/mem/dram/dram_internal.h"
#include "sim/mem/dram/scheduler.h"

static uint32_t find_next(const struct dram *d)
{
    for (uint32_t s = d->config.priority ? d->oldest : NO_SLOT; s != NO_SLOT;
         s = d->slot[s].younger)
        if (d->slot[s].first)
            return s;
    return d->oldest;
}

static void update(struct dram *d)
{
    uint32_t next = find_next(d);
    if (next == d->next)
        return;
    d->next = next;
    d->stale |= d->busy;
}

static bool keeps_row(const struct dram *d, uint32_t s, bool past)
{
    (void)past;
    return s == dram_first_of(d, d->slot[s].bank);
}

static bool may_start(const struct dram *d, uint32_t s)
{
    return s == d->next;
}

const struct dram_scheduler dram_scheduler_fcfs = {
    .name = "fcfs",
    .update = update,
    .keeps_row = keeps_row,
    .may_start = may_start,
};
