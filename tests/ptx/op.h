/* Runs one instruction, or a few, on 32 lanes of given operands. Included by the instruction tests.
 *
 * op_run("add.s32 %d, %a, %b;", ...) builds a kernel with %a, %b, %c (sources), %d (destination) of
 * the widths asked for, %p and %q (predicates), runs it on one warp and returns the destinations.
 */
#ifndef EVGPU_TESTS_PTX_OP_H
#define EVGPU_TESTS_PTX_OP_H

#include "tests/ptx/machine.h"

#define LANES WARP_SIZE

struct op {
    const char *text;  /* instructions over %d, %a, %b, %c, %p, %q, %t (scratch, width of %d) */
    uint32_t width[4]; /* bits of %d, %a, %b, %c: 16, 32 or 64; 0 stands for 32 */
    uint64_t src[3][LANES];
    uint32_t threads; /* 0 stands for 32 */
    uint64_t out[LANES];
    uint32_t p; /* lanes of %p after the instructions (%p starts as all ones, %q as zero) */
    uint32_t q;
};

static inline const char *reg_type(uint32_t bits)
{
    return bits == 16 ? "b16" : bits == 64 ? "b64" : "b32";
}

/* A kernel with one parameter: a block of memory with four 64-bit columns and two predicate words.
 */
static inline void op_text(const struct op *op, char *text, size_t size)
{
    static const char names[] = "dabc";
    int n = snprintf(text, size,
                     ".version 7.0\n.target sm_70\n.address_size 64\n"
                     ".visible .entry k(.param .u64 mem) {\n"
                     ".reg .b64 %%m, %%o; .reg .b32 %%lane, %%n0, %%n1; .reg .pred %%p, %%q;\n");
    for (int i = 0; i < 4; i++)
        n += snprintf(text + n, size - (size_t)n, ".reg .%s %%%c;\n", reg_type(op->width[i]),
                      names[i]);
    n +=
        snprintf(text + n, size - (size_t)n,
                 ".reg .%s %%t;\n"
                 "ld.param.u64 %%m, [mem]; mov.u32 %%lane, %%tid.x; mul.wide.u32 %%o, %%lane, 32;\n"
                 "add.u64 %%o, %%m, %%o;\n"
                 "setp.eq.u32 %%p, %%lane, %%lane; setp.ne.u32 %%q, %%lane, %%lane;\n",
                 reg_type(op->width[0]));
    for (int i = 1; i < 4; i++)
        n += snprintf(text + n, size - (size_t)n, "ld.global.%s %%%c, [%%o+%d];\n",
                      reg_type(op->width[i]), names[i], 8 * (i - 1));
    n += snprintf(text + n, size - (size_t)n, "ld.global.%s %%d, [%%o+24];\n%s\n",
                  reg_type(op->width[0]), op->text);
    snprintf(text + n, size - (size_t)n,
             "st.global.%s [%%o+24], %%d;\n"
             "selp.u32 %%n0, 1, 0, %%p; selp.u32 %%n1, 1, 0, %%q;\n"
             "mul.wide.u32 %%o, %%lane, 8; add.u64 %%o, %%m, %%o;\n"
             "st.global.v2.u32 [%%o+1024], {%%n0, %%n1};\nret; }\n",
             reg_type(op->width[0]));
}

/* The destination holds 0xCCCC... before, so that lanes left out can be told. */
static inline void op_run(struct op *op)
{
    char text[8192];
    struct machine m;
    uint32_t one[3] = {1, 1, 1}, block[3] = {op->threads ? op->threads : LANES, 1, 1};
    op_text(op, text, sizeof text);
    machine_start(&m, text);
    uint64_t mem = machine_alloc(&m, 2048, 8);
    for (uint32_t i = 0; i < LANES; i++) {
        uint64_t row[4] = {op->src[0][i], op->src[1][i], op->src[2][i], 0xCCCCCCCCCCCCCCCCu};
        memcpy(m.memory + mem + 32 * i, row, sizeof row);
    }
    machine_run(&m, "k", one, block, 0, &mem);
    uint32_t bits = op->width[0] ? op->width[0] : 32;
    op->p = op->q = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t preds[2];
        op->out[i] = 0;
        memcpy(&op->out[i], m.memory + mem + 32 * i + 24, bits / 8);
        memcpy(preds, m.memory + mem + 1024 + 8 * i, sizeof preds);
        op->p |= preds[0] << i;
        op->q |= preds[1] << i;
    }
    machine_stop(&m);
}

/* One result for one set of operands (in all lanes). */
static inline uint64_t op_one(const char *text, uint32_t dst_bits, uint32_t src_bits, uint64_t a,
                              uint64_t b, uint64_t c)
{
    struct op op = {.text = text, .width = {dst_bits, src_bits, src_bits, src_bits}};
    for (uint32_t i = 0; i < LANES; i++) {
        op.src[0][i] = a;
        op.src[1][i] = b;
        op.src[2][i] = c;
    }
    op_run(&op);
    for (uint32_t i = 1; i < LANES; i++)
        assert_int_equal(op.out[i], op.out[0]);
    return op.out[0];
}

#define CHECK(expected, text, dst_bits, src_bits, a, b, c)                                         \
    do {                                                                                           \
        uint64_t got_ =                                                                            \
            op_one(text, dst_bits, src_bits, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c));         \
        uint64_t want_ = (uint64_t)(expected) & (UINT64_MAX >> (64 - (dst_bits)));                 \
        if (got_ != want_)                                                                         \
            fail_msg("%s of %llx, %llx, %llx: %llx, expected %llx", text, (unsigned long long)(a), \
                     (unsigned long long)(b), (unsigned long long)(c), (unsigned long long)got_,   \
                     (unsigned long long)want_);                                                   \
    } while (0)

/* A group of lanes with operands `a`, `b`, `c` (count of them), checked against `reference`. */
typedef uint64_t (*reference_fn)(uint64_t a, uint64_t b, uint64_t c);

static inline void op_sweep(const char *text, const uint32_t width[4], const uint64_t *values,
                            uint32_t n_values, reference_fn reference)
{
    uint64_t mask_d = width[0] == 64 ? UINT64_MAX : (1ull << width[0]) - 1;
    /* All pairs, with a third operand that walks through the values too. */
    uint32_t pairs = n_values * n_values;
    for (uint32_t first = 0; first < pairs; first += LANES) {
        struct op op = {.text = text};
        memcpy(op.width, width, sizeof op.width);
        for (uint32_t i = 0; i < LANES; i++) {
            uint32_t pair = (first + i) % pairs;
            op.src[0][i] = values[pair / n_values];
            op.src[1][i] = values[pair % n_values];
            op.src[2][i] = values[(pair * 7 + pair / n_values) % n_values];
        }
        op_run(&op);
        for (uint32_t i = 0; i < LANES; i++) {
            uint64_t want = reference(op.src[0][i], op.src[1][i], op.src[2][i]) & mask_d;
            if (op.out[i] != want)
                fail_msg("%s of %llx, %llx, %llx: %llx, expected %llx", text,
                         (unsigned long long)op.src[0][i], (unsigned long long)op.src[1][i],
                         (unsigned long long)op.src[2][i], (unsigned long long)op.out[i],
                         (unsigned long long)want);
        }
    }
}

#endif
