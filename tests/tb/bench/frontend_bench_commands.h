/* Part of the bench of gpu_frontend: what commands do to rows, and when rows are free again. */
#ifndef EVGPU_TESTS_TB_FRONTEND_BENCH_COMMANDS_H
#define EVGPU_TESTS_TB_FRONTEND_BENCH_COMMANDS_H

#include "tests/tb/bench/frontend_bench.h"

/* The command on the inputs was taken in this step. */
void bench_note_command(struct bench *b);

/* After each step, in this order. */
void bench_check_abort(struct bench *b, const struct gpu_frontend_out *before, bool taken);
void bench_check_answer(struct bench *b);
void bench_check_freed(struct bench *b);
void bench_note_free_row(struct bench *b);

#endif
