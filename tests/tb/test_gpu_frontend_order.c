/* gpu_frontend: rows beside each other. In which order they launch: priority first, round robin
 * among equals, a turn of all rows every FAIR_EVERY launches. How they are given up: each drains by
 * itself. */
#include "tests/tb/bench/frontend_bench.h"
#include "tests/unit.h"

enum { MOST = 256, PAGE = EVG_DOORBELL_PAGE, LEVELS = 1 << EVG_PRIORITY_BITS };

static void register_row(struct bench *b, uint32_t row, uint8_t priority)
{
    struct gpu_frontend_in c = bench_registration(BENCH_BIG, 8);
    c.cmd_priority = priority;
    bench_register(b, &c, row);
}

/* Rows of the next `n` kernels that kernel management takes. */
static void launches(struct bench *b, uint8_t *rows, uint32_t n)
{
    uint64_t seen = b->bigs_taken;
    uint32_t found = 0;
    for (uint32_t i = 0; found < n; i++) {
        assert_true(i < 20000);
        bench_step(b);
        if (b->bigs_taken == seen)
            continue;
        seen = b->bigs_taken;
        rows[found++] = b->big_taken_row;
    }
}

/* `n` doorbells of the row while nothing can launch. */
static void ring(struct bench *b, uint32_t row, uint32_t n)
{
    while (n--)
        bench_ring(b, row);
}

/* Kernel management takes nothing: one event of row 31, of priority 0, is in the dispatch. */
static void hold(struct bench *b)
{
    register_row(b, EVG_EKT_ROWS - 1, 0);
    b->big_chance = 0;
    ring(b, EVG_EKT_ROWS - 1, 1);
    bench_steps(b, 20);
}

/* ... and one of every other priority that rings; then it takes what comes. These are the first. */
static void release(struct bench *b, uint8_t *first, uint32_t n)
{
    bench_steps(b, 60);
    b->big_chance = BENCH_OFTEN;
    launches(b, first, n);
}

static void fill_table(struct bench *b, const uint8_t *priorities, uint32_t n)
{
    for (uint32_t row = 0; row < EVG_EKT_ROWS - 1; row++)
        register_row(b, row, row < n ? priorities[row] : 0);
    hold(b);
}

static void test_priority_first(void **state)
{
    struct bench *b = *state;
    fill_table(b, (const uint8_t[]){0, 2, 1, 3, 2}, 5);
    for (uint32_t row = 0; row < 5; row++)
        ring(b, row, 3);
    uint8_t got[16];
    release(b, got, 4 + 1); /* and one that was launched when the first of them had gone */
    launches(b, got, 16 - 5);
    static const uint8_t want[] = {3, 3, 1, 4, 1, 4, 2, 2, 0, 0, 0};
    assert_memory_equal(got, want, sizeof want);
    bench_drain(b, 1000);
}

static void test_equals_take_turns(void **state)
{
    struct bench *b = *state;
    fill_table(b, NULL, 0);
    static const uint8_t rows[] = {2, 30, 7, 8};
    for (uint32_t i = 0; i < sizeof rows; i++)
        ring(b, rows[i], i == 1 ? 200 : 30); /* one rings more than the others */
    b->big_chance = BENCH_OFTEN;
    uint8_t got[MOST];
    launches(b, got, 1 + 80);
    uint32_t n[EVG_EKT_ROWS] = {0};
    for (uint32_t i = 1; i <= 80; i++)
        n[got[i]]++;
    for (uint32_t i = 0; i < sizeof rows; i++)
        assert_in_range(n[rows[i]], 19, 21); /* turns of all have an order of their own */
    bench_drain(b, 10000);
}

/* A flood of the highest priority leaves every other row one launch in Rows turns. */
static void test_none_starves(void **state)
{
    struct bench *b = *state;
    fill_table(b, (const uint8_t[]){3, 0, 2}, 3);
    ring(b, 0, 1000);
    ring(b, 1, 3);
    ring(b, 2, 3);
    uint8_t got[MOST];
    release(b, got, 3 + 1);
    launches(b, got, 9 * EVG_FAIR_EVERY);
    uint32_t others = 0, since = 0;
    for (uint32_t i = 0; i < 9 * EVG_FAIR_EVERY; i++) {
        since++;
        if (got[i] == 0)
            continue;
        assert_int_equal(since % EVG_FAIR_EVERY, others ? 0 : since % EVG_FAIR_EVERY);
        since = 0;
        others++;
    }
    assert_int_equal(others, 4); /* one of each row was among the first */
    bench_drain(b, 20000);
}

/* A doorbell of high priority is launched next but for what is in the pipe already, behind however
 * many of a lower one. */
static void test_overtakes_a_flood(void **state)
{
    struct bench *b = *state;
    fill_table(b, (const uint8_t[]){0, 1}, 2);
    ring(b, 0, EVG_ROW_EVENTS);
    bench_ring(b, 1);
    b->big_chance = BENCH_OFTEN;
    uint8_t got[3];
    launches(b, got, sizeof got);
    assert_true(got[0] == 1 || got[1] == 1);
    bench_drain(b, 20000);
}

/* The priority is that of the registration, and goes to cores and to kernel management. */
static void test_priority_goes_along(void **state)
{
    struct bench *b = *state;
    for (uint8_t row = 0; row < 8; row++) {
        struct gpu_frontend_in c = bench_registration(row & 1 ? BENCH_BIG : 32, 8);
        c.cmd_priority = row / 2;
        bench_register(b, &c, row);
        bench_ring(b, row); /* the bench compares what comes out */
    }
    bench_drain(b, 1000);
    assert_int_equal(b->warp_launches, 4);
    assert_int_equal(b->big_launches, 4);
}

static void test_unregister_drains(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    bench_register_simple(b, 32, 8, 1);
    struct gpu_frontend_in leave = bench_unregistration(5);
    bench_command(b, &leave);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_NOT_REGISTERED);
    assert_int_equal(b->out.rsp_row, 5);
    b->ack_chance = 0;
    for (int i = 0; i < 6; i++)
        bench_ring(b, 0);
    b->run_cycles = 0;
    uint64_t answers = b->answers;
    leave = bench_unregistration(0);
    b->in.wr_valid = 1; /* in the cycle of the command: in time */
    b->in.wr_addr = 0;
    b->in.wr_size = 4;
    b->in.wr_rid = 0x0100;
    bench_start_command(b, &leave);
    bench_write(b, 0, 4, 0x0100); /* a cycle after: closed */
    assert_int_equal(b->out.acc_valid, 1);
    bench_step(b);
    assert_int_equal(b->out.err_unregistered, 1);
    b->ack_chance = BENCH_OFTEN;
    bench_steps(b, 100);
    bench_ring(b, 1); /* other rows go on */
    bench_step(b);
    assert_int_equal(b->out.acc_valid, 1);
    bench_steps(b, 500);
    assert_int_equal(b->warp_launches, 8); /* everything accepted has launched */
    assert_int_equal(b->answers, answers + 1);
    assert_int_equal(b->freed, 0); /* but not completed */
    assert_int_equal(b->out.cmd_ready, 1);
    bench_command(b, &leave);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_NOT_REGISTERED);
    for (uint32_t i = 0; i < 7; i++)
        b->running.items[(b->running.head + i) % BENCH_RING].due = b->cycle + 100 * i;
    bench_steps(b, 550);
    assert_int_equal(b->freed, 0);
    bench_steps(b, 100);
    assert_int_equal(b->freed, 1); /* row 1 still has its event */
    assert_int_equal(b->out.freed_row, 0);
    bench_command(b, &leave);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_NOT_REGISTERED);
    struct gpu_frontend_in c = bench_registration(8, 2);
    c.cmd_base = c.cmd_last = 0x40;
    bench_register(b, &c, 0); /* starts again at its own base */
    bench_ring(b, 0);
    bench_steps(b, 20);
    assert_int_equal(b->last_warp_param, 0x40);
}

/* Steps until the command is answered, for so many at most. */
static void answered_within(struct bench *b, const struct gpu_frontend_in *command, uint32_t steps,
                            uint8_t code)
{
    uint64_t answers = b->answers;
    bench_start_command(b, command);
    for (uint32_t i = 0; b->answers == answers; i++) {
        assert_true(i < steps);
        bench_step(b);
    }
    assert_int_equal(b->out.rsp_code, code);
}

/* A row that does not drain, since its event hangs, keeps its place and nothing else: commands for
 * other rows are answered in their time, while other doorbells ring without end. */
static void test_draining_rows_hold_no_command(void **state)
{
    enum { REGISTERED = 26 + 5, UNREGISTERED = 4 + 5 };
    struct bench *b = *state;
    struct gpu_frontend_in c = bench_registration(BENCH_BIG, 8), leave = bench_unregistration(0);
    bench_register_simple(b, 32, 8, 0);
    b->run_cycles = 0;
    bench_ring(b, 0);
    bench_steps(b, 30);
    answered_within(b, &leave, UNREGISTERED, FRONTEND_CODE_OK);
    b->run_cycles = 1;
    bench_register(b, &c, 1);
    b->in.wr_valid = 1;
    b->in.wr_addr = PAGE;
    b->in.wr_size = EVG_DOORBELL_BYTES;
    b->in.wr_rid = c.cmd_rid;
    b->done_chance = 0; /* completions come in order: row 0's is the first */
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t row = 2; row < EVG_EKT_ROWS; row++) {
            answered_within(b, &c, REGISTERED, FRONTEND_CODE_OK);
            assert_int_equal(b->out.rsp_row, row);
        }
        answered_within(b, &c, REGISTERED, FRONTEND_CODE_FULL); /* a draining row is not free */
        answered_within(b, &leave, UNREGISTERED, FRONTEND_CODE_NOT_REGISTERED);
        for (uint32_t row = 2; row < EVG_EKT_ROWS; row++) {
            struct gpu_frontend_in other = bench_unregistration(row);
            answered_within(b, &other, UNREGISTERED, FRONTEND_CODE_OK);
        }
    }
    b->in.wr_valid = 0;
    uint32_t errors = b->out.err_unregistered;
    bench_write(b, 0, EVG_DOORBELL_BYTES, c.cmd_rid);
    bench_steps(b, 2);
    assert_int_equal(b->out.err_unregistered, errors + 1);
    assert_true(b->rows[0].draining);
    b->done_chance = BENCH_OFTEN;
    bench_complete_all(b);
    bench_drain(b, 100000);
    assert_false(b->rows[0].used);
    assert_int_equal(b->freed, 1 + 3 * (EVG_EKT_ROWS - 2));
    bench_register(b, &c, 0);
}

/* All rows drain at once: each is free with its own last event. */
static void test_rows_drain_together(void **state)
{
    struct bench *b = *state;
    struct gpu_frontend_in c = bench_registration(BENCH_BIG, 8);
    b->null_chance = BENCH_OFTEN;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        bench_register(b, &c, row);
    b->done_chance = 0;
    for (uint32_t row = EVG_EKT_ROWS; row--;)
        for (uint32_t i = 0; i < 1 + row % 3; i++)
            bench_ring(b, row);
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        struct gpu_frontend_in leave = bench_unregistration(row);
        bench_command(b, &leave);
        assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
    }
    bench_steps(b, 500);
    assert_int_equal(b->freed, 0);
    b->rsp_chance = 0; /* eight answers at a time, so that rows become empty in a row */
    b->done_chance = BENCH_OFTEN;
    for (uint32_t i = 0; i < 200; i++) {
        b->rsp_chance = i % 4 == 3 ? BENCH_OFTEN : 0;
        bench_steps(b, 20);
    }
    assert_int_equal(b->freed, EVG_EKT_ROWS);
    bench_drain(b, 100);
    bench_register(b, &c, 0);
}

/* A priority counts as one that has rows with any row alone. The others have the other priorities.
 */
static void test_levels_of_each_row(void **state)
{
    struct bench *b = *state;
    for (uint32_t level = 0; level < LEVELS; level++) {
        uint8_t other = (uint8_t)((level + 1) % LEVELS);
        for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
            register_row(b, row, other);
        for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
            bench_unregister(b, row);
            register_row(b, row, (uint8_t)level);
            bench_steps(b, 4);
            assert_int_equal(b->out.levels, 1u << level | 1u << other);
            bench_unregister(b, row);
            bench_steps(b, 4);
            assert_int_equal(b->out.levels, 1u << other);
            register_row(b, row, other);
        }
        for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
            bench_unregister(b, row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_priority_first),
        BENCH_ON_EACH(test_equals_take_turns),
        BENCH_ON_EACH(test_none_starves),
        BENCH_ON_EACH(test_overtakes_a_flood),
        BENCH_ON_EACH(test_priority_goes_along),
        BENCH_ON_EACH(test_unregister_drains),
        BENCH_ON_EACH(test_draining_rows_hold_no_command),
        BENCH_ON_EACH(test_rows_drain_together),
        BENCH_ON_EACH(test_levels_of_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
