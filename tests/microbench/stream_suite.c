/* Streams: how near to the narrowest point of their way they come. */
#include <stdio.h>
#include <string.h>

#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

#define BLOCK 512u

/* A grid that fills the machine, and the words that it walks in whole strides. */
struct shape {
    uint32_t blocks, words;
};

static struct shape shape(const struct machine_config *c, uint64_t bytes)
{
    uint32_t per_core = c->core.threads / BLOCK;
    per_core = per_core < c->core.blocks ? per_core : c->core.blocks;
    struct shape s = {.blocks = c->cores * (per_core ? per_core : 1)};
    uint32_t stride = 4 * s.blocks * BLOCK;
    uint32_t strides = (uint32_t)(bytes / 4 / stride);
    s.words = stride * (strides ? strides : 1);
    return s;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static uint64_t l2_bytes(const struct machine_config *c)
{
    return (uint64_t)c->mem.l2_bytes * c->mem.partitions;
}

static void row_of(struct micro_row *row, const char *name, double measured, double form,
                   const struct micro_sink *sink)
{
    snprintf(row->name, sizeof row->name, "%s", name);
    row->measured = measured;
    row->form = form;
    micro_give(sink, *row);
}

static void from_dram(const struct machine_config *config, const struct micro_sink *sink)
{
    struct micro_row row = {.group = "stream", .unit = "bytes/cycle", .low = 0.88, .high = 1.001};
    struct bench b;
    bench_open(&b, config, NULL);
    struct shape s = shape(config, 8 * l2_bytes(config));
    uint64_t data = bench_alloc(&b, s.words * 4ull, 4096), out = bench_alloc(&b, 256, 256);
    struct arg args[] = {ADDR(data), WORD(s.words), ADDR(out), {0}};
    double form = lesser(form_dram_peak(config), form_read_peak(config));
    struct run r = bench_run(&b, "read_stream", s.blocks, BLOCK, args);
    row_of(&row, "read from DRAM", s.words * 4.0 / (double)r.cycles, form, sink);
    bench_close(&b);

    bench_open(&b, config, NULL);
    data = bench_alloc(&b, s.words * 4ull, 4096);
    struct arg to[] = {ADDR(data), WORD(s.words), {0}};
    form = lesser(form_dram_peak(config), form_write_peak(config));
    r = bench_run(&b, "write_stream", s.blocks, BLOCK, to);
    /* What is still in L2 has not gone to DRAM. */
    double bytes = (double)r.dram_writes * config->mem.dram.column_bytes;
    row_of(&row, "write to DRAM", bytes / (double)r.cycles, form, sink);
    bench_close(&b);
}

static void from_l2(const struct machine_config *config, const struct micro_sink *sink)
{
    struct micro_row row = {.group = "stream", .unit = "bytes/cycle", .low = 0.88, .high = 1.001};
    struct bench b;
    bench_open(&b, config, NULL);
    struct shape s = shape(config, l2_bytes(config) / 2);
    uint64_t data = bench_alloc(&b, s.words * 4ull, 4096), out = bench_alloc(&b, 256, 256);
    struct arg args[] = {ADDR(data), WORD(s.words), ADDR(out), {0}};
    bench_run(&b, "read_stream_l2", s.blocks, BLOCK, args);
    struct run r = bench_run(&b, "read_stream_l2", s.blocks, BLOCK, args);
    row_of(&row, "read from L2", s.words * 4.0 / (double)r.cycles, form_read_peak(config), sink);
    struct arg to[] = {ADDR(data), WORD(s.words), {0}};
    r = bench_run(&b, "write_stream", s.blocks, BLOCK, to);
    row_of(&row, "write to L2", s.words * 4.0 / (double)r.cycles, form_write_peak(config), sink);
    bench_close(&b);
}

static void scattered(const struct machine_config *config, const struct micro_sink *sink)
{
    struct micro_row row = {.group = "stream", .unit = "lines/cycle", .low = 0.6, .high = 1.001};
    struct bench b;
    bench_open(&b, config, NULL);
    struct shape s = shape(config, 1);
    const uint32_t bits = 19, times = 2;
    uint64_t data = bench_alloc(&b, 128ull << bits, 4096), out = bench_alloc(&b, 256, 256);
    struct arg args[] = {ADDR(data), WORD(bits), WORD(times), ADDR(out), {0}};
    struct run r = bench_run(&b, "scatter", s.blocks, BLOCK, args);
    row_of(&row, "random lines from DRAM", (double)r.l2_misses / (double)r.cycles,
           form_scatter(config), sink);
    bench_close(&b);
}

void micro_streams(const struct machine_config *config, const struct micro_sink *sink)
{
    from_l2(config, sink);
    from_dram(config, sink);
    scattered(config, sink);
}
