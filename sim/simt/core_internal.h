/* A core from the inside: the rooms and their wires. A room calls those below it only
 * (tests/e2e/project/rooms.sh checks it):
 *
 *   core.c      a cycle, and the public functions of a core
 *   event/      what the sm_event_unit tile commands
 *   functional/ blocks of grids that are not timed
 *   pipeline/   fetch, issue, barriers, blocks
 *   lsu/        memory instructions
 *   check/      mistakes of programs
 *   warp/       the warp slots: state that all of them read
 *
 * Back up goes slots.drained alone. */
#ifndef EVGPU_SIMT_CORE_INTERNAL_H
#define EVGPU_SIMT_CORE_INTERNAL_H

#include "sim/simt/core.h"
#include "sim/simt/event/event.h"
#include "sim/simt/functional/functional.h"
#include "sim/simt/lsu/lsu.h"
#include "sim/simt/pipeline/pipeline.h"
#include "sim/simt/sample.h"
#include "sim/simt/warp/slots.h"

#define MAX_LATENCY 4096

/* Residence of warps, cycle by cycle. Owner: core.c. */
struct residence {
    uint64_t last; /* after the last core_tick, and how many that were */
    uint32_t last_warps;
    uint64_t cycles_active, warp_cycles;
};

static inline void residence_stats(const struct residence *r, struct core_stats *stats)
{
    stats->cycles_active = r->cycles_active;
    stats->warp_cycles = r->warp_cycles;
}

struct core {
    struct slots slots;
    struct lsu lsu;
    struct pipeline pipeline;
    struct event_unit event;
    struct functional functional;
    struct residence residence;
    struct sampler sampler;
    bool dozes; /* see core_doze */
};

/* A core dozes when warps are ready or an access is at the head of its queue, but nothing can
 * happen before core_next_event. It need not be ticked until then, and afterwards is as if it had
 * been in each cycle: this brings it there, up to and with cycle `last`. */
void core_doze(struct core *c, uint64_t last);

#endif
