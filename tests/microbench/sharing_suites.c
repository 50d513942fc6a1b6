/* What cores share: words that they add to, and the way to memory. */
#include <stdio.h>
#include <string.h>

#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

struct kind {
    const char *name;
    uint32_t lane_stride, warp_stride;
    double (*form)(const struct machine_config *c);
};

static const struct kind kinds[] = {
    {"adds to one word", 0, 0, form_atomics_word},
    {"adds to the words of a line", 1, 0, form_atomics_line},
    {"adds to a line of each warp", 1, 32, form_atomics_lines},
};

static double atomics(struct bench *b, const struct kind *kind, uint32_t threads, uint32_t times)
{
    uint64_t words = bench_alloc(b, 1 << 20, 4096);
    struct arg args[] = {
        ADDR(words), WORD(kind->lane_stride), WORD(kind->warp_stride), WORD(times), {0}};
    return (double)bench_run(b, "atomics", b->config.cores, threads, args).cycles;
}

void micro_atomics(const struct machine_config *config, const struct micro_sink *sink)
{
    const uint32_t threads = 256, few = 4, many = 20;
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench b;
        bench_open(&b, config, NULL);
        atomics(&b, &kinds[k], threads, few);
        double cycles = atomics(&b, &kinds[k], threads, few);
        cycles = atomics(&b, &kinds[k], threads, many) - cycles;
        struct micro_row row = {.group = "atomics", .unit = "adds/cycle"};
        snprintf(row.name, sizeof row.name, "%s", kinds[k].name);
        row.measured = (double)config->cores * threads * (many - few) / cycles;
        row.form = kinds[k].form(config);
        /* Messages that meet in the network are not part of the form. */
        micro_between(&row, kinds[k].warp_stride ? 0.4 : 0.95, 1.02);
        micro_give(sink, &row);
        bench_close(&b);
    }
}

void micro_fairness(const struct machine_config *config, const struct micro_sink *sink)
{
    static const char *const kernels[] = {"fair_loads", "fair_stores"};
    static const char *const names[] = {"loads, most to least of a core",
                                        "stores, most to least of a core"};
    const uint32_t warps = config->core.threads >= 1024 ? 32 : 16, cycles = 15000;
    for (uint32_t k = 0; k < 2; k++) {
        struct bench b;
        bench_open(&b, config, NULL);
        const uint32_t bits = 12; /* of the number of lines: L2 holds them */
        uint32_t count[64];
        uint64_t data = bench_alloc(&b, LINE_BYTES << bits, 4096);
        uint64_t done = bench_alloc(&b, 4096, 256);
        struct arg args[] = {ADDR(data), WORD(bits), WORD(cycles), ADDR(done), {0}};
        bench_run(&b, kernels[k], config->cores, warps * 32, args); /* L2 has the lines now */
        memset(bench_memory(&b, done), 0, 4096);
        bench_run(&b, kernels[k], config->cores, warps * 32, args);
        memcpy(count, bench_memory(&b, done), 4 * config->cores);
        uint32_t most = 0, least = UINT32_MAX;
        for (uint32_t i = 0; i < config->cores; i++) {
            most = count[i] > most ? count[i] : most;
            least = count[i] < least ? count[i] : least;
        }
        struct micro_row row = {.group = "fairness", .unit = "ratio", .form = 1};
        snprintf(row.name, sizeof row.name, "%s", names[k]);
        row.measured = (double)most / least;
        micro_between(&row, 1, 1.05);
        micro_give(sink, &row);
        bench_close(&b);
    }
}
