/* The core's side of the event unit: each case of preemption by hand (EDGE IV-D). The background
 * kernels' results must be what they are without events. */
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

static const char *all_kernels(void)
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

static void fill(struct rig *rig, uint64_t address)
{
    for (uint32_t i = 0; i < MEMORY / 4; i++)
        rig_words(rig, address)[i] = i * 2654435761u;
    memset(rig_words(rig, address), 0, 8192);
}

struct background {
    const char *kernel;
    uint32_t blocks, threads, n, latency; /* latency: of the network */
};

static void open_background(struct fixture *f, const struct core_config *config,
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

static void open_fixture(struct fixture *f, const struct core_config *config, const char *kernel,
                         uint32_t blocks, uint32_t threads, uint32_t n)
{
    const struct background bg = {kernel, blocks, threads, n, 20};
    open_background(f, config, &bg);
}

static void set_event_k(struct fixture *f, uint32_t k)
{
    memcpy(f->rig.image.base + f->event_param + PARAM_HEADER_BYTES + 8, &k, 4);
}

static void check_event(struct fixture *f, uint32_t ntid)
{
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(rig_words(&f->rig, f->event_out)[i], i * 3 + 1);
        assert_int_equal(rig_words(&f->rig, f->event_out)[32 + i], 256 + ntid);
    }
    memset(rig_words(&f->rig, f->event_out), 0, 256);
}

/* Lets everything end and compares with the undisturbed run. */
static void close_fixture(struct fixture *f)
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

/* --- the paths of an event ----------------------------------------------------------------------
 */

static void test_fresh(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    config.blocks = 1;
    open_fixture(&f, &config, "compute", 1, 96, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 100);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.core_free_slot, 3);
    uint16_t before = f.rig.in.core_free_regs;
    assert_true(unit_start(&f.unit, "event", f.event_param, 3, true, false));
    f.unit.event[0].dims = 8 | 4 << 6 | 1 << 12;
    unit_until(&f.unit, &f.unit.pushed, 1);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.core_free_slot, 4);
    assert_int_equal(before - f.rig.in.core_free_regs, unit_regs(rig_kernel(&f.rig, "event")));
    unit_until(&f.unit, &f.unit.completed, 1);
    check_event(&f, 8);
    assert_int_equal(f.rig.started, 1);
    assert_int_equal(f.rig.started_tag, 1000);
    assert_true(rig_stats(&f.rig).event_warp_instructions > 20);
    close_fixture(&f);
}

/* A victim in the middle of computing: saved and restored through memory, or beside it in spare
 * registers. */
static void take_computing(bool spare)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 2, 64, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    struct memsys_stats before, after;
    memsys_stats(f.rig.memsys, &before);
    core_event_inputs(f.rig.core, &f.rig.in);
    uint16_t free_regs = f.rig.in.core_free_regs;
    assert_true(unit_start(&f.unit, "event", f.event_param, 1, false, spare));
    unit_until(&f.unit, &f.unit.pushed, 1);
    core_event_inputs(f.rig.core, &f.rig.in);
    uint32_t regs = rig_kernel(&f.rig, "event")->regs;
    assert_int_equal(free_regs - f.rig.in.core_free_regs, spare ? regs / EVG_REG_UNIT : 0);
    unit_until(&f.unit, &f.unit.completed, 1);
    unit_steps(&f.unit, 2);
    check_event(&f, 32);
    memsys_stats(f.rig.memsys, &after);
    struct core_stats s = rig_stats(&f.rig);
    assert_int_equal(s.registers_saved, spare ? 0 : regs);
    assert_int_equal(s.registers_restored, spare ? 0 : regs);
    /* The event stores two lines; every saved register is a write, every restored one a read. */
    assert_int_equal(after.requests[REQUEST_WRITE] - before.requests[REQUEST_WRITE],
                     2 + (spare ? 0 : regs));
    assert_true(after.requests[REQUEST_READ] - before.requests[REQUEST_READ] >= (spare ? 0 : regs));
    close_fixture(&f);
}

static void test_computing(void **state)
{
    (void)state;
    take_computing(false);
    take_computing(true);
}

/* While borrowed, the victim stands still and the others of its block go on; the event has the
 * highest priority although it is the youngest. */
static void test_long_event(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 128, 2000);
    set_event_k(&f, 3000);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 2, false, false));
    unit_until(&f.unit, &f.unit.pushed, 1);
    struct core_stats before = rig_stats(&f.rig);
    uint64_t start = f.rig.cycle;
    unit_until(&f.unit, &f.unit.completed, 1);
    struct core_stats after = rig_stats(&f.rig);
    uint64_t own = after.event_warp_instructions - before.event_warp_instructions;
    assert_true(own >= 9000);
    /* Three instructions per round, each waiting for the one before: 2 latencies and the branch. */
    uint64_t round = 2 * f.rig.config.latency[TIMING_INT] + 4;
    assert_true(f.rig.cycle - start < 3000 * round + 1000);
    assert_true(after.warp_instructions - before.warp_instructions - own > 3 * own / 2);
    assert_int_equal(rig_words(&f.rig, f.event_out)[0], 3000);
    close_fixture(&f);
}

/* One scheduler and one unit, kept busy by older warps: the event and the victim to be flushed go
 * first, or else the event would wait for them all. */
static uint64_t busy_flush(uint32_t opts)
{
    struct fixture f;
    struct core_config config = rig_config();
    config.schedulers = config.units[UNIT_SP] = 1;
    open_fixture(&f, &config, "busy", 1, 256, 300);
    f.unit.opts = opts;
    set_event_k(&f, 300);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 1000);
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(unit_start(&f.unit, "long_event", f.event_param, 7, false, true));
        unit_until(&f.unit, &f.unit.pushed, i + 1);
        cycles += f.unit.flush_cycles;
        uint64_t start = f.rig.cycle;
        unit_until(&f.unit, &f.unit.completed, i + 1);
        /* Two latencies and the branch with its fetch per round, and its few memory accesses. */
        assert_true(f.rig.cycle - start < 300 * (2 * config.latency[TIMING_INT] + 4) + 1000);
        unit_steps(&f.unit, 97);
    }
    close_fixture(&f);
    return cycles;
}

static void test_priority(void **state)
{
    (void)state;
    uint64_t with = busy_flush(EVG_OPT_PRIORITY), without = busy_flush(0);
    assert_true(with < 8 * 8 * 20);
    assert_true(without > 3 * with);
}

static void test_several_events(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 128, 3000);
    set_event_k(&f, 500);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 100);
    for (uint32_t i = 0; i < EVG_PEWT_ENTRIES; i++) {
        assert_true(unit_start(&f.unit, "long_event", f.event_param, i, false, i & 1));
        unit_until(&f.unit, &f.unit.pushed, i + 1);
    }
    assert_false(unit_start(&f.unit, "long_event", f.event_param, 0, false, false));
    /* All four warps of the block are borrowed at once. */
    uint64_t before = rig_stats(&f.rig).warp_instructions;
    uint64_t own = rig_stats(&f.rig).event_warp_instructions;
    unit_steps(&f.unit, 200);
    assert_int_equal(rig_stats(&f.rig).warp_instructions - before,
                     rig_stats(&f.rig).event_warp_instructions - own);
    unit_until(&f.unit, &f.unit.completed, EVG_PEWT_ENTRIES);
    assert_int_equal(f.rig.started, EVG_PEWT_ENTRIES);
    close_fixture(&f);
}

/* --- loads --------------------------------------------------------------------------------------
 */

/* Steps until the warp's state on the vic_ ports is as wanted. */
static void watch(struct fixture *f, uint32_t warp, bool (*wanted)(const struct sm_event_unit_in *))
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

static bool two_loads(const struct sm_event_unit_in *in)
{
    return in->vic_loads && !in->vic_younger && !in->vic_pipe;
}

/* Loads dropped and replayed; their replies come while the event runs, or after it. */
static void drop_loads(bool spare, uint32_t wait)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "load", 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400 + wait);
    for (uint32_t i = 0; i < 12; i++) {
        watch(&f, i & 1, two_loads);
        unit_steps(&f.unit, i * 5);
        if (!unit_start(&f.unit, "event", f.event_param, i & 1, false, spare))
            break;
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_true(rig_stats(&f.rig).loads_dropped >= 6);
    close_fixture(&f);
}

static void test_drop_loads(void **state)
{
    (void)state;
    for (uint32_t wait = 0; wait < 24; wait += 3) {
        drop_loads(true, wait);
        drop_loads(false, wait);
    }
}

/* Flushed by a drop at once; without it the loads' time passes. */
static void test_drop_is_fast(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (int drop = 0; drop < 2; drop++) {
        struct fixture f;
        struct core_config config = rig_config();
        open_fixture(&f, &config, "load", 1, 32, 60);
        if (!drop)
            f.unit.opts &= ~(uint32_t)EVG_OPT_DROP_LOADS;
        rig_launch(&f.rig, &f.grid);
        unit_steps(&f.unit, 400);
        watch(&f, 0, two_loads);
        assert_true(unit_start(&f.unit, "event", f.event_param, 0, false, true));
        unit_until(&f.unit, &f.unit.pushed, 1);
        cycles[drop] = f.unit.flush_cycles;
        assert_int_equal(rig_stats(&f.rig).loads_dropped != 0, drop);
        close_fixture(&f);
    }
    assert_true(cycles[1] <= 3);
    assert_true(cycles[0] > 40);
}

static bool younger(const struct sm_event_unit_in *in)
{
    return in->vic_loads && in->vic_younger && !in->vic_pipe;
}

/* An independent instruction behind the load has completed: the load must not be dropped. */
static void keep_loads(const char *kernel)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, kernel, 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400);
    for (uint32_t i = 0; i < 8; i++) {
        watch(&f, i & 1, younger);
        assert_true(unit_start(&f.unit, "event", f.event_param, i & 1, false, i & 2));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_int_equal(rig_stats(&f.rig).loads_dropped, 0);
    close_fixture(&f);
}

static void test_younger(void **state)
{
    (void)state;
    keep_loads("younger");
    keep_loads("younger_hit"); /* the instruction is a load that has returned */
}

/* Told to drop them all the same, the core says so. */
static void test_drop_younger(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "younger", 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400);
    watch(&f, 0, younger);
    f.rig.out.vic_valid = 1;
    f.rig.out.cmd_drop = 1;
    core_event_commands(f.rig.core, &f.rig.out);
    assert_false(rig_tick(&f.rig));
    assert_non_null(strstr(f.rig.err.text, "younger"));
    rig_close(&f.rig);
}

/* --- barriers ------------------------------------------------------------------------------------
 */

static bool at_barrier(const struct sm_event_unit_in *in)
{
    return in->vic_barrier;
}

/* The victim waits at a barrier; the event is longer or shorter than the others take to arrive. */
static void borrow_at_barrier(const char *kernel, const char *event, uint32_t k, bool spare)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, kernel, 2, 128, 4000);
    set_event_k(&f, k);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    for (uint32_t i = 0; i < 20; i++) {
        watch(&f, i % 8, at_barrier);
        assert_true(unit_start(&f.unit, event, f.event_param, i % 8, false, spare));
        unit_until(&f.unit, &f.unit.completed, f.unit.completed + 1);
    }
    close_fixture(&f);
}

static void test_barrier(void **state)
{
    (void)state;
    for (int spare = 0; spare < 2; spare++) {
        borrow_at_barrier("barrier", "long_event", 1, spare);
        borrow_at_barrier("barrier", "long_event", 500, spare);
        /* What bar.red returns is not lost in registers that belong to the event. */
        borrow_at_barrier("reduce", "event", 3, spare);
    }
}

/* Deterministic: a barrier that completes while its warp is borrowed, and one that does not. Warp 1
 * is held (hold, no i-buffer) so that it cannot arrive. */
static void hold(struct fixture *f, uint32_t warp, bool on)
{
    f->rig.out.vic_valid = f->rig.out.cmd_hold = f->rig.out.cmd_flush = on;
    f->rig.out.vic_warp = (uint8_t)warp;
}

static void test_barrier_completes_or_not(void **state)
{
    (void)state;
    for (int completes = 0; completes < 2; completes++) {
        struct fixture f;
        struct core_config config = rig_config();
        open_fixture(&f, &config, "barrier", 1, 64, 100);
        set_event_k(&f, 300);
        rig_launch(&f.rig, &f.grid);
        unit_steps(&f.unit, 300);
        hold(&f, 1, true);
        unit_steps(&f.unit, 200); /* warp 0 waits at its barrier for warp 1 */
        hold(&f, 1, false);
        f.unit.rig->out.vic_valid = 0;
        assert_true(unit_start(&f.unit, "long_event", f.event_param, 0, false, true));
        unit_until(&f.unit, &f.unit.pushed, 1);
        uint64_t before = rig_stats(&f.rig).barriers;
        hold(&f, 1, !completes);
        bool seen = false;
        while (!f.unit.completed) {
            unit_steps(&f.unit, 1);
            f.rig.out.cmd_flush = !completes;
            seen |= f.rig.in.bar_done & 1;
        }
        uint64_t passed = rig_stats(&f.rig).barriers - before;
        assert_int_equal(seen, completes);
        assert_int_equal(f.unit.event[0].at_barrier, !completes);
        if (completes) {
            assert_int_equal(passed, 1); /* the next one needs the victim */
        } else {
            assert_int_equal(passed, 0);
            unit_steps(&f.unit, 200); /* back at the barrier, it goes on waiting */
            assert_int_equal(rig_stats(&f.rig).barriers - before, 0);
        }
        hold(&f, 1, false);
        close_fixture(&f);
    }
}

static void wrong_release(bool early, const char *text)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "barrier", 1, 64, 100);
    set_event_k(&f, 300);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    hold(&f, 1, true);
    unit_steps(&f.unit, 200);
    hold(&f, 1, false);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 0, false, true));
    unit_until(&f.unit, &f.unit.pushed, 1);
    hold(&f, 1, early);
    bool ok = true;
    for (uint32_t n = 0; ok && n < 20000; n++) {
        f.rig.out.cmd_flush = early;
        f.unit.event[0].at_barrier = !early;
        ok = unit_step(&f.unit);
    }
    assert_false(ok);
    if (!strstr(f.rig.err.text, text))
        fail_msg("%s", f.rig.err.text);
    rig_close(&f.rig);
}

static void test_wrong_release(void **state)
{
    (void)state;
    wrong_release(true, "early");
    wrong_release(false, "has completed");
}

/* --- atomics and fences
 * --------------------------------------------------------------------------- */

static bool atomics(const struct sm_event_unit_in *in)
{
    return in->vic_atomic;
}

static void wait_for_atomics(const char *kernel)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, kernel, 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    for (uint32_t i = 0; i < 8; i++) {
        watch(&f, i & 1, atomics);
        assert_true(unit_start(&f.unit, "event", f.event_param, i & 1, false, i & 2));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_true(f.unit.flush_cycles > 8 * 5);
    assert_true(rig_stats(&f.rig).flush_cycles[CAUSE_FENCE] > 8 * 5);
    close_fixture(&f);
}

static void test_atomics(void **state)
{
    (void)state;
    wait_for_atomics("atomic");
    wait_for_atomics("fence");
}

/* A victim's stores may be on their way while the event runs and after it has ended: each
 * acknowledgement counts for whom it belongs to. */
static void borrow_storing(uint32_t events)
{
    struct fixture f;
    struct core_config config = rig_config();
    const struct background bg = {"store", 1, 64, 400, 300};
    open_background(&f, &config, &bg);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 1000);
    for (uint32_t i = 0; i < events; i++) {
        assert_true(
            unit_start(&f.unit, i % 5 == 4 ? "event" : "tiny", f.event_param, i & 1, false, true));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        unit_steps(&f.unit, i % 7);
    }
    unit_finish(&f.unit, &f.grid);
    assert_true(memsys_idle(f.rig.memsys)); /* the end waits for every store */
    close_fixture(&f);
}

static void test_stores_in_flight(void **state)
{
    (void)state;
    borrow_storing(2); /* the first one fetches its code, the second one is over at once */
    borrow_storing(20);
}

/* --- victims that go, and resources that are gone
 * -------------------------------------------------- */

/* The held victim executes exit out of its i-buffer. */
static void test_victim_exits(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "quick", 200, 64, 0);
    f.unit.opts = 0; /* the i-buffer is issued, not flushed */
    uint32_t start = 0;
    while (f.grid.blocks_done < f.grid.total_blocks) {
        rig_launch(&f.rig, &f.grid);
        start = (start * 5 + 3) % 8;
        unit_start(&f.unit, "event", f.event_param, start, false, true);
        unit_steps(&f.unit, 1);
    }
    assert_true(f.unit.gone > 3);
    close_fixture(&f);
}

/* The slot of a victim that exited is launched again before the next edge: still seen as gone. */
static void test_relaunched_slot(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    config.blocks = 1;
    open_fixture(&f, &config, "tiny", 2, 32, 0);
    rig_launch(&f.rig, &f.grid);
    f.rig.out.vic_valid = 1;
    core_event_inputs(f.rig.core, &f.rig.in);
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.vic_alive, 1);
    while (f.grid.blocks_done == 0)
        assert_true(rig_tick(&f.rig));
    rig_launch(&f.rig, &f.grid);
    assert_int_equal(f.grid.next_block, 2);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.vic_alive, 0);
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.vic_alive, 1);
    f.rig.out.vic_valid = 0;
    close_fixture(&f);
}

static void expect_push_fail(struct fixture *f, const char *kernel, uint32_t warp, bool fresh,
                             bool spare)
{
    uint32_t failed = f->unit.failed;
    assert_true(unit_start(&f->unit, kernel, f->event_param, warp, fresh, spare));
    unit_until(&f->unit, &f->unit.failed, failed + 1);
    assert_int_equal(f->unit.pushed, 0);
}

static void test_push_fails(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    struct error ignored = {0};
    struct module *m = module_parse("test.ptx", all_kernels(), strlen(all_kernels()), &ignored);
    assert_non_null(m);
    config.registers = module_kernel(m, "compute")->regs * 32 * 4;
    module_free(m);
    open_fixture(&f, &config, "compute", 1, 128, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    expect_push_fail(&f, "event", 2, true, false); /* the context is taken */
    expect_push_fail(&f, "event", 9, true, false); /* free, but no registers */
    expect_push_fail(&f, "event", 2, false, true); /* no spare registers */
    close_fixture(&f);
    /* The register rule: the victim has fewer registers than the event. */
    config = rig_config();
    open_fixture(&f, &config, "tiny", 1, 32, 0);
    hold(&f, 0, true);
    core_event_commands(f.rig.core, &f.rig.out);
    rig_launch(&f.rig, &f.grid);
    expect_push_fail(&f, "event", 0, false, true);
    hold(&f, 0, false);
    f.rig.out.cmd_flush = 0;
    close_fixture(&f);
}

static void test_push_unflushed(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 64, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    f.unit.event[0] = (struct unit_event){
        .kernel = rig_kernel(&f.rig, "event"), .mask = FULL_MASK, .dims = 32, .spare = true};
    unit_push(&f.unit);
    core_event_commands(f.rig.core, &f.rig.out);
    assert_false(rig_tick(&f.rig));
    assert_non_null(strstr(f.rig.err.text, "not flushed"));
    rig_close(&f.rig);
}

/* --- the scan of candidates
 * ------------------------------------------------------------------------ */

static uint32_t bits(const uint32_t *words, uint32_t at, uint32_t width)
{
    uint64_t two = words[at / 32] | (at % 32 + width > 32 ? (uint64_t)words[at / 32 + 1] << 32 : 0);
    return (uint32_t)(two >> at % 32) & ((1u << width) - 1);
}

static void test_candidates(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 32 * 11, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 200);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 9, false, true));
    unit_until(&f.unit, &f.unit.pushed, 1);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 12, true, false));
    unit_until(&f.unit, &f.unit.pushed, 2);
    struct sm_event_unit_in *in = &f.rig.in;
    core_event_inputs(f.rig.core, in);
    assert_int_equal(in->cand_valid, 0);
    f.rig.out.cand_req = 1;
    f.rig.out.cand_req_group = 1;
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, in);
    assert_int_equal(in->cand_valid, 1);
    assert_int_equal(in->cand_group, 1);
    assert_int_equal(in->cand_ok, 0x05); /* 8 and 10; 9 is borrowed, 11 free, 12 an event */
    assert_int_equal(in->core_now, 12);
    assert_int_equal(bits(in->cand_stamp, 0, 16), 8);
    assert_int_equal(bits(in->cand_stamp, 32, 16), 10);
    uint32_t units = f.grid.kernel->regs / EVG_REG_UNIT;
    assert_int_equal(in->cand_regs, units | (uint64_t)units << 14);
    uint32_t pipe = bits(in->cand_pipe, 0, 9);
    assert_in_range(pipe, 0, f.rig.config.latency[TIMING_INT]);
    f.rig.out.cand_req = 0;
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, in);
    assert_int_equal(in->cand_valid, 0);
    close_fixture(&f);
}

/* A constant access that waits for memory: nobody knows when it ends. */
static void test_candidate_missing_constant(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 32, 40);
    rig_launch(&f.rig, &f.grid);
    f.rig.out.cand_req = 1;
    f.rig.out.cand_req_group = 0;
    bool unknown = false;
    for (uint32_t n = 0; n < 300; n++) {
        unit_steps(&f.unit, 1);
        unknown |= bits(f.rig.in.cand_pipe, 0, 9) == 511;
    }
    assert_true(unknown);
    assert_true(bits(f.rig.in.cand_pipe, 0, 9) < 511);
    f.rig.out.cand_req = 0;
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_computing),
        cmocka_unit_test(test_long_event),
        cmocka_unit_test(test_priority),
        cmocka_unit_test(test_several_events),
        cmocka_unit_test(test_drop_loads),
        cmocka_unit_test(test_drop_is_fast),
        cmocka_unit_test(test_younger),
        cmocka_unit_test(test_drop_younger),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_barrier_completes_or_not),
        cmocka_unit_test(test_wrong_release),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_stores_in_flight),
        cmocka_unit_test(test_victim_exits),
        cmocka_unit_test(test_relaunched_slot),
        cmocka_unit_test(test_push_fails),
        cmocka_unit_test(test_push_unflushed),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_candidate_missing_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
