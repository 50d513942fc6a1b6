/* Atomics, volatile accesses, fences, and program errors of memory accesses. */
#include "rig.h"

static void run(struct rig *rig, const char *ptx)
{
    struct core_config config = rig_config();
    rig_open(rig, &config, ptx);
}

/* Every thread of several blocks gets a ticket of its own, and a shared counter per block counts
 * its threads. */
static const char tickets[] = RIG_PTX
    ".visible .entry go(.param .u64 out, .param .u64 counter)\n{\n.shared .align 4 .b8 count[4];\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<12>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd4, [counter];\nmov.u32 %r1, %tid.x;\n"
    "mov.u32 %r8, count;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r8], 0;\nbar.sync 0;\n"
    "atom.global.add.u32 %r2, [%rd4], 1;\nmul.wide.u32 %rd5, %r2, 4;\nadd.s64 %rd6, %rd1, %rd5;\n"
    "red.global.add.u32 [%rd6], 1;\natom.shared.add.u32 %r3, [%r8], 1;\n"
    "atom.global.max.u32 %r5, [%rd4+4], %r2;\natom.global.exch.b32 %r6, [%rd4+8], 77;\n"
    "bar.sync 0;\nld.shared.u32 %r7, [%r8];\n@%p1 red.global.add.u32 [%rd4+12], %r7;\nret;\n}\n";

static void test_atomics(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, tickets);
    uint32_t total = 7 * 70;
    uint64_t out = rig_alloc(&rig, total * 4), counter = rig_alloc(&rig, 128);
    rig_run(&rig, "go", 7, 70, 2, (uint64_t[]){out, counter});
    for (uint32_t i = 0; i < total; i++)
        assert_int_equal(rig_words(&rig, out)[i], 1);
    assert_int_equal(rig_words(&rig, counter)[0], total);
    assert_int_equal(rig_words(&rig, counter)[1], total - 1);
    assert_int_equal(rig_words(&rig, counter)[2], 77);
    assert_int_equal(rig_words(&rig, counter)[3], total);
    assert_int_equal(rig_stats(&rig).atomics, 7 * 3 * 5 + 7);
    rig_close(&rig);
}

/* A thread sees its own accesses to one address in program order: reduction, load, store, atomic,
 * volatile load, store. */
static const char own_order[] = RIG_PTX RIG_KERNEL(
    "go", "red.global.add.u32 [%rd2], 5;\nld.global.u32 %r5, [%rd2];\nst.global.u32 [%rd2], 100;\n"
          "atom.global.add.u32 %r6, [%rd2], 1;\nst.global.u32 [%rd2], 200;\n"
          "ld.volatile.global.u32 %r7, [%rd2];\nst.global.u32 [%rd2], 300;\n"
          "mad.lo.u32 %r8, %r6, 1000, %r5;\nmad.lo.u32 %r8, %r7, 1000000, %r8;\n"
          "st.global.u32 [%rd2+4096], %r8;\nret;");

static void test_own_order(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, own_order);
    uint64_t out = rig_alloc(&rig, 8192);
    rig_run(&rig, "go", 1, 64, 2, (uint64_t[]){out, 0});
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(rig_words(&rig, out)[1024 + t], 200 * 1000000 + 100 * 1000 + 5);
        assert_int_equal(rig_words(&rig, out)[t], 300);
    }
    rig_close(&rig);
}

/* Block 0 polls a flag; block 1 writes data, fences and sets it after a long computation. */
static const char handshake[] = RIG_PTX RIG_KERNEL(
    "go",
    "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra $writer;\n"
    "$poll:\nld.volatile.global.u32 %r5, [%rd1+1024];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra $poll;\n"
    "ld.global.u32 %r6, [%rd2+2048];\nst.global.u32 [%rd2], %r6;\nret;\n"
    "$writer:\nmov.u32 %r7, 12345678;\ndiv.u32 %r7, %r7, 3;\ndiv.u32 %r7, %r7, 5;\n"
    "div.u32 %r7, %r7, 7;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
    "add.u32 %r7, %r7, %r1;\nst.global.u32 [%rd5+2048], %r7;\nmembar.gl;\n"
    "st.volatile.global.u32 [%rd1+1024], 1;\nret;");

static void test_handshake(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, handshake);
    uint64_t out = rig_alloc(&rig, 8192);
    rig_run(&rig, "go", 2, 32, 2, (uint64_t[]){out, 0});
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(rig_words(&rig, out)[t], 12345678 / 3 / 5 / 7 + t);
    rig_close(&rig);
}

/* A device writes the polled word in the middle of the run. */
static const char poll[] = RIG_PTX RIG_KERNEL(
    "go", "$poll:\nld.volatile.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 0;\n"
          "@%p2 bra $poll;\nst.global.u32 [%rd2+256], %r5;\nret;");

static void test_poll(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, poll);
    uint64_t out = rig_alloc(&rig, 1024);
    struct grid grid = rig_grid(&rig, "go", 1, 32, 2, (uint64_t[]){out, 0});
    rig_launch(&rig, &grid);
    rig_ticks(&rig, 3000);
    assert_int_equal(grid.blocks_done, 0);
    rig_words(&rig, out)[0] = 42;
    assert_true(rig_finish(&rig, &grid));
    assert_int_equal(rig_words(&rig, out)[64], 42);
    rig_close(&rig);
}

/* A fence lasts until stores are acknowledged: at least the round trip to L2. */
#define TIMED(fence)                                                                               \
    RIG_PTX RIG_KERNEL("go", "st.global.u32 [%rd2], %r1;\nmov.u32 %r5, %clock;\n" fence            \
                             "mov.u32 %r6, %clock;\nsub.u32 %r6, %r6, %r5;\n"                      \
                             "st.global.u32 [%rd2+256], %r6;\nret;")

static uint32_t timed(const char *ptx)
{
    struct rig rig;
    run(&rig, ptx);
    uint64_t out = rig_alloc(&rig, 1024);
    rig_run(&rig, "go", 1, 32, 2, (uint64_t[]){out, 0});
    rig_run(&rig, "go", 1, 32, 2, (uint64_t[]){out, 0});
    uint32_t cycles = rig_words(&rig, out)[64];
    rig_close(&rig);
    return cycles;
}

static void test_fence(void **state)
{
    (void)state;
    assert_in_range(timed(TIMED("")), 1, 5);
    assert_in_range(timed(TIMED("membar.gl;\n")), 45, 80);
    assert_in_range(timed(TIMED("membar.cta;\n")), 45, 80);
}

/* Blocks end when their stores have been performed. */
static void test_end_waits_for_stores(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, RIG_PTX RIG_KERNEL("go", "st.global.u32 [%rd2], %r1;\nret;"));
    uint64_t out = rig_alloc(&rig, 1024);
    rig_run(&rig, "go", 1, 128, 2, (uint64_t[]){out, 0});
    assert_true(memsys_idle(rig.memsys));
    struct memsys_stats mem;
    memsys_stats(rig.memsys, &mem);
    assert_int_equal(mem.requests[REQUEST_WRITE], 4);
    rig_close(&rig);
}

static void expect_error(const char *body, const char *const *texts)
{
    struct rig rig;
    char ptx[4096];
    const char *frame = RIG_PTX ".global .align 4 .b8 pad[64];\n" RIG_KERNEL("go", "@");
    const char *mark = strchr(frame, '@');
    snprintf(ptx, sizeof ptx, "%.*s%s%s", (int)(mark - frame), frame, body, mark + 1);
    run(&rig, ptx);
    uint64_t out = rig_alloc(&rig, 4096);
    struct grid grid = rig_grid(&rig, "go", 3, 64, 2, (uint64_t[]){out, 5});
    assert_false(rig_finish(&rig, &grid));
    for (; *texts; texts++) {
        if (!strstr(rig.err.text, *texts))
            fail_msg("'%s' lacks '%s'", rig.err.text, *texts);
    }
    rig_close(&rig);
}

#define EXPECT(body, ...) expect_error(body, (const char *const[]){"kernel go", __VA_ARGS__, NULL})

/* Only thread 37 of block 2 goes wrong: thread %r4 == 2 * 64 + 37. */
#define ONLY_37 "setp.ne.u32 %p1, %r4, 165;\n@%p1 bra $fine;\n"
#define FINE    "$fine:\nret;"

static void test_errors(void **state)
{
    (void)state;
    EXPECT(ONLY_37 "mov.u64 %rd5, 8;\nld.global.u32 %r5, [%rd5];\n" FINE, "load of 4 bytes",
           "address 0x8 ", "outside", "block (2,0,0)", "thread (37,0,0)", "PTX line 2");
    EXPECT(ONLY_37 "ld.global.u32 %r5, [%rd2+2];\n" FINE, "misaligned", "thread (37,0,0)");
    EXPECT(ONLY_37 "st.global.u64 [%rd2], %rd1;\n" FINE, "store of 8 bytes", "misaligned");
    EXPECT("mov.u64 %rd5, 4294967296;\nst.global.u32 [%rd5], %r1;\nret;", "store of 4 bytes",
           "0x100000000", "thread (0,0,0)");
    EXPECT("mov.u64 %rd5, 4294967296;\nred.global.add.u32 [%rd5], 1;\nret;", "atomic of 4 bytes");
    EXPECT("mov.u32 %r5, 60;\nst.shared.u32 [%r5], %r1;\nret;", "shared memory");
    EXPECT("mov.u64 %rd5, 40;\nld.local.u32 %r5, [%rd5];\nret;", "local memory");
    EXPECT("mov.u64 %rd5, 72057594037927936;\nld.u32 %r5, [%rd5];\nret;", "shared memory");
    EXPECT("mov.u64 %rd5, -8;\nld.u64 %rd6, [%rd5];\nret;", "0xfffffffffffffff8", "outside");
    EXPECT(ONLY_37 "trap;\n" FINE, "trap", "thread (37,0,0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atomics),   cmocka_unit_test(test_own_order),
        cmocka_unit_test(test_handshake), cmocka_unit_test(test_poll),
        cmocka_unit_test(test_fence),     cmocka_unit_test(test_end_waits_for_stores),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
