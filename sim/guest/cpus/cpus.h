/* CPU cores with programs, each an instruction trace: `evgpu run --cpus WHAT`. They take part in a
 * measured run as sim/system/measure.h says. */
#ifndef EVGPU_GUEST_CPUS_CPUS_H
#define EVGPU_GUEST_CPUS_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/system/machine.h"
#include "sim/system/measure.h"

struct cpus_options {
    /* A mix by its name, or programs with commas between them: applications or trace files
     * (sim/cpu/trace/trace.h), each with "*N" behind it for N cores. Core 0 has the first one;
     * cores that are left are idle. */
    const char *programs;
    uint64_t seed;
    struct measure_quotas quotas;
};

/* False with `err`: a machine without CPU cores, more programs than cores, an unknown or unreadable
 * trace. */
bool cpus_create_guest(struct machine *m, const struct cpus_options *options, struct error *err);

/* Instructions that its cores have executed; 0 when it is another guest. */
uint64_t cpus_executed(const struct guest *g);

#endif
