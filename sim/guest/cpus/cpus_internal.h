/* Shared by the files cpus*.c. */
#ifndef EVGPU_GUEST_CPUS_CPUS_INTERNAL_H
#define EVGPU_GUEST_CPUS_CPUS_INTERNAL_H

#include "sim/cpu/cpus.h"
#include "sim/guest/cpus/cpus.h"
#include "sim/system/guest.h"

/* The counters of a core at one moment. */
struct cpu_moment {
    struct cpu_core_stats core;
    struct traffic llc;
};

struct cpu_seat {
    struct cpu_trace *trace;    /* NULL: idle */
    struct cpu_moment from, to; /* of the measurement, when it has begun, and is over */
    bool over;
};

struct cpus_guest {
    struct machine *machine;
    struct cpus *cpus;
    struct measure_quotas quotas;
    uint32_t count;     /* cores of the machine */
    uint32_t used;      /* of them, the first ones, with a program */
    uint32_t remaining; /* of those, that have not done their warm-up, or what is measured */
    bool measuring;
    struct cpu_seat seat[MAX_CPUS];
};

/* cpus_programs.c: opens the traces. */
bool cpus_open(struct cpus_guest *p, const struct cpus_options *options, struct error *err);

/* cpus.c */
void cpus_moment(const struct cpus_guest *p, uint32_t core, struct cpu_moment *moment);

/* cpus_report.c */
void cpus_print(const void *self, FILE *to);
json_t *cpus_json(const void *self);

#endif
