#include "sim/guest/program/figures.h"

#include <stdlib.h>

#include "sim/guest/program/internal.h"

void figures_init(struct program *p, const struct kernel_figures_table *alone)
{
    if (alone)
        kernel_figures_copy(&p->figures.alone, alone);
}

void figures_free(struct program *p)
{
    kernel_figures_free(&p->figures.kernels);
    kernel_figures_free(&p->figures.alone);
}

/* --- counting --------------------------------------------------------------------------------- */

void figures_call(struct program *p)
{
    p->figures.calls++;
}

void figures_launch(struct program *p)
{
    p->figures.launches++;
}

void figures_copy(struct program *p, enum profile_copy kind, uint64_t bytes)
{
    p->figures.copies++;
    p->figures.bytes[kind] += bytes;
}

void figures_set(struct program *p)
{
    p->figures.sets++;
}

void figures_copy_over(struct program *p, enum profile_copy kind, uint64_t bytes, uint64_t cycles)
{
    struct profile_copies *k = &p->figures.by_kind[kind];
    k->calls++;
    k->bytes += bytes;
    k->cycles += cycles;
}

void figures_kernel_over(struct program *p, const struct grid *grid)
{
    p->figures.kernel_cycles += grid->untimed ? 0 : grid->end_cycle - grid->start_cycle;
    *(grid->untimed ? &p->figures.untimed : &p->figures.timed) += 1;
    kernel_figures_add(&p->figures.kernels, grid, machine_services_at_work(p->machine));
}

void figures_served(struct program *p, uint64_t cycle)
{
    p->figures.last_cycle = cycle;
}

uint64_t figures_calls(const struct program *p)
{
    return p->figures.calls;
}

uint64_t figures_launches(const struct program *p)
{
    return p->figures.launches;
}

/* --- showing ---------------------------------------------------------------------------------- */

static const struct kernel_figures_table *alone(const struct program_figures *f)
{
    return f->alone.count ? &f->alone : NULL;
}

static void print_kernels(const struct program_figures *f, double khz, FILE *to)
{
    fprintf(to, "  kernels             ");
    if (f->timed || !f->untimed)
        fprintf(to, "%.3f ms", (double)f->kernel_cycles / khz);
    if (f->untimed && f->timed)
        fprintf(to, " in %llu launches; ", (unsigned long long)f->timed);
    if (f->untimed)
        fprintf(to, "%llu launches not timed", (unsigned long long)f->untimed);
    fprintf(to, "\n");
}

void figures_print(const struct program *p, FILE *to)
{
    const struct program_figures *f = &p->figures;
    double khz = machine_config(p->machine)->core_khz;
    fprintf(to, "\nProgram               %s: %llu calls, %llu launches, %.3f ms\n", p->name,
            (unsigned long long)f->calls, (unsigned long long)f->launches,
            (double)f->last_cycle / khz);
    fprintf(to, "  copies              %llu; %.3f MB in, %.3f MB out, %.3f MB on the device\n",
            (unsigned long long)f->copies, (double)f->bytes[COPY_IN] / 1e6,
            (double)f->bytes[COPY_OUT] / 1e6, (double)f->bytes[COPY_DEVICE] / 1e6);
    print_kernels(f, khz, to);
    kernel_figures_print(&f->kernels, alone(f), to);
}

static void put(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

json_t *figures_json(const struct program *p)
{
    const struct program_figures *f = &p->figures;
    json_t *j = json_object();
    json_object_set_new(j, "status", json_integer(process_status(p)));
    put(j, "calls", f->calls);
    put(j, "launches", f->launches);
    put(j, "copies", f->copies);
    put(j, "bytes_in", f->bytes[COPY_IN]);
    put(j, "bytes_out", f->bytes[COPY_OUT]);
    put(j, "bytes_on_device", f->bytes[COPY_DEVICE]);
    if (f->timed || !f->untimed)
        put(j, "kernel_cycles", f->kernel_cycles);
    else
        json_object_set_new(j, "kernel_cycles", json_null());
    if (f->untimed)
        put(j, "untimed_launches", f->untimed);
    put(j, "last_cycle", f->last_cycle);
    put(j, "peak_bytes", memory_peak(p));
    put(j, "leaked_bytes", memory_leaked(p));
    json_object_set_new(j, "kernels",
                        kernel_figures_json(&f->kernels, alone(f), machine_config(p->machine)));
    json_object_set_new(j, "copies_by_kind", profile_copies_json(f->by_kind));
    return j;
}

const struct kernel_figures_table *program_kernels(const struct guest *g)
{
    const struct program *p = guest_self(g);
    return &p->figures.kernels;
}

void program_print_profile(const struct guest *g, FILE *to)
{
    const struct program *p = guest_self(g);
    const struct program_figures *f = &p->figures;
    uint32_t n = f->kernels.count;
    struct profile_kernel *kernels =
        profile_with_events(kernel_figures_rows(&f->kernels), &n, p->guest);
    struct profile profile = {.config = machine_config(p->machine),
                              .name = process_title(p),
                              .cycles = f->last_cycle,
                              .kernels = kernels,
                              .n_kernels = n,
                              .copies = f->by_kind};
    if (f->launches + f->copies + f->sets)
        profile_print(&profile, to);
    free(kernels);
}
