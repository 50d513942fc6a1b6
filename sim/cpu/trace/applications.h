/* CPU applications of CM-BAL's Table III as parameters of the generator, and the mixes of Table IV.
 *
 * A stream is made of instructions of a small program (basic blocks in loops in functions) whose
 * accesses are of three kinds:
 *   near  lines that stay in L1D
 *   mid   lines that stay in L2, `mid_rate` accesses per 1000 instructions
 *   far   lines that are not in L2: `mpki` per 1000 instructions, evenly from the first instruction
 * on (after a walk of some 1000 instructions over the pool, mid, near and code lines) so that a far
 * access is an L2 miss, and nothing else is. */
#ifndef EVGPU_CPU_TRACE_APPLICATIONS_H
#define EVGPU_CPU_TRACE_APPLICATIONS_H

#include <stdint.h>

struct cpu_application {
    const char *name;
    double mpki; /* L2 misses per 1000 instructions: Table III */

    /* Percent of the instructions; the rest computes. */
    uint8_t loads, stores, branches;
    uint8_t chain; /* percent of the instructions that wait for one another: IPC <= 100 / chain */
    uint16_t code_kib;   /* instruction bytes, walked through again and again */
    uint16_t trips;      /* of a function's loop */
    uint16_t hard;       /* of 1000 conditional branches, those that go either way */
    uint8_t data_branch; /* percent of the hard ones that wait for the last far load */

    uint16_t near_lines; /* a power of two */
    uint16_t mid_lines;
    uint8_t mid_rate;

    /* Far accesses: percent of streams, the rest jumps about in a heap. */
    uint8_t stream;
    uint8_t streams;     /* number of streams, 1..32 */
    uint8_t dependent;   /* percent of the heap's whose address comes from the one before, */
    uint8_t chains;      /* in so many chains, 1..4 */
    uint16_t heap_mib;   /* a power of two >= 8 */
    uint8_t burst;       /* far accesses that come together: memory-level parallelism */
    uint8_t reuse;       /* percent that go around in a pool of 64 KB: what a shared L3 may hold */
    uint8_t dirty;       /* percent of the lines that are also written */
    uint8_t phase;       /* percent by which far accesses are more, then fewer, in turn */
    uint16_t phase_kilo; /* 1000 instructions of both together */
};

enum { CPU_APPLICATIONS = 34, CPU_MIX_CORES = 14, CPU_MIXES = 6 };

extern const struct cpu_application cpu_applications[CPU_APPLICATIONS];

/* NULL: there is none of the name. */
const struct cpu_application *cpu_application_find(const char *name);

struct cpu_mix {
    const char *name;
    const char *application[CPU_MIX_CORES]; /* core 0 first */
};

extern const struct cpu_mix cpu_mixes[CPU_MIXES];

const struct cpu_mix *cpu_mix_find(const char *name);

#endif
