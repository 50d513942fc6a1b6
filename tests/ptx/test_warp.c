/* Votes, shuffles, matches, reductions, barriers and special registers. */
#include "tests/ptx/op.h"

static const uint32_t one[3] = {1, 1, 1};

static void test_votes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t p;
    } cases[] = {
        {"vote.sync.all.pred %p, %p, -1;", FULL_MASK},
        {"vote.sync.all.pred %p, r, -1;", 0},
        {"vote.sync.any.pred %p, r, -1;", FULL_MASK},
        {"vote.sync.any.pred %p, %q, -1;", 0},
        {"vote.sync.any.pred %p, !%p, -1;", 0},
        {"vote.sync.uni.pred %p, r, -1;", 0},
        {"vote.sync.uni.pred %p, %q, -1;", FULL_MASK},
        {"vote.all.pred %p, !%q;", FULL_MASK},
        {"@r vote.all.pred %q, r; mov.pred %p, %q;", 0x1F},
        {"vote.sync.all.pred %p, r, 7;", FULL_MASK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "{ .reg .pred r; setp.lt.u32 r, %%lane, 5; %s }",
                 cases[i].text);
        struct op op = {.text = text, .width = {32, 32, 32, 32}};
        op_run(&op);
        if (op.p != cases[i].p)
            fail_msg("%s: %x", cases[i].text, op.p);
    }
    CHECK(0x1F, "setp.lt.u32 %p, %lane, 5; vote.sync.ballot.b32 %d, %p, -1;", 32, 32, 0, 0, 0);
    CHECK(0xFFFFFFE0, "setp.lt.u32 %p, %lane, 5; vote.ballot.b32 %d, !%p;", 32, 32, 0, 0, 0);
    CHECK(0x3, "setp.lt.u32 %p, %lane, 5; vote.sync.ballot.b32 %d, %p, 0x80000003;", 32, 32, 0, 0,
          0);
    CHECK(FULL_MASK, "activemask.b32 %d;", 32, 32, 0, 0, 0);
    struct op op = {.text = "activemask.b32 %d;", .width = {32, 32, 32, 32}, .threads = 20};
    op_run(&op);
    assert_int_equal(op.out[7], 0xFFFFF);
}

static const uint32_t clamps[] = {0x1F, 0, 0x181F, 0x1C1F, 0x1800, 0x0F, 0x1E01, 0x1F1F};
#define N_CLAMPS (sizeof clamps / sizeof *clamps)

/* The pseudo-code of the PTX ISA, written down once more. */
static uint32_t shuffled(int mode, uint32_t lane, uint32_t b, uint32_t c, bool *valid)
{
    int bval = b & 31, cval = c & 31, mask = c >> 8 & 31, l = (int)lane;
    int max_lane = (l & mask) | (cval & ~mask), min_lane = l & mask, j;
    switch (mode) {
    case 0:
        j = l - bval;
        *valid = j >= max_lane;
        break;
    case 1:
        j = l + bval;
        *valid = j <= max_lane;
        break;
    case 2:
        j = l ^ bval;
        *valid = j <= max_lane;
        break;
    default:
        j = min_lane | (bval & ~mask);
        *valid = j <= max_lane;
        break;
    }
    return *valid ? (uint32_t)j : lane;
}

/* One shuffle; with 1 in `differ` b is not the same for all lanes, with 2 c is not. */
static void check_shuffle(int mode, uint32_t b, size_t c, unsigned int differ)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    char text[100];
    snprintf(text, sizeof text, "shfl.sync.%s.b32 %%d|%%q, %%a, %%b, %%c, -1;", modes[mode]);
    struct op op = {.text = text, .width = {32, 32, 32, 32}};
    for (uint32_t i = 0; i < LANES; i++) {
        op.src[0][i] = 100 + i;
        op.src[1][i] = b + (differ & i & 1);
        op.src[2][i] = clamps[(c + (differ & 2 ? i / 8 : 0)) % N_CLAMPS];
    }
    op_run(&op);
    for (uint32_t i = 0; i < LANES; i++) {
        bool valid;
        uint32_t from = shuffled(mode, i, (uint32_t)op.src[1][i], (uint32_t)op.src[2][i], &valid);
        assert_int_equal(op.out[i], 100 + from);
        assert_int_equal(op.q >> i & 1, valid);
    }
}

static void test_shuffles(void **state)
{
    (void)state;
    for (int mode = 0; mode < 4; mode++)
        for (size_t c = 0; c < N_CLAMPS; c++)
            for (uint32_t b = 0; b < 34; b++)
                for (unsigned int differ = 0; differ < 4; differ++)
                    check_shuffle(mode, b, c, differ);
    /* Lanes 0 to 7 read lanes 16 to 23, which do not take part, and then each other. */
    struct op part = {.text = "setp.lt.u32 %q, %lane, 8; mov.u32 %d, %lane; "
                              "@%q shfl.sync.down.b32 %d, %lane, 16, 31, 255; "
                              "@%q shfl.sync.down.b32 %t, %lane, 3, 31, 255; "
                              "@%q add.u32 %d, %d, %t;",
                      .width = {32, 32, 32, 32}};
    op_run(&part);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(part.out[i], i >= 8 ? i : i < 5 ? i + 3 : 0);
    CHECK(131, "add.u32 %d, %lane, 100; shfl.idx.b32 %d, %d, 31, 31;", 32, 32, 0, 0, 0);
    CHECK(100, "add.u32 %d, %lane, 100; shfl.sync.idx.b32 %d, %d, 0, 31, -1;", 32, 32, 0, 0, 0);
}

static void test_match_redux(void **state)
{
    (void)state;
    struct op op = {.text = "match.any.sync.b32 %d, %a, -1;", .width = {32, 32, 32, 32}};
    for (uint32_t i = 0; i < LANES; i++)
        op.src[0][i] = i % 3;
    op_run(&op);
    assert_int_equal(op.out[0], 0x49249249);
    assert_int_equal(op.out[1], 0x92492492);
    op.text = "match.all.sync.b32 %d|%p, %a, -1;";
    op_run(&op);
    assert_int_equal(op.out[5], 0);
    assert_int_equal(op.p, 0);
    CHECK(FULL_MASK, "match.all.sync.b64 %d|%p, %a, -1;", 32, 64, 1ull << 40, 0, 0);
    struct op wide = {.text = "match.any.sync.b64 %d, %a, -1;", .width = {32, 64, 32, 32}};
    wide.src[0][9] = 1ull << 33;
    op_run(&wide);
    assert_int_equal(wide.out[9], 1u << 9);
    assert_int_equal(wide.out[0], ~(1u << 9));

    CHECK(31 * 16, "redux.sync.add.u32 %d, %lane, -1;", 32, 32, 0, 0, 0);
    CHECK(31, "redux.sync.max.s32 %d, %lane, -1;", 32, 32, 0, 0, 0);
    CHECK(-31, "neg.s32 %t, %lane; redux.sync.min.s32 %d, %t, -1;", 32, 32, 0, 0, 0);
    CHECK(0, "neg.s32 %t, %lane; redux.sync.min.u32 %d, %t, -1;", 32, 32, 0, 0, 0);
    CHECK(31, "redux.sync.or.b32 %d, %lane, -1;", 32, 32, 0, 0, 0);
    CHECK(0, "redux.sync.and.b32 %d, %lane, -1;", 32, 32, 0, 0, 0);
    CHECK(0, "redux.sync.xor.b32 %d, %lane, -1;", 32, 32, 0, 0, 0);
}

/* A lane of each group that the lanes name, and the same one for all of it. */
static void test_elect(void **state)
{
    (void)state;
    struct op op = {.text = "and.b32 %t, %lane, 1; setp.eq.u32 %q, %t, 0;\n"
                            "selp.b32 %t, 0x55555550, 0xAAAAAAAA, %q;\n"
                            "setp.lt.u32 %q, %lane, 4;\n"
                            "@!%q elect.sync %d|%p, %t; @!%q elect.sync _|%q, %t;"};
    op_run(&op);
    assert_int_equal(op.out[3], 0xCCCCCCCC);
    assert_int_equal(op.out[4], 4);
    assert_int_equal(op.out[31], 5);
    assert_int_equal(op.p, 0x3F); /* lanes 0 to 3 have kept theirs */
    assert_int_equal(op.q, 0x3F);
    CHECK(7,
          "mov.u32 %d, 7; griddepcontrol.wait; griddepcontrol.launch_dependents;\n"
          "fence.proxy.async.shared::cta; fence.proxy.alias; fence.mbarrier_init.release.cluster;",
          32, 32, 0, 0, 0);
}

static void test_special_registers(void **state)
{
    (void)state;
    CHECK(7, "mov.u32 %d, %gridid;", 32, 32, 0, 0, 0);
    CHECK(7, "mov.u64 %d, %gridid;", 64, 32, 0, 0, 0);
    CHECK(3, "mov.u32 %d, %smid;", 32, 32, 0, 0, 0);
    CHECK(15, "mov.u32 %d, %nsmid;", 32, 32, 0, 0, 0);
    CHECK(48, "mov.u32 %d, %nwarpid;", 32, 32, 0, 0, 0);
    CHECK(0, "mov.u32 %d, %warpid;", 32, 32, 0, 0, 0);
    CHECK(0x123456789ABCDEF, "mov.u64 %d, %globaltimer;", 64, 32, 0, 0, 0);
    CHECK(0x89ABCDEF, "mov.u32 %d, %globaltimer_lo;", 32, 32, 0, 0, 0);
    CHECK(0x1234567, "mov.u32 %d, %globaltimer_hi;", 32, 32, 0, 0, 0);
    CHECK(1, "mov.u64 %t, %clock64; mov.u64 %d, %clock64; sub.u64 %d, %d, %t;", 64, 32, 0, 0, 0);
    CHECK(1, "mov.u32 %t, %clock; mov.u32 %d, %clock; sub.u32 %d, %d, %t;", 32, 32, 0, 0, 0);
    CHECK(32 + 1 + 1 + 1,
          "{ .reg .b32 x; mov.u32 %d, %ntid.x; mov.u32 x, %ntid.y;"
          "add.u32 %d, %d, x; add.u32 %d, %d, %nctaid.z; add.u32 %d, %d, %ntid.w; }",
          32, 32, 0, 0, 0);
    static const char *const names[] = {"%laneid",      "%lanemask_eq", "%lanemask_le",
                                        "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
                                        "%tid.x",       "%tid.y"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char text[64];
        snprintf(text, sizeof text, "mov.u32 %%d, %s;", names[n]);
        struct op op = {.text = text, .width = {32, 32, 32, 32}};
        op_run(&op);
        for (uint32_t i = 0; i < LANES; i++) {
            uint32_t bit = 1u << i, below = bit - 1;
            const uint32_t want[] = {i, bit, below | bit, below, ~below, ~below & ~bit, i, 0};
            assert_int_equal(op.out[i], want[n]);
        }
    }
}

static void test_grid(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m,
                  ".version 7.0\n.target sm_70\n.address_size 64\n"
                  ".entry k(.param .u64 out) { .reg .b32 %t<12>; .reg .b64 %a, %b;"
                  "ld.param.u64 %a, [out]; mov.u32 %t0, %tid.x; mov.u32 %t1, %tid.y;"
                  "mov.u32 %t2, %tid.z; mov.u32 %t3, %ctaid.x; mov.u32 %t4, %ctaid.y;"
                  "mov.u32 %t5, %ctaid.z; mov.u32 %t6, %nctaid.x; mov.u32 %t7, %nctaid.y;"
                  "mad.lo.u32 %t8, %t5, %t7, %t4; mad.lo.u32 %t8, %t8, %t6, %t3;"
                  "mul.lo.u32 %t8, %t8, 30; mad.lo.u32 %t8, %t2, 15, %t8;"
                  "mad.lo.u32 %t8, %t1, 5, %t8; add.u32 %t8, %t8, %t0;"
                  "mul.wide.u32 %b, %t8, 4; add.u64 %b, %a, %b; st.global.u32 [%b], %t8; ret; }");
    const uint32_t grid[3] = {2, 3, 2}, block[3] = {5, 3, 2};
    uint64_t out = machine_alloc(&m, 360 * 4, 4);
    memset(m.memory + out, 0xFF, 360 * 4);
    machine_run(&m, "k", grid, block, 0, &out);
    for (uint32_t i = 0; i < 360; i++)
        assert_memory_equal(m.memory + out + 4 * i, &i, 4);
    machine_stop(&m);
}

/* Three warps: bar.red over all of them, barrier numbers and counts from registers. */
static void test_barriers(void **state)
{
    (void)state;
    struct machine m;
    machine_start(&m, ".version 7.0\n.target sm_70\n.address_size 64\n"
                      ".entry k(.param .u64 out) { .reg .b32 %t, %d, %n, %one; .reg .b64 %a, %b;"
                      ".reg .pred %p, %q; .shared .b32 s[96]; .reg .b64 %x;"
                      "ld.param.u64 %a, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %b, %t, 4;"
                      "mov.u64 %x, s; add.u64 %x, %x, %b; st.shared.u32 [%x], %t; bar.sync 0;"
                      "add.u64 %a, %a, %b; sub.u64 %b, 380, %b; mov.u64 %x, s; add.u64 %x, %x, %b;"
                      "ld.shared.u32 %d, [%x]; st.global.u32 [%a], %d;"
                      "setp.lt.u32 %p, %t, 40; bar.red.popc.u32 %n, 0, %p;"
                      "st.global.u32 [%a+384], %n; bar.red.and.pred %q, 0, %p;"
                      "selp.u32 %n, 1, 2, %q; bar.red.or.pred %q, 0, 96, !%p;"
                      "@%q add.u32 %n, %n, 16; bar.red.and.pred %q, 1, !%p; barrier.sync 0;"
                      "mov.u32 %one, 1; bar.sync %one, 96; bar.arrive 2, 96;"
                      "st.global.u32 [%a+768], %n; bar.warp.sync -1; membar.gl; fence.acq_rel.gpu;"
                      "ret; }");
    const uint32_t block[3] = {96, 1, 1};
    uint64_t out = machine_alloc(&m, 1152, 4);
    machine_run(&m, "k", one, block, 0, &out);
    for (uint32_t i = 0; i < 96; i++) {
        uint32_t got[3];
        for (int n = 0; n < 3; n++)
            memcpy(&got[n], m.memory + out + 384 * (size_t)n + 4 * i, 4);
        assert_int_equal(got[0], 95 - i);
        assert_int_equal(got[1], 40);
        assert_int_equal(got[2], 18);
    }
    const struct kernel *k = module_kernel(m.module, "k");
    uint32_t number = 9, threads = 9, lanes = 9, barriers = 0, warp_barriers = 0, fences = 0;
    struct lane_ctx ctx = {.konst = (const uint32_t(*)[WARP_SIZE])k->konst};
    for (uint32_t i = 0; i < k->n_inst; i++) {
        fences += k->code[i].class == INST_FENCE;
        if (k->code[i].class != INST_BARRIER)
            continue;
        barriers += k->code[i].bar_kind != BAR_WARP;
        warp_barriers += k->code[i].bar_kind == BAR_WARP;
        if (k->code[i].bar_kind != BAR_ARRIVE)
            continue;
        isa_barrier_operands(&k->code[i], &ctx, FULL_MASK, &number, &threads, &lanes);
    }
    assert_int_equal(barriers, 8);
    assert_int_equal(warp_barriers, 1);
    assert_int_equal(fences, 2);
    assert_int_equal(number, 2);
    assert_int_equal(threads, 96);
    assert_int_equal(lanes, 0);
    machine_stop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes),
        cmocka_unit_test(test_shuffles),
        cmocka_unit_test(test_match_redux),
        cmocka_unit_test(test_elect),
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
