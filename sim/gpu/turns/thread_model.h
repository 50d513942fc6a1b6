/* What the threads of a run would have to do, by their number: measured on one thread, from the
 * time that each core takes in each cycle. `evgpu bench --threads-model` makes a speed-up of it. */
#ifndef EVGPU_GPU_THREAD_MODEL_H
#define EVGPU_GPU_THREAD_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of threads: 1, 2, 4, ..., 32. */
#define THREAD_COUNTS 6u

#define THREAD_MODEL_CORES 64u /* at most */

struct thread_model {
    uint64_t core_ns;  /* of all cores, with `runs` readings of the clock */
    uint64_t runs;     /* turns of single cores */
    uint64_t clock_ns; /* of 1,000,000 readings of the clock, one after the other */
    struct thread_load {
        uint64_t longest_ns; /* of the thread that takes longest, summed over the turns */
        uint64_t its_runs;   /* readings of the clock in it */
        uint64_t meetings;   /* turns in which more than the first thread has cores that run */
        uint64_t others;     /* threads beside the first one in these, summed */
        uint64_t ports;      /* requests, replies of cores that are not the first thread's */
        uint64_t stores;     /* the same of cycles of such a core with stores */
    } with[THREAD_COUNTS];
};

/* 0 to THREAD_COUNTS - 1. */
uint32_t thread_model_threads(uint32_t index);

uint64_t thread_model_now(void); /* ns, monotonic */

/* A core has run from `begin` to `end` in this turn, of one cycle or more; `port`, `stores`: what
 * core_run says. */
struct core_run_time {
    uint32_t core;
    uint64_t begin, end;
    bool port, stores;
};

/* A turn of the cores is over: `times` of those that have run, by number, of a GPU with `cores`
 * cores. */
void thread_model_cycle(struct thread_model *model, const struct core_run_time *times,
                        uint32_t count, uint32_t cores);

#endif
