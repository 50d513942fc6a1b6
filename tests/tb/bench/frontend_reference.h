/* The reference of the bench of gpu_frontend, which knows only the contract: which writes are
 * accepted, which entry each launch gets, which core is chosen, which flags are written. */
#ifndef EVGPU_TESTS_TB_FRONTEND_REFERENCE_H
#define EVGPU_TESTS_TB_FRONTEND_REFERENCE_H

#include "tests/tb/bench/frontend_bench.h"

/* A queue of expected events; it has one when its front is asked for. */
void bench_fifo_create(struct bench_fifo *f, uint32_t size);
void bench_push(struct bench_fifo *f, struct bench_event event);
struct bench_event bench_pop(struct bench_fifo *f);
struct bench_event *bench_item(const struct bench_fifo *f, uint32_t i); /* from the front */
const struct bench_event *bench_front(const struct bench_fifo *f);

/* The tile has made the step from the outputs `before` to b->out with the inputs b->in, which is
 * checked. */
void frontend_reference_step(struct bench *b, const struct gpu_frontend_out *before);

/* The same for completions: frontend_completion.c. */
void bench_check_completion(struct bench *b, const struct gpu_frontend_out *before);

#endif
