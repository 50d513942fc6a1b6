/* Building blocks of the vectorised lane functions. Not a public header. */
#ifndef EVGPU_PTX_EXECUTE_VECTOR_H
#define EVGPU_PTX_EXECUTE_VECTOR_H

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "sim/ptx/execute/lanes.h"

/* Results are the same bits in both versions: no contraction, no reassociation, fma only where it
 * is written. */
#define LANE_FN CPU_CLONES

/* Iterations touch only their own lane, so they may be mixed freely. */
#define EACH_LANE _Pragma("GCC ivdep") for (uint32_t i = 0; i < WARP_SIZE; i++)

static const uint32_t lane_bit[WARP_SIZE] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

static inline uint32_t *dst_row(const struct inst *inst, const struct lane_ctx *ctx, int n)
{
    return ctx->reg[inst->op.dst[n]];
}

/* A 64-bit operand has its high half in the row after. */
static inline const uint32_t *row_at(const struct lane_ctx *ctx, uint32_t row)
{
    return row & SRC_KONST ? ctx->konst[row & ~SRC_KONST] : ctx->reg[row];
}

static inline const uint32_t *src_row(const struct inst *inst, const struct lane_ctx *ctx, int n)
{
    return row_at(ctx, inst->op.src[n]);
}

static inline uint32_t pred_lanes(const struct inst *inst, const struct lane_ctx *ctx)
{
    uint32_t p = ctx->pred[inst->op.psrc];
    return inst->op.mods & OP_PSRC_NOT ? ~p : p;
}

static inline void set_pred(struct lane_ctx *ctx, uint8_t pred, uint32_t mask, uint32_t lanes)
{
    if (pred != NO_PRED)
        ctx->pred[pred] = (ctx->pred[pred] & ~mask) | (lanes & mask);
}

static inline uint64_t wide_at(const uint32_t *row, uint32_t i)
{
    return row[i] | (uint64_t)row[i + WARP_SIZE] << 32;
}

static inline float f32_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t bits_of_f32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline double f64_of(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint64_t bits_of_f64(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Machines differ in which NaN an operation gives; PTX says 0x7FFFFFFF for f32. For f64, where PTX
 * leaves it open, the default quiet NaN. */
#define NAN_F32 0x7FFFFFFFu
#define NAN_F64 0x7FF8000000000000u

static inline uint32_t canonical_f32(float f)
{
    return f != f ? NAN_F32 : bits_of_f32(f);
}

static inline uint64_t canonical_f64(double f)
{
    return f != f ? NAN_F64 : bits_of_f64(f);
}

/* Subnormal -> zero of the same sign. */
static inline uint32_t flush(uint32_t bits)
{
    return bits & 0x7F800000u ? bits : bits & 0x80000000u;
}

#define GET_u16(row, i) ((uint32_t)(uint16_t)(row)[i])
#define GET_s16(row, i) ((int32_t)(int16_t)(row)[i])
#define GET_u32(row, i) ((row)[i])
#define GET_s32(row, i) ((int32_t)(row)[i])
#define GET_u64(row, i) wide_at(row, i)
#define GET_s64(row, i) ((int64_t)wide_at(row, i))
#define GET_f32(row, i) f32_of((row)[i])
#define GET_z32(row, i) f32_of(flush((row)[i])) /* f32 with .ftz */
#define GET_f64(row, i) f64_of(wide_at(row, i))

#define IN_MASK (mask == FULL_MASK || mask & lane_bit[i])
#define PUT_32(value)                                                                              \
    {                                                                                              \
        uint32_t put = (uint32_t)(value);                                                          \
        d[i] = IN_MASK ? put : d[i];                                                               \
    }
#define PUT_16(value) PUT_32((uint16_t)(value))
#define PUT_64(value)                                                                              \
    {                                                                                              \
        uint64_t put = (uint64_t)(value);                                                          \
        d[i] = IN_MASK ? (uint32_t)put : d[i];                                                     \
        d[i + WARP_SIZE] = IN_MASK ? (uint32_t)(put >> 32) : d[i + WARP_SIZE];                     \
    }
#define PUT_PAIR(low, high)                                                                        \
    {                                                                                              \
        uint32_t put = (low), put_high = (high);                                                   \
        d[i] = IN_MASK ? put : d[i];                                                               \
        d[i + WARP_SIZE] = IN_MASK ? put_high : d[i + WARP_SIZE];                                  \
    }
#define PUT_f32(value) PUT_32(canonical_f32(value))
#define PUT_z32(value) PUT_32(flush(canonical_f32(value)))
#define PUT_f64(value) PUT_64(canonical_f64(value))

/* The functions of a file that defines LANE_NAMES are known by name to machine code that is made
 * for a kernel (sim/ptx/native), where the file is compiled again:
 * simt/functional/native_prelude.c. LANE is one of them, as the loader has resolved it: so name and
 * table have the same address. */
#if defined(LANE_NAMES) && !defined(EVGPU_NATIVE)
#define LANE_NAME(of)                                                                              \
    static const struct lane_name of##_name                                                        \
        __attribute__((section("lane_names"), aligned(16), used)) = {of, #of};
#define LANE(of) (*(const volatile exec_fn *)&of##_name.function)
#else
#define LANE_NAME(of)
#endif

/* One loop for all lanes, which keeps nothing, and one for some of them. */
#define LANES(name, declare, body)                                                                 \
    CLONED_PART void name##_of(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)       \
    {                                                                                              \
        uint32_t *d = dst_row(inst, ctx, 0);                                                       \
        declare EACH_LANE                                                                          \
        {                                                                                          \
            body                                                                                   \
        }                                                                                          \
    }                                                                                              \
    LANE_FN static void name(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)         \
    {                                                                                              \
        if (mask == FULL_MASK)                                                                     \
            name##_of(inst, ctx, FULL_MASK);                                                       \
        else                                                                                       \
            name##_of(inst, ctx, mask);                                                            \
    }                                                                                              \
    LANE_NAME(name)
#define SRC(letter, n) const uint32_t *letter##_row = src_row(inst, ctx, n);

/* name(inst, ctx, mask): destination of type TO from sources of type FROM, named a, b, c. */
#define LANES_1(name, TO, FROM, expression)                                                        \
    LANES(name, SRC(a, 0), const __auto_type a = GET_##FROM(a_row, i); PUT_##TO(expression))
#define LANES_2(name, TO, FROM, expression)                                                        \
    LANES(name, SRC(a, 0) SRC(b, 1), const __auto_type a = GET_##FROM(a_row, i);                   \
          const __auto_type b = GET_##FROM(b_row, i); PUT_##TO(expression))
#define LANES_2_MIXED(name, TO, FROM_A, FROM_B, expression)                                        \
    LANES(name, SRC(a, 0) SRC(b, 1), const __auto_type a = GET_##FROM_A(a_row, i);                 \
          const __auto_type b = GET_##FROM_B(b_row, i); PUT_##TO(expression))
#define LANES_3(name, TO, FROM_AB, FROM_C, expression)                                             \
    LANES(name, SRC(a, 0) SRC(b, 1) SRC(c, 2), const __auto_type a = GET_##FROM_AB(a_row, i);      \
          const __auto_type b = GET_##FROM_AB(b_row, i);                                           \
          const __auto_type c = GET_##FROM_C(c_row, i); PUT_##TO(expression))

/* 64 bits in their two rows, which costs less than to put them together: al and ah, bl and bh. */
#define PAIR(letter)                                                                               \
    const uint32_t letter##l = letter##_row[i], letter##h = letter##_row[i + WARP_SIZE];
#define LANES_PAIR_1(name, low, high) LANES(name, SRC(a, 0), PAIR(a) PUT_PAIR(low, high))
#define LANES_PAIR_2(name, low, high)                                                              \
    LANES(name, SRC(a, 0) SRC(b, 1), PAIR(a) PAIR(b) PUT_PAIR(low, high))

#endif
