/* Barriers: whole blocks, numbers and thread counts, arrive, reductions, exited warps. */
#include "rig.h"

#define HEAD                                                                                       \
    "(.param .u64 out, .param .u32 n)\n{\n.shared .align 4 .b8 tile[4096];\n.reg .pred %p<8>;\n"   \
    ".reg .b32 %r<24>;\n.reg .b64 %rd<12>;\nld.param.u64 %rd1, [out];\nld.param.u32 %r0, [n];\n"   \
    "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd1, %rd3;\n"                \
    "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r3, %r3, %r2;\n"

static void run(const char *ptx, uint32_t threads, uint32_t n, uint32_t *result)
{
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(&rig, &config, ptx);
    uint64_t out = rig_alloc(&rig, 8192);
    rig_run(&rig, "go", 1, threads, 2, (uint64_t[]){out, n});
    memcpy(result, rig_words(&rig, out), 4 * 1024);
    rig_close(&rig);
}

/* Sum of the other threads' values through shared memory, many times: every round reads what other
 * warps wrote in it. Warp w delays by w divisions, so that they arrive apart. */
static const char exchange[] =
    RIG_PTX ".visible .entry go" HEAD "shr.u32 %r4, %r1, 5;\nmov.u32 %r5, 1000000;\n"
            "$delay:\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra $go;\ndiv.u32 %r5, %r5, 3;\n"
            "sub.u32 %r4, %r4, 1;\nbra $delay;\n$go:\nmov.u32 %r6, %r1;\nmov.u32 %r7, 0;\n"
            "mov.u32 %r10, %ntid.x;\n"
            "$round:\nst.shared.u32 [%r3], %r6;\nbar.sync 0;\n"
            "sub.u32 %r8, %r10, 1;\nsub.u32 %r8, %r8, %r1;\nshl.b32 %r8, %r8, 2;\n"
            "add.u32 %r8, %r8, %r2;\nld.shared.u32 %r9, [%r8];\nbar.sync 0;\n"
            "mad.lo.u32 %r6, %r9, 3, %r1;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, %r0;\n"
            "@%p2 bra $round;\nst.global.u32 [%rd2], %r6;\nret;\n}\n";

static void check_exchange(uint32_t threads, uint32_t rounds)
{
    uint32_t out[1024], value[512], next[512];
    run(exchange, threads, rounds, out);
    for (uint32_t t = 0; t < threads; t++)
        value[t] = t;
    for (uint32_t i = 0; i < rounds; i++) {
        for (uint32_t t = 0; t < threads; t++)
            next[t] = value[threads - 1 - t] * 3 + t;
        memcpy(value, next, sizeof value);
    }
    assert_memory_equal(out, value, threads * 4);
}

static void test_exchange(void **state)
{
    (void)state;
    check_exchange(256, 10);
    check_exchange(200, 7); /* the last warp has 8 threads */
    check_exchange(32, 3);
    check_exchange(5, 3);
}

/* Warps that exit before the barrier are not waited for, also when they exit last. */
static const char early_exit[] = RIG_PTX
    ".visible .entry go" HEAD "shr.u32 %r4, %r1, 5;\nsetp.ne.u32 %p1, %r4, 1;\n@%p1 bra $work;\n"
    "mov.u32 %r5, 99;\ndiv.u32 %r5, %r5, 7;\ndiv.u32 %r5, %r5, 3;\nexit;\n"
    "$work:\nst.shared.u32 [%r3], %r1;\nbar.sync 0;\nxor.b32 %r6, %r1, 64;\n"
    "shl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r6, %r2;\nld.shared.u32 %r7, [%r6];\n"
    "st.global.u32 [%rd2], %r7;\nret;\n}\n";

static void test_early_exit(void **state)
{
    (void)state;
    uint32_t out[1024];
    run(early_exit, 96, 0, out);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(out[t], t ^ 64);
        assert_int_equal(out[t + 32], 0);
        assert_int_equal(out[t + 64], t);
    }
}

/* Two pairs of warps with barriers of their own: numbers 1 and 15, 64 threads each; warp 0 of each
 * pair only arrives. A whole-block barrier would never complete: the pairs loop unequally often. */
static const char pairs[] =
    RIG_PTX ".visible .entry go" HEAD
            "shr.u32 %r4, %r1, 6;\nand.b32 %r5, %r1, 32;\nmov.u32 %r6, 0;\nmov.u32 %r13, 0;\n"
            "mad.lo.u32 %r7, %r4, 5, 3;\nmad.lo.u32 %r8, %r4, 14, 1;\nsetp.eq.u32 %p1, %r5, 0;\n"
            "add.u32 %r14, %r8, 1;\nsetp.eq.u32 %p4, %r4, 0;\nselp.u32 %r14, 2, 3, %p4;\n"
            "$loop:\n@!%p1 bra $consumer;\n"
            "mad.lo.u32 %r9, %r6, 1000, %r1;\nst.shared.u32 [%r3], %r9;\nbar.arrive %r8, 64;\n"
            "bar.sync %r14, 64;\nbra $next;\n"
            "$consumer:\nbar.sync %r8, 64;\nld.shared.u32 %r10, [%r3+-128];\n"
            "add.u32 %r13, %r13, %r10;\nbar.sync %r14, 64;\n"
            "$next:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r7;\n@%p2 bra $loop;\n"
            "st.global.u32 [%rd2], %r13;\nret;\n}\n";

static void test_pairs(void **state)
{
    (void)state;
    uint32_t out[1024];
    run(pairs, 128, 0, out);
    for (uint32_t t = 0; t < 128; t++) {
        uint32_t expect = 0, rounds = t / 64 * 5 + 3;
        for (uint32_t i = 0; t & 32 && i < rounds; i++)
            expect += i * 1000 + t - 32;
        assert_int_equal(out[t], expect);
    }
}

static const char reductions[] =
    RIG_PTX ".visible .entry go" HEAD "setp.lt.u32 %p1, %r1, %r0;\nbar.red.popc.u32 %r4, 0, %p1;\n"
            "bar.red.and.pred %p2, 0, %p1;\nbar.red.or.pred %p3, 0, %p1;\n"
            "selp.u32 %r5, 1000, 0, %p2;\nselp.u32 %r6, 2000, 0, %p3;\nadd.u32 %r4, %r4, %r5;\n"
            "add.u32 %r4, %r4, %r6;\nst.global.u32 [%rd2], %r4;\nret;\n}\n";

static void test_reductions(void **state)
{
    (void)state;
    uint32_t out[1024];
    const struct {
        uint32_t n, expect;
    } cases[] = {{0, 0}, {1, 2001}, {33, 2033}, {99, 2099}, {100, 3100}, {500, 3100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run(reductions, 100, cases[i].n, out);
        for (uint32_t t = 0; t < 100; t++)
            assert_int_equal(out[t], cases[i].expect);
    }
}

/* Atomics before the barrier have happened for everybody after it. */
static const char atomics_before[] =
    RIG_PTX ".visible .entry go" HEAD
            "red.global.add.u32 [%rd1], 1;\nbar.sync 0;\nld.global.u32 %r4, [%rd1];\nbar.sync 0;\n"
            "st.global.u32 [%rd2+1024], %r4;\nret;\n}\n";

static void test_atomics_before(void **state)
{
    (void)state;
    uint32_t out[1024];
    run(atomics_before, 256, 0, out);
    for (uint32_t t = 0; t < 256; t++)
        assert_int_equal(out[256 + t], 256);
}

static void expect_error(const char *body, const char *text)
{
    struct rig rig;
    struct core_config config = rig_config();
    char ptx[2048];
    snprintf(ptx, sizeof ptx, "%s%s%s", RIG_PTX ".visible .entry go" HEAD, body, "ret;\n}\n");
    rig_open(&rig, &config, ptx);
    uint64_t out = rig_alloc(&rig, 4096);
    struct grid grid = rig_grid(&rig, "go", 1, 64, 2, (uint64_t[]){out, 17});
    assert_false(rig_finish(&rig, &grid));
    assert_non_null(strstr(rig.err.text, text));
    assert_non_null(strstr(rig.err.text, "kernel go"));
    rig_close(&rig);
}

static void test_errors(void **state)
{
    (void)state;
    expect_error("bar.sync %r0, 64;\n", "must be below 16");
    expect_error("add.u32 %r4, %r0, 3;\nbar.sync 1, %r4;\n", "multiple of 32");
    expect_error("mov.u32 %r4, 128;\nbar.sync 1, %r4;\n", "multiple of 32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchange),       cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_pairs),          cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_atomics_before), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
