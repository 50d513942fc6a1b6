/* What is counted for each owner: constructed kernels of which one knows what their warps wait for,
 * sums that must agree with the core's own, and two grids on one core that are told apart. */
#include "rig.h"

#define REPEAT4(x)  x x x x
#define REPEAT16(x) REPEAT4(x) REPEAT4(x) REPEAT4(x) REPEAT4(x)

/* `body` n times. */
#define LOOP(body)                                                                                 \
    "mov.u32 %r9, 0;\nmov.u32 %r5, %r1;\nmov.u32 %r6, %r1;\n"                                      \
    "again:\n" body "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, %r0;\n@%p1 bra again;\n"
#define END "st.global.u32 [%rd2], %r5;\nret;\n"

static struct core_config machine(void)
{
    struct core_config k = rig_config();
    k.units[UNIT_SFU] = 1;
    k.interval[TIMING_SFU] = 16;
    return k;
}

/* Runs one grid for owner 1. */
static struct core_counters run(struct rig *rig, uint32_t blocks, uint32_t threads, uint32_t n)
{
    uint64_t args[] = {rig_alloc(rig, 4u << 20), n};
    struct core_counters counts = {0}, before = {0};
    struct grid grid = rig_grid(rig, "go", blocks, threads, 2, args);
    grid.owner = 1;
    core_take_counters(rig->core, 1, &before);
    if (!rig_finish(rig, &grid))
        fail_msg("%s", rig->err.text);
    core_take_counters(rig->core, 1, &counts);
    assert_int_equal(counts.warp_instructions, grid.warp_instructions);
    return counts;
}

static uint64_t all_states(const struct core_counters *n)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < WARP_STATES; s++)
        sum += n->state[s];
    return sum;
}

/* `most` takes more of the warps' cycles than anything else but issuing, and `share` % or more. */
static void expect(const char *ptx, uint32_t blocks, uint32_t threads, uint32_t n,
                   enum warp_state most, uint32_t share)
{
    struct rig rig;
    struct core_config config = machine();
    rig_open(&rig, &config, ptx);
    struct core_counters counts = run(&rig, blocks, threads, n);
    uint64_t sum = all_states(&counts);
    for (uint32_t s = 0; s < WARP_STATES; s++) {
        if (s != WARP_ISSUED && s != most && counts.state[s] >= counts.state[most])
            fail_msg("state %u has %llu of %llu, %u has %llu", s,
                     (unsigned long long)counts.state[s], (unsigned long long)sum, most,
                     (unsigned long long)counts.state[most]);
    }
    assert_true(counts.state[most] * 100 >= sum * share);
    /* Samples stand for the cycles between them; the last one is up to an interval off. */
    assert_in_range(sum, counts.warp_cycles * 7 / 10, counts.warp_cycles * 13 / 10);
    rig_close(&rig);
}

static void test_dependence(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", LOOP(REPEAT16("add.u32 %r5, %r5, %r1;\n")) END), 1, 64, 300,
           WARP_DEPENDENCE, 60);
}

/* 16 warps with independent instructions: two schedulers, each with eight that could go. */
static void test_issue(void **state)
{
    (void)state;
    struct core_config config = machine();
    const char *ptx = RIG_PTX RIG_KERNEL(
        "go", LOOP(REPEAT16("add.u32 %r10, %r1, %r2;\nadd.u32 %r11, %r1, %r2;\n"
                            "add.u32 %r12, %r1, %r2;\nadd.u32 %r13, %r1, %r2;\n")) END);
    struct rig rig;
    config.fetch_width = 8;
    config.icache_bytes = 16384;
    rig_open(&rig, &config, ptx);
    struct core_counters counts = run(&rig, 2, 256, 100);
    uint64_t sum = all_states(&counts);
    assert_true(counts.state[WARP_NOT_SELECTED] * 2 > sum);
    assert_int_equal(counts.schedulers_empty, 0);
    rig_close(&rig);
}

static void test_unit(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", "cvt.rn.f32.u32 %f1, %r1;\n" LOOP(
                                        REPEAT4("sin.approx.f32 %f2, %f1;\nsin.approx.f32 %f3, "
                                                "%f1;\nsin.approx.f32 %f4, %f1;\n")) END),
           2, 256, 100, WARP_UNIT, 50);
}

/* Every turn in other lines; the value that comes is needed at once. */
static void test_memory(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", LOOP("mad.lo.u32 %r10, %r9, 1024, %r4;\n"
                                         "mul.wide.u32 %rd4, %r10, 4;\n"
                                         "add.s64 %rd5, %rd1, %rd4;\n"
                                         "ld.global.u32 %r6, [%rd5];\n"
                                         "add.u32 %r5, %r5, %r6;\n") END),
           1, 64, 50, WARP_MEMORY, 55);
}

static void test_atomics(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", LOOP("atom.global.add.u32 %r6, [%rd1], 1;\n"
                                         "add.u32 %r5, %r5, %r6;\n") END),
           1, 64, 100, WARP_MEMORY, 70);
}

#define SHARED ".shared .align 4 .b8 room[8192];\nmov.u32 %r20, room;\n"

/* Lane i at word 32 i: all in one bank. */
static void test_bank_conflicts(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go",
                              SHARED "and.b32 %r21, %r1, 31;\nshl.b32 %r21, %r21, 7;\n"
                                     "and.b32 %r21, %r21, 4095;\nadd.u32 %r21, %r21, %r20;\n" LOOP(
                                         "ld.shared.u32 %r6, [%r21];\n"
                                         "add.u32 %r5, %r5, %r6;\n") END),
           1, 256, 200, WARP_BANKS, 70);
}

/* One warp, no conflicts: it waits for the latency of shared memory. */
static void test_shared_memory(void **state)
{
    (void)state;
    expect(
        RIG_PTX RIG_KERNEL("go", SHARED "shl.b32 %r21, %r1, 2;\nadd.u32 %r21, %r21, %r20;\n" LOOP(
                                     REPEAT4("ld.shared.u32 %r6, [%r21];\n"
                                             "add.u32 %r21, %r21, %r6;\n")) END),
        1, 32, 400, WARP_SHARED, 50);
}

/* Seven of eight warps wait for the one that has a long way to its barrier. */
static void test_barrier(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", LOOP("setp.ge.u32 %p2, %r1, 32;\n@%p2 bra there;\n" REPEAT16(
                                        "add.u32 %r5, %r5, %r1;\n") "there:\nbar.sync 0;\n") END),
           1, 256, 200, WARP_BARRIER, 60);
}

static void test_sleep(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", LOOP("nanosleep.u32 200;\n") END), 1, 32, 100, WARP_SLEEP, 60);
}

/* Lines that hit in L1, one per lane: the load-store unit takes them one after the other. */
static void test_load_store_unit(void **state)
{
    (void)state;
    expect(RIG_PTX RIG_KERNEL("go", "and.b32 %r21, %r1, 31;\nmul.wide.u32 %rd4, %r21, 128;\n"
                                    "add.s64 %rd5, %rd1, %rd4;\n" LOOP(
                                        REPEAT4("ld.global.u32 %r6, [%rd5];\n")) END),
           2, 256, 60, WARP_LOAD_STORE, 40);
}

/* A block of one warp leaves the second scheduler without work. */
static void test_empty_scheduler(void **state)
{
    (void)state;
    struct core_config config = machine();
    struct rig rig;
    rig_open(&rig, &config,
             RIG_PTX RIG_KERNEL("go", LOOP(REPEAT16("add.u32 %r5, %r5, %r1;\n")) END));
    struct core_counters counts = run(&rig, 1, 32, 300);
    assert_int_equal(counts.schedulers_empty * 2, counts.schedulers);
    assert_int_equal(counts.warp_cycles, counts.core_cycles);
    rig_close(&rig);
}

/* A warp is there from the first tick after its launch to the one in which it ends; so is a second
 * one that comes later. */
static void test_residence(void **state)
{
    (void)state;
    struct core_config config = machine();
    struct core_stats stats;
    struct rig rig;
    rig_open(&rig, &config,
             RIG_PTX RIG_KERNEL("go", LOOP(REPEAT16("add.u32 %r5, %r5, %r1;\n")) END));
    uint64_t args[] = {rig_alloc(&rig, 1u << 20), 20};
    struct grid grids[2] = {rig_grid(&rig, "go", 1, 32, 2, args),
                            rig_grid(&rig, "go", 1, 32, 2, args)};
    rig_launch(&rig, &grids[0]);
    uint64_t cycles = 0, warp_cycles = 0;
    for (; grids[0].blocks_done + grids[1].blocks_done < 2; cycles++) {
        if (cycles == 50)
            rig_launch(&rig, &grids[1]);
        warp_cycles += (grids[0].blocks_done ? 0u : 1u) + (cycles >= 50 ? 1u : 0u);
        rig_ticks(&rig, 1);
    }
    core_stats(rig.core, &stats);
    assert_int_equal(stats.cycles_active, cycles);
    assert_int_equal(stats.warp_cycles, warp_cycles);
    rig_close(&rig);
}

/* Cycles that are skipped count like those that are ticked. */
static void test_skipped(void **state)
{
    (void)state;
    struct core_counters counts[2];
    for (int skip = 0; skip < 2; skip++) {
        struct core_config config = machine();
        struct rig rig;
        rig_open(&rig, &config,
                 RIG_PTX RIG_KERNEL("go", LOOP("nanosleep.u32 300;\n"
                                               "ld.volatile.global.u32 %r6, [%rd2];\n"
                                               "add.u32 %r5, %r5, %r6;\n") END));
        rig.skip = skip;
        counts[skip] = run(&rig, 2, 64, 40);
        rig_close(&rig);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
}

#define STREAM(name)                                                                               \
    RIG_KERNEL(name, LOOP("mad.lo.u32 %r10, %r9, 256, %r4;\nmul.wide.u32 %rd4, %r10, 4;\n"         \
                          "add.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r6, [%rd5];\n"                \
                          "add.u32 %r5, %r5, %r6;\n") END)

/* Two grids at once: each has its own, and together they have all that the core counts. */
static void test_two_owners(void **state)
{
    (void)state;
    struct core_config config = machine();
    struct core_counters one[3] = {{0}}, together = {0};
    struct core_stats stats;
    struct rig rig;
    rig_open(&rig, &config,
             RIG_PTX STREAM("stream")
                 RIG_KERNEL("add", LOOP(REPEAT16("add.u32 %r5, %r5, %r1;\n")) END));
    uint64_t args[2][2] = {{rig_alloc(&rig, 1u << 20), 60}, {rig_alloc(&rig, 1u << 20), 90}};
    struct grid grids[2] = {rig_grid(&rig, "stream", 2, 64, 2, args[0]),
                            rig_grid(&rig, "add", 2, 96, 2, args[1])};
    grids[0].owner = 1;
    grids[1].owner = 2;
    rig_launch(&rig, &grids[0]);
    if (!rig_finish(&rig, &grids[1]) || !rig_finish(&rig, &grids[0]))
        fail_msg("%s", rig.err.text);
    for (uint32_t owner = 0; owner < 3; owner++) {
        core_take_counters(rig.core, owner, &one[owner]);
        core_counters_add(&together, &one[owner]);
    }
    core_stats(rig.core, &stats);
    assert_int_equal(one[1].l1_hits + one[1].l1_misses, 2 * 2 * 60);
    assert_int_equal(one[2].l1_hits + one[2].l1_misses, 0);
    assert_int_equal(together.l1_misses, stats.l1_misses);
    assert_int_equal(together.warp_instructions, stats.warp_instructions);
    assert_int_equal(together.warp_cycles, stats.warp_cycles);
    assert_true(2 * one[1].state[WARP_MEMORY] > all_states(&one[1]));
    assert_true(2 * one[2].state[WARP_DEPENDENCE] > all_states(&one[2]));
    assert_true(10 * one[2].state[WARP_MEMORY] < all_states(&one[2]));
    struct traffic mine = memsys_traffic(rig.memsys, 1), other = memsys_traffic(rig.memsys, 2);
    /* Every sector once, and the line of the parameters. */
    assert_int_equal(mine.dram_read, 60 * 2 * 64 * 4 + LINE_BYTES);
    assert_int_equal(other.dram_read, LINE_BYTES);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependence),
        cmocka_unit_test(test_issue),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_bank_conflicts),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_load_store_unit),
        cmocka_unit_test(test_empty_scheduler),
        cmocka_unit_test(test_residence),
        cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_two_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
