/* Streams: how near to the narrowest point of their way they come; and random lines, which keep the
 * memory controllers full. */
#include <stdio.h>
#include <string.h>

#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

#define BLOCK     512u
#define PASSES    8u  /* over what is in L2 */
#define LINE_BITS 19u /* of random lines: 64 MiB, of which L2 holds next to nothing */

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

static double longer(double a, double b)
{
    return a > b ? a : b;
}

static uint64_t l2_bytes(const struct machine_config *c)
{
    return (uint64_t)c->mem.l2_bytes * c->mem.partitions;
}

static struct run read_stream(struct bench *b, const char *kernel, struct shape s, uint64_t data,
                              uint32_t passes)
{
    uint64_t out = bench_alloc(b, 256, 256);
    struct arg args[] = {ADDR(data), WORD(s.words), WORD(passes), ADDR(out), {0}};
    return bench_run(b, kernel, s.blocks, BLOCK, args);
}

static struct run write_stream(struct bench *b, struct shape s, uint64_t data, uint32_t passes)
{
    struct arg args[] = {ADDR(data), WORD(s.words), WORD(passes), {0}};
    return bench_run(b, "write_stream", s.blocks, BLOCK, args);
}

/* The least part of the form that must be reached: messages that meet in the network, and rows of
 * DRAM that change, are not part of it. */
static void give(const struct micro_sink *sink, const char *name, double measured, double form,
                 double least)
{
    struct micro_row row = {
        .group = "stream", .unit = "bytes/cycle", .measured = measured, .form = form};
    snprintf(row.name, sizeof row.name, "%s", name);
    micro_between(&row, least, 1.001);
    micro_give(sink, &row);
}

static void from_l2(const struct machine_config *config, const struct micro_sink *sink)
{
    struct bench b;
    bench_open(&b, config, NULL);
    struct shape s = shape(config, l2_bytes(config) / 4);
    uint64_t data = bench_alloc(&b, s.words * 4ull, 4096);
    double bytes = s.words * 4.0 * PASSES;
    read_stream(&b, "read_stream_l2", s, data, 1);
    struct run r = read_stream(&b, "read_stream_l2", s, data, PASSES);
    give(sink, "read from L2", bytes / (double)r.cycles, form_read_peak(config), 0.4);
    r = write_stream(&b, s, data, PASSES);
    give(sink, "write to L2", bytes / (double)r.cycles, form_write_peak(config), 0.4);
    bench_close(&b);
}

/* From the middle of a long stream: the difference of two lengths, without the beginning, in which
 * latency counts, and for writes without what stays in L2. */
static double dram_rate(const struct machine_config *config, const char *kernel)
{
    bool write = strcmp(kernel, "write_stream") == 0;
    double bytes[2], cycles[2];
    for (uint32_t i = 0; i < 2; i++) {
        double length =
            (1 + i) * longer(1.5 * (double)l2_bytes(config), 20000 * form_dram_peak(config));
        struct shape s = shape(config, (uint64_t)length);
        struct bench b;
        bench_open(&b, config, NULL);
        uint64_t data = bench_alloc(&b, s.words * 4ull, 4096);
        struct run r =
            write ? write_stream(&b, s, data, 1) : read_stream(&b, kernel, s, data, 1);
        uint64_t commands = write ? r.dram_writes : r.dram_reads;
        bytes[i] = (double)commands * config->mem.dram.column_bytes;
        cycles[i] = (double)r.cycles;
        bench_close(&b);
    }
    return (bytes[1] - bytes[0]) / (cycles[1] - cycles[0]);
}

/* Machines whose cores and queues let DRAM choose among enough: there the form must be reached
 * nearly. Elsewhere it is an upper bound; docs/design/memory.md, "Four schedulers", says why. */
static bool ample(const struct machine_config *c)
{
    return c->mem.dram.queue >= 32 && c->mem.dram.column_bytes >= 64 && c->mem.port_queue >= 4 &&
           c->core.threads >= 1536 && c->core.schedulers <= 2 &&
           form_outstanding(c) >= 1.5 * form_dram_peak(c);
}

static void from_dram(const struct machine_config *config, const struct micro_sink *sink)
{
    double dram = lesser(form_dram_peak(config), form_outstanding(config));
    double enough = ample(config) ? 1 : 0.4;
    dram = lesser(dram, form_read_peak(config));
    give(sink, "read from DRAM", dram_rate(config, "read_stream"), dram, 0.88 * enough);
    /* A load of each warp at most; those of a core meet in few sets of its L1. */
    give(sink, "read from DRAM, by words", dram_rate(config, "read_words"),
         lesser(dram, form_one_load(config)), 0.7 * enough);
    /* What L2 evicts does not come in the order of rows. */
    dram = lesser(form_dram_peak(config), form_write_peak(config));
    give(sink, "write to DRAM", dram_rate(config, "write_stream"), dram, 0.7 * enough);
}

static void scattered(const struct machine_config *config, const struct micro_sink *sink)
{
    struct micro_row row = {.group = "stream", .unit = "lines/cycle"};
    struct bench b;
    bench_open(&b, config, NULL);
    struct shape s = shape(config, 1);
    uint64_t data = bench_alloc(&b, (uint64_t)LINE_BYTES << LINE_BITS, 4096);
    uint64_t out = bench_alloc(&b, 256, 256);
    struct arg args[] = {ADDR(data), WORD(LINE_BITS), WORD(2), ADDR(out), {0}};
    struct run r = bench_run(&b, "scatter", s.blocks, BLOCK, args);
    snprintf(row.name, sizeof row.name, "random lines from DRAM");
    row.measured = (double)r.l2_misses / (double)r.cycles;
    row.form = form_scatter(config);
    micro_between(&row, 0.8, 1.05); /* some rows are met open */
    micro_give(sink, &row);

    snprintf(row.name, sizeof row.name, "controller full, meanwhile");
    row.unit = "of cycles";
    double cycles = (double)r.cycles * config->mem.l2_khz / config->core_khz;
    row.measured = (double)r.memory_stalls / cycles / config->mem.partitions;
    row.form = form_controller_full(config);
    row.low = row.form > 0 ? 0.5 : 0;
    row.high = row.form > 0 ? 1 : 0.1;
    micro_give(sink, &row);
    bench_close(&b);
}

void micro_streams(const struct machine_config *config, const struct micro_sink *sink)
{
    from_l2(config, sink);
    from_dram(config, sink);
    scattered(config, sink);
}
