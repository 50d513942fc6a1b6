#include "sim/mem/dram/scheduler.h"

#include <stddef.h>

/* The schedulers in the order of their numbers. */
#define SCHEDULERS(SCHEDULER)                                                                      \
    SCHEDULER(fr_fcfs)                                                                             \
    SCHEDULER(fr_fcfs_cap)                                                                         \
    SCHEDULER(fcfs)

#define DECLARE(name) extern const struct dram_scheduler dram_scheduler_##name;
SCHEDULERS(DECLARE)

#define ADDRESS(name) &dram_scheduler_##name,
static const struct dram_scheduler *const schedulers[] = {SCHEDULERS(ADDRESS)};

const struct dram_scheduler *dram_scheduler_at(uint32_t index)
{
    return index < sizeof schedulers / sizeof *schedulers ? schedulers[index] : NULL;
}

const char *dram_scheduler_name(uint32_t index)
{
    const struct dram_scheduler *scheduler = dram_scheduler_at(index);
    return scheduler ? scheduler->name : NULL;
}
