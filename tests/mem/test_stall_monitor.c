/* The stall monitor with a tile of its own, against counters: cycles may be left out, and the tile
 * may get its edges late, but what is read is what has been stalled since the last reading. */
#include "base/rng.h"
#include "sim/mem/stall_monitor.h"
#include "tests/unit.h"

#define CYCLES 20000u
#define MOST   1023u /* of 10 bits (CM-BAL 5, Hardware Overhead) */

struct counts {
    uint32_t memory, network;
};

static void count(struct counts *c, bool memory, bool network)
{
    c->memory += memory && c->memory < MOST;
    c->network += network && c->network < MOST;
}

/* A reading takes what was counted before its cycle, in which the next interval begins. */
static void check_reading(struct stall_monitor *m, struct counts *c)
{
    uint16_t memory = 0, network = 0;
    assert_true(stall_monitor_answer(m, &memory, &network));
    assert_int_equal(memory, c->memory);
    assert_int_equal(network, c->network);
    assert_false(stall_monitor_answer(m, &memory, &network));
    assert_false(stall_monitor_asked(m));
    *c = (struct counts){0, 0};
}

static void count_stalls(enum tile_backend backend, bool at_once)
{
    const struct tile_place nowhere = {0};
    struct error err = {0};
    struct rng rng;
    struct counts c = {0, 0};
    struct stall_monitor *m = stall_monitor_create(
        &(struct stall_monitor_config){.backend = backend, .place = &nowhere}, &err);
    assert_non_null(m);
    rng_seed(&rng, 31);
    if (at_once)
        assert_non_null(stall_monitor_tile(m));
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        bool often = cycle / 4096 % 2, asked = stall_monitor_asked(m);
        bool memory = rng_chance(&rng, often ? 7 : 1, 8), network = rng_chance(&rng, 1, 3);
        if (!asked && rng_chance(&rng, 1, 4))
            continue; /* nothing is stalled in it */
        uint64_t before = stall_monitor_steps(m);
        assert_true(stall_monitor_tick(m, cycle, memory, network, &err));
        assert_true(!at_once || stall_monitor_steps(m) - before >= (memory || network));
        if (asked)
            check_reading(m, &c);
        count(&c, memory, network);
        if (rng_chance(&rng, 1, often ? 2048 : 100))
            stall_monitor_ask(m);
    }
    stall_monitor_destroy(m);
}

static void test_counts(void **state)
{
    (void)state;
    count_stalls(TILE_MODEL, false);
    count_stalls(TILE_LOCKSTEP, false);
}

static void test_counts_at_once(void **state)
{
    (void)state;
    count_stalls(TILE_MODEL, true);
}

/* An edge costs time: those at which the tile stands still are not given. */
static void test_idle_edges(void **state)
{
    (void)state;
    const struct tile_place nowhere = {0};
    struct error err = {0};
    struct stall_monitor *m = stall_monitor_create(
        &(struct stall_monitor_config){.backend = TILE_MODEL, .place = &nowhere}, &err);
    struct counts c = {0, 1};
    assert_non_null(m);
    uint64_t before = stall_monitor_steps(m);
    assert_true(stall_monitor_tick(m, 5000, false, true, &err));
    stall_monitor_ask(m);
    assert_true(stall_monitor_tick(m, 90000, false, false, &err));
    check_reading(m, &c);
    assert_true(stall_monitor_steps(m) - before < 10);
    stall_monitor_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_counts_at_once),
        cmocka_unit_test(test_idle_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
