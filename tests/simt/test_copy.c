/* cp.async: what is in shared memory when, what a warp waits for, and how long. */
#include "rig.h"

/* Words of 7 in shared memory, and the address of the thread's own in %r10. */
#define COPY_KERNEL(name, body)                                                                    \
    RIG_KERNEL(name, "mov.u32 %r10, tile;\nshl.b32 %r11, %r1, 2;\nadd.u32 %r10, %r10, %r11;\n"     \
                     "st.shared.u32 [%r10], 7;\nst.shared.u32 [%r10+128], 7;\n" body)
#define COPY_PTX RIG_PTX ".shared .align 16 .b8 tile[4096];\n"

#define SOURCE 1024 /* bytes behind `out` */

/* One copy of a word per lane: [0] shared memory before the wait, [1] behind it, [2] cycles up to
 * the wait, [3] and of the wait. A barrier does not wait. */
#define ONE(name, cache, bytes, width)                                                             \
    COPY_KERNEL(                                                                                   \
        name, "mul.wide.u32 %rd5, %r1, " width ";\nadd.s64 %rd6, %rd1, %rd5;\n"                    \
              "mul.lo.u32 %r12, %r1, " width ";\nmov.u32 %r13, tile;\nadd.u32 %r13, %r13, %r12;\n" \
              "bar.sync 0;\nmov.u32 %r20, %clock;\n"                                               \
              "cp.async." cache ".shared.global [%r13], [%rd6+1024], " bytes ";\n"                 \
              "cp.async.commit_group;\nld.shared.u32 %r5, [%r10];\nbar.sync 0;\n"                  \
              "mov.u32 %r22, %clock;\ncp.async.wait_group 0;\nmov.u32 %r23, %clock;\n"             \
              "ld.shared.u32 %r8, [%r10];\nsub.u32 %r20, %r22, %r20;\nsub.u32 %r23, %r23, %r22;\n" \
              "st.global.u32 [%rd2], %r5;\nst.global.u32 [%rd2+128], %r8;\n"                       \
              "st.global.u32 [%rd2+256], %r20;\nst.global.u32 [%rd2+384], %r23;\nret;")

static const char one[] =
    COPY_PTX ONE("l1", "ca", "4", "4") ONE("l2", "cg", "16", "16") ONE("wide", "ca", "16", "16");

static uint64_t open_copy(struct rig *rig, const char *ptx, bool skip)
{
    struct core_config config = rig_config();
    rig_open(rig, &config, ptx);
    rig->skip = skip;
    uint64_t out = rig_alloc(rig, 16384);
    for (uint32_t i = 0; i < 1024; i++)
        rig_words(rig, out + SOURCE)[i] = 1000 + i;
    return out;
}

/* Runs one of them; cycles of the wait. */
static uint32_t wait_cycles(struct rig *rig, const char *name, uint64_t out)
{
    rig_run(rig, name, 1, 32, 2, (uint64_t[]){out, 0});
    const uint32_t *got = rig_words(rig, out);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(got[t], 7);
        assert_int_equal(got[32 + t], 1000 + t);
    }
    assert_in_range(got[64], 1, 60);
    return got[96];
}

static void run_one(bool skip)
{
    struct rig rig;
    uint64_t out = open_copy(&rig, one, skip);
    uint32_t cold = wait_cycles(&rig, "l1", out), warm = wait_cycles(&rig, "l1", out);
    /* The network there and back alone takes 40 cycles; a hit takes less than that. */
    assert_in_range(cold, 60, 400);
    assert_in_range(warm, 1, 40);
    rig_close(&rig);
    out = open_copy(&rig, one, skip);
    wait_cycles(&rig, "l2", out);
    assert_in_range(wait_cycles(&rig, "l2", out), 60, 400);
    rig_close(&rig);
}

static void test_later(void **state)
{
    (void)state;
    run_one(false);
    run_one(true);
}

/* As many lines as a load has; rows of 16 bytes need four cycles of the banks. */
static void test_path(void **state)
{
    (void)state;
    struct rig rig;
    uint64_t out = open_copy(&rig, one, true);
    uint32_t before = (uint32_t)rig_stats(&rig).global_transactions;
    rig_run(&rig, "wide", 1, 32, 2, (uint64_t[]){out, 0});
    uint32_t wide = (uint32_t)rig_stats(&rig).global_transactions - before;
    rig_run(&rig, "l1", 1, 32, 2, (uint64_t[]){out, 0});
    uint32_t narrow = (uint32_t)rig_stats(&rig).global_transactions - before - wide;
    assert_int_equal(wide - narrow, 3);
    rig_close(&rig);
}

/* Lanes a line of the banks apart; three copies whose data come at once and take their turns. */
#define APART "cp.async.ca.shared.global [%r13], [%rd2+1024], 4;\n"
static const char apart[] = COPY_PTX COPY_KERNEL(
    "go", "shl.b32 %r12, %r1, 7;\nmov.u32 %r13, tile;\nadd.u32 %r13, %r13, %r12;\n"
          "mov.u32 %r20, %clock;\n" APART APART APART "cp.async.wait_all;\n"
          "mov.u32 %r21, %clock;\nsub.u32 %r21, %r21, %r20;\nst.global.u32 [%rd2], %r21;\nret;");

static void test_conflicts(void **state)
{
    (void)state;
    uint32_t cycles[2];
    for (uint32_t skip = 0; skip < 2; skip++) {
        struct rig rig;
        uint64_t out = open_copy(&rig, apart, skip);
        rig_run(&rig, "go", 1, 32, 2, (uint64_t[]){out, 0});
        assert_int_equal(rig_stats(&rig).shared_conflicts, 3 * 31);
        cycles[skip] = rig_words(&rig, out)[0];
        rig_close(&rig);
    }
    assert_in_range(cycles[0], 60 + 3 * 32, 400);
    assert_int_equal(cycles[0], cycles[1]);
}

/* The first line is in L1, the second one is not. [0], [1]: both after wait_group 1, [2]: the
 * second after wait_group 0, [3]: a copy in no group, [4]: after wait_all. */
static const char groups[] = COPY_PTX COPY_KERNEL(
    "go", "ld.global.u32 %r4, [%rd2+1024];\nadd.u32 %r4, %r4, 1;\n"
          "cp.async.ca.shared.global [%r10], [%rd2+1024], 4;\ncp.async.commit_group;\n"
          "cp.async.ca.shared.global [%r10+128], [%rd2+2048], 4;\ncp.async.commit_group;\n"
          "cp.async.wait_group 2;\ncp.async.wait_group 1;\n"
          "ld.shared.u32 %r5, [%r10];\nld.shared.u32 %r6, [%r10+128];\n"
          "cp.async.wait_group 0;\nld.shared.u32 %r7, [%r10+128];\n"
          "cp.async.ca.shared.global [%r10], [%rd2+3072], 4;\ncp.async.wait_group 0;\n"
          "ld.shared.u32 %r8, [%r10];\ncp.async.wait_all;\nld.shared.u32 %r9, [%r10];\n"
          "st.global.u32 [%rd2], %r5;\nst.global.u32 [%rd2+128], %r6;\n"
          "st.global.u32 [%rd2+256], %r7;\nst.global.u32 [%rd2+384], %r8;\n"
          "st.global.u32 [%rd2+512], %r9;\nret;");

static void test_groups(void **state)
{
    (void)state;
    for (uint32_t skip = 0; skip < 2; skip++) {
        struct rig rig;
        uint64_t out = open_copy(&rig, groups, skip);
        rig_run(&rig, "go", 1, 32, 2, (uint64_t[]){out, 0});
        for (uint32_t t = 0; t < 32; t++) {
            const uint32_t *got = rig_words(&rig, out) + t;
            assert_int_equal(got[0], 1000 + t);
            assert_int_equal(got[32], 7);
            assert_int_equal(got[64], 1256 + t);
            assert_int_equal(got[96], 1000 + t);
            assert_int_equal(got[128], 1512 + t);
        }
        rig_close(&rig);
    }
}

/* A block that ends with copies on their way keeps its shared memory until they are there: the next
 * one finds its own words after a while. */
static const char leaves[] = COPY_PTX COPY_KERNEL(
    "go", "div.u32 %r5, %r1, %r3;\ndiv.u32 %r5, %r5, %r3;\nadd.u32 %r6, %r10, %r5;\n"
          "ld.shared.u32 %r7, [%r6];\nst.global.u32 [%rd2], %r7;\n"
          "cp.async.cg.shared.global [tile], [%rd1+8192], 16;\ncp.async.commit_group;\nret;");

static void test_exit(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    config.blocks = 1;
    rig_open_far(&rig, &config, leaves, 300);
    uint64_t out = rig_alloc(&rig, 16384);
    rig_run(&rig, "go", 8, 32, 2, (uint64_t[]){out, 0});
    for (uint32_t t = 0; t < 8 * 32; t++)
        assert_int_equal(rig_words(&rig, out)[t], 7);
    rig_close(&rig);
}

static bool fails(const char *body, uint64_t n, const char *text)
{
    struct rig rig;
    static const char kernel[] = COPY_PTX COPY_KERNEL("go", "cvt.u64.u32 %rd7, %r0;\n@\nret;");
    char ptx[4096];
    int before = (int)strcspn(kernel, "@");
    snprintf(ptx, sizeof ptx, "%.*s%s%s", before, kernel, body, kernel + before + 1);
    uint64_t out = open_copy(&rig, ptx, false);
    struct grid grid = rig_grid(&rig, "go", 1, 32, 2, (uint64_t[]){out, n});
    bool failed = !rig_finish(&rig, &grid);
    if (!failed || !strstr(rig.err.text, text))
        print_error("%s: %s\n", body, failed ? rig.err.text : "no error");
    bool right = failed && strstr(rig.err.text, text);
    rig_close(&rig);
    return right;
}

static void test_errors(void **state)
{
    (void)state;
    assert_true(fails("cp.async.ca.shared.global [%r10], [%rd7], 4;", 64,
                      "copy of 4 bytes at address 0x40 is outside allocated memory"));
    assert_true(fails("cp.async.ca.shared.global [%r10+4096], [%rd2], 4;", 0,
                      "copy of 4 bytes at shared address 0x1000 is outside the block's shared"));
    assert_true(fails("cp.async.cg.shared.global [%r10], [%rd2], 16;", 0, "is misaligned"));
    assert_true(fails("cp.async.cg.shared.global [tile], [%rd2+4], 16;", 0, "is misaligned"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_later),     cmocka_unit_test(test_path),
        cmocka_unit_test(test_conflicts), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_exit),      cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
