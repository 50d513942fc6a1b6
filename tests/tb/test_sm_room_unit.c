/* sm_room_unit: directed tests, one per sentence of event_room's contract, and a random one, RTL
 * and golden model in lockstep. */
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "evgpu_defs.h"
#include "sm_room_unit.h"
#include "tb/tile.h"
#include "tests/tb/bench/bench_trace.h"
#include "tests/unit.h"

enum {
    SHIFT = 8,
    INTERVAL = 1 << SHIFT,
    ONE = 256,      /* of mean: an event */
    MEAN_EDGES = 4, /* from before a tick's edge to the mean */
    ROOM_EDGES = 5, /* ... from that of any change to the room */
    MOST = EVG_PEWT_ENTRIES,
    RANDOM_EDGES = 400000,
    DEFAULT_SEED = 20241124,
};

struct bench {
    struct tile *tile;
    struct sm_room_unit_in in; /* what lasts; pulses are cleared after an edge */
    struct sm_room_unit_out out;
    struct bench_trace *trace;
};

static int setup(void **state)
{
    static struct bench bench;
    static uint32_t seed;
    struct error err = {0};
    bench = (struct bench){.in = {.cfg_shift = SHIFT}};
    tile_randomise(++seed, true);
    bench.tile = tile_create(&sm_room_unit_kind, TILE_LOCKSTEP, "room", &err);
    tile_reset(bench.tile, &bench.out);
    bench.trace = bench_trace_begin(bench.tile);
    *state = &bench;
    return bench.tile ? 0 : -1;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    bench_trace_end(b->trace);
    tile_destroy(b->tile);
    return 0;
}

static void edge(struct bench *b)
{
    struct error err = {0};
    b->in.at = b->in.at % (1u << b->in.cfg_shift) + 1;
    b->in.tick = b->in.at == 1u << b->in.cfg_shift;
    if (!tile_step(b->tile, &b->in, &b->out, &err))
        fail_msg("%s", err.text);
    bench_trace_step(b->trace);
    b->in.take = 0;
}

static void edges(struct bench *b, uint32_t n)
{
    while (n--)
        edge(b);
}

static void take(struct bench *b, uint8_t regs)
{
    b->in.take = 1;
    b->in.regs = regs;
    edge(b);
}

/* To the end of an interval, and the edges after which its mean and room show. */
static void end_interval(struct bench *b)
{
    do
        edge(b);
    while (b->in.at != 1u << b->in.cfg_shift);
    edges(b, ROOM_EDGES - 1);
}

static void test_after_reset(void **state)
{
    struct bench *b = *state;
    assert_true(!b->out.warps && !b->out.regs && !b->out.mean && b->out.idle);
    b->in.cfg_margin = 3;
    edges(b, 3 * INTERVAL);
    assert_true(!b->out.warps && !b->out.regs && !b->out.mean); /* no events, no room */
}

/* k events in n cycles of an interval are a mean of k * n / INTERVAL. */
static void test_mean(void **state)
{
    struct bench *b = *state;
    for (uint32_t k = 1; k <= MOST; k++)
        for (uint32_t n = 1; n < INTERVAL - ROOM_EDGES; n += 41) {
            tile_reset(b->tile, &b->out);
            b->in.at = INTERVAL;
            b->in.events = 0;
            edge(b);
            b->in.events = (uint8_t)k;
            edges(b, n);
            b->in.events = 0;
            end_interval(b);
            assert_int_equal(b->out.mean, k * n * ONE / INTERVAL);
            assert_int_equal(b->out.warps, (k * n + INTERVAL - 1) / INTERVAL);
        }
}

/* Events that stay count in every interval, and no cycle twice at its end. */
static void test_mean_of_what_stays(void **state)
{
    struct bench *b = *state;
    edges(b, 9);
    b->in.events = 3;
    end_interval(b);
    for (int i = 0; i < 3; i++) {
        end_interval(b);
        assert_int_equal(b->out.mean, 3 * ONE);
        assert_int_equal(b->out.warps, 3);
    }
}

/* Rate times service time: one event every 64 cycles that takes 96. */
static void test_rate_times_service(void **state)
{
    struct bench *b = *state;
    for (uint32_t cycle = 0; cycle < 3 * INTERVAL; cycle++) {
        b->in.events = (uint8_t)(1 + (cycle >= 64 && cycle % 64 < 32));
        edge(b);
    }
    edges(b, ROOM_EDGES);
    assert_int_equal(b->out.mean, 96 * ONE / 64);
    assert_int_equal(b->out.warps, 2);
}

/* Up at once, down by a quarter, rounded up, to 0. */
static void test_decay(void **state)
{
    struct bench *b = *state;
    b->in.events = 4;
    end_interval(b);
    end_interval(b);
    uint32_t mean = 4 * ONE;
    assert_int_equal(b->out.mean, mean);
    b->in.events = 0;
    end_interval(b); /* its first edges had events */
    for (int i = 0; mean; i++) {
        mean -= (mean + 3) / 4;
        assert_int_equal(b->out.mean, mean);
        assert_int_equal(b->out.warps, (mean + ONE - 1) / ONE);
        end_interval(b);
        assert_true(i < 40);
    }
    assert_int_equal(b->out.mean, 0);
    b->in.events = 1;
    end_interval(b);
    end_interval(b);
    assert_int_equal(b->out.mean, ONE);
}

static void test_margin(void **state)
{
    struct bench *b = *state;
    for (uint32_t k = 0; k <= 7; k++)
        for (uint32_t margin = 0; margin < 4; margin++) {
            uint32_t warps = k ? k + margin : 0;
            tile_reset(b->tile, &b->out);
            b->in.events = (uint8_t)k;
            b->in.cfg_margin = (uint8_t)margin;
            end_interval(b);
            end_interval(b);
            assert_int_equal(b->out.warps, warps < MOST ? warps : MOST);
        }
}

/* The largest event of the last interval with one; at once a larger one; with the mean none. */
static void test_registers(void **state)
{
    struct bench *b = *state;
    b->in.events = 2;
    take(b, 20);
    take(b, 12);
    end_interval(b);
    assert_int_equal(b->out.regs, b->out.warps * 20);
    end_interval(b); /* none came */
    assert_int_equal(b->out.warps, 2);
    assert_int_equal(b->out.regs, 2 * 20);
    take(b, 25);
    edges(b, ROOM_EDGES - 2);
    assert_int_equal(b->out.regs, 2 * 20);
    edge(b);
    assert_int_equal(b->out.regs, 2 * 25);
    end_interval(b);
    take(b, 10);
    edges(b, ROOM_EDGES);
    assert_int_equal(b->out.regs, 2 * 25); /* the interval is not over */
    end_interval(b);
    assert_int_equal(b->out.regs, 2 * 10);
    b->in.events = 0;
    while (b->out.mean)
        end_interval(b);
    edge(b);
    assert_int_equal(b->out.regs, 0);
    b->in.events = 1;
    end_interval(b);
    end_interval(b);
    assert_int_equal(b->out.warps, 1);
    assert_int_equal(b->out.regs, 0);
}

/* Mean and room show in the cycles that the contract names, not one earlier. */
static void test_latency(void **state)
{
    struct bench *b = *state;
    b->in.events = 1;
    take(b, 9);
    while (b->in.at != INTERVAL - 1)
        edge(b);
    for (int i = 1; i <= ROOM_EDGES; i++) {
        edge(b);
        assert_int_equal(b->in.tick, i == 1);
        assert_int_equal(b->out.mean != 0, i >= MEAN_EDGES);
        assert_int_equal(b->out.warps, i >= ROOM_EDGES);
        assert_int_equal(b->out.regs, i >= ROOM_EDGES ? 9 : 0);
        assert_int_equal(b->out.idle, i >= ROOM_EDGES);
    }
}

/* A reset at each edge of a tick's way leaves nothing of it. */
static void test_reset(void **state)
{
    struct bench *b = *state;
    for (uint32_t after = 0; after < ROOM_EDGES; after++) {
        b->in.events = 3;
        take(b, 30);
        while (b->in.at != INTERVAL)
            edge(b);
        edges(b, after);
        b->in.events = 0;
        tile_reset_among(b->tile, &b->in, 1, &b->out);
        assert_true(!b->out.warps && !b->out.regs && !b->out.mean && b->out.idle);
        for (uint32_t i = 0; i < 2 * INTERVAL; i++) {
            edge(b);
            assert_true(!b->out.warps && !b->out.regs && !b->out.mean);
        }
    }
}

static void random_inputs(struct bench *b, struct rng *rng, uint32_t i)
{
    static const uint8_t loads[] = {1, 5, 31, 61, 121}; /* phases without events among them */
    uint32_t load = loads[i / 20000 % 5];
    b->in.take = rng_chance(rng, load - 1, 4000);
    b->in.regs = (uint8_t)rng_below(rng, 128);
    if (b->in.events && rng_chance(rng, 1, 120))
        b->in.events--;
    else if (b->in.events < 7 && (b->in.take || rng_chance(rng, load - 1, 8000)))
        b->in.events++;
    if (rng_chance(rng, 1, 3000))
        b->in.cfg_margin = (uint8_t)rng_below(rng, 4);
}

/* Everything at once; a copy that is not clocked while idle stays equal, with time wrong meanwhile.
 */
static void test_random(void **state)
{
    struct bench *b = *state;
    struct error err = {0};
    struct rng rng;
    const char *text = getenv("EVGPU_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : DEFAULT_SEED, skips = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    rng_seed(&rng, seed);
    tile_randomise((uint32_t)seed | 1, true);
    struct tile *lazy = tile_create(&sm_room_unit_kind, TILE_VERILATOR, "lazy", &err);
    struct sm_room_unit_out lazy_out = {0};
    tile_reset(lazy, &lazy_out);
    uint8_t was = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < RANDOM_EDGES; i++) {
        if (rng_chance(&rng, 1, 9000)) {
            b->in.cfg_shift = (uint8_t)(SHIFT + rng_below(&rng, 5));
            b->in.at = rng_below(&rng, 1u << b->in.cfg_shift);
            b->in.take = 0;
            tile_reset(b->tile, &b->out);
            tile_reset(lazy, &lazy_out);
            was = 0;
        }
        random_inputs(b, &rng, i);
        struct sm_room_unit_in in = b->in;
        edge(b);
        in.at = b->in.at;
        in.tick = b->in.tick;
        if (lazy_out.idle && !in.take && !in.tick && in.events == was)
            skips++;
        else
            tile_step(lazy, &in, &lazy_out, &err);
        was = in.events;
        if (memcmp(&lazy_out, &b->out, sizeof lazy_out))
            fail_msg("edge %u: an idle tile that was not clocked differs", i);
        seen |= 1u << b->out.warps;
    }
    printf("%llu edges not clocked\n", (unsigned long long)skips);
    tile_destroy(lazy);
    assert_true(skips > RANDOM_EDGES / 2);
    assert_int_equal(seen, (2 << MOST) - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_after_reset),
        TEST(test_mean),
        TEST(test_mean_of_what_stays),
        TEST(test_rate_times_service),
        TEST(test_decay),
        TEST(test_margin),
        TEST(test_registers),
        TEST(test_latency),
        TEST(test_reset),
        TEST(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
