/* FR-FCFS (Rixner et al., ISCA 2000) without a cap: a row hit goes before every miss, however old,
 * so a request may wait for ever. */
#include "sim/mem/dram/scheduler.h"

static bool keeps_row(const struct dram *d, uint32_t s, bool past)
{
    (void)d;
    (void)s;
    (void)past;
    return true;
}

static bool may_start(const struct dram *d, uint32_t s)
{
    (void)d;
    (void)s;
    return true;
}

const struct dram_scheduler dram_scheduler_fr_fcfs = {
    .name = "fr-fcfs",
    .keeps_row = keeps_row,
    .may_start = may_start,
};
