/* Random traffic for a mem_frontend tile: requests, commands, time-outs and stalls whose kind and
 * rate change from phase to phase. */
#ifndef EVGPU_TESTS_TB_MEM_FRONTEND_TRAFFIC_H
#define EVGPU_TESTS_TB_MEM_FRONTEND_TRAFFIC_H

#include "tests/tb/bench/mem_frontend_bench.h"

/* EVGPU_SEED in the environment, or else always the same. */
uint64_t fe_traffic_seed(void);

/* So many cycles of it from the bench's generator, then until nothing is left inside. */
void fe_traffic(struct fe_bench *b, uint32_t cycles);

#endif
