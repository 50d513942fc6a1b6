/* Random kernels: loops of arithmetic, predicates, divergence, loads of every kind, shared memory
 * with barriers, reductions, local memory, atomics and fences. All threads work on data of their
 * own or on data that a barrier orders, so that the result does not depend on timing. */
#ifndef EVGPU_TESTS_SIMT_KERNELGEN_H
#define EVGPU_TESTS_SIMT_KERNELGEN_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/rng.h"

#define GEN_STATE   10            /* state registers %r10.. */
#define GEN_TABLE   (64u * 1024u) /* bytes of the read-only table */
#define GEN_THREADS 1024          /* threads at most */
#define GEN_RESULT  (GEN_STATE * 4u)

struct gen {
    struct rng rng;
    char *text;
    size_t at, size;
    uint32_t label, depth;
};

static inline void emit(struct gen *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g->at += (size_t)vsnprintf(g->text + g->at, g->size - g->at, format, args);
    va_end(args);
}

static inline uint32_t gen_reg(struct gen *g)
{
    return 10 + rng_below(&g->rng, GEN_STATE);
}

/* %rd5 = address of a table word chosen by a state register. */
static inline void gen_address(struct gen *g, uint32_t rd, uint32_t align)
{
    emit(g,
         "and.b32 %%r30, %%r%u, %u;\ncvt.u64.u32 %%rd4, %%r30;\nadd.s64 %%rd%u, %%rd10, %%rd4;\n",
         gen_reg(g), (GEN_TABLE - 64) & ~(align - 1), rd);
}

static inline void gen_alu(struct gen *g)
{
    static const char *const ops[] = {"add.u32",    "sub.u32", "xor.b32", "and.b32",
                                      "mul.lo.u32", "or.b32",  "min.s32", "max.u32"};
    emit(g, "%s %%r%u, %%r%u, %%r%u;\n", ops[rng_below(&g->rng, 8)], gen_reg(g), gen_reg(g),
         gen_reg(g));
    if (rng_chance(&g->rng, 1, 4))
        emit(g, "mad.lo.u32 %%r%u, %%r%u, 1664525, %%r1;\n", gen_reg(g), gen_reg(g));
}

static inline void gen_predicated(struct gen *g)
{
    uint32_t p = 2 + rng_below(&g->rng, 4);
    emit(g, "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n", p, gen_reg(g), gen_reg(g));
    gen_alu(g);
    emit(g, "@%s%%p%u add.u32 %%r%u, %%r%u, 12345;\n", rng_chance(&g->rng, 1, 2) ? "!" : "", p,
         gen_reg(g), gen_reg(g));
}

/* Loads right behind each other, some overwriting addresses of their own or of older ones. */
static inline void gen_loads(struct gen *g)
{
    gen_address(g, 5, 16);
    gen_address(g, 6, 8);
    gen_address(g, 7, 8);
    uint32_t n = 1 + rng_below(&g->rng, 4);
    uint32_t a = gen_reg(g);
    for (uint32_t i = 0; i < n; i++) {
        switch (rng_below(&g->rng, 7)) {
        case 0:
            emit(g, "ld.global.u32 %%r%u, [%%rd5+%u];\n", a, 4 * rng_below(&g->rng, 4));
            break;
        case 1:
            emit(g, "ld.global.u64 %%rd8, [%%rd6];\n");
            break;
        case 2: /* its own address */
            emit(g, "ld.global.u64 %%rd6, [%%rd6];\nand.b64 %%rd6, %%rd6, 1016;\n"
                    "add.s64 %%rd6, %%rd6, %%rd10;\n");
            break;
        case 3: /* the address of an older one */
            emit(g,
                 "ld.global.u32 %%r31, [%%rd6];\nld.global.u64 %%rd6, [%%rd7];\n"
                 "ld.global.u64 %%rd7, [%%rd5];\nand.b64 %%rd6, %%rd6, 2040;\n"
                 "and.b64 %%rd7, %%rd7, 4088;\nadd.s64 %%rd6, %%rd6, %%rd10;\n"
                 "add.s64 %%rd7, %%rd7, %%rd10;\nadd.u32 %%r%u, %%r%u, %%r31;\n",
                 a, a);
            break;
        case 4:
            emit(g,
                 "ld.global.v4.u32 {%%r31, %%r32, %%r33, %%r34}, [%%rd5];\n"
                 "add.u32 %%r%u, %%r32, %%r34;\n",
                 gen_reg(g));
            break;
        case 5:
            emit(g, "ld.global.cg.s16 %%r%u, [%%rd5+2];\n", gen_reg(g));
            break;
        default:
            emit(g, "ld.volatile.global.u32 %%r%u, [%%rd5];\n", gen_reg(g));
            break;
        }
    }
    emit(g, "cvt.u32.u64 %%r31, %%rd8;\nxor.b32 %%r%u, %%r%u, %%r31;\n", gen_reg(g), gen_reg(g));
}

static inline void gen_statement(struct gen *g);

static inline void gen_if(struct gen *g)
{
    uint32_t l = g->label++;
    emit(g, "and.b32 %%r30, %%r%u, %u;\nsetp.eq.u32 %%p1, %%r30, 0;\n@%%p1 bra $else%u;\n",
         gen_reg(g), 1u << rng_below(&g->rng, 5), l);
    gen_statement(g);
    gen_statement(g);
    if (rng_chance(&g->rng, 1, 2)) /* ends with a load: the next one issued is another path's */
        emit(g, "ld.global.u32 %%r%u, [%%rd5];\n", gen_reg(g));
    emit(g, "bra $end%u;\n$else%u:\n", l, l);
    gen_statement(g);
    if (rng_chance(&g->rng, 1, 2))
        emit(g, "ld.global.u32 %%r%u, [%%rd6];\n", gen_reg(g));
    emit(g, "$end%u:\n", l);
}

/* A loop of up to three rounds, different per lane. */
static inline void gen_loop(struct gen *g)
{
    uint32_t l = g->label++, counter = 35 + g->depth;
    emit(g,
         "and.b32 %%r%u, %%r%u, 3;\n$top%u:\nsetp.eq.u32 %%p1, %%r%u, 0;\n@%%p1 bra $out%u;\n"
         "sub.u32 %%r%u, %%r%u, 1;\n",
         counter, gen_reg(g), l, counter, l, counter, counter);
    gen_statement(g);
    emit(g, "bra $top%u;\n$out%u:\n", l, l);
}

static inline void gen_exchange(struct gen *g)
{
    uint32_t a = gen_reg(g);
    emit(g,
         "bar.sync 0;\nst.shared.u32 [%%r3], %%r%u;\nbar.sync 0;\nadd.u32 %%r30, %%r1, %u;\n"
         "rem.u32 %%r30, %%r30, %%r4;\nshl.b32 %%r30, %%r30, 2;\nadd.u32 %%r30, %%r30, %%r2;\n"
         "ld.shared.u32 %%r%u, [%%r30];\n",
         a, rng_below(&g->rng, 100), a);
}

static inline void gen_reduce(struct gen *g)
{
    uint32_t a = gen_reg(g);
    emit(g,
         "setp.gt.u32 %%p1, %%r%u, %%r%u;\nbar.red.popc.u32 %%r%u, 1, %%p1;\n"
         "bar.red.%s.pred %%p5, 2, %%p1;\n",
         gen_reg(g), gen_reg(g), a, rng_chance(&g->rng, 1, 2) ? "or" : "and");
}

static inline void gen_local(struct gen *g)
{
    emit(g,
         "and.b32 %%r30, %%r%u, 28;\ncvt.u64.u32 %%rd4, %%r30;\nadd.s64 %%rd5, %%rd11, %%rd4;\n"
         "st.local.u32 [%%rd5], %%r%u;\nadd.u32 %%r%u, %%r%u, 9;\nand.b32 %%r30, %%r%u, 28;\n"
         "cvt.u64.u32 %%rd4, %%r30;\nadd.s64 %%rd5, %%rd11, %%rd4;\nld.local.u32 %%r%u, [%%rd5];\n"
         "add.s64 %%rd5, %%rd10, 16;\nadd.s64 %%rd6, %%rd10, 64;\n",
         gen_reg(g), gen_reg(g), gen_reg(g), gen_reg(g), gen_reg(g), gen_reg(g));
}

/* The thread's own word. */
static inline void gen_own(struct gen *g)
{
    switch (rng_below(&g->rng, 4)) {
    case 0:
        emit(g, "red.global.add.u32 [%%rd12], %%r%u;\n", gen_reg(g));
        break;
    case 1:
        emit(g, "atom.global.add.u32 %%r%u, [%%rd12], 17;\n", gen_reg(g));
        break;
    case 2:
        emit(g, "st.global.u32 [%%rd12], %%r%u;\nmembar.gl;\n", gen_reg(g));
        break;
    default:
        emit(g, "ld.global.u32 %%r%u, [%%rd12];\n", gen_reg(g));
        break;
    }
}

static inline void gen_statement(struct gen *g)
{
    uint32_t kinds = g->depth < 3 ? 13 : 9;
    switch (rng_below(&g->rng, kinds)) {
    case 0:
    case 1:
    case 2:
        gen_alu(g);
        break;
    case 3:
    case 4:
        gen_predicated(g);
        break;
    case 5:
    case 6:
        gen_loads(g);
        break;
    case 7:
        gen_local(g);
        break;
    case 8:
        gen_own(g);
        break;
    case 9:
    case 10:
    case 11:
        g->depth++;
        gen_if(g);
        g->depth--;
        break;
    default:
        g->depth++;
        gen_loop(g);
        g->depth--;
        break;
    }
}

/* Kernel `bg`(out, table, own, rounds) for one-dimensional blocks of at most 512 threads. */
static inline void gen_kernel(struct gen *g)
{
    emit(g,
         ".visible .entry bg(.param .u64 out, .param .u64 table, .param .u64 own, "
         ".param .u32 rounds)\n{\n.shared .align 4 .b8 tile[2048];\n.local .align 16 .b8 "
         "frame[32];\n"
         ".reg .pred %%p<8>;\n.reg .b32 %%r<40>;\n.reg .b64 %%rd<16>;\n"
         "ld.param.u64 %%rd1, [out];\nld.param.u64 %%rd10, [table];\nld.param.u64 %%rd12, [own];\n"
         "ld.param.u32 %%r5, [rounds];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r4, %%ntid.x;\n"
         "mov.u32 %%r6, %%ctaid.x;\nmad.lo.u32 %%r7, %%r6, %%r4, %%r1;\nmul.wide.u32 %%rd2, %%r7, "
         "%u;\n"
         "add.s64 %%rd1, %%rd1, %%rd2;\nmul.wide.u32 %%rd2, %%r7, 4;\nadd.s64 %%rd12, %%rd12, "
         "%%rd2;\n"
         "mov.u32 %%r2, tile;\nshl.b32 %%r3, %%r1, 2;\nadd.u32 %%r3, %%r3, %%r2;\nmov.u64 %%rd11, "
         "frame;\n"
         "mov.u64 %%rd8, 0;\nmov.u64 %%rd5, %%rd10;\nadd.s64 %%rd6, %%rd10, 8;\nmov.u64 %%rd7, "
         "%%rd10;\n"
         "mov.u32 %%r31, 0;\nsetp.eq.u32 %%p5, %%r1, 3;\n",
         GEN_RESULT);
    for (uint32_t i = 0; i < 32; i += 4)
        emit(g, "st.local.u32 [%%rd11+%u], %%r7;\n", i);
    for (uint32_t i = 0; i < GEN_STATE; i++)
        emit(g, "mad.lo.u32 %%r%u, %%r7, %u, %u;\n", 10 + i, 2654435761u * (i + 1), 12345 * i);
    emit(g, "$round:\n");
    uint32_t statements = 4 + rng_below(&g->rng, 8);
    for (uint32_t i = 0; i < statements; i++) {
        uint32_t kind = rng_below(&g->rng, 8);
        if (kind == 0)
            gen_exchange(g);
        else if (kind == 1)
            gen_reduce(g);
        else
            gen_statement(g);
    }
    emit(g, "@%%p5 add.u32 %%r11, %%r11, 1;\nsub.u32 %%r5, %%r5, 1;\nsetp.ne.u32 %%p7, %%r5, 0;\n"
            "@%%p7 bra $round;\n");
    for (uint32_t i = 0; i < GEN_STATE; i++)
        emit(g, "st.global.u32 [%%rd1+%u], %%r%u;\n", 4 * i, 10 + i);
    emit(g, "ret;\n}\n");
}

#endif
