/* A trace-driven out-of-order CPU core with private caches (CM-BAL, Table I).
 *
 * Each cycle, in this order: up to `width` instructions retire in order; one store leaves the store
 * buffer for the L1 data cache; up to `memory_width` memory instructions issue, whichever are
 * ready; up to `width` instructions enter the window in order. The window holds what has been
 * fetched and has not retired, `window` instructions at most.
 *
 *  issue     An instruction fetched in cycle f issues in f + 1 at the earliest, when the registers
 *            that it reads are there: only registers make it wait, the last writer's in program
 *            order. Others than memory instructions find a unit at once and are done alu_latency
 *            cycles later. The stack pointer is known early for an instruction that moves it (a
 *            stack engine); the instruction pointer is never waited for.
 *  load      Done l1_latency cycles after issue when it hits L1, l1_latency + l2_latency when it
 *            hits L2; otherwise the request leaves the core then, and the load is done when the
 *            reply arrives. All accesses of an instruction issue together.
 *  store     Done a cycle after its issue; retires into the store buffer without waiting for
 *            memory. One that misses fetches its line (write-allocate). Retirement waits while the
 *            store buffer is full.
 *  branch    Conditional ones are predicted by gshare, targets of indirect ones by a table of the
 *            last target; direct targets and returns are always right. Fetch stops behind a wrong
 *            one until it is done, and branch_penalty cycles more. Tables learn at fetch.
 *  fetch     A line that is not in the L1 instruction cache stops fetch until it is there; one that
 *            is costs nothing, and fetch goes on behind a taken branch in the same cycle.
 *  caches    Lines of 128 bytes, true LRU, write-back. A line from memory is allocated when its
 * data arrive; one from L2 when it is asked for, to be there after the latency. L2 neither includes
 * nor excludes L1. A dirty victim of L1 goes to L2, one of L2 to memory, as a write that keeps one
 * of l2_writebacks places until it is acknowledged. MSHRs     A line on its way to L1D keeps one of
 * l1_mshrs, one on its way to L2 one of l2_mshrs. A miss that finds none, or all places for
 * write-backs taken, waits at the cache and goes on in the cycle in which one becomes free, oldest
 * first; later hits pass it.
 *
 * Caches see virtual addresses: a core has one address space. A line that leaves the core is mapped
 * into the core's own range of addresses, see cpu_core_place.
 *
 * Event-driven: cycles in which nothing can happen are skipped. Times are cycles of the core's own
 * clock. Deterministic. */
#ifndef EVGPU_CPU_CPU_CORE_H
#define EVGPU_CPU_CPU_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/cpu/trace/trace.h"

#define CPU_NEVER UINT64_MAX

/* Numbers of registers that mean something in a trace (ChampSim's). */
enum { CPU_REG_STACK = 6, CPU_REG_FLAGS = 25, CPU_REG_IP = 26 };

struct cpu_core_config {
    uint32_t width;        /* instructions fetched, and retired, per cycle: 1..8 */
    uint32_t memory_width; /* memory instructions issued per cycle: 1..4 */
    uint32_t window;       /* instructions: 4..1024 */
    uint32_t alu_latency;  /* cycles: 1..16 */
    uint32_t store_buffer; /* stores: 2..256 */
    uint32_t branch_penalty;
    uint32_t predictor_bits; /* log2 of gshare's counters: 4..20 */
    uint32_t history_bits;   /* of gshare: 0..predictor_bits */
    uint32_t target_bits;    /* log2 of the entries for indirect targets: 2..16 */
    uint32_t l1i_bytes, l1i_ways, l1d_bytes, l1d_ways;
    uint32_t l1_latency; /* lookup: 1..100 */
    uint32_t l1_mshrs;   /* of the data cache: 1..1024 */
    uint32_t l2_bytes, l2_ways;
    uint32_t l2_latency;    /* lookup, after L1's: 1..1000 */
    uint32_t l2_mshrs;      /* 1..1024 */
    uint32_t l2_writebacks; /* lines on their way to memory: 1..1024 */
    uint32_t least; /* cycles from a request to its reply, at least; filled in by the owner */
};

struct cpu_cache_stats {
    uint64_t accesses, misses; /* lines looked up; not there and not on their way */
    uint64_t merged;           /* on their way already */
    uint64_t writebacks;       /* dirty victims */
};

struct cpu_core_stats {
    uint64_t instructions, cycles; /* retired; up to the last cycle run */
    uint64_t loads, stores;        /* accesses */
    uint64_t branches, mispredicted;
    struct cpu_cache_stats l1i, l1d, l2;
    uint64_t reads, writes; /* requests that left the core */
    uint64_t held;          /* times that an access found no MSHR or no place for a write-back */
    uint64_t read_cycles;   /* from leaving the core to the reply, summed over reads */
};

/* A line that the core wants of memory. The reply brings `tag` back. */
struct cpu_request {
    uint64_t line; /* virtual, multiple of 128 */
    uint32_t tag;
    bool write; /* the whole line */
};

struct cpu_core;

/* `read` hands out the next instructions as cpu_trace_read does: fewer than asked for ends the
 * program. */
struct cpu_core *cpu_core_create(const struct cpu_core_config *config,
                                 uint32_t (*read)(void *user, struct cpu_instruction *out,
                                                  uint32_t n),
                                 void *user, struct error *err);
void cpu_core_destroy(struct cpu_core *c);

/* False with `err` that names the value. */
bool cpu_core_check(const struct cpu_core_config *config, struct error *err);

/* Runs all cycles before `until`, and goes on up to `ahead` as long as no reply can come: a reply
 * comes `least` cycles after its request has left the core, or later. False: only up to and with
 * the cycle in which the mark was reached, so that its owner can look; to be called again. */
bool cpu_core_run(struct cpu_core *c, uint64_t until, uint64_t ahead);

/* The first cycle in which something will happen that has not been run, or in which a request
 * leaves, unless a reply comes before; CPU_NEVER: nothing will. */
uint64_t cpu_core_next(const struct cpu_core *c);

/* The oldest request that leaves before cycle `until`, and its acceptance. */
bool cpu_core_request(const struct cpu_core *c, uint64_t until, struct cpu_request *request);
void cpu_core_sent(struct cpu_core *c, uint64_t cycle);

/* A reply, seen in `cycle`; all cycles before it have been run. */
void cpu_core_reply(struct cpu_core *c, uint32_t tag, uint64_t cycle);

/* Requests on their way: sent and not answered, or waiting to be sent. */
uint32_t cpu_core_outstanding(const struct cpu_core *c);

/* The mark is reached in the cycle that retires instruction number `instructions` (from 1, counted
 * since the start; what has retired already counts as well). */
void cpu_core_mark(struct cpu_core *c, uint64_t instructions);
/* Cycles up to and with that one; CPU_NEVER: not reached. */
uint64_t cpu_core_marked(const struct cpu_core *c);

/* The trace has ended and everything has retired. */
bool cpu_core_ended(const struct cpu_core *c);

void cpu_core_stats(const struct cpu_core *c, struct cpu_core_stats *stats);

/* One line about what it waits for. */
void cpu_core_describe(const struct cpu_core *c, char *text, uint32_t room);

/* Where a line of a core's lies in memory: pages of 4 KiB, hashed one to one within a range of 2^52
 * bytes of the core's own, above all device memory. Bits 52 and up of an address do not count. */
uint64_t cpu_core_place(uint32_t core, uint64_t line);

#endif
