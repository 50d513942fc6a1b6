/* A SIMT core for the testbench of sm_event_unit: warps that run random instructions, obey the
 * tile's commands, and check them. It knows nothing of the tile's insides; it holds the tile to the
 * contracts in rtl/evgpu.def and rtl/edge:
 *  - every event accepted is pushed once, in order, with its data, and completed once after its
 * exit
 *  - a push finds the victim flushed, with enough registers, running no event; never two events on
 * a warp
 *  - registers: free context, else spare registers, else saved before and restored after; a victim
 *    has enough unless they were free when the scan began, and are at the push
 *  - a victim is let go at the last edge of its time, not before, and taken again for the same
 * event only when no other is left
 *  - every victim is given back exactly once, or let go; release_barrier exactly if its barrier is
 * open
 *  - no load is dropped that may not be repeated: a warp executes every instruction exactly once
 *  - the victim is the one that the policy names, among the answers that this core gave
 *  - occupancy, victims and ev_ready fit the events in the unit; nothing waits for ever
 * Instructions, latencies and answers are random from a seed, answers in patterns that change.
 * Inputs that mean nothing are noise.
 */
#ifndef EVGPU_TESTS_TB_FAKE_CORE_H
#define EVGPU_TESTS_TB_FAKE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sm_event_unit.h"

struct fake_core_config {
    uint8_t policy; /* victim_policy */
    uint8_t opts;   /* OPT_... */
    bool preempt;
    bool spare;          /* cfg_spare */
    uint16_t limit;      /* cfg_flush_limit */
    uint8_t groups;      /* of 8 warps, 1..8 */
    uint16_t registers;  /* in units, shared by all warps; 0..1023 */
    uint8_t warp_regs;   /* most registers of a background warp, 1..127 */
    uint8_t event_regs;  /* most registers of an event, 1..127 */
    uint8_t event_rate;  /* an event is offered in 1 of so many cycles */
    uint8_t launch_rate; /* a free context gets a background warp in 1 of so many cycles */
    uint8_t miss_rate;   /* 1 of so many loads takes long */
};

/* What has happened so far: a test demands that each did. */
enum fake_core_count {
    FAKE_EVENTS,
    FAKE_FRESH,      /* pushed to a free context */
    FAKE_SPARE,      /* to a victim, with registers of its own */
    FAKE_SAVED,      /* to a victim whose registers were saved */
    FAKE_SMALL,      /* to a victim with fewer registers than the event */
    FAKE_READY,      /* victims that could be flushed at once ... */
    FAKE_READY_DROP, /* ... by dropping loads */
    FAKE_CLAIM_LOST, /* a victim let go because the claimed registers were gone */
    FAKE_FAIL_FRESH, /* pushes refused */
    FAKE_FAIL_SPARE,
    FAKE_FAIL_SAVED,
    FAKE_EXIT_IN_FLUSH,    /* the victim exited while on hold */
    FAKE_RESUMED,          /* a victim was let go */
    FAKE_TIMED_OUT,        /* ... because it took too long to flush */
    FAKE_LAST_EDGE,        /* a victim was flushed at the last edge that it had */
    FAKE_ALL_TRIED,        /* no warp was left, and all may be tried again */
    FAKE_FLUSHED,          /* i-buffers emptied */
    FAKE_DROPPED,          /* loads dropped */
    FAKE_STALE,            /* a dropped load returned to a borrowed warp */
    FAKE_YOUNGER,          /* a victim had loads that must not be dropped */
    FAKE_ATOMIC,           /* a victim had an atomic outstanding ... */
    FAKE_ATOMIC_LOADS,     /* ... and loads younger than that */
    FAKE_BARRIER_BORROWED, /* a victim was borrowed from a barrier ... */
    FAKE_BARRIER_DONE,     /* ... that completed meanwhile */
    FAKE_BARRIER_REJOIN,   /* ... to which it returned */
    FAKE_FOUR_RUNNING,     /* four events at a time */
    FAKE_LONG,             /* events longer than 1000 cycles */
    FAKE_DRAIN,            /* cycles of want_drain */
    FAKE_SILENT,           /* groups of warps that were not answered for, or another one was */
    FAKE_AT_ONCE,          /* events that exited with their push_ok */
    FAKE_PUT_BACK,         /* events that were put back, for another one to be tried */
    FAKE_LIGHTER,          /* events that ran before one whose turn it was */
    FAKE_RESETS,
    FAKE_COUNTS
};

struct fake_core;

struct fake_core *fake_core_create(uint64_t seed);
void fake_core_destroy(struct fake_core *core);

/* New warps and settings. Only when no event is in the unit. */
void fake_core_configure(struct fake_core *core, const struct fake_core_config *config);

/* The tile is reset: its events are gone, other warps run. */
void fake_core_reset(struct fake_core *core);

/* One cycle: obeys and checks the outputs of the last edge, runs the warps, and fills the inputs of
 * the next edge. `offer`: new events may come. False with `err` when the tile breaks its contract.
 */
bool fake_core_step(struct fake_core *core, const struct sm_event_unit_out *out, bool offer,
                    struct sm_event_unit_in *in, struct error *err);

/* Events in the unit. */
uint32_t fake_core_pending(const struct fake_core *core);
uint64_t fake_core_count(const struct fake_core *core, enum fake_core_count what);
const char *fake_core_count_name(enum fake_core_count what);

#endif
