/* A kernel between parsing and register allocation: instructions already have their lane function,
 * but name virtual registers. */
#ifndef EVGPU_PTX_LOWER_IR_H
#define EVGPU_PTX_LOWER_IR_H

#include "sim/ptx/execute/lanes.h"
#include "sim/ptx/parse/ast.h"

/* References to values: a virtual register, a constant, or NONE. */
#define REF_KONST 0x80000000u /* also set in NONE: a register is any reference below it */

enum vreg_class { VREG_PRED, VREG_32, VREG_64 };

struct vinst {
    struct inst inst; /* registers not filled in */
    uint32_t dst[4], src[4], base;
    uint32_t pdst[2], psrc, psrc2;
    uint32_t guard;
    uint32_t label;  /* branch: label; else NONE */
    uint32_t object; /* parameter object whose access this is (params.h), or NONE */
    uint32_t callee; /* call: function, NONE: the address in src[0] */
    bool frame_end;  /* the end of the function's frame is to be added to op.imm */
};

struct konst { /* 4 or 8 bytes */
    uint64_t value;
    uint32_t variable; /* address of this variable + value, or NONE */
    bool wide;
    uint32_t row; /* first row in the kernel */
};

struct param_slot {
    uint64_t offset;
    uint32_t bytes, vreg;
};

/* Where a parameter is: as params.c likes, or at local_offset in the function's own frame or in
 * that of the function it calls (call.h). */
enum object_place { OBJECT_FREE, OBJECT_FRAME, OBJECT_OUT };

/* A .param variable of a device function or of a call. */
struct param_object {
    uint64_t size, align, local_offset;
    uint8_t place; /* enum object_place */
    uint32_t call; /* OBJECT_OUT: number of the call that it belongs to, from 1 */
    bool memory;   /* must live in local memory: addressed, or accessed in overlapping pieces */
    struct param_slot *slots;
    size_t n_slots, slots_capacity;
};

struct ir {
    const struct unit *unit;
    const struct function *entry;
    struct vinst *code;
    size_t n_code, code_capacity;
    uint8_t *vregs; /* enum vreg_class */
    size_t n_vregs, vregs_capacity;
    uint32_t *labels; /* instruction index of each label */
    size_t n_labels, labels_capacity;
    struct konst *konst;
    size_t n_konst, konst_capacity;
    uint32_t *konst_slots; /* open addressing into konst, NONE: free */
    size_t n_konst_slots;
    struct param_object *objects;
    size_t n_objects, objects_capacity;
    uint64_t *shared_offset; /* by variable; UINT64_MAX: not used by this kernel */
    uint64_t shared_bytes, dynamic_align;
    uint64_t local_bytes;
    bool framed;              /* a function that is called: local memory is relative to its frame */
    uint32_t n_calls;         /* that are not expanded */
    uint32_t *result_objects; /* of a called function */
    uint32_t carry;           /* predicate that stands for CC.CF, or NONE */
    struct error *err;
};

void ir_free(struct ir *ir);
uint32_t ir_vreg(struct ir *ir, enum vreg_class class);
uint32_t ir_label(struct ir *ir);
uint32_t ir_konst(struct ir *ir, uint64_t value, bool wide);
/* Constant that holds the address of a variable plus `addend`. */
uint32_t ir_address(struct ir *ir, uint32_t variable, int64_t addend, bool wide);

/* An empty ALU instruction at the end of the code; valid until the next one. */
struct vinst *ir_emit(struct ir *ir, uint32_t line);

/* inline.c: expands the entry, with all calls, into `ir`. */
bool ir_flatten(struct ir *ir);

/* params.c: objects become registers where possible, else local memory. */
void ir_place_params(struct ir *ir);

#endif
