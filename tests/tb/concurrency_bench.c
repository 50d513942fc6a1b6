#include "tests/tb/concurrency_bench.h"
#include "tests/unit.h"

void cm_bench_create(struct cm_bench *b)
{
    struct error err = {0};
    memset(b, 0, sizeof *b);
    b->unit = tile_create(&concurrency_unit_kind, TILE_LOCKSTEP, "cm", &err);
    assert_non_null(b->unit);
    tile_reset(b->unit, &b->unit_out);
    b->trace = bench_trace_begin(b->unit);
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        b->cores[c] =
            tile_create(&sm_concurrency_unit_kind, TILE_LOCKSTEP, c ? "core1" : "core0", &err);
        assert_non_null(b->cores[c]);
        tile_reset(b->cores[c], &b->core_out[c]);
    }
}

void cm_bench_destroy(struct cm_bench *b)
{
    bench_trace_end(b->trace);
    tile_destroy(b->unit);
    for (int c = 0; c < CM_BENCH_CORES; c++)
        tile_destroy(b->cores[c]);
}

void cm_bench_reset(struct cm_bench *b, uint32_t edges)
{
    tile_reset_among(b->unit, &b->unit_in, edges, &b->unit_out);
    for (int c = 0; c < CM_BENCH_CORES; c++)
        tile_reset_among(b->cores[c], &b->core_in[c], edges, &b->core_out[c]);
}

void cm_bench_wire(struct cm_bench *b)
{
    const struct concurrency_unit_out *out = &b->unit_out;
    const struct cm_monitor *monitor = &b->monitors[out->mon_index];
    b->unit_in.mon_valid = out->mon_read && !b->silent;
    b->unit_in.mon_mc = monitor->mc;
    b->unit_in.mon_net = monitor->net;
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        struct sm_concurrency_unit_in *in = &b->core_in[c];
        in->cm_tick = out->cm_tick;
        in->cm_decision = out->cm_decision;
        in->cm_set = out->cm_set;
        in->cm_mode = out->cm_mode;
        in->cm_k = out->cm_k;
        in->cm_patience = out->cm_patience;
        in->cm_pivot = out->cm_pivot;
    }
}

static void count_stall(uint16_t *counter, bool stall)
{
    if (stall && *counter < CM_STALL_MAX)
        (*counter)++;
}

void cm_bench_count(struct cm_bench *b, const struct concurrency_unit_out *before)
{
    if (before->mon_read && !b->silent) {
        b->monitors[before->mon_index].mc = 0;
        b->monitors[before->mon_index].net = 0;
    }
    for (int p = 0; p < EVG_CM_PARTITIONS; p++) {
        count_stall(&b->monitors[p].mc, b->monitors[p].mc_stall);
        count_stall(&b->monitors[p].net, b->monitors[p].net_stall);
    }
}

void cm_bench_edge(struct cm_bench *b)
{
    struct error err = {0};
    struct concurrency_unit_out before = b->unit_out;
    cm_bench_wire(b);
    if (!tile_step(b->unit, &b->unit_in, &b->unit_out, &err))
        fail_msg("%s", err.text);
    bench_trace_step(b->trace);
    b->unit_in.reg_valid = 0;
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        struct sm_concurrency_unit_in *in = &b->core_in[c];
        if (!tile_step(b->cores[c], in, &b->core_out[c], &err))
            fail_msg("%s", err.text);
        in->reg_valid = in->kernel_begin = in->kernel_end = 0;
    }
    cm_bench_count(b, &before);
    b->edges++;
}

void cm_bench_edges(struct cm_bench *b, uint32_t n)
{
    while (n--)
        cm_bench_edge(b);
}

uint32_t cm_bench_until_tick(struct cm_bench *b, uint32_t limit)
{
    for (uint32_t n = 1; n <= limit; n++) {
        cm_bench_edge(b);
        if (b->unit_out.cm_tick)
            return n;
    }
    fail_msg("no tick within %u edges", limit);
    return 0;
}

uint32_t cm_bench_until_set(struct cm_bench *b, uint32_t limit)
{
    for (uint32_t n = 1; n <= limit; n++) {
        cm_bench_edge(b);
        if (b->unit_out.cm_set)
            return n;
    }
    fail_msg("no set within %u edges", limit);
    return 0;
}

static void access_unit(struct cm_bench *b, bool write, uint8_t reg, uint16_t value)
{
    b->unit_in.reg_valid = 1;
    b->unit_in.reg_write = write;
    b->unit_in.reg_addr = reg;
    b->unit_in.reg_data = value;
    cm_bench_edge(b);
    assert_true(b->unit_out.reg_done);
}

bool cm_bench_write(struct cm_bench *b, enum cm_reg reg, uint16_t value)
{
    access_unit(b, true, (uint8_t)reg, value);
    return !b->unit_out.reg_error;
}

uint16_t cm_bench_read(struct cm_bench *b, enum cm_reg reg)
{
    access_unit(b, false, (uint8_t)reg, 0);
    assert_false(b->unit_out.reg_error);
    return b->unit_out.reg_rdata;
}

static void access_core(struct cm_bench *b, int core, bool write, uint8_t reg, uint16_t value)
{
    struct sm_concurrency_unit_in *in = &b->core_in[core];
    in->reg_valid = 1;
    in->reg_write = write;
    in->reg_addr = reg;
    in->reg_data = value;
    cm_bench_edge(b);
    assert_true(b->core_out[core].reg_done);
}

bool cm_bench_core_write(struct cm_bench *b, int core, enum cm_core_reg reg, uint16_t value)
{
    access_core(b, core, true, (uint8_t)reg, value);
    return !b->core_out[core].reg_error;
}

uint16_t cm_bench_core_read(struct cm_bench *b, int core, enum cm_core_reg reg)
{
    access_core(b, core, false, (uint8_t)reg, 0);
    assert_false(b->core_out[core].reg_error);
    return b->core_out[core].reg_rdata;
}
