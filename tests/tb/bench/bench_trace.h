/* Waveforms of a block testbench: EVGPU_TRACE=FILE in the environment writes the first
 * BENCH_TRACE_STEPS steps of the first tile of the program to FILE, as tb/wave shows them. */
#ifndef EVGPU_TESTS_TB_BENCH_TRACE_H
#define EVGPU_TESTS_TB_BENCH_TRACE_H

#include "tb/tile.h"

enum { BENCH_TRACE_STEPS = 20000 };

struct bench_trace;

/* NULL if nothing is to be traced; the others do nothing then. */
struct bench_trace *bench_trace_begin(struct tile *tile);
void bench_trace_step(struct bench_trace *trace); /* after each tile_step */
void bench_trace_end(struct bench_trace *trace);  /* before the tile is destroyed */

#endif
