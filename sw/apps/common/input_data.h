/* Input data for kernels: seeded, the same on every machine. */
#ifndef EVGPU_SW_INPUT_DATA_H
#define EVGPU_SW_INPUT_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Multiples of 2^-23, uniform in [-1, 1). */
void input_floats(uint64_t seed, float *values, size_t count);

#endif
