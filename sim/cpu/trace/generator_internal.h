/* Between generator_code.c, which makes an application's small program, and generator.c, which runs
 * it. */
#ifndef EVGPU_CPU_TRACE_GENERATOR_INTERNAL_H
#define EVGPU_CPU_TRACE_GENERATOR_INTERNAL_H

#include <stdint.h>

#include "sim/cpu/cpu_core.h"
#include "sim/cpu/trace/applications.h"
#include "sim/cpu/trace/trace.h"

enum op_kind {
    OP_COMPUTE,
    OP_LOAD,
    OP_STORE,
    OP_SKIP, /* conditional, over the next op */
    OP_LOOP, /* conditional, back to the function's begin */
    OP_JUMP  /* to the next function */
};

/* An instruction of the program. `registers` are the bytes of struct cpu_instruction from `branch`
 * to `source`, as they lie there. */
struct op {
    uint64_t registers;
    uint32_t jump; /* op that a taken branch goes to */
    uint8_t kind;
    uint8_t odds; /* OP_SKIP: of 255, taken */
};

/* Registers with a purpose. Those of chains follow one another. */
enum {
    REG_COMPUTE_CHAIN = 1,
    REG_BASE = 2, /* addresses that are always known */
    REG_FAR = 5,  /* what a far access brought that nothing else in the stream needs */
    REG_CHAIN = 12,
    REG_TEMP = 32, /* the first of */
    REG_TEMPS = 8
};

/* The code begins behind the sets of the pool (generator.c). */
enum { CODE_BASE = 0x401000, OP_BYTES = 4 };

/* The program, `*n` ops; free() it. */
struct op *generator_code(const struct cpu_application *a, uint32_t *n);

#endif
