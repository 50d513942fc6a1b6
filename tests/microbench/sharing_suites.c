/* What cores share: words that they add to, and the way to memory. */
#include <stdio.h>
#include <string.h>

#include "tests/microbench/forms.h"
#include "tests/microbench/micro.h"

void micro_atomics(const struct machine_config *config, const struct micro_sink *sink)
{
    static const struct {
        const char *name;
        uint32_t lane_stride, warp_stride;
    } kinds[] = {{"one word", 0, 0}, {"a line's words", 1, 0}, {"a line a warp", 1, 32}};
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench b;
        bench_open(&b, config, NULL);
        const uint32_t threads = 128, times = 16;
        uint64_t words = bench_alloc(&b, 1 << 20, 4096);
        struct arg args[] = {
            ADDR(words), WORD(kinds[k].lane_stride), WORD(kinds[k].warp_stride), WORD(times), {0}};
        struct run r = bench_run(&b, "atomics", config->cores, threads, args);
        struct micro_row row = {.group = "atomics", .unit = "per cycle"};
        snprintf(row.name, sizeof row.name, "adds to %s", kinds[k].name);
        row.measured = (double)config->cores * threads * times / (double)r.cycles;
        row.form = 1;
        row.low = 0.01;
        row.high = 100;
        micro_give(sink, row);
        bench_close(&b);
    }
}

void micro_fairness(const struct machine_config *config, const struct micro_sink *sink)
{
    static const char *const kernels[] = {"fair_loads", "fair_stores"};
    static const char *const names[] = {"loads, most to least of a core",
                                        "stores, most to least of a core"};
    const uint32_t warps = 16, cycles = 30000;
    for (uint32_t k = 0; k < 2; k++) {
        struct bench b;
        bench_open(&b, config, NULL);
        uint32_t bytes = config->cores * warps * 32 * LINE_BYTES, count[64];
        uint64_t data = bench_alloc(&b, bytes, 4096), done = bench_alloc(&b, 4096, 256);
        struct arg args[] = {ADDR(data), WORD(bytes), WORD(cycles), ADDR(done), {0}};
        bench_run(&b, kernels[k], config->cores, warps * 32, args);
        memcpy(count, bench_memory(&b, done), 4 * config->cores);
        uint32_t most = 0, least = UINT32_MAX;
        for (uint32_t i = 0; i < config->cores; i++) {
            most = count[i] > most ? count[i] : most;
            least = count[i] < least ? count[i] : least;
        }
        struct micro_row row = {
            .group = "fairness", .unit = "ratio", .form = 1, .low = 1, .high = 1.05};
        snprintf(row.name, sizeof row.name, "%s", names[k]);
        row.measured = (double)most / least;
        micro_give(sink, row);
        bench_close(&b);
    }
}
