/* Instruction selection: one parsed instruction -> one or more `struct vinst`.
 *
 * decode.c          dispatch, modifiers, operands
 * decode_int.c      integer and bit operations
 * decode_float.c    floating point
 * decode_half.c     f16, bf16 and pairs of them
 * decode_video.c    video instructions
 * decode_texture.c  tex
 * decode_surface.c  suld, sust
 * decode_convert.c  cvt, mov, cvta
 * decode_compare.c  setp, set, selp, slct, predicates
 * decode_memory.c   ld, st, atom, red, cp.async
 * decode_control.c  branches, exit, barriers, votes and shuffles */
#ifndef EVGPU_PTX_LOWER_DECODE_H
#define EVGPU_PTX_LOWER_DECODE_H

#include "sim/ptx/lower/ir.h"

/* An inlined instance of a function. */
struct frame {
    const struct function *function;
    uint32_t reg_base, label_base;
    uint32_t return_label; /* NONE: the kernel itself */
    struct frame *caller;
    uint64_t *variables; /* of the function's variables: local offset or parameter object */
};

struct decoder {
    struct ir *ir;
    const struct frame *frame;
    const struct ast_inst *ast;
    const struct opcode *op;
    const struct ast_operand *operands;
    uint32_t used; /* modifiers looked at, one bit each */
    bool bf16;     /* the f16 that decode_number has found is bf16 */
};

/* Everything but `call` and `ret` of an inlined function. */
bool decode_inst(struct ir *ir, const struct frame *frame, const struct ast_inst *ast);

bool decode_error(const struct decoder *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- modifiers: each is to be asked for; decode_inst rejects what nobody asked for -------------
 */
bool decode_has(struct decoder *d, enum modifier m);
/* The `nth` type among the modifiers; PTX_PRED + error text if absent. */
bool decode_type(struct decoder *d, unsigned nth, uint8_t *type);
/* The same, and bf16 and bf16x2 count as f16 and f16x2: d->bf16. */
bool decode_number(struct decoder *d, unsigned nth, uint8_t *type);
/* The first of the modifiers first..last, or MODIFIER_COUNT. */
enum modifier decode_range(struct decoder *d, enum modifier first, enum modifier last);
bool decode_count(const struct decoder *d, unsigned least, unsigned most);    /* operands */
bool decode_type_in(const struct decoder *d, uint8_t type, uint32_t allowed); /* bits 1 << type */

/* --- operands --------------------------------------------------------------------------------- */
struct vinst *decode_emit(struct decoder *d); /* with line and guard */

/* Register class and size of an operand that is a register; false when it is none. */
bool decode_register(const struct decoder *d, const struct ast_operand *o, uint32_t *vreg,
                     uint8_t *type);
/* A source of `type`. Registers must have its size, or at least its size with `loose`. */
bool decode_source(struct decoder *d, const struct ast_operand *o, uint8_t type, bool loose,
                   uint32_t *ref);
/* Same for operands by number. */
bool decode_src(struct decoder *d, unsigned n, uint8_t type, uint32_t *ref);
bool decode_dst(struct decoder *d, unsigned n, uint8_t type, uint32_t *vreg);
/* With the predicate after a '|', or NONE. */
bool decode_dst_pred(struct decoder *d, unsigned n, uint8_t type, uint32_t *vreg, uint32_t *p);
/* A destination of any size that holds `type`; its bytes. `_` gives a scratch register. */
bool decode_dst_loose(struct decoder *d, const struct ast_operand *o, uint8_t type, uint32_t *vreg,
                      uint32_t *bytes);
/* A predicate source, possibly negated; true/false constants are made. */
bool decode_pred(struct decoder *d, const struct ast_operand *o, uint32_t *vreg, bool *negated);
bool decode_pred_dst(struct decoder *d, unsigned n, uint32_t *p, uint32_t *q);

/* Address of a variable as a value: constant, with run-time patch where needed. */
bool decode_symbol(struct decoder *d, uint32_t variable, int64_t addend, bool wide, uint32_t *ref);
/* Local offset or parameter object of one of the function's own variables. */
uint64_t decode_variable(const struct decoder *d, uint32_t variable);
/* Is this .param variable (of the current function) a parameter of the kernel itself? */
bool decode_kernel_param(const struct decoder *d, uint32_t variable);

/* The space of a memory instruction and the address operand, which has a base. */
struct tile_place {
    uint32_t base, mods; /* OP_BASE32 or nothing */
    int64_t offset;
};
bool decode_place(struct decoder *d, const struct ast_operand *o, uint8_t *space,
                  struct tile_place *place);

/* Marks which operands are register pairs, from the types. */
#define BITS(type) (1u << (type))
#define INT_TYPES                                                                                  \
    (BITS(PTX_U16) | BITS(PTX_U32) | BITS(PTX_U64) | BITS(PTX_S16) | BITS(PTX_S32) | BITS(PTX_S64))
#define BIT_TYPES   (BITS(PTX_B16) | BITS(PTX_B32) | BITS(PTX_B64))
#define FLOAT_TYPES (BITS(PTX_F32) | BITS(PTX_F64))
#define HALF_TYPES  (BITS(PTX_F16) | BITS(PTX_F16X2))

/* ALU instruction with one destination and `n` sources of one type, executed by `exec`, or by the
 * scalar function when `exec` is NULL. */
struct alu {
    exec_fn exec;
    uint8_t sub; /* enum scalar; of lanes_rounded, enum operation */
    uint8_t type, dst_type;
    uint8_t src_types[4];
    uint8_t n_src;
    uint8_t timing; /* enum timing_class */
    uint32_t mods;
    uint8_t round, extra; /* op.round, op.type2 */
    uint32_t *beside;     /* takes the predicate of decode_dst_pred; NULL: there is none */
};
struct vinst *decode_alu(struct decoder *d, const struct alu *alu);

/* The groups; each returns false with the error set. */
bool decode_int(struct decoder *d);
bool decode_bits(struct decoder *d);
bool decode_float(struct decoder *d, uint8_t type);
bool decode_sfu(struct decoder *d);
bool decode_half(struct decoder *d, uint8_t type); /* f16, bf16 and pairs of them */
bool decode_video(struct decoder *d);
bool decode_tex(struct decoder *d);
bool decode_tld4(struct decoder *d);
bool decode_surface(struct decoder *d);
bool decode_mma(struct decoder *d);
bool decode_wmma(struct decoder *d);
bool decode_ldmatrix(struct decoder *d);
bool decode_mbarrier(struct decoder *d);
bool decode_copy_arrive(struct decoder *d); /* cp.async.mbarrier */
void decode_copies_wait(struct decoder *d); /* cp.async.wait_all */
bool decode_cvt(struct decoder *d);
bool decode_mov(struct decoder *d);
bool decode_cvta(struct decoder *d);
bool decode_isspacep(struct decoder *d);
bool decode_setp(struct decoder *d);
bool decode_set(struct decoder *d);
bool decode_selp(struct decoder *d);
bool decode_testp(struct decoder *d);
bool decode_pred_logic(struct decoder *d);
bool decode_ld(struct decoder *d);
bool decode_st(struct decoder *d);
bool decode_atom(struct decoder *d);
bool decode_prefetch(struct decoder *d);
bool decode_cp(struct decoder *d);
bool decode_control(struct decoder *d);
bool decode_warp(struct decoder *d);
bool decode_carry(struct decoder *d);

#endif
