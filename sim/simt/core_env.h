/* The surroundings of a core: grids that it runs, memory and callbacks that it uses, and the faults
 * and statistics that it reports. */
#ifndef EVGPU_SIMT_CORE_ENV_H
#define EVGPU_SIMT_CORE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/mem/image/image.h"
#include "sim/mem/request.h"
#include "sim/ptx/program.h"
#include "sim/simt/counters.h"

struct checker;
struct memsys;

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
    bool cooperative;                /* its blocks wait for each other */
    bool aborted;                    /* core_end_grid: its blocks are being ended */
    bool untimed;                    /* its blocks run by core_run_untimed */
    uint64_t *executed;   /* untimed: NULL, or how often each instruction is executed by a warp, as
                           * the   difference to the one before; one element more than there are */
    uint64_t issue_cycle; /* first instruction; 0: none so far */
    uint16_t owner;       /* for what is counted for it (traffic.h); 0: nobody */
    struct grid_counters counters; /* when it has ended, unless owner is 0 */
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

/* An error of a program, or of the tile. */
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

/* --- memory of devices on the PCIe bus, from BUS_WINDOW (sim/ptx/program.h) on ------------------
 */

#define BUS_WINDOWS     16u
#define BUS_STORE_BYTES 16u /* of one lane, at most */
#define BUS_STORES      64u /* of all cores, between a core's port and the link */

/* A window: bus addresses, and whose kernels may store there. */
struct bus_window {
    uint64_t base, bytes;
    uint32_t owner; /* of the image's owners */
};

struct bus_map {
    struct bus_window window[BUS_WINDOWS];
    uint32_t count;
};

/* One lane's store on its way. */
struct bus_store {
    uint64_t address; /* on the bus */
    uint8_t data[BUS_STORE_BYTES];
    uint32_t bytes;
    uint32_t core;
    uint32_t account; /* for core_bus_stored */
};

/* A thread launches a grid, or asks for its block's launches. */
struct core_launch {
    struct grid *grid; /* the parent */
    uint64_t block;    /* of it, x fastest */
    uint32_t ptx_line;
};

/* Callbacks are made by core_meet_mail alone, but for kernel_at, event_owner, owner_ended and
 * bus_room, which core_run may ask, too: those change nothing that another core sees. */
struct core_env {
    struct image *image;
    struct memsys *memsys;
    uint32_t port;          /* this core's port in memsys; also %smid */
    uint32_t n_cores;       /* %nsmid */
    uint32_t core_khz;      /* for %globaltimer */
    const uint64_t *turned; /* cores have been ticked in all cycles before this one, but for those
                             * that had nothing to do; NULL: none is ever left out */
    uint64_t region_base, region_bytes; /* the synchronised region (sim/mem/region/fe.h); 0: none */
    uint32_t region_lines; /* lines of it that loads and atomics of the core may wait for */
    uint64_t save_area;    /* device address: PEWT_ENTRIES x MAX_REGS x 128 bytes, preallocated */
    uint64_t event_local;  /* device memory behind the local memory of event warps:
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
    /* System calls of kernels; each may be NULL: nothing is printed, there is no heap. */
    void (*print)(void *user, const struct kernel *kernel, bool is_error, const char *text,
                  size_t bytes);
    uint64_t (*heap_alloc)(void *user, uint64_t bytes, const struct kernel *kernel,
                           uint32_t ptx_line);
    bool (*heap_free)(void *user, uint64_t address, const struct kernel *kernel);
    /* Launches of kernels (SYSTEM_CALL_LAUNCH_BUFFER, ...); NULL: there are none. */
    uint64_t (*launch_buffer)(void *user, const struct core_launch *from, uint64_t bytes);
    uint32_t (*launch)(void *user, const struct core_launch *from, uint64_t buffer,
                       uint64_t stream);
    uint64_t (*launches)(void *user, const struct core_launch *from, uint32_t query);
    /* Memory of devices on the bus, which kernels may store to; NULL: there is none. bus_room: may
     * this core store in this cycle (NULL: always)? If not, it asks again in the next. A store is
     * answered by core_bus_stored. */
    const struct bus_map *bus;
    bool (*bus_room)(void *user, uint32_t core);
    void (*bus_store)(void *user, const struct bus_store *store);
    void (*mark)(void *user, const struct core_mark *mark); /* may be NULL */
    struct checker *check; /* check.h; NULL: nothing is checked beside what stops the program */
    bool warms;            /* what is executed without time leaves its lines in the caches */
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
    uint64_t
        wrong_replays; /* victims whose loads were dropped too late to be repeated (drop_unsafe)
                        */
    uint64_t flush_cycles[CAUSES];
    uint64_t flush_timeouts; /* victims let go because they took too long */
    uint64_t untimed_warp_instructions, untimed_thread_instructions; /* not in those above */
};

#endif
