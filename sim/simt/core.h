/* One SIMT core: fetch, i-buffers, two greedy-then-oldest schedulers, scoreboard, SIMT stack,
 * pipelines, coalescing, shared memory, L1 and constant cache, barriers; and the core's side of the
 * sm_event_unit tile (EDGE section IV, Figures 9 and 10).
 *
 * Functional execution happens at issue; atomics, volatile loads and every access to the
 * synchronised region are performed when the memory system says so (core_perform). Timing of
 * everything comes from core_config. */
#ifndef EVGPU_SIMT_CORE_H
#define EVGPU_SIMT_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/image/image.h"
#include "sim/mem/memsys.h"
#include "sim/mem/request.h"
#include "sim/ptx/program.h"
#include "sim/simt/counters.h"

struct checker;
struct sm_event_unit_in;
struct sm_event_unit_out;

/* What L1 does with a store. It never fetches for one. */
enum l1_store {
    L1_STORE_THROUGH, /* the words of a line that is there stay valid; the store goes to L2 */
    L1_STORE_EVICT,   /* the line, if it is there, is dropped; the store goes to L2 */
    L1_STORE_BACK     /* the words of a line that is there are kept, dirty, until it is evicted */
};

/* When a context is free for an event: no warp is there; nor is the block of the last one; nor any
 * block on the core, so that beside one every event takes a victim. */
enum event_context { EVENT_CONTEXT_WARP, EVENT_CONTEXT_BLOCK, EVENT_CONTEXT_CORE };

/* All latencies in core cycles. */
struct core_config {
    uint32_t warps;            /* warp contexts, 1..64 */
    uint32_t blocks;           /* block slots, 1..64 */
    uint32_t threads;          /* resident threads at most */
    uint32_t registers;        /* 32-bit, per core */
    uint32_t register_reserve; /* of those: for events only, less than all */
    uint32_t event_context;    /* enum event_context */
    uint32_t shared_bytes;
    uint32_t schedulers;  /* 1, 2 or 4; warp w belongs to scheduler w % schedulers */
    uint32_t warp_limit;  /* warps per core the schedulers may issue from (SWL), 0: all */
    uint32_t fetch_width; /* warps fetched per cycle */
    uint32_t icache_bytes, icache_ways, icache_latency;
    uint32_t const_bytes, const_ways, const_latency;
    uint32_t l1_bytes, l1_ways, l1_latency, l1_mshrs, l1_mshr_merges;
    uint32_t l1_miss_latency; /* what a miss spends in L1 before it is sent, 0: nothing */
    uint32_t l1_index;        /* enum cache_index */
    uint32_t l1_replacement;  /* number in sim/mem/cache/policy.h */
    uint32_t l1_fetch;        /* enum miss_fetch: what a miss asks L2 for */
    uint32_t l1_allocate;     /* enum line_allocation: when a line takes its way */
    uint32_t l1_global_store, l1_local_store; /* enum l1_store */
    uint32_t operand_cycles;   /* issue to execution unit: operand collector, dispatch */
    uint32_t writeback_cycles; /* end of execution to the scoreboard */
    uint32_t shared_banks, shared_latency;
    uint32_t latency[TIMING_CLASSES];  /* of the unit, between those two */
    uint32_t interval[TIMING_CLASSES]; /* cycles the unit is taken by one warp instruction */
    uint32_t units[EXEC_UNITS];        /* copies of each unit */
    uint32_t ldst_queue;               /* memory instructions waiting for the load-store unit */
    uint32_t event_queue; /* the same of events, which then go before the others; 0: they wait among
                           * them */
};

/* A launched kernel. Set up by the gpu layer; the core reads it and counts finished blocks. */
struct grid {
    const struct kernel *kernel;
    uint32_t id;
    int32_t priority;
    uint32_t dims[3], block[3];
    uint32_t dynamic_shared;
    uint64_t param;      /* device address of argument 0 */
    uint64_t local_base; /* device memory behind local memory; see core_local_bytes */
    uint64_t next_block, total_blocks, blocks_done;
    uint64_t warp_instructions, thread_instructions;
    uint64_t queued_cycle;           /* with kernel management */
    uint64_t start_cycle, end_cycle; /* first block launched, last block done */
    bool is_event;                   /* of more than one warp */
    bool aborted;                    /* core_end_grid: its blocks are being ended */
    uint64_t issue_cycle;            /* first instruction; 0: none so far */
    uint16_t owner;                  /* for what is counted for it (traffic.h); 0: nobody */
    struct grid_counts counts;       /* when it has ended, unless owner is 0 */
};

/* Causes that keep a victim from being flushed (EDGE Figure 11b; not mutually exclusive). */
enum flush_cause {
    CAUSE_PIPELINE,
    CAUSE_SCOREBOARD,
    CAUSE_LOAD,
    CAUSE_ICACHE,
    CAUSE_BARRIER,
    CAUSE_FENCE,
    CAUSES
};

#define LSU_CAUSES 6

/* What a program, or the tile, did wrong. */
enum fault_kind {
    FAULT_NONE,
    FAULT_ADDRESS, /* outside what is allocated */
    FAULT_MISALIGNED,
    FAULT_INSTRUCTION, /* what cannot be executed: a call of no function, wrong barrier operands */
    FAULT_STACK,       /* of calls, or of divergence */
    FAULT_TRAP,
    FAULT_ASSERT,
    FAULT_MACHINE /* not the kernel's */
};

struct core_fault {
    enum fault_kind kind;
    const struct kernel *kernel; /* NULL: FAULT_MACHINE */
    const struct grid *grid;     /* NULL: an event of one warp, or FAULT_MACHINE */
    uint32_t ptx_line;
    bool in_event;      /* of an event: `block` means nothing */
    uint16_t event_tag; /* of that event */
    uint32_t block[3], thread[3];
    uint64_t address; /* of an access of `bytes`; 0 bytes: it was none */
    uint32_t bytes;
};

/* A warp of a kernel has executed pmevent. */
struct core_mark {
    uint32_t owner;             /* of the kernel, among the image's owners */
    uint32_t events;            /* bit per event number */
    uint64_t block;             /* x fastest */
    uint32_t warp;              /* of the block */
    uint64_t warp_instructions; /* that the warp has issued, this one included */
};

struct bus_map;   /* sim/simt/lsu/bus.h */
struct bus_store; /* the same */

struct core_env {
    struct image *image;
    struct memsys *memsys;
    uint32_t port;                      /* this core's port in memsys; also %smid */
    uint32_t n_cores;                   /* %nsmid */
    uint32_t core_khz;                  /* for %globaltimer */
    uint64_t region_base, region_bytes; /* the synchronised region (sim/mem/region/fe.h); 0: none */
    uint32_t region_places; /* lines of it that loads and atomics of the core may wait for */
    uint64_t save_area;     /* device address: PEWT_ENTRIES x MAX_REGS x 128 bytes, preallocated */
    uint64_t event_local;   /* device memory behind the local memory of event warps:
                             * PEWT_ENTRIES x 32 x event_local_bytes */
    uint32_t event_local_bytes; /* per lane, multiple of 16; events cannot use more */
    /* The kernel whose instruction 0 is at this device address; NULL if none. */
    const struct kernel *(*kernel_at)(void *user, uint64_t code_address);
    void (*block_done)(void *user, uint32_t core, struct grid *grid);
    /* For whom an event is counted, by its tag; NULL: for nobody. */
    uint16_t (*event_owner)(void *user, uint16_t tag);
    /* The owner of kernels has ended (core_end_owner): its events exit as soon as they run. NULL:
     * none ever does. */
    bool (*owner_ended)(void *user, uint32_t owner);
    /* The event with this tag has issued its first instruction. */
    void (*event_started)(void *user, uint32_t core, uint16_t tag);
    /* Services of kernels; each may be NULL: nothing is printed, no memory is there. */
    void (*print)(void *user, const struct kernel *kernel, bool is_error, const char *text,
                  size_t bytes);
    uint64_t (*heap_alloc)(void *user, uint64_t bytes, const struct kernel *kernel,
                           uint32_t ptx_line);
    bool (*heap_free)(void *user, uint64_t address);
    /* Memory of devices on the bus, which kernels may store to; NULL: there is none. A store: false
     * when there is no room, asked again next cycle; answered by core_bus_stored. */
    const struct bus_map *bus;
    bool (*bus_store)(void *user, const struct bus_store *store);
    void (*mark)(void *user, const struct core_mark *mark); /* may be NULL */
    struct checker *check; /* check.h; NULL: nothing is checked beside what stops the program */
    void *user;
};

struct core_stats {
    uint64_t cycles_active; /* at least one warp resident */
    uint64_t warp_instructions, thread_instructions;
    uint64_t event_warp_instructions;
    uint64_t warp_cycles; /* resident warps, summed over active cycles */
    uint64_t l1_hits, l1_misses, const_misses, icache_misses;
    uint64_t l1_merged;                        /* of the misses: to a line that was on its way */
    uint64_t l1_writebacks;                    /* dirty lines sent to L2 */
    uint64_t l1_mshr_cycles, l1_mshr_full;     /* MSHRs in use, summed; cycles with none free */
    uint64_t lsu_queue_cycles, lsu_queue_full; /* the same of the load-store queue */
    uint64_t lsu_held[LSU_CAUSES];             /* its head was held: enum lsu_hold (lsu.h) */
    uint64_t global_transactions, shared_conflicts, barriers, atomics;
    uint64_t loads_dropped, registers_saved,
        registers_restored; /* saved/restored: warp registers */
    uint64_t stall_scoreboard, stall_unit, stall_empty,
        stall_barrier; /* scheduler-cycles without issue */
    uint64_t flush_cycles[CAUSES];
    uint64_t flush_timeouts; /* victims let go because they took too long */
};

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

/* One core cycle: takes at most one reply from memsys, executes, sends requests. False on an error
 * of the program (trap, address outside allocated memory or shared memory), with `err` naming
 * kernel, PTX line, block, thread and address. */
bool core_tick(struct core *core, uint64_t cycle, struct error *err);

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
 * given back. What is in flight comes to its end first, so blocks and events are reported as usual.
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
 * arriving, or core_perform, before; UINT64_MAX when only those can wake it. */
uint64_t core_next_event(const struct core *core);

bool core_empty(const struct core *core); /* no resident warp, event warps included */
uint32_t core_resident_warps(const struct core *core);
void core_set_warp_limit(struct core *core, uint32_t limit);

/* What the warp schedulers saw in the last core_tick, for concurrency management (sim/gpu/
 * concurrency.h says what each means). */
struct core_signals {
    uint8_t ready, full; /* bit per scheduler */
    bool active;         /* some warp is resident */
    bool memory;         /* nothing is ready, and each warp that could run waits for memory */
};

/* From here on they are recorded; `memory` only if asked for. */
void core_watch_signals(struct core *core, bool memory);
struct core_signals core_signals(const struct core *core);

void core_stats(const struct core *core, struct core_stats *stats);

/* Adds what the resident warps of the grid have executed so far; the grid itself has that of the
 * others. */
void core_add_instructions(const struct core *c, const struct grid *grid,
                           uint64_t *warp_instructions, uint64_t *thread_instructions);

/* Adds what has been counted for an owner to `sum`, and begins anew. */
void core_take_counts(struct core *core, uint32_t owner, struct core_counts *sum);

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
/* The owner of the kernel that made it. */
uint32_t core_access_owner(const struct core *core, const struct mem_request *request);
/* Resident warps that wait for no word of the region. */
uint32_t core_unblocked_warps(const struct core *core);

/* --- the core's side of sm_event_unit (event_port.c) ------------------------------------------ */

/* Fills every input that the core produces (core_*, cand_*, vic_*, push_*, save_*, restore_*,
 * bar_*, exit_*), from the state after the last core_tick and the tile's last outputs. True when
 * any input needs the tile to be clocked. */
bool core_event_inputs(struct core *core, struct sm_event_unit_in *in);

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
