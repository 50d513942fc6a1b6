/* gpu_frontend: in which order rows launch. Priority first, round robin among equals, a turn of all
 * rows every FAIR_EVERY launches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/tb/frontend_bench.h"

enum { MOST = 256 };

static void register_row(struct bench *b, uint32_t row, uint8_t priority)
{
    struct gpu_frontend_in c = bench_registration(BENCH_BIG, 8);
    c.cmd_priority = priority;
    bench_register(b, &c, row);
}

/* Rows of the next `n` launches. */
static void launches(struct bench *b, uint8_t *rows, uint32_t n)
{
    uint64_t seen = b->big_launches;
    uint32_t found = 0;
    for (uint32_t i = 0; found < n; i++) {
        assert_true(i < 20000);
        bench_step(b);
        if (b->big_launches == seen)
            continue;
        seen = b->big_launches;
        rows[found++] = b->out.big_row;
    }
}

/* `n` doorbells of the row while nothing can launch. */
static void ring(struct bench *b, uint32_t row, uint32_t n)
{
    while (n--)
        bench_ring(b, row);
}

/* The launch pipe is full with events of row 31, which is the first of them that `launches` sees.
 */
static void hold(struct bench *b)
{
    register_row(b, EVG_EKT_ROWS - 1, 0);
    b->big_chance = 0;
    ring(b, EVG_EKT_ROWS - 1, 2);
    bench_steps(b, 20);
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
        ring(b, row, 2);
    b->big_chance = BENCH_OFTEN;
    uint8_t got[11];
    launches(b, got, sizeof got);
    static const uint8_t want[] = {31, 3, 3, 1, 4, 1, 4, 2, 2, 0, 0};
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
    b->big_chance = BENCH_OFTEN;
    uint8_t got[MOST];
    launches(b, got, 1 + 9 * EVG_FAIR_EVERY);
    uint32_t others = 0, since = 0;
    for (uint32_t i = 1; i <= 9 * EVG_FAIR_EVERY; i++) {
        since++;
        if (got[i] == 0)
            continue;
        assert_int_equal(since % EVG_FAIR_EVERY, others ? 0 : since % EVG_FAIR_EVERY);
        since = 0;
        others++;
    }
    assert_int_equal(others, 6);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_priority_first),      BENCH_ON_EACH(test_equals_take_turns),
        BENCH_ON_EACH(test_none_starves),        BENCH_ON_EACH(test_overtakes_a_flood),
        BENCH_ON_EACH(test_priority_goes_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
