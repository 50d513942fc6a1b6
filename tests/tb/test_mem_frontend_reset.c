/* mem_frontend, directed: start-up, and resets whatever arrives at their edges: nothing of it comes
 * out afterwards; RTL and golden model in lockstep, and the bench's reference over every step. */
#include "tests/tb/mem_frontend_bench.h"
#include "tests/unit.h"

enum {
    ALL = 0xffffffff,
    LIMIT = 10000,
    SOON = 10, /* steps after which a request that could leave has left */
    ROW = 5,
    LINE = FE_BENCH_FIRST + ROW,
    WORDS = FE_BENCH_WORDS,
    REGION_WORDS = EVG_FE_REGION_LINES * FE_BENCH_WORDS,
};

/* Words `first` to `last` are emptied. */
static void empty(struct fe_bench *b, uint32_t first, uint32_t last)
{
    assert_int_equal(fe_command(b, FE_COMMAND_EMPTY, first, last), FE_CODE_OK);
    fe_drain(b, LIMIT);
}

/* At once after a reset, up to the end of the start-up: as if nothing had ever been there. */
static void expect_fresh(struct fe_bench *b)
{
    const struct mem_frontend_out *o = &b->out;
    b->in.req_valid = 0;
    assert_true(!o->reg_ack && !o->irq && !o->dram_valid && !o->rsp_valid && !o->req_ready);
    assert_int_equal(fe_read_register(b, FE_REG_STATUS), EVG_FE_STATUS_RANGE);
    uint64_t left = b->left, replied = b->replied, reports = b->reports;
    fe_steps(b, FE_BENCH_START_UP);
    assert_true(b->left == left && b->replied == replied && b->reports == reports);
    assert_int_equal(o->req_ready, 7);
    for (uint8_t reg = FE_REG_CONTROL; reg <= FE_REG_ERRORS; reg++)
        assert_int_equal(fe_read_register(b, reg), 0);
    assert_int_equal(fe_read_register(b, FE_REG_REGION_BASE), EVG_FE_REGION_BASE);
}

/* --- start-up --------------------------------------------------------------------------------- */

static void test_start_up_fills_everything(void **state)
{
    struct fe_bench *b = *state;
    for (int round = 0; round < 2; round++) {
        for (uint32_t row = 0; row < EVG_FE_REGION_LINES; row++)
            fe_await_leave(b, fe_read_full(b, FE_BENCH_FIRST + row, FE_SOURCE_GPU));
        assert_int_equal(fe_command(b, FE_COMMAND_CLEAR, 0, REGION_WORDS - 1), FE_CODE_OK);
        fe_drain(b, LIMIT);
        fe_bench_reset(b);
        assert_int_equal(b->out.req_ready, 0);
        fe_steps(b, EVG_FE_REGION_LINES);
        assert_int_equal(b->out.req_ready, 0);
        fe_step(b);
        assert_int_equal(b->out.req_ready, 7);
    }
}

/* --- the region ------------------------------------------------------------------------------- */

/* The base is written once, and not after the first request. */
static void test_region_base(void **state)
{
    struct fe_bench *b = *state;
    enum { ELSEWHERE = 96 * EVG_FE_REGION_LINES };
    for (int taken_before = 0; taken_before < 2; taken_before++) {
        fe_bench_reset(b);
        fe_steps(b, FE_BENCH_START_UP);
        assert_int_equal(fe_read_register(b, FE_REG_REGION_BASE), EVG_FE_REGION_BASE);
        for (uint32_t bit = 1; bit < EVG_FE_REGION_LINES; bit *= 2) {
            fe_set_base(b, ELSEWHERE + bit);
            assert_int_equal(fe_read_register(b, FE_REG_STATUS),
                             FE_CODE_BAD_BASE << EVG_FE_STATUS_CODE);
        }
        if (taken_before)
            fe_await_leave(b, fe_plain(b, 0));
        fe_set_base(b, ELSEWHERE);
        uint32_t base = taken_before ? EVG_FE_REGION_BASE : ELSEWHERE;
        assert_int_equal(fe_read_register(b, FE_REG_STATUS),
                         EVG_FE_STATUS_BASE | (taken_before ? FE_CODE_BAD_BASE : FE_CODE_OK)
                                                  << EVG_FE_STATUS_CODE);
        assert_int_equal(fe_read_register(b, FE_REG_REGION_BASE), base);
        fe_set_base(b, 0);
        assert_int_equal(fe_read_register(b, FE_REG_REGION_BASE), base);
        fe_await_leave(b, fe_read_full(b, base, FE_SOURCE_GPU));
        fe_await_leave(b, fe_read_full(b, base + EVG_FE_REGION_LINES - 1, FE_SOURCE_GPU));
        fe_read_full(b, base - 1, FE_SOURCE_GPU);
        fe_read_full(b, base + EVG_FE_REGION_LINES, FE_SOURCE_GPU);
        fe_drain(b, 100);
        assert_int_equal(fe_read_register(b, FE_REG_ERRORS), 2);
    }
}

/* Each bit of the base counts, both ways. */
static void test_region_base_bits(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t base = UINT32_MAX; base >= EVG_FE_REGION_LINES; base /= 2) {
        fe_bench_reset(b);
        fe_set_base(b, base & ~(EVG_FE_REGION_LINES - 1u));
        assert_int_equal(fe_read_register(b, FE_REG_REGION_BASE),
                         base & ~(EVG_FE_REGION_LINES - 1u));
    }
}

/* --- resets ----------------------------------------------------------------------------------- */

/* Reset forgets what was inside, and switches everything off again. */
static void test_reset(void **state)
{
    struct fe_bench *b = *state;
    empty(b, ROW * WORDS, ROW * WORDS);
    fe_write_register(b, FE_REG_TIMEOUT_GPU, 3);
    fe_write_register(b, FE_REG_TIMEOUT_NON, 3);
    fe_read_full(b, LINE, FE_SOURCE_GPU);
    b->answers_held = true;
    fe_plain(b, LINE);
    fe_steps(b, 30);
    assert_int_equal(b->out.irq, 1);
    b->answers_held = false;
    fe_bench_reset(b);
    expect_fresh(b);
    fe_steps(b, 100);
    assert_true(b->out.idle && !b->out.irq);
}

/* A command that every register allows, at the only edge of a reset: no acknowledgement, no range,
 * no release. */
static void test_command_at_reset(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t command = FE_COMMAND_FILL; command <= FE_COMMAND_RELEASE; command++) {
        fe_write_register(b, FE_REG_CONTROL, EVG_FE_CONTROL_OVERRIDE | EVG_FE_CONTROL_CLEAR);
        fe_write_register(b, FE_REG_FIRST, ROW * WORDS);
        fe_write_register(b, FE_REG_LAST, (ROW + 1) * WORDS);
        b->in.reg_valid = b->in.reg_write = 1;
        b->in.reg_addr = FE_REG_COMMAND;
        b->in.reg_data = command;
        fe_bench_reset_edges(b, 1);
        expect_fresh(b);
        fe_await_leave(b, fe_read_full(b, LINE, FE_SOURCE_GPU));
        fe_drain(b, LIMIT);
    }
}

/* One step before it: a range and a release are not worked on, and not acknowledged twice. */
static void test_command_before_reset(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t command = FE_COMMAND_FILL; command <= FE_COMMAND_RELEASE; command++) {
        empty(b, ROW * WORDS, ROW * WORDS + WORDS - 1);
        fe_read_full(b, LINE, FE_SOURCE_CPU);
        fe_read_full(b, LINE, FE_SOURCE_GPU);
        fe_steps(b, SOON);
        fe_write_register(b, FE_REG_COMMAND, command);
        assert_int_equal(b->out.reg_ack, 1);
        fe_bench_reset_edges(b, 1);
        expect_fresh(b);
        /* What comes now is not released. */
        empty(b, ROW * WORDS, ROW * WORDS + WORDS - 1);
        fe_read_full(b, LINE, FE_SOURCE_CPU);
        fe_read_full(b, LINE, FE_SOURCE_GPU);
        fe_steps(b, SOON);
        assert_int_equal(b->waiting[FE_QUEUE_CPU].count + b->waiting[FE_QUEUE_GPU].count, 2);
        fe_bench_reset(b);
        fe_steps(b, FE_BENCH_START_UP);
    }
}

/* An error, wherever it is between its request and its reply: not counted, not answered. */
static void test_error_at_reset(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t after = 0; after < SOON; after++) {
        fe_read_full(b, FE_BENCH_END, FE_SOURCE_GPU);
        fe_steps(b, after);
        fe_bench_reset_edges(b, 1);
        expect_fresh(b);
    }
}

/* A request that is offered at the edge of the reset is not taken. */
static void test_request_at_reset(void **state)
{
    struct fe_bench *b = *state;
    for (uint8_t trigger = FE_TRIGGER_NONE; trigger <= FE_TRIGGER_FULL; trigger++)
        for (uint8_t source = FE_SOURCE_CPU; source <= FE_SOURCE_GPU; source++) {
            fe_offer(b, LINE, ALL, trigger, FE_ACTION_EMPTY, source);
            fe_bench_reset_edges(b, 1);
            expect_fresh(b);
        }
}

/* A request with an action, wherever it is on its way to memory and back: it does not act, and what
 * is said of its queue, of who goes first and of replies begins anew. */
static void test_traffic_at_reset(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t after = 0; after < 2 * SOON; after++) {
        for (uint32_t i = 0; i < 3; i++) {
            fe_plain(b, LINE + i);
            fe_read_full(b, LINE + i, FE_SOURCE_CPU);
            fe_send(b, LINE, ALL, FE_TRIGGER_FULL, FE_ACTION_FILL, FE_SOURCE_GPU);
        }
        fe_send(b, LINE, ALL, FE_TRIGGER_NONE, FE_ACTION_EMPTY, FE_SOURCE_CPU);
        fe_steps(b, after);
        fe_bench_reset_edges(b, 1);
        expect_fresh(b);
        fe_await_leave(b, fe_read_full(b, LINE, FE_SOURCE_GPU));
        fe_await_leave(b, fe_read_full(b, LINE, FE_SOURCE_CPU));
        fe_await_leave(b, fe_plain(b, LINE));
        fe_drain(b, LIMIT);
    }
}

/* A head whose time runs out at the edge: time-outs are off, and switched on again at once they
 * count from 0 on. */
static void test_time_out_at_reset(void **state)
{
    struct fe_bench *b = *state;
    enum { CYCLES = 4 };
    for (uint32_t after = 0; after < 2 * SOON; after++) {
        empty(b, ROW * WORDS, ROW * WORDS);
        for (uint8_t reg = FE_REG_TIMEOUT_NON; reg <= FE_REG_TIMEOUT_GPU; reg++)
            fe_write_register(b, reg, CYCLES);
        fe_read_full(b, LINE, FE_SOURCE_CPU);
        fe_read_full(b, LINE, FE_SOURCE_GPU);
        fe_steps(b, after);
        fe_bench_reset_edges(b, 1);
        uint64_t reports = b->reports;
        for (uint8_t reg = FE_REG_TIMEOUT_NON; reg <= FE_REG_TIMEOUT_GPU; reg++)
            fe_write_register(b, reg, 1);
        fe_steps(b, FE_BENCH_START_UP);
        assert_true(b->reports == reports && !b->out.irq);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fe_bench_setup, fe_bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_start_up_fills_everything),
        TEST(test_region_base),
        TEST(test_region_base_bits),
        TEST(test_reset),
        TEST(test_command_at_reset),
        TEST(test_command_before_reset),
        TEST(test_error_at_reset),
        TEST(test_request_at_reset),
        TEST(test_traffic_at_reset),
        TEST(test_time_out_at_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
