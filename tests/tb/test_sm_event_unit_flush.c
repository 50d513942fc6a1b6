/* How long a victim may take to be flushed (rtl/edge/flush_watch.v): RTL and golden model in
 * lockstep, at the last edge, the one before it and the one behind it. */
#include "tests/tb/event_bench.h"
#include "tests/unit.h"

enum { GROUPS_TO_NEXT = 7 }; /* edges from a time-out to the next flush, without the groups */

/* A warp that is never flushed: it waits for something. */
static void stick(struct event_bench *b, uint32_t warp)
{
    b->warps[warp].atomic = true;
}

/* Offers an event, and goes on until its victim is being flushed. */
static void begin(struct event_bench *b, uint16_t limit)
{
    event_bench_reset(b);
    event_bench_clear_log(b);
    b->in.cfg_flush_limit = limit;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
}

static const uint16_t limits[] = {1, 2, 3, 17, 255, 256, 1000};

enum { LIMITS = sizeof limits / sizeof *limits };

/* Flushed at the last edge: used. One edge later: let go at the last one. */
static void test_last_edge(void **state)
{
    struct event_bench *b = *state;
    for (int i = 0; i < LIMITS; i++) {
        for (int late = 0; late < 2; late++) {
            b->warps[0].ok = true;
            stick(b, 0);
            begin(b, limits[i]);
            event_bench_edges(b, limits[i] - 1);
            assert_int_equal(b->out.take_state, TAKE_STATE_FLUSH);
            b->warps[0].atomic = late;
            event_bench_edge(b);
            assert_int_equal(b->out.timed_out, late);
            assert_int_equal(b->out.cmd_resume, late);
            assert_int_equal(b->out.vic_valid, !late);
            event_bench_expect_log(b, late ? "HU" : "HS");
            event_bench_edge(b);
            assert_false(b->out.timed_out || b->out.cmd_resume);
        }
    }
}

static void test_longest(void **state)
{
    struct event_bench *b = *state;
    stick(b, 0);
    begin(b, UINT16_MAX);
    b->in.cfg_flush_limit = 1; /* for the next one */
    event_bench_edges(b, UINT16_MAX - 1);
    assert_true(b->out.vic_valid && !b->out.timed_out);
    event_bench_edge(b);
    assert_true(b->out.timed_out && b->out.cmd_resume && !b->out.vic_valid);
}

static void test_no_limit(void **state)
{
    struct event_bench *b = *state;
    stick(b, 0);
    begin(b, 0);
    event_bench_edges(b, 70000);
    assert_true(b->out.vic_valid && b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_expect_log(b, "H");
    b->warps[0].atomic = false;
    event_bench_edge(b);
    event_bench_expect_log(b, "HS");
}

/* Warps 0 to 5 wait for the event itself: each costs it its time, and warp 6 runs it. */
static void test_others_are_tried(void **state)
{
    struct event_bench *b = *state;
    enum { STUCK = 6, LIMIT = 40 };
    for (uint32_t w = 0; w < STUCK; w++)
        stick(b, w);
    begin(b, LIMIT);
    uint64_t start = b->edges;
    for (uint32_t w = 0; w < STUCK; w++) {
        assert_int_equal(b->out.vic_warp, w);
        EVENT_BENCH_UNTIL(b, b->out.timed_out);
        assert_int_equal(b->out.vic_warp, w);
        assert_false(b->out.want_drain);
        EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    }
    assert_int_equal(b->edges - start, STUCK * (LIMIT + GROUPS_TO_NEXT + 1));
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, STUCK);
    event_bench_edge(b);
    event_bench_expect_log(b, "HUHUHUHUHUHUHSP");
    /* The next event begins with the first again. */
    event_bench_offer(b, 2, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.vic_valid);
    assert_int_equal(b->out.vic_warp, 0);
}

/* None is left: the event drains. A free context ends that, and so does, after the wait, a warp
 * that was tried before and is flushed in time now. */
static void test_none_left(void **state)
{
    struct event_bench *b = *state;
    for (int context = 0; context < 2; context++) {
        for (uint32_t w = 0; w < EVG_SCAN_LANES; w++) {
            b->warps[w].ok = w < 2;
            stick(b, w);
        }
        begin(b, 10);
        EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
        assert_true(b->out.want_drain);
        event_bench_expect_log(b, "HUHU");
        b->warps[1].atomic = false;
        event_bench_edges(b, EVG_RESCAN_CYCLES);
        assert_int_equal(b->out.take_state, TAKE_STATE_WAIT);
        b->in.core_free_warp = (uint8_t)context;
        b->in.core_free_slot = 7;
        b->in.core_free_regs = context ? EVENT_BENCH_REGS : 0;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_int_equal(b->out.push_warp, context ? 7 : 1);
        event_bench_edge(b);
        assert_false(b->out.want_drain);
        event_bench_expect_log(b, context ? "HUHUP" : "HUHUHUHSP");
        b->in.core_free_warp = 0;
    }
}

/* What else may happen at the last edge goes first. */
static void test_precedence(void **state)
{
    struct event_bench *b = *state;
    for (int i = 0; i < LIMITS; i++) {
        stick(b, 0);
        begin(b, limits[i]); /* the victim exits */
        event_bench_edges(b, limits[i] - 1);
        b->warps[0].exited = true;
        event_bench_edge(b);
        assert_false(b->out.timed_out || b->out.cmd_resume || b->out.vic_valid);
        b->warps[0].exited = false;

        begin(b, limits[i]); /* a free context */
        event_bench_edges(b, limits[i] - 1);
        b->in.core_free_warp = 1;
        b->in.core_free_regs = EVENT_BENCH_REGS;
        event_bench_edge(b);
        assert_true(b->out.cmd_resume && b->out.cmd_push && b->out.push_fresh);
        assert_false(b->out.timed_out);
        b->in.core_free_warp = 0;
        b->in.core_free_regs = 0;

        b->in.cfg_policy = VICTIM_POLICY_CHEAPEST; /* another one that is ready */
        for (uint32_t w = 1; w < EVG_SCAN_LANES; w++)
            b->warps[w].ok = false;
        begin(b, limits[i]);
        event_bench_edges(b, limits[i] - 1);
        b->now = 1 << 5;
        event_bench_edge(b);
        assert_true(b->out.cmd_resume && !b->out.timed_out);
        EVENT_BENCH_UNTIL(b, b->out.vic_valid);
        assert_int_equal(b->out.vic_warp, 5);
        b->now = 0;
        b->in.cfg_policy = VICTIM_POLICY_OLDEST;
        for (uint32_t w = 1; w < EVG_SCAN_LANES; w++)
            b->warps[w].ok = true;
    }
}

/* The time of a victim that could be flushed at once counts as well, and anew for each. */
static void test_ready_that_is_not(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    stick(b, 3);
    b->now = 1 << 3;
    begin(b, 30);
    b->now = 0;
    event_bench_edges(b, 29);
    assert_int_equal(b->out.vic_warp, 3);
    event_bench_edge(b);
    assert_true(b->out.timed_out);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 0);
}

/* At the edge at which a scan ends in vain the event gets something else, which comes to nothing:
 * the victims that were tried stay out until a scan has found none. */
static void test_tried_stay_out(void **state)
{
    struct event_bench *b = *state;
    enum { LIMIT = 10, OTHER = 5 };
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    b->keep_push = true;
    for (uint32_t w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].ok = w == 0;
    stick(b, 0);
    stick(b, OTHER);
    for (int ready = 0; ready < 2; ready++) {
        uint32_t at_end = 0;
        for (int when = 0; when < 2 * GROUPS_TO_NEXT; when++) {
            begin(b, LIMIT);
            EVENT_BENCH_UNTIL(b, b->out.timed_out);
            event_bench_edges(b, when);
            bool scanned = b->out.take_state == TAKE_STATE_SCAN;
            b->now = (uint64_t)ready << OTHER;
            b->in.core_free_warp = !ready;
            b->in.core_free_regs = EVENT_BENCH_REGS;
            event_bench_edge(b);
            b->now = 0;
            b->in.core_free_warp = 0;
            b->in.core_free_regs = 0;
            bool got = ready ? b->out.vic_valid : b->out.cmd_push;
            b->in.push_fail = b->out.cmd_push;
            event_bench_edge(b);
            b->in.push_fail = 0;
            at_end += scanned && got;
            for (int i = 0; i < 2 * GROUPS_TO_NEXT + LIMIT; i++) {
                assert_false(scanned && got && b->out.vic_valid && b->out.vic_warp == 0);
                event_bench_edge(b);
            }
        }
        assert_true(at_end > 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, event_bench_setup, event_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_last_edge),         TEST(test_longest),        TEST(test_no_limit),
        TEST(test_others_are_tried),  TEST(test_none_left),      TEST(test_precedence),
        TEST(test_ready_that_is_not), TEST(test_tried_stay_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
