/* Bench for directed tests of sm_concurrency_unit: one tile, RTL and golden model in lockstep,
 * whose inputs the test sets. A difference between RTL and model ends the test. */
#ifndef EVGPU_TESTS_CORE_BENCH_H
#define EVGPU_TESTS_CORE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"
#include "sm_concurrency_unit.h"
#include "tests/tb/bench/bench_trace.h"

enum {
    CORE_BENCH_K = 32,
    CORE_BENCH_LATENCY = 9, /* edges from that of the tick to that which changes the limit */
};

extern const uint8_t core_bench_ladder[EVG_CM_LEVELS];

struct core_bench {
    struct tile *tile;
    struct sm_concurrency_unit_in in; /* what lasts; pulses are cleared after an edge */
    struct sm_concurrency_unit_out out;
    struct bench_trace *trace;
};

/* For cmocka: a tile fresh out of reset, k = CORE_BENCH_K, in *state. */
int core_bench_setup(void **state);
int core_bench_setup_next(void **state); /* the variant with cm_next_core */
int core_bench_teardown(void **state);

void core_bench_edge(struct core_bench *b);
void core_bench_edges(struct core_bench *b, int n);

/* An access to a register: into the inputs of the next edge; or with that edge. core_bench_put
 * returns whether the value was taken. */
void core_bench_offer(struct core_bench *b, bool write, int reg, uint32_t value);
bool core_bench_put(struct core_bench *b, int reg, uint32_t value);
uint16_t core_bench_get(struct core_bench *b, int reg);
void core_bench_put_average(struct core_bench *b, int level, uint16_t value);

void core_bench_set_mode(struct core_bench *b, enum cm_mode mode);
/* BAL, on this level, no valid average, the rule of unchanged intervals off. */
void core_bench_balance_on(struct core_bench *b, int level);
/* The end of an interval with so many stalls; returns the limit that follows. */
uint8_t core_bench_interval(struct core_bench *b, uint16_t stalls, enum cm_decision decision);

#endif
