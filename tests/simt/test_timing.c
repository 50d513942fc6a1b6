/* When things happen: scoreboard latency, initiation interval, bank conflicts, coalescing, caches,
 * schedulers, warp limit. Cycles are compared between two kernels that differ in one thing, with
 * the caches warm, so that the numbers are exact. */
#include "rig.h"

#define REPEAT4(x)  x x x x
#define REPEAT16(x) REPEAT4(x) REPEAT4(x) REPEAT4(x) REPEAT4(x)
#define REPEAT32(x) REPEAT16(x) REPEAT16(x)
#define N           32

static struct rig *open_rig(const char *ptx, void (*change)(struct core_config *))
{
    static struct rig rig;
    struct core_config config = rig_config();
    if (change)
        change(&config);
    rig_open(&rig, &config, ptx);
    return &rig;
}

/* Cycles of one launch with warm caches. */
static uint64_t warm(struct rig *rig, const char *name, uint32_t threads, const uint64_t args[2])
{
    rig_run(rig, name, 1, threads, 2, args);
    rig_run(rig, name, 1, threads, 2, args);
    uint64_t start = rig->cycle;
    struct grid grid = rig_grid(rig, name, 1, threads, 2, args);
    /* The parameters of this launch are new to the constant cache: load them before. */
    grid.param = rig_alloc(rig, 256);
    memcpy(rig->image.base + grid.param, args, 12);
    assert_true(rig_finish(rig, &grid));
    grid.next_block = grid.blocks_done = 0;
    rig_ticks(rig, 1000);
    start = rig->cycle;
    assert_true(rig_finish(rig, &grid));
    return rig->cycle - start;
}

#define END "st.global.u32 [%rd2], %r5;\nret;"
#define DEP "add.u32 %r5, %r5, %r1;\n"
#define IND "add.u32 %r6, %r1, %r4;\n"

static void one_sp(struct core_config *k)
{
    k->units[UNIT_SP] = 1;
    k->units[UNIT_SFU] = 1;
}

static void test_dependent_chain(void **state)
{
    (void)state;
    struct rig *rig =
        open_rig(RIG_PTX RIG_KERNEL("short", "mov.u32 %r5, 1;\n" REPEAT16(DEP) END)
                     RIG_KERNEL("long", "mov.u32 %r5, 1;\n" REPEAT16(DEP) REPEAT32(DEP) END),
                 one_sp);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    uint64_t a = warm(rig, "short", 32, args), b = warm(rig, "long", 32, args);
    assert_int_equal(b - a, N * rig->config.latency[TIMING_INT]);
    rig_close(rig);
}

static void latency_330(struct core_config *k)
{
    one_sp(k);
    k->latency[TIMING_INT] = 331;
}

static void test_long_latency(void **state)
{
    (void)state;
    struct rig *rig =
        open_rig(RIG_PTX RIG_KERNEL("short", "mov.u32 %r5, 1;\n" REPEAT16(DEP) END)
                     RIG_KERNEL("long", "mov.u32 %r5, 1;\n" REPEAT16(DEP) REPEAT32(DEP) END),
                 latency_330);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    uint64_t a = warm(rig, "short", 32, args), b = warm(rig, "long", 32, args);
    assert_int_equal(b - a, N * 331);
    rig_close(rig);
}

/* Independent instructions of one warp issue one per cycle; with an interval, one per interval and
 * copy of the unit. */
#define RCP(d) "rcp.approx.ftz.f32 %f" d ", %f0;\n"
#define RCPS   RCP("1") RCP("2") RCP("3") RCP("4")

static uint64_t rcp_cycles(void (*change)(struct core_config *))
{
    struct rig *rig = open_rig(
        RIG_PTX RIG_KERNEL("short", "mov.u32 %r5, 1;\nmov.f32 %f0, 0f40000000;\n" REPEAT4(RCPS) END)
            RIG_KERNEL("long", "mov.u32 %r5, 1;\nmov.f32 %f0, 0f40000000;\n" REPEAT4(RCPS)
                                   REPEAT4(RCPS) REPEAT4(RCPS) END),
        change);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    uint64_t a = warm(rig, "short", 32, args), b = warm(rig, "long", 32, args);
    rig_close(rig);
    return b - a;
}

static void one_sfu_8(struct core_config *k)
{
    one_sp(k);
    k->interval[TIMING_SFU] = 8;
    k->latency[TIMING_SFU] = 8; /* the four destinations do not hold each other up */
}

static void two_sfu_8(struct core_config *k)
{
    one_sfu_8(k);
    k->units[UNIT_SFU] = 2;
}

static void test_interval(void **state)
{
    (void)state;
    assert_int_equal(rcp_cycles(one_sfu_8), N * 8);
    assert_int_equal(rcp_cycles(two_sfu_8), N * 4);
}

#define INDS                                                                                       \
    "add.u32 %r6, %r1, %r4;\nadd.u32 %r7, %r1, %r4;\nadd.u32 %r8, %r1, %r4;\n"                     \
    "add.u32 %r9, %r1, %r4;\nadd.u32 %r10, %r1, %r4;\nadd.u32 %r11, %r1, %r4;\n"                   \
    "add.u32 %r12, %r1, %r4;\nadd.u32 %r13, %r1, %r4;\n"

static const char independent[] = RIG_PTX RIG_KERNEL("short", "mov.u32 %r5, 1;\n" INDS INDS END)
    RIG_KERNEL("long", "mov.u32 %r5, 1;\n" INDS INDS INDS INDS INDS INDS END);

static void test_independent(void **state)
{
    (void)state;
    struct rig *rig = open_rig(independent, one_sp);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    uint64_t a = warm(rig, "short", 32, args), b = warm(rig, "long", 32, args);
    assert_int_equal(b - a, N);
    rig_close(rig);
}

static void two_sp(struct core_config *k)
{
    k->units[UNIT_SP] = 2;
}

static void one_scheduler(struct core_config *k)
{
    k->schedulers = 1;
}

static uint64_t two_warps(void (*change)(struct core_config *))
{
    struct rig *rig = open_rig(independent, change);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    uint64_t a = warm(rig, "short", 64, args), b = warm(rig, "long", 64, args);
    rig_close(rig);
    return b - a;
}

/* Two warps on two schedulers with two units run side by side; otherwise they take turns. */
static void test_schedulers(void **state)
{
    (void)state;
    assert_in_range(two_warps(two_sp), N, N + 2);
    assert_in_range(two_warps(one_sp), 2 * N - 2, 2 * N + 2);
    assert_in_range(two_warps(one_scheduler), 2 * N - 2, 2 * N + 2);
}

/* Greedy: a warp that is always ready goes on to the end before the next one starts; then oldest.
 * The last warp to reach the barrier releases it and goes on. */
static void test_greedy(void **state)
{
    (void)state;
    struct rig *rig = open_rig(
        RIG_PTX RIG_KERNEL("order", "mov.u32 %r5, 1;\nbar.sync 0;\n" INDS INDS INDS INDS INDS INDS
                                    "mov.u32 %r5, %clock;\n" END),
        one_scheduler);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    warm(rig, "order", 128, args);
    uint32_t *clock = rig_words(rig, args[0]);
    const uint32_t order[] = {3, 0, 1, 2};
    for (uint32_t i = 1; i < 4; i++)
        assert_in_range(clock[order[i] * 32] - clock[order[i - 1] * 32], 44, 54);
    rig_close(rig);
}

/* A warp is not given back before its pipelines are empty, even if nobody wants the result. */
static void test_exit_drains(void **state)
{
    (void)state;
    struct rig *rig = open_rig(RIG_PTX RIG_KERNEL("with", "div.u32 %r5, %r1, %r3;\nret;")
                                   RIG_KERNEL("without", "ret;"),
                               one_sp);
    uint64_t args[] = {rig_alloc(rig, 4096), 0};
    uint64_t a = warm(rig, "without", 32, args), b = warm(rig, "with", 32, args);
    assert_in_range(b - a, rig->config.latency[TIMING_INT_DIV] - 30, 200);
    rig_close(rig);
}

/* --- shared memory ---------------------------------------------------------------------------- */

/* A chain of shared loads whose address depends on the one before; the stride is the argument n. */
#define SHARED_CHAIN(name, type, chain)                                                            \
    ".visible .entry " name "(.param .u64 out, .param .u32 n)\n{\n"                                \
    ".shared .align 16 .b8 tile[8192];\n.reg .b32 %r<20>;\n.reg .b64 %rd<12>;\n"                   \
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\n"                    \
    "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd1, %rd3;\n"                                      \
    "mov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, %r0, %r2;\n" chain "mov.u32 %r5, %r3;\n" END "\n}\n"
#define LOAD4 "ld.shared.u32 %r4, [%r3];\nand.b32 %r4, %r4, 0;\nadd.u32 %r3, %r3, %r4;\n"
#define LOAD8                                                                                      \
    "ld.shared.u64 %rd4, [%r3];\ncvt.u32.u64 %r4, %rd4;\nand.b32 %r4, %r4, 0;\n"                   \
    "add.u32 %r3, %r3, %r4;\n"
#define LOAD16                                                                                     \
    "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\nand.b32 %r4, %r4, 0;\n"                        \
    "add.u32 %r3, %r3, %r4;\n"
#define ATOM4 "atom.shared.add.u32 %r4, [%r3], 0;\nand.b32 %r4, %r4, 0;\nadd.u32 %r3, %r3, %r4;\n"

static uint64_t shared_chain(const char *ptx, uint32_t stride)
{
    struct rig *rig = open_rig(ptx, NULL);
    uint64_t args[] = {rig_alloc(rig, 4096), stride};
    uint64_t a = warm(rig, "short", 32, args), b = warm(rig, "long", 32, args);
    rig_close(rig);
    assert_int_equal((b - a) % 16, 0);
    return (b - a) / 16;
}

#define CHAINS(type, load)                                                                         \
    RIG_PTX SHARED_CHAIN("short", type, REPEAT4(load))                                             \
        SHARED_CHAIN("long", type, REPEAT4(load) REPEAT16(load))

static void test_shared_conflicts(void **state)
{
    (void)state;
    const struct {
        uint32_t stride, cycles;
    } words[] = {{4, 1}, {0, 1}, {8, 2}, {16, 4}, {64, 16}, {128, 32}, {12, 1}, {132, 1}};
    uint64_t base = rig_config().shared_latency + 2 * rig_config().latency[TIMING_INT] - 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_int_equal(shared_chain(CHAINS("u32", LOAD4), words[i].stride),
                         base + words[i].cycles);
    /* Two halves of 16 lanes, each over all banks; stride 16: every half uses 16 banks twice. */
    uint64_t base8 = base + rig_config().latency[TIMING_INT];
    assert_int_equal(shared_chain(CHAINS("u64", LOAD8), 8), base8 + 2);
    assert_int_equal(shared_chain(CHAINS("u64", LOAD8), 16), base8 + 4);
    assert_int_equal(shared_chain(CHAINS("u32", LOAD16), 16), base + 4);
    /* Atomics on one word are done one after the other; on different words like a load. */
    assert_int_equal(shared_chain(CHAINS("u32", ATOM4), 4), base + 1);
    assert_int_equal(shared_chain(CHAINS("u32", ATOM4), 0), base + 32);
}

/* --- global memory ---------------------------------------------------------------------------- */

#define GLOBAL_ACCESS(access)                                                                      \
    RIG_PTX RIG_KERNEL("go",                                                                       \
                       "mul.wide.u32 %rd4, %r1, %r0;\nadd.s64 %rd5, %rd1, %rd4;\n" access "ret;")

static uint64_t transactions(const char *ptx, uint32_t stride, uint64_t offset, uint32_t threads)
{
    struct rig *rig = open_rig(ptx, NULL);
    uint64_t args[] = {rig_alloc(rig, 65536) + offset, stride};
    rig_run(rig, "go", 1, threads, 2, args);
    uint64_t n = rig_stats(rig).global_transactions;
    rig_close(rig);
    return n;
}

static void test_coalescing(void **state)
{
    (void)state;
    const char *load4 = GLOBAL_ACCESS("ld.global.u32 %r5, [%rd5];\n");
    assert_int_equal(transactions(load4, 4, 0, 32), 1);
    assert_int_equal(transactions(load4, 4, 4, 32), 2);
    assert_int_equal(transactions(load4, 0, 0, 32), 1);
    assert_int_equal(transactions(load4, 8, 0, 32), 2);
    assert_int_equal(transactions(load4, 128, 0, 32), 32);
    assert_int_equal(transactions(load4, 132, 0, 32), 32);
    assert_int_equal(transactions(load4, 8, 0, 16), 1);
    assert_int_equal(transactions(load4, 4, 0, 64), 2);
    assert_int_equal(transactions(GLOBAL_ACCESS("ld.global.u8 %r5, [%rd5];\n"), 1, 3, 32), 1);
    assert_int_equal(transactions(GLOBAL_ACCESS("ld.global.u8 %r5, [%rd5];\n"), 1, 100, 32), 2);
    assert_int_equal(transactions(GLOBAL_ACCESS("ld.global.u64 %rd6, [%rd5];\n"), 8, 0, 32), 2);
    assert_int_equal(
        transactions(GLOBAL_ACCESS("ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];\n"), 16, 0, 32),
        4);
    assert_int_equal(transactions(GLOBAL_ACCESS("st.global.u32 [%rd5], %r1;\n"), 4, 0, 32), 1);
    assert_int_equal(transactions(GLOBAL_ACCESS("st.global.u32 [%rd5], %r1;\n"), 64, 0, 32), 16);
    assert_int_equal(transactions(GLOBAL_ACCESS("red.global.add.u32 [%rd5], 1;\n"), 0, 0, 32), 1);
}

static struct core_stats stats_of(const char *ptx, uint32_t stride, uint32_t threads,
                                  struct memsys_stats *mem)
{
    struct rig *rig = open_rig(ptx, NULL);
    uint64_t args[] = {rig_alloc(rig, 65536), stride};
    rig_run(rig, "go", 1, threads, 2, args);
    struct core_stats s = rig_stats(rig);
    memsys_stats(rig->memsys, mem);
    rig_close(rig);
    return s;
}

#define WAIT(r)                                                                                    \
    "and.b32 %r9, " r ", 0;\nadd.u32 %r1, %r1, %r9;\nmul.wide.u32 %rd4, %r1, %r0;\n"               \
    "add.s64 %rd5, %rd1, %rd4;\n"

static void test_l1(void **state)
{
    (void)state;
    struct memsys_stats mem;
    /* A line once loaded stays. */
    struct core_stats s = stats_of(
        GLOBAL_ACCESS("ld.global.u32 %r5, [%rd5];\n" WAIT("%r5") "ld.global.u32 %r6, [%rd5];\n"), 4,
        32, &mem);
    assert_int_equal(s.l1_misses, 1);
    assert_int_equal(s.l1_hits, 1);
    /* A store does not allocate. */
    s = stats_of(GLOBAL_ACCESS("st.global.u32 [%rd5], %r1;\nmembar.gl;\n"
                               "ld.global.u32 %r6, [%rd5];\n"),
                 4, 32, &mem);
    assert_int_equal(s.l1_misses, 1);
    assert_int_equal(s.l1_hits, 0);
    assert_int_equal(mem.requests[REQUEST_WRITE], 1);
    /* .cg does not look at L1; neither does volatile, which is performed at L2. */
    s = stats_of(GLOBAL_ACCESS("ld.global.cg.u32 %r5, [%rd5];\n" WAIT(
                     "%r5") "ld.global.cg.u32 %r6, [%rd5];\n"),
                 4, 32, &mem);
    assert_int_equal(s.l1_misses + s.l1_hits, 0);
    s = stats_of(GLOBAL_ACCESS("ld.volatile.global.u32 %r5, [%rd5];\n"), 4, 32, &mem);
    assert_int_equal(s.l1_misses + s.l1_hits, 0);
    assert_int_equal(mem.requests[REQUEST_POLL], 1);
    /* Four warps that miss on the same line share one MSHR and one request. */
    uint64_t before = mem.requests[REQUEST_READ];
    s = stats_of(GLOBAL_ACCESS("ld.global.u32 %r5, [%rd5];\n"), 0, 128, &mem);
    assert_int_equal(s.l1_misses, 4);
    assert_int_equal(mem.requests[REQUEST_READ], before + 1);
}

/* --- warp limit ------------------------------------------------------------------------------- */

static void limit_1(struct core_config *k)
{
    one_sp(k);
    k->warp_limit = 1;
}

static const char chain_with_barrier[] =
    RIG_PTX RIG_KERNEL("go", "mov.u32 %r5, 1;\n" REPEAT32(DEP) "bar.sync 0;\n" REPEAT32(DEP) END);

static void test_warp_limit(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (int limited = 0; limited < 2; limited++) {
        struct rig *rig = open_rig(chain_with_barrier, limited ? limit_1 : one_sp);
        uint64_t args[] = {rig_alloc(rig, 4096), 0};
        cycles[limited] = warm(rig, "go", 128, args);
        rig_close(rig);
    }
    uint64_t chain = 64 * rig_config().latency[TIMING_INT];
    assert_in_range(cycles[0], chain, 2 * chain);
    assert_in_range(cycles[1], 4 * chain, 5 * chain);
}

static void halves(struct core_config *k)
{
    k->const_fetch = CONST_FETCH_HALF;
}

/* Reads parameters at bytes 64, 0, 128 and 192, one after the other: the halves of two lines, the
 * upper one first, and the lower one. */
#define READ(at) "ld.param.u64 %rd2, [rest+" #at "];\nadd.s64 %rd1, %rd1, %rd2;\n"
static const char four_halves[] = RIG_PTX
    ".visible .entry go(.param .u64 out, .param .align 8 .b8 rest[192])\n{\n"
    ".reg .b64 %rd<4>;\nmov.u64 %rd1, 0;\n" READ(56) "ld.param.u64 %rd2, [out];\n"
                                                     "add.s64 %rd1, %rd1, %rd2;\n" READ(120)
                                                         READ(184) "st.global.u64 [%rd1], %rd2;\n"
                                                                   "ret;\n}\n";

static void test_constant_fetch(void **state)
{
    (void)state;
    const uint64_t misses[] = {2, 4};
    for (int half = 0; half < 2; half++) {
        struct rig *rig = open_rig(four_halves, half ? halves : NULL);
        uint64_t args[25] = {rig_alloc(rig, 4096)}; /* `rest` is what follows the first */
        args[24] = 8;
        rig_run(rig, "go", 1, 32, 2, args);
        assert_int_equal(rig_words(rig, args[0] + args[24])[0], args[24]);
        assert_int_equal(rig_stats(rig).const_misses, misses[half]);
        rig_close(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependent_chain), cmocka_unit_test(test_long_latency),
        cmocka_unit_test(test_independent),     cmocka_unit_test(test_interval),
        cmocka_unit_test(test_schedulers),      cmocka_unit_test(test_greedy),
        cmocka_unit_test(test_exit_drains),     cmocka_unit_test(test_shared_conflicts),
        cmocka_unit_test(test_coalescing),      cmocka_unit_test(test_l1),
        cmocka_unit_test(test_warp_limit),      cmocka_unit_test(test_constant_fetch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
