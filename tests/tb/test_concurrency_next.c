/* sm_concurrency_unit with cm_next_core: directed tests, one per sentence of its contract, and a
 * random one, RTL and golden model in lockstep. */
#include "base/error.h"
#include "base/rng.h"
#include "sm_concurrency_unit_next.h"
#include "tb/tile.h"
#include "tests/tb/core_bench.h"
#include "tests/unit.h"

enum {
    LEVELS = EVG_CM_NEXT_LEVELS,
    KNOWN = 0x8000,
    UPPER = 16, /* bit of PAIR */
    /* parameters of cm_next_core */
    SPAN = 1,
    TURN = 2,
    CAUTION_MIN = 1,
    CAUTION_MAX = 4,
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
    for (int n = 1; n <= CORE_BENCH_LATENCY; n++) {
        assert_int_equal(b->out.limit, before);
        assert_int_equal(b->out.state, n);
        core_bench_edge(b);
    }
    assert_int_equal(b->out.state, CM_NEXT_STATE_IDLE);
    return b->out.limit;
}

/* A level's whole turn with so many issued in each interval. */
static uint8_t turn(struct core_bench *b, uint32_t issued, enum cm_decision decision)
{
    uint8_t limit = b->out.limit;
    for (int i = 1; i < TURN; i++)
        assert_int_equal(interval(b, issued, decision), limit);
    return interval(b, issued, decision);
}

/* BAL with this pair, its lower level's turn, a whole interval from here on. */
static void search_on(struct core_bench *b, int pair)
{
    core_bench_set_mode(b, CM_MODE_OFF);
    core_bench_set_mode(b, CM_MODE_BAL);
    b->in.core_active = 1;
    assert_true(core_bench_put(b, CM_NEXT_REG_LIMIT, ladder[pair + SPAN]));
    assert_int_equal(turn(b, 1000, CM_DECISION_HOLD), ladder[pair]);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_PAIR), pair);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_EVIDENCE), 0);
}

static void expect_reset(struct core_bench *b)
{
    assert_int_equal(b->out.limit, 48);
    assert_true(b->out.idle);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_LIMIT), 48);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_SEARCH), CAUTION_MIN);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_AVERAGE), 0);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_EVIDENCE), 0);
}

static void test_after_reset(void **state)
{
    expect_reset(*state);
}

/* A reset of one edge, which a tick or any step of its decision meets: it is not gone on with. */
static void test_reset_in_a_decision(void **state)
{
    struct core_bench *b = *state;
    for (int after = 0; after <= CORE_BENCH_LATENCY; after++) {
        search_on(b, 3);
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
    assert_true(core_bench_get(b, CM_NEXT_REG_AVERAGE) >= KNOWN + 398); /* it measures */
    core_bench_set_mode(b, CM_MODE_OFF);
    assert_int_equal(b->out.limit, 48);
}

/* A search begins with the highest of its levels that is not above the limit. */
static void test_begin_of_a_search(void **state)
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
            assert_int_equal(b->out.limit, ladder[level < SPAN ? 0 : level]);
            assert_int_equal(core_bench_get(b, CM_NEXT_REG_PAIR),
                             level < SPAN ? 0 : (level - SPAN) | UPPER);
            bool is_level = ladder[level] == warps;
            assert_int_equal(core_bench_put(b, CM_NEXT_REG_LIMIT, warps), is_level);
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
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_ENDED), 10 | 1 << 11);
}

static void test_whole(void **state)
{
    struct core_bench *b = *state;
    enum { INACTIVE, BEGIN, END, LIMIT_WRITTEN, AT_TICK, CASES };
    for (int what = 0; what < CASES; what++) {
        search_on(b, 5);
        core_bench_put(b, CM_NEXT_REG_AVERAGE, KNOWN + 1000);
        b->in.core_active = what != INACTIVE;
        b->in.kernel_begin = what == BEGIN;
        b->in.kernel_end = what == END;
        if (what == LIMIT_WRITTEN)
            core_bench_offer(b, true, CM_NEXT_REG_LIMIT, 12);
        core_bench_edge(b);
        b->in.core_active = 1;
        b->in.cm_tick = 1;
        b->in.kernel_end = what == AT_TICK;
        core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_ENDED) >> 11, 0);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_AVERAGE), KNOWN + 1000);
        b->in.cm_tick = 1; /* the next one is */
        core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_ENDED) >> 11, 1);
    }
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

/* Upper and lower level take turns; the last interval of a turn counts. */
static void test_turns(void **state)
{
    struct core_bench *b = *state;
    search_on(b, 5);
    for (int i = 0; i < 6; i++) {
        for (int n = 1; n < TURN; n++)
            assert_int_equal(interval(b, 5, CM_DECISION_UP), ladder[5]);
        assert_int_equal(interval(b, 1000, CM_DECISION_UP), ladder[5 + SPAN]);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_FIRST), KNOWN + 1000);
        for (int n = 1; n < TURN; n++)
            assert_int_equal(interval(b, 1999, CM_DECISION_UP), ladder[5 + SPAN]);
        assert_int_equal(interval(b, 1000, CM_DECISION_UP), ladder[5]);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_EVIDENCE), 0);
        assert_true(core_bench_get(b, CM_NEXT_REG_FIRST) < KNOWN);
    }
}

/* bias: the smaller of k and an eighth of the average; all of it, half of it, nothing. */
static void test_bias(void **state)
{
    struct core_bench *b = *state;
    static const struct {
        uint16_t k, average;
        int bias;
    } cases[] = {{32, 1600, 32}, {32, 80, 10}, {200, 1600, 200}, {201, 1600, 200}, {0, 1600, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int d = 0; d < 4; d++) {
            search_on(b, 5);
            b->in.cm_k = cases[i].k;
            uint16_t issued = cases[i].average;
            turn(b, issued, CM_DECISION_UP);
            for (int n = 1; n < TURN; n++)
                interval(b, issued, CM_DECISION_UP);
            core_bench_put(b, CM_NEXT_REG_AVERAGE, KNOWN + issued);
            interval(b, issued, (enum cm_decision)d);
            int bias = d == CM_DECISION_DOWN   ? cases[i].bias
                       : d == CM_DECISION_HOLD ? cases[i].bias / 2
                                               : 0;
            assert_int_equal((int16_t)core_bench_get(b, CM_NEXT_REG_EVIDENCE), -bias);
        }
}

/* The pair moves when the evidence has passed the bound, at each caution; not when it reaches it.
 */
static void test_bound(void **state)
{
    struct core_bench *b = *state;
    for (int caution = CAUTION_MIN; caution <= CAUTION_MAX; caution++)
        for (int direction = -1; direction <= 1; direction += 2)
            for (int more = 0; more < 2; more++) {
                int bound = (800 << caution) / 8;
                search_on(b, 5);
                core_bench_put(b, CM_NEXT_REG_SEARCH, (uint32_t)caution);
                core_bench_put(b, CM_NEXT_REG_AVERAGE, KNOWN + 800);
                turn(b, 800, CM_DECISION_UP);
                uint32_t evidence = (uint32_t)(direction * (bound + more)) & 0xffff;
                core_bench_put(b, CM_NEXT_REG_EVIDENCE, evidence);
                turn(b, 800, CM_DECISION_UP);
                int pair = 5 + direction * more;
                assert_int_equal(core_bench_get(b, CM_NEXT_REG_EVIDENCE), more ? 0 : evidence);
                assert_int_equal(core_bench_get(b, CM_NEXT_REG_PAIR),
                                 more && direction > 0 ? pair | UPPER : pair);
                assert_int_equal(b->out.limit,
                                 more && direction > 0 ? ladder[pair + SPAN] : ladder[pair]);
            }
}

/* The upper level issues a tenth more, or less, at every turn: the pair climbs, or falls, to the
 * end and stays there. */
static void test_climb(void **state)
{
    struct core_bench *b = *state;
    b->in.cm_k = 0;
    for (int more = -100; more <= 100; more += 200) {
        search_on(b, 5);
        for (int i = 0; i < 100; i++) {
            bool upper = core_bench_get(b, CM_NEXT_REG_PAIR) & UPPER;
            turn(b, (uint32_t)(1000 + (upper ? more : 0)), CM_DECISION_HOLD);
        }
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_PAIR) & 15,
                         more < 0 ? 0 : LEVELS - 1 - SPAN);
    }
}

static void move_by(struct core_bench *b, int direction)
{
    while (core_bench_get(b, CM_NEXT_REG_PAIR) & UPPER)
        turn(b, 800, CM_DECISION_UP);
    turn(b, 800, CM_DECISION_UP);
    core_bench_put(b, CM_NEXT_REG_EVIDENCE, (uint32_t)(direction * 4000) & 0xffff);
    turn(b, 800, CM_DECISION_UP);
}

static void test_caution(void **state)
{
    struct core_bench *b = *state;
    static const int8_t moves[] = {1, -1, 1, -1, 1, 1, 1, 1, 1, -1, -1};
    static const uint8_t want[] = {1, 2, 3, 4, 4, 3, 2, 1, 1, 2, 1};
    search_on(b, 5);
    for (size_t i = 0; i < sizeof moves; i++) {
        move_by(b, moves[i]);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_SEARCH), want[i] | (moves[i] < 0 ? 8 : 16));
    }
    search_on(b, 0);
    move_by(b, -1); /* no move: nothing but the evidence */
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_SEARCH), CAUTION_MIN);
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_EVIDENCE), 0);
}

static void test_registers(void **state)
{
    struct core_bench *b = *state;
    for (int reg = 0; reg < 16; reg++) {
        bool exists = reg <= CM_NEXT_REG_ENDED;
        core_bench_offer(b, false, reg, 0);
        core_bench_edge(b);
        assert_true(b->out.reg_done && b->out.reg_error == !exists);
        if (!exists || reg == CM_NEXT_REG_PAIR || reg == CM_NEXT_REG_ENDED)
            for (uint32_t bit = 0; bit < 16; bit++)
                assert_false(core_bench_put(b, reg, 1u << bit));
    }
    for (uint32_t value = 0; value < 0x10000; value += 7) {
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_STALL, value), value <= 2047);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_ISSUED, value), value <= 2047);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_AVERAGE, value), (value & 0x7fff) <= 2047);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_FIRST, value), (value & 0x7fff) <= 2047);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_EVIDENCE, value),
                         value <= 4095 || value >= 0xf000);
        assert_int_equal(core_bench_put(b, CM_NEXT_REG_SEARCH, value),
                         value < 24 && (value & 7) >= CAUTION_MIN && (value & 7) <= CAUTION_MAX);
    }
    assert_true(core_bench_put(b, CM_NEXT_REG_EVIDENCE, 0xf000));
    assert_int_equal(core_bench_get(b, CM_NEXT_REG_EVIDENCE), 0xf000);
}

/* A write of LIMIT ends the decision under way, at each of its edges. */
static void test_limit_write_ends_decision(void **state)
{
    struct core_bench *b = *state;
    for (int when = 0; when <= CORE_BENCH_LATENCY; when++) {
        search_on(b, 5);
        for (int i = 0; i <= CORE_BENCH_LATENCY; i++) {
            b->in.cm_tick = i == 0;
            if (i == when)
                core_bench_offer(b, true, CM_NEXT_REG_LIMIT, 32);
            core_bench_edge(b);
        }
        core_bench_edges(b, CORE_BENCH_LATENCY);
        assert_int_equal(b->out.limit, 32);
        assert_int_equal(core_bench_get(b, CM_NEXT_REG_PAIR), (9 - SPAN) | UPPER);
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
    in->kernel_begin = rng_chance(rng, 1, 400);
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
        for (int n = 0; n < LEVELS; n++)
            seen |= (uint32_t)(ladder[n] == b->out.limit) << n;
    }
    printf("%llu edges not clocked, %llu changes of the limit\n", (unsigned long long)skips,
           (unsigned long long)moves);
    tile_destroy(lazy);
    assert_true(skips > 100 && moves > 1000);
    assert_int_equal(seen, (1 << LEVELS) - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, core_bench_setup_next, core_bench_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_after_reset),
        TEST(test_reset_in_a_decision),
        TEST(test_off_and_fixed),
        TEST(test_begin_of_a_search),
        TEST(test_counts),
        TEST(test_boundary),
        TEST(test_whole),
        TEST(test_average),
        TEST(test_turns),
        TEST(test_bias),
        TEST(test_bound),
        TEST(test_climb),
        TEST(test_caution),
        TEST(test_registers),
        TEST(test_limit_write_ends_decision),
        TEST(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
