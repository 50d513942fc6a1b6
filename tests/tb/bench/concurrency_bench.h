/* Bench for concurrency management: a concurrency_unit, the sm_concurrency_units that it commands
 * and the stall monitors that it reads, wired as in a machine; RTL and golden model in lockstep. A
 * difference between them ends the test. */
#ifndef EVGPU_TESTS_CONCURRENCY_BENCH_H
#define EVGPU_TESTS_CONCURRENCY_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "concurrency_unit.h"
#include "evgpu_defs.h"
#include "sm_concurrency_unit.h"
#include "tests/tb/bench/bench_trace.h"

enum { CM_BENCH_CORES = 2, CM_STALL_MAX = (1 << 10) - 1 };

/* A partition's mem_stall_monitor. */
struct cm_monitor {
    bool mc_stall, net_stall; /* at the next edges */
    uint16_t mc, net;
};

struct cm_bench {
    struct tile *unit, *cores[CM_BENCH_CORES];
    struct concurrency_unit_in unit_in;
    struct concurrency_unit_out unit_out;
    /* What lasts; pulses and what the bench wires are overwritten. */
    struct sm_concurrency_unit_in core_in[CM_BENCH_CORES];
    struct sm_concurrency_unit_out core_out[CM_BENCH_CORES];
    struct cm_monitor monitors[EVG_CM_PARTITIONS];
    bool silent; /* the monitors do not answer */
    uint64_t edges;
    struct bench_trace *trace; /* of the unit */
};

void cm_bench_create(struct cm_bench *b);
void cm_bench_destroy(struct cm_bench *b);
/* The tiles, for so many edges among the inputs as they are. */
void cm_bench_reset(struct cm_bench *b, uint32_t edges);

/* Before an edge: puts the answers of the monitors and the broadcast into the inputs. */
void cm_bench_wire(struct cm_bench *b);
/* After an edge that saw the outputs `before`: the monitors count, and the one read is cleared. */
void cm_bench_count(struct cm_bench *b, const struct concurrency_unit_out *before);
/* One clock edge of everything; pulses are cleared. */
void cm_bench_edge(struct cm_bench *b);
void cm_bench_edges(struct cm_bench *b, uint32_t n);

/* Edges until the unit's tick or set shows, at most `limit`; fails the test if it does not come. */
uint32_t cm_bench_until_tick(struct cm_bench *b, uint32_t limit);
uint32_t cm_bench_until_set(struct cm_bench *b, uint32_t limit);

/* Register accesses, one edge each. Writes return whether the value was taken. */
bool cm_bench_write(struct cm_bench *b, enum cm_reg reg, uint16_t value);
uint16_t cm_bench_read(struct cm_bench *b, enum cm_reg reg);
bool cm_bench_core_write(struct cm_bench *b, int core, enum cm_core_reg reg, uint16_t value);
uint16_t cm_bench_core_read(struct cm_bench *b, int core, enum cm_core_reg reg);

#endif
