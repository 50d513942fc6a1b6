/* How long the kernels of a load took, by name: all of them, and those that ended while services
 * were at work. */
#ifndef EVGPU_GUEST_KERNEL_FIGURES_H
#define EVGPU_GUEST_KERNEL_FIGURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/guest/profile.h"
#include "sim/simt/core.h"

struct kernel_figures_entry {
    char *name;
    uint64_t launches; /* all */
    uint64_t cycles;   /* of those that were timed */
    uint64_t first;    /* cycles of the first timed launch, caches cold */
    uint64_t untimed;  /* launches that were not timed, and what they have executed: */
    uint64_t untimed_warp_instructions, untimed_thread_instructions;
    uint64_t beside, beside_cycles;
    uint32_t registers, block_threads; /* per thread; both of the last launch */
    uint32_t shared_bytes;             /* per block, with the dynamic part of the last launch */
    struct grid_counters counts;       /* all timed launches */
};

struct kernel_figures_table {
    struct kernel_figures_entry *entries; /* in order of their first end */
    uint32_t count, capacity;
};

/* A grid has ended. */
void kernel_figures_add(struct kernel_figures_table *table, const struct grid *grid, bool beside);
void kernel_figures_copy(struct kernel_figures_table *to, const struct kernel_figures_table *from);
void kernel_figures_free(struct kernel_figures_table *table);

/* Cycles beside services against those of as many launches without (`alone`), the first of each
 * kernel against the first, the rest against the mean of the rest. 0: nothing to compare. */
double kernel_figures_slowdown(const struct kernel_figures_table *beside,
                               const struct kernel_figures_table *alone);

/* One line per kernel; `alone` may be NULL. */
void kernel_figures_print(const struct kernel_figures_table *table,
                          const struct kernel_figures_table *alone, FILE *to);
json_t *kernel_figures_json(const struct kernel_figures_table *table,
                            const struct kernel_figures_table *alone,
                            const struct machine_config *config);

/* Rows for a profile, one per entry; free() them. They point into the table. */
struct profile_kernel *kernel_figures_rows(const struct kernel_figures_table *table);

#endif
