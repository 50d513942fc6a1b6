/* One SIMT core: fetch, i-buffers, two greedy-then-oldest schedulers, scoreboard, SIMT stack,
 * pipelines, coalescing, shared memory, L1 and constant cache, barriers; and the core's side of the
 * sm_event_unit tile (EDGE section IV, Figures 9 and 10).
 *
 * Functional execution happens at issue; stores to device memory at the end of that cycle; atomics,
 * volatile loads and every access to the synchronised region are performed when the memory system
 * says so (core_perform). Timing of everything comes from core_config. */
#ifndef EVGPU_SIMT_CORE_H
#define EVGPU_SIMT_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/request.h"
#include "sim/simt/core_config.h"
#include "sim/simt/core_env.h"
#include "sim/simt/core_untimed.h"

struct sm_event_unit_in;
struct sm_event_unit_out;

struct core;

struct core *core_create(const struct core_config *config, const struct core_env *env,
                         struct error *err);
void core_destroy(struct core *core);

/* May a block of this grid start now (registers, shared memory, warps, threads, block slots)? */
bool core_accepts(const struct core *core, const struct grid *grid);

/* Blocks of this grid that fit on an empty core; 0 with `err` naming what is too large. `limiter`
 * (may be NULL) receives "registers", "shared memory", "warps", "threads" or "blocks". */
uint32_t core_occupancy(const struct core_config *config, const struct kernel *kernel,
                        const uint32_t block[3], uint32_t dynamic_shared, const char **limiter,
                        struct error *err);

/* Device bytes that local memory of a grid needs: threads resident on one core x local_bytes x
 * cores; lines hold one 4-byte word of 32 lanes, so that a warp's accesses coalesce. */
uint64_t core_local_bytes(const struct core_config *config, const struct kernel *kernel,
                          uint32_t n_cores);

/* Starts block number `block` (x fastest). Only after core_accepts. */
void core_launch_block(struct core *core, struct grid *grid, uint64_t block);

/* Executes blocks of untimed grids, without time: at most `budget` warp instructions, from which
 * what it has executed is taken. Returns early when a block is over or nothing goes on. block_done
 * may be called. The core needs its core_tick of the cycle afterwards. Not within core_tick. */
enum untimed_end core_run_untimed(struct core *core, uint64_t *budget);

/* The kernel's instructions come to the core's instruction cache and to L2, without time. */
void core_warm_code(struct core *core, const struct kernel *kernel);

/* May blocks of the kernel run apart (core_untimed.h)? Not if they can wait for each other, or ask
 * the machine for anything. */
bool core_runs_apart(const struct kernel *kernel);

/* The same as core_run_untimed for blocks apart, the core's own first, then those of its share.
 * Changes nothing but the core and the share, and without `keeps` the memory that it stores to:
 * everything else waits for core_meet_apart, which is due when all cores have had their slice, and
 * then core_take_turn: the accesses in turn. How many; the core needs its core_tick afterwards. */
enum untimed_end core_run_apart(struct core *core, struct apart_share *share);
void core_meet_apart(struct core *core);
uint32_t core_take_turn(struct core *core);

/* Warp instructions without time since it was last asked, of the kernel that had the last ones;
 * NULL: none. */
const struct kernel *core_take_count(struct core *core, uint64_t *instructions);

/* One core cycle: takes at most one reply from memsys, executes, sends requests. False on an error
 * of the program (trap, address outside allocated memory or shared memory), with `err` naming
 * kernel, PTX line, block, thread and address. It is core_run with all steps of the meeting. */
bool core_tick(struct core *core, uint64_t cycle, struct error *err);

/* The same for several cores at once. core_run changes nothing but the core, and reads nothing that
 * another one's core_run changes: what leaves the core waits for the meeting. It returns the steps
 * of the meeting that the core needs. They take place when all cores have had the cycle, step after
 * step, and in each of them in the order of the cores' numbers:
 *
 * CORE_PORT    its request and the reply that it took: core_meet_port
 * CORE_STORES  its stores to device memory take effect: core_meet_stores
 * CORE_MAIL    everything else, the callbacks of its environment: core_meet_mail, which may find
 *              a fault; then the core is to be run in the next cycle
 * CORE_FAULT   what core_tick would have failed with: core_fault_text */
enum { CORE_PORT = 1, CORE_STORES = 2, CORE_MAIL = 4, CORE_FAULT = 8 };

uint32_t core_run(struct core *core, uint64_t cycle);
/* A core may also run cycles before the others have had those in front of them, within the cycles
 * for which its box has been filled (memsys_fill_boxes). After core_run has left nothing for the
 * meeting but CORE_PORT, whose cycles the box tells apart, or before it runs at all: the cycle in
 * which it next has something to do, if not before `next` (core_next_event) on its own; UINT64_MAX:
 * it has to wait for the others, since that may depend on them. What it has stored meanwhile, and
 * what it reads, it would find as at the beginning: so it waits with a store, too. */
uint64_t core_next_alone(const struct core *core, uint64_t next);
/* This thread is about to run the core: what every cycle touches comes to the host's cache. */
void core_expect(const struct core *core);
uint64_t core_meet_port(struct core *core); /* memsys_box_empty */
void core_meet_stores(struct core *core);
void core_meet_mail(struct core *core);
const char *core_fault_text(const struct core *core); /* NULL: there is none */

const struct core_fault *core_fault(const struct core *core); /* after core_tick has failed */

/* After core_tick has failed: the faults of kernels in that cycle, `text` says what core_tick does
 * of the first; NULL: there are no more, or the tile is at fault. Each has stopped its warp for
 * good. core_faults_over: the core may be ticked again; whoever calls it ends the owners of the
 * kernels.
 */
const struct core_fault *core_fault_at(const struct core *core, uint32_t index, const char **text);
void core_faults_over(struct core *core);

/* Ends what runs for an owner's kernels (kernel->owner), blocks and events, from now on: their
 * warps issue nothing any more, their barriers open, and each warp exits as soon as its slot is its
 * own: a victim when it has been given back, one on hold when it is let go or has been borrowed and
 * given back. Work in flight completes first, so blocks and events are reported as usual.
 * Not within core_tick of this core. */
void core_end_owner(struct core *core, uint32_t owner);

/* Ends one event of one warp, or one grid, in the same way; others of its owner go on. The event is
 * the one of the row with this submission queue entry. False: it does not run here, or the tile has
 * been told of its end. `begun`: true unless it was being ended already. */
bool core_abort_event(struct core *core, uint32_t row, uint64_t entry, bool *begun);
void core_end_grid(struct core *core, const struct grid *grid);
/* The access of a request to the synchronised region is of a warp that is being ended by these. */
bool core_access_aborted(const struct core *core, const struct mem_request *request);

/* First cycle at which core_tick can do anything without a reply, a new block or a tile command
 * arriving, core_perform, or room in the request network, before; UINT64_MAX when only those can
 * wake it. */
uint64_t core_next_event(struct core *core);

/* After core_next_event: the core asks for room in the request network in each cycle until it is
 * ticked again (memsys_wait). */
bool core_waits_for_room(const struct core *core);

bool core_empty(const struct core *core); /* no resident warp, event warps included */
uint32_t core_resident_warps(const struct core *core);
void core_set_warp_limit(struct core *core, uint32_t limit);

/* The issue slots of the warp schedulers in the last core_tick, for concurrency management
 * (sim/gpu/ concurrency.h says what each means). */
struct core_signals {
    uint8_t ready, full; /* bit per scheduler */
    bool active;         /* some warp is resident */
    bool memory;         /* nothing is ready, and each warp that could run waits for memory */
};

/* From here on they are recorded; `memory` only if asked for. */
void core_watch_signals(struct core *core, bool memory);
struct core_signals core_signals(const struct core *core);
/* After core_next_event: those of each cycle until the next core_tick. */
struct core_signals core_signals_at_rest(const struct core *core);

void core_stats(struct core *core, struct core_stats *stats);

/* From here on, the samples of its warps are kept by instruction (recorder.h); before the first
 * core_tick. */
struct recorder;
void core_record(struct core *core);
const struct recorder *core_recorded(const struct core *core); /* NULL: they are not */

/* Adds what the resident warps of the grid have executed so far; the grid itself has that of the
 * others. */
void core_add_instructions(const struct core *c, const struct grid *grid,
                           uint64_t *warp_instructions, uint64_t *thread_instructions);

/* Adds what has been counted for an owner to `sum`, and begins anew. */
void core_take_counters(struct core *core, uint32_t owner, struct core_counters *sum);

/* L2 performs one of this core's REQUEST_ATOMIC or REQUEST_POLL, or the synchronised region any
 * request. */
void core_perform(struct core *core, const struct mem_request *request);

/* A store to the bus has left; `account` is the store's. The core sees it in its next core_tick,
 * which is to be the next cycle's. */
void core_bus_stored(struct core *core, uint32_t account);

/* Who made a request to the synchronised region: kernel, line, block, and the thread that touches
 * the word at this address. For messages. */
void core_describe_access(const struct core *core, const struct mem_request *request, uint64_t word,
                          char *text, size_t room);
/* The kernel that made it. */
const struct kernel *core_access_kernel(const struct core *core, const struct mem_request *request);
/* Resident warps that wait for no word of the region. */
uint32_t core_unblocked_warps(const struct core *core);
/* Warps that have lent their place to an event and wait for its end; of some, `kernel` is that of
 * one. */
uint32_t core_lent_warps(const struct core *core, const struct kernel **kernel);

/* --- the core's side of sm_event_unit (event_port.c) ------------------------------------------ */

/* Fills every input that the core produces (core_*, cand_*, vic_*, push_*, save_*, restore_*,
 * bar_*, exit_*), from the state after the last core_tick and the tile's last outputs. True when
 * any input needs the tile to be clocked. */
bool core_event_inputs(struct core *core, struct sm_event_unit_in *in);

/* Background blocks from now on leave so many contexts and registers to events, those that events
 * hold among them; but the first block on the core, and blocks of cooperative grids, may take all.
 */
void core_keep_room(struct core *core, uint32_t warps, uint32_t registers);

/* Some warp that an event may borrow has that many units of registers per thread (EVG_REG_UNIT). */
bool core_lends(const struct core *core, uint32_t units);

/* The core has something to tell the tile: what core_event_inputs returns, without filling them. */
bool core_event_pending(const struct core *core);

/* Takes the tile's outputs after its clock edge; they act in the coming core_tick. */
void core_event_commands(struct core *core, const struct sm_event_unit_out *out);

/* Where a warp is: its next instruction. False: nobody is in this context. For waveforms. */
struct core_place {
    const struct kernel *kernel;
    uint64_t address; /* of the instruction */
    uint32_t ptx_line;
    bool event; /* it is an event */
};
bool core_place_of(const struct core *core, uint32_t warp, struct core_place *place);

/* One line per stuck warp: warp, kernel, PC and PTX line, what it waits for. For the watchdog. */
void core_describe(const struct core *core, void (*line)(void *user, const char *text), void *user);

#endif
