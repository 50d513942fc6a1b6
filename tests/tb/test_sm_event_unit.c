/* sm_event_unit, directed: one test per sentence of its contract, RTL and golden model in lockstep.
 * The expected strings are logs of commands, see tb/event_bench.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tb/event_bench.h"

enum {
    REGS = 5, /* of most events; the warps have 10 */
    LIMIT = 500,
    /* Latencies from the contracts, in edges; see the header comments of rtl/edge. */
    OFFER_TO_PUSH = 3,
    TAKE_TO_HOLD = 5, /* without the groups */
    HOLD_TO_FLUSH = 2,
};

static void edge(struct event_bench *b)
{
    if (!event_bench_edge(b))
        fail_msg("edge %llu: %s", (unsigned long long)b->edges, b->err.text);
}

static void edges(struct event_bench *b, int n)
{
    while (n-- > 0)
        edge(b);
}

/* Edges until `condition` holds for the outputs. */
#define UNTIL(b, condition)                                                                        \
    for (uint64_t start_ = (b)->edges; !(condition); edge(b))                                      \
        if ((b)->edges - start_ > LIMIT)                                                           \
            fail_msg("line %d: never: %s (log %s, take state %u)", __LINE__, #condition, (b)->log, \
                     (b)->out.take_state);

static int setup(void **state)
{
    static struct event_bench bench;
    *state = &bench;
    return event_bench_create(&bench) ? 0 : -1;
}

static int teardown(void **state)
{
    event_bench_destroy(*state);
    return 0;
}

static void expect_log(const struct event_bench *b, const char *log)
{
    assert_string_equal(b->log, log);
}

static void clear_log(struct event_bench *b)
{
    memset(b->log, 0, sizeof b->log);
    b->n_log = 0;
}

/* Offers an event and waits until it runs; returns its warp. */
static uint8_t run_event(struct event_bench *b, uint16_t tag)
{
    event_bench_offer(b, tag, REGS);
    edge(b);
    UNTIL(b, b->out.cmd_push && b->out.push_tag == tag);
    uint8_t warp = b->out.push_warp;
    edge(b);
    return warp;
}

static void end_event(struct event_bench *b, uint8_t warp)
{
    event_bench_exit(b, warp);
    edge(b);
    UNTIL(b, b->out.idle);
}

/* --- free contexts -------------------------------------------------------------------------------
 */

static void test_free_context(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_warp = 1;
    b->in.core_free_slot = 6;
    b->in.core_free_regs = REGS;
    event_bench_offer(b, 77, REGS);
    struct sm_event_unit_in event = b->in;
    edges(b, OFFER_TO_PUSH);
    assert_true(b->out.cmd_push && b->out.push_fresh && !b->out.push_spare);
    assert_int_equal(b->out.push_warp, 6);
    assert_true(b->out.push_kernel == event.ev_kernel && b->out.push_param == event.ev_param);
    assert_true(b->out.push_mask == event.ev_mask && b->out.push_dims == event.ev_dims);
    assert_true(b->out.push_regs == REGS && b->out.push_row == event.ev_row);
    assert_int_equal(b->out.push_tag, 77);
    assert_int_equal(b->out.occupancy, 1);
    edges(b, 5);
    assert_int_equal(b->out.victims, 0);
    event_bench_exit(b, 6);
    edges(b, 2);
    assert_true(b->out.cmd_pop && b->out.pop_warp == 6);
    assert_true(b->out.done_valid && b->out.done_tag == 77);
    assert_true(b->out.done_param == event.ev_param && b->out.done_row == event.ev_row);
    UNTIL(b, b->out.idle);
    assert_int_equal(b->out.occupancy, 0);
    expect_log(b, "POC");
}

static void test_free_context_needs_registers(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_warp = 1;
    b->in.core_free_regs = REGS - 1;
    run_event(b, 1);
    expect_log(b, "HSP");
    assert_false(b->out.push_fresh);
}

static void test_preempt_off(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_preempt = 0;
    b->in.core_free_regs = 100;
    event_bench_offer(b, 1, REGS);
    for (int i = 0; i < LIMIT; i++) {
        edge(b);
        assert_false(b->out.cand_req || b->out.vic_valid);
    }
    assert_true(b->out.want_drain);
    assert_int_equal(b->out.take_state, TAKE_STATE_WAIT);
    b->in.core_free_warp = 1;
    edge(b);
    assert_true(b->out.cmd_push && b->out.push_fresh);
    edge(b);
    assert_false(b->out.want_drain);
    expect_log(b, "P");
}

static void test_free_context_ends_flush(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].atomic = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 20);
    b->in.core_free_warp = 1;
    b->in.core_free_slot = 7;
    b->in.core_free_regs = REGS;
    edge(b);
    assert_true(b->out.cmd_resume && b->out.vic_warp == 0 && !b->out.vic_valid);
    assert_true(b->out.cmd_push && b->out.push_fresh && b->out.push_warp == 7);
    edge(b);
    assert_int_equal(b->out.victims, 0);
    expect_log(b, "HUP");
}

/* --- victims: order, latency
 * ------------------------------------------------------------------------ */

static void test_order_and_latency(void **state)
{
    struct event_bench *b = *state;
    for (uint8_t groups = 1; groups <= 8; groups++) {
        clear_log(b);
        b->in.cfg_warp_groups = groups;
        event_bench_offer(b, groups, REGS);
        edges(b, 1 + TAKE_TO_HOLD + groups - 1);
        assert_false(b->out.vic_valid);
        edge(b);
        assert_true(b->out.vic_valid && b->out.cmd_hold && b->out.busy);
        assert_int_equal(b->out.victims, 1);
        edges(b, HOLD_TO_FLUSH);
        assert_int_equal(b->out.take_state, TAKE_STATE_FLUSH);
        assert_false(b->out.cmd_save);
        edge(b);
        assert_true(b->out.cmd_save && b->out.save_regs == REGS);
        edge(b); /* save_done */
        assert_true(b->out.cmd_push && !b->out.push_spare);
        assert_int_equal(b->out.push_entry, b->out.save_entry);
        edge(b); /* push_ok */
        assert_false(b->out.vic_valid || b->out.busy);
        uint8_t warp = b->out.push_warp;
        event_bench_exit(b, warp);
        edges(b, 2);
        assert_true(b->out.cmd_pop && b->out.done_valid);
        edge(b);
        assert_true(b->out.cmd_restore && b->out.restore_warp == warp);
        assert_int_equal(b->out.restore_regs, REGS);
        edges(b, 2); /* restore_done, release */
        assert_true(b->out.cmd_release && b->out.release_warp == warp);
        UNTIL(b, b->out.idle);
        expect_log(b, "HSPOCRL");
    }
}

static void test_victim_exits_in_flush(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = b->warps[0].younger = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    assert_int_equal(b->out.vic_warp, 0);
    edges(b, 30);
    b->warps[0].exited = true;
    b->warps[0].ok = false;
    edge(b);
    assert_false(b->out.vic_valid || b->out.cmd_resume);
    UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
    edge(b);
    expect_log(b, "HHSP"); /* run once, on the second victim */
}

/* Between the scan and the hold the warp exits and another kernel's warp takes its context. */
static void test_context_changes_after_scan(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].ibuf = 2;
    b->warps[0].loads = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.vic_valid);
    b->warps[0].regs = REGS - 1;
    UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
    expect_log(b, "HUHSP");
}

static void test_victim_exits_before_confirmation(void **state)
{
    struct event_bench *b = *state;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.vic_valid);
    b->warps[0].exited = true;
    b->warps[0].ok = false;
    UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
    expect_log(b, "HHSP");
}

/* --- barriers
 * ----------------------------------------------------------------------------------------- */

/* The barrier completes `when` edges after the event was offered (never: past the end), at every
 * edge of a victim's life once. */
static bool barrier_life(struct event_bench *b, uint64_t when, bool *borrowed_from_barrier)
{
    clear_log(b);
    uint64_t start = b->edges, exit_at = UINT64_MAX;
    b->warps[0].barrier = true;
    event_bench_offer(b, 1, REGS);
    do {
        if (b->edges - start == when)
            b->in.bar_done = 1;
        if (b->edges == exit_at)
            event_bench_exit(b, 0);
        edge(b);
        if (b->out.cmd_push) {
            *borrowed_from_barrier = b->warps[0].barrier;
            exit_at = b->edges + 4;
        }
    } while (!b->out.cmd_release);
    bool back_to_barrier = b->out.release_barrier;
    /* The barrier was still open when the release was given, or not. */
    assert_int_equal(back_to_barrier, b->warps[0].barrier);
    b->warps[0].barrier = false;
    UNTIL(b, b->out.idle);
    return back_to_barrier;
}

static void test_barrier_completes_at_every_edge(void **state)
{
    struct event_bench *b = *state;
    bool from_barrier = false;
    assert_true(barrier_life(b, UINT64_MAX, &from_barrier));
    assert_true(from_barrier);
    expect_log(b, "HSPOCRB");
    int before_push = 0, borrowed = 0, after = 0;
    for (uint64_t when = 1; when < 40; when++) {
        bool back = barrier_life(b, when, &from_barrier);
        before_push += !from_barrier && !back;
        borrowed += from_barrier && !back;
        after += back;
    }
    assert_true(before_push >= 5 && borrowed >= 5 && after >= 5);
}

static void test_barrier_of_other_warp(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].barrier = true;
    uint8_t warp = run_event(b, 1);
    assert_int_equal(warp, 0);
    for (int w = 1; w < EVG_MAX_WARPS; w++) {
        b->in.bar_done = 1ULL << w;
        edge(b);
    }
    end_event(b, warp);
    expect_log(b, "HSPOCRB");
}

static void test_barrier_not_skipped(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_opts &= (uint8_t)~EVG_OPT_SKIP_BARRIER;
    b->warps[0].barrier = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 100);
    expect_log(b, "H");
    assert_false(b->out.cmd_skip);
    b->in.bar_done = 1;
    edge(b);
    assert_true(b->out.cmd_save);
    UNTIL(b, b->out.take_state == TAKE_STATE_IDLE);
    end_event(b, 0);
    expect_log(b, "HSPOCRL");
}

/* Warp 0 is borrowed; warp 1 is being flushed and waits at a barrier for warp 0. */
static void test_give_back_beside_flush(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_opts &= (uint8_t)~EVG_OPT_SKIP_BARRIER;
    b->keep_restore = true;
    assert_int_equal(run_event(b, 1), 0);
    b->warps[1].barrier = true;
    event_bench_offer(b, 2, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    assert_int_equal(b->out.vic_warp, 1);
    event_bench_exit(b, 0);
    UNTIL(b, b->out.cmd_restore);
    edges(b, 10);
    b->in.restore_done = 1;
    UNTIL(b, b->out.cmd_release);
    assert_int_equal(b->out.take_state, TAKE_STATE_FLUSH);
    b->in.bar_done = 2; /* warp 0 has arrived */
    UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
}

/* --- loads, atomics
 * ------------------------------------------------------------------------------------ */

static void test_loads_dropped(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = true;
    b->warps[0].ibuf = 2;
    b->warps[0].pipe = 9;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 10); /* an older instruction is in a pipeline: it may not be passed */
    expect_log(b, "HF");
    b->warps[0].pipe = 0;
    edges(b, 2);
    expect_log(b, "HFDS"); /* the bench takes the loads away at once: the warp is flushed */
    UNTIL(b, b->out.take_state == TAKE_STATE_IDLE);
    edges(b, 50); /* the dropped load returns: nothing for this tile to see */
    end_event(b, 0);
    expect_log(b, "HFDSPOCRL");
}

static void test_load_with_younger_instruction(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = b->warps[0].younger = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 100);
    expect_log(b, "H");
    b->warps[0].loads = false;
    edges(b, 1);
    expect_log(b, "HS");
}

/* Atomics and fences, and an arrival at a barrier, cannot be repeated: wait, drop nothing. */
static void test_no_drop(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = b->warps[0].atomic = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 100);
    expect_log(b, "H");
    b->warps[0].loads = false;
    edges(b, 100);
    expect_log(b, "H");
    b->warps[0].atomic = false;
    edge(b);
    expect_log(b, "HS");
    UNTIL(b, b->out.take_state == TAKE_STATE_IDLE);
    b->warps[1].loads = b->warps[1].barrier = true;
    event_bench_offer(b, 2, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 100);
    expect_log(b, "HSPH");
    b->warps[1].loads = false;
    edge(b);
    expect_log(b, "HSPHS");
}

static void test_fetch_and_pipe(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].fetch = true;
    b->warps[0].pipe = 3;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    edges(b, 30);
    expect_log(b, "H");
    b->warps[0].fetch = false;
    b->warps[0].ibuf = 1; /* the fetch lands */
    edges(b, 30);
    expect_log(b, "HF");
    b->warps[0].pipe = 0;
    edge(b);
    expect_log(b, "HFS");
}

/* --- registers
 * ------------------------------------------------------------------------------------------ */

static void test_spare_registers(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_regs = REGS;
    uint8_t warp = run_event(b, 1);
    expect_log(b, "HP");
    assert_true(b->out.push_spare && !b->out.push_fresh);
    end_event(b, warp);
    expect_log(b, "HPOCL");
    clear_log(b);
    b->in.core_free_regs = REGS - 1;
    end_event(b, run_event(b, 2));
    expect_log(b, "HSPOCRL");
}

static void test_register_rule(void **state)
{
    struct event_bench *b = *state;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].regs = REGS - 1;
    b->in.core_free_regs = 1000; /* spare registers do not change the rule */
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    assert_true(b->out.want_drain);
    edges(b, 3 * EVG_RESCAN_CYCLES);
    expect_log(b, "");
    assert_true(b->out.want_drain);
    UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    b->warps[5].regs = REGS;
    uint64_t from = b->edges;
    UNTIL(b, b->out.vic_valid);
    assert_true(b->edges - from <= EVG_RESCAN_CYCLES + 1 + 4);
    UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 5);
    assert_true(b->out.push_spare);
    edge(b);
    assert_false(b->out.want_drain);
}

/* --- pushes that fail
 * -------------------------------------------------------------------------------------- */

static void fail_push(struct event_bench *b)
{
    UNTIL(b, b->out.cmd_push);
    b->in.push_fail = 1;
    edge(b);
}

static void test_push_fails(void **state)
{
    struct event_bench *b = *state;
    b->keep_push = true;
    b->in.core_free_warp = 1;
    b->in.core_free_regs = REGS;
    event_bench_offer(b, 1, REGS);
    fail_push(b); /* the context is gone */
    assert_true(b->out.want_drain);
    b->warps[0].ok = true;
    b->in.core_free_warp = 0;
    fail_push(b); /* the spare registers are gone: save */
    expect_log(b, "PHPS");
    fail_push(b); /* the victim is let go alive */
    expect_log(b, "PHPSPU");
    assert_true(b->out.cmd_resume && !b->out.vic_valid);
    b->in.core_free_warp = 1;
    UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_fresh);
    edges(b, 50); /* the answer takes long */
    assert_int_equal(b->out.take_state, TAKE_STATE_PUSH);
    b->in.push_ok = 1;
    edge(b);
    assert_false(b->out.want_drain || b->out.busy);
    end_event(b, b->out.push_warp);
    expect_log(b, "PHPSPUPOC");
}

/* --- several events
 * ------------------------------------------------------------------------------------------ */

static void test_table_full(void **state)
{
    struct event_bench *b = *state;
    b->lie = true; /* the table itself knows what it has borrowed */
    for (uint16_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        assert_true(b->out.ev_ready);
        event_bench_offer(b, (uint16_t)(10 + e), REGS);
        edge(b);
    }
    assert_false(b->out.ev_ready);
    assert_int_equal(b->out.occupancy, EVG_PEWT_ENTRIES);
    event_bench_offer(b, 14, REGS); /* not looked at */
    edge(b);
    for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        UNTIL(b, b->out.cmd_push);
        assert_int_equal(b->out.push_tag, 10 + e); /* in order */
        assert_int_equal(b->out.push_warp, e);     /* each on its own victim */
        edge(b);
    }
    UNTIL(b, b->out.idle);
    assert_int_equal(b->out.victims, EVG_PEWT_ENTRIES);
    clear_log(b);
    b->in.done_ready = 0;
    static const uint8_t order[] = {2, 0, 3, 1};
    for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        event_bench_exit(b, order[e]);
        edge(b);
    }
    UNTIL(b, b->out.victims == 0);
    expect_log(b, "ORLORLORLORL"); /* the front end's silence keeps no warp */
    assert_false(b->out.ev_ready);
    for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        UNTIL(b, b->out.done_valid);
        edges(b, 5);
        assert_true(b->out.done_valid);
        assert_int_equal(b->out.done_tag, 10 + order[e]); /* in order of exits */
        b->in.done_ready = 1;
        edge(b);
        b->in.done_ready = 0;
        assert_true(b->out.ev_ready);
        assert_int_equal(b->out.occupancy, EVG_PEWT_ENTRIES - 1 - e);
    }
    UNTIL(b, b->out.idle);
}

static void test_completion_before_restore(void **state)
{
    struct event_bench *b = *state;
    b->keep_restore = true;
    event_bench_exit(b, run_event(b, 1));
    edges(b, 100);
    expect_log(b, "HSPOCR");
    assert_int_equal(b->out.occupancy, 1);
    assert_int_equal(b->out.victims, 1);
    b->in.restore_done = 1;
    UNTIL(b, b->out.idle);
    expect_log(b, "HSPOCRL");
    assert_int_equal(b->out.occupancy, 0);
}

static void test_long_event(void **state)
{
    struct event_bench *b = *state;
    uint8_t warp = run_event(b, 1);
    UNTIL(b, b->out.idle);
    struct sm_event_unit_out still = b->out;
    for (int i = 0; i < 100000; i++) {
        b->in.core_now++;
        b->in.core_free_warp ^= 1;
        edge(b);
        assert_memory_equal(&still, &b->out, sizeof still);
    }
    b->in.core_free_warp = 0;
    uint8_t second = run_event(b, 2); /* others are served meanwhile */
    assert_int_not_equal(second, warp);
    end_event(b, second);
    assert_int_equal(b->out.occupancy, 1);
    end_event(b, warp);
    assert_int_equal(b->out.occupancy, 0);
    expect_log(b, "HSPHSPOCRLOCRL");
}

static void test_exit_with_push_ok(void **state)
{
    struct event_bench *b = *state;
    b->keep_push = true;
    event_bench_offer(b, 1, REGS);
    UNTIL(b, b->out.cmd_push);
    b->in.push_ok = 1;
    end_event(b, b->out.push_warp);
    expect_log(b, "HSPOCRL");
    assert_int_equal(b->out.occupancy, 0);
}

static void test_foreign_exit_ignored(void **state)
{
    struct event_bench *b = *state;
    uint8_t warp = run_event(b, 1);
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        if (w != warp) {
            event_bench_exit(b, (uint8_t)w);
            edge(b);
        }
    edges(b, 10);
    expect_log(b, "HSP");
    end_event(b, warp);
    event_bench_exit(b, warp); /* a second time */
    edges(b, 10);
    expect_log(b, "HSPOCRL");
}

static void test_reset_at_any_time(void **state)
{
    struct event_bench *b = *state;
    struct sm_event_unit_out fresh = b->out;
    for (int when = 1; when < 25; when++) {
        b->warps[0].ok = true;
        event_bench_offer(b, 1, REGS);
        for (int i = 0; i < when; i++) {
            if (b->out.take_state == TAKE_STATE_IDLE && b->out.occupancy && b->out.victims)
                event_bench_exit(b, 0);
            edge(b);
        }
        event_bench_reset(b);
        assert_memory_equal(&fresh, &b->out, sizeof fresh);
    }
    clear_log(b);
    b->warps[0].ok = true;
    end_event(b, run_event(b, 2));
    expect_log(b, "HSPOCRL");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_free_context),
        TEST(test_free_context_needs_registers),
        TEST(test_preempt_off),
        TEST(test_free_context_ends_flush),
        TEST(test_order_and_latency),
        TEST(test_victim_exits_in_flush),
        TEST(test_context_changes_after_scan),
        TEST(test_victim_exits_before_confirmation),
        TEST(test_barrier_completes_at_every_edge),
        TEST(test_barrier_of_other_warp),
        TEST(test_barrier_not_skipped),
        TEST(test_give_back_beside_flush),
        TEST(test_loads_dropped),
        TEST(test_load_with_younger_instruction),
        TEST(test_no_drop),
        TEST(test_fetch_and_pipe),
        TEST(test_spare_registers),
        TEST(test_register_rule),
        TEST(test_push_fails),
        TEST(test_table_full),
        TEST(test_completion_before_restore),
        TEST(test_long_event),
        TEST(test_exit_with_push_ok),
        TEST(test_foreign_exit_ignored),
        TEST(test_reset_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
