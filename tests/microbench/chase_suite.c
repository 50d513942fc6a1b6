/* Pointer chases: one load at a time, through lines that lie where the figure wants them. */
#include <stdio.h>
#include <string.h>

#include "sim/mem/address_map.h"
#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

#define MAX_CHAIN 64u

static void chain(struct bench *b, const uint64_t *line, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(bench_memory(b, line[i]), &line[(i + 1) % count], 8);
}

/* `cores`: how many do the same; one of them says how long it took. */
static uint32_t chase(struct bench *b, const char *kernel, uint64_t start, uint32_t steps,
                      uint32_t cores)
{
    uint64_t out = bench_alloc(b, 256, 256);
    struct arg args[] = {ADDR(start), WORD(steps), ADDR(out), {0}};
    uint32_t cycles;
    bench_run(b, kernel, cores, 32, args);
    memcpy(&cycles, bench_memory(b, out), sizeof cycles);
    return cycles;
}

/* A ring of lines; the kernel has walked it, on every core. */
static uint64_t make_ring(struct bench *b, const char *kernel)
{
    uint64_t line[8], base = bench_alloc(b, 4096, 4096);
    for (uint32_t i = 0; i < 8; i++)
        line[i] = base + i * LINE_BYTES;
    chain(b, line, 8);
    chase(b, kernel, base, 16, b->config.cores);
    return base;
}

/* Round and round: what holds the lines answers. */
static void ring(struct bench *b, const char *kernel, struct micro_row row,
                 const struct micro_sink *sink)
{
    uint64_t base = make_ring(b, kernel);
    uint32_t few = chase(b, kernel, base, 16, 1), many = chase(b, kernel, base, 144, 1);
    row.measured = (many - (double)few) / 128;
    micro_give(sink, &row);
}

/* Lines that are in L2 and not yet in L1: two chains of different lengths. */
static void behind_l1(struct bench *b, struct micro_row row, const struct micro_sink *sink)
{
    uint64_t line[MAX_CHAIN];
    uint32_t cycles[2];
    make_ring(b, "chase");
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t count = MAX_CHAIN / (2 - i);
        uint64_t base = bench_alloc(b, MAX_CHAIN * LINE_BYTES, 256);
        for (uint32_t n = 0; n < count; n++)
            line[n] = base + n * LINE_BYTES;
        chain(b, line, count);
        uint64_t out = bench_alloc(b, 256, 256);
        struct arg all[] = {ADDR(base), WORD(count * LINE_BYTES / 4), WORD(1), ADDR(out), {0}};
        bench_run(b, "read_stream_l2", 1, 32, all);
        cycles[i] = chase(b, "chase", base, count, 1);
    }
    row.measured = (cycles[1] - (double)cycles[0]) / (MAX_CHAIN - MAX_CHAIN / 2);
    micro_give(sink, &row);
}

/* Where a line lies in DRAM. */
struct dram_place {
    uint32_t channel, bank;
    uint64_t row;
};

static struct dram_place dram_place(const struct machine_config *c, uint64_t address)
{
    struct address_map map = {.channels = c->mem.partitions,
                              .banks = c->mem.banks,
                              .shift = (uint32_t)__builtin_ctz(c->mem.interleave_bytes),
                              .hashed = c->mem.map_hashed};
    struct place place = map_place(&map, address);
    uint64_t row = map_channel_address(&map, place.bank, place.bank_line) / c->mem.dram.row_bytes;
    return (struct dram_place){place.channel, (uint32_t)(row % c->mem.dram.banks),
                               row / c->mem.dram.banks};
}

/* Lines from `base` on of the bank that `base` is in: of one row, or each of another row than the
 * one before. Returns how many. */
static uint32_t lines_of_bank(const struct bench *b, uint64_t base, uint64_t end, bool same_row,
                              uint64_t *line, uint32_t most)
{
    struct dram_place first = dram_place(&b->config, base), last = first;
    uint32_t n = 0;
    line[n++] = base;
    for (uint64_t a = base + LINE_BYTES; a < end && n < most; a += LINE_BYTES) {
        struct dram_place p = dram_place(&b->config, a);
        if (p.channel != first.channel || p.bank != first.bank || (p.row == last.row) != same_row)
            continue;
        line[n++] = a;
        last = p;
    }
    return n;
}

static void no_refresh(struct machine_config *config)
{
    config->mem.dram.refi = 0;
}

static void dram_chase(const struct machine_config *config, bool same_row, struct micro_row row,
                       const struct micro_sink *sink)
{
    struct bench b;
    bench_open(&b, config, no_refresh);
    const uint64_t half = 4 << 20;
    uint64_t line[MAX_CHAIN], base = bench_alloc(&b, 2 * half, 1 << 20);
    uint32_t count[2], cycles[2];
    make_ring(&b, "chase_l2");
    /* A short chain, then a longer one elsewhere: what is not the chase falls out. */
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t from = base + i * half;
        count[i] = lines_of_bank(&b, from, from + half, same_row, line, i ? MAX_CHAIN : 3);
        chain(&b, line, count[i]);
        cycles[i] = chase(&b, "chase_l2", from, count[i], 1);
    }
    row.measured = (cycles[1] - (double)cycles[0]) / (count[1] - count[0]);
    micro_give(sink, &row);
    bench_close(&b);
}

static void in_loop(struct micro_row *row, const struct machine_config *config)
{
    double loop = form_loop(config);
    row->high = row->form < loop ? loop : row->high;
}

void micro_chases(const struct machine_config *config, const struct micro_sink *sink)
{
    struct micro_row row = {.group = "chase", .unit = "cycles"};
    struct bench b;
    bench_open(&b, config, NULL);
    snprintf(row.name, sizeof row.name, "L1");
    row.form = form_l1(config);
    micro_within(&row, 0);
    in_loop(&row, config);
    ring(&b, "chase", row, sink);
    /* Clocks that are no multiples of each other: by phase, a cycle more or less. */
    bool even = config->mem.net_khz == config->core_khz && config->mem.l2_khz == config->core_khz;
    snprintf(row.name, sizeof row.name, "L2");
    row.form = form_l2(config);
    micro_within(&row, even ? 0 : 1);
    in_loop(&row, config);
    ring(&b, "chase_l2", row, sink);
    snprintf(row.name, sizeof row.name, "L2, after a miss in L1");
    row.form = form_l1_miss(config);
    micro_within(&row, even ? 0 : 1);
    in_loop(&row, config);
    behind_l1(&b, row, sink);
    bench_close(&b);
    snprintf(row.name, sizeof row.name, "DRAM, open row");
    row.form = form_dram(config, ROW_OPEN);
    micro_within(&row, 1);
    dram_chase(config, true, row, sink);
    snprintf(row.name, sizeof row.name, "DRAM, another row open");
    row.form = form_dram(config, ROW_OTHER);
    micro_within(&row, 1);
    dram_chase(config, false, row, sink);
}
