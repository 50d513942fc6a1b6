#include "sim/guest/kernel_figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/profile.h"

#define SHOWN 12 /* kernels of a program in the table; the statistics file has all */

static uint64_t timed(const struct kernel_figures_entry *e)
{
    return e->launches - e->untimed;
}

static struct kernel_figures_entry *find(const struct kernel_figures_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (!strcmp(table->entries[i].name, name))
            return &table->entries[i];
    }
    return NULL;
}

static struct kernel_figures_entry *add(struct kernel_figures_table *table, const char *name)
{
    ARRAY_RESERVE(table->entries, table->count, table->capacity);
    struct kernel_figures_entry *e = &table->entries[table->count++];
    *e = (struct kernel_figures_entry){.name = alloc_string(name)};
    return e;
}

void kernel_figures_add(struct kernel_figures_table *table, const struct grid *grid, bool beside)
{
    uint64_t cycles = grid->end_cycle - grid->start_cycle;
    struct kernel_figures_entry *e = find(table, grid->kernel->name);
    if (!e)
        e = add(table, grid->kernel->name);
    e->launches++;
    e->registers = grid->kernel->regs;
    e->block_threads = grid->block[0] * grid->block[1] * grid->block[2];
    e->shared_bytes = grid->kernel->shared_bytes + grid->dynamic_shared;
    if (grid->untimed) {
        e->untimed++;
        e->untimed_warp_instructions += grid->warp_instructions;
        e->untimed_thread_instructions += grid->thread_instructions;
        return;
    }
    if (timed(e) == 1)
        e->first = cycles;
    e->cycles += cycles;
    grid_counters_add(&e->counts, &grid->counters);
    if (beside) {
        e->beside++;
        e->beside_cycles += cycles;
    }
}

void kernel_figures_copy(struct kernel_figures_table *to, const struct kernel_figures_table *from)
{
    *to = (struct kernel_figures_table){.entries =
                                            ALLOC_ARRAY(struct kernel_figures_entry, from->count),
                                        .count = from->count,
                                        .capacity = from->count};
    for (uint32_t i = 0; i < from->count; i++) {
        to->entries[i] = from->entries[i];
        to->entries[i].name = alloc_string(from->entries[i].name);
    }
}

void kernel_figures_free(struct kernel_figures_table *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        free(table->entries[i].name);
    free(table->entries);
    *table = (struct kernel_figures_table){.entries = NULL};
}

/* Mean cycles of a timed launch after the first. */
static double later(const struct kernel_figures_entry *e)
{
    return timed(e) > 1 ? (double)(e->cycles - e->first) / (double)(timed(e) - 1)
                        : (double)e->first;
}

double kernel_figures_slowdown(const struct kernel_figures_table *beside,
                               const struct kernel_figures_table *alone)
{
    double with = 0, without = 0;
    for (uint32_t i = 0; i < beside->count; i++) {
        const struct kernel_figures_entry *e = &beside->entries[i], *a = find(alone, e->name);
        if (!a || !e->beside)
            continue;
        with += (double)e->beside_cycles;
        without += (double)a->first + (double)(e->beside - 1) * later(a);
    }
    return without > 0 ? with / without : 0;
}

void kernel_figures_print(const struct kernel_figures_table *table,
                          const struct kernel_figures_table *alone, FILE *to)
{
    for (uint32_t i = 0; i < table->count && i < SHOWN; i++) {
        const struct kernel_figures_entry *e = &table->entries[i];
        const struct kernel_figures_entry *a = alone ? find(alone, e->name) : NULL;
        char name[60];
        profile_short_name(e->name, name, sizeof name);
        fprintf(to, "  %-19s %llu launch%s", name, (unsigned long long)e->launches,
                e->launches == 1 ? "" : "es");
        if (e->untimed && timed(e))
            fprintf(to, ", %llu timed", (unsigned long long)timed(e));
        if (timed(e))
            fprintf(to, ", %.0f cycles each", (double)e->cycles / (double)timed(e));
        else
            fprintf(to, ", not timed");
        if (e->beside)
            fprintf(to, "; %llu beside services, %.0f each", (unsigned long long)e->beside,
                    (double)e->beside_cycles / (double)e->beside);
        if (a)
            fprintf(to, " (alone: %llu, then %.0f)", (unsigned long long)a->first, later(a));
        fprintf(to, "\n");
    }
    if (table->count > SHOWN)
        fprintf(to, "  and %u more kernels\n", table->count - SHOWN);
    double slowdown = alone ? kernel_figures_slowdown(table, alone) : 0;
    if (slowdown > 0)
        fprintf(to, "  slowdown            %.3f\n", slowdown);
}

static struct profile_kernel row(const struct kernel_figures_entry *e)
{
    return (struct profile_kernel){.name = e->name,
                                   .calls = timed(e),
                                   .cycles = e->cycles,
                                   .counts = &e->counts,
                                   .untimed = e->untimed};
}

struct profile_kernel *kernel_figures_rows(const struct kernel_figures_table *table)
{
    struct profile_kernel *rows =
        ALLOC_ARRAY(struct profile_kernel, table->count ? table->count : 1);
    for (uint32_t i = 0; i < table->count; i++)
        rows[i] = row(&table->entries[i]);
    return rows;
}

/* There is no time of launches that were not timed. */
static void put_untimed(const struct kernel_figures_entry *e, json_t *one)
{
    if (!e->untimed)
        return;
    json_object_set_new(one, "untimed_launches", json_integer((json_int_t)e->untimed));
    json_object_set_new(one, "untimed_warp_instructions",
                        json_integer((json_int_t)e->untimed_warp_instructions));
    json_object_set_new(one, "untimed_thread_instructions",
                        json_integer((json_int_t)e->untimed_thread_instructions));
    if (timed(e))
        return;
    json_object_set_new(one, "cycles", json_null());
    json_object_set_new(one, "first_cycles", json_null());
}

json_t *kernel_figures_json(const struct kernel_figures_table *table,
                            const struct kernel_figures_table *alone,
                            const struct machine_config *config)
{
    json_t *j = json_object();
    for (uint32_t i = 0; i < table->count; i++) {
        const struct kernel_figures_entry *e = &table->entries[i];
        const struct kernel_figures_entry *a = alone ? find(alone, e->name) : NULL;
        json_t *one = json_pack(
            "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "launches", (json_int_t)e->launches,
            "cycles", (json_int_t)e->cycles, "first_cycles", (json_int_t)e->first,
            "launches_beside_services", (json_int_t)e->beside, "cycles_beside_services",
            (json_int_t)e->beside_cycles, "block_threads", (json_int_t)e->block_threads,
            "registers", (json_int_t)e->registers, "shared_bytes", (json_int_t)e->shared_bytes);
        if (a) {
            json_object_set_new(one, "alone_first_cycles", json_integer((json_int_t)a->first));
            json_object_set_new(one, "alone_later_cycles", json_real(later(a)));
        }
        struct profile_kernel kernel = row(e);
        struct profile_figures figures = profile_figures(config, &kernel);
        if (timed(e))
            profile_json(&figures, &e->counts, one);
        put_untimed(e, one);
        json_object_set_new(j, e->name, one);
    }
    return j;
}
