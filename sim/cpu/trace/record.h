/* A real x86-64 program recorded as a ChampSim trace: it runs under valgrind, whose tool lackey
 * says what is executed and accessed; registers and branches come from the program's code in
 * memory. */
#ifndef EVGPU_CPU_TRACE_RECORD_H
#define EVGPU_CPU_TRACE_RECORD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct cpu_record_options {
    const char *path;                  /* of the trace; .gz and .xz pack it */
    char *const *program;              /* with its arguments, NULL at the end */
    uint64_t skip, keep;               /* instructions; the program is ended behind them */
    const volatile sig_atomic_t *stop; /* the recording is given up when it is set */
};

struct cpu_record_result {
    uint64_t executed; /* instructions, skipped ones too */
    uint64_t kept;
    uint64_t undecoded; /* of them, without registers: the code could not be read */
    uint64_t dropped;   /* accesses beyond what a record holds */
    bool ended;         /* the program ended by itself */
};

/* Only the program's first process and all its threads are seen. False with an error, and without a
 * file: no valgrind, no such program, a program that fails or ends before `skip` instructions,
 * `stop`. */
bool cpu_record(const struct cpu_record_options *options, struct cpu_record_result *result,
                struct error *err);

#endif
