/* Arithmetic pipelines and shared memory. */
#include <stdio.h>
#include <string.h>

#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

#define CHAIN  64u /* instructions that each need the one before, kernels.cu */
#define ROUND  32u /* instructions of a round that do not */
#define ROUNDS 6u
#define WARPS  16u /* enough to keep every unit busy */

struct op {
    const char *name;
    uint32_t timing, bytes;
    uint64_t seed;
};

static const struct op ops[] = {
    {"int", TIMING_INT, 4, 3},
    {"int_mul", TIMING_INT_MUL, 4, 3},
    {"int_div", TIMING_INT_DIV, 4, 3},
    {"fp", TIMING_FP, 4, 0x3fc00000},
    {"fp_div", TIMING_FP_DIV, 4, 0x3fc00000},
    {"dp", TIMING_DP, 8, 0x3ff8000000000000},
    {"dp_div", TIMING_DP_DIV, 8, 0x3ff8000000000000},
    {"sfu", TIMING_SFU, 4, 0x3fc00000},
};

/* First to last clock of the warps that wrote pairs of them to `out`. */
static uint32_t span(struct bench *b, uint64_t out, uint32_t warps)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t w = 0; w < warps; w++) {
        uint32_t pair[2];
        memcpy(pair, bench_memory(b, out + 8 * w), sizeof pair);
        first = pair[0] < first ? pair[0] : first;
        last = pair[1] > last ? pair[1] : last;
    }
    return last - first;
}

static uint32_t run_op(struct bench *b, const struct op *op, uint32_t rounds, uint32_t warps)
{
    char kernel[48];
    snprintf(kernel, sizeof kernel, "%s_%s", op->name, rounds ? "independent" : "dependent");
    uint64_t out = bench_alloc(b, 4096, 256);
    struct arg args[] = {{op->bytes, op->seed}, WORD(rounds), ADDR(out), {0}};
    bench_run(b, kernel, 1, warps * 32, args);
    return span(b, out, warps);
}

void micro_arithmetic(const struct machine_config *config, const struct micro_sink *sink)
{
    struct bench b;
    bench_open(&b, config, NULL);
    for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const struct op *op = &ops[i];
        struct micro_row row = {.group = "arithmetic", .unit = "cycles"};
        snprintf(row.name, sizeof row.name, "%s, dependent", op->name);
        row.measured = run_op(&b, op, 0, 1) / (double)CHAIN;
        row.form = form_latency(config, op->timing);
        micro_within(&row, 0);
        micro_give(sink, &row);
        snprintf(row.name, sizeof row.name, "%s, %u warps", op->name, WARPS);
        row.measured = run_op(&b, op, ROUNDS, WARPS) / (double)(ROUND * ROUNDS * WARPS);
        row.form = form_interval(config, op->timing);
        /* Fetch and the last warps' ends are not part of the form. */
        micro_between(&row, 0.99, row.form <= 1 ? 1.5 : 1.2);
        micro_give(sink, &row);
    }
    bench_close(&b);
}

/* --- shared memory ---------------------------------------------------------------------------- */

/* `cores`: how many do the same; one of them says how long it took. */
static uint32_t shared_chase(struct bench *b, uint32_t stride, uint32_t steps, uint32_t cores)
{
    uint64_t out = bench_alloc(b, 256, 256);
    struct arg args[] = {WORD(stride), WORD(steps), ADDR(out), {0}};
    uint32_t cycles;
    bench_run(b, "shared_chase", cores, 32, args);
    memcpy(&cycles, bench_memory(b, out), sizeof cycles);
    return cycles;
}

void micro_shared(const struct machine_config *config, const struct micro_sink *sink)
{
    struct bench b;
    bench_open(&b, config, NULL);
    for (uint32_t stride = 0; stride <= 33; stride = stride < 2     ? stride + 1
                                                     : stride == 32 ? 33
                                                                    : stride * 2) {
        uint32_t ways = form_bank_ways(config, stride);
        struct micro_row row = {.group = "shared memory", .unit = "cycles"};
        snprintf(row.name, sizeof row.name, "load, stride %u", stride);
        shared_chase(&b, stride, 16, config->cores); /* the instruction caches have it now */
        double few = shared_chase(&b, stride, 16, 1), many = shared_chase(&b, stride, 80, 1);
        row.measured = (many - few) / 64;
        /* An addition makes each address. */
        row.form = form_shared(config, ways) + form_latency(config, TIMING_INT);
        micro_within(&row, 0);
        double loop = form_loop(config) + form_latency(config, TIMING_INT);
        row.high = row.form < loop ? loop : row.high;
        micro_give(sink, &row);

        uint64_t out = bench_alloc(&b, 4096, 256);
        struct arg args[] = {WORD(stride), WORD(ROUNDS), ADDR(out), {0}};
        bench_run(&b, "shared_stream", 1, 32 * WARPS, args);
        snprintf(row.name, sizeof row.name, "load, stride %u, %u warps", stride, WARPS);
        row.measured = span(&b, out, WARPS) / (double)(ROUND * ROUNDS * WARPS);
        row.form = ways;
        micro_between(&row, 0.99, ways == 1 ? 1.35 : 1.15);
        micro_give(sink, &row);
    }
    bench_close(&b);
}
