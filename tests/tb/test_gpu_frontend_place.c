/* What cannot be placed holds nothing back that can: priorities keep places for each other in the
 * cores' tables, wait for cores and for kernel management each by itself, and none starves. */
#include "tests/tb/bench/frontend_bench.h"
#include "tests/unit.h"

enum { SCAN = 2 + 4, SOON = 60 }; /* cycles of a scan of two groups; of a launch and a few scans */

static void register_row(struct bench *b, uint32_t row, uint32_t threads, uint8_t priority)
{
    struct gpu_frontend_in c = bench_registration(threads, 8);
    c.cmd_priority = priority;
    bench_register(b, &c, row);
}

/* Every core's table: so many entries in use, by events of these priorities. */
static void fill_tables(struct bench *b, uint8_t occupancy, uint8_t held)
{
    memset(b->occupancy, occupancy, sizeof b->occupancy);
    memset(b->held, held, sizeof b->held);
}

static void ring(struct bench *b, uint32_t row, uint32_t n)
{
    while (n--)
        bench_ring(b, row);
}

/* Which event has room in a table, by what is in use, in the table, and its priority. */
static void test_entries_are_kept(void **state)
{
    static const struct {
        uint8_t rows, occupancy, held, room; /* but for occupancy a bit per priority */
    } cases[] = {
        {0x1, 0, 0x0, 0x1}, {0x1, 3, 0x0, 0x1}, {0x1, 3, 0x1, 0x1}, {0x1, 4, 0x1, 0x0},
        {0x8, 3, 0x1, 0x8}, {0x9, 2, 0x1, 0x9}, {0x9, 3, 0x1, 0x8}, {0x9, 3, 0x8, 0x1},
        {0x9, 3, 0x9, 0x9}, {0x9, 4, 0x9, 0x0}, {0x9, 3, 0x6, 0x9}, {0x6, 3, 0x2, 0x4},
        {0xf, 0, 0x0, 0xf}, {0xf, 1, 0x1, 0xf}, {0xf, 2, 0x8, 0xf}, {0xf, 2, 0x3, 0xf},
        {0xf, 3, 0x7, 0x8}, {0xf, 3, 0xe, 0x1}, {0xf, 3, 0xf, 0xf}, {0xb, 2, 0x1, 0xb},
        {0xf, 3, 0x1, 0xe}, {0xf, 3, 0x9, 0x6}, {0xf, 4, 0x1, 0x0}, {0xb, 3, 0x9, 0x2},
    };
    struct bench *b = *state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t rows = 0;
        for (uint8_t level = 0; level < BENCH_LEVELS; level++) {
            if (cases[i].rows >> level & 1)
                register_row(b, rows++, 32, level);
        }
        for (uint32_t row = 0; row < rows; row++) {
            uint64_t launches = b->warp_launches;
            fill_tables(b, cases[i].occupancy, cases[i].held);
            ring(b, row, 1);
            bench_steps(b, SOON);
            assert_int_equal(b->warp_launches - launches,
                             cases[i].room >> b->rows[row].priority & 1);
            fill_tables(b, 0, 0);
            bench_drain(b, SOON);
        }
        for (uint32_t row = 0; row < rows; row++)
            bench_unregister(b, row);
    }
}

/* What becomes free goes to those that wait without an event in the table, the highest first, and
 * while one of them waits to no other; then all but one entry goes to whoever needs it. */
static void test_entries_are_given_back(void **state)
{
    static const struct {
        uint8_t occupancy, held;
        int row; /* launched, -1: none */
    } steps[] = {
        {4, 0x1, -1}, {3, 0x1, 3},  {4, 0x9, -1}, {3, 0x9, 2}, {3, 0xd, -1},
        {2, 0x5, 0},  {3, 0x5, -1}, {2, 0xd, 0},  {3, 0xf, 0},
    };
    struct bench *b = *state;
    for (uint8_t level = 0; level < BENCH_LEVELS; level++)
        register_row(b, level, 32, level);
    fill_tables(b, EVG_PEWT_ENTRIES, 0x1);
    ring(b, 0, 3);
    ring(b, 2, 1);
    ring(b, 3, 1);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t launches = b->warp_launches;
        fill_tables(b, steps[i].occupancy, steps[i].held);
        for (int n = 0; n < SOON && b->warp_launches == launches; n++)
            bench_step(b);
        fill_tables(b, EVG_PEWT_ENTRIES, steps[i].held);
        bench_steps(b, SOON);
        assert_int_equal(b->warp_launches - launches, steps[i].row >= 0);
        if (steps[i].row >= 0)
            assert_int_equal(b->last_warp_row, steps[i].row);
    }
    fill_tables(b, 0, 0);
    bench_drain(b, SOON);
    for (uint32_t row = 0; row < BENCH_LEVELS; row++)
        bench_unregister(b, row);
}

/* The row is launched, and nothing else, within the cycles of one launch and of a scan under way.
 */
static void expect_by(struct bench *b, uint32_t row, uint32_t limit)
{
    uint64_t launches = b->warp_launches;
    bench_ring(b, row);
    for (uint32_t i = 0; b->warp_launches == launches; i++) {
        assert_true(i < limit);
        bench_step(b);
    }
    assert_int_equal(b->last_warp_row, row);
}

/* However many of a priority cannot be placed, others can be, at the cost of the scan under way;
 * and the other way round: of a high one that finds no entry the low one takes no notice. */
static void test_priorities_do_not_wait_for_each_other(void **state)
{
    struct bench *b = *state;
    for (uint32_t low = 0; low < 2; low++) {
        uint32_t stuck = low ? 1 : 0, other = low ? 0 : 1;
        register_row(b, 0, 32, 0);
        register_row(b, 1, 32, 3);
        register_row(b, 2, 32, low ? 3 : 0); /* one more like those that are stuck */
        fill_tables(b, 3, low ? 0x8 : 0x1);
        ring(b, stuck, 6);
        ring(b, 2, 6);
        bench_steps(b, 5 * SCAN);
        uint64_t before = b->warp_launches;
        for (uint32_t i = 0; i < 20; i++) {
            expect_by(b, other, 10 + 2 * SCAN);
            bench_steps(b, i % (2 * SCAN));
        }
        assert_int_equal(b->warp_launches, before + 20);
        fill_tables(b, 0, 0);
        bench_drain(b, 1000); /* all of them, in the order of their rows */
        assert_int_equal(b->warp_launches, before + 32);
        for (uint32_t row = 0; row < 3; row++)
            bench_unregister(b, row);
    }
}

/* Warp events that cannot be placed hold back no larger kernel, and the other way round. */
static void test_classes_do_not_wait_for_each_other(void **state)
{
    struct bench *b = *state;
    register_row(b, 0, 32, 1);
    register_row(b, 1, BENCH_BIG, 1);
    fill_tables(b, EVG_PEWT_ENTRIES, 0x2);
    ring(b, 0, 50);
    bench_steps(b, SOON);
    for (uint32_t i = 1; i <= 10; i++) {
        ring(b, 1, 1);
        bench_steps(b, 20);
        assert_int_equal(b->bigs_taken, i);
    }
    assert_int_equal(b->warp_launches, 0);
    fill_tables(b, 0, 0);
    bench_drain(b, 2000);
    b->big_levels = 0;
    ring(b, 1, 50);
    bench_steps(b, SOON);
    for (uint32_t i = 1; i <= 10; i++) {
        ring(b, 0, 1);
        bench_steps(b, 20);
        assert_int_equal(b->warp_launches, 50 + i);
    }
    assert_int_equal(b->bigs_taken, 10);
    b->big_levels = 0xf;
    bench_drain(b, 2000);
}

/* A larger kernel that kernel management has no place for holds back none of another priority. */
static void test_refused_kernels_hold_nothing(void **state)
{
    struct bench *b = *state;
    for (uint8_t level = 0; level < BENCH_LEVELS; level++)
        register_row(b, level, BENCH_BIG, level);
    for (uint32_t level = 0; level < BENCH_LEVELS; level++) {
        uint64_t taken = b->bigs_taken;
        b->big_levels = 1u << level; /* all others are refused */
        for (uint32_t other = 0; other < BENCH_LEVELS; other++)
            ring(b, other, other == level ? 0 : 3);
        bench_steps(b, SOON);
        assert_int_equal(b->bigs_taken, taken);
        for (uint32_t i = 0; i < 5; i++) {
            ring(b, level, 1);
            bench_steps(b, 5 + 2 * BENCH_LEVELS);
            assert_int_equal(b->bigs_taken, ++taken);
            assert_int_equal(b->big_taken_row, level);
        }
        b->big_levels = 0xf;
        bench_drain(b, 1000);
    }
}

/* Of those that wait for a core the highest goes first, but after FAIR_EVERY others each lower one
 * is tried, so that a flood leaves it a share. */
static void test_flood_leaves_a_share(void **state)
{
    struct bench *b = *state;
    register_row(b, 0, 32, 0);
    register_row(b, 1, 32, 2);
    register_row(b, 2, 32, 3);
    b->ack_chance = 0;
    ring(b, 2, 600);
    ring(b, 1, 100);
    ring(b, 0, 100);
    b->ack_chance = BENCH_OFTEN;
    uint32_t since[3] = {0}, most[3] = {0}, n[3] = {0};
    while (n[2] < 590) {
        uint64_t launches = b->warp_launches;
        bench_step(b);
        if (b->warp_launches == launches)
            continue;
        n[b->last_warp_row]++;
        for (uint32_t row = 0; row < 3; row++) {
            since[row] = b->last_warp_row == row ? 0 : since[row] + 1;
            most[row] = since[row] > most[row] ? since[row] : most[row];
        }
    }
    assert_true(most[2] <= 2);
    assert_true(most[1] <= 2 * EVG_FAIR_EVERY + 2 && most[0] <= 2 * EVG_FAIR_EVERY + 2);
    assert_true(n[0] >= 590 / (2 * EVG_FAIR_EVERY) && n[0] <= 590 / EVG_FAIR_EVERY + 3);
    assert_true(n[1] >= 590 / (2 * EVG_FAIR_EVERY) && n[1] <= 590 / EVG_FAIR_EVERY + 3);
    bench_drain(b, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_entries_are_kept),
        BENCH_ON_EACH(test_entries_are_given_back),
        BENCH_ON_EACH(test_priorities_do_not_wait_for_each_other),
        BENCH_ON_EACH(test_classes_do_not_wait_for_each_other),
        BENCH_ON_EACH(test_refused_kernels_hold_nothing),
        BENCH_ON_EACH(test_flood_leaves_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
