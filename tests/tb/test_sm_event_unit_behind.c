/* Events behind one that no warp of the core can serve (rtl/edge/pending_order.v,
 * warp_take_ctrl.v): RTL and golden model in lockstep. The warps have 10 units of registers. */
#include "base/rng.h"
#include "tests/tb/bench/event_bench.h"
#include "tests/unit.h"

enum {
    HEAVY = 20, /* units that no warp has */
    LIGHT = 5,  /* units that every warp has */
    TO_PUSH =
        20, /* edges from the end of a scan to the push of the next event, one group of warps */
};

static void offer(struct event_bench *b, uint16_t tag, uint8_t regs, uint8_t priority)
{
    event_bench_offer(b, tag, regs);
    b->in.ev_priority = priority;
    event_bench_edge(b);
}

static void offer_heavy(struct event_bench *b)
{
    offer(b, 1, HEAVY, 0);
    EVENT_BENCH_UNTIL(b, b->out.want_drain);
}

static void all_warps(struct event_bench *b, uint8_t regs)
{
    for (int w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w].regs = regs;
}

/* It borrows, and leaves the free context and the registers to the one that drains. */
static void test_lighter_one_borrows(void **state)
{
    struct event_bench *b = *state;
    for (int spare = 0; spare < 2; spare++) {
        event_bench_reset(b);
        event_bench_clear_log(b);
        b->in.cfg_spare = spare != 0;
        b->in.core_free_warp = 1;
        b->in.core_free_regs = HEAVY - 1;
        offer_heavy(b);
        uint64_t from = b->edges;
        offer(b, 2, LIGHT, 0);
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_int_equal(b->out.push_tag, 2);
        assert_true(b->out.want_drain && !b->out.push_fresh && !b->out.push_spare);
        assert_true(b->edges - from <= EVG_RESCAN_CYCLES + TO_PUSH);
        uint8_t warp = b->out.push_warp;
        event_bench_edges(b, EVENT_BENCH_LIMIT); /* the heavy one is tried again, in vain */
        assert_true(b->out.want_drain);
        event_bench_expect_log(b, "HSP");
        event_bench_exit(b, warp);
        EVENT_BENCH_UNTIL(b, b->out.cmd_release);
        assert_true(b->out.want_drain);
        b->in.core_free_regs = HEAVY;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_true(b->out.push_tag == 1 && b->out.push_fresh);
        event_bench_edge(b);
        assert_false(b->out.want_drain);
        event_bench_end_event(b, b->out.push_warp);
    }
}

/* When both are there at the beginning, the lighter one runs without a wait of RESCAN_CYCLES. */
static void test_tried_at_once(void **state)
{
    struct event_bench *b = *state;
    offer(b, 1, HEAVY, 0);
    offer(b, 2, LIGHT, 0);
    EVENT_BENCH_UNTIL(b, b->out.want_drain);
    uint64_t from = b->edges;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_tag, 2);
    assert_true(b->edges - from <= TO_PUSH);
}

/* Who needs as much is not tried, of whatever kind the warps are. */
static void test_as_heavy_keeps_its_place(void **state)
{
    struct event_bench *b = *state;
    offer_heavy(b);
    offer(b, 2, HEAVY, 0);
    offer(b, 3, HEAVY + 1, 0);
    for (int i = 0; i < EVENT_BENCH_LIMIT; i++) {
        event_bench_edge(b);
        assert_int_not_equal(b->out.take_state, TAKE_STATE_IDLE);
        assert_int_equal(b->out.now_regs, HEAVY);
    }
    b->warps[7].regs = HEAVY;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_tag == 1 && b->out.push_warp == 7);
}

/* Those that are tried need fewer and fewer registers; of equal ones the highest priority first. */
static void test_lighter_and_lighter(void **state)
{
    static const uint8_t tried[] = {40, 12, LIGHT};
    struct event_bench *b = *state;
    b->warps[0].atomic = b->warps[1].atomic = true; /* who takes one has not run yet */
    all_warps(b, 4);
    offer(b, 1, 40, 2);
    offer(b, 2, 13, 0);
    offer(b, 3, LIGHT, 0);
    offer(b, 4, 12, 1);
    EVENT_BENCH_UNTIL(b, b->out.want_drain);
    uint8_t seen[3] = {b->out.now_regs};
    for (uint32_t n = 1; n < 3;) {
        event_bench_edge(b);
        if (b->out.now_regs != seen[n - 1])
            seen[n++] = b->out.now_regs;
    }
    assert_memory_equal(seen, tried, sizeof tried);
    EVENT_BENCH_UNTIL(b, b->out.now_regs == 40); /* and the first again */
}

/* The one whose turn it is finds its warp though lighter ones are tried in vain all the time. */
static void test_turn_comes_again(void **state)
{
    struct event_bench *b = *state;
    for (int when = 0; when < 3 * EVG_RESCAN_CYCLES; when += 7) {
        event_bench_reset(b);
        all_warps(b, 4);
        offer_heavy(b);
        offer(b, 2, LIGHT + 1, 0);
        offer(b, 3, LIGHT, 0);
        event_bench_edges(b, when);
        b->warps[5].regs = HEAVY;
        uint64_t from = b->edges;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        /* A light one may have been looking for a warp when this one came, and the other one next.
         */
        while (b->out.push_tag != 1) {
            event_bench_edge(b);
            event_bench_exit(b, b->out.push_warp);
            event_bench_edge(b);
            EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        }
        assert_true(b->edges - from <= 3 * EVG_RESCAN_CYCLES);
        b->warps[5].ok = true;
    }
}

/* The attack: a heavy event, and lighter ones of `length` edges that come whenever the table has
 * room and keep the last warps of the core borrowed. The warps need `rest` edges each, and when all
 * have had them there is a free context for the heavy one. */
struct attack {
    uint8_t heavy, light; /* priorities */
    uint64_t rest, length;
    struct rng *rng; /* if any: the light ones' priorities, registers and edges differ */
};

struct attacked {
    uint64_t edges;          /* until the heavy one is pushed */
    uint32_t inside, lights; /* when it came, and started since */
    bool lower;              /* one of those is of a lower priority */
    uint64_t calm;           /* edges without a borrowed warp */
    uint64_t first;          /* ... before the first one of a lower priority */
};

enum { LAST_WARPS = 3 };

/* One edge of the warps: those that are not borrowed go on, events end. True if all have ended. */
static bool run_last_warps(struct event_bench *b, uint64_t *left, uint64_t *ends)
{
    bool over = true;
    for (uint8_t w = 0; w < LAST_WARPS; w++) {
        bool held = b->out.vic_valid && b->out.vic_warp == w;
        if (ends[w] && ends[w] <= b->edges && !b->in.exit_valid) {
            event_bench_exit(b, w);
            ends[w] = 0;
        }
        if (b->warps[w].ok && !held && left[w] && --left[w] == 0)
            b->warps[w].ok = false;
        over = over && !left[w];
    }
    return over;
}

static struct attacked attack(struct event_bench *b, const struct attack *a)
{
    struct attacked result = {0};
    uint64_t left[LAST_WARPS], ends[LAST_WARPS] = {0}, from = 0;
    uint16_t tag = 2;
    uint8_t priorities[8] = {0};
    event_bench_reset(b);
    event_bench_clear_log(b);
    for (uint8_t w = 0; w < EVG_MAX_WARPS; w++)
        b->warps[w].ok = w < LAST_WARPS;
    for (uint32_t w = 0; w < LAST_WARPS; w++)
        left[w] = a->rest;
    b->in.core_free_warp = 0;
    b->in.core_free_regs = 0;
    for (;;) {
        b->n_log = 0; /* too long to be kept */
        if (b->out.ev_ready && !from && result.inside == (a->length ? LAST_WARPS - 1 : 0)) {
            event_bench_offer(b, 1, HEAVY);
            b->in.ev_priority = a->heavy;
            from = b->edges;
        } else if (b->out.ev_ready && a->length && (from || tag < 1 + LAST_WARPS)) {
            uint8_t most = a->rng && from ? (uint8_t)rng_below(a->rng, LIGHT) : 0;
            event_bench_offer(b, tag, (uint8_t)(LIGHT - most));
            b->in.ev_priority = a->rng && from ? (uint8_t)rng_below(a->rng, 4) : a->light;
            priorities[tag++ % 8] = b->in.ev_priority;
        }
        if (b->out.cmd_push && b->out.push_tag == 1)
            break;
        if (b->out.cmd_push) {
            uint64_t length = a->rng ? 1 + rng_below(a->rng, (uint32_t)a->length) : a->length;
            bool lower = from && priorities[b->out.push_tag % 8] < a->heavy;
            ends[b->out.push_warp] = b->edges + length;
            result.first = lower && !result.lower ? result.calm : result.first;
            result.lower |= lower;
            *(from ? &result.lights : &result.inside) += 1;
        }
        result.calm += from && b->out.victims == 0;
        bool over = run_last_warps(b, left, ends);
        b->in.core_free_warp = over;
        b->in.core_free_regs = over ? HEAVY : 0;
        event_bench_edge(b);
    }
    result.edges = b->edges - from;
    return result;
}

static void expect_bound(const struct attack *a, const struct attacked *got)
{
    uint64_t rations = 1 + got->calm / EVG_DRAIN_CYCLES;
    assert_true(got->lights <= EVG_PASS_LIMIT * rations);
    assert_true(!got->lower || got->first >= EVG_DRAIN_CYCLES);
    assert_true(got->edges <= (got->lights + LAST_WARPS) * (a->length + 4 * TO_PUSH) + a->rest +
                                  EVG_RESCAN_CYCLES + 2 * TO_PUSH);
}

/* What drains waits for what ran when it came, for the rations of its turn, and for its warps. */
static void test_drain_is_bounded(void **state)
{
    enum { LONG = 50000, REST = 300 };
    struct event_bench *b = *state;
    struct attacked alone = attack(b, &(struct attack){3, 0, REST, 0, NULL});
    assert_true(alone.edges <= REST + 2 * TO_PUSH);
    static const struct attack attacks[] = {
        {3, 0, REST, LONG, NULL},
        {1, 0, REST, 2000, NULL},
        {3, 3, REST, LONG, NULL},
        {0, 0, REST, 700, NULL},
        {3, 0, 3 * EVG_DRAIN_CYCLES - 100, 3000, NULL},
        {2, 2, 3 * EVG_DRAIN_CYCLES - 100, 3000, NULL},
        {0, 0, 5 * EVG_DRAIN_CYCLES, 10, NULL},
    };
    for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++) {
        struct attacked got = attack(b, &attacks[i]);
        expect_bound(&attacks[i], &got);
        if (attacks[i].light < attacks[i].heavy && attacks[i].rest < EVG_DRAIN_CYCLES)
            assert_int_equal(got.lights, 0);
    }
}

/* The heavy one has the highest priority of all that come, or one of them has its turn before it.
 */
static void test_drain_is_bounded_at_random(void **state)
{
    enum { ROUNDS = 60 };
    struct event_bench *b = *state;
    struct rng rng;
    uint32_t most = 0, lower = 0;
    rng_seed(&rng, 24);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct attack a = {.heavy = 3,
                           .light = (uint8_t)rng_below(&rng, 4),
                           .rest = 1 + rng_below(&rng, 4 * EVG_DRAIN_CYCLES),
                           .length = 1 + rng_below(&rng, i % 2 ? 100 : 3000),
                           .rng = &rng};
        struct attacked got = attack(b, &a);
        expect_bound(&a, &got);
        most = got.lights > most ? got.lights : most;
        lower += got.lower;
    }
    assert_true(most > 2 * EVG_PASS_LIMIT && lower > ROUNDS / 10);
}

/* ... and what is lighter waits for a ration no longer than its calm cycles last, though the
 * background never ends. */
static void test_lighter_ones_get_on(void **state)
{
    struct event_bench *b = *state;
    offer(b, 1, HEAVY, 3);
    EVENT_BENCH_UNTIL(b, b->out.want_drain);
    uint64_t from = b->edges;
    for (uint16_t tag = 2; tag < 2 + 3 * EVG_PASS_LIMIT; tag++) {
        offer(b, tag, LIGHT, 0);
        while (!b->out.cmd_push)
            event_bench_edge(b);
        assert_int_equal(b->out.push_tag, tag);
        bool first = (tag - 2) % EVG_PASS_LIMIT == 0;
        uint64_t waited = b->edges - from;
        assert_true(waited <= (first ? EVG_DRAIN_CYCLES : 0) + 2 * EVG_RESCAN_CYCLES + 3 * TO_PUSH);
        assert_true(!first || waited >= EVG_DRAIN_CYCLES - 5 * EVG_RESCAN_CYCLES);
        event_bench_edge(b);
        event_bench_exit(b, b->out.push_warp);
        event_bench_edges(b, 20);
        b->n_log = 0;
        from = b->edges;
    }
}

/* However many lighter ones come, what is freed is for the one that drains. */
static void test_never_starved(void **state)
{
    struct event_bench *b = *state;
    offer_heavy(b);
    uint16_t tag = 2;
    uint32_t borrowed = 0, calm = 0;
    for (int i = 0; i < 100 * EVENT_BENCH_LIMIT; i++) {
        if (b->out.ev_ready && b->out.occupancy < EVG_PEWT_ENTRIES)
            event_bench_offer(b, tag++, LIGHT);
        if (b->out.cmd_push) {
            assert_false(b->out.push_fresh || b->out.push_spare || b->out.push_tag == 1);
            borrowed++;
        }
        if (i % 3 == 0)
            event_bench_exit(b, (uint8_t)(i / 3 % 8));
        b->in.core_free_warp = i % 2 != 0;
        b->in.core_free_regs = HEAVY - 1;
        b->n_log = 0;
        calm += b->out.victims == 0;
        event_bench_edge(b);
        assert_true(b->out.want_drain);
    }
    assert_true(borrowed <= EVG_PASS_LIMIT * (1 + calm / EVG_DRAIN_CYCLES));
    assert_true(borrowed >= EVG_PASS_LIMIT * (calm / EVG_DRAIN_CYCLES) && calm > EVG_DRAIN_CYCLES);
    b->in.core_free_warp = 1;
    b->in.core_free_regs = HEAVY;
    uint64_t from = b->edges;
    while (!(b->out.cmd_push && b->out.push_tag == 1)) {
        assert_true(b->edges - from < EVG_RESCAN_CYCLES + 2 * TO_PUSH);
        event_bench_edge(b);
    }
    assert_true(b->out.push_fresh);
}

/* A higher priority comes before the one that waits, and has what is free; a lighter one has not.
 */
static void test_higher_priority(void **state)
{
    struct event_bench *b = *state;
    for (int preempt = 0; preempt < 2; preempt++) {
        event_bench_reset(b);
        all_warps(b, 4);
        b->in.cfg_preempt = preempt != 0;
        b->in.core_free_warp = 1;
        b->in.core_free_slot = 0;
        b->in.core_free_regs = 12;
        offer_heavy(b);
        offer(b, 2, LIGHT, 0);
        for (int i = 0; i < EVENT_BENCH_LIMIT; i++) {
            event_bench_edge(b);
            assert_false(b->out.cmd_push);
        }
        offer(b, 3, 12, 1);
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_true(b->out.push_tag == 3 && b->out.push_fresh);
        event_bench_edges(b, 2);
        EVENT_BENCH_UNTIL(b, b->out.want_drain);
        b->in.core_free_warp = 1;
        b->in.core_free_slot = 1;
        b->in.core_free_regs = HEAVY;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_true(b->out.push_tag == 1 && b->out.push_fresh);
        event_bench_edge(b);
        b->in.core_free_warp = 1;
        b->in.core_free_slot = 2;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_true(b->out.push_tag == 2 && b->out.push_fresh);
    }
}

/* Preemption ends while a lighter one is tried: the turn is the other's again. */
static void test_preemption_ends(void **state)
{
    struct event_bench *b = *state;
    all_warps(b, 4);
    offer_heavy(b);
    offer(b, 2, LIGHT, 0);
    EVENT_BENCH_UNTIL(b, b->out.now_regs == LIGHT && b->out.take_state == TAKE_STATE_WAIT);
    b->in.cfg_preempt = 0;
    event_bench_edges(b, 4);
    for (int i = 0; i < EVENT_BENCH_LIMIT; i++) {
        event_bench_edge(b);
        assert_true(b->out.now_regs == HEAVY && b->out.take_state == TAKE_STATE_WAIT);
    }
}

/* ... and before a lighter one is tried: it has nothing of what is free. */
static void test_preemption_ends_before(void **state)
{
    struct event_bench *b = *state;
    for (int when = 0; when < 2 * EVG_RESCAN_CYCLES; when++) {
        event_bench_reset(b);
        b->in.cfg_preempt = 1;
        b->in.core_free_warp = 0;
        all_warps(b, 4);
        offer_heavy(b);
        offer(b, 2, LIGHT, 0);
        event_bench_edges(b, when);
        b->in.cfg_preempt = 0;
        b->in.core_free_warp = 1;
        b->in.core_free_regs = LIGHT;
        for (int i = 0; i < 2 * TO_PUSH; i++) {
            event_bench_edge(b);
            assert_false(b->out.cmd_push);
        }
    }
}

static void run_in_free_context(struct event_bench *b, uint16_t tag, uint8_t priority)
{
    offer(b, tag, LIGHT, priority);
    b->in.core_free_warp = 1;
    b->in.core_free_regs = LIGHT;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_tag == tag && b->out.push_fresh);
    event_bench_edge(b);
    event_bench_exit(b, b->out.push_warp);
    event_bench_edge(b);
}

/* The oldest of all runs as a lighter one: by none of those that passed it is the next oldest
 * passed. */
static void test_oldest_as_lighter_one(void **state)
{
    struct event_bench *b = *state;
    uint16_t tag = 3;
    all_warps(b, 4);
    offer(b, 1, LIGHT + 1, 0);
    while (tag < 3 + EVG_PASS_LIMIT - 1)
        run_in_free_context(b, tag++, 1);
    offer(b, 2, HEAVY, 1);
    EVENT_BENCH_UNTIL(b, b->out.now_regs == HEAVY);
    event_bench_edges(b, EVG_DRAIN_CYCLES); /* it is of a lower priority */
    b->warps[0].regs = LIGHT + 1;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_true(b->out.push_tag == 1 && !b->out.push_fresh);
    event_bench_edge(b);
    event_bench_exit(b, 0);
    b->warps[0].regs = 4;
    event_bench_edge(b);
    for (int i = 0; i < EVG_PASS_LIMIT; i++)
        run_in_free_context(b, tag++, 2);
    offer(b, tag, LIGHT, 2);
    b->in.core_free_warp = 1;
    for (int i = 0; i < EVENT_BENCH_LIMIT; i++) {
        event_bench_edge(b);
        assert_false(b->out.cmd_push);
    }
    b->in.core_free_regs = HEAVY;
    EVENT_BENCH_UNTIL(b, b->out.cmd_push);
    assert_int_equal(b->out.push_tag, 2);
}

/* A warp that could be flushed at once may be one without registers: it is not asked for. */
static void test_cheapest_scans(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = VICTIM_POLICY_CHEAPEST;
    offer_heavy(b);
    assert_true(b->out.now_req);
    offer(b, 2, LIGHT, 0);
    while (!b->out.cmd_push) {
        b->now = b->out.now_regs == LIGHT ? ~(uint64_t)0 : 0;
        assert_true(!b->out.now_req || b->out.now_regs == HEAVY);
        event_bench_edge(b);
    }
    assert_int_equal(b->out.push_tag, 2);
    event_bench_expect_log(b, "HSP");
}

/* A reset among it: nothing is tried any more, and the next event has its turn. */
static void test_reset(void **state)
{
    struct event_bench *b = *state;
    b->in.core_free_warp = 1;
    for (int when = 0; when < 40; when++) {
        b->in.core_free_regs = 0;
        offer_heavy(b);
        offer(b, 2, LIGHT, 0);
        event_bench_edges(b, when);
        event_bench_reset(b);
        b->in.core_free_regs = LIGHT;
        offer(b, 3, LIGHT, 0);
        uint64_t from = b->edges;
        EVENT_BENCH_UNTIL(b, b->out.cmd_push);
        assert_true(b->edges - from <= 3 && b->out.push_tag == 3 && b->out.push_fresh);
        event_bench_reset(b);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, event_bench_setup, event_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_lighter_one_borrows),
        TEST(test_tried_at_once),
        TEST(test_as_heavy_keeps_its_place),
        TEST(test_lighter_and_lighter),
        TEST(test_turn_comes_again),
        TEST(test_drain_is_bounded),
        TEST(test_drain_is_bounded_at_random),
        TEST(test_lighter_ones_get_on),
        TEST(test_never_starved),
        TEST(test_higher_priority),
        TEST(test_preemption_ends),
        TEST(test_preemption_ends_before),
        TEST(test_oldest_as_lighter_one),
        TEST(test_cheapest_scans),
        TEST(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
