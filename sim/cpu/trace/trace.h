/* Instruction traces of CPU cores: an endless stream of instructions from a file or a generator.
 *
 * A trace is named by a spec:
 *   FILE, champsim:FILE, ramulator:FILE   a file, plain, gzip or xz (told by its content, as is the
 *                                         format where no prefix names it; a name with a '/' is
 *                                         always a file)
 *   APPLICATION                           a generated stream (applications.h), deterministic per
 *                                         (application, core, seed)
 * A file begins again at its end. */
#ifndef EVGPU_CPU_TRACE_TRACE_H
#define EVGPU_CPU_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { CPU_LOADS = 4, CPU_STORES = 2, CPU_SOURCES = 4, CPU_TARGETS = 2 };

/* One instruction, in the order of ChampSim's record of 64 bytes. 0 stands for "none": no register,
 * no address. Addresses are virtual byte addresses of the program; what an access is wide is not
 * known. A register is any number from 1 to 255. `branch` and `taken` are 0 or 1. */
struct cpu_instruction {
    uint64_t ip;
    uint8_t branch, taken;
    uint8_t target[CPU_TARGETS];
    uint8_t source[CPU_SOURCES];
    uint64_t store[CPU_STORES];
    uint64_t load[CPU_LOADS];
};

struct cpu_trace;

/* NULL with an error that names file, record or line. `core` (from 0) and `seed` tell generated
 * streams of one application apart; a file is the same for all. */
struct cpu_trace *cpu_trace_open(const char *spec, uint32_t core, uint64_t seed, struct error *err);
void cpu_trace_close(struct cpu_trace *t);

/* The next `n` instructions. Fewer only when the file is corrupt behind them: then
 * cpu_trace_error() says where, and further calls return 0. */
uint32_t cpu_trace_read(struct cpu_trace *t, struct cpu_instruction *out, uint32_t n);

/* NULL as long as nothing went wrong. */
const char *cpu_trace_error(const struct cpu_trace *t);

/* The application's name, or the file's without folder. */
const char *cpu_trace_name(const struct cpu_trace *t);

/* How often the file began again; 0 for generated ones. */
uint64_t cpu_trace_rounds(const struct cpu_trace *t);

#endif
