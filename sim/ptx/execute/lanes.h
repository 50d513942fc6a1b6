/* Private encoding of `struct inst`.op, and the tables of lane functions that the decoder picks
 * from. A lane function computes all 32 lanes and keeps the old value of those not in `mask`. */
#ifndef EVGPU_PTX_EXECUTE_LANES_H
#define EVGPU_PTX_EXECUTE_LANES_H

#include "sim/ptx/module.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/program.h"

#define SRC_KONST 0x80000000u /* src, base: row of the constants, else of the registers */
#define NO_ROW    0x7FFFFFFFu
#define NO_DST    0xFFFFu
#define NO_PRED   0xFFu

enum op_flag {
    OP_FTZ = 1u << 0, /* subnormal f32 operands and results become zero of the same sign */
    OP_SAT = 1u << 1, /* float result clamped to [0, 1], or integer saturation */
    OP_PSRC_NOT = 1u << 2,
    OP_DST64 = 1u << 3,    /* dst[0] is a register pair */
    OP_SRC64 = 1u << 4,    /* bit 4 + i: src[i] is a register pair */
    OP_BASE32 = 1u << 8,   /* the address register has 32 bits */
    OP_INVERT = 1u << 9,   /* setp: result of the comparison is inverted */
    OP_COMBINE = 3u << 10, /* setp: 0 none, else enum combine */
    OP_NAN = 1u << 12,     /* min/max.NaN */
    OP_HIGH = 1u << 13,    /* .hi; shf.r; bfind.shiftamt */
    OP_CARRY_IN = 1u << 14,
    OP_CARRY_OUT = 1u << 15,
    OP_WRAP = 1u << 16,  /* shf.wrap, shift amount modulo 32 */
    OP_DST16 = 1u << 17, /* dst[0] holds 16 bits: the result is cut to them */
    OP_RELU = 1u << 18,  /* negative results and -0 become +0; NaN stays the canonical NaN */
    OP_BF16 = 1u << 19   /* what op.type calls f16 is bf16 */
};

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };
#define COMBINE_OF(mods) (((mods) >> 10) & 3u)

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };

/* Comparisons that lane functions exist for; the rest are swaps and inversions of these. */
enum compare { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_NUM, COMPARES };

/* The functions of LANES and of setp have a name each. */
struct lane_name {
    exec_fn function;
    const char *name;
};

/* Vectorised functions; NULL where there is none and the scalar function must do. */
exec_fn lanes_int(enum operation op, uint8_t type, bool wide, bool high);
exec_fn lanes_quotient(uint8_t type);
exec_fn lanes_remainder(uint8_t type);
/* `mods`: enum op_flag; `mode`: of prmt, 0 or from 1 on in the order of the modifiers. */
exec_fn lanes_bits(enum operation op, uint8_t type, uint32_t mods, uint8_t mode);
exec_fn lanes_float(enum operation op, uint8_t type, bool ftz);
/* Operation op.sub of lanes_float, rounded as op.round says, with .sat. */
void lanes_rounded(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
exec_fn lanes_compare(enum compare compare, uint8_t type, bool ftz);
/* `rounding`: enum rounding; `integral`: to an integer, also to one in a float of the same type. */
exec_fn lanes_convert(uint8_t to, uint8_t from, uint8_t rounding, bool integral);
exec_fn lanes_half(uint8_t operation, bool pair);  /* enum half_operation, of f16 without flags */
exec_fn lanes_approx(enum operation op, bool ftz); /* .approx of f32 */

/* f16 and bf16: op.type2 of the scalar function `half`. */
enum half_operation {
    HALF_ADD,
    HALF_SUB,
    HALF_MUL,
    HALF_FMA,
    HALF_MIN,
    HALF_MAX,
    HALF_ABS,
    HALF_NEG,
    HALF_EX2,
    HALF_TANH
};
/* op.type2 of the scalar function `pack`: the bits of an element of cvt.pack, and whether it has a
 * sign. */
enum { PACK_SIGNED = 0x80 };
/* op.type2 of the scalar function `cvt_pair`: two f16 (a into the upper half), or the form of f32
 * that keeps the upper bits alone. */
enum short_form { SHORT_HALVES, SHORT_BF16, SHORT_BF16_PAIR, SHORT_TF32, SHORT_TO_F32 };
#define ROUND_AWAY 4 /* op.round of them, beside enum rounding: to nearest, halves away from 0 */
double half_to_double(uint32_t half);
uint32_t half_from_double(double x, uint8_t rounding);      /* enum rounding; NaN becomes 0x7FFF */
uint32_t bf16_from_double(double x);                        /* to nearest; NaN becomes 0x7FFF */
double half_number(const struct inst *inst, uint32_t half); /* as OP_BF16 says */
/* One f16 operation on bits 15..0 of its operands, or two on both halves, for f16x2. */
uint32_t half_compute(const struct inst *inst, uint32_t a, uint32_t b, uint32_t c);

/* Copies of 1, 2, 4, 8 bytes as `type`, extended to a register of `dst_bytes`: what ld and mov do.
 */
exec_fn lanes_extend(uint8_t type, uint32_t dst_bytes);

void lanes_special(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask); /* sub: which */
void lanes_select(const struct inst *inst, struct lane_ctx *ctx,
                  uint32_t mask); /* selp of 32 bits */
void lanes_select64(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_frame_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_leave_frame(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_nothing(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_pack(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_unpack(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_pred_logic(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_pred_move(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_carry(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
/* setp of f16 (op.sub: enum compare) and of f16x2, whose two results go to the two predicates. */
void lanes_compare_half(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_texture_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mipmap_gradient(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mipmap_level(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mipmap_blend(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_surface_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_surface_element(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_surface_fits(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_no_lane(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
/* Products of tiles (lanes_mma.c, lanes_mma_int.c), loads and stores of them (lanes_fragment.c). */
enum tile_sign { TILE_A_SIGNED = 1, TILE_B_SIGNED = 2 };
void lanes_mma_f16(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_bf16(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_tf32(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_f64(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_bytes(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_nibbles(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_bits(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
/* A tile of a sparse a (lanes_mma_sparse.c). op.sub: the tile's depth, and what follows. */
enum sparse_tile {
    SPARSE_DEPTH = 3,
    SPARSE_LOWER = 4,    /* rows from 8 on */
    SPARSE_BYTES = 8,    /* four units of 8 bits to a chunk, else of 16 bits */
    SPARSE_LONG = 16,    /* rows of eight words, else of four */
    SPARSE_SELECTOR = 32 /* times the lane, or pair of lanes, with the indices */
};
void lanes_mma_sparse(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
/* The m8n8k4 of halves (lanes_mma_quads.c). */
void lanes_mma_gather(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mma_quads(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_add_saturated(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
/* op.sub of lanes_tile_address: the tile is one of b; memory is column by column; op.type: the
 * logarithms of an element's bits and, times TILE_WORD, of a word's elements. */
enum tile_flag { TILE_B = 1, TILE_COLUMNS = 2, TILE_ELEMENT = 4 };
enum tile_size { TILE_WORD = 8 };
void lanes_tile_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mbarrier_test(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_mbarrier_pending(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_row_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_pack_halves(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_high_half(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_pack_bytes(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_gather(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_gather_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_texture(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_testp(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_isspacep(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_vote(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_shuffle(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_match(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_elect(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_redux(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);
void lanes_activemask(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);

/* One lane at a time: what is rare. Operands and result are zero-extended bits. */
typedef uint64_t (*scalar_fn)(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c);

/* Runs scalar function number op.sub of the table below. */
void lanes_scalar(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);

/* clang-format off */
#define SCALAR_FUNCTIONS(X) \
    X(add) X(sub) X(mul) X(mad) X(mul24) X(mad24) X(sad) X(abs) X(neg) X(min) X(max) \
    X(bfind) X(shl) X(shr) X(not) X(cnot) X(slct) X(fns) X(dp4a) X(dp2a) \
    X(cvt) X(frcp) X(frsqrt) X(ftanh) X(fmin) X(fmax) X(half) X(cvt_pair) X(video) X(pack)
/* clang-format on */

enum scalar {
#define X(name) SCALAR_##name,
    SCALAR_FUNCTIONS(X)
#undef X
        SCALAR_COUNT
};

#define X(name) uint64_t scalar_##name(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c);
SCALAR_FUNCTIONS(X)
#undef X

#endif
