/* A machine to measure on: one configuration, the kernels of kernels.cu. Fails the program with a
 * message when anything goes wrong that is no figure. */
#ifndef EVGPU_TESTS_MICROBENCH_BENCH_H
#define EVGPU_TESTS_MICROBENCH_BENCH_H

#include <stdint.h>

#include "sim/guest/kernel/kernel_job.h"

#define MICRO_PTX "tests/microbench/kernels.ptx"

struct bench {
    struct machine_config config;
    struct kernel_job *job;
    struct gpu_stats last; /* of all runs before the last one */
};

/* A cold machine. `change` (may be NULL) alters the configuration first. */
void bench_open(struct bench *b, const struct machine_config *config,
                void (*change)(struct machine_config *config));
void bench_close(struct bench *b);

/* Zeroed device memory, aligned to `align` bytes (a power of two, at most 16 MiB). */
uint64_t bench_alloc(struct bench *b, uint64_t bytes, uint64_t align);
uint8_t *bench_memory(struct bench *b, uint64_t address);

/* One argument of a kernel. */
struct arg {
    uint32_t bytes; /* 4 or 8; 0 ends the list */
    uint64_t value;
};
#define WORD(x)                                                                                    \
    {                                                                                              \
        4, (x)                                                                                     \
    }
#define ADDR(x)                                                                                    \
    {                                                                                              \
        8, (x)                                                                                     \
    }

/* Figures of this launch alone. */
struct run {
    uint64_t cycles;
    uint64_t l1_hits, l1_misses;
    uint64_t l2_hits, l2_misses;
    uint64_t memory_stalls, reply_stalls;                   /* L2 cycles, summed over partitions */
    uint64_t dram_reads, dram_writes, row_hits, row_misses; /* commands; requests */
    uint64_t bus_busy, dram_cycles;                         /* summed over channels */
};

/* A row of blocks, each a row of threads. */
struct run bench_run(struct bench *b, const char *kernel, uint32_t blocks, uint32_t threads,
                     const struct arg *args);

#endif
