/* Background kernels, event kernels, and a rig that compares with the undisturbed run. */
#ifndef EVGPU_TESTS_SIMT_EVENT_FIXTURE_H
#define EVGPU_TESTS_SIMT_EVENT_FIXTURE_H

#include "unit.h"

/* The event writes 32 words: lane * k + 1, and what it sees of itself after them. It uses many
 * registers and predicates, so that what it does not give back is seen. */
#define EVENT                                                                                      \
    ".visible .entry event(.param .u64 dst, .param .u32 k)\n{\n.reg .pred %p<8>;\n"                \
    ".reg .b32 %r<40>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [dst];\nld.param.u32 %r1, [k];\n"    \
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %tid.y;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %ctaid.x;\n"  \
    "mov.u32 %r6, %nctaid.x;\nmad.lo.u32 %r7, %r3, %r4, %r2;\nmul.wide.u32 %rd2, %r7, 4;\n"        \
    "add.s64 %rd3, %rd1, %rd2;\nsetp.gt.u32 %p1, %r7, 3;\nsetp.lt.u32 %p2, %r7, 1000;\n"           \
    "setp.eq.u32 %p3, %r7, 77;\nmov.u32 %r20, 201;\nmov.u32 %r21, 202;\nmov.u32 %r22, 203;\n"      \
    "mov.u32 %r23, 204;\nadd.u32 %r24, %r20, %r21;\nadd.u32 %r24, %r24, %r22;\n"                   \
    "add.u32 %r24, %r24, %r23;\nsub.u32 %r24, %r24, 810;\nmad.lo.u32 %r8, %r7, %r1, %r24;\n"       \
    "add.u32 %r8, %r8, 1;\nbar.sync 0;\nst.global.u32 [%rd3], %r8;\nshl.b32 %r9, %r5, 16;\n"       \
    "shl.b32 %r10, %r6, 8;\nadd.u32 %r9, %r9, %r10;\nadd.u32 %r9, %r9, %r4;\n"                     \
    "st.global.u32 [%rd3+128], %r9;\nret;\n}\n"

/* An event that computes for k rounds. */
#define LONG_EVENT                                                                                 \
    ".visible .entry long_event(.param .u64 dst, .param .u32 k)\n{\n.reg .pred %p<2>;\n"           \
    ".reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [dst];\nld.param.u32 %r1, [k];\n"     \
    "mov.u32 %r2, 0;\n$again:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra "        \
    "$again;\n"                                                                                    \
    "st.global.u32 [%rd1], %r2;\nret;\n}\n"

/* Registers, predicates and a loop: the result depends on every iteration. Stores r at the end. */
#define LOOP(name, inside)                                                                         \
    RIG_KERNEL(name, "mov.u32 %r5, 0;\nmov.u32 %r6, %r1;\nmov.u32 %r20, 11;\nmov.u32 %r21, 22;\n"  \
                     "add.u32 %r22, %r1, 33;\nadd.u32 %r23, %r1, 44;\nadd.u32 %r24, %r1, 55;\n"    \
                     "and.b32 %r25, %r1, 5;\nsetp.eq.u32 %p2, %r25, 4;\n"                          \
                     "$loop:\n" inside "mad.lo.u32 %r6, %r6, 5, %r5;\n@%p2 add.u32 %r6, %r6, 7;\n" \
                     "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r0;\n@%p1 bra $loop;\n"         \
                     "add.u32 %r20, %r20, %r21;\nadd.u32 %r22, %r22, %r23;\n"                      \
                     "add.u32 %r20, %r20, %r22;\nadd.u32 %r20, %r20, %r24;\n"                      \
                     "add.u32 %r6, %r6, %r20;\nst.global.u32 [%rd2], %r6;\nret;")

/* A line of its own in every round, far from the caches. */
#define COLD "mad.lo.u32 %r7, %r5, 4352, 0;\ncvt.u64.u32 %rd5, %r7;\nadd.s64 %rd5, %rd5, %rd2;\n"
#define SUM  "add.u32 %r6, %r6, %r8;\nadd.u32 %r6, %r6, %r9;\n"

static const char compute[] = LOOP("compute", "");
static const char barrier[] = LOOP("barrier", "bar.sync 0;\n");
static const char reduce[] =
    LOOP("reduce", "xor.b32 %r26, %r6, %r1;\nsetp.gt.u32 %p3, %r26, 2147483647;\n"
                   "bar.red.popc.u32 %r27, 0, %p3;\nadd.u32 %r6, %r6, %r27;\n");
static const char busy[] =
    LOOP("busy", "add.u32 %r7, %r1, %r1;\nadd.u32 %r8, %r1, %r5;\nadd.u32 %r9, %r1, %r3;\n"
                 "add.u32 %r10, %r1, %r1;\nadd.u32 %r11, %r1, %r5;\nadd.u32 %r12, %r1, %r3;\n"
                 "add.u32 %r13, %r1, %r1;\nadd.u32 %r14, %r1, %r5;\nadd.u32 %r15, %r1, %r3;\n"
                 "add.u32 %r16, %r1, %r1;\nadd.u32 %r17, %r1, %r5;\nadd.u32 %r18, %r1, %r3;\n"
                 "add.u32 %r6, %r7, %r8;\nadd.u32 %r9, %r9, %r10;\nadd.u32 %r11, %r11, %r12;\n"
                 "add.u32 %r13, %r13, %r14;\nadd.u32 %r15, %r15, %r16;\nadd.u32 %r6, %r6, %r9;\n"
                 "add.u32 %r6, %r6, %r11;\nadd.u32 %r6, %r6, %r13;\nadd.u32 %r6, %r6, %r15;\n"
                 "add.u32 %r6, %r6, %r17;\nadd.u32 %r6, %r6, %r18;\n");
static const char store[] = LOOP("store", "st.global.u32 [%rd2+4096], %r5;\n");
static const char load[] = LOOP("load", COLD "ld.global.u32 %r8, [%rd5+8192];\n"
                                             "ld.global.u32 %r9, [%rd5+12288];\n" SUM);
static const char younger_add[] = LOOP("younger", COLD "ld.global.u32 %r8, [%rd5+8192];\n"
                                                       "add.u32 %r9, %r5, %r5;\n" SUM);
static const char younger_hit[] = LOOP("younger_hit", COLD "ld.global.u32 %r8, [%rd5+8192];\n"
                                                           "ld.global.u32 %r9, [%rd2];\n" SUM);
static const char atomic[] =
    LOOP("atomic", "red.global.add.u32 [%rd2+4096], 3;\nadd.u32 %r6, %r6, 1;\n");
static const char fence[] = LOOP("fence", "st.global.u32 [%rd2+4096], %r5;\nmembar.gl;\n");
static const char small[] =
    RIG_KERNEL("quick", "st.global.u32 [%rd2], %r1;\nret;") RIG_KERNEL("tiny", "ret;");

static inline const char *all_kernels(void)
{
    static char text[32768];
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s%s%s%s", RIG_PTX EVENT LONG_EVENT, compute,
             barrier, reduce, busy, store, load, younger_add, younger_hit, atomic, fence, small);
    return text;
}

struct fixture {
    struct rig rig;
    struct unit unit;
    uint64_t out, event_out, event_param;
    struct grid grid;
    uint32_t expect[1024]; /* of the background kernel without events */
};

#define MEMORY (512u << 10) /* bytes the background kernels may touch */

static inline void fill(struct rig *rig, uint64_t address)
{
    for (uint32_t i = 0; i < MEMORY / 4; i++)
        rig_words(rig, address)[i] = i * 2654435761u;
    memset(rig_words(rig, address), 0, 8192);
}

struct background {
    const char *kernel;
    uint32_t blocks, threads, n, latency; /* latency: of the network */
};

static inline void open_background(struct fixture *f, const struct core_config *config,
                                   const struct background *bg)
{
    memset(f, 0, sizeof *f);
    for (int disturbed = 0; disturbed < 2; disturbed++) {
        rig_open_far(&f->rig, config, all_kernels(), bg->latency);
        f->out = rig_alloc(&f->rig, MEMORY);
        f->event_out = rig_alloc(&f->rig, 4096);
        f->event_param = rig_alloc(&f->rig, 256);
        fill(&f->rig, f->out);
        f->grid =
            rig_grid(&f->rig, bg->kernel, bg->blocks, bg->threads, 2, (uint64_t[]){f->out, bg->n});
        if (disturbed)
            break;
        assert_true(rig_finish(&f->rig, &f->grid));
        memcpy(f->expect, rig_words(&f->rig, f->out), 4096);
        rig_close(&f->rig);
    }
    f->unit.rig = &f->rig;
    f->unit.opts =
        EVG_OPT_PRIORITY | EVG_OPT_FLUSH_IBUF | EVG_OPT_SKIP_BARRIER | EVG_OPT_DROP_LOADS;
    uint8_t *param = f->rig.image.base + f->event_param;
    uint32_t k = 3;
    memcpy(param + PARAM_HEADER_BYTES, &f->event_out, 8);
    memcpy(param + PARAM_HEADER_BYTES + 8, &k, 4);
}

static inline void open_fixture(struct fixture *f, const struct core_config *config,
                                const char *kernel, uint32_t blocks, uint32_t threads, uint32_t n)
{
    const struct background bg = {kernel, blocks, threads, n, 20};
    open_background(f, config, &bg);
}

static inline void set_event_k(struct fixture *f, uint32_t k)
{
    memcpy(f->rig.image.base + f->event_param + PARAM_HEADER_BYTES + 8, &k, 4);
}

static inline void check_event(struct fixture *f, uint32_t ntid)
{
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(rig_words(&f->rig, f->event_out)[i], i * 3 + 1);
        assert_int_equal(rig_words(&f->rig, f->event_out)[32 + i], 256 + ntid);
    }
    memset(rig_words(&f->rig, f->event_out), 0, 256);
}

/* Lets everything end and compares with the undisturbed run. */
static inline void close_fixture(struct fixture *f)
{
    unit_finish(&f->unit, &f->grid);
    assert_memory_equal(rig_words(&f->rig, f->out), f->expect, 4096);
    assert_true(core_empty(f->rig.core));
    /* Everything has been given back. */
    unit_steps(&f->unit, 1);
    core_event_inputs(f->rig.core, &f->rig.in);
    assert_int_equal(f->rig.in.core_free_regs,
                     f->rig.config.registers / (EVG_REG_UNIT * WARP_SIZE));
    assert_int_equal(f->rig.in.core_free_warp, 1);
    assert_int_equal(f->rig.in.core_free_slot, 0);
    rig_close(&f->rig);
}
/* Steps until the warp's state on the vic_ ports is as wanted. */
static inline void watch(struct fixture *f, uint32_t warp,
                         bool (*wanted)(const struct sm_event_unit_in *))
{
    f->rig.out.vic_valid = 1;
    f->rig.out.vic_warp = (uint8_t)warp;
    for (uint32_t n = 0;; n++) {
        unit_steps(&f->unit, 1);
        core_event_inputs(f->rig.core, &f->rig.in);
        if (wanted(&f->rig.in))
            break;
        assert_true(n < RIG_LIMIT);
    }
    f->rig.out.vic_valid = 0;
}

/* Holds the warp without an i-buffer. */
static inline void hold(struct fixture *f, uint32_t warp, bool on)
{
    f->rig.out.vic_valid = f->rig.out.cmd_hold = f->rig.out.cmd_flush = on;
    f->rig.out.vic_warp = (uint8_t)warp;
}

#endif
