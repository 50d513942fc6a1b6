/* The registers that an x86-64 instruction reads and writes, decoded as ChampSim's traces record
 * it. */
#ifndef EVGPU_CPU_TRACE_X86_REGISTERS_H
#define EVGPU_CPU_TRACE_X86_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/cpu/trace/trace.h"

/* Sets `branch`, `source` and `target` of `out`, nothing else. False: the bytes are not an
 * instruction of `size` bytes.
 *
 * Registers have ChampSim's numbers: 6, 25 and 26 are stack pointer, flags and instruction pointer,
 * and which of them a branch has says what kind it is. Other general registers are 3 to 18, vector
 * registers 64 to 95, x87's 48 to 55, masks 96 to 103. An idiom that breaks dependences in a
 * processor (a register exclusive-or itself) reads nothing. With more than fit, the flags are left
 * out first. */
bool x86_registers(const uint8_t *bytes, uint32_t size, struct cpu_instruction *out);

#endif
