/* How the warps of a block take turns. Owner: warp_turn.c. */
#ifndef EVGPU_SIMT_FUNCTIONAL_WARP_TURN_H
#define EVGPU_SIMT_FUNCTIONAL_WARP_TURN_H

#include "sim/ptx/native/native.h"
#include "sim/simt/functional/gathering.h"
#include "sim/simt/functional/native_call.h"

/* What a warp has done in its turn. */
enum warp_turn {
    TURN_NONE,   /* nothing: it waits at a barrier, or has exited */
    TURN_POLLED, /* it only looked at memory, again and again */
    TURN_RAN     /* something else */
};

/* The turns of a block's warps. */
struct block_turns {
    struct functional *f;
    uint64_t *counts;   /* the grid's `executed` */
    native_code native; /* NULL: all is interpreted */
    exec_fn tile;       /* isa_tile_address() */
    struct native_call call;
    struct gathering gathering;
};

void block_turns_start(struct block_turns *b, struct functional *f, uint32_t block);
/* The warp executes until it waits, exits, keeps polling, or has had its turn. Takes what it has
 * executed from `budget`, at most all of it. */
enum warp_turn warp_take_turn(struct block_turns *b, uint32_t w, uint64_t *budget);

#endif
