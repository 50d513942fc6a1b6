#include "tests/tb/core_bench.h"

#include "base/error.h"
#include "sm_concurrency_unit_next.h"
#include "tb/tile.h"
#include "tests/unit.h"

const uint8_t core_bench_ladder[EVG_CM_LEVELS] = {1, 2, 3, 4, 6, 8, 16, 24, 48}; /* CM-BAL 4.2 */

static int setup(void **state, const struct tile_kind *kind)
{
    static struct core_bench bench;
    static uint32_t seed; /* registers before the first reset: others in each test */
    struct error err = {0};
    memset(&bench, 0, sizeof bench);
    tile_randomise(++seed, true);
    bench.tile = tile_create(kind, TILE_LOCKSTEP, "core", &err);
    tile_reset(bench.tile, &bench.out);
    bench.trace = bench_trace_begin(bench.tile);
    bench.in.cm_k = CORE_BENCH_K;
    *state = &bench;
    return bench.tile ? 0 : -1;
}

int core_bench_setup(void **state)
{
    return setup(state, &sm_concurrency_unit_kind);
}

int core_bench_setup_next(void **state)
{
    return setup(state, &sm_concurrency_unit_next_kind);
}

int core_bench_teardown(void **state)
{
    struct core_bench *b = *state;
    bench_trace_end(b->trace);
    tile_destroy(b->tile);
    return 0;
}

void core_bench_edge(struct core_bench *b)
{
    struct error err = {0};
    if (!tile_step(b->tile, &b->in, &b->out, &err))
        fail_msg("%s", err.text);
    bench_trace_step(b->trace);
    b->in.cm_tick = b->in.cm_set = b->in.kernel_begin = b->in.kernel_end = b->in.reg_valid = 0;
}

void core_bench_edges(struct core_bench *b, int n)
{
    while (n--)
        core_bench_edge(b);
}

void core_bench_offer(struct core_bench *b, bool write, int reg, uint32_t value)
{
    b->in.reg_valid = 1;
    b->in.reg_write = write;
    b->in.reg_addr = (uint8_t)reg;
    b->in.reg_data = (uint16_t)value;
}

bool core_bench_put(struct core_bench *b, int reg, uint32_t value)
{
    core_bench_offer(b, true, reg, value);
    core_bench_edge(b);
    assert_true(b->out.reg_done);
    return !b->out.reg_error;
}

uint16_t core_bench_get(struct core_bench *b, int reg)
{
    core_bench_offer(b, false, reg, 0xffff);
    core_bench_edge(b);
    assert_true(b->out.reg_done && !b->out.reg_error);
    return b->out.reg_rdata;
}

void core_bench_set_mode(struct core_bench *b, enum cm_mode mode)
{
    b->in.cm_set = 1;
    b->in.cm_mode = (uint8_t)mode;
    core_bench_edge(b);
}

void core_bench_put_average(struct core_bench *b, int level, uint16_t value)
{
    assert_true(core_bench_put(b, CM_CORE_REG_AVERAGE_0 + level, value));
}

uint8_t core_bench_interval(struct core_bench *b, uint16_t stalls, enum cm_decision decision)
{
    assert_true(core_bench_put(b, CM_CORE_REG_STALL, stalls));
    uint8_t before = b->out.limit;
    b->in.cm_tick = 1;
    b->in.cm_decision = (uint8_t)decision;
    core_bench_edge(b);
    b->in.cm_decision = CM_DECISION_HOLD;
    for (int n = 1; n <= CORE_BENCH_LATENCY; n++) {
        assert_int_equal(b->out.limit, before);
        assert_int_equal(b->out.state == CM_CORE_STATE_IDLE, b->in.cm_mode == CM_MODE_OFF);
        core_bench_edge(b);
    }
    assert_int_equal(b->out.state, CM_CORE_STATE_IDLE);
    return b->out.limit;
}

void core_bench_balance_on(struct core_bench *b, int level)
{
    core_bench_set_mode(b, CM_MODE_BAL);
    assert_true(core_bench_put(b, CM_CORE_REG_LIMIT, core_bench_ladder[level]));
    assert_true(core_bench_put(b, CM_CORE_REG_VALID, 0));
    b->in.cm_patience = 0;
}
