#include "sim/guest/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/system/machine.h"

#define ROWS       20 /* kernels in the table; the statistics file has all */
#define NAME_WIDTH 24

static double rate(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : -1;
}

/* --- figures of one kernel -------------------------------------------------------------------- */

static double dram_use(const struct machine_config *config, const struct profile_kernel *k)
{
    const struct traffic *t = &k->counts->memory;
    double per_dram_cycle = (double)config->mem.partitions * config->mem.dram.column_bytes /
                            (double)config->mem.dram.burst;
    double cycles = (double)k->cycles * config->mem.dram_khz / config->core_khz;
    return k->cycles ? (double)(t->dram_read + t->dram_written) / (per_dram_cycle * cycles) : -1;
}

/* Schedulers of cores without any of its warps, and those that have none of them. */
static double without_warps(const struct machine_config *config, const struct profile_kernel *k)
{
    const struct core_counters *c = &k->counts->core;
    if (!k->cycles || k->event)
        return -1;
    double empty = c->schedulers ? rate(c->schedulers_empty, c->schedulers) : 0;
    double with = (double)c->core_cycles * (1 - empty) / ((double)k->cycles * config->cores);
    return with < 1 ? 1 - with : 0;
}

struct profile_figures profile_figures(const struct machine_config *config,
                                       const struct profile_kernel *kernel)
{
    const struct core_counters *c = &kernel->counts->core;
    const struct traffic *t = &kernel->counts->memory;
    struct profile_figures f = {.occupancy =
                                    rate(c->warp_cycles, c->core_cycles * config->core.warps),
                                .ipc = rate(c->warp_instructions, c->core_cycles),
                                .l1 = rate(c->l1_hits, c->l1_hits + c->l1_misses),
                                .l2 = rate(t->l2_hits, t->l2_hits + t->l2_misses),
                                .dram = dram_use(config, kernel),
                                .no_warps = without_warps(config, kernel),
                                .main = WARP_ISSUED};
    uint64_t sum = 0, most = 0;
    for (uint32_t s = 0; s < WARP_STATES; s++)
        sum += c->state[s];
    for (uint32_t s = 0; s < WARP_STATES; s++) {
        f.state[s] = rate(c->state[s], sum);
        if (s != WARP_ISSUED && c->state[s] > most) {
            most = c->state[s];
            f.main = (enum warp_state)s;
        }
    }
    return f;
}

const char *profile_state_name(enum warp_state state)
{
    static const char *const names[WARP_STATES] = {
        [WARP_ISSUED] = "issuing",        [WARP_NOT_SELECTED] = "issue slots",
        [WARP_UNIT] = "exec unit",        [WARP_LOAD_STORE] = "load-store",
        [WARP_DEPENDENCE] = "dependence", [WARP_MEMORY] = "memory",
        [WARP_SHARED] = "shared memory",  [WARP_BANKS] = "bank conflicts",
        [WARP_CONSTANT] = "constants",    [WARP_BARRIER] = "barrier",
        [WARP_FENCE] = "fence",           [WARP_FETCH] = "instructions",
        [WARP_SLEEP] = "sleep",           [WARP_LIMIT] = "warp limit",
        [WARP_EVENT] = "events",          [WARP_ENDING] = "last stores"};
    return names[state];
}

void profile_main_stall(const struct profile_figures *f, char *text, size_t room)
{
    const char *name = profile_state_name(f->main);
    if (f->main == WARP_ISSUED)
        snprintf(text, room, "-");
    else if (f->no_warps > 0.5)
        snprintf(text, room, "no warps %.0f%% (%s)", 100 * f->no_warps, name);
    else
        snprintf(text, room, "%s %.0f%%", name, 100 * f->state[f->main]);
}

/* The C++ library's, which every program here is linked with. */
char *__cxa_demangle(const char *name, char *buffer, size_t *room, int *status);

/* Where the parameters of a demangled function begin: "(anonymous namespace)" is none. */
static size_t name_bytes(const char *demangled)
{
    static const char anonymous[] = "(anonymous namespace)";
    uint32_t depth = 0;
    size_t i = 0;
    while (demangled[i] && (demangled[i] != '(' || depth ||
                            !strncmp(demangled + i, anonymous, sizeof anonymous - 1))) {
        depth += demangled[i] == '<';
        depth -= demangled[i] == '>' && depth;
        i++;
    }
    return i;
}

void profile_short_name(const char *name, char *text, size_t room)
{
    int status = 0;
    char *demangled =
        strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    const char *from = demangled;
    if (!demangled) {
        snprintf(text, room, "%s", name);
        return;
    }
    if (strncmp(from, "void ", 5) == 0) /* what a template returns is part of its name */
        from += 5;
    snprintf(text, room, "%.*s", (int)name_bytes(from), from);
    free(demangled);
}

/* --- the table -------------------------------------------------------------------------------- */

static const char *const copy_names[COPY_KINDS] = {"copies to device", "copies to host",
                                                   "copies on device", "sets"};

static void print_rate(FILE *to, double value)
{
    if (value < 0)
        fprintf(to, "    -");
    else
        fprintf(to, "%4.0f%%", 100 * value);
}

static void print_share(FILE *to, uint64_t part, uint64_t whole)
{
    fprintf(to, " ");
    print_rate(to, rate(part, whole));
}

/* Both ends stay: instances of a template often differ at the last one. */
static void shorten(char *name)
{
    size_t length = strlen(name), half = NAME_WIDTH / 2 - 2;
    if (length < NAME_WIDTH)
        return;
    memmove(name + half + 2, name + length - half, half + 1);
    memcpy(name + half, "..", 2);
}

static void print_kernel(const struct profile *p, const struct profile_kernel *k, FILE *to)
{
    struct profile_figures f = profile_figures(p->config, k);
    char name[200], stall[64];
    profile_short_name(k->name, name, k->event ? sizeof name - 20 : sizeof name);
    if (k->event)
        strcat(name, " (events)");
    profile_main_stall(&f, stall, sizeof stall);
    shorten(name);
    if (k->untimed)
        fprintf(to, "%-*s%6llu%10s  calls were not timed\n", NAME_WIDTH, name,
                (unsigned long long)k->untimed, "-");
    if (!k->calls)
        return;
    fprintf(to, "%-*s%6llu%10.1f", NAME_WIDTH, name, (unsigned long long)k->calls,
            (double)k->cycles * 1000 / p->config->core_khz);
    print_share(to, k->cycles, p->cycles);
    print_rate(to, f.occupancy);
    if (f.ipc < 0)
        fprintf(to, "    -");
    else
        fprintf(to, "%5.2f", f.ipc);
    print_rate(to, f.l1);
    print_rate(to, f.l2);
    print_rate(to, f.dram);
    fprintf(to, "  %s\n", stall);
}

static void print_copies(const struct profile *p, uint32_t kind, FILE *to)
{
    const struct profile_copies *c = &p->copies[kind];
    if (!c->calls)
        return;
    double us = (double)c->cycles * 1000 / p->config->core_khz;
    fprintf(to, "%-*s%6llu%10.1f", NAME_WIDTH, copy_names[kind], (unsigned long long)c->calls, us);
    print_share(to, c->cycles, p->cycles);
    fprintf(to, "  %.3f MB, %.2f GB/s\n", (double)c->bytes / 1e6,
            us > 0 ? (double)c->bytes / us / 1e3 : 0);
}

static int by_time(const void *a, const void *b)
{
    const struct profile_kernel *const *x = a, *const *y = b;
    if ((*x)->cycles != (*y)->cycles)
        return (*x)->cycles < (*y)->cycles ? 1 : -1;
    return *x < *y ? -1 : 1;
}

static void print_rest(const struct profile *p, const struct profile_kernel *const *sorted,
                       FILE *to)
{
    uint64_t calls = 0, cycles = 0;
    for (uint32_t i = ROWS; i < p->n_kernels; i++) {
        calls += sorted[i]->calls;
        cycles += sorted[i]->cycles;
    }
    if (!calls)
        return;
    char name[NAME_WIDTH + 1];
    snprintf(name, sizeof name, "%u more kernels", p->n_kernels - ROWS);
    fprintf(to, "%-*s%6llu%10.1f", NAME_WIDTH, name, (unsigned long long)calls,
            (double)cycles * 1000 / p->config->core_khz);
    print_share(to, cycles, p->cycles);
    fprintf(to, "\n");
}

void profile_print(const struct profile *p, FILE *to)
{
    const struct profile_kernel **sorted =
        alloc_array(p->n_kernels ? p->n_kernels : 1, sizeof *sorted);
    for (uint32_t i = 0; i < p->n_kernels; i++)
        sorted[i] = &p->kernels[i];
    qsort(sorted, p->n_kernels, sizeof *sorted, by_time);
    fprintf(to, "\nWhere the time went: %s, %.4f ms simulated on %s\n", p->name,
            (double)p->cycles / p->config->core_khz, p->config->name);
    fprintf(to, "%-*s%6s%10s%6s%5s%5s%5s%5s%5s  %s\n", NAME_WIDTH, "", "calls", "us", "share",
            "occ", "IPC", "L1", "L2", "DRAM", "main stall");
    for (uint32_t i = 0; i < p->n_kernels && i < ROWS; i++)
        print_kernel(p, sorted[i], to);
    print_rest(p, sorted, to);
    for (uint32_t k = 0; p->copies && k < COPY_KINDS; k++)
        print_copies(p, k, to);
    free(sorted);
}

/* --- event kernels ---------------------------------------------------------------------------- */

static struct profile_kernel event_row(const struct guest_event_kernel *e)
{
    return (struct profile_kernel){.name = e->name,
                                   .calls = e->calls,
                                   .cycles = e->cycles,
                                   .counts = &e->counts,
                                   .event = true};
}

struct profile_kernel *profile_with_events(struct profile_kernel *rows, uint32_t *n,
                                           struct guest *g)
{
    const struct guest_event_kernel *events = NULL;
    uint32_t count = guest_event_kernels(g, &events);
    rows = alloc_resize(rows, *n + count + 1, sizeof *rows);
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].calls)
            rows[(*n)++] = event_row(&events[i]);
    }
    return rows;
}

void profile_print_events(struct guest *g, FILE *to)
{
    const struct machine *m = guest_machine(g);
    uint32_t n = 0;
    struct profile_kernel *rows = profile_with_events(NULL, &n, g);
    struct profile profile = {.config = machine_config(m),
                              .name = guest_name(g),
                              .cycles = machine_cycle(m),
                              .kernels = rows,
                              .n_kernels = n};
    if (n)
        profile_print(&profile, to);
    free(rows);
}

/* --- the statistics file ---------------------------------------------------------------------- */

static void put(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void put_rate(json_t *object, const char *key, double value)
{
    if (value >= 0)
        json_object_set_new(object, key, json_real(value));
}

const char *profile_state_key(enum warp_state state)
{
    static const char *const keys[WARP_STATES] = {
        [WARP_ISSUED] = "issued",         [WARP_NOT_SELECTED] = "not_selected",
        [WARP_UNIT] = "execution_unit",   [WARP_LOAD_STORE] = "load_store_unit",
        [WARP_DEPENDENCE] = "dependence", [WARP_MEMORY] = "memory",
        [WARP_SHARED] = "shared_memory",  [WARP_BANKS] = "bank_conflicts",
        [WARP_CONSTANT] = "constants",    [WARP_BARRIER] = "barrier",
        [WARP_FENCE] = "fence",           [WARP_FETCH] = "instruction_fetch",
        [WARP_SLEEP] = "sleep",           [WARP_LIMIT] = "warp_limit",
        [WARP_EVENT] = "event",           [WARP_ENDING] = "ending"};
    return keys[state];
}

void profile_json(const struct profile_figures *f, const struct grid_counters *counts,
                  json_t *kernel)
{
    const struct core_counters *c = &counts->core;
    const struct traffic *t = &counts->memory;
    put(kernel, "warp_instructions", c->warp_instructions);
    put(kernel, "thread_instructions", c->thread_instructions);
    put(kernel, "core_cycles", c->core_cycles);
    put(kernel, "resident_warp_cycles", c->warp_cycles);
    put(kernel, "l1_hits", c->l1_hits);
    put(kernel, "l1_misses", c->l1_misses);
    put(kernel, "l2_hits", t->l2_hits);
    put(kernel, "l2_misses", t->l2_misses);
    put(kernel, "dram_read_bytes", t->dram_read);
    put(kernel, "dram_written_bytes", t->dram_written);
    put(kernel, "shared_conflict_cycles", c->shared_conflicts);
    put_rate(kernel, "occupancy", f->occupancy);
    put_rate(kernel, "ipc", f->ipc);
    put_rate(kernel, "l1_hit_rate", f->l1);
    put_rate(kernel, "l2_hit_rate", f->l2);
    put_rate(kernel, "dram_use", f->dram);
    put_rate(kernel, "no_warps", f->no_warps);
    json_t *states = json_object();
    for (uint32_t s = 0; s < WARP_STATES; s++)
        put_rate(states, profile_state_key(s), f->state[s]);
    json_object_set_new(kernel, "warp_states", states);
    json_object_set_new(kernel, "main_stall",
                        json_string(f->no_warps > 0.5 ? "no_warps" : profile_state_key(f->main)));
}

json_t *profile_events_json(const struct machine_config *config, struct guest *g)
{
    const struct guest_event_kernel *events = NULL;
    uint32_t count = guest_event_kernels(g, &events);
    json_t *j = json_object();
    for (uint32_t i = 0; i < count; i++) {
        struct profile_kernel kernel = event_row(&events[i]);
        struct profile_figures figures = profile_figures(config, &kernel);
        json_t *one = json_object();
        put(one, "events", events[i].calls);
        put(one, "cycles", events[i].cycles);
        profile_json(&figures, &events[i].counts, one);
        json_object_set_new(j, events[i].name, one);
    }
    return j;
}

json_t *profile_copies_json(const struct profile_copies *copies)
{
    static const char *const keys[COPY_KINDS] = {"to_device", "to_host", "on_device", "sets"};
    json_t *j = json_object();
    for (uint32_t k = 0; k < COPY_KINDS; k++)
        json_object_set_new(j, keys[k],
                            json_pack("{s:I, s:I, s:I}", "calls", (json_int_t)copies[k].calls,
                                      "bytes", (json_int_t)copies[k].bytes, "cycles",
                                      (json_int_t)copies[k].cycles));
    return j;
}
