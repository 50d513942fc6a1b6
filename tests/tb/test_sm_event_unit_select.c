/* Victim selection and the four flush optimisations one by one, RTL and golden model in lockstep.
 */
#include "tests/tb/bench/event_bench.h"
#include "tests/unit.h"

enum { ALL_GROUPS = EVG_MAX_WARPS / EVG_SCAN_LANES };

/* The victim that an event of EVENT_BENCH_REGS units gets from a unit fresh out of reset. */
static uint8_t victim(struct event_bench *b)
{
    event_bench_reset(b);
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    event_bench_edge(b);
    EVENT_BENCH_UNTIL(b, b->out.vic_valid);
    return b->out.vic_warp;
}

static void test_oldest_and_newest(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_warp_groups = ALL_GROUPS;
    b->in.core_now = 1000;
    for (uint16_t w = 0; w < EVG_MAX_WARPS; w++) {
        for (uint16_t i = 0; i < EVG_MAX_WARPS; i++)
            b->warps[i].stamp = 500;
        b->warps[w].stamp = 499;
        b->in.cfg_policy = VICTIM_POLICY_OLDEST;
        assert_int_equal(victim(b), w);
        b->warps[w].stamp = 501;
        b->in.cfg_policy = VICTIM_POLICY_NEWEST;
        assert_int_equal(victim(b), w);
    }
}

/* Ages are differences modulo 2^16: the counter may have wrapped between two launches. */
static void test_stamps_wrap(void **state)
{
    struct event_bench *b = *state;
    b->in.core_now = 20;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].stamp = 10;
    b->warps[3].stamp = 65530;
    b->warps[6].stamp = 15;
    b->in.cfg_policy = VICTIM_POLICY_OLDEST;
    assert_int_equal(victim(b), 3);
    b->in.cfg_policy = VICTIM_POLICY_NEWEST;
    assert_int_equal(victim(b), 6);
    b->warps[1].stamp = 21; /* age 65535 */
    b->in.cfg_policy = VICTIM_POLICY_OLDEST;
    assert_int_equal(victim(b), 1);
    b->in.cfg_policy = 3; /* not a policy: acts as OLDEST */
    assert_int_equal(victim(b), 1);
}

static void test_ties(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_warp_groups = ALL_GROUPS;
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w].stamp = 0;
    for (uint8_t policy = 0; policy < 3; policy++) {
        b->in.cfg_policy = policy;
        for (int w = 0; w < EVG_MAX_WARPS; w++)
            b->warps[w].ok = true;
        for (uint8_t w = 0; w < EVG_MAX_WARPS; w++) {
            assert_int_equal(victim(b), w);
            b->warps[w].ok = false;
        }
    }
}

static void test_eligible(void **state)
{
    struct event_bench *b = *state;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].regs = EVENT_BENCH_REGS - 1;
    b->warps[4].regs = EVENT_BENCH_REGS; /* equal is enough */
    assert_int_equal(victim(b), 4);
    b->warps[2].regs = 127;
    assert_int_equal(victim(b), 2);
    b->warps[2].ok = false;
    assert_int_equal(victim(b), 4);
}

static void test_groups(void **state)
{
    static const struct {
        uint8_t configured, scanned;
    } cases[] = {{0, 1}, {1, 1}, {2, 2}, {5, 5}, {7, 7}, {8, 8}, {9, 8}, {15, 8}};
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_NEWEST; /* the last warp looked at */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b->in.cfg_warp_groups = cases[i].configured;
        assert_int_equal(victim(b), cases[i].scanned * EVG_SCAN_LANES - 1);
    }
}

/* A core that does not answer, or for another group, has no victim; the scan ends all the same. */
static void test_missing_answer(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_warp_groups = 2;
    for (int kind = 0; kind < 2; kind++) {
        b->silent = kind == 0;
        b->misnumber = kind == 1;
        event_bench_reset(b);
        event_bench_offer(b, 1, EVENT_BENCH_REGS);
        EVENT_BENCH_UNTIL(b, b->out.take_state == TAKE_STATE_WAIT);
        assert_true(b->out.want_drain);
        b->silent = b->misnumber = false;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    }
}

/* Each warp costs something else; the cheapest are taken away one after the other. */
static void expect_order(struct event_bench *b, uint8_t opts, const uint8_t *order, size_t n)
{
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    b->in.cfg_opts = opts;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].ok = true;
    for (size_t i = 0; i < n; i++) {
        uint8_t w = victim(b);
        if (w != order[i])
            fail_msg("options %u, choice %zu: warp %u, expected %u", opts, i, w, order[i]);
        b->warps[w].ok = false;
    }
}

static void test_cheapest(void **state)
{
    struct event_bench *b = *state;
    struct bench_warp *w = b->warps;
    w[0].pipe = 511;
    w[1].atomic = true;
    w[2].loads = true;
    w[3].loads = w[3].younger = true;
    w[4].barrier = true;
    w[4].pipe = 7;
    w[5].ibuf = 2;
    w[5].pipe = 4;
    w[6].pipe = 5;
    w[7].loads = w[7].barrier = true; /* an arrival at a barrier is not rolled back */
    const uint8_t all =
        EVG_OPT_PRIORITY | EVG_OPT_FLUSH_IBUF | EVG_OPT_SKIP_BARRIER | EVG_OPT_DROP_LOADS;
    static const uint8_t with_all[] = {2, 5, 6, 4, 0, 3, 7, 1};
    expect_order(b, all, with_all, sizeof with_all);
    static const uint8_t no_flush[] = {2, 6, 4, 5, 0, 3, 7, 1};
    expect_order(b, all & ~EVG_OPT_FLUSH_IBUF, no_flush, sizeof no_flush);
    static const uint8_t no_skip[] = {2, 5, 6, 0, 3, 1, 4, 7};
    expect_order(b, all & ~EVG_OPT_SKIP_BARRIER, no_skip, sizeof no_skip);
    static const uint8_t no_drop[] = {5, 6, 4, 0, 2, 3, 7, 1};
    expect_order(b, all & ~EVG_OPT_DROP_LOADS, no_drop, sizeof no_drop);
    w[0].atomic = w[0].loads = true; /* the greatest cost there is */
    w[0].barrier = true;
    w[0].ibuf = 3;
    static const uint8_t none[] = {6, 5, 2, 3, 1, 4, 7, 0};
    expect_order(b, 0, none, sizeof none);
}

/* Loads are not dropped beside an atomic, which cannot be repeated: they cost what they take. */
static void test_loads_beside_atomic(void **state)
{
    struct event_bench *b = *state;
    b->warps[0].atomic = b->warps[0].loads = true;
    b->warps[1].barrier = true;
    b->warps[1].pipe = 100;
    for (int w = 2; w < EVG_SCAN_LANES; w++)
        b->warps[w].atomic = b->warps[w].barrier = true;
    static const uint8_t order[] = {1, 0};
    expect_order(b, EVG_OPT_DROP_LOADS, order, sizeof order);
}

/* Of two that only wait for their pipelines, by every bit of the difference and on every lane. */
static void test_pipeline_cycles(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    for (uint32_t w = 0; w < EVG_SCAN_LANES; w++) {
        for (uint32_t bit = 0; bit < 9; bit++) {
            struct bench_warp *cheap = &b->warps[(w + 1) % EVG_SCAN_LANES], *dear = &b->warps[w];
            for (uint32_t i = 0; i < EVG_SCAN_LANES; i++)
                b->warps[i].pipe = 511;
            dear->pipe = (uint16_t)(1u << bit);
            cheap->pipe = (uint16_t)(dear->pipe - 1);
            assert_ptr_equal(&b->warps[victim(b)], cheap);
        }
    }
}

/* What a single option does and what it leaves alone, on a victim that could use all four. */
static void expect_options(struct event_bench *b, uint8_t opts, const char *log_at_rest)
{
    memset(b->log, 0, sizeof b->log);
    b->n_log = 0;
    b->in.cfg_opts = opts;
    b->warps[0] = (struct bench_warp){.ok = true, .regs = 10, .loads = true, .ibuf = 2};
    assert_int_equal(victim(b), 0);
    for (int i = 0; i < 100; i++) {
        bool prio = b->out.vic_valid && (opts & EVG_OPT_PRIORITY);
        bool skip = b->out.vic_valid && (opts & EVG_OPT_SKIP_BARRIER);
        assert_int_equal(b->out.cmd_prio, prio);
        assert_int_equal(b->out.cmd_skip, skip);
        event_bench_edge(b);
    }
    assert_string_equal(b->log, log_at_rest);
}

static void test_options(void **state)
{
    struct event_bench *b = *state;
    expect_options(b, 0, "H"); /* waits for i-buffer and load */
    b->warps[0].ibuf = 0;
    b->warps[0].loads = false;
    event_bench_edge(b);
    assert_string_equal(b->log, "HS");
    expect_options(b, EVG_OPT_PRIORITY, "H");
    expect_options(b, EVG_OPT_FLUSH_IBUF, "HF");
    expect_options(b, EVG_OPT_SKIP_BARRIER, "H");
    expect_options(b, EVG_OPT_DROP_LOADS, "HDSP"); /* rolling back empties the i-buffer */
    expect_options(b, EVG_OPT_FLUSH_IBUF | EVG_OPT_DROP_LOADS, "HDSP");
}

/* --- warps that can be flushed at once, with CHEAPEST */

enum { TAKEN_TO_VICTIM = 2, VICTIM_TO_PUSH = 1 };

/* Offers an event and waits until it is pushed; returns the warp, and the edges from the table. */
static uint8_t ready_victim(struct event_bench *b, uint64_t now, uint64_t drop, uint64_t *edges)
{
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    b->now = now;
    b->drop = drop;
    event_bench_reset(b);
    event_bench_clear_log(b);
    event_bench_offer(b, 1, EVENT_BENCH_REGS);
    event_bench_edge(b);
    uint64_t taken = b->edges;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    *edges = b->edges - taken;
    return b->out.push_warp;
}

static void test_ready_is_taken_at_once(void **state)
{
    struct event_bench *b = *state;
    uint64_t edges = 0;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    for (uint32_t w = 0; w < EVG_MAX_WARPS; w++) {
        assert_int_equal(ready_victim(b, 1ULL << w | 1ULL << 63, 0, &edges), w);
        assert_int_equal(edges, TAKEN_TO_VICTIM + VICTIM_TO_PUSH);
        event_bench_expect_log(b, "HFP");
        /* Loads: only if there is none without. */
        assert_int_equal(ready_victim(b, 1ULL << w | 1ULL << 63, 1ULL << w, &edges), 63);
        assert_int_equal(ready_victim(b, 1ULL << w, 1ULL << w, &edges), w);
        assert_int_equal(edges, TAKEN_TO_VICTIM + VICTIM_TO_PUSH);
        event_bench_expect_log(b, "HDP");
    }
    b->in.cfg_opts = 0;
    ready_victim(b, 2, 0, &edges);
    event_bench_expect_log(b, "HP");
}

/* Other policies do not ask; nor does anything without an event. */
static void test_ready_is_not_asked_for(void **state)
{
    struct event_bench *b = *state;
    b->now = UINT64_MAX << 1;
    for (uint8_t policy = 0; policy < 4; policy++) {
        if (policy == VICTIM_POLICY_CHEAPEST)
            continue;
        b->in.cfg_policy = policy;
        event_bench_reset(b);
        event_bench_offer(b, 1, EVENT_BENCH_REGS);
        for (int i = 0; i < 30; i++) {
            assert_false(b->out.now_req);
            event_bench_edge(b);
        }
    }
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    event_bench_reset(b);
    event_bench_edges(b, 5);
    assert_false(b->out.now_req || b->out.vic_valid);
}

/* Preemption ends at the very edge at which one could be taken. */
static void test_ready_without_preemption(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].ok = false;
    for (int when = 0; when < 40; when++) {
        b->in.cfg_preempt = 1;
        b->now = 0;
        event_bench_reset(b);
        event_bench_offer(b, 1, EVENT_BENCH_REGS);
        event_bench_edge(b);
        EVENT_BENCH_UNTIL(b, b->out.now_req);
        event_bench_edges(b, when);
        assert_true(b->out.now_req);
        b->in.cfg_preempt = 0;
        b->now = 1ULL << 40;
        for (int i = 0; i < 20; i++) {
            event_bench_edge(b);
            assert_false(b->out.vic_valid);
        }
    }
}

/* During a scan, and while another one is being flushed: the first to be flushed wins. */
static void test_ready_appears(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    b->in.core_free_regs = EVENT_BENCH_REGS;
    b->in.cfg_warp_groups = 8;
    b->warps[0].loads = b->warps[0].younger = true;
    for (int when = 0; when < 40; when++) {
        b->now = 0;
        event_bench_reset(b);
        event_bench_clear_log(b);
        event_bench_offer(b, 1, EVENT_BENCH_REGS);
        event_bench_edge(b);
        for (int w = 0; w < EVG_MAX_WARPS; w++)
            b->warps[w].ok = w == 0;
        event_bench_edges(b, when);
        bool held = b->out.vic_valid;
        uint64_t before = b->edges;
        b->now = 1ULL << 40;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_int_equal(b->out.push_warp, 40);
        assert_true(b->edges - before <= (when < 2 ? 3 : held ? 5 : 2));
        event_bench_expect_log(b, held ? "HUHFP" : "HFP");
        assert_false(b->out.cand_req);
    }
}

/* Two warps that are ready in turn, and never flushed when they are held: one is kept at last. */
static void test_ready_in_turn(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    for (int w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].ok = false;
    for (uint16_t tag = 1; tag <= 2; tag++) {
        uint32_t swaps = 0;
        b->now = 3;
        b->warps[0].atomic = b->warps[1].atomic = true;
        event_bench_clear_log(b);
        event_bench_offer(b, tag, EVENT_BENCH_REGS);
        for (int i = 0; i < 100; i++) {
            event_bench_edge(b);
            swaps += b->out.cmd_resume;
        }
        assert_int_equal(swaps, EVG_READY_SWAPS);
        assert_true(b->out.take_state == TAKE_STATE_FLUSH && b->out.vic_valid);
        b->warps[0].atomic = b->warps[1].atomic = false;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        b->now = 0;
        uint8_t warp = b->out.push_warp;
        event_bench_edge(b);
        event_bench_end_event(b, warp);
    }
}

/* An entry of the table holds the warp, whatever the core says. */
static void test_ready_is_held(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    b->in.core_free_regs = 100;
    b->now = 1ULL << 7 | 1ULL << 9 | 1ULL << 11;
    b->drop = 1ULL << 7;
    assert_int_equal(event_bench_run_event(b, 1), 9);
    assert_int_equal(event_bench_run_event(b, 2), 11);
    assert_int_equal(event_bench_run_event(b, 3), 7);
    /* ... whichever it is: one beside it is taken, although it is the worse one. */
    for (uint32_t w = 0; w < EVG_MAX_WARPS; w++) {
        for (int side = -1; side <= 1; side += 2) {
            uint32_t beside = (w + (uint32_t)side) % EVG_MAX_WARPS;
            event_bench_reset(b);
            event_bench_clear_log(b);
            b->now = 1ULL << w;
            b->drop = 1ULL << beside;
            assert_int_equal(event_bench_run_event(b, 1), w);
            b->now |= 1ULL << beside;
            assert_int_equal(event_bench_run_event(b, 2), beside);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, event_bench_setup, event_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_oldest_and_newest),
        TEST(test_stamps_wrap),
        TEST(test_ties),
        TEST(test_eligible),
        TEST(test_groups),
        TEST(test_missing_answer),
        TEST(test_cheapest),
        TEST(test_loads_beside_atomic),
        TEST(test_pipeline_cycles),
        TEST(test_options),
        cmocka_unit_test_setup_teardown(test_ready_is_taken_at_once, event_bench_setup,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_ready_is_not_asked_for, event_bench_setup,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_ready_without_preemption, event_bench_setup,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_ready_appears, event_bench_setup,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_ready_in_turn, event_bench_setup,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_ready_is_held, event_bench_setup,
                                        event_bench_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
