/* `evgpu bench --threads-model`: the speed-up to expect from threads, by their number. */
#ifndef EVGPU_CLI_BENCH_THREADS_H
#define EVGPU_CLI_BENCH_THREADS_H

#include <jansson.h>

#include "sim/gpu/turns/thread_model.h"

/* Of this computer, in ns: two threads' meeting with nothing to do, and one more cache line that
 * travels at it. 0 with one processor, where they cannot be measured. */
struct thread_costs {
    double meeting, line;
};

struct thread_costs thread_costs_measure(void);

/* One job: seconds with one thread and with two, not measured core by core; and what was, in
 * another run. */
struct thread_runs {
    const char *name;
    double one, two;
    struct thread_model model;
};

void thread_model_head(const struct thread_costs *costs);
/* A line of the table; the same as JSON. */
json_t *thread_model_line(const struct thread_runs *runs, const struct thread_costs *costs);

#endif
