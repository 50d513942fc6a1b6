/* Lanes of one warp that wait for each other get on: locks, hand-over from lane to lane, warp
 * barriers on both sides of a branch; and lanes that lost each other meet again at barriers. Each
 * runs twice, ticked every cycle and skipping as core_next_event allows. */
#include "rig.h"

#define THREADS  64
#define CORE_MHZ 700 /* of rig.h */

static uint32_t run(const char *ptx, const char *name, uint32_t words, uint32_t *result)
{
    uint64_t cycles[2];
    for (int skip = 0; skip < 2; skip++) {
        struct rig rig;
        struct core_config config = rig_config();
        rig_open(&rig, &config, ptx);
        rig.skip = skip;
        uint64_t out = rig_alloc(&rig, words * 4);
        struct grid grid = rig_run(&rig, name, 1, THREADS, 2, (uint64_t[]){out, 0});
        assert_int_equal(grid.blocks_done, 1);
        memcpy(result, rig_words(&rig, out), words * 4);
        cycles[skip] = rig.cycle;
        rig_close(&rig);
    }
    assert_int_equal(cycles[0], cycles[1]);
    return (uint32_t)cycles[0];
}

/* while (atomicCAS(lock, 0, 1)); count++; lock = 0: word 0 is the lock, word 1 the count. */
#define LOCK                                                                                       \
    "$spin:\natom.global.cas.b32 %r5, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra $spin;\n"  \
    "ld.volatile.global.u32 %r6, [%rd1+4];\nadd.u32 %r6, %r6, 1;\n"                                \
    "st.volatile.global.u32 [%rd1+4], %r6;\nmembar.gl;\natom.global.exch.b32 %r7, [%rd1], 0;\n"

static void test_lock(void **state)
{
    (void)state;
    uint32_t result[2];
    run(RIG_PTX RIG_KERNEL("lock", LOCK "ret;"), "lock", 2, result);
    assert_int_equal(result[0], 0);
    assert_int_equal(result[1], THREADS);
}

/* The lanes that lost each other at the lock all take part in a barrier reduction and in a vote. */
static void test_lock_then_barrier(void **state)
{
    (void)state;
    uint32_t result[2 + THREADS];
    run(RIG_PTX RIG_KERNEL("meet", LOCK "setp.lt.u32 %p2, %r4, 40;\nbar.red.popc.u32 %r8, 0, %p2;\n"
                                        "vote.ballot.b32 %r9, %p2;\nadd.u32 %r8, %r8, %r9;\n"
                                        "st.global.u32 [%rd2+8], %r8;\nret;"),
        "meet", 2 + THREADS, result);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(result[2 + t], 40 + (t < 32 ? 0xFFFFFFFFu : 0xFF));
}

/* Thread t waits until the threads before it have been there: while (word 0 != t). */
static void test_in_turn(void **state)
{
    (void)state;
    uint32_t result[2];
    run(RIG_PTX RIG_KERNEL("turn", "$spin:\nld.volatile.global.u32 %r5, [%rd1];\n"
                                   "setp.ne.u32 %p1, %r5, %r4;\n@%p1 bra $spin;\n"
                                   "ld.volatile.global.u32 %r6, [%rd1+4];\n"
                                   "mad.lo.u32 %r6, %r6, 5, %r4;\n"
                                   "st.volatile.global.u32 [%rd1+4], %r6;\nmembar.gl;\n"
                                   "add.u32 %r7, %r4, 1;\nst.volatile.global.u32 [%rd1], %r7;\n"
                                   "ret;"),
        "turn", 2, result);
    uint32_t expected = 0;
    for (uint32_t t = 0; t < THREADS; t++)
        expected = expected * 5 + t;
    assert_int_equal(result[0], THREADS);
    assert_int_equal(result[1], expected);
}

/* Odd lanes read what even lanes wrote before their barrier, and the other way round; the barriers
 * are different instructions (PTX ISA, bar.warp.sync). */
static void test_warp_barrier(void **state)
{
    (void)state;
    uint32_t result[THREADS];
    run(RIG_PTX
        ".visible .entry both(.param .u64 out, .param .u32 n)\n{\n.shared .align 4 .b8 tile[256];\n"
        ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [out];\n"
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n"
        "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r2, %r2, %r3;\nand.b32 %r4, %r1, 1;\n"
        "setp.eq.u32 %p1, %r4, 0;\n@%p1 bra $even;\n"
        "mul.lo.u32 %r5, %r1, 10;\nst.shared.u32 [%r2], %r5;\nbar.warp.sync 0xffffffff;\n"
        "ld.shared.u32 %r6, [%r2+-4];\nbra $done;\n"
        "$even:\nmul.lo.u32 %r5, %r1, 100;\nst.shared.u32 [%r2], %r5;\n"
        "bar.warp.sync 0xffffffff;\nld.shared.u32 %r6, [%r2+4];\n"
        "$done:\nst.global.u32 [%rd2], %r6;\nret;\n}\n",
        "both", THREADS, result);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(result[t], t & 1 ? (t - 1) * 100 : (t + 1) * 10);
}

/* barrier.sync with a number of threads, reached in different places by the lanes of a warp: both
 * warps of the block have arrived when each of their lanes has, at either. */
static void test_counted_barrier(void **state)
{
    (void)state;
    uint32_t result[THREADS];
    run(RIG_PTX
        ".visible .entry count(.param .u64 out, .param .u32 n)\n{\n.shared .align 4 .b8 "
        "tile[256];\n"
        ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [out];\n"
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n"
        "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r2, %r2, %r3;\nand.b32 %r4, %r1, 1;\n"
        "setp.eq.u32 %p1, %r4, 0;\n@%p1 bra $even;\n"
        "mul.lo.u32 %r5, %r1, 10;\nst.shared.u32 [%r2], %r5;\nbarrier.sync 3, 64;\n"
        "ld.shared.u32 %r6, [%r2+-4];\nbra $done;\n"
        "$even:\nmul.lo.u32 %r5, %r1, 100;\nst.shared.u32 [%r2], %r5;\nmov.u32 %r7, 3;\n"
        "barrier.sync %r7, 64;\nld.shared.u32 %r6, [%r2+4];\n"
        "$done:\nst.global.u32 [%rd2], %r6;\nret;\n}\n",
        "count", THREADS, result);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(result[t], t & 1 ? (t - 1) * 100 : (t + 1) * 10);
}

/* Lanes that sleep between looks get their turns. */
static void test_sleeping_turns(void **state)
{
    (void)state;
    uint32_t result[2];
    run(RIG_PTX RIG_KERNEL("turn", "$spin:\nld.global.u32 %r5, [%rd1];\nnanosleep.u32 40;\n"
                                   "setp.ne.u32 %p1, %r5, %r4;\n@%p1 bra $spin;\n"
                                   "add.u32 %r7, %r4, 1;\nst.global.u32 [%rd1], %r7;\nmembar.gl;\n"
                                   "ret;"),
        "turn", 2, result);
    assert_int_equal(result[0], THREADS);
}

/* The warp really sleeps. */
static void test_sleep(void **state)
{
    (void)state;
    uint32_t result[2], more, some;
    more = run(RIG_PTX RIG_KERNEL("nap", "nanosleep.u32 200;\nret;"), "nap", 2, result);
    some = run(RIG_PTX RIG_KERNEL("nap", "nanosleep.u32 100;\nret;"), "nap", 2, result);
    assert_int_equal(more - some, 100 * CORE_MHZ / 1000);
}

/* A warp barrier in a branch that the other lanes have left for good does not wait for them. */
static void test_warp_barrier_after_exit(void **state)
{
    (void)state;
    uint32_t result[THREADS] = {0};
    run(RIG_PTX RIG_KERNEL("alone", "setp.lt.u32 %p1, %r1, 10;\n@%p1 ret;\nbar.warp.sync -1;\n"
                                    "st.global.u32 [%rd2], 5;\nret;"),
        "alone", THREADS, result);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(result[t], t < 10 ? 0 : 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_lock_then_barrier),
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_warp_barrier),
        cmocka_unit_test(test_warp_barrier_after_exit),
        cmocka_unit_test(test_counted_barrier),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_sleeping_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
