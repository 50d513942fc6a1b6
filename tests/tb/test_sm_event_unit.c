/* sm_event_unit, directed: one test per sentence of its contract, RTL and golden model in lockstep.
 * The expected strings are logs of commands, see event_bench.h. */
#include "tests/tb/bench/event_bench.h"
#include "tests/unit.h"

enum {
    /* Latencies from the contracts, in edges; see the header comments of rtl/edge. */
    OFFER_TO_PUSH = 3,
    TAKE_TO_HOLD = 6, /* without the groups */
    HOLD_TO_FLUSH = 2,
};

/* --- free contexts */

static void test_free_context(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_warp = 1;
    b->in.core_free_slot = 6;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    event_bench_offer(b, 77, EVENT_BENCH_REGS);
    struct sm_event_unit_in event = b->in;
    event_bench_edges(b, OFFER_TO_PUSH);
    assert_true(b->out.cmd_push && b->out.push_fresh && !b->out.push_spare);
    assert_int_equal(b->out.push_warp, 6);
    assert_true(b->out.push_kernel == event.ev_kernel && b->out.push_param == event.ev_param);
    assert_true(b->out.push_mask == event.ev_mask && b->out.push_dims == event.ev_dims);
    assert_true(b->out.push_regs == EVENT_BENCH_REGS && b->out.push_row == event.ev_row);
    assert_int_equal(b->out.push_tag, 77);
    assert_int_equal(b->out.occupancy, 1);
    event_bench_edges(b, 5);
    assert_int_equal(b->out.victims, 0);
    event_bench_exit(b, 6);
    event_bench_edges(b, 2);
    assert_true(b->out.cmd_pop && b->out.pop_warp == 6);
    assert_true(b->out.done_valid && b->out.done_tag == 77);
    assert_true(b->out.done_param == event.ev_param && b->out.done_row == event.ev_row);
    EVENT_BENCH_UNTIL(b, b->out.idle);
    assert_int_equal(b->out.occupancy, 0);
    event_bench_expect_log(b, "POC");
}

static void test_free_context_needs_registers(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_warp = 1;
    b->in.core_free_regs = EVENT_BENCH_REGS - 1;
    event_bench_run_event(b, 1);
    event_bench_expect_log(b, "HSP");
    assert_false(b->out.push_fresh);
}

static void test_preempt_off(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_preempt = 0;
    b->in.core_free_regs = 100;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    for (int i = 0; i < EVENT_BENCH_LIMIT; i++) {
        event_bench_edge(b);
        assert_false(b->out.cand_req || b->out.vic_valid);
    }
    assert_true(b->out.want_drain);
    assert_int_equal(b->out.take_state, TAKE_STATE_WAIT);
    b->in.core_free_warp = 1;
    event_bench_edge(b);
    assert_true(b->out.cmd_push && b->out.push_fresh);
    event_bench_edge(b);
    assert_false(b->out.want_drain);
    event_bench_expect_log(b, "P");
}

static void test_free_context_ends_flush(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].atomic = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 20);
    b->in.core_free_warp = 1;
    b->in.core_free_slot = 7;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    event_bench_edge(b);
    assert_true(b->out.cmd_resume && b->out.vic_warp == 0 && !b->out.vic_valid);
    assert_true(b->out.cmd_push && b->out.push_fresh && b->out.push_warp == 7);
    event_bench_edge(b);
    assert_int_equal(b->out.victims, 0);
    event_bench_expect_log(b, "HUP");
}

/* --- victims: order, latency */

static void test_order_and_latency(void **state)
{
    struct event_bench *b = *state;
    for (uint8_t groups = 1; groups <= 8; groups++) {
        event_bench_clear_log(b);
        b->in.cfg_warp_groups = groups;
        event_bench_offer(b, groups, EVENT_BENCH_REGS);
        event_bench_edges(b, 1 + TAKE_TO_HOLD + groups - 1);
        assert_false(b->out.vic_valid);
        event_bench_edge(b);
        assert_true(b->out.vic_valid && b->out.cmd_hold && b->out.busy);
        event_bench_edges(b, HOLD_TO_FLUSH);
        assert_int_equal(b->out.victims, 1);
        assert_int_equal(b->out.take_state, TAKE_STATE_FLUSH);
        assert_false(b->out.cmd_save);
        event_bench_edge(b);
        assert_true(b->out.cmd_save && b->out.save_regs == EVENT_BENCH_REGS);
        event_bench_edge(b); /* save_done */
        assert_true(b->out.cmd_push && !b->out.push_spare);
        assert_int_equal(b->out.push_entry, b->out.save_entry);
        event_bench_edge(b); /* push_ok */
        assert_false(b->out.vic_valid || b->out.busy);
        uint8_t warp = b->out.push_warp;
        event_bench_exit(b, warp);
        event_bench_edges(b, 2);
        assert_true(b->out.cmd_pop && b->out.done_valid);
        event_bench_edge(b);
        assert_true(b->out.cmd_restore && b->out.restore_warp == warp);
        assert_int_equal(b->out.restore_regs, EVENT_BENCH_REGS);
        event_bench_edges(b, 2); /* restore_done, release */
        assert_true(b->out.cmd_release && b->out.release_warp == warp);
        EVENT_BENCH_UNTIL(b, b->out.idle);
        event_bench_expect_log(b, "HSPOCRL");
    }
}

static void test_victim_exits_in_flush(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = b->warps[0].younger = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    assert_int_equal(b->out.vic_warp, 0);
    event_bench_edges(b, 30);
    b->warps[0].exited = true;
    b->warps[0].ok = false;
    event_bench_edge(b);
    assert_false(b->out.vic_valid || b->out.cmd_resume);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
    event_bench_edge(b);
    event_bench_expect_log(b, "HHSP"); /* run once, on the second victim */
}

/* Between the scan and the hold the warp exits and another kernel's warp takes its context. */
static void test_context_changes_after_scan(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].ibuf = 2;
    b->warps[0].loads = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.vic_valid);
    b->warps[0].regs = EVENT_BENCH_REGS - 1;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
    event_bench_expect_log(b, "HUHSP");
}

static void test_victim_exits_before_confirmation(void **state)
{
    struct event_bench *b = *state;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.vic_valid);
    b->warps[0].exited = true;
    b->warps[0].ok = false;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
    event_bench_expect_log(b, "HHSP");
}

/* --- barriers */

/* The barrier completes `when` edges after the event was offered (never: past the end), at every
 * edge of a victim's life once. */
static bool barrier_life(struct event_bench *b, uint64_t when, bool *borrowed_from_barrier)
{
    event_bench_clear_log(b);
    uint64_t start = b->edges, exit_at = UINT64_MAX;
    b->warps[0].barrier = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    do {
        if (b->edges - start == when)
            b->in.bar_done = 1;
        if (b->edges == exit_at)
            event_bench_exit(b, 0);
        event_bench_edge(b);
        if (b->out.cmd_push) {
            *borrowed_from_barrier = b->warps[0].barrier;
            exit_at = b->edges + 4;
        }
    } while (!b->out.cmd_release);
    bool back_to_barrier = b->out.release_barrier;
    /* The barrier was still open when the release was given, or not. */
    assert_int_equal(back_to_barrier, b->warps[0].barrier);
    b->warps[0].barrier = false;
    EVENT_BENCH_UNTIL(b, b->out.idle);
    return back_to_barrier;
}

static void test_barrier_completes_at_every_edge(void **state)
{
    struct event_bench *b = *state;
    bool from_barrier = false;
    assert_true(barrier_life(b, UINT64_MAX, &from_barrier));
    assert_true(from_barrier);
    event_bench_expect_log(b, "HSPOCRB");
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
    uint8_t warp = event_bench_run_event(b, 1);
    assert_int_equal(warp, 0);
    for (int w = 1; w < EVG_MAX_WARPS; w++) {
        b->in.bar_done = 1ULL << w;
        event_bench_edge(b);
    }
    event_bench_end_event(b, warp);
    event_bench_expect_log(b, "HSPOCRB");
}

static void test_barrier_not_skipped(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_opts &= (uint8_t)~EVG_OPT_SKIP_BARRIER;
    b->warps[0].barrier = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 100);
    event_bench_expect_log(b, "H");
    assert_false(b->out.cmd_skip);
    b->in.bar_done = 1;
    event_bench_edge(b);
    assert_true(b->out.cmd_save);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_IDLE);
    event_bench_end_event(b, 0);
    event_bench_expect_log(b, "HSPOCRL");
}

/* Warp 0 is borrowed; warp 1 is being flushed and waits at a barrier for warp 0. */
static void test_give_back_beside_flush(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_opts &= (uint8_t)~EVG_OPT_SKIP_BARRIER;
    b->keep_restore = true;
    assert_int_equal(event_bench_run_event(b, 1), 0);
    b->warps[1].barrier = true;
    event_bench_offer(b, 2, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    assert_int_equal(b->out.vic_warp, 1);
    event_bench_exit(b, 0);
    EVENT_BENCH_UNTIL(b, b->out.cmd_restore);
    event_bench_edges(b, 10);
    b->in.restore_done = 1;
    EVENT_BENCH_UNTIL(b, b->out.cmd_release);
    assert_int_equal(b->out.take_state, TAKE_STATE_FLUSH);
    b->in.bar_done = 2; /* warp 0 has arrived */
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 1);
}

/* --- loads, atomics */

static void test_loads_dropped(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = true;
    b->warps[0].ibuf = 2;
    b->warps[0].pipe = 9;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 10); /* an older instruction is in a pipeline: it may not be passed */
    event_bench_expect_log(b, "HF");
    b->warps[0].pipe = 0;
    event_bench_edges(b, 2);
    event_bench_expect_log(
        b, "HFDS"); /* the bench takes the loads away at once: the warp is flushed */
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_IDLE);
    event_bench_edges(b, 50); /* the dropped load returns: nothing for this tile to see */
    event_bench_end_event(b, 0);
    event_bench_expect_log(b, "HFDSPOCRL");
}

static void test_load_with_younger_instruction(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = b->warps[0].younger = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 100);
    event_bench_expect_log(b, "H");
    b->warps[0].loads = false;
    event_bench_edges(b, 1);
    event_bench_expect_log(b, "HS");
}

/* Atomics and fences, and an arrival at a barrier, cannot be repeated: wait, drop nothing. */
static void test_no_drop(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].loads = b->warps[0].atomic = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 100);
    event_bench_expect_log(b, "H");
    b->warps[0].loads = false;
    event_bench_edges(b, 100);
    event_bench_expect_log(b, "H");
    b->warps[0].atomic = false;
    event_bench_edge(b);
    event_bench_expect_log(b, "HS");
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_IDLE);
    b->warps[1].loads = b->warps[1].barrier = true;
    event_bench_offer(b, 2, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 100);
    event_bench_expect_log(b, "HSPH");
    b->warps[1].loads = false;
    event_bench_edge(b);
    event_bench_expect_log(b, "HSPHS");
}

static void test_fetch_and_pipe(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].fetch = true;
    b->warps[0].pipe = 3;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    event_bench_edges(b, 30);
    event_bench_expect_log(b, "H");
    b->warps[0].fetch = false;
    b->warps[0].ibuf = 1; /* the fetch lands */
    event_bench_edges(b, 30);
    event_bench_expect_log(b, "HF");
    b->warps[0].pipe = 0;
    event_bench_edge(b);
    event_bench_expect_log(b, "HFS");
}

/* --- registers */

static void test_spare_registers(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    uint8_t warp = event_bench_run_event(b, 1);
    event_bench_expect_log(b, "HP");
    assert_true(b->out.push_spare && !b->out.push_fresh);
    event_bench_end_event(b, warp);
    event_bench_expect_log(b, "HPOCL");
    event_bench_clear_log(b);
    b->in.core_free_regs = EVENT_BENCH_REGS - 1;
    event_bench_end_event(b, event_bench_run_event(b, 2));
    event_bench_expect_log(b, "HSPOCRL");
}

static void test_register_rule(void **state)
{
    struct event_bench *b = *state;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].regs = EVENT_BENCH_REGS - 1;
    b->in.core_free_regs = 1000; /* spare registers do not change the rule */
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    assert_true(b->out.want_drain);
    event_bench_edges(b, 3 * EVG_RESCAN_CYCLES);
    event_bench_expect_log(b, "");
    assert_true(b->out.want_drain);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    b->warps[5].regs = EVENT_BENCH_REGS;
    uint64_t from = b->edges;
    EVENT_BENCH_UNTIL(b, b->out.vic_valid);
    assert_true(b->edges - from <= EVG_RESCAN_CYCLES + 1 + 4);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_warp, 5);
    assert_true(b->out.push_spare);
    event_bench_edge(b);
    assert_false(b->out.want_drain);
}

/* --- pushes that fail */

static void fail_push(struct event_bench *b)
{
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    b->in.push_fail = 1;
    event_bench_edge(b);
}

static void test_push_fails(void **state)
{
    struct event_bench *b = *state;
    b->keep_push = true;
    b->in.core_free_warp = 1;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    fail_push(b); /* the context is gone */
    assert_true(b->out.want_drain);
    b->warps[0].ok = true;
    b->in.core_free_warp = 0;
    fail_push(b); /* the spare registers are gone: save */
    event_bench_expect_log(b, "PHPS");
    fail_push(b); /* the victim is let go alive */
    event_bench_expect_log(b, "PHPSPU");
    assert_true(b->out.cmd_resume && !b->out.vic_valid);
    b->in.core_free_warp = 1;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_fresh);
    event_bench_edges(b, 50); /* the answer takes long */
    assert_int_equal(b->out.take_state, TAKE_STATE_PUSH);
    b->in.push_ok = 1;
    event_bench_edge(b);
    assert_false(b->out.want_drain || b->out.busy);
    event_bench_end_event(b, b->out.push_warp);
    event_bench_expect_log(b, "PHPSPUPOC");
}

/* No core does that to a warp on hold that is flushed. */
static void test_push_fails_without_victim(void **state)
{
    struct event_bench *b = *state;
    b->keep_push = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    b->warps[b->out.push_warp].exited = true;
    fail_push(b);
    assert_false(b->out.cmd_resume || b->out.vic_valid);
    event_bench_expect_log(b, "HSP");
}

/* A context that was not there, and preemption that pauses, take nothing from the wait. */
static void test_push_fails_in_wait(void **state)
{
    struct event_bench *b = *state;
    enum { WAITED = 10, TO_SCAN = 1 };
    b->keep_push = true;
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w].regs = EVENT_BENCH_REGS - 1;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    event_bench_edges(b, WAITED);
    b->in.core_free_warp = 1;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    event_bench_edge(b);
    assert_true(b->out.cmd_push && b->out.push_fresh);
    b->in.cfg_preempt = 0;
    b->in.core_free_warp = 0;
    fail_push(b);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    b->in.cfg_preempt = 1;
    uint64_t from = b->edges;
    EVENT_BENCH_UNTIL(b, b->out.cand_req);
    assert_int_equal(b->edges - from, EVG_RESCAN_CYCLES - WAITED + TO_SCAN);
}

/* --- registers of the event's own, whatever the victim has (EDGE VI-C) */

/* Victims with fewer registers than the event: an edge before the scan, the file has enough. */
static void test_any_victim_with_free_registers(void **state)
{
    struct event_bench *b = *state;
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w].regs = EVENT_BENCH_REGS - 1;
    b->in.cfg_spare = 1;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    b->warps[0].loads = b->warps[0].younger = true;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
    assert_int_equal(b->out.vic_warp, 0);
    for (int i = 0; i < 50; i++) {
        event_bench_edge(b);
        assert_int_equal(b->out.claim_regs, EVENT_BENCH_REGS);
    }
    b->warps[0].loads = false;
    event_bench_edge(b);
    assert_true(b->out.cmd_push && b->out.push_spare && b->out.claim_regs == EVENT_BENCH_REGS);
    event_bench_edge(b);
    assert_int_equal(b->out.claim_regs, 0);
    event_bench_end_event(b, 0);
    event_bench_expect_log(b, "HPOCL");
    assert_false(b->out.want_drain);
    /* The most registers that an event can have. */
    b->in.core_free_regs = 127;
    event_bench_offer(b, 2, 127);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_regs == 127 && b->out.claim_regs == 127 && b->out.now_regs == 127);
}

/* Too few: the paper's rule. When they are there, a scan begins at once. */
static void test_registers_become_free(void **state)
{
    struct event_bench *b = *state;
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w].regs = EVENT_BENCH_REGS - 1;
    b->in.cfg_spare = 1;
    b->in.core_free_regs = EVENT_BENCH_REGS - 1;
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
    event_bench_edges(b, EVG_RESCAN_CYCLES / 2);
    assert_true(b->out.want_drain && b->out.take_state == TAKE_STATE_WAIT);
    b->in.core_free_regs = EVENT_BENCH_REGS;
    event_bench_edge(b);
    assert_true(b->out.take_state == TAKE_STATE_SCAN && b->out.claim_regs == EVENT_BENCH_REGS);
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_spare);
    /* Without the option, never. */
    b->in.cfg_spare = 0;
    event_bench_reset(b);
    event_bench_offer(b, 2, EVENT_BENCH_REGS);
    for (int i = 0; i < EVENT_BENCH_LIMIT; i++) {
        event_bench_edge(b);
        assert_false(b->out.vic_valid || b->out.claim_regs);
    }
}

/* Gone before the push, or refused: the victim is let go and nothing of it is saved. */
static void test_registers_lost(void **state)
{
    struct event_bench *b = *state;
    for (int refused = 0; refused < 2; refused++) {
        event_bench_reset(b);
        event_bench_clear_log(b);
        b->in.cfg_spare = 1;
        b->in.core_free_regs = EVENT_BENCH_REGS;
        b->keep_push = true;
        for (int w = 0; w < EVG_MAX_WARPS; w++)
            b->warps[w] = (struct bench_warp){.ok = true, .regs = EVENT_BENCH_REGS - 1};
        event_bench_offer(b, 1, EVENT_BENCH_REGS);
        EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_FLUSH);
        if (refused) {
            event_bench_edge(b);
            b->in.push_fail = 1;
        }
        b->in.core_free_regs = 0;
        event_bench_edge(b);
        assert_true(b->out.cmd_resume && !b->out.vic_valid && !b->out.claim_regs);
        EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
        assert_true(b->out.want_drain);
        event_bench_expect_log(b, refused ? "HPU" : "HU");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, event_bench_setup, event_bench_teardown)

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
        TEST(test_push_fails_without_victim),
        TEST(test_push_fails_in_wait),
        TEST(test_any_victim_with_free_registers),
        TEST(test_registers_become_free),
        TEST(test_registers_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
