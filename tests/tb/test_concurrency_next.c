/* sm_concurrency_unit with cm_next_core: directed tests, one per sentence of its contract, and a
 * random one, RTL and golden model in lockstep. */
#include "base/error.h"
#include "base/rng.h"
#include "sm_concurrency_unit_next.h"
#include "tb/tile.h"
#include "tests/tb/bench/core_bench.h"
#include "tests/unit.h"

enum {
    LEVELS = EVG_CM_NEXT_LEVELS,
    KNOWN = 0x8000,
    BEGAN = 1 << 11, /* bit of ENDED */
    LATENCY = 5,     /* edges from that of the tick to that which changes the limit */
    /* parameters of cm_next_core */
    LAST_LEVEL = LEVELS - 1,
    LEAST = 2,
    FREE = 7,
    STAY = 3,
    SELDOM_SHIFT = 3,
    TRIAL_SHIFT = 3,
    PAUSE = 255,
    RANDOM_EDGES = 300000,
    DEFAULT_SEED = 20161110,
};

static const uint8_t ladder[LEVELS] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48};

/* The end of an interval of an active core in which so many were issued; the limit that follows. */
static uint8_t interval(struct core_bench *b, uint32_t issued, enum cm_decision decision)
{
    b->in.core_active = 1;
    assert_true(core_bench_put(b, CM_NEXT_REG_ISSUED, issued));
    uint8_t before = b->out.limit;
    b->in.cm_tick = 1;
    b->in.cm_decision = (uint8_t)decision;
    core_bench_edge(b);
    b->in.cm_decision = CM_DECISION_HOLD;
    for (int n = 1; n <= LATENCY; n++) {
        assert_int_equal(b->out.limit, before);
        assert_int_equal(b->out.state, n);
        core_bench_edge(b);
    }
    assert_int_equal(b->out.state, CM_NEXT_STATE_IDLE);
    return b->out.limit;
}

/* BAL on this level, k as given, without an average. */
static void walk_on(struct core_bench *b, int level, uint16_t k)
{
    b->in.cm_k = k;
    core_bench_set_mode(b, CM_MODE_OFF);
    core_bench_set_mode(b, CM_MODE_BAL);
    assert_true(core_bench_put(b, CM_NEXT_REG_LIMIT, ladder[level]));
}

static void expect_reset(struct core_bench *b)
{
    assert_int_equal(b->out.limit, 48);
    assert_true(b->out.idle);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_LIMIT), 48);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_AVERAGE), 0);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_ENDED), 0);
}

static void test_after_reset(void **state)
{
    expect_reset(*state);
}

/* A reset of one edge, which a tick or any step of its decision meets: it is not gone on with. */
static void test_reset_in_a_decision(void **state)
{
    struct core_bench *b = *state;
    for (int after = 0; after <= LATENCY; after++) {
        walk_on(b, 3, 256);
        core_bench_put(b, CM_NEXT_REG_ISSUED, 55);
        b->in.cm_tick = 1;
        b->in.cm_decision = CM_DECISION_UP;
        core_bench_edges(b, after);
        tile_reset_among(b->tile, &b->in, 1, &b->out);
        b->in.cm_tick = 0;
        b->in.cm_decision = CM_DECISION_HOLD;
        expect_reset(b);
    }
}

static void test_off_and_fixed(void **state)
{
    struct core_bench *b = *state;
    b->in.core_active = 1;
    b->in.sched_ready = 3;
    core_bench_edges(b, 10);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_ISSUED), 0);
    assert_false(core_bench_put(b, CM_NEXT_REG_LIMIT, 24));
    core_bench_set_mode(b, CM_MODE_FIXED);
    for (uint32_t warps = 0; warps < 100; warps++)
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_LIMIT, warps), warps >= 1 && warps <= 48);
    assert_true(core_bench_put(b, CM_NEXT_REG_LIMIT, 17));
    interval(b, 0, CM_DECISION_DOWN);
    for (int d = 0; d < 4; d++)
        assert_int_equal(interval(b, 400, (enum cm_decision)d), 17);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_AVERAGE), KNOWN + 273); /* it measures */
    core_bench_set_mode(b, CM_MODE_OFF);
    assert_int_equal(b->out.limit, 48);
}

/* A walk begins with the highest of its levels that is not above the limit. */
static void test_begin_of_a_walk(void **state)
{
    struct core_bench *b = *state;
    for (uint8_t warps = 1; warps <= 48; warps++)
        for (int mode = CM_MODE_CPU; mode <= CM_MODE_BAL; mode++) {
            int level = 0;
            while (level + 1 < LEVELS && ladder[level + 1] <= warps)
                level++;
            core_bench_set_mode(b, CM_MODE_FIXED);
            assert_true(core_bench_put(b, CM_NEXT_REG_LIMIT, warps));
            core_bench_set_mode(b, (enum cm_mode)mode);
            assert_int_equal(b->out.limit, ladder[level]);
            assert_int_equal(core_bench_put(b, CM_NEXT_REG_LIMIT, warps), ladder[level] == warps);
        }
}

static void test_counts(void **state)
{
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_FIXED);
    for (uint8_t bits = 0; bits < 16; bits++)
        for (uint8_t active = 0; active < 2; active++) {
            b->in.sched_ready = bits & 3;
            b->in.sched_full = bits >> 2;
            int issues = (bits & 1 && !(bits & 4)) + (bits & 2 && !(bits & 8));
            b->in.core_active = 0;
            core_bench_put(b, CM_NEXT_REG_STALL, 0);
            core_bench_put(b, CM_NEXT_REG_ISSUED, 0);
            b->in.core_active = active;
            core_bench_edges(b, 5);
            b->in.core_active = 0;
            assert_int_equal(core_bench_get(b, CM_NEXT_REG_ISSUED), active ? 5 * issues : 0);
            assert_int_equal(core_bench_get(b, CM_NEXT_REG_STALL), active ? 5 * (2 - issues) : 0);
        }
    b->in.sched_full = 0;
    b->in.core_active = 1;
    for (uint8_t ready = 0; ready < 4; ready += 3) {
        int reg = ready ? CM_NEXT_REG_ISSUED : CM_NEXT_REG_STALL;
        b->in.sched_ready = ready;
        core_bench_put(b, reg, 0);
        core_bench_edges(b, 1023);
        assert_int_equal(core_bench_get(b, reg), 2046);
        assert_int_equal(core_bench_get(b, reg), 2047);
        assert_int_equal(core_bench_get(b, reg), 2047);
    }
}

/* What is issued at the edge of a tick is the first of the next interval. */
static void test_boundary(void **state)
{
    struct core_bench *b = *state;
    b->in.core_active = 1;
    b->in.sched_ready = 1;
    core_bench_set_mode(b, CM_MODE_FIXED);
    core_bench_edges(b, 9);
    b->in.cm_tick = 1;
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_ISSUED), 1);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_ENDED), 10);
}

/* A kernel's begin belongs to the interval that the edge of a tick ends; its end does not count. */
static void test_kernel_begins(void **state)
{
    struct core_bench *b = *state;
    enum { NONE, END, BEGIN, AT_TICK, AFTER_TICK, CASES };
    for (int what = 0; what < CASES; what++) {
        walk_on(b, LEAST, 256);
        b->in.kernel_end = what == END;
        b->in.kernel_begin = what == BEGIN;
        core_bench_edge(b);
        for (int n = 0; n < 3; n++) { /* the interval, the next, the one after */
            b->in.cm_tick = 1;
            b->in.cm_decision = CM_DECISION_HOLD;
            b->in.kernel_begin = n == 0 && what == AT_TICK;
            core_bench_edge(b);
            b->in.kernel_begin = n == 0 && what == AFTER_TICK;
            core_bench_edges(b, LATENCY);
            int raised = what == BEGIN || what == AT_TICK ? 0 : what == AFTER_TICK ? 1 : CASES;
            assert_int_equal(core_bench_get(b, CM_NEXT_REG_ENDED) & BEGAN, n == raised ? BEGAN : 0);
            assert_int_equal(b->out.limit, ladder[n < raised ? LEAST : FREE]);
        }
    }
    walk_on(b, LAST_LEVEL, 256); /* above, it raises nothing */
    b->in.kernel_begin = 1;
    core_bench_edge(b);
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), ladder[LAST_LEVEL - 1]);
}

static void test_average(void **state)
{
    static const uint16_t values[] = {0, 1, 2, 3, 5, 100, 1023, 2047};
    enum { N = sizeof values / sizeof *values };
    struct core_bench *b = *state;
    b->in.core_active = 1;
    core_bench_set_mode(b, CM_MODE_FIXED);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            core_bench_put(b, CM_NEXT_REG_AVERAGE, 77);
            interval(b, values[i], CM_DECISION_HOLD);
            assert_int_equal(core_bench_get(b, CM_NEXT_REG_AVERAGE), KNOWN + values[i]);
            interval(b, values[j], CM_DECISION_HOLD);
            assert_int_equal(core_bench_get(b, CM_NEXT_REG_AVERAGE),
                             KNOWN + (3 * values[i] + values[j]) / 4);
        }
}

/* Every level, decision and kind of core. */
static void test_moves(void **state)
{
    struct core_bench *b = *state;
    for (int level = 0; level < LEVELS; level++)
        for (int d = 0; d < 4; d++)
            for (int busy = 0; busy < 2; busy++)
                for (int began = 0; began < 2; began++) {
                    walk_on(b, level, 256);
                    b->in.kernel_begin = (uint8_t)began;
                    core_bench_edge(b);
                    int want = level;
                    if (began && level < FREE)
                        want = FREE;
                    else if (busy && level == LAST_LEVEL && d == CM_DECISION_DOWN)
                        want = FREE; /* a trial */
                    else if ((busy && level >= FREE) || d == CM_DECISION_UP)
                        want = level == LAST_LEVEL ? level : level + 1;
                    else if (d == CM_DECISION_DOWN && level > LEAST && level != FREE)
                        want = level - 1;
                    uint32_t issued = busy ? 256 : 255;
                    assert_int_equal(interval(b, issued, (enum cm_decision)d), ladder[want]);
                }
}

/* From FREE a decision leads down in the Stay-th interval there, counted from the last arrival. */
static void test_stay(void **state)
{
    struct core_bench *b = *state;
    enum { FROM_ABOVE, WRITTEN, BY_KERNEL, SET, WAYS };
    for (int way = 0; way < WAYS; way++)
        for (int before = 0; before <= STAY; before++) {
            walk_on(b, FREE, 256);
            for (int i = 0; i < before; i++) /* these do not count for what follows */
                interval(b, 0, CM_DECISION_HOLD);
            if (way == FROM_ABOVE) {
                interval(b, 0, CM_DECISION_UP);
                interval(b, 0, CM_DECISION_DOWN);
            } else if (way == WRITTEN) {
                core_bench_put(b, CM_NEXT_REG_LIMIT, ladder[FREE]);
            } else if (way == SET) {
                core_bench_set_mode(b, CM_MODE_CPU);
            } else {
                core_bench_put(b, CM_NEXT_REG_LIMIT, ladder[FREE - 1]);
                b->in.kernel_begin = 1;
                interval(b, 0, CM_DECISION_DOWN);
            }
            for (int i = 1; i < STAY; i++) {
                enum cm_decision d = i % 2 ? CM_DECISION_DOWN : CM_DECISION_HOLD;
                assert_int_equal(interval(b, 0, d), ladder[FREE]);
            }
            for (int i = 0; i < before; i++)
                assert_int_equal(interval(b, 0, CM_DECISION_HOLD), ladder[FREE]);
            assert_int_equal(interval(b, 0, CM_DECISION_DOWN), ladder[FREE - 1]);
        }
}

/* A core that issues so much at the top, in a trial on FREE. */
static void begin_trial(struct core_bench *b, uint32_t issued, uint16_t k)
{
    walk_on(b, LAST_LEVEL, k);
    assert_int_equal(interval(b, issued, CM_DECISION_DOWN), ladder[FREE]);
}

/* The average from now on, with an interval that issues as much. */
static uint8_t interval_of_average(struct core_bench *b, uint32_t average,
                                   enum cm_decision decision)
{
    core_bench_put(b, CM_NEXT_REG_AVERAGE, KNOWN | average);
    return interval(b, average, decision);
}

/* Only a busy core at the top tries, and only when the decision is DOWN. */
static void test_trial_begins(void **state)
{
    struct core_bench *b = *state;
    for (int level = FREE; level < LEVELS; level++)
        for (int d = 0; d < 4; d++) {
            walk_on(b, level, 256);
            bool tries = level == LAST_LEVEL && d == CM_DECISION_DOWN;
            int rises = level == LAST_LEVEL ? level : level + 1;
            assert_int_equal(interval(b, 800, (enum cm_decision)d), ladder[tries ? FREE : rises]);
        }
}

/* The trial fails with an average below the bound, in the Stay-th interval on FREE and in any later
 * one. */
static void test_trial_bound(void **state)
{
    static const uint16_t tried[] = {256, 263, 264, 800, 1441, 2047};
    struct core_bench *b = *state;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        for (int late = 0; late < 3; late++)
            for (int worse = 0; worse < 2; worse++) {
                uint32_t bound = tried[i] - (tried[i] >> TRIAL_SHIFT);
                begin_trial(b, tried[i], 200);
                for (int n = 1; n < STAY; n++) /* too early to tell */
                    assert_int_equal(interval_of_average(b, bound - 1, CM_DECISION_DOWN),
                                     ladder[FREE]);
                for (int n = 0; n < late; n++)
                    assert_int_equal(interval_of_average(b, bound, CM_DECISION_DOWN), ladder[FREE]);
                assert_int_equal(interval_of_average(b, bound - (uint32_t)worse, CM_DECISION_HOLD),
                                 ladder[worse ? LAST_LEVEL : FREE]);
            }
}

/* In a trial the limit follows the decisions between FREE and the top, where the trial ends. */
static void test_trial_goes_on(void **state)
{
    struct core_bench *b = *state;
    begin_trial(b, 800, 256);
    for (int level = FREE + 1; level < LAST_LEVEL; level++) {
        assert_int_equal(interval(b, 800, CM_DECISION_UP), ladder[level]);
        assert_int_equal(interval(b, 800, CM_DECISION_HOLD), ladder[level]);
    }
    for (int level = LAST_LEVEL - 2; level >= FREE; level--)
        assert_int_equal(interval_of_average(b, 300, CM_DECISION_DOWN), ladder[level]);
    for (int n = 1; n < STAY; n++) /* on FREE again, the intervals count anew */
        assert_int_equal(interval_of_average(b, 300, CM_DECISION_DOWN), ladder[FREE]);
    assert_int_equal(interval_of_average(b, 300, CM_DECISION_DOWN), ladder[LAST_LEVEL]);

    begin_trial(b, 800, 256);
    for (int level = FREE + 1; level < LEVELS; level++)
        interval(b, 800, CM_DECISION_UP);
    assert_int_equal(interval(b, 800, CM_DECISION_HOLD), ladder[LAST_LEVEL]);
    assert_int_equal(interval(b, 800, CM_DECISION_DOWN),
                     ladder[FREE]); /* no pause: another trial */
}

/* A core that is no longer busy is in no trial: it may go down, and when busy again it goes up. */
static void test_trial_ends_not_busy(void **state)
{
    struct core_bench *b = *state;
    begin_trial(b, 280, 256);
    assert_int_equal(interval_of_average(b, 255, CM_DECISION_HOLD), ladder[FREE]);
    assert_int_equal(interval_of_average(b, 280, CM_DECISION_HOLD), ladder[FREE + 1]);
    begin_trial(b, 280, 256);
    for (int n = 1; n < STAY; n++)
        assert_int_equal(interval_of_average(b, 255, CM_DECISION_DOWN), ladder[FREE]);
    assert_int_equal(interval_of_average(b, 255, CM_DECISION_DOWN), ladder[FREE - 1]);
}

/* After a trial that failed the core keeps the top for PAUSE busy intervals; others do not count.
 */
static void test_pause(void **state)
{
    struct core_bench *b = *state;
    begin_trial(b, 800, 256);
    for (int n = 0; n < STAY; n++)
        interval_of_average(b, 400, CM_DECISION_HOLD);
    for (int n = 0; n < PAUSE; n++) {
        if (n % 50 == 7)
            assert_int_equal(interval_of_average(b, 0, CM_DECISION_HOLD), ladder[LAST_LEVEL]);
        assert_int_equal(interval_of_average(b, 800, CM_DECISION_DOWN), ladder[LAST_LEVEL]);
    }
    assert_int_equal(interval_of_average(b, 800, CM_DECISION_DOWN), ladder[FREE]);
}

/* A write of LIMIT and a mode that is set end a trial, and a pause. */
static void test_trial_is_forgotten(void **state)
{
    struct core_bench *b = *state;
    for (int set = 0; set < 2; set++) {
        for (int paused = 0; paused < 2; paused++) {
            begin_trial(b, 800, 256);
            for (int n = 0; n < STAY && paused; n++)
                interval_of_average(b, 400, CM_DECISION_HOLD);
            if (set)
                core_bench_set_mode(b, CM_MODE_CPU);
            else
                core_bench_put(b, CM_NEXT_REG_LIMIT, b->out.limit);
            if (paused)
                assert_int_equal(interval_of_average(b, 800, CM_DECISION_DOWN), ladder[FREE]);
            else
                assert_int_equal(interval_of_average(b, 800, CM_DECISION_HOLD), ladder[FREE + 1]);
        }
    }
}

/* Below the least level only a core that issues seldom, and one level only. */
static void test_seldom(void **state)
{
    struct core_bench *b = *state;
    for (uint16_t k = 0; k <= 2047; k = (uint16_t)(k + 89))
        for (int more = -1; more <= 1; more++) {
            int issued = (k >> SELDOM_SHIFT) + more;
            if (issued < 0)
                continue;
            walk_on(b, LEAST, k);
            int want = more < 0 ? LEAST - 1 : LEAST;
            assert_int_equal(interval(b, (uint32_t)issued, CM_DECISION_HOLD), ladder[LEAST]);
            assert_int_equal(interval(b, (uint32_t)issued, CM_DECISION_DOWN), ladder[want]);
            assert_int_equal(interval(b, (uint32_t)issued, CM_DECISION_DOWN), ladder[want]);
        }
}

/* It is the average that must reach k. */
static void test_busy(void **state)
{
    static const struct {
        uint16_t average, issued, k;
        bool busy;
    } cases[] = {{300, 100, 250, true},    {300, 99, 250, false}, {300, 96, 250, false},
                 {0, 0, 0, true},          {0, 3, 1, false},      {2047, 2047, 2047, true},
                 {2047, 2046, 2047, false}};
    struct core_bench *b = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        walk_on(b, FREE + 1, cases[i].k);
        core_bench_put(b, CM_NEXT_REG_AVERAGE, KNOWN | cases[i].average);
        assert_int_equal(interval(b, cases[i].issued, CM_DECISION_DOWN),
                         ladder[cases[i].busy ? FREE + 2 : FREE]);
    }
}

static void test_registers(void **state)
{
    struct core_bench *b = *state;
    for (int reg = 0; reg < 16; reg++) {
        bool exists = reg <= CM_NEXT_REG_ENDED;
        core_bench_offer(b, false, reg, 0);
        core_bench_edge(b);
        assert_true(b->out.reg_done && b->out.reg_error == !exists);
        if (!exists || reg == CM_NEXT_REG_ENDED)
            for (uint32_t bit = 0; bit < 16; bit++)
                assert_false(core_bench_put(b, reg, 1u << bit));
    }
    for (uint32_t value = 0; value < 0x10000; value += 7) {
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_STALL, value), value <= 2047);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_ISSUED, value), value <= 2047);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_AVERAGE, value), (value & 0x7fff) <= 2047);
    }
}

/* A write of LIMIT ends the decision under way, at each of its edges. */
static void test_limit_write_ends_decision(void **state)
{
    struct core_bench *b = *state;
    for (int when = 0; when <= LATENCY; when++) {
        walk_on(b, 5, 256);
        b->in.cm_decision = CM_DECISION_DOWN;
        for (int i = 0; i <= LATENCY; i++) {
            b->in.cm_tick = i == 0;
            if (i == when)
                core_bench_offer(b, true, CM_NEXT_REG_LIMIT, 32);
            core_bench_edge(b);
        }
        core_bench_edges(b, LATENCY);
        assert_int_equal(b->out.limit, 32);
    }
    b->in.cm_set = 1;
    b->in.cm_mode = CM_MODE_BAL;
    assert_false(core_bench_put(b, CM_NEXT_REG_LIMIT, 32));
}

static void random_inputs(struct core_bench *b, struct rng *rng, uint32_t edge)
{
    struct sm_concurrency_unit_in *in = &b->in;
    uint32_t limit = b->out.limit, part = edge / 4096;
    uint32_t load = 40 + part * 37 % 200; /* a level's issue rate: rises, then falls */
    uint32_t rate = limit * 16 < load ? limit * 16 : load - (limit > part % 40 ? limit : 0);
    in->sched_ready = in->sched_full = 0;
    for (int s = 0; s < 2; s++) {
        in->sched_ready = (uint8_t)(in->sched_ready | (rng_below(rng, 256) < rate) << s);
        in->sched_full = (uint8_t)(in->sched_full | rng_chance(rng, 1, 16) << s);
    }
    in->core_active = part % 4 != 3 || rng_chance(rng, 15, 16);
    in->cm_tick = part % 8 == 7 ? rng_chance(rng, 1, 8) : edge % 48 == 0;
    in->cm_decision = (uint8_t)rng_below(rng, 4);
    in->kernel_begin = rng_chance(rng, 1, 1600);
    in->kernel_end = rng_chance(rng, 1, 400);
    in->cm_set = rng_chance(rng, 1, 2000);
    if (in->cm_set)
        in->cm_mode = (uint8_t)(rng_chance(rng, 3, 4) ? CM_MODE_BAL : rng_below(rng, 4));
    if (rng_chance(rng, 1, 500))
        in->cm_k = (uint16_t)rng_below(rng, 1u << rng_below(rng, 12));
    in->reg_valid = rng_chance(rng, 1, 16);
    in->reg_write = part % 2 && rng_chance(rng, 1, 4);
    in->reg_addr = (uint8_t)rng_below(rng, 16);
    in->reg_data = (uint16_t)rng_below(rng, 1u << rng_below(rng, 17));
    if (rng_chance(rng, 1, 2))
        in->reg_data = (uint16_t)-in->reg_data;
}

/* Everything at once; a copy that is not clocked while idle stays equal. */
static void test_random(void **state)
{
    struct core_bench *b = *state;
    struct error err = {0};
    struct rng rng;
    const char *text = getenv("EVGPU_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : DEFAULT_SEED, skips = 0, moves = 0;
    uint32_t trials = 0, failed = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    rng_seed(&rng, seed);
    tile_randomise((uint32_t)seed | 1, true);
    struct tile *lazy = tile_create(&sm_concurrency_unit_next_kind, TILE_VERILATOR, "lazy", &err);
    struct sm_concurrency_unit_out lazy_out = {0};
    tile_reset(lazy, &lazy_out);
    uint8_t was_active = 0;
    uint32_t seen = 0;
    for (uint32_t edge = 0; edge < RANDOM_EDGES; edge++) {
        if (rng_chance(&rng, 1, 3000)) {
            tile_reset(b->tile, &b->out);
            tile_reset(lazy, &lazy_out);
            b->in.cm_set = 0;
            was_active = 0;
        }
        uint8_t limit = b->out.limit;
        random_inputs(b, &rng, edge);
        const struct sm_concurrency_unit_in in = b->in;
        core_bench_edge(b);
        if (lazy_out.idle && !in.cm_tick && !in.cm_set && !in.kernel_begin && !in.kernel_end &&
            !in.reg_valid && in.core_active == was_active)
            skips++;
        else
            tile_step(lazy, &in, &lazy_out, &err);
        was_active = in.core_active;
        if (memcmp(&lazy_out, &b->out, sizeof lazy_out))
            fail_msg("edge %u: an idle tile that was not clocked differs", edge);
        moves += b->out.limit != limit;
        trials += b->out.limit == ladder[FREE] && limit == ladder[LAST_LEVEL];
        failed += b->out.limit == ladder[LAST_LEVEL] && limit == ladder[FREE];
        for (int n = 0; n < LEVELS; n++)
            seen |= (uint32_t)(ladder[n] == b->out.limit) << n;
    }
    printf("%llu edges not clocked, %llu changes of the limit, %u trials, %u failed\n",
           (unsigned long long)skips, (unsigned long long)moves, trials, failed);
    tile_destroy(lazy);
    assert_true(skips > 100 && moves > 500 && trials > 20 && failed > 5);
    assert_int_equal(seen, (1 << LEVELS) - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, core_bench_setup_next, core_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_after_reset),   TEST(test_reset_in_a_decision),
        TEST(test_off_and_fixed), TEST(test_begin_of_a_walk),
        TEST(test_counts),        TEST(test_boundary),
        TEST(test_kernel_begins), TEST(test_average),
        TEST(test_moves),         TEST(test_stay),
        TEST(test_trial_begins),  TEST(test_trial_bound),
        TEST(test_trial_goes_on), TEST(test_trial_ends_not_busy),
        TEST(test_pause),         TEST(test_trial_is_forgotten),
        TEST(test_seldom),        TEST(test_busy),
        TEST(test_registers),     TEST(test_limit_write_ends_decision),
        TEST(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
