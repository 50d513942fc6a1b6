/* The CPU cores of a machine at its memory system: cores with a program each, their clock, requests
 * and replies. A core without a program does nothing and costs nothing.
 *
 * Driven in core cycles of the machine: n of them hold floor(n * khz / core_khz) CPU cycles. A
 * request that leaves a core in some CPU cycle is handed to the core's port in the machine's cycle
 * that holds it, one per cycle; a reply is seen in the first CPU cycle of the machine's cycle in
 * which it is taken. Between its requests a core is on its own: it runs `ahead` of the machine,
 * which changes nothing but what its statistics say meanwhile. Requests carry an owner of their own
 * per core (traffic.h). */
#ifndef EVGPU_CPU_CPUS_H
#define EVGPU_CPU_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/cpu/cpu_core.h"
#include "sim/mem/memsys.h"

#define MAX_CPUS 64u

struct cpus_config {
    uint32_t count;         /* 1..MAX_CPUS */
    uint32_t khz, core_khz; /* of the CPU cores; of the machine's cycles */
    uint32_t ahead; /* CPU cycles that a core may be ahead of the machine while no reply can come */
    uint32_t first_owner; /* core i's traffic is that of owner first_owner + i */
    struct cpu_core_config core;
    struct memsys *memsys; /* has the endpoints ENDPOINT_CPU 0..count-1 */
    /* The cycle in which a core reached its mark is over (cpu_core_mark). May be NULL. */
    void (*marked)(void *user, uint32_t core);
    void *user;
};

struct cpus;

struct cpus *cpus_create(const struct cpus_config *config, struct error *err);
void cpus_destroy(struct cpus *p);

/* Gives a core its program, which belongs to the caller and stays open; its first CPU cycle is that
 * of machine cycle `cycle`. */
bool cpus_start(struct cpus *p, uint32_t core, struct cpu_trace *trace, uint64_t cycle,
                struct error *err);

/* From now on, the configuration's `ahead`. */
void cpus_run_ahead(struct cpus *p, uint32_t ahead);

/* NULL: without a program. */
struct cpu_core *cpus_core(struct cpus *p, uint32_t core);

/* The machine's cycle; to be called for each cycle >= cpus_next_event. False: a trace cannot be
 * read on, and its core has nothing more to do. */
bool cpus_tick(struct cpus *p, uint64_t cycle);

/* Statistics of all cores are as of the beginning of this cycle, which has not been ticked. */
void cpus_catch_up(struct cpus *p, uint64_t cycle);

/* UINT64_MAX: nothing will happen without a reply. */
uint64_t cpus_next_event(const struct cpus *p, uint64_t cycle);

#endif
