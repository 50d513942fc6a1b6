/* The code of a running process, decoded as it is first executed. */
#ifndef EVGPU_CPU_TRACE_RECORD_CODE_H
#define EVGPU_CPU_TRACE_RECORD_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sim/cpu/trace/trace.h"

struct process_code;

/* Of a child of this process. */
struct process_code *process_code_open(pid_t pid);
void process_code_close(struct process_code *c);

/* Registers and branch of the instruction of `size` bytes at out->ip. False: it cannot be read or
 * is none. A piece of the address space is read as a whole when its first instruction comes, so
 * that what is asked for behind the end of the process is there as well. */
bool process_code_decode(struct process_code *c, uint32_t size, struct cpu_instruction *out);

#endif
