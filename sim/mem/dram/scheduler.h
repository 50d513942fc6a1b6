/* Schedulers of a DRAM channel: which request of a bank may use the open row, and which may start.
 * dram_schedule.c states what all of them share.
 *
 * A scheduler is a file that defines `const struct dram_scheduler dram_scheduler_NAME`, and a line
 * in the list of schedulers.c. The configuration key dram.scheduler knows it then. */
#ifndef EVGPU_MEM_DRAM_SCHEDULER_H
#define EVGPU_MEM_DRAM_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

struct dram;
struct dram_config;
struct error;

/* Requests are named by their slot (dram_internal.h). */
struct dram_scheduler {
    const char *name; /* in the configuration */

    /* False with `err` when it cannot work with this configuration; NULL: it can with any. */
    bool (*check)(const struct dram_config *config, struct error *err);
    /* A request has arrived, started or left: what the scheduler keeps in struct dram is brought up
     * to date, and banks whose requests now get other answers are marked in `stale`. NULL: nothing
     * to do. */
    void (*update)(struct dram *d);
    /* Slot `s` has not started and hits the open row of its bank. Is the row kept open for it?
     * `past`: an older request of the bank is for another row. When the answer is no for all, the
     * row is closed for the bank's first request: that one must get a yes in its own row. */
    bool (*keeps_row)(const struct dram *d, uint32_t s, bool past);
    /* May it start in that row, once timing allows? */
    bool (*may_start)(const struct dram *d, uint32_t s);
};

/* Scheduler number `index`, NULL from their number on. */
const struct dram_scheduler *dram_scheduler_at(uint32_t index);
const char *dram_scheduler_name(uint32_t index); /* NULL likewise */

#endif
