#include "tests/microbench/bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data_file.h"

static void stop(const char *what, const struct error *err)
{
    fprintf(stderr, "microbench: %s: %s\n", what, err->text);
    exit(2);
}

void bench_open(struct bench *b, const struct machine_config *config,
                void (*change)(struct machine_config *config))
{
    struct error err = {0};
    char path[PATH_MAX];
    struct kernel_source source = {.path = path};
    memset(b, 0, sizeof *b);
    b->config = *config;
    if (change)
        change(&b->config);
    if (!config_check(&b->config, &err))
        stop("configuration", &err);
    if (find_kernel(MICRO_PTX, path, sizeof path, &err))
        b->job = kernel_job_create(&b->config, TILE_MODEL, &source, &err);
    if (!b->job)
        stop(MICRO_PTX, &err);
}

void bench_close(struct bench *b)
{
    kernel_job_destroy(b->job);
    b->job = NULL;
}

uint64_t bench_alloc(struct bench *b, uint64_t bytes, uint64_t align)
{
    struct error err = {0};
    uint64_t address = kernel_job_buffer(b->job, NULL, bytes + align, &err);
    if (!address)
        stop("memory", &err);
    return (address + align - 1) & ~(align - 1);
}

uint8_t *bench_memory(struct bench *b, uint64_t address)
{
    return kernel_job_memory(b->job, address);
}

static struct run difference(const struct gpu_stats *a, const struct gpu_stats *b)
{
    return (struct run){.l1_hits = b->cores.l1_hits - a->cores.l1_hits,
                        .l1_misses = b->cores.l1_misses - a->cores.l1_misses,
                        .l2_hits = b->mem.l2.hits - a->mem.l2.hits,
                        .l2_misses = b->mem.l2.misses - a->mem.l2.misses,
                        .memory_stalls = b->mem.memory_stalls - a->mem.memory_stalls,
                        .reply_stalls = b->mem.reply_stalls - a->mem.reply_stalls,
                        .dram_reads = b->mem.dram.reads - a->mem.dram.reads,
                        .dram_writes = b->mem.dram.writes - a->mem.dram.writes,
                        .row_hits = b->mem.dram.row_hits - a->mem.dram.row_hits,
                        .row_misses = b->mem.dram.row_misses - a->mem.dram.row_misses,
                        .bus_busy = b->mem.dram.bus_busy - a->mem.dram.bus_busy,
                        .dram_cycles = b->mem.dram.cycles - a->mem.dram.cycles};
}

struct run bench_run(struct bench *b, const char *kernel, uint32_t blocks, uint32_t threads,
                     const struct arg *args)
{
    struct error err = {0};
    struct kernel_call call = {.name = kernel, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    for (uint32_t i = 0; args[i].bytes; i++) {
        uint64_t value = args[i].value;
        if (!kernel_job_argument(b->job, kernel, i, &value, args[i].bytes, &err))
            stop(kernel, &err);
    }
    struct run_control control = {.max_cycles = 0};
    struct kernel_figures figures;
    if (kernel_job_run(b->job, &call, &control, &figures, &err) != RUN_DONE)
        stop(kernel, &err);
    struct run r = difference(&b->last, &figures.stats);
    r.cycles = figures.cycles;
    b->last = figures.stats;
    return r;
}
