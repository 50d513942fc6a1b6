/* sm_event_unit, directed: several events, long ones, their exits and completions; reset. RTL and
 * golden model in lockstep. The expected strings are logs of commands, see event_bench.h. */
#include "tests/tb/bench/event_bench.h"
#include "tests/unit.h"

static void test_table_full(void **state)
{
    struct event_bench *b = *state;
    b->lie = true; /* the table itself knows what it has borrowed */
    for (uint16_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        assert_true(b->out.ev_ready);
        event_bench_offer(b, (uint16_t)(10 + e), EVENT_BENCH_REGS);
        event_bench_edge(b);
    }
    assert_false(b->out.ev_ready);
    assert_int_equal(b->out.occupancy, EVG_PEWT_ENTRIES);
    event_bench_offer(b, 14, EVENT_BENCH_REGS); /* not looked at */
    event_bench_edge(b);
    for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_int_equal(b->out.push_tag, 10 + e); /* in order */
        assert_int_equal(b->out.push_warp, e);     /* each on its own victim */
        event_bench_edge(b);
    }
    EVENT_BENCH_UNTIL(b, b->out.idle);
    assert_int_equal(b->out.victims, EVG_PEWT_ENTRIES);
    event_bench_clear_log(b);
    b->in.done_ready = 0;
    static const uint8_t order[] = {2, 0, 3, 1};
    for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        event_bench_exit(b, order[e]);
        event_bench_edge(b);
    }
    EVENT_BENCH_UNTIL(b, b->out.victims == 0);
    event_bench_expect_log(b, "ORLORLORLORL"); /* the front end's silence keeps no warp */
    assert_false(b->out.ev_ready);
    for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        EVENT_BENCH_UNTIL(b, b->out.done_valid);
        event_bench_edges(b, 5);
        assert_true(b->out.done_valid);
        assert_int_equal(b->out.done_tag, 10 + order[e]); /* in order of exits */
        b->in.done_ready = 1;
        event_bench_edge(b);
        b->in.done_ready = 0;
        assert_true(b->out.ev_ready);
        assert_int_equal(b->out.occupancy, EVG_PEWT_ENTRIES - 1 - e);
    }
    EVENT_BENCH_UNTIL(b, b->out.idle);
}

/* Offers events while the first one, of tag 0, is kept from its warp; the tags in the order in
 * which they are pushed. */
static void offer(struct event_bench *b, uint16_t tag, uint8_t priority)
{
    b->in.ev_priority = priority;
    event_bench_offer(b, tag, EVENT_BENCH_REGS);
    event_bench_edge(b);
}

static void expect_pushes(struct event_bench *b, const uint16_t *tags, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_int_equal(b->out.push_tag, tags[i]);
        event_bench_edge(b);
    }
}

/* A higher priority is served first, the oldest of equals; one that is being served is not given
 * up. */
static void test_priority(void **state)
{
    struct event_bench *b = *state;
    b->lie = true;
    offer(b, 10, 0);
    offer(b, 11, 1);
    offer(b, 12, 3);
    offer(b, 13, 3);
    expect_pushes(b, (const uint16_t[]){10, 12, 13, 11}, 4);
}

/* The oldest is passed by no more than PASS_LIMIT others, however many of a higher priority come.
 */
static void test_priority_starves_none(void **state)
{
    struct event_bench *b = *state;
    b->lie = true;
    offer(b, 0, 3);
    offer(b, 1, 0);
    uint16_t next = 2;
    offer(b, next++, 3);
    offer(b, next++, 3);
    uint32_t before = 0;
    for (;;) {
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        if (b->out.push_tag == 1)
            break;
        uint8_t warp = b->out.push_warp;
        before++;
        event_bench_edges(b, 3);
        event_bench_exit(b, warp);
        EVENT_BENCH_UNTIL(b, b->out.ev_ready);
        offer(b, next++, 3);
    }
    assert_int_equal(before, 1 + EVG_PASS_LIMIT); /* tag 0 was there before it */
}

static void test_completion_before_restore(void **state)
{
    struct event_bench *b = *state;
    b->keep_restore = true;
    event_bench_exit(b, event_bench_run_event(b, 1));
    event_bench_edges(b, 100);
    event_bench_expect_log(b, "HSPOCR");
    assert_int_equal(b->out.occupancy, 1);
    assert_int_equal(b->out.victims, 1);
    b->in.restore_done = 1;
    EVENT_BENCH_UNTIL(b, b->out.idle);
    event_bench_expect_log(b, "HSPOCRL");
    assert_int_equal(b->out.occupancy, 0);
}

static void test_long_event(void **state)
{
    struct event_bench *b = *state;
    uint8_t warp = event_bench_run_event(b, 1);
    EVENT_BENCH_UNTIL(b, b->out.idle);
    struct sm_event_unit_out still = b->out;
    b->in.core_free_slot = warp ^ 1;
    for (int i = 0; i < 100000; i++) {
        b->in.core_now++;
        b->in.core_free_warp ^= 1;
        event_bench_edge(b);
        assert_memory_equal(&still, &b->out, sizeof still);
    }
    b->in.core_free_warp = 0;
    uint8_t second = event_bench_run_event(b, 2); /* others are served meanwhile */
    assert_int_not_equal(second, warp);
    event_bench_end_event(b, second);
    assert_int_equal(b->out.occupancy, 1);
    event_bench_end_event(b, warp);
    assert_int_equal(b->out.occupancy, 0);
    event_bench_expect_log(b, "HSPHSPOCRLOCRL");
}

static void test_exit_with_push_ok(void **state)
{
    struct event_bench *b = *state;
    b->keep_push = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    b->in.push_ok = 1;
    event_bench_end_event(b, b->out.push_warp);
    event_bench_expect_log(b, "HSPOCRL");
    assert_int_equal(b->out.occupancy, 0);
}

static void test_foreign_exit_ignored(void **state)
{
    struct event_bench *b = *state;
    uint8_t warp = event_bench_run_event(b, 1);
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        if (w != warp) {
            event_bench_exit(b, (uint8_t)w);
            event_bench_edge(b);
        }
    event_bench_edges(b, 10);
    event_bench_expect_log(b, "HSP");
    event_bench_end_event(b, warp);
    event_bench_exit(b, warp); /* a second time */
    event_bench_edges(b, 10);
    event_bench_expect_log(b, "HSPOCRL");
}

static void test_reset_at_any_time(void **state)
{
    struct event_bench *b = *state;
    struct sm_event_unit_out fresh = b->out;
    for (int when = 1; when < 25; when++) {
        b->warps[0].ok = true;
        event_bench_offer(b, 1, EVENT_BENCH_REGS);
        for (int i = 0; i < when; i++) {
            if (b->out.take_state == TAKE_STATE_IDLE && b->out.occupancy && b->out.victims)
                event_bench_exit(b, 0);
            event_bench_edge(b);
        }
        event_bench_reset(b);
        assert_memory_equal(&fresh, &b->out, sizeof fresh);
    }
    event_bench_clear_log(b);
    b->warps[0].ok = true;
    event_bench_end_event(b, event_bench_run_event(b, 2));
    event_bench_expect_log(b, "HSPOCRL");
}

/* Every number of registers that an event may have is saved and restored. */
static void test_every_register_count(void **state)
{
    struct event_bench *b = *state;
    for (uint8_t regs = 1; regs < 128; regs++) {
        b->warps[0].regs = 127;
        event_bench_offer(b, regs, regs);
        EVENT_BENCH_UNTIL(b, b->out.cmd_save);
        assert_true(b->out.save_regs == regs && b->out.vic_warp == 0);
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_true(b->out.push_regs == regs && b->out.push_warp == 0);
        event_bench_edge(b);
        event_bench_exit(b, 0);
        EVENT_BENCH_UNTIL(b, b->out.cmd_restore);
        assert_int_equal(b->out.restore_regs, regs);
        EVENT_BENCH_UNTIL(b, b->out.idle);
        event_bench_clear_log(b);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, event_bench_setup, event_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_table_full),
        TEST(test_completion_before_restore),
        TEST(test_priority),
        TEST(test_priority_starves_none),
        TEST(test_long_event),
        TEST(test_exit_with_push_ok),
        TEST(test_foreign_exit_ignored),
        TEST(test_reset_at_any_time),
        TEST(test_every_register_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
