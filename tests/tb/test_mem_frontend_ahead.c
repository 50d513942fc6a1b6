/* mem_frontend whose GPU queue has several heads: who passes whom, and who does not. RTL and golden
 * model in lockstep, and the bench's reference over every step. */
#include "mem_frontend_look2.h"
#include "mem_frontend_look4.h"
#include "mem_frontend_look8.h"
#include "tests/tb/mem_frontend_traffic.h"
#include "tests/unit.h"

enum {
    ALL = 0xffffffff,
    LIMIT = 1000,
    SOON = 40, /* steps in which what can leave has left */
    LEAVES = 7,
    WAITER_LEAVES = 4, /* after the departure of what fills its word: one more than with one head */
    EMPTY_LINE = FE_BENCH_FIRST + 5,
    FULL_LINE = FE_BENCH_FIRST + 20,
    CYCLES = 400000,
};

static int setup(void **state, const struct tile_kind *kind, struct mem_frontend_parameters p)
{
    *state = fe_bench_create_variant(kind, &p, TILE_LOCKSTEP, 1);
    return 0;
}

static int setup2(void **state)
{
    return setup(state, &mem_frontend_look2_kind, mem_frontend_look2_parameters());
}

static int setup4(void **state)
{
    return setup(state, &mem_frontend_look4_kind, mem_frontend_look4_parameters());
}

static int setup8(void **state)
{
    return setup(state, &mem_frontend_look8_kind, mem_frontend_look8_parameters());
}

static uint16_t act(struct fe_bench *b, uint32_t line, uint8_t action)
{
    return fe_send(b, line, ALL, FE_TRIGGER_NONE, action, FE_SOURCE_CPU);
}

static void empty(struct fe_bench *b, uint32_t line)
{
    act(b, line, FE_ACTION_EMPTY);
    fe_drain(b, LIMIT);
}

static uint32_t gpu_waiting(const struct fe_bench *b)
{
    return b->waiting[FE_QUEUE_GPU].count;
}

static void test_registers(void **state)
{
    struct fe_bench *b = *state;
    assert_int_equal(fe_read_register(b, FE_REG_LOOK_AHEAD), b->parameters.look_ahead);
}

static void test_latency(void **state)
{
    struct fe_bench *b = *state;
    fe_gpu_read(b, FULL_LINE);
    uint64_t taken = b->cycle - 1;
    fe_drain(b, LIMIT);
    assert_int_equal(b->last_leave - taken, LEAVES);
}

/* So many as there are heads but one are passed; the next one behind them waits. */
static void test_passes_blocked_ones(void **state)
{
    struct fe_bench *b = *state;
    uint32_t heads = b->parameters.look_ahead;
    for (uint32_t i = 0; i < heads; i++)
        empty(b, EMPTY_LINE + i);
    for (uint32_t i = 0; i + 1 < heads; i++)
        fe_gpu_read(b, EMPTY_LINE + i);
    uint16_t quick = fe_gpu_read(b, FULL_LINE);
    fe_steps(b, SOON);
    assert_int_equal(b->last_leave_id, quick);
    assert_int_equal(gpu_waiting(b), heads - 1);
    if (heads < EVG_FE_QUEUE_DEPTH) {
        fe_gpu_read(b, EMPTY_LINE + heads - 1); /* the last head is blocked too */
        fe_gpu_read(b, FULL_LINE);
        fe_steps(b, SOON);
        assert_int_equal(gpu_waiting(b), heads + 1);
        assert_int_equal(b->out.idle, 1);
    }
    act(b, EMPTY_LINE + heads - 2, FE_ACTION_FILL); /* the youngest but one first */
    fe_steps(b, SOON);
    assert_int_equal(gpu_waiting(b), heads < EVG_FE_QUEUE_DEPTH ? heads - 1 : heads - 2);
    for (uint32_t i = 0; i < heads; i++)
        act(b, EMPTY_LINE + i, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
    assert_true(b->overtakings > 0);
}

/* A filled word's waiter leaves one cycle later than a single head would. */
static void test_released_by_a_fill(void **state)
{
    struct fe_bench *b = *state;
    empty(b, EMPTY_LINE);
    uint16_t id = fe_gpu_read(b, EMPTY_LINE);
    fe_steps(b, SOON);
    fe_await_leave(b, act(b, EMPTY_LINE, FE_ACTION_FILL));
    uint64_t filled = b->last_leave;
    fe_drain(b, LIMIT);
    assert_int_equal(b->last_leave_id, id);
    assert_int_equal(b->last_leave - filled, WAITER_LEAVES);
}

/* A request for the line of a blocked one waits behind it, even when its own words are there. */
static void test_order_of_a_line(void **state)
{
    struct fe_bench *b = *state;
    fe_send(b, EMPTY_LINE, 1, FE_TRIGGER_NONE, FE_ACTION_EMPTY, FE_SOURCE_CPU);
    fe_drain(b, LIMIT);
    uint16_t first = fe_send(b, EMPTY_LINE, 1, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_GPU);
    fe_send(b, EMPTY_LINE, 2, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_GPU);
    fe_steps(b, SOON);
    assert_int_equal(gpu_waiting(b), 2);
    act(b, EMPTY_LINE, FE_ACTION_FILL);
    while (gpu_waiting(b) == 2)
        fe_step(b);
    assert_int_equal(b->last_leave_id, first);
    fe_drain(b, LIMIT);
}

/* Every bit of its number makes it another line. */
static void test_other_lines(void **state)
{
    struct fe_bench *b = *state;
    const uint32_t row = EMPTY_LINE - FE_BENCH_FIRST;
    empty(b, EMPTY_LINE);
    fe_gpu_read(b, EMPTY_LINE);
    for (uint32_t bit = 1; bit < b->parameters.region_lines; bit <<= 1) {
        uint16_t id = fe_gpu_read(b, FE_BENCH_FIRST + (row ^ bit));
        fe_steps(b, SOON);
        assert_int_equal(b->last_leave_id, id);
        assert_int_equal(gpu_waiting(b), 1);
    }
    act(b, EMPTY_LINE, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

/* Of several that can leave, the oldest goes first; replies follow the order of leaving. */
static void test_oldest_first(void **state)
{
    struct fe_bench *b = *state;
    b->dram_chance = 0;
    /* Stands at dram_... */
    fe_send(b, FULL_LINE, 1, FE_TRIGGER_NONE, FE_ACTION_NONE, FE_SOURCE_CPU);
    uint16_t first = fe_gpu_read(b, FULL_LINE + 1);
    uint16_t second = fe_gpu_read(b, FULL_LINE + 2);
    fe_steps(b, SOON);
    b->dram_chance = FE_BENCH_OFTEN;
    while (gpu_waiting(b) == 2)
        fe_step(b);
    assert_int_equal(b->last_leave_id, first);
    fe_drain(b, LIMIT);
    assert_int_equal(b->last_leave_id, second);
    assert_int_equal(b->last_reply_id, second);
}

/* RELEASE: all that are inside leave, heads or not, and those that come later do not. */
static void test_release(void **state)
{
    struct fe_bench *b = *state;
    empty(b, EMPTY_LINE);
    empty(b, EMPTY_LINE + 1);
    for (uint32_t i = 0; i < EVG_FE_QUEUE_DEPTH; i++)
        fe_gpu_read(b, EMPTY_LINE + i % 2);
    fe_steps(b, SOON);
    assert_int_equal(gpu_waiting(b), EVG_FE_QUEUE_DEPTH);
    fe_command(b, FE_COMMAND_RELEASE, 0, 0);
    assert_true(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_RELEASE);
    fe_gpu_read(b, EMPTY_LINE);
    fe_steps(b, 4 * SOON);
    assert_int_equal(b->released, EVG_FE_QUEUE_DEPTH);
    assert_int_equal(gpu_waiting(b), 1);
    assert_false(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_RELEASE);
    act(b, EMPTY_LINE, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

/* The time-out is that of the oldest, whoever passes it. */
static void test_time_out(void **state)
{
    struct fe_bench *b = *state;
    enum { TIME = 60 };
    empty(b, EMPTY_LINE);
    fe_write_register(b, FE_REG_TIMEOUT_GPU, TIME);
    uint16_t id = fe_gpu_read(b, EMPTY_LINE);
    for (uint32_t i = 0; i < TIME; i++) {
        assert_int_equal(b->out.irq, 0);
        if (i % 8 == 0)
            fe_gpu_read(b, FULL_LINE);
        else
            fe_step(b);
    }
    fe_steps(b, SOON);
    assert_int_equal(b->out.irq, 1);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_LINE), EMPTY_LINE);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_INFO) & 0xffff, id);
    assert_true(b->overtakings > 4);
    fe_write_register(b, FE_REG_TIMEOUT_GPU, 0);
    act(b, EMPTY_LINE, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

static void test_random(void **state)
{
    struct fe_bench *b = *state;
    uint64_t seed = fe_traffic_seed();
    printf("seed %llu, %u heads\n", (unsigned long long)seed, b->parameters.look_ahead);
    rng_seed(&b->rng, seed);
    fe_bench_add_gated(b);
    fe_traffic(b, CYCLES);
    printf("%llu requests, %llu overtakings, %llu released\n", (unsigned long long)b->taken,
           (unsigned long long)b->overtakings, (unsigned long long)b->released);
    assert_true(b->taken == b->replied + b->dropped);
    assert_true(b->overtakings > 100 && b->left_queue[FE_QUEUE_GPU] > 1000 && b->released > 200);
}

#define TEST2(f) cmocka_unit_test_setup_teardown(f, setup2, fe_bench_teardown)
#define TEST4(f) cmocka_unit_test_setup_teardown(f, setup4, fe_bench_teardown)
#define TEST8(f) cmocka_unit_test_setup_teardown(f, setup8, fe_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST2(test_registers),
        TEST2(test_latency),
        TEST2(test_passes_blocked_ones),
        TEST2(test_released_by_a_fill),
        TEST2(test_order_of_a_line),
        TEST2(test_other_lines),
        TEST2(test_oldest_first),
        TEST2(test_release),
        TEST2(test_time_out),
        TEST2(test_random),
        TEST4(test_registers),
        TEST4(test_passes_blocked_ones),
        TEST4(test_order_of_a_line),
        TEST4(test_release),
        TEST4(test_time_out),
        TEST4(test_random),
        TEST8(test_registers),
        TEST8(test_passes_blocked_ones),
        TEST8(test_release),
        TEST8(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
