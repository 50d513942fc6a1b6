#include "sim/gpu/turns/thread_model.h"

#include <time.h>

uint32_t thread_model_threads(uint32_t index)
{
    return 1u << index;
}

uint64_t thread_model_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* As core_turns_create shares them out. */
static uint32_t thread_of(uint32_t core, uint32_t cores, uint32_t threads)
{
    return ((core + 1) * threads - 1) / cores;
}

static void add(struct thread_load *load, const struct core_run_time *times, uint32_t count,
                uint32_t cores, uint32_t threads)
{
    uint64_t longest = 0, longest_runs = 0, sum = 0, runs = 0;
    uint32_t last = threads, others = 0;
    threads = threads < cores ? threads : cores;
    for (uint32_t i = 0; i < count; i++) {
        const struct core_run_time *t = &times[i];
        uint32_t thread = thread_of(t->core, cores, threads);
        if (thread != last) {
            others += thread != 0;
            sum = runs = 0;
        }
        last = thread;
        sum += t->end - t->begin;
        runs++;
        longest_runs = sum > longest ? runs : longest_runs;
        longest = sum > longest ? sum : longest;
        load->ports += t->port && thread;
        load->stores += t->stores && thread;
    }
    load->longest_ns += longest;
    load->its_runs += longest_runs;
    load->meetings += others != 0;
    load->others += others;
}

void thread_model_cycle(struct thread_model *model, const struct core_run_time *times,
                        uint32_t count, uint32_t cores)
{
    for (uint32_t i = 0; i < count; i++)
        model->core_ns += times[i].end - times[i].begin;
    model->runs += count;
    for (uint32_t i = 0; i < THREAD_COUNTS; i++)
        add(&model->with[i], times, count, cores, thread_model_threads(i));
}
