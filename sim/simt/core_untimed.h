/* Blocks that a core executes without time: what core.h has for the gpu layer, and the room
 * functional/ carries out. */
#ifndef EVGPU_SIMT_CORE_UNTIMED_H
#define EVGPU_SIMT_CORE_UNTIMED_H

#include <stdbool.h>
#include <stdint.h>

struct grid;

/* Why the core has stopped. */
enum untimed_end {
    UNTIMED_NONE,   /* no warp of an untimed grid can do anything, or there is none */
    UNTIMED_POLLS,  /* all of them only look at memory and find nothing new */
    UNTIMED_TURN,   /* core_run_apart: warps are in front of accesses that have their turn later */
    UNTIMED_BLOCK,  /* a block is over: another one may have its place */
    UNTIMED_BUDGET, /* the budget is used up */
    UNTIMED_ASKS,   /* core_run_apart: a warp is in front of an access that has not been granted */
    UNTIMED_FAULT   /* of a kernel; the next core_tick reports it */
};

/* --- blocks apart -----------------------------------------------------------------------------
 * Cores may execute blocks of one grid at the same time, on several threads of the host, as long as
 * no block reads memory that one of them writes. Each allocation of device memory that the grid
 * touches is therefore granted to it for loads or for stores. Stores are kept until the cores meet,
 * and take effect in the order of the cores' numbers: as if each core had had its slice after the
 * one before it. A warp stops in front of an access to what is needed for both, and of atomics: it
 * makes the access after all cores have met, core after core. */

#define APART_SPANS 16u

enum apart_use { APART_LOADS, APART_STORES, APART_IN_TURN };

struct apart_span {
    uint64_t low, high; /* of an allocation; 0, 0: an access that cannot be granted */
    enum apart_use use;
};

/* What is granted. Cores only read it. */
struct apart_spans {
    struct apart_span span[APART_SPANS];
    uint32_t count;
};

/* A core's part of a slice. */
struct apart_share {
    struct grid *grid;
    const struct apart_spans *spans;
    uint64_t next, end;     /* blocks of the grid that the core is to start */
    uint64_t budget;        /* warp instructions */
    bool keeps;             /* its stores wait for core_meet_apart */
    bool fresh;             /* what instructions remember may not be granted any more */
    struct apart_span asks; /* with UNTIMED_ASKS: what the warp is about to access */
};

#endif
