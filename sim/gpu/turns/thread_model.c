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

/* A core takes some hundred ns for a cycle. What takes much longer was suspended by the operating
 * system, and counts as the mean. */
#define SUSPENDED_NS 20000u

static uint64_t taken(const struct thread_model *model, const struct core_run_time *t)
{
    uint64_t ns = t->end - t->begin;
    if (ns < SUSPENDED_NS)
        return ns;
    return model->runs ? model->core_ns / model->runs : 0;
}

/* As core_turns_create shares them out. */
static uint32_t thread_of(uint32_t core, uint32_t cores, uint32_t threads)
{
    return core * threads / cores;
}

struct cycle {
    const struct core_run_time *times;
    uint64_t ns[THREAD_MODEL_CORES];
    uint32_t count, cores;
};

static void add(struct thread_load *load, const struct cycle *c, uint32_t threads)
{
    uint64_t longest = 0, longest_runs = 0, sum = 0, runs = 0;
    uint32_t last = threads, others = 0;
    threads = threads < c->cores ? threads : c->cores;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct core_run_time *t = &c->times[i];
        uint32_t thread = thread_of(t->core, c->cores, threads);
        if (thread != last) {
            others += thread != 0;
            sum = runs = 0;
        }
        last = thread;
        sum += c->ns[i];
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
    struct cycle c = {.times = times, .count = count, .cores = cores};
    for (uint32_t i = 0; i < count; i++)
        c.ns[i] = taken(model, &times[i]);
    for (uint32_t i = 0; i < count; i++)
        model->core_ns += c.ns[i];
    model->runs += count;
    for (uint32_t i = 0; i < THREAD_COUNTS; i++)
        add(&model->with[i], &c, thread_model_threads(i));
}
