/* A kernel reaches the memory of its owner only: three blocks that touch, of which the middle one
 * is the kernel's. */
#include "rig.h"

#define BLOCK 8192u

struct three {
    struct rig rig;
    uint32_t mine, other;
    uint64_t before, at, after; /* the blocks */
};

/* `count` times: an access of `out` + 4 * thread by the instruction, then of `step` beyond. */
static const char header[] =
    RIG_PTX ".visible .entry go(.param .u64 out, .param .u64 step, .param .u32 count)\n{\n"
            ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
            "ld.param.u64 %rd2, [out];\nld.param.u64 %rd5, [step];\nld.param.u32 %r4, [count];\n"
            "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\nagain:\n";
static const char footer[] = "\nadd.s64 %rd2, %rd2, %rd5;\nsub.u32 %r4, %r4, 1;\n"
                             "setp.ne.u32 %p1, %r4, 0;\n@%p1 bra again;\nret;\n}\n";

static uint64_t block_of(struct three *t, uint32_t owner)
{
    uint64_t address = image_alloc(&t->rig.image, BLOCK, 4096);
    image_describe(&t->rig.image, address, &(struct image_note){.owner = owner});
    return address;
}

static void open_three(struct three *t, const char *instruction)
{
    struct core_config config = rig_config();
    char ptx[2048];
    snprintf(ptx, sizeof ptx, "%s%s%s", header, instruction, footer);
    rig_open(&t->rig, &config, ptx);
    t->mine = image_add_owner(&t->rig.image, "program mine");
    t->other = image_add_owner(&t->rig.image, "service other");
    t->before = block_of(t, t->other);
    t->at = block_of(t, t->mine);
    t->after = block_of(t, t->other);
    assert_true(t->before + BLOCK == t->at && t->at + BLOCK == t->after);
    module_kernel(t->rig.module, "go")->owner = t->mine;
}

static bool go(struct three *t, uint64_t address, uint64_t step, uint32_t count)
{
    struct grid grid = rig_grid(&t->rig, "go", 1, 32, 3, (uint64_t[]){address, step, count});
    return rig_finish(&t->rig, &grid);
}

static void untouched(const struct three *t, uint64_t block)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        assert_int_equal(t->rig.image.base[block + i], 0);
}

static const char *const instructions[] = {"st.global.u32 [%rd2], 5;",
                                           "st.volatile.global.u32 [%rd2], 5;",
                                           "ld.global.u32 %r2, [%rd2];",
                                           "ld.volatile.global.u32 %r2, [%rd2];",
                                           "atom.global.add.u32 %r2, [%rd2], 1;",
                                           "red.global.add.u32 [%rd2], 1;"};

#define INSTRUCTIONS (sizeof instructions / sizeof instructions[0])

/* `lane` is the first that may not, and is told so. */
static void refused(const char *instruction, int64_t from, uint64_t step, uint32_t count,
                    uint32_t lane)
{
    struct three t;
    char thread[32];
    open_three(&t, instruction);
    snprintf(thread, sizeof thread, "thread (%u,0,0)", lane);
    assert_false(go(&t, t.at + (uint64_t)from, step, count));
    const char *text = t.rig.err.text;
    if (!strstr(text, "is in the memory of service other, which program mine may not access") ||
        !strstr(text, thread))
        fail_msg("%s: '%s' from %d", instruction, text, (int)from);
    untouched(&t, t.before);
    untouched(&t, t.after);
    rig_close(&t.rig);
}

static void test_edges(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        struct three t;
        open_three(&t, instructions[i]);
        assert_true(go(&t, t.at, BLOCK - 128, 2)); /* the first and the last 32 words */
        rig_close(&t.rig);
        refused(instructions[i], BLOCK, 0, 1, 0);
        refused(instructions[i], BLOCK - 4, 0, 1, 1);
        refused(instructions[i], BLOCK - 64, 0, 1, 16);
        refused(instructions[i], BLOCK - 124, 0, 1, 31);
        refused(instructions[i], -4, 0, 1, 0);
        refused(instructions[i], -128, 0, 1, 0);
        refused(instructions[i], -(int64_t)BLOCK, 0, 1, 0);
        refused(instructions[i], BLOCK + 4096, 0, 1, 0);
        refused(instructions[i], 0, BLOCK, 2, 0); /* the instruction was at home before */
        refused(instructions[i], 0, (uint64_t)-4, 2, 0);
        refused(instructions[i], 0, (uint64_t)-4096, 2, 0);
        refused(instructions[i], BLOCK - 256, 132, 2, 31);
    }
}

static void test_end_of_addresses(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        for (uint64_t below = 4; below <= 128; below *= 2) {
            struct three t;
            open_three(&t, instructions[i]);
            assert_false(go(&t, 0 - below, 0, 1)); /* lanes before and behind 2^64 */
            assert_non_null(strstr(t.rig.err.text, "outside allocated memory"));
            rig_close(&t.rig);
        }
    }
}

/* What an instruction was allowed before does not count once the memory is another's. */
static void test_given_back(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        struct three t;
        open_three(&t, instructions[i]);
        assert_true(go(&t, t.at, 0, 1));
        image_release(&t.rig.image, t.at);
        assert_int_equal(block_of(&t, t.other), t.at);
        assert_false(go(&t, t.at, 0, 1));
        assert_non_null(strstr(t.rig.err.text, "in the memory of service other"));
        untouched(&t, t.at);
        rig_close(&t.rig);
    }
}

/* An atomic is on its way when its memory becomes another's. */
static void test_under_way(void **state)
{
    (void)state;
    struct three t;
    open_three(&t, "red.global.add.u32 [%rd2], 1;");
    struct grid grid = rig_grid(&t.rig, "go", 1, 32, 3, (uint64_t[]){t.at, 0, 1});
    rig_launch(&t.rig, &grid);
    struct core_stats stats = {0};
    while (!stats.atomics) {
        rig_ticks(&t.rig, 1);
        core_stats(t.rig.core, &stats);
    }
    assert_int_equal(t.rig.image.base[t.at], 0); /* issued, not performed */
    image_release(&t.rig.image, t.at);
    assert_int_equal(block_of(&t, t.other), t.at);
    assert_true(rig_finish(&t.rig, &grid));
    untouched(&t, t.at);
    rig_close(&t.rig);
    open_three(&t, "red.global.add.u32 [%rd2], 1;"); /* as above, but nothing is given back */
    grid = rig_grid(&t.rig, "go", 1, 32, 3, (uint64_t[]){t.at, 0, 1});
    rig_launch(&t.rig, &grid);
    for (core_stats(t.rig.core, &stats); !stats.atomics; core_stats(t.rig.core, &stats))
        rig_ticks(&t.rig, 1);
    assert_true(block_of(&t, t.other) > t.after);
    assert_true(rig_finish(&t.rig, &grid));
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(t.rig.image.base[t.at + 4 * i], 1);
    rig_close(&t.rig);
}

static void test_lent(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        bool reads = strncmp(instructions[i], "ld", 2) == 0;
        struct three t;
        open_three(&t, instructions[i]);
        image_lend(&t.rig.image, t.after, t.mine, false);
        assert_int_equal(go(&t, t.after, 0, 1), reads);
        if (!reads)
            assert_non_null(strstr(t.rig.err.text, "which program mine may not write"));
        rig_close(&t.rig);
        open_three(&t, instructions[i]);
        image_lend(&t.rig.image, t.after, t.mine, true);
        assert_true(go(&t, t.after, 0, 1));
        rig_close(&t.rig);
    }
}

static void test_without(void **state)
{
    (void)state;
    struct three t;
    open_three(&t, instructions[0]);
    t.rig.image.unguarded = true;
    assert_true(go(&t, t.after, 0, 1));
    assert_int_equal(t.rig.image.base[t.after], 5);
    rig_close(&t.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),      cmocka_unit_test(test_end_of_addresses),
        cmocka_unit_test(test_given_back), cmocka_unit_test(test_under_way),
        cmocka_unit_test(test_lent),       cmocka_unit_test(test_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
