/* mem_frontend without its scheduler, beside the whole tile: the same counts for the same stalls
 * and reads, and nothing else comes out of it, whatever arrives. Each in lockstep, RTL and golden
 * model. */
#include "base/error.h"
#include "base/rng.h"
#include "evgpu_defs.h"
#include "mem_frontend.h"
#include "mem_frontend_counters.h"
#include "tb/tile.h"
#include "tests/unit.h"

enum {
    START_UP = EVG_FE_REGION_LINES + 8,
    EDGES = 100000,
    EDGES_AT_ONCE = 1500, /* with the same stalls: more than a counter holds */
    NOISE_EDGES = 20000,
    SEED = 20261126,
};

struct pair {
    struct tile *whole, *counters;
    struct mem_frontend_out whole_out, out;
};

static int setup(void **state)
{
    static struct pair pair;
    struct error err = {0};
    tile_randomise(SEED, true);
    pair.whole = tile_create(&mem_frontend_kind, TILE_LOCKSTEP, "whole", &err);
    pair.counters = tile_create(&mem_frontend_counters_kind, TILE_LOCKSTEP, "counters", &err);
    tile_reset(pair.whole, &pair.whole_out);
    tile_reset(pair.counters, &pair.out);
    *state = &pair;
    return pair.whole && pair.counters ? 0 : -1;
}

static int teardown(void **state)
{
    struct pair *p = *state;
    tile_destroy(p->whole);
    tile_destroy(p->counters);
    return 0;
}

static void step(struct tile *tile, const struct mem_frontend_in *in, struct mem_frontend_out *out)
{
    struct error err = {0};
    if (!tile_step(tile, in, out, &err))
        fail_msg("%s", err.text);
}

static void step_both(struct pair *p, const struct mem_frontend_in *in)
{
    step(p->whole, in, &p->whole_out);
    step(p->counters, in, &p->out);
}

/* It has no start-up: the first edge without a stall leaves it idle. */
static void test_no_start_up(void **state)
{
    struct pair *p = *state;
    const struct mem_frontend_in in = {0};
    step_both(p, &in);
    assert_int_equal(p->out.idle, 1);
    assert_int_equal(p->whole_out.idle, 0);
}

static void test_counts_are_those_of_the_whole_tile(void **state)
{
    struct pair *p = *state;
    struct mem_frontend_in in = {0};
    struct rng rng;
    uint32_t saturated = 0, read = 0;
    rng_seed(&rng, SEED);
    for (uint32_t i = 0; i < START_UP; i++)
        step_both(p, &in);
    for (uint32_t i = 0, same = 0; i < EDGES; i++) {
        if (!same) {
            same = 1 + rng_below(&rng, rng_chance(&rng, 1, 50) ? EDGES_AT_ONCE : 4);
            in.mc_valid = rng_chance(&rng, 2, 3);
            in.mc_ready = rng_chance(&rng, 1, 3);
            in.net_valid = rng_chance(&rng, 2, 3);
            in.net_ready = rng_chance(&rng, 1, 3);
        }
        same--;
        in.stall_read = rng_chance(&rng, 1, 400);
        step_both(p, &in);
        assert_int_equal(p->out.stall_mc, p->whole_out.stall_mc);
        assert_int_equal(p->out.stall_net, p->whole_out.stall_net);
        assert_int_equal(p->out.idle, p->whole_out.idle);
        saturated += p->out.stall_mc == 1023;
        read += in.stall_read;
    }
    assert_true(saturated > 0 && read > 0);
}

static void expect_nothing_else(const struct mem_frontend_out *out)
{
    const struct tile_kind *kind = &mem_frontend_counters_kind;
    for (uint32_t i = 0; i < kind->n_out; i++) {
        const struct tile_port *port = &kind->out_ports[i];
        if (strncmp(port->name, "stall_", 6) != 0 && strcmp(port->name, "idle") != 0)
            for (uint32_t j = 0; j < port->bytes; j++)
                assert_int_equal(((const uint8_t *)out)[port->offset + j], 0);
    }
}

/* Requests, answers and register accesses, which it does not take. */
static void test_nothing_else_comes_out(void **state)
{
    struct pair *p = *state;
    struct rng rng;
    rng_seed(&rng, SEED);
    for (uint32_t i = 0; i < NOISE_EDGES; i++) {
        const struct mem_frontend_in in = {
            .req_valid = rng_chance(&rng, 1, 2),
            .req_line = (uint32_t)rng_u64(&rng),
            .req_mask = (uint32_t)rng_u64(&rng),
            .req_trigger = (uint8_t)rng_below(&rng, 4),
            .req_action = (uint8_t)rng_below(&rng, 4),
            .req_source = rng_chance(&rng, 1, 2),
            .req_write = rng_chance(&rng, 1, 2),
            .req_id = (uint16_t)rng_below(&rng, 1 << 16),
            .dram_ready = rng_chance(&rng, 1, 2),
            .answer_valid = rng_chance(&rng, 1, 4),
            .answer_tag = (uint8_t)rng_below(&rng, 128),
            .rsp_ready = rng_chance(&rng, 1, 2),
            .reg_valid = rng_chance(&rng, 1, 4),
            .reg_write = rng_chance(&rng, 1, 2),
            .reg_addr = (uint8_t)rng_below(&rng, 32),
            .reg_data = (uint32_t)rng_u64(&rng),
            .mc_valid = rng_chance(&rng, 1, 3),
            .mc_ready = rng_chance(&rng, 1, 2),
        };
        step(p->counters, &in, &p->out);
        expect_nothing_else(&p->out);
        const bool woken = in.req_valid || in.answer_valid || in.reg_valid;
        assert_int_equal(p->out.idle, !woken && !(in.mc_valid && !in.mc_ready));
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_no_start_up),
        TEST(test_counts_are_those_of_the_whole_tile),
        TEST(test_nothing_else_comes_out),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
