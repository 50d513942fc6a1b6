/* Blocks that a core executes without time: what core.h has for the gpu layer, and the room
 * functional/ carries out. */
#ifndef EVGPU_SIMT_CORE_UNTIMED_H
#define EVGPU_SIMT_CORE_UNTIMED_H

#include <stdint.h>

/* Why the core has stopped. */
enum untimed_end {
    UNTIMED_NONE,   /* no warp of an untimed grid can do anything, or there is none */
    UNTIMED_POLLS,  /* all of them only look at memory and find nothing new */
    UNTIMED_BLOCK,  /* a block is over: another one may have its place */
    UNTIMED_BUDGET, /* the budget is used up */
    UNTIMED_FAULT   /* of a kernel; the next core_tick reports it */
};

#endif
