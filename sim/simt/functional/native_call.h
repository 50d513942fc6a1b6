/* What machine code that is made for a kernel (sim/ptx/native) knows of the warp that executes it.
 * Owner: warp_turn.c. */
#ifndef EVGPU_SIMT_FUNCTIONAL_NATIVE_CALL_H
#define EVGPU_SIMT_FUNCTIONAL_NATIVE_CALL_H

#include "sim/simt/functional/functional.h"

struct native_call {
    struct functional *f;
    struct lane_ctx *ctx;
    const struct inst *code; /* the kernel's */
    struct memory_window shared;
    uint32_t w;
    uint32_t at;    /* the warp's place, before and after */
    uint64_t left;  /* instructions that it may still execute, the same */
    uint64_t less;  /* lanes that have taken no part in what it has executed */
    uint32_t polls; /* times that it may still branch back after it has looked at memory */
    bool failed;    /* the access at `at` has not taken place */
    /* functional_access and isa_products: the code cannot call by name. */
    bool (*access)(struct functional *f, uint32_t w, const struct inst *inst, uint32_t mask);
    uint32_t (*products)(const struct inst *inst, uint32_t most, struct lane_ctx *ctx);
};

#endif
